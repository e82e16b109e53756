/* Neural collaborative filtering (He et al., WWW 2017; its NeuMF): a generalised product and a perceptron
 * side by side, over embeddings of their own.
 *
 *   a_0 = (p', q'),  a_l = relu(W_l a_{l−1} + b_l),  score = W_L a_{L−1} + b_L + h · (p ∘ q)
 *
 * A user's row is (p, p'), an item's row (q', q), [2·dim] each. The network is that of perceptron.h over
 * (p', q'), followed by h [dim]. 64 samples at a time pass the layers, side by side. */
#ifndef FRS_ALGORITHMS_NEURAL_CF_H
#define FRS_ALGORITHMS_NEURAL_CF_H

#include "algorithms/kernels/steps/perceptron.h"

struct frs_neural_cf {
    struct frs_perceptron_shape shape;
    float *users;   /* [n_users × 2·dim] */
    float *items;   /* [n_items × 2·dim] */
    float *network; /* [frs_neural_cf_parameters] */
};

size_t frs_neural_cf_parameters(const struct frs_perceptron_shape *shape);

/* Sample i is user users[i] and item items[i] >> 1, whose lowest bit is its label (samples.h). */
struct frs_neural_cf_batch {
    const uint32_t *users, *items;
    size_t n;
};

struct frs_neural_cf_memory;

struct frs_neural_cf_memory *frs_neural_cf_memory_create(const struct frs_perceptron_shape *shape);
void frs_neural_cf_memory_destroy(struct frs_neural_cf_memory *memory);

/* Adds the gradients of the mean binary cross-entropy over a batch to those of the embeddings in
 * `gradients`, in the order of the samples, and sets that of the network. */
void frs_neural_cf_gradients(const struct frs_neural_cf *model, const struct frs_neural_cf_batch *batch,
    struct frs_neural_cf_memory *memory, const struct frs_neural_cf *gradients);

void frs_neural_cf_score(
    const struct frs_neural_cf *model, uint32_t user, const uint32_t *items, size_t n, float *scores);

#endif
