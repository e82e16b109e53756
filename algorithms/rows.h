/* Rows: some or all rows of a table, the unit in which models travel.
 *
 * A table is [n_rows × dim] float32, row-major. Rows stand either for a state ("these rows replace those of a
 * base table both sides know") or for an update ("these rows are added"; the base is the zero table). */
#ifndef FRS_ALGORITHMS_ROWS_H
#define FRS_ALGORITHMS_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_rows {
    size_t n_rows, dim;  /* of the table */
    size_t n;            /* rows present */
    const uint32_t *ids; /* [n] ascending; NULL: all rows, n == n_rows */
    const float *values; /* [n × dim] */
};

static inline bool frs_ids_ascend(const uint32_t *ids, size_t n) {
    for (size_t i = 1; i < n; i++)
        if (ids[i - 1] >= ids[i])
            return false;
    return true;
}

/* The parts of a message: the item table, and all else that a method trains in common. */
#define FRS_MAX_PARTS 4

struct frs_part {
    const char *name;
    size_t n_rows, dim;
};

/* The tables of one model state, one per part, [n_rows × dim] each. */
struct frs_tables {
    float *part[FRS_MAX_PARTS];
};

#endif
