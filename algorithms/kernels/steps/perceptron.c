#include "algorithms/kernels/steps/perceptron.h"
#include "algorithms/kernels/adam.h"
#include "algorithms/kernels/columns.h"
#include "sim/base/numbers/clones.h"
#include "algorithms/kernels/compare.h"
#include "algorithms/kernels/flush.h"
#include "algorithms/kernels/lanes.h"
#include "algorithms/kernels/logistic.h"
#include "algorithms/kernels/steps/perceptron_internal.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LANES FRS_LANES
#define BLOCK FRS_LAYER_BLOCK

size_t frs_perceptron_parameters(const struct frs_perceptron_shape *shape) {
    struct frs_perceptron_layer last = frs_perceptron_layer(shape, shape->n_layers - 1);
    return last.biases_at + last.outputs;
}

void frs_perceptron_init(const struct frs_perceptron_shape *shape, enum frs_perceptron_start start,
    struct frs_rng *rng, float *network) {
    bool xavier = start == FRS_START_XAVIER;
    for (size_t l = 0, at = 0; l < shape->n_layers; l++) {
        struct frs_perceptron_layer layer = frs_perceptron_layer(shape, l);
        double inputs = (double)layer.pitch,
               width = xavier ? sqrt(6 / (inputs + (double)layer.outputs)) : 1 / sqrt(inputs);
        for (size_t end = layer.biases_at + layer.outputs; at < end; at++)
            network[at] = xavier && at >= layer.biases_at ? 0 : (float)(width * (2 * frs_rng_unit(rng) - 1));
    }
}

/* The block's item vectors are read where they are: one column of them at a time. */
static void score_block(const struct frs_perceptron_shape *shape, const float *network, const float *start,
    float *const a[2], const float *table, const uint32_t *items, size_t n, float *scores) {
    struct frs_perceptron_layer layer = frs_perceptron_layer(shape, 0);
    for (size_t o = 0; o < layer.outputs; o++)
        for (size_t j = 0; j < BLOCK; j++)
            a[0][o * BLOCK + j] = start[o];
    for (size_t k = 0; k < layer.inputs; k++) {
        float x[BLOCK] = {0};
        for (size_t j = 0; j < n; j++)
            x[j] = table[items[j] * shape->dim + k];
        for (size_t o = 0; o < layer.outputs; o++)
            for (size_t j = 0; j < BLOCK; j++)
                a[0][o * BLOCK + j] += network[layer.at + o * layer.pitch + k] * x[j];
    }
    for (size_t i = 0; shape->n_layers > 1 && i < layer.outputs * BLOCK; i++)
        a[0][i] = a[0][i] > 0 ? a[0][i] : a[0][i] * 0;
    for (size_t l = 1; l < shape->n_layers; l++) {
        layer = frs_perceptron_layer(shape, l);
        frs_layer_run(network + layer.at, layer.pitch, layer.inputs, layer.outputs, network + layer.biases_at,
            a[(l + 1) % 2], a[l % 2], l + 1 < shape->n_layers);
    }
    memcpy(scores, a[(shape->n_layers + 1) % 2], n * sizeof *scores);
}

/* Activations lie on the heap: scores are asked for on small stacks. */
void frs_perceptron_score(const struct frs_perceptron_shape *shape, const float *network, const float *p,
    const float *table, const uint32_t *items, size_t n, float *scores) {
    size_t widest = 0;
    for (size_t l = 0; l < shape->n_layers; l++)
        widest = shape->widths[l] > widest ? shape->widths[l] : widest;
    float *memory = frs_alloc_aligned(widest * (1 + 2 * BLOCK), sizeof *memory);
    float *const a[2] = {memory, memory + widest * BLOCK}, *start = memory + 2 * widest * BLOCK;
    frs_layer_start(shape, network, p, start);
    for (size_t at = 0; at < n; at += BLOCK)
        score_block(
            shape, network, start, a, table, items + at, n - at < BLOCK ? n - at : BLOCK, scores + at);
    free(memory);
}

/* --- training --- */

/* What is trained of the rows: they themselves, or their factors. */
struct trained {
    float *values, *gradient; /* [dim × stride]; the gradient is zero outside the batch */
    size_t dim;
};

struct scratch {
    float *count, *positive;                       /* [stride] of the batch */
    uint32_t *members;                             /* its distinct rows */
    float *row_gradient;                           /* [dim × stride]; zero outside the batch */
    float *decay;                                  /* [stride] */
    float *start;                                  /* of the first layer */
    float *activations[FRS_PERCEPTRON_LAYERS + 1]; /* inputs of layer l, and the scores [· × BLOCK] */
    float *deltas[FRS_PERCEPTRON_LAYERS + 1];      /* ∂loss/∂ the same */
    float *weight_sums[FRS_PERCEPTRON_LAYERS];     /* partial sums [outputs × inputs × LANES] */
    float *bias_sums[FRS_PERCEPTRON_LAYERS];       /* [outputs × LANES] */
    float *gradient, *user_gradient;               /* of the network, padded to LANES, and of p */
    float *m, *v, *network_m, *network_v, *user_m, *user_v; /* Adam */
    float *padded;                                          /* the network during training */
    unsigned char *seen;
    size_t n_seen, n_parameters, n_padded;
    struct trained trained;
    float *frozen; /* where there are factors: the rows as they came */
};

static float *zeros(struct frs_arena *arena, size_t n) {
    return frs_arena_take_zeroed(arena, n, sizeof(float));
}

static void take_layers(const struct frs_perceptron *model, struct scratch *s, struct frs_arena *arena) {
    for (size_t l = 0; l < model->shape.n_layers; l++) {
        struct frs_perceptron_layer layer = frs_perceptron_layer(&model->shape, l);
        s->activations[l] = zeros(arena, layer.inputs * BLOCK);
        s->deltas[l] = zeros(arena, layer.inputs * BLOCK);
        s->weight_sums[l] = zeros(arena, layer.outputs * layer.inputs * LANES);
        s->bias_sums[l] = zeros(arena, layer.outputs * LANES);
    }
    s->activations[model->shape.n_layers] = zeros(arena, BLOCK);
    s->deltas[model->shape.n_layers] = zeros(arena, BLOCK);
}

static struct scratch take_scratch(const struct frs_perceptron *model, bool adam, struct frs_arena *arena) {
    size_t dim = model->shape.dim, rank = model->rank, table = dim * model->stride;
    struct scratch s = {.n_parameters = frs_perceptron_parameters(&model->shape)};
    s.n_padded = frs_lanes_pad(s.n_parameters);
    s.count = zeros(arena, model->stride);
    s.positive = zeros(arena, model->stride);
    s.members = frs_arena_take(arena, model->n_rows, sizeof *s.members);
    s.row_gradient = zeros(arena, table);
    s.trained = (struct trained){model->rows, s.row_gradient, dim};
    if (model->factors) {
        s.frozen = frs_arena_take(arena, table, sizeof *s.frozen);
        memcpy(s.frozen, model->rows, table * sizeof *s.frozen);
        s.trained = (struct trained){model->factors, zeros(arena, rank * model->stride), rank};
    }
    s.decay = zeros(arena, model->stride);
    s.start = zeros(arena, model->shape.widths[0]);
    s.gradient = zeros(arena, s.n_padded);
    s.user_gradient = zeros(arena, frs_lanes_pad(dim));
    s.padded = zeros(arena, s.n_padded);
    s.seen = frs_arena_take_zeroed(arena, model->stride, 1);
    take_layers(model, &s, arena);
    if (adam) {
        s.m = zeros(arena, s.trained.dim * model->stride);
        s.v = zeros(arena, s.trained.dim * model->stride);
        s.network_m = zeros(arena, s.n_padded);
        s.network_v = zeros(arena, s.n_padded);
        s.user_m = zeros(arena, dim);
        s.user_v = zeros(arena, dim);
    }
    return s;
}

/* Fills count, positive and members; returns how many members. */
static size_t count_batch(const uint32_t *samples, size_t n, size_t stride, struct scratch *s) {
    size_t members = 0;
    memset(s->count, 0, stride * sizeof(float));
    memset(s->positive, 0, stride * sizeof(float));
    for (size_t i = 0; i < n; i++) {
        uint32_t row = samples[i] >> 1;
        if (s->count[row] == 0)
            s->members[members++] = row;
        s->count[row] += 1;
        s->positive[row] += (float)(samples[i] & 1);
        s->n_seen += !s->seen[row];
        s->seen[row] = 1;
    }
    return members;
}

/* x[k][j] = columns[k][members[j]], zeros from n on; and back. */
FRS_CLONES static void gather_block(
    const float *columns, size_t dim, size_t stride, const uint32_t *members, size_t n, float *x) {
    for (size_t k = 0; k < dim; k++) {
        for (size_t j = 0; j < n; j++)
            x[k * BLOCK + j] = columns[k * stride + members[j]];
        for (size_t j = n; j < BLOCK; j++)
            x[k * BLOCK + j] = 0;
    }
}

FRS_CLONES static void scatter_block(
    const float *x, size_t dim, size_t stride, const uint32_t *members, size_t n, float *restrict columns) {
    for (size_t k = 0; k < dim; k++)
        for (size_t j = 0; j < n; j++)
            columns[k * stride + members[j]] = x[k * BLOCK + j];
}

static float sum_lanes(float *sums) {
    for (size_t half = LANES / 2; half >= 1; half /= 2)
        for (size_t j = 0; j < half; j++)
            sums[j] += sums[j + half];
    return sums[0];
}

/* ∂loss/∂score of a block, and its summed loss; places that no sample counts for give nothing. */
FRS_CLONES static double find_deltas(
    const float *score, const float *count, const float *positive, float *delta) {
    float loss[LANES] = {0};
    frs_bce_coefficients(score, count, positive, BLOCK, delta);
    for (size_t at = 0; at < BLOCK; at += LANES)
        for (size_t j = 0; j < LANES; j++)
            loss[j] += frs_bce_loss(score[at + j], count[at + j], positive[at + j]);
    return (double)sum_lanes(loss);
}

static double forward(
    const struct frs_perceptron *model, const uint32_t *members, size_t n, struct scratch *s) {
    size_t n_layers = model->shape.n_layers;
    gather_block(model->rows, model->shape.dim, model->stride, members, n, s->activations[0]);
    for (size_t l = 0; l < n_layers; l++) {
        struct frs_perceptron_layer layer = frs_perceptron_layer(&model->shape, l);
        frs_layer_run(s->padded + layer.at, layer.pitch, layer.inputs, layer.outputs,
            l == 0 ? s->start : s->padded + layer.biases_at, s->activations[l], s->activations[l + 1],
            l + 1 < n_layers);
    }
    float count[BLOCK] = {0}, positive[BLOCK] = {0};
    for (size_t j = 0; j < n; j++) {
        count[j] = s->count[members[j]];
        positive[j] = s->positive[members[j]];
    }
    return find_deltas(s->activations[n_layers], count, positive, s->deltas[n_layers]);
}

static void backward(
    const struct frs_perceptron *model, const uint32_t *members, size_t n, struct scratch *s) {
    for (size_t l = model->shape.n_layers; l-- > 0;) {
        struct frs_perceptron_layer layer = frs_perceptron_layer(&model->shape, l);
        const float *delta = s->deltas[l + 1];
        frs_layer_gradient(
            delta, s->activations[l], layer.inputs, layer.outputs, s->weight_sums[l], s->bias_sums[l]);
        frs_layer_back(s->padded + layer.at, layer.pitch, layer.inputs, layer.outputs, delta,
            l > 0 ? s->activations[l] : NULL, s->deltas[l]);
    }
    scatter_block(s->deltas[0], model->shape.dim, model->stride, members, n, s->row_gradient);
}

/* out[i] = scale · Σ of the i-th LANES partial sums, which are cleared. */
FRS_CLONES static void collect_sums(float *sums, size_t n, float scale, float *out) {
    for (size_t i = 0; i < n; i++) {
        float halves[LANES / 2];
        for (size_t j = 0; j < LANES / 2; j++)
            halves[j] = sums[i * LANES + j] + sums[i * LANES + j + LANES / 2];
        for (size_t j = 0; j < 4; j++)
            halves[j] += halves[j + 4];
        out[i] = scale * ((halves[0] + halves[2]) + (halves[1] + halves[3]));
    }
    memset(sums, 0, n * LANES * sizeof *sums);
}

/* The gradient of the batch's mean (or sum): partial sums are added up and cleared, and p's share of the
 * first layer follows from the sums of its deltas, which are its biases' gradient. */
static void collect(const struct frs_perceptron *model, float scale, struct scratch *s) {
    size_t dim = model->shape.dim;
    for (size_t l = 0; l < model->shape.n_layers; l++) {
        struct frs_perceptron_layer layer = frs_perceptron_layer(&model->shape, l);
        for (size_t o = 0; o < layer.outputs; o++)
            collect_sums(s->weight_sums[l] + o * layer.inputs * LANES, layer.inputs, scale,
                s->gradient + layer.at + o * layer.pitch);
        collect_sums(s->bias_sums[l], layer.outputs, scale, s->gradient + layer.biases_at);
    }
    struct frs_perceptron_layer first = frs_perceptron_layer(&model->shape, 0);
    memset(s->user_gradient, 0, dim * sizeof(float));
    for (size_t o = 0; o < first.outputs; o++)
        for (size_t k = 0; k < dim; k++) {
            float delta = s->gradient[first.biases_at + o];
            s->gradient[o * first.pitch + k] = delta * model->p[k];
            s->user_gradient[k] += delta * s->padded[o * first.pitch + k];
        }
}

/* gradient = scale · Pᵀ times the rows', in the rows of the batch. */
static void project_gradient(
    const struct frs_perceptron *model, float scale, size_t members, struct scratch *s) {
    memset(s->trained.gradient, 0, model->rank * model->stride * sizeof(float));
    for (size_t i = 0; i < members; i++)
        for (size_t j = 0; j < model->rank; j++) {
            uint32_t row = s->members[i];
            float sum = 0;
            for (size_t k = 0; k < model->shape.dim; k++)
                sum += model->project[k * model->rank + j] * s->row_gradient[k * model->stride + row];
            s->trained.gradient[j * model->stride + row] = scale * sum;
        }
}

/* row = frozen + P a */
static void move_row(struct frs_perceptron *model, size_t row, const struct scratch *s) {
    for (size_t k = 0; k < model->shape.dim; k++) {
        float sum = 0;
        for (size_t j = 0; j < model->rank; j++)
            sum += model->project[k * model->rank + j] * model->factors[j * model->stride + row];
        model->rows[k * model->stride + row] = s->frozen[k * model->stride + row] + sum;
    }
}

/* Adam moves all rows it has ever seen. */
static void move_rows(struct frs_perceptron *model, bool adam, size_t members, const struct scratch *s) {
    for (size_t row = 0; row < model->n_rows && adam; row++)
        if (s->seen[row])
            move_row(model, row, s);
    for (size_t i = 0; i < members && !adam; i++)
        move_row(model, s->members[i], s);
}

static void step_adam(struct frs_perceptron *model, const struct frs_bce_mf_settings *settings, size_t batch,
    unsigned t, struct scratch *s) {
    static const float one = 1;
    size_t dim = model->shape.dim;
    struct frs_adam_step item = frs_adam_step((double)settings->item_rate, t),
                         network = frs_adam_step((double)model->network_rate, t),
                         user = frs_adam_step((double)settings->user_rate, t);
    for (size_t k = 0; k < s->trained.dim; k++) {
        size_t at = k * model->stride;
        frs_adam_rows(&(struct frs_adam_rows){s->trained.values + at, s->m + at, s->v + at, 1, model->stride,
                          model->stride},
            s->trained.gradient + at, &one, 1 / (float)batch, settings->weight_decay > 0 ? s->decay : NULL,
            item);
    }
    for (size_t i = 0; i < s->n_parameters && settings->weight_decay > 0; i++)
        s->gradient[i] += settings->weight_decay * s->padded[i];
    frs_adam_rows(&(struct frs_adam_rows){s->padded, s->network_m, s->network_v, 1, s->n_padded, s->n_padded},
        s->gradient, &one, 1, NULL, network);
    for (size_t k = 0; k < dim; k++) {
        float g = s->user_gradient[k] + settings->weight_decay * model->p[k];
        s->user_m[k] = FRS_ADAM_BETA1 * s->user_m[k] + g;
        s->user_v[k] = FRS_ADAM_BETA2 * s->user_v[k] + g * g;
        model->p[k] -= user.rate * s->user_m[k] / (sqrtf(s->user_v[k]) + user.epsilon);
    }
}

FRS_CLONES static void pull_rows(float *rows, const float *target, size_t n, float pull) {
    for (size_t i = 0; i < n; i++)
        rows[i] += pull * (target[i] - rows[i]);
}

static void step_sgd(struct frs_perceptron *model, const struct frs_bce_mf_settings *settings, float scale,
    size_t members, struct scratch *s) {
    float decay = settings->weight_decay;
    if (model->target)
        pull_rows(model->rows, model->target, model->shape.dim * model->stride, model->pull);
    for (size_t j = 0; j < members; j++) {
        uint32_t row = s->members[j];
        float factor = settings->scaling == FRS_ROW_MEAN ? 1 / s->count[row] : scale;
        for (size_t k = 0; k < s->trained.dim; k++) {
            size_t at = k * model->stride + row;
            float *value = &s->trained.values[at];
            *value -= settings->item_rate * (factor * s->trained.gradient[at] + decay * *value);
        }
    }
    for (size_t i = 0; i < s->n_parameters; i++)
        s->padded[i] -= model->network_rate * (s->gradient[i] + decay * s->padded[i]);
    for (size_t k = 0; k < model->shape.dim; k++)
        model->p[k] -= settings->user_rate * (s->user_gradient[k] + decay * model->p[k]);
}

static double batch_flop(const struct frs_perceptron *model, const struct frs_bce_mf_settings *settings,
    double distinct, const struct scratch *s) {
    double dim = (double)model->shape.dim, weights = 0, parameters = (double)s->n_parameters;
    double trained = (double)s->trained.dim, seen = (double)s->n_seen;
    for (size_t l = 0; l < model->shape.n_layers; l++) {
        struct frs_perceptron_layer layer = frs_perceptron_layer(&model->shape, l);
        weights += (double)(layer.inputs * layer.outputs);
    }
    double passes = distinct * (6 * weights + 6) + 6 * dim * (double)model->shape.widths[0];
    passes += model->target ? 3 * dim * (double)model->n_rows : 0;
    if (model->factors)
        passes += 2 * dim * trained * (distinct + (settings->optimiser == FRS_ADAM ? seen : distinct));
    if (settings->optimiser == FRS_ADAM)
        return passes + 14 * (trained * seen + dim + parameters);
    return passes + (settings->weight_decay > 0 ? 4 : 2) * (trained * distinct + dim + parameters);
}

/* Returns the summed loss. */
static double train_batch(struct frs_perceptron *model, const struct frs_bce_mf_settings *settings,
    const uint32_t *samples, size_t n, unsigned t, struct scratch *s, double *flop) {
    size_t members = count_batch(samples, n, model->stride, s);
    bool adam = settings->optimiser == FRS_ADAM;
    float scale = adam || settings->scaling != FRS_SUM ? 1 / (float)n : 1;
    double loss = 0;
    frs_layer_start(&model->shape, s->padded, model->p, s->start);
    memset(s->row_gradient, 0, model->shape.dim * model->stride * sizeof(float));
    for (size_t at = 0; at < members; at += BLOCK) {
        size_t block = members - at < BLOCK ? members - at : BLOCK;
        loss += forward(model, s->members + at, block, s);
        backward(model, s->members + at, block, s);
    }
    collect(model, scale, s);
    if (model->factors)
        project_gradient(model, settings->gradient_scale, members, s);
    for (size_t i = 0; i < model->stride && settings->weight_decay > 0; i++)
        s->decay[i] = s->count[i] > 0 ? settings->weight_decay : 0;
    if (adam)
        step_adam(model, settings, n, t, s);
    else
        step_sgd(model, settings, scale, members, s);
    if (model->factors)
        move_rows(model, adam, members, s);
    *flop += batch_flop(model, settings, (double)members, s);
    return loss;
}

struct frs_bce_mf_result frs_perceptron_train(struct frs_perceptron *model, struct frs_samples *samples,
    const struct frs_bce_mf_settings *settings, struct frs_rng *shuffle, struct frs_arena *arena) {
    struct frs_bce_mf_result result = {0};
    FRS_INVARIANT(!model->factors || !model->target, "factors and a target");
    if (samples->n == 0)
        return result;
    unsigned before = frs_flush_begin(), t = 0;
    struct scratch s = take_scratch(model, settings->optimiser == FRS_ADAM, arena);
    memcpy(s.padded, model->network, s.n_parameters * sizeof(float));
    for (size_t epoch = 0; epoch < settings->epochs; epoch++) {
        double loss = 0, previous = result.loss;
        frs_samples_shuffle(samples, settings->batch, shuffle);
        for (size_t at = 0; at < samples->n; at += settings->batch) {
            size_t n = samples->n - at < settings->batch ? samples->n - at : settings->batch;
            loss += train_batch(model, settings, samples->samples + at, n, ++t, &s, &result.flop);
        }
        result.epochs = epoch + 1;
        result.loss = loss / (double)samples->n;
        if (epoch == 0)
            result.first_loss = result.loss;
        else if (fabs(previous - result.loss) < (double)settings->early_stop * fabs(previous))
            break;
    }
    memcpy(model->network, s.padded, s.n_parameters * sizeof(float));
    if (!frs_all_finite(model->p, model->shape.dim) || !frs_all_finite(model->network, s.n_parameters) ||
        !frs_all_finite(model->rows, model->shape.dim * model->stride))
        result.loss = NAN; /* no loss was taken after the last step */
    frs_flush_end(before);
    return result;
}
