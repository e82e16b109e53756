/* Scorer: ranks items for a client, or predicts ratings; the evaluation's only view of a method. */
#ifndef FRS_ALGORITHMS_SCORER_H
#define FRS_ALGORITHMS_SCORER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_scorer {
    const void *context;
    /* scores[i] of items[i], larger is better; any thread. For explicit feedback a score is a rating. */
    void (*score)(const void *context, uint32_t client, const uint32_t *items, size_t n, float *scores);
};

#endif
