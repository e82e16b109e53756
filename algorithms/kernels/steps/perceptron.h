/* A perceptron over a user and an item vector: the score of FedNCF, and its local training under binary
 * cross-entropy.
 *
 *   a_0 = (p, q_i),  a_l = relu(W_l a_{l−1} + b_l),  score = W_L a_{L−1} + b_L
 *
 * The network is one array: per layer its weights [outputs × inputs] row-major, then its biases. The first
 * dim inputs belong to p. p is the same for all samples of a client, so its contribution to the first
 * layer is computed once a batch. Samples of the same item pass the layers once. Item tables are local
 * (only rows of this participation) and stored as in bce_mf.h; 64 items at a time pass the layers, side by
 * side.
 *
 * Counted flops per batch, with M weights that are not applied to p, N parameters in all, h outputs of the
 * first layer, b distinct rows in the batch, s rows seen so far, and e trained values per row (dim, or the
 * rank):
 *
 *   passes                          6·M·b
 *   sigmoid                         6·b
 *   contribution of p               6·dim·h
 *   Adam                            14·(e·s + dim + N)
 *   SGD                             2·(e·b + dim + N), and the same again for weight decay
 *   factors: their gradient         2·dim·e·b
 *   factors: rows that move         2·dim·e·b, under Adam 2·dim·e·s
 *   factors: decay of the whole q_i 2·dim·b, in place of the decay of a factor
 *   rows that are pulled            3·dim·n_rows */
#ifndef FRS_ALGORITHMS_PERCEPTRON_H
#define FRS_ALGORITHMS_PERCEPTRON_H

#include "algorithms/kernels/steps/bce_mf.h"

#define FRS_PERCEPTRON_LAYERS 8u
#define FRS_PERCEPTRON_WIDTH 4096u

struct frs_perceptron_shape {
    size_t dim;                           /* of p and of an item vector */
    size_t n_layers;                      /* the last one, of one output, included */
    size_t widths[FRS_PERCEPTRON_LAYERS]; /* outputs of every layer, at most FRS_PERCEPTRON_WIDTH */
};

/* Length of the network. */
size_t frs_perceptron_parameters(const struct frs_perceptron_shape *shape);

enum frs_perceptron_start {
    FRS_START_UNIFORM, /* weights and biases of a layer of n inputs uniform within ±1/√n */
    FRS_START_XAVIER,  /* weights uniform within ±√(6/(inputs + outputs)), biases 0 */
};

void frs_perceptron_init(const struct frs_perceptron_shape *shape, enum frs_perceptron_start start,
    struct frs_rng *rng, float *network);

/* Scores of rows `items` of a table [* × dim]. */
void frs_perceptron_score(const struct frs_perceptron_shape *shape, const float *network, const float *p,
    const float *table, const uint32_t *items, size_t n, float *scores);

struct frs_perceptron {
    struct frs_perceptron_shape shape;
    size_t n_rows;
    float *rows;    /* [n_rows × pitch] as in bce_mf.h, trained in place */
    float *p;       /* [dim], trained in place */
    float *network; /* trained in place */
    float network_rate;
    /* CoLR: q_i = f_i + P a_i with a_i trained, P frozen, and the rows as they arrive for f. NULL, 0: the
     * rows themselves are trained. */
    float *factors;       /* a [n_rows × rank], zeros up to whole lanes, trained in place */
    const float *project; /* P [dim × rank] */
    size_t rank;
    /* SGD, not together with factors: in every batch each row, in the batch or not, moves by the share
     * `pull` of its way from its place before the batch to this target [n_rows × pitch]. NULL: no pull. */
    const float *target;
    float pull;
    /* Targets of samples without a label, in place of 0, by row [n_rows], within 0 … 1. NULL: all are 0. */
    const float *soft;
};

/* As frs_bce_mf_train, but gradient_scale is that of the factors, if any, and weight decay acts on p, the
 * network, and the rows in the batch, or their factors (on the rows nevertheless under whole_decay,
 * through P). The network steps like p: under row_mean and batch_mean by the gradient of the batch mean. */
struct frs_bce_mf_result frs_perceptron_train(struct frs_perceptron *model, struct frs_samples *samples,
    const struct frs_bce_mf_settings *settings, struct frs_rng *shuffle, struct frs_arena *arena);

#endif
