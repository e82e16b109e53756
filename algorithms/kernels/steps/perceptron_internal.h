/* What the parts of a perceptron share, its layers (perceptron_layers.c): where each lies in the network,
 * and one pass of a block of items through it, forwards and back. A block is up to FRS_LAYER_BLOCK items
 * side by side: each x[i] and y[o] has room for as many values. Between the n items and the end of a whole
 * block, anything may be read and written, so deltas there have to be zeros and x finite. */
#ifndef FRS_ALGORITHMS_PERCEPTRON_INTERNAL_H
#define FRS_ALGORITHMS_PERCEPTRON_INTERNAL_H

#include "algorithms/kernels/columns.h"
#include "algorithms/kernels/steps/perceptron.h"

#define FRS_LAYER_BLOCK 64u

/* One layer as the passes over items see it: without the columns of p. */
struct frs_perceptron_layer {
    size_t inputs, outputs;
    size_t pitch; /* from one output's weights to the next */
    size_t at;    /* of the first weight in the network */
    size_t biases_at;
};

struct frs_perceptron_layer frs_perceptron_layer(const struct frs_perceptron_shape *shape, size_t index);

/* x[k][j] = table[items[j] · pitch + k] for k < dim. */
void frs_layer_gather(
    const float *table, size_t pitch, size_t dim, const uint32_t *items, size_t n, float *x);

/* table[items[j] · pitch + k] = x[k][j] for all k < pitch, whole lanes. */
void frs_layer_scatter(const float *x, size_t pitch, const uint32_t *items, size_t n, float *table);

/* y[o] = start[o] + Σ_i W[o][i] x[i]. */
void frs_layer_run(const float *weights, size_t pitch, size_t inputs, size_t outputs, const float *start,
    const float *x, size_t n, float *y, bool relu);

/* dx[i] = Σ_o W[o][i] delta[o], where x[i] > 0 or x is NULL. */
void frs_layer_back(const float *weights, size_t pitch, size_t inputs, size_t outputs, const float *delta,
    const float *x, size_t n, float *dx);

/* Room for the partial sums of n numbers, each as many as a register has lanes, and for the values that a
 * register reads beyond them. */
#define FRS_LAYER_SUMS(n) (((n) + FRS_LANES) * FRS_LANES)

/* sums[o][i] += delta[o]·x[i] over the block, and bias_sums[o] += delta[o], in partial sums. */
void frs_layer_gradient(const float *delta, const float *x, size_t n, size_t inputs, size_t outputs,
    float *sums, float *bias_sums);

/* out[o · pitch + i] = scale · the sum of partial sums [o][i], which are cleared. */
void frs_layer_collect(float *sums, size_t inputs, size_t outputs, size_t pitch, float scale, float *out);

/* What p contributes to the first layer: its biases plus W p. */
void frs_layer_start(
    const struct frs_perceptron_shape *shape, const float *network, const float *p, float *start);

#endif
