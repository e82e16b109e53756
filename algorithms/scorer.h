/* Scorer: ranks items for a client, or predicts ratings; the evaluation's only view of a method. */
#ifndef FRS_ALGORITHMS_SCORER_H
#define FRS_ALGORITHMS_SCORER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What one client is to be scored on: scores[i] of items[i], n of them. */
struct frs_scoring {
    uint32_t client;
    const uint32_t *items;
    size_t n;
    float *scores;
};

struct frs_scorer {
    const void *context;
    /* scores[i] of items[i], larger is better; any thread. For explicit feedback a score is a rating. */
    void (*score)(const void *context, uint32_t client, const uint32_t *items, size_t n, float *scores);
    /* The same for a block of clients at once; any thread. NULL: one after the other is as good. */
    void (*score_block)(const void *context, const struct frs_scoring *block, size_t n_clients);
};

#endif
