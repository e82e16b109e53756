/* Left: how much of the data a step of preparation leaves. */
#ifndef FRS_ALGORITHMS_DATA_PREPARATION_LEFT_H
#define FRS_ALGORITHMS_DATA_PREPARATION_LEFT_H

#include "algorithms/data/reading/data_rows.h"

struct frs_left {
    size_t rows;
    uint32_t users, items; /* that occur in these rows */
};

/* Counts the n rows whose numbers stand in `order`. */
struct frs_left frs_left_of(const struct frs_rows *rows, const uint32_t *order, size_t n);

#endif
