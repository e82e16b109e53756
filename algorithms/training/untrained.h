/* Untrained: what clients would have done that do not really learn. */
#ifndef FRS_ALGORITHMS_TRAINING_UNTRAINED_H
#define FRS_ALGORITHMS_TRAINING_UNTRAINED_H

#include "algorithms/training/training_setup.h"

/* The number of samples before the upload of a client that never stops early: its positives and as many
 * negatives as can be drawn, or its ratings, in each of the method's epochs or steps (its keys `epochs` and
 * `steps`; one pass in methods without). */
double frs_untrained_samples(const struct frs_training_setup *setup, uint32_t client);

#endif
