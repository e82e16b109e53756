/* The two loops of k-means that go over all rows: looking for the nearest centre, and adding up members. */
#ifndef FRS_ALGORITHMS_NEAREST_CENTRES_H
#define FRS_ALGORITHMS_NEAREST_CENTRES_H

#include "sim/base/arena.h"

#include <stddef.h>
#include <stdint.h>

/* Rows that lie side by side. `nearest` and `distance` below have room for so many more than n. */
#define FRS_ROWS_ASIDE 32u

/* Returns the rows [n × dim] in blocks of FRS_ROWS_ASIDE, each column by column, the last block filled up
 * with zeros: [⌈n / FRS_ROWS_ASIDE⌉ × dim × FRS_ROWS_ASIDE], in the arena. */
float *frs_rows_aside(const float *rows, size_t n, size_t dim, struct frs_arena *arena);

/* Finds for each of n rows, as frs_rows_aside() returns them, the nearest of the centres [k × dim], the
 * first among equals, by ‖c‖² − 2 x·c, which is `distance`; norms [k] are ‖c‖². Products are added up from
 * the first column to the last. */
void frs_nearest_centres(const float *aside, size_t n, size_t dim, const float *centres, const float *norms,
    size_t k, uint32_t *nearest, float *distance);

/* sums [groups × dim] += the rows [n × dim] of each group, in their order. */
void frs_add_members(const float *rows, size_t n, size_t dim, const uint32_t *group, double *sums);

#endif
