#include "algorithms/kernels/steps/neural_cf.h"
#include "algorithms/kernels/logistic.h"
#include "algorithms/kernels/steps/perceptron_internal.h"
#include "sim/base/memory.h"

#include <stdlib.h>

#define BLOCK FRS_LAYER_BLOCK

/* Of one block, sample j at [k · BLOCK + j]. */
struct frs_neural_cf_memory {
    float *rows;                               /* [4·dim] p, p', q', q; the middle is a_0 */
    float *product;                            /* [dim] p ∘ q */
    float *activations[FRS_PERCEPTRON_LAYERS]; /* a_1 … */
    float *slopes[2];                          /* of the output of a layer, and of its input */
    float *row_slopes;                         /* [4·dim] as rows */
    float *sums[FRS_PERCEPTRON_LAYERS], *bias_sums[FRS_PERCEPTRON_LAYERS];
    float *product_sums, *unused_sums;
    float *labels, *ones;
    uint32_t users[BLOCK], items[BLOCK];
};

/* Unlike perceptron_internal.h's, the first layer has all its columns: every sample has a user of its own. */
static struct frs_perceptron_layer layer_of(const struct frs_perceptron_shape *shape, size_t index) {
    struct frs_perceptron_layer layer = frs_perceptron_layer(shape, index);
    layer.at -= layer.pitch - layer.inputs;
    layer.inputs = layer.pitch;
    return layer;
}

size_t frs_neural_cf_parameters(const struct frs_perceptron_shape *shape) {
    return frs_perceptron_parameters(shape) + shape->dim;
}

static float *take(size_t n) {
    return frs_alloc_aligned(n, sizeof(float));
}

struct frs_neural_cf_memory *frs_neural_cf_memory_create(const struct frs_perceptron_shape *shape) {
    struct frs_neural_cf_memory *memory = frs_alloc(1, sizeof *memory);
    size_t widest = 2 * shape->dim;
    for (size_t l = 0; l < shape->n_layers; l++) {
        struct frs_perceptron_layer layer = layer_of(shape, l);
        memory->activations[l] = take(layer.outputs * BLOCK);
        memory->sums[l] = take(FRS_LAYER_SUMS(layer.inputs * layer.outputs));
        memory->bias_sums[l] = take(FRS_LAYER_SUMS(layer.outputs));
        widest = layer.outputs > widest ? layer.outputs : widest;
    }
    memory->rows = take(4 * shape->dim * BLOCK);
    memory->row_slopes = take(4 * shape->dim * BLOCK);
    memory->product = take(shape->dim * BLOCK);
    memory->slopes[0] = take(widest * BLOCK);
    memory->slopes[1] = take(widest * BLOCK);
    memory->product_sums = take(FRS_LAYER_SUMS(shape->dim));
    memory->unused_sums = take(FRS_LAYER_SUMS(1));
    memory->labels = take(BLOCK);
    memory->ones = take(BLOCK);
    for (size_t j = 0; j < BLOCK; j++)
        memory->ones[j] = 1;
    return memory;
}

void frs_neural_cf_memory_destroy(struct frs_neural_cf_memory *memory) {
    for (size_t l = 0; l < FRS_PERCEPTRON_LAYERS; l++) {
        free(memory->activations[l]);
        free(memory->sums[l]);
        free(memory->bias_sums[l]);
    }
    free(memory->rows);
    free(memory->row_slopes);
    free(memory->product);
    free(memory->slopes[0]);
    free(memory->slopes[1]);
    free(memory->product_sums);
    free(memory->unused_sums);
    free(memory->labels);
    free(memory->ones);
    free(memory);
}

FRS_CLONES static void multiply_rows(const float *restrict p, const float *restrict q, size_t dim,
    const float *restrict h, float *restrict product, float *restrict scores) {
    for (size_t k = 0; k < dim; k++)
        for (size_t j = 0; j < BLOCK; j++) {
            product[k * BLOCK + j] = p[k * BLOCK + j] * q[k * BLOCK + j];
            scores[j] += h[k] * product[k * BLOCK + j];
        }
}

/* Gathers n samples of `memory`, and returns their scores, [BLOCK]. */
static float *run(const struct frs_neural_cf *model, struct frs_neural_cf_memory *memory, size_t n) {
    const struct frs_perceptron_shape *shape = &model->shape;
    size_t dim = shape->dim;
    float *q = memory->rows + 2 * dim * BLOCK, *from = memory->rows + dim * BLOCK;
    frs_layer_gather(model->users, 2 * dim, 2 * dim, memory->users, n, memory->rows);
    frs_layer_gather(model->items, 2 * dim, 2 * dim, memory->items, n, q);
    for (size_t l = 0; l < shape->n_layers; l++) {
        struct frs_perceptron_layer layer = layer_of(shape, l);
        frs_layer_run(model->network + layer.at, layer.pitch, layer.inputs, layer.outputs,
            model->network + layer.biases_at, from, n, memory->activations[l], l + 1 < shape->n_layers);
        from = memory->activations[l];
    }
    multiply_rows(memory->rows, q + dim * BLOCK, dim, model->network + frs_perceptron_parameters(shape),
        memory->product, from);
    return from;
}

FRS_CLONES static void find_errors(
    float *restrict scores, const float *restrict ones, const float *restrict labels, size_t n, float scale) {
    float errors[BLOCK];
    frs_bce_coefficients(scores, ones, labels, BLOCK, errors);
    for (size_t j = 0; j < BLOCK; j++)
        scores[j] = j < n ? scale * errors[j] : 0;
}

FRS_CLONES static void product_slopes(const float *restrict errors, const float *restrict h, size_t dim,
    const float *restrict p, const float *restrict q, float *restrict dp, float *restrict dq) {
    for (size_t k = 0; k < dim; k++)
        for (size_t j = 0; j < BLOCK; j++) {
            dp[k * BLOCK + j] = errors[j] * h[k] * q[k * BLOCK + j];
            dq[k * BLOCK + j] = errors[j] * h[k] * p[k * BLOCK + j];
        }
}

/* Slopes of all rows of a block, from the errors of its samples; sums of those of the network. */
static void run_back(
    const struct frs_neural_cf *model, struct frs_neural_cf_memory *memory, const float *errors, size_t n) {
    const struct frs_perceptron_shape *shape = &model->shape;
    size_t dim = shape->dim;
    const float *inputs = memory->rows + dim * BLOCK, *delta = errors;
    for (size_t l = shape->n_layers; l-- > 0;) {
        struct frs_perceptron_layer layer = layer_of(shape, l);
        const float *x = l > 0 ? memory->activations[l - 1] : inputs;
        float *dx = l > 0 ? memory->slopes[l % 2] : memory->row_slopes + dim * BLOCK;
        frs_layer_gradient(delta, x, n, layer.inputs, layer.outputs, memory->sums[l], memory->bias_sums[l]);
        frs_layer_back(model->network + layer.at, layer.pitch, layer.inputs, layer.outputs, delta,
            l > 0 ? x : NULL, n, dx);
        delta = dx;
    }
    frs_layer_gradient(errors, memory->product, n, dim, 1, memory->product_sums, memory->unused_sums);
    product_slopes(errors, model->network + frs_perceptron_parameters(shape), dim, memory->rows,
        memory->rows + 3 * dim * BLOCK, memory->row_slopes, memory->row_slopes + 3 * dim * BLOCK);
}

static void add_slopes(const float *slopes, size_t width, const uint32_t *ids, size_t n, float *gradients) {
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < width; k++)
            gradients[ids[j] * width + k] += slopes[k * BLOCK + j];
}

static void collect(
    const struct frs_perceptron_shape *shape, struct frs_neural_cf_memory *memory, float *gradients) {
    for (size_t l = 0; l < shape->n_layers; l++) {
        struct frs_perceptron_layer layer = layer_of(shape, l);
        frs_layer_collect(memory->sums[l], layer.inputs, layer.outputs, layer.pitch, 1, gradients + layer.at);
        frs_layer_collect(
            memory->bias_sums[l], layer.outputs, 1, layer.outputs, 1, gradients + layer.biases_at);
    }
    frs_layer_collect(
        memory->product_sums, shape->dim, 1, shape->dim, 1, gradients + frs_perceptron_parameters(shape));
}

void frs_neural_cf_gradients(const struct frs_neural_cf *model, const struct frs_neural_cf_batch *batch,
    struct frs_neural_cf_memory *memory, const struct frs_neural_cf *gradients) {
    size_t width = 2 * model->shape.dim;
    for (size_t at = 0; at < batch->n; at += BLOCK) {
        size_t n = batch->n - at < BLOCK ? batch->n - at : BLOCK;
        for (size_t j = 0; j < n; j++) {
            memory->users[j] = batch->users[at + j];
            memory->items[j] = batch->items[at + j] >> 1;
            memory->labels[j] = (float)(batch->items[at + j] & 1);
        }
        float *errors = run(model, memory, n);
        find_errors(errors, memory->ones, memory->labels, n, 1 / (float)batch->n);
        run_back(model, memory, errors, n);
        add_slopes(memory->row_slopes, width, memory->users, n, gradients->users);
        add_slopes(memory->row_slopes + width * BLOCK, width, memory->items, n, gradients->items);
    }
    collect(&model->shape, memory, gradients->network);
}

void frs_neural_cf_score(
    const struct frs_neural_cf *model, uint32_t user, const uint32_t *items, size_t n, float *scores) {
    struct frs_neural_cf_memory *memory = frs_neural_cf_memory_create(&model->shape);
    for (size_t at = 0; at < n; at += BLOCK) {
        size_t block = n - at < BLOCK ? n - at : BLOCK;
        for (size_t j = 0; j < block; j++) {
            memory->users[j] = user;
            memory->items[j] = items[at + j];
        }
        const float *found = run(model, memory, block);
        for (size_t j = 0; j < block; j++)
            scores[at + j] = found[j];
    }
    frs_neural_cf_memory_destroy(memory);
}
