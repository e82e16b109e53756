/* Local training of a perceptron (algorithms/kernels/steps/perceptron.h). */
#include "algorithms/kernels/adam.h"
#include "algorithms/kernels/compare.h"
#include "algorithms/kernels/flush.h"
#include "algorithms/kernels/logistic.h"
#include "algorithms/kernels/steps/batch.h"
#include "algorithms/kernels/steps/perceptron_internal.h"
#include "sim/base/errors.h"
#include "sim/base/numbers/levels.h"

#include <math.h>
#include <string.h>

#define LANES FRS_LANES
#define BLOCK FRS_LAYER_BLOCK

/* What is trained of the rows: they themselves, or their factors. */
struct trained {
    float *values, *gradient; /* [n_rows × pitch] up to whole lanes; the gradient is zero outside the batch */
    size_t dim, pitch, n;     /* n: all these values */
};

struct scratch {
    struct frs_batch batch;
    float *row_gradient;                           /* [n_rows × pitch], of the rows of the batch */
    float *decay;                                  /* [trained.n] Adam with weight decay; else NULL */
    float *start;                                  /* of the first layer */
    float *activations[FRS_PERCEPTRON_LAYERS + 1]; /* inputs of layer l, and the scores [· × BLOCK] */
    float *deltas[FRS_PERCEPTRON_LAYERS + 1];      /* ∂loss/∂ the same */
    float *weight_sums[FRS_PERCEPTRON_LAYERS];     /* partial sums [outputs × inputs] */
    float *bias_sums[FRS_PERCEPTRON_LAYERS];       /* [outputs] */
    float *gradient, *user_gradient;               /* of the network, padded to LANES, and of p */
    float *m, *v, *network_m, *network_v, *user_m, *user_v; /* Adam */
    struct frs_adam_clock clock;
    float *padded; /* the network during training */
    size_t n_parameters, n_padded;
    struct trained trained;
    float *frozen; /* where there are factors: the rows as they came */
};

static float *zeros(struct frs_arena *arena, size_t n) {
    return frs_arena_take_zeroed(arena, n, sizeof(float));
}

/* The first layer's inputs are whole lanes: rows are read and written as such. */
static void take_layers(const struct frs_perceptron *model, struct scratch *s, struct frs_arena *arena) {
    for (size_t l = 0; l < model->shape.n_layers; l++) {
        struct frs_perceptron_layer layer = frs_perceptron_layer(&model->shape, l);
        size_t inputs = l == 0 ? frs_lanes_pad(layer.inputs) : layer.inputs;
        s->activations[l] = zeros(arena, inputs * BLOCK);
        s->deltas[l] = zeros(arena, inputs * BLOCK);
        s->weight_sums[l] = zeros(arena, FRS_LAYER_SUMS(layer.outputs * layer.inputs));
        s->bias_sums[l] = zeros(arena, FRS_LAYER_SUMS(layer.outputs));
    }
    s->activations[model->shape.n_layers] = zeros(arena, BLOCK);
    s->deltas[model->shape.n_layers] = zeros(arena, BLOCK);
}

static void take_factors(const struct frs_perceptron *model, struct scratch *s, struct frs_arena *arena) {
    size_t n = frs_lanes_pad(model->n_rows * model->rank), table = s->trained.n;
    s->frozen = frs_arena_take(arena, table, sizeof *s->frozen);
    memcpy(s->frozen, model->rows, table * sizeof *s->frozen);
    s->trained = (struct trained){model->factors, zeros(arena, n), model->rank, model->rank, n};
}

static void take_adam(struct scratch *s, size_t dim, bool decays, struct frs_arena *arena) {
    s->m = zeros(arena, s->trained.n);
    s->v = zeros(arena, s->trained.n);
    s->network_m = zeros(arena, s->n_padded);
    s->network_v = zeros(arena, s->n_padded);
    s->user_m = zeros(arena, dim);
    s->user_v = zeros(arena, dim);
    if (decays)
        s->decay = zeros(arena, s->trained.n);
}

static struct scratch take_scratch(const struct frs_perceptron *model,
    const struct frs_bce_mf_settings *settings, size_t n_samples, struct frs_arena *arena) {
    size_t dim = model->shape.dim, pitch = frs_lanes_pad(dim), table = model->n_rows * pitch;
    struct scratch s = {.n_parameters = frs_perceptron_parameters(&model->shape)};
    s.n_padded = frs_lanes_pad(s.n_parameters);
    s.batch =
        frs_batch_create(model->n_rows, n_samples < settings->batch ? n_samples : settings->batch, arena);
    s.row_gradient = zeros(arena, table);
    s.trained = (struct trained){model->rows, s.row_gradient, dim, pitch, table};
    if (model->factors)
        take_factors(model, &s, arena);
    s.start = zeros(arena, model->shape.widths[0]);
    s.gradient = zeros(arena, s.n_padded);
    s.user_gradient = zeros(arena, pitch);
    s.padded = zeros(arena, s.n_padded);
    take_layers(model, &s, arena);
    if (settings->optimiser == FRS_ADAM)
        take_adam(&s, dim, settings->weight_decay > 0, arena);
    return s;
}

/* ---- gradients ------------------------------------------------------------------------------- */

FRS_INLINE float sum_lanes(float *sums) {
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

/* n rows of the batch from `at` on. */
static double forward(const struct frs_perceptron *model, size_t at, size_t n, struct scratch *s) {
    size_t n_layers = model->shape.n_layers, dim = model->shape.dim;
    frs_layer_gather(model->rows, frs_lanes_pad(dim), dim, s->batch.rows + at, n, s->activations[0]);
    for (size_t l = 0; l < n_layers; l++) {
        struct frs_perceptron_layer layer = frs_perceptron_layer(&model->shape, l);
        frs_layer_run(s->padded + layer.at, layer.pitch, layer.inputs, layer.outputs,
            l == 0 ? s->start : s->padded + layer.biases_at, s->activations[l], n, s->activations[l + 1],
            l + 1 < n_layers);
    }
    float count[BLOCK] = {0}, positive[BLOCK] = {0};
    memcpy(count, s->batch.count + at, n * sizeof *count);
    memcpy(positive, s->batch.positive + at, n * sizeof *positive);
    return find_deltas(s->activations[n_layers], count, positive, s->deltas[n_layers]);
}

static void backward(const struct frs_perceptron *model, size_t at, size_t n, struct scratch *s) {
    for (size_t l = model->shape.n_layers; l-- > 0;) {
        struct frs_perceptron_layer layer = frs_perceptron_layer(&model->shape, l);
        const float *delta = s->deltas[l + 1];
        frs_layer_gradient(
            delta, s->activations[l], n, layer.inputs, layer.outputs, s->weight_sums[l], s->bias_sums[l]);
        frs_layer_back(s->padded + layer.at, layer.pitch, layer.inputs, layer.outputs, delta,
            l > 0 ? s->activations[l] : NULL, n, s->deltas[l]);
    }
    frs_layer_scatter(s->deltas[0], frs_lanes_pad(model->shape.dim), s->batch.rows + at, n, s->row_gradient);
}

/* Computes the gradients of p and of its weights in the first layer. Both follow from the sums of the
 * layer's deltas, which are the gradient of its biases. */
FRS_CLONES static void find_user_gradient(const struct frs_perceptron_layer *first, size_t dim,
    const float *restrict p, const float *restrict network, float *restrict gradient,
    float *restrict user_gradient) {
    memset(user_gradient, 0, dim * sizeof *user_gradient);
    for (size_t o = 0; o < first->outputs; o++)
        for (size_t k = 0; k < dim; k++) {
            float delta = gradient[first->biases_at + o];
            gradient[o * first->pitch + k] = delta * p[k];
            user_gradient[k] += delta * network[o * first->pitch + k];
        }
}

/* The gradient of the batch's mean (or sum). */
static void collect(const struct frs_perceptron *model, float scale, struct scratch *s) {
    for (size_t l = 0; l < model->shape.n_layers; l++) {
        struct frs_perceptron_layer layer = frs_perceptron_layer(&model->shape, l);
        frs_layer_collect(
            s->weight_sums[l], layer.inputs, layer.outputs, layer.pitch, scale, s->gradient + layer.at);
        frs_layer_collect(s->bias_sums[l], layer.outputs, 1, 0, scale, s->gradient + layer.biases_at);
    }
    struct frs_perceptron_layer first = frs_perceptron_layer(&model->shape, 0);
    find_user_gradient(&first, model->shape.dim, model->p, s->padded, s->gradient, s->user_gradient);
}

/* ---- factors --------------------------------------------------------------------------------- */

/* What a step multiplies the summed gradient of row i of the batch with. */
static float factor_of(
    const struct frs_bce_mf_settings *settings, float scale, size_t i, const struct scratch *s) {
    bool row_mean = settings->optimiser == FRS_SGD && settings->scaling == FRS_ROW_MEAN;
    return row_mean ? 1 / s->batch.count[i] : scale;
}

/* Where decay acts on rows as a whole, they decay before they are projected; otherwise the trained part of
 * them decays. */
static bool decays_whole(const struct frs_perceptron *model, const struct frs_bce_mf_settings *settings) {
    return model->factors && settings->whole_decay > 0;
}

/* gradient = gradient_scale · Pᵀ times the rows', in the rows of the batch. */
static void project_gradient(const struct frs_perceptron *model, const struct frs_bce_mf_settings *settings,
    float scale, struct scratch *s) {
    size_t rank = model->rank, pitch = frs_lanes_pad(model->shape.dim);
    float decay = decays_whole(model, settings) ? settings->weight_decay : 0;
    for (size_t i = 0; i < s->batch.n; i++) {
        size_t at = s->batch.rows[i] * pitch;
        const float *row = s->row_gradient + at;
        float *gradient = s->trained.gradient + s->batch.rows[i] * rank;
        float pull = decay / factor_of(settings, scale, i, s);
        memset(gradient, 0, rank * sizeof *gradient);
        for (size_t k = 0; k < model->shape.dim; k++)
            for (size_t j = 0; j < rank; j++)
                gradient[j] += (row[k] + pull * model->rows[at + k]) * model->project[k * rank + j];
        for (size_t j = 0; j < rank; j++)
            gradient[j] *= settings->gradient_scale;
    }
}

/* row = frozen + P a */
static void move_row(struct frs_perceptron *model, size_t row, const struct scratch *s) {
    size_t dim = model->shape.dim, rank = model->rank, at = row * frs_lanes_pad(dim);
    const float *factors = model->factors + row * rank;
    for (size_t k = 0; k < dim; k++) {
        float sum = 0;
        for (size_t j = 0; j < rank; j++)
            sum += model->project[k * rank + j] * factors[j];
        model->rows[at + k] = s->frozen[at + k] + sum;
    }
}

/* Adam moves all rows it has ever seen. */
static void move_rows(struct frs_perceptron *model, bool adam, const struct scratch *s) {
    for (size_t row = 0; row < model->n_rows && adam; row++)
        if (s->batch.touched[row])
            move_row(model, row, s);
    for (size_t i = 0; i < s->batch.n && !adam; i++)
        move_row(model, s->batch.rows[i], s);
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Fills n values in each of the rows of the batch. */
static void fill_rows(const struct scratch *s, float *values, float value) {
    for (size_t i = 0; i < s->batch.n; i++)
        for (size_t k = 0; k < s->trained.dim; k++)
            values[s->batch.rows[i] * s->trained.pitch + k] = value;
}

static struct frs_adam_step at_rate(struct frs_adam_step step, float rate) {
    return (struct frs_adam_step){.rate = rate * step.rate, .epsilon = step.epsilon};
}

static void step_adam(struct frs_perceptron *model, const struct frs_bce_mf_settings *settings, size_t batch,
    struct scratch *s) {
    static const float one = 1;
    const struct trained *trained = &s->trained;
    struct frs_adam_step step = frs_adam_clock_next(&s->clock, 1);
    if (s->decay)
        fill_rows(s, s->decay, decays_whole(model, settings) ? 0 : settings->weight_decay);
    frs_adam_rows(&(struct frs_adam_rows){trained->values, s->m, s->v, 1, trained->n, trained->n},
        trained->gradient, &one, 1 / (float)batch, s->decay, at_rate(step, settings->item_rate));
    if (s->decay)
        fill_rows(s, s->decay, 0);
    fill_rows(s, trained->gradient, 0);
    for (size_t i = 0; i < s->n_parameters && settings->weight_decay > 0; i++)
        s->gradient[i] += settings->weight_decay * s->padded[i];
    frs_adam_rows(&(struct frs_adam_rows){s->padded, s->network_m, s->network_v, 1, s->n_padded, s->n_padded},
        s->gradient, &one, 1, NULL, at_rate(step, model->network_rate));
    for (size_t k = 0; k < model->shape.dim; k++)
        s->user_gradient[k] += settings->weight_decay * model->p[k];
    frs_adam_vector(model->p, s->user_m, s->user_v, s->user_gradient, model->shape.dim,
        at_rate(step, settings->user_rate));
}

FRS_CLONES static void pull_rows(float *rows, const float *target, size_t n, float pull) {
    for (size_t i = 0; i < n; i++)
        rows[i] += pull * (target[i] - rows[i]);
}

FRS_CLONES static void step_values(
    float *restrict x, const float *restrict g, size_t n, float factor, float rate, float decay) {
    for (size_t i = 0; i < n; i++)
        x[i] -= rate * (factor * g[i] + decay * x[i]);
}

static void step_sgd(struct frs_perceptron *model, const struct frs_bce_mf_settings *settings, float scale,
    struct scratch *s) {
    const struct trained *trained = &s->trained;
    float decay = settings->weight_decay;
    if (model->target)
        pull_rows(model->rows, model->target, trained->n, model->pull);
    for (size_t i = 0; i < s->batch.n; i++) {
        size_t at = s->batch.rows[i] * trained->pitch;
        step_values(trained->values + at, trained->gradient + at, trained->dim,
            factor_of(settings, scale, i, s), settings->item_rate, decays_whole(model, settings) ? 0 : decay);
    }
    step_values(s->padded, s->gradient, s->n_parameters, 1, model->network_rate, decay);
    step_values(model->p, s->user_gradient, model->shape.dim, 1, settings->user_rate, decay);
}

/* ---- batches --------------------------------------------------------------------------------- */

static double batch_flop(
    const struct frs_perceptron *model, const struct frs_bce_mf_settings *settings, const struct scratch *s) {
    double dim = (double)model->shape.dim, weights = 0, parameters = (double)s->n_parameters;
    double trained = (double)s->trained.dim, seen = (double)s->batch.seen, distinct = (double)s->batch.n;
    for (size_t l = 0; l < model->shape.n_layers; l++) {
        struct frs_perceptron_layer layer = frs_perceptron_layer(&model->shape, l);
        weights += (double)(layer.inputs * layer.outputs);
    }
    double passes = distinct * (6 * weights + 6) + 6 * dim * (double)model->shape.widths[0];
    passes += model->target ? 3 * dim * (double)model->n_rows : 0;
    if (model->factors)
        passes += 2 * dim * trained * (distinct + (settings->optimiser == FRS_ADAM ? seen : distinct));
    bool decays = settings->weight_decay > 0, whole = decays && decays_whole(model, settings);
    passes += whole ? 2 * dim * distinct : 0;
    if (settings->optimiser == FRS_ADAM)
        return passes + 14 * (trained * seen + dim + parameters);
    return passes + (whole ? 2 : decays ? 4 : 2) * trained * distinct + (decays ? 4 : 2) * (dim + parameters);
}

/* Adds the targets of the samples that have no label to those that have one. */
static void add_soft(const float *soft, struct frs_batch *batch) {
    for (size_t i = 0; i < batch->n; i++)
        batch->positive[i] += soft[batch->rows[i]] * (batch->count[i] - batch->positive[i]);
}

/* Returns the summed loss. */
static double train_batch(struct frs_perceptron *model, const struct frs_bce_mf_settings *settings,
    const uint32_t *samples, size_t n, struct scratch *s, double *flop) {
    bool adam = settings->optimiser == FRS_ADAM;
    float scale = adam || settings->scaling != FRS_SUM ? 1 / (float)n : 1;
    double loss = 0;
    frs_batch_fill(&s->batch, samples, n);
    if (model->soft)
        add_soft(model->soft, &s->batch);
    frs_layer_start(&model->shape, s->padded, model->p, s->start);
    for (size_t at = 0; at < s->batch.n; at += BLOCK) {
        size_t block = s->batch.n - at < BLOCK ? s->batch.n - at : BLOCK;
        loss += forward(model, at, block, s);
        backward(model, at, block, s);
    }
    collect(model, scale, s);
    if (model->factors)
        project_gradient(model, settings, scale, s);
    if (adam)
        step_adam(model, settings, n, s);
    else
        step_sgd(model, settings, scale, s);
    if (model->factors)
        move_rows(model, adam, s);
    *flop += batch_flop(model, settings, s);
    return loss;
}

struct frs_bce_mf_result frs_perceptron_train(struct frs_perceptron *model, struct frs_samples *samples,
    const struct frs_bce_mf_settings *settings, struct frs_rng *shuffle, struct frs_arena *arena) {
    struct frs_bce_mf_result result = {0};
    FRS_INVARIANT(!model->factors || !model->target, "factors and a target");
    if (samples->n == 0)
        return result;
    unsigned before = frs_flush_begin();
    struct scratch s = take_scratch(model, settings, samples->n, arena);
    memcpy(s.padded, model->network, s.n_parameters * sizeof(float));
    struct frs_extent extent = frs_bce_mf_extent(settings, samples->n);
    for (size_t epoch = 0; epoch < extent.passes; epoch++) {
        double loss = 0, previous = result.loss;
        size_t n_samples = frs_extent_of_pass(extent, epoch, samples->n);
        frs_samples_shuffle(samples, n_samples < samples->n ? 1 : settings->batch, shuffle);
        for (size_t at = 0; at < n_samples; at += settings->batch) {
            size_t n = n_samples - at < settings->batch ? n_samples - at : settings->batch;
            loss += train_batch(model, settings, samples->samples + at, n, &s, &result.flop);
        }
        result.epochs = epoch + 1;
        result.samples += n_samples;
        result.loss = loss / (double)n_samples;
        if (epoch == 0)
            result.first_loss = result.loss;
        else if (fabs(previous - result.loss) < (double)settings->early_stop * fabs(previous))
            break;
    }
    memcpy(model->network, s.padded, s.n_parameters * sizeof(float));
    if (!frs_all_finite(model->p, model->shape.dim) || !frs_all_finite(model->network, s.n_parameters) ||
        !frs_all_finite(model->rows, model->n_rows * frs_lanes_pad(model->shape.dim)))
        result.loss = NAN; /* no loss was taken after the last step */
    frs_flush_end(before);
    return result;
}
