/* A perceptron's layers: one pass of a block of items through one of them, forwards and back. */
#include "algorithms/kernels/steps/perceptron_internal.h"
#include "algorithms/kernels/lanes.h"

#include <string.h>

#define BLOCK FRS_LAYER_BLOCK
#define REGISTERS 4u                 /* of items that a tile goes through */
#define TILE (REGISTERS * FRS_WIDTH) /* items */

FRS_KERNEL(struct frs_perceptron_layer, frs_perceptron_layer,
    (const struct frs_perceptron_shape *shape, size_t index)) {
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

/* ---- rows and blocks ------------------------------------------------------------------------- */

FRS_KERNEL(void, frs_layer_gather,
    (const float *table, size_t pitch, size_t dim, const uint32_t *items, size_t n, float *x)) {
    size_t whole = dim / FRS_WIDTH * FRS_WIDTH;
    for (size_t j = 0; j < n; j += FRS_WIDTH) {
        const float *from[FRS_WIDTH];
        for (size_t i = 0; i < FRS_WIDTH; i++)
            from[i] = table + items[j + i < n ? j + i : n - 1] * pitch;
        for (size_t k = 0; k < whole; k += FRS_WIDTH) {
            frs_lanes rows[FRS_WIDTH];
            for (size_t i = 0; i < FRS_WIDTH; i++)
                rows[i] = frs_lanes_loose(from[i] + k);
            frs_lanes_transpose(rows);
            for (size_t i = 0; i < FRS_WIDTH; i++)
                *frs_lanes_at(x + (k + i) * BLOCK + j) = rows[i];
        }
        for (size_t k = whole; k < dim; k++)
            for (size_t i = 0; i < FRS_WIDTH; i++)
                x[k * BLOCK + j + i] = from[i][k];
    }
}

FRS_KERNEL(
    void, frs_layer_scatter, (const float *x, size_t pitch, const uint32_t *items, size_t n, float *table)) {
    for (size_t j = 0; j < n; j += FRS_WIDTH)
        for (size_t k = 0; k < pitch; k += FRS_WIDTH) {
            size_t members = n - j < FRS_WIDTH ? n - j : FRS_WIDTH;
            frs_lanes rows[FRS_WIDTH];
            for (size_t i = 0; i < FRS_WIDTH; i++)
                rows[i] = *frs_lanes_of(x + (k + i) * BLOCK + j);
            frs_lanes_transpose(rows);
            for (size_t i = 0; i < members; i++)
                *frs_lanes_at(table + items[j + i] * pitch + k) = rows[i];
        }
}

/* ---- passes ---------------------------------------------------------------------------------- */

/* out[t] = start[t] + Σ_n weights[t · across + n · along] in[n], for `tile` rows t of TILE items. What
 * these rows read is loaded once for all of them. */
FRS_INLINE void multiply_tile(const float *weights, size_t across, size_t along, size_t n, const float *in,
    const float *start, float *out, const size_t tile) {
    frs_lanes sum[2][REGISTERS];
    for (size_t t = 0; t < tile; t++)
        for (size_t j = 0; j < REGISTERS; j++)
            sum[t][j] = (start ? start[t] : 0) + (frs_lanes){0};
    for (size_t k = 0; k < n; k++) {
        const frs_lanes *x = frs_lanes_of(in + k * BLOCK);
        for (size_t t = 0; t < tile; t++)
            for (size_t j = 0; j < REGISTERS; j++)
                sum[t][j] += weights[t * across + k * along] * x[j];
    }
    for (size_t t = 0; t < tile; t++)
        for (size_t j = 0; j < REGISTERS; j++)
            frs_lanes_at(out + t * BLOCK)[j] = sum[t][j];
}

FRS_KERNEL(void, frs_layer_run,
    (const float *weights, size_t pitch, size_t inputs, size_t outputs, const float *start, const float *x,
        size_t n, float *y, bool relu)) {
    for (size_t j = 0; j < n; j += TILE) {
        size_t o = 0;
        for (; o + 2 <= outputs; o += 2)
            multiply_tile(weights + o * pitch, pitch, 1, inputs, x + j, start + o, y + o * BLOCK + j, 2);
        if (o < outputs)
            multiply_tile(weights + o * pitch, pitch, 1, inputs, x + j, start + o, y + o * BLOCK + j, 1);
        for (o = 0; relu && o < outputs; o++)
            for (size_t i = o * BLOCK + j; i < o * BLOCK + j + TILE; i++)
                y[i] = !(y[i] > 0) ? y[i] * 0 : y[i]; /* NaN stays NaN */
    }
}

FRS_KERNEL(void, frs_layer_back,
    (const float *weights, size_t pitch, size_t inputs, size_t outputs, const float *delta, const float *x,
        size_t n, float *dx)) {
    for (size_t j = 0; j < n; j += TILE) {
        size_t i = 0;
        for (; i + 2 <= inputs; i += 2)
            multiply_tile(weights + i, 1, pitch, outputs, delta + j, NULL, dx + i * BLOCK + j, 2);
        if (i < inputs)
            multiply_tile(weights + i, 1, pitch, outputs, delta + j, NULL, dx + i * BLOCK + j, 1);
        for (i = 0; x && i < inputs; i++)
            for (size_t at = i * BLOCK + j; at < i * BLOCK + j + TILE; at++)
                dx[at] = x[at] > 0 ? dx[at] : 0;
    }
}

/* ---- gradients ------------------------------------------------------------------------------- */

/* sums[o][i][·] += delta[o]·x[i] over the block, for `rows` × `columns` of them. */
FRS_INLINE void add_tile(const float *delta, const float *x, size_t n, size_t inputs, float *sums,
    const size_t rows, const size_t columns) {
    frs_lanes sum[2][4];
    for (size_t o = 0; o < rows; o++)
        for (size_t i = 0; i < columns; i++)
            sum[o][i] = frs_lanes_of(sums)[o * inputs + i];
    for (size_t j = 0; j < n; j += FRS_WIDTH)
        for (size_t o = 0; o < rows; o++)
            for (size_t i = 0; i < columns; i++)
                sum[o][i] += *frs_lanes_of(delta + o * BLOCK + j) * *frs_lanes_of(x + i * BLOCK + j);
    for (size_t o = 0; o < rows; o++)
        for (size_t i = 0; i < columns; i++)
            frs_lanes_at(sums)[o * inputs + i] = sum[o][i];
}

FRS_INLINE void add_rows(
    const float *delta, const float *x, size_t n, size_t inputs, float *sums, const size_t rows) {
    size_t i = 0;
    for (; i + 4 <= inputs; i += 4)
        add_tile(delta, x + i * BLOCK, n, inputs, sums + i * FRS_WIDTH, rows, 4);
    for (; i < inputs; i++)
        add_tile(delta, x + i * BLOCK, n, inputs, sums + i * FRS_WIDTH, rows, 1);
}

FRS_KERNEL(void, frs_layer_gradient,
    (const float *delta, const float *x, size_t n, size_t inputs, size_t outputs, float *sums,
        float *bias_sums)) {
    size_t o = 0;
    for (; o + 2 <= outputs; o += 2)
        add_rows(delta + o * BLOCK, x, n, inputs, sums + o * inputs * FRS_WIDTH, 2);
    if (o < outputs)
        add_rows(delta + o * BLOCK, x, n, inputs, sums + o * inputs * FRS_WIDTH, 1);
    for (o = 0; o < outputs; o++)
        for (size_t j = 0; j < n; j += FRS_WIDTH)
            frs_lanes_at(bias_sums)[o] += *frs_lanes_of(delta + o * BLOCK + j);
}

FRS_KERNEL(void, frs_layer_collect,
    (float *sums, size_t inputs, size_t outputs, size_t pitch, float scale, float *out)) {
    for (size_t o = 0; o < outputs; o++)
        for (size_t i = 0; i < inputs; i += FRS_WIDTH) {
            frs_lanes rows[FRS_WIDTH];
            for (size_t j = 0; j < FRS_WIDTH; j++)
                rows[j] = frs_lanes_of(sums)[o * inputs + i + j];
            frs_lanes values = scale * frs_lanes_sums(rows);
            memcpy(out + o * pitch + i, &values,
                (inputs - i < FRS_WIDTH ? inputs - i : FRS_WIDTH) * sizeof *out);
        }
    memset(sums, 0, outputs * inputs * sizeof(frs_lanes));
}

FRS_KERNEL(void, frs_layer_start,
    (const struct frs_perceptron_shape *shape, const float *network, const float *p, float *start)) {
    struct frs_perceptron_layer first = frs_perceptron_layer(shape, 0);
    size_t whole = shape->dim / FRS_WIDTH * FRS_WIDTH;
    for (size_t o = 0; o < first.outputs; o++) {
        const float *weights = network + o * first.pitch;
        frs_lanes sum = {0};
        for (size_t k = 0; k < whole; k += FRS_WIDTH)
            sum += frs_lanes_loose(weights + k) * frs_lanes_loose(p + k);
        start[o] = network[first.biases_at + o] + frs_lanes_sum(sum);
        for (size_t k = whole; k < shape->dim; k++)
            start[o] += weights[k] * p[k];
    }
}
