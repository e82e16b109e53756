/* Client ids: what the files of fleets, availability and links call their clients.
 *
 * A file has numbers from 0 to 2^32 − 2, or texts where one of its ids is no number ("Client_17", "a1b2"). A
 * text stands for the place of its first line among those of the others, from 0 on. Ids that differ in case,
 * in blanks or in a ".0" alone are an error: they are one client, written in two ways, or a mistake. */
#ifndef FRS_PLATFORMS_TABLES_CLIENT_IDS_H
#define FRS_PLATFORMS_TABLES_CLIENT_IDS_H

#include "sim/base/files/csv.h"

#include <stddef.h>
#include <stdint.h>

/* All zero: none, or numbers. */
struct frs_client_ids {
    bool are_texts;
    size_t n, texts_capacity, lines_capacity, n_slots;
    char **texts;  /* [n], in the order of their first lines; with texts alone */
    size_t *lines; /* [n] */
    uint32_t
        *slots; /* open addressing by what is left of a text without case and blanks: 0, or a place + 1 */
    size_t whole_line, point_line; /* of the first number as 7, and as 7.0; 0: there is none */
};

/* Looks through a column of the file for an id that is no number. The first line is one of names where one of
 * its fields is `client`. A file that cannot be read has no ids: reading it again says why. */
void frs_client_ids_begin(struct frs_client_ids *ids, const char *path, size_t column);

/* The number that stands for the id of the line last read. Returns false after adding an error. */
bool frs_client_ids_read(struct frs_client_ids *ids, struct frs_csv *csv, size_t column, uint32_t *number,
    struct frs_errors *errors);

/* The place of a text among those read; UINT32_MAX: it is none of them. */
uint32_t frs_client_ids_find(const struct frs_client_ids *ids, const char *text);

/* How the file writes the client that `number` stands for. `text` (32 bytes) is used for numbers. */
const char *frs_client_ids_name(const struct frs_client_ids *ids, uint32_t number, char text[32]);

void frs_client_ids_fini(struct frs_client_ids *ids);

#endif
