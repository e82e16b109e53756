/* Read rows: the interactions of one or several files, whatever their format and compression. */
#ifndef FRS_ALGORITHMS_DATA_READ_ROWS_H
#define FRS_ALGORITHMS_DATA_READ_ROWS_H

#include "algorithms/data/reading/data_rows.h"
#include "algorithms/data/reading/ids.h"
#include "sim/base/files/digest.h"
#include "sim/base/status.h"

struct frs_values;

/* The files of a data set: all interactions, or a split that was given. */
enum frs_data_file { FRS_FILE_ALL, FRS_FILE_VALIDATION, FRS_FILE_TEST, FRS_DATA_FILES };

/* The names behind the numbers of users and items, for files that refer to them. */
struct frs_read_ids {
    struct frs_ids users, items;
    uint32_t *user_numbers, *item_numbers; /* [users.n], [items.n]: as in the rows */
};

void frs_read_ids_fini(struct frs_read_ids *ids);

/* Whether the scenario's section asks for generated data: data.format says so, or no file is named. */
bool frs_data_is_generated(const struct frs_values *data);

/* Reads `paths` (NULL: there is no such file; the first one is there) in the format that data.format asks
 * for, or in the one that the first is recognised to have. A malformed line is an input error that names
 * file:line, what was found and what is expected; after the fifth the reader stops. On failure *rows is
 * empty. `ids` may be NULL. `digests` [FRS_DATA_FILES] are those of the files as stored. */
enum frs_status frs_read_rows(const struct frs_values *data, const char *const paths[FRS_DATA_FILES],
    struct frs_rows *rows, struct frs_read_ids *ids, struct frs_digest digests[FRS_DATA_FILES],
    struct frs_errors *errors) FRS_MUST_CHECK;

/* The same from the n bytes of a text that stand for a file of this name. */
enum frs_status frs_read_rows_of(const struct frs_values *data, const char *name, const char *text, size_t n,
    struct frs_rows *rows, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
