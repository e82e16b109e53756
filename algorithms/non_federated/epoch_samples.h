/* Samples of all users for one epoch of a non-federated baseline: every training item as a positive, and
 * negatives for it, redrawn every epoch, distinct within one positive, from outside the user's excluded
 * items. All of them are shuffled together. */
#ifndef FRS_ALGORITHMS_NON_FEDERATED_EPOCH_SAMPLES_H
#define FRS_ALGORITHMS_NON_FEDERATED_EPOCH_SAMPLES_H

#include "algorithms/client_data.h"

struct frs_sample {
    uint32_t user;
    uint32_t item; /* lowest bit: label; above it: the item */
};

/* Begins with `population` and `negatives`, the number per positive, all else zeros. */
struct frs_epoch_samples {
    const struct frs_population *population;
    size_t negatives;
    struct frs_sample *samples; /* [n] of the epoch that was drawn last */
    size_t n, capacity;
    uint32_t *mark; /* [n_items] stamp of the user whose excluded items these are */
    uint32_t stamp;
};

/* Draws the samples of an epoch, counted from 0; a user without enough free items has fewer. */
void frs_epoch_samples_draw(struct frs_epoch_samples *samples, uint32_t epoch);

/* Frees all but what was borrowed. */
void frs_epoch_samples_fini(struct frs_epoch_samples *samples);

/* Bytes that the samples of an epoch take at most. */
double frs_epoch_samples_bytes(const struct frs_population *population, size_t negatives);

#endif
