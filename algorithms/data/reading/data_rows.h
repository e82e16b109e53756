/* Data rows: pairs of user and item in the order in which they were read or generated. */
#ifndef FRS_ALGORITHMS_DATA_READING_DATA_ROWS_H
#define FRS_ALGORITHMS_DATA_READING_DATA_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Rows as read or generated, oldest first where the order of the file means anything. At most 2^32 − 2. */
struct frs_rows {
    size_t n, capacity;
    uint32_t n_users, n_items;
    uint32_t *users, *items; /* [n], dense */
    float *values;           /* [n], rating or play count, finite */
    double *times;           /* [n], larger is newer, seconds of the epoch where the file has such; NULL: the
                                data has no time */
    size_t given_starts[2];  /* of files that give the split: the first row of the validation and of the test
                                part; 0: there is no such part */
    bool rated;              /* the values are ratings that the file has */
    char *layout;            /* how the file is laid out: "tab, 3 columns, 100,000 rows"; NULL: generated */
    char *settings; /* the keys of section data that say the same: "format = "csv"; csv_user = "user"; …" */
    char *first_user, *first_item; /* ids of the first row as read; NULL: generated, or kept from before */
    char *notes; /* what a reader of results has to know of the file: "; …; …", "" or NULL: nothing */
};

/* Makes room for `n` rows (with times if `timed`) without changing their number. */
void frs_rows_reserve(struct frs_rows *rows, size_t n, bool timed);
void frs_rows_fini(struct frs_rows *rows);

#endif
