#include "algorithms/kernels/bce_mf.h"
#include "algorithms/kernels/adam.h"
#include "sim/base/clones.h"
#include "algorithms/kernels/flush.h"
#include "algorithms/kernels/logistic.h"

#include <math.h>
#include <string.h>

#define LANES FRS_BCE_MF_LANES
#define WIDE (4 * LANES) /* four registers: enough independent sums to hide the latency of an addition */

size_t frs_bce_mf_stride(size_t n_rows) {
    return (n_rows + LANES - 1) / LANES * LANES;
}

void frs_bce_mf_gather(
    const float *table, size_t dim, const uint32_t *ids, size_t n_rows, size_t stride, float *columns) {
    for (size_t i = 0; i < n_rows; i++)
        for (size_t k = 0; k < dim; k++)
            columns[k * stride + i] = table[ids[i] * dim + k];
    for (size_t k = 0; k < dim; k++)
        for (size_t i = n_rows; i < stride; i++)
            columns[k * stride + i] = 0;
}

void frs_bce_mf_scatter(const float *columns, size_t dim, size_t n_rows, size_t stride, float *rows) {
    for (size_t i = 0; i < n_rows; i++)
        for (size_t k = 0; k < dim; k++)
            rows[i * dim + k] = columns[k * stride + i];
}

/* One batch after the other is a single pass over the table in blocks of columns that stay in the first-level
 * cache: the step of the batch before is taken, then this batch's scores, coefficients and gradient sums of
 * the same columns. */
struct scratch {
    /* [stride], of the current batch. */
    float *count, *positive; /* occurrences in the batch, of which positives */
    float *score;
    /* [stride], of the batch whose step is pending. */
    float *coefficient;    /* c_i: ∂(summed loss)/∂s_i; under SGD times the row's step size */
    float *decay;          /* weight decay of rows in that batch */
    float *pending_vector; /* its Pᵀp [train_dim] */
    struct frs_adam_step pending_adam;
    float pending_scale; /* of the gradient, under Adam */
    bool pending;
    float *m, *v;         /* Adam, [train_dim × stride] */
    float *vector;        /* Pᵀp [train_dim] */
    float *row_sums;      /* Σ c_i t_i, [train_dim × LANES] partial sums */
    float *frozen_sums;   /* Σ c_i f_i, [dim × LANES] partial sums */
    float *row_gradient;  /* Σ c_i t_i [train_dim] */
    float *user_gradient; /* ∂p [dim] */
    float bias_m, bias_v;
    bool needs_row_sums, needs_frozen_sums; /* what somebody's gradient asks for */
    float *user_m, *user_v;
    float *project_m, *project_v; /* [dim × train_dim] */
    unsigned char *seen;
};

/* Blocks are WIDE columns, the last ones LANES. In all block functions `columns` and the [stride] arrays
 * point at the block's first column and `lanes` is its width, a constant where it matters. */

/* score[i] = start + Σ_k w[k] · columns[k][i], or += without start */
FRS_INLINE void add_scores(const float *columns, const float *w, size_t dim, size_t stride, float *score,
    float start, bool add, size_t lanes) {
    float sum[WIDE];
    for (size_t j = 0; j < lanes; j++)
        sum[j] = add ? score[j] : start;
    for (size_t k = 0; k < dim; k++)
        for (size_t j = 0; j < lanes; j++)
            sum[j] += w[k] * columns[k * stride + j];
    for (size_t j = 0; j < lanes; j++)
        score[j] = sum[j];
}

/* sums[k][·] += c · columns[k]; the order of summation does not depend on the processor. */
FRS_INLINE void add_products(
    const float *columns, const float *c, size_t dim, size_t stride, float *sums, size_t lanes) {
    for (size_t k = 0; k < dim; k++) {
        float sum[LANES]; /* a copy, which cannot alias the columns */
        memcpy(sum, sums + k * LANES, sizeof sum);
        for (size_t i = 0; i < lanes; i += LANES)
            for (size_t j = 0; j < LANES; j++)
                sum[j] += c[i + j] * columns[k * stride + i + j];
        memcpy(sums + k * LANES, sum, sizeof sum);
    }
}

/* c_i = n_i σ(s_i) − positives_i for the rows of the batch. */
FRS_INLINE void coefficients(
    const float *score, const float *count, const float *positive, float *coefficient, size_t lanes) {
    for (size_t j = 0; j < lanes; j++)
        coefficient[j] = frs_bce_coefficient(score[j], count[j], positive[j]);
}

/* columns[k][i] −= step[i] · w[k] (+ decay[i] · columns[k][i]) */
FRS_INLINE void step_sgd(float *columns, const float *step, const float *w, const float *decay, size_t dim,
    size_t stride, size_t lanes) {
    for (size_t k = 0; k < dim; k++) {
        float *column = columns + k * stride;
        for (size_t j = 0; j < lanes; j++)
            column[j] -= step[j] * w[k] + (decay ? decay[j] * column[j] : 0);
    }
}

/* Everything of a batch that concerns a block of columns once the pending step has been taken. */
FRS_INLINE void forward_lanes(
    const struct frs_bce_mf *model, const struct scratch *s, bool with_sums, size_t at, size_t lanes) {
    const float *rows = model->rows + at, *frozen = model->frozen ? model->frozen + at : NULL;
    float *score = s->score + at, *coefficient = s->coefficient + at, bias = model->bias ? *model->bias : 0;
    add_scores(rows, s->vector, model->train_dim, model->stride, score, bias, false, lanes);
    if (frozen)
        add_scores(frozen, model->p, model->dim, model->stride, score, 0, true, lanes);
    coefficients(score, s->count + at, s->positive + at, coefficient, lanes);
    if (with_sums && s->needs_row_sums)
        add_products(rows, coefficient, model->train_dim, model->stride, s->row_sums, lanes);
    if (with_sums && s->needs_frozen_sums)
        add_products(frozen, coefficient, model->dim, model->stride, s->frozen_sums, lanes);
}

FRS_CLONES static void forward(
    const struct frs_bce_mf *model, const struct scratch *s, bool with_sums, size_t at, size_t lanes) {
    if (lanes == WIDE)
        forward_lanes(model, s, with_sums, at, WIDE);
    else
        forward_lanes(model, s, with_sums, at, LANES);
}

FRS_CLONES static void step_sgd_block(
    const struct frs_bce_mf *model, const struct scratch *s, const float *decay, size_t at, size_t lanes) {
    float *rows = model->rows + at;
    if (lanes == WIDE)
        step_sgd(rows, s->coefficient + at, s->pending_vector, decay, model->train_dim, model->stride, WIDE);
    else
        step_sgd(rows, s->coefficient + at, s->pending_vector, decay, model->train_dim, model->stride, LANES);
}

/* The summed loss n_i·softplus(s_i) − positives_i·s_i of the rows of the batch. */
FRS_CLONES static double summed_loss(
    const float *score, const float *count, const float *positive, size_t stride) {
    float loss[LANES] = {0};
    for (size_t i = 0; i < stride; i += LANES)
        for (size_t j = 0; j < LANES; j++)
            loss[j] += frs_bce_loss(score[i + j], count[i + j], positive[i + j]);
    double sum = 0;
    for (size_t j = 0; j < LANES; j++)
        sum += (double)loss[j];
    return sum;
}

/* Integers, so that it vectorises: no exponent is all ones. */
FRS_CLONES static bool all_finite(const float *values, size_t n) {
    uint32_t largest = 0, bits;
    for (size_t i = 0; i < n; i++) {
        memcpy(&bits, &values[i], sizeof bits);
        bits &= 0x7fffffffu;
        largest = bits > largest ? bits : largest;
    }
    return largest < 0x7f800000u;
}

/* Takes the pending step on the columns of a block. */
static void step_block(const struct frs_bce_mf *model, const struct frs_bce_mf_settings *settings,
    const struct scratch *s, size_t at, size_t lanes) {
    const float *decay = settings->weight_decay > 0 ? s->decay + at : NULL;
    if (settings->optimiser == FRS_ADAM)
        frs_adam_rows(&(struct frs_adam_rows){model->rows + at, s->m + at, s->v + at, model->train_dim,
                          model->stride, lanes},
            s->coefficient + at, s->pending_vector, s->pending_scale, decay, s->pending_adam);
    else
        step_sgd_block(model, s, decay, at, lanes);
}

static size_t block_lanes(const struct frs_bce_mf *model, size_t at) {
    return model->stride - at >= WIDE ? WIDE : LANES;
}

static void flush_pending(
    const struct frs_bce_mf *model, const struct frs_bce_mf_settings *settings, struct scratch *s) {
    for (size_t at = 0, lanes; s->pending && at < model->stride; at += lanes) {
        lanes = block_lanes(model, at);
        step_block(model, settings, s, at, lanes);
    }
    s->pending = false;
}

static struct scratch take_scratch(
    const struct frs_bce_mf *model, const struct frs_bce_mf_settings *settings, struct frs_arena *arena) {
    size_t n = model->stride;
    bool moves_user = settings->user_rate > 0;
    struct scratch s = {
        .count = frs_arena_take_zeroed(arena, n, sizeof(float)),
        .positive = frs_arena_take_zeroed(arena, n, sizeof(float)),
        .score = frs_arena_take_zeroed(arena, n, sizeof(float)),
        .coefficient = frs_arena_take_zeroed(arena, n, sizeof(float)),
        .decay = frs_arena_take_zeroed(arena, n, sizeof(float)),
        .vector = frs_arena_take_zeroed(arena, model->train_dim, sizeof(float)),
        .pending_vector = frs_arena_take_zeroed(arena, model->train_dim, sizeof(float)),
        .row_sums = frs_arena_take_zeroed(arena, model->train_dim * LANES, sizeof(float)),
        .frozen_sums = frs_arena_take_zeroed(arena, model->dim * LANES, sizeof(float)),
        .row_gradient = frs_arena_take_zeroed(arena, model->train_dim, sizeof(float)),
        .user_gradient = frs_arena_take_zeroed(arena, model->dim, sizeof(float)),
        .seen = frs_arena_take_zeroed(arena, n, 1),
        .needs_row_sums = moves_user || model->trained_project,
        .needs_frozen_sums = moves_user && model->frozen,
    };
    if (settings->optimiser == FRS_ADAM) {
        s.m = frs_arena_take_zeroed(arena, model->train_dim * n, sizeof(float));
        s.v = frs_arena_take_zeroed(arena, model->train_dim * n, sizeof(float));
        s.user_m = frs_arena_take_zeroed(arena, model->dim, sizeof(float));
        s.user_v = frs_arena_take_zeroed(arena, model->dim, sizeof(float));
        if (model->trained_project) {
            s.project_m = frs_arena_take_zeroed(arena, model->dim * model->train_dim, sizeof(float));
            s.project_v = frs_arena_take_zeroed(arena, model->dim * model->train_dim, sizeof(float));
        }
    }
    return s;
}

/* Fills count and positive; returns the distinct rows of the batch. */
static size_t count_batch(const uint32_t *samples, size_t n, size_t stride, struct scratch *s) {
    memset(s->count, 0, stride * sizeof(float));
    memset(s->positive, 0, stride * sizeof(float));
    size_t distinct = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t row = samples[i] >> 1;
        distinct += s->count[row] == 0;
        s->count[row] += 1;
        s->positive[row] += (float)(samples[i] & 1);
    }
    return distinct;
}

/* vector = Pᵀp; the vector a row's score and gradient are taken with. */
static void project_user(const struct frs_bce_mf *model, float *vector) {
    if (!model->project) {
        memcpy(vector, model->p, model->dim * sizeof(float));
        return;
    }
    memset(vector, 0, model->train_dim * sizeof(float));
    for (size_t k = 0; k < model->dim; k++)
        for (size_t j = 0; j < model->train_dim; j++)
            vector[j] += model->project[k * model->train_dim + j] * model->p[k];
}

static float sum_lanes(const float *sums) {
    float sum[LANES];
    memcpy(sum, sums, sizeof sum);
    for (size_t half = LANES / 2; half >= 1; half /= 2)
        for (size_t j = 0; j < half; j++)
            sum[j] += sum[j + half];
    return sum[0];
}

FRS_CLONES static float sum_all(const float *values, size_t stride) {
    float sums[LANES] = {0};
    for (size_t i = 0; i < stride; i += LANES)
        for (size_t j = 0; j < LANES; j++)
            sums[j] += values[i + j];
    return sum_lanes(sums);
}

/* row_gradient = Σ c_i t_i and user_gradient = Σ c_i (f_i + P t_i), from the partial sums, which are cleared.
 */
static void user_gradient(const struct frs_bce_mf *model, struct scratch *s) {
    float *out = model->project ? s->row_gradient : s->user_gradient;
    if (!s->needs_row_sums)
        return;
    for (size_t j = 0; j < model->train_dim; j++)
        out[j] = sum_lanes(s->row_sums + j * LANES);
    memset(s->row_sums, 0, model->train_dim * LANES * sizeof(float));
    if (model->project)
        for (size_t k = 0; k < model->dim; k++) {
            float sum = 0;
            for (size_t j = 0; j < model->train_dim; j++)
                sum += model->project[k * model->train_dim + j] * s->row_gradient[j];
            s->user_gradient[k] = sum;
        }
    if (!s->needs_frozen_sums)
        return;
    for (size_t k = 0; k < model->dim; k++)
        s->user_gradient[k] += sum_lanes(s->frozen_sums + k * LANES);
    memset(s->frozen_sums, 0, model->dim * LANES * sizeof(float));
}

static void mark_decay(const struct frs_bce_mf *model, const struct scratch *s, float decay) {
    for (size_t i = 0; i < model->stride && decay > 0; i++)
        s->decay[i] = s->count[i] > 0 ? decay : 0;
}

/* How a value moves whose gradient, summed over the batch, is g. */
struct vector_step {
    float scale, rate, decay;
    const struct frs_adam_step *adam; /* NULL: SGD */
};

FRS_INLINE float stepped(float x, float g, float *m, float *v, const struct vector_step *step) {
    float gradient = step->scale * g + step->decay * x;
    if (!step->adam)
        return x - step->rate * gradient;
    *m = FRS_ADAM_BETA1 * *m + gradient;
    *v = FRS_ADAM_BETA2 * *v + gradient * gradient;
    return x - step->adam->rate * *m / (sqrtf(*v) + step->adam->epsilon);
}

static float per_batch(const struct frs_bce_mf_settings *settings, size_t batch) {
    return settings->optimiser == FRS_SGD && settings->scaling == FRS_SUM ? 1 : 1 / (float)batch;
}

static void step_project(struct frs_bce_mf *model, const struct vector_step *step, struct scratch *s) {
    for (size_t k = 0; k < model->dim; k++)
        for (size_t j = 0; j < model->train_dim; j++) {
            size_t i = k * model->train_dim + j;
            float *m = step->adam ? s->project_m + i : NULL, *v = step->adam ? s->project_v + i : NULL;
            model->trained_project[i] =
                stepped(model->trained_project[i], model->p[k] * s->row_gradient[j], m, v, step);
        }
}

/* The projection, the user vector and the bias move at once, all from the same gradients. */
static void step_user(struct frs_bce_mf *model, const struct frs_bce_mf_settings *settings, size_t batch,
    unsigned t, struct scratch *s) {
    struct vector_step step = {
        .scale = per_batch(settings, batch), .rate = settings->project_rate, .decay = settings->weight_decay};
    struct frs_adam_step adam;
    step.adam = settings->optimiser == FRS_ADAM ? &adam : NULL;
    if (model->trained_project) {
        adam = frs_adam_step((double)settings->project_rate, t);
        step_project(model, &step, s);
    }
    if (settings->user_rate <= 0)
        return;
    adam = frs_adam_step((double)settings->user_rate, t);
    step.rate = settings->user_rate;
    for (size_t k = 0; k < model->dim; k++) {
        float *m = step.adam ? s->user_m + k : NULL, *v = step.adam ? s->user_v + k : NULL;
        model->p[k] = stepped(model->p[k], s->user_gradient[k], m, v, &step);
    }
    if (model->bias)
        *model->bias =
            stepped(*model->bias, sum_all(s->coefficient, model->stride), &s->bias_m, &s->bias_v, &step);
}

/* The rows' step is left pending. */
static void prepare_rows(const struct frs_bce_mf *model, const struct frs_bce_mf_settings *settings,
    size_t batch, unsigned t, struct scratch *s) {
    memcpy(s->pending_vector, s->vector, model->train_dim * sizeof(float));
    s->pending = true;
    if (settings->optimiser == FRS_ADAM) {
        s->pending_adam = frs_adam_step((double)settings->item_rate, t);
        s->pending_scale = per_batch(settings, batch) * settings->gradient_scale;
        mark_decay(model, s, settings->weight_decay);
        return;
    }
    float rate = settings->item_rate * settings->gradient_scale, scale = per_batch(settings, batch);
    for (size_t i = 0; i < model->stride; i++) {
        float occurrences = s->count[i] > 0 ? s->count[i] : 1;
        s->coefficient[i] *= rate * (settings->scaling == FRS_ROW_MEAN ? 1 / occurrences : scale);
    }
    mark_decay(model, s, settings->item_rate * settings->weight_decay);
}

static double batch_flop(const struct frs_bce_mf *model, const struct frs_bce_mf_settings *settings,
    const struct scratch *s, size_t distinct, size_t seen) {
    double b = (double)distinct, d = (double)model->dim, e = (double)model->train_dim;
    double trained = (settings->user_rate > 0 ? d + (model->bias != NULL) : 0) +
                     (model->trained_project ? d * e : 0); /* beside the rows */
    double scores = 2 * e * b + (model->frozen ? 2 * d * b : 0) + (model->project ? 2 * d * e : 0) + 6 * b;
    double sums = (s->needs_row_sums ? 2 * e * b : 0) + (s->needs_frozen_sums ? 2 * d * b : 0) +
                  (s->needs_row_sums && model->project ? 2 * d * e : 0);
    double update = settings->optimiser == FRS_ADAM
                        ? 14 * e * (double)seen + 14 * trained
                        : 2 * e * b + 2 * trained + (settings->weight_decay > 0 ? 2 * e * b : 0);
    return scores * (settings->alternates ? 2 : 1) + sums + update;
}

static size_t mark_seen(const uint32_t *samples, size_t n, unsigned char *seen) {
    size_t fresh = 0;
    for (size_t i = 0; i < n; i++) {
        fresh += !seen[samples[i] >> 1];
        seen[samples[i] >> 1] = 1;
    }
    return fresh;
}

/* Takes the pending step, then scores and coefficients; with sums also what the gradients of everything but
 * the rows are made of. */
static void pass(const struct frs_bce_mf *model, const struct frs_bce_mf_settings *settings, bool with_sums,
    struct scratch *s) {
    project_user(model, s->vector);
    for (size_t column = 0, lanes; column < model->stride; column += lanes) {
        lanes = block_lanes(model, column);
        if (s->pending)
            step_block(model, settings, s, column, lanes);
        forward(model, s, with_sums, column, lanes);
    }
    s->pending = false;
}

static void train_batch(struct frs_bce_mf *model, const struct frs_bce_mf_settings *settings, size_t batch,
    unsigned t, struct scratch *s) {
    pass(model, settings, true, s);
    user_gradient(model, s);
    step_user(model, settings, batch, t, s);
    if (settings->alternates)
        pass(model, settings, false, s);
    prepare_rows(model, settings, batch, t, s);
}

static bool is_finite(const struct frs_bce_mf *model) {
    return all_finite(model->p, model->dim) && all_finite(model->rows, model->train_dim * model->stride) &&
           (!model->bias || all_finite(model->bias, 1)) &&
           (!model->trained_project || all_finite(model->trained_project, model->dim * model->train_dim));
}

struct frs_bce_mf_result frs_bce_mf_train(struct frs_bce_mf *model, struct frs_samples *samples,
    const struct frs_bce_mf_settings *settings, struct frs_rng *shuffle, struct frs_arena *arena) {
    struct frs_bce_mf_result result = {0};
    if (samples->n == 0)
        return result;
    unsigned before = frs_flush_begin(), t = 0;
    struct scratch s = take_scratch(model, settings, arena);
    size_t seen = 0, distinct = 0;
    for (size_t epoch = 0; epoch < settings->epochs; epoch++) {
        double loss = 0;
        /* The loss of an epoch costs as much as its coefficients; between the first and the last only early
         * stopping asks for it, and one that is not a number stays so. */
        bool with_loss = epoch == 0 || epoch + 1 == settings->epochs || settings->early_stop > 0;
        frs_samples_shuffle(samples, settings->batch, shuffle);
        for (size_t at = 0; at < samples->n; at += settings->batch) {
            size_t batch = samples->n - at < settings->batch ? samples->n - at : settings->batch;
            if (epoch == 0 || samples->n > settings->batch)
                distinct = count_batch(samples->samples + at, batch, model->stride, &s);
            if (epoch == 0)
                seen += mark_seen(samples->samples + at, batch, s.seen);
            train_batch(model, settings, batch, ++t, &s);
            if (with_loss)
                loss += summed_loss(s.score, s.count, s.positive, model->stride);
            result.flop += batch_flop(model, settings, &s, distinct, seen);
        }
        double previous = result.loss;
        result.epochs = epoch + 1;
        if (!with_loss)
            continue;
        result.loss = loss / (double)samples->n;
        if (epoch == 0)
            result.first_loss = result.loss;
        else if (fabs(previous - result.loss) < (double)settings->early_stop * fabs(previous))
            break;
    }
    flush_pending(model, settings, &s);
    if (!is_finite(model))
        result.loss = NAN; /* no loss was taken after the last step */
    frs_flush_end(before);
    return result;
}
