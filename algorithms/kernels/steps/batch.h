/* Batch: the distinct rows of one batch of samples and how often they occur in it. Samples of the same row
 * have the same score, so a batch costs what its distinct rows cost. */
#ifndef FRS_ALGORITHMS_BATCH_H
#define FRS_ALGORITHMS_BATCH_H

#include "sim/base/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct frs_batch {
    size_t n_rows;
    size_t n;                /* distinct rows */
    uint32_t *rows;          /* [n] in order of their first sample */
    float *count, *positive; /* [n] occurrences, of which positives */
    /* Up to whole lanes the first row is repeated, with a count of zero. */
    size_t seen;     /* distinct rows of all batches so far */
    uint64_t *tally; /* [n_rows] between batches zeros; occurrences, and above 32 bits those as positives */
    bool *touched;   /* [n_rows] in any batch so far */
};

/* For batches of at most `size` samples of rows 0 … n_rows−1; memory from the arena. */
struct frs_batch frs_batch_create(size_t n_rows, size_t size, struct frs_arena *arena);

/* The batch becomes these samples (row << 1 | label). */
void frs_batch_fill(struct frs_batch *batch, const uint32_t *samples, size_t n);

#endif
