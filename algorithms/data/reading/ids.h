/* Ids: maps the names in a data file to dense indices.
 *
 * A name written as a plain integer (canonical decimal that fits 64 bits) is a number, anything else is text.
 * Dense indices follow numbers in ascending order, then texts in byte order, so that "largest item id" keeps
 * its meaning. */
#ifndef FRS_ALGORITHMS_DATA_READING_IDS_H
#define FRS_ALGORITHMS_DATA_READING_IDS_H

#include "sim/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_id {
    const char *text; /* NULL: a number */
    int64_t number;   /* or the length of `text` */
};

struct frs_ids {
    struct frs_id *ids; /* in order of first appearance */
    size_t n, capacity;
    uint32_t *slots; /* open addressing: 0 = free, else index into `ids` + 1 */
    size_t n_slots;
    uint32_t *small; /* [n_small], the same for numbers below n_small, without a search */
    size_t n_small;
    struct frs_arena texts;
};

/* Canonical decimal integer that fits 64 bits. */
bool frs_ids_is_number(const char *text, size_t n, int64_t *number);

/* Index of the name in order of first appearance; a text is copied. */
uint32_t frs_ids_intern(struct frs_ids *ids, const char *text, size_t n);

/* The same of a name that may not be there: UINT32_MAX. */
uint32_t frs_ids_find(const struct frs_ids *ids, const char *text, size_t n);

/* [ids->n]: dense index of every provisional one; the caller frees it. */
uint32_t *frs_ids_order(const struct frs_ids *ids);

/* How many ids are written almost like another one: they differ in case, in blanks, in leading zeros or in a
 * ".0" behind a number alone ("7" and "7.0"). `first` and `second`: such a pair. */
size_t frs_ids_near(const struct frs_ids *ids, char first[48], char second[48]);

void frs_ids_fini(struct frs_ids *ids);

#endif
