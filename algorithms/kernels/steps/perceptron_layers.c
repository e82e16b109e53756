/* A perceptron's layers: one pass of a block of items through one of them, forwards and back. */
#include "algorithms/kernels/steps/perceptron_internal.h"
#include "algorithms/kernels/lanes.h"
#include "sim/base/numbers/clones.h"

#include <string.h>

#define LANES FRS_LANES
#define BLOCK FRS_LAYER_BLOCK

struct frs_perceptron_layer frs_perceptron_layer(const struct frs_perceptron_shape *shape, size_t index) {
    size_t at = 0, inputs = 2 * shape->dim;
    for (size_t l = 0; l < index; l++) {
        at += (inputs + 1) * shape->widths[l];
        inputs = shape->widths[l];
    }
    size_t own = index == 0 ? shape->dim : 0;
    return (struct frs_perceptron_layer){.inputs = inputs - own,
        .outputs = shape->widths[index],
        .pitch = inputs,
        .at = at + own,
        .biases_at = at + inputs * shape->widths[index]};
}

#define LANES_OF_BLOCK (BLOCK / LANES)

/* out[t] = start[t] + Σ_n weights[t · across + n · along] in[n], for `tile` rows t of BLOCK values: what they
 * read is loaded once for all of them. */
FRS_INLINE void multiply_tile(const float *weights, size_t across, size_t along, size_t n, const float *in,
    const float *start, float *out, const size_t tile) {
    frs_lanes sum[2][LANES_OF_BLOCK];
    for (size_t t = 0; t < tile; t++)
        for (size_t j = 0; j < LANES_OF_BLOCK; j++)
            sum[t][j] = (start ? start[t] : 0) + (frs_lanes){0};
    for (size_t k = 0; k < n; k++) {
        const frs_lanes *x = frs_lanes_of(in + k * BLOCK);
        for (size_t t = 0; t < tile; t++)
            for (size_t j = 0; j < LANES_OF_BLOCK; j++)
                sum[t][j] += weights[t * across + k * along] * x[j];
    }
    memcpy(out, sum, tile * sizeof *sum);
}

FRS_CLONES void frs_layer_run(const float *weights, size_t pitch, size_t inputs, size_t outputs,
    const float *start, const float *x, float *y, bool relu) {
    size_t o = 0;
    for (; o + 2 <= outputs; o += 2)
        multiply_tile(weights + o * pitch, pitch, 1, inputs, x, start + o, y + o * BLOCK, 2);
    if (o < outputs)
        multiply_tile(weights + o * pitch, pitch, 1, inputs, x, start + o, y + o * BLOCK, 1);
    for (size_t j = 0; relu && j < outputs * BLOCK; j++)
        y[j] = !(y[j] > 0) ? y[j] * 0 : y[j]; /* NaN stays NaN */
}

FRS_CLONES void frs_layer_back(const float *weights, size_t pitch, size_t inputs, size_t outputs,
    const float *delta, const float *x, float *dx) {
    size_t i = 0;
    for (; i + 2 <= inputs; i += 2)
        multiply_tile(weights + i, 1, pitch, outputs, delta, NULL, dx + i * BLOCK, 2);
    if (i < inputs)
        multiply_tile(weights + i, 1, pitch, outputs, delta, NULL, dx + i * BLOCK, 1);
    for (size_t j = 0; x && j < inputs * BLOCK; j++)
        dx[j] = x[j] > 0 ? dx[j] : 0;
}

/* sums[o][i][·] += delta[o]·x[i] over the block, for `rows` × `columns` of them. */
FRS_INLINE void add_tile(
    const float *delta, const float *x, size_t inputs, float *sums, const size_t rows, const size_t columns) {
    frs_lanes sum[2][4];
    for (size_t o = 0; o < rows; o++)
        for (size_t i = 0; i < columns; i++)
            sum[o][i] = *frs_lanes_of(sums + (o * inputs + i) * LANES);
    for (size_t j = 0; j < BLOCK; j += LANES)
        for (size_t o = 0; o < rows; o++)
            for (size_t i = 0; i < columns; i++)
                sum[o][i] += *frs_lanes_of(delta + o * BLOCK + j) * *frs_lanes_of(x + i * BLOCK + j);
    for (size_t o = 0; o < rows; o++)
        for (size_t i = 0; i < columns; i++)
            *frs_lanes_at(sums + (o * inputs + i) * LANES) = sum[o][i];
}

FRS_INLINE void add_rows(const float *delta, const float *x, size_t inputs, float *sums, const size_t rows) {
    size_t i = 0;
    for (; i + 4 <= inputs; i += 4)
        add_tile(delta, x + i * BLOCK, inputs, sums + i * LANES, rows, 4);
    for (; i < inputs; i++)
        add_tile(delta, x + i * BLOCK, inputs, sums + i * LANES, rows, 1);
}

FRS_CLONES void frs_layer_gradient(
    const float *delta, const float *x, size_t inputs, size_t outputs, float *sums, float *bias_sums) {
    size_t o = 0;
    for (; o + 2 <= outputs; o += 2)
        add_rows(delta + o * BLOCK, x, inputs, sums + o * inputs * LANES, 2);
    if (o < outputs)
        add_rows(delta + o * BLOCK, x, inputs, sums + o * inputs * LANES, 1);
    for (o = 0; o < outputs; o++)
        for (size_t at = 0; at < BLOCK; at += LANES)
            for (size_t j = 0; j < LANES; j++)
                bias_sums[o * LANES + j] += delta[o * BLOCK + at + j];
}

void frs_layer_start(
    const struct frs_perceptron_shape *shape, const float *network, const float *p, float *start) {
    struct frs_perceptron_layer first = frs_perceptron_layer(shape, 0);
    for (size_t o = 0; o < first.outputs; o++) {
        start[o] = network[first.biases_at + o];
        for (size_t k = 0; k < shape->dim; k++)
            start[o] += network[o * first.pitch + k] * p[k];
    }
}
