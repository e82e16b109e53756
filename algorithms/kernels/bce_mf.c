#include "algorithms/kernels/bce_mf.h"
#include "algorithms/kernels/adam.h"
#include "algorithms/kernels/clones.h"
#include "algorithms/kernels/flush.h"

#include <math.h>
#include <string.h>

#define LANES FRS_BCE_MF_LANES
#define WIDE (4 * LANES) /* four registers: enough independent sums to hide the latency of an addition */
#define LOGIT_LIMIT 80.0f

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
    float *user_m, *user_v;
    unsigned char *seen;
};

/* e^x to about 2 ulp for |x| ≤ 87 (Cephes expf), in a form that vectorises. */
static inline float exponential(float x) {
    float k = x * 1.44269504f + 12582912.0f; /* rounds to an integer */
    uint32_t bits;                           /* unsigned: for a NaN these are any bits */
    memcpy(&bits, &k, sizeof bits);
    float whole = k - 12582912.0f;
    float r = x - whole * 0.693359375f + whole * 2.12194440e-4f;
    float e = 1.9875691500e-4f;
    e = e * r + 1.3981999507e-3f;
    e = e * r + 8.3334519073e-3f;
    e = e * r + 4.1665795894e-2f;
    e = e * r + 1.6666665459e-1f;
    e = e * r + 5.0000001201e-1f;
    e = e * r * r + r + 1.0f;
    uint32_t scale = (bits - 0x4b400000u + 127u) << 23;
    float power;
    memcpy(&power, &scale, sizeof power);
    return e * power;
}

/* log(1 + x) for 0 ≤ x ≤ 1 through 2·atanh(x / (2 + x)); error below 2e-7. */
static inline float log_one_plus(float x) {
    float z = x / (2 + x), z2 = z * z;
    return 2 * z * (1 + z2 * (1 / 3.0f + z2 * (1 / 5.0f + z2 * (1 / 7.0f + z2 * (1 / 9.0f + z2 / 11.0f)))));
}

/* Blocks are WIDE columns, the last ones LANES. In all block functions `columns` and the [stride] arrays
 * point at the block's first column and `lanes` is its width, a constant where it matters. */
#define INLINE static inline __attribute__((always_inline))

/* score[i] = Σ_k w[k] · columns[k][i], or += */
INLINE void add_scores(
    const float *columns, const float *w, size_t dim, size_t stride, float *score, bool add, size_t lanes) {
    float sum[WIDE];
    for (size_t j = 0; j < lanes; j++)
        sum[j] = add ? score[j] : 0;
    for (size_t k = 0; k < dim; k++)
        for (size_t j = 0; j < lanes; j++)
            sum[j] += w[k] * columns[k * stride + j];
    for (size_t j = 0; j < lanes; j++)
        score[j] = sum[j];
}

/* sums[k][·] += c · columns[k]; the order of summation does not depend on the processor. */
INLINE void add_products(
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

/* NaN passes both comparisons and stays NaN. */
INLINE float clamp(float s) {
    s = s > LOGIT_LIMIT ? LOGIT_LIMIT : s;
    return s < -LOGIT_LIMIT ? -LOGIT_LIMIT : s;
}

/* c_i = n_i σ(s_i) − positives_i for the rows of the batch. */
INLINE void coefficients(
    const float *score, const float *count, const float *positive, float *coefficient, size_t lanes) {
    for (size_t j = 0; j < lanes; j++)
        coefficient[j] = count[j] / (1 + exponential(-clamp(score[j]))) - positive[j];
}

/* columns[k][i] −= step[i] · w[k] (+ decay[i] · columns[k][i]) */
INLINE void step_sgd(float *columns, const float *step, const float *w, const float *decay, size_t dim,
    size_t stride, size_t lanes) {
    for (size_t k = 0; k < dim; k++) {
        float *column = columns + k * stride;
        for (size_t j = 0; j < lanes; j++)
            column[j] -= step[j] * w[k] + (decay ? decay[j] * column[j] : 0);
    }
}

/* Everything of a batch that concerns a block of columns once the pending step has been taken. */
INLINE void forward_lanes(const struct frs_bce_mf *model, const struct scratch *s, size_t at, size_t lanes) {
    const float *rows = model->rows + at, *frozen = model->frozen ? model->frozen + at : NULL;
    float *score = s->score + at, *coefficient = s->coefficient + at;
    add_scores(rows, s->vector, model->train_dim, model->stride, score, false, lanes);
    if (frozen)
        add_scores(frozen, model->p, model->dim, model->stride, score, true, lanes);
    coefficients(score, s->count + at, s->positive + at, coefficient, lanes);
    add_products(rows, coefficient, model->train_dim, model->stride, s->row_sums, lanes);
    if (frozen)
        add_products(frozen, coefficient, model->dim, model->stride, s->frozen_sums, lanes);
}

FRS_CLONES static void forward(
    const struct frs_bce_mf *model, const struct scratch *s, size_t at, size_t lanes) {
    if (lanes == WIDE)
        forward_lanes(model, s, at, WIDE);
    else
        forward_lanes(model, s, at, LANES);
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
        for (size_t j = 0; j < LANES; j++) {
            float s = clamp(score[i + j]);
            float softplus = (s > 0 ? s : 0) + log_one_plus(exponential(-fabsf(s)));
            loss[j] += count[i + j] * softplus - positive[i + j] * s;
        }
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

static struct scratch take_scratch(const struct frs_bce_mf *model, bool adam, struct frs_arena *arena) {
    size_t n = model->stride;
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
    };
    if (adam) {
        s.m = frs_arena_take_zeroed(arena, model->train_dim * n, sizeof(float));
        s.v = frs_arena_take_zeroed(arena, model->train_dim * n, sizeof(float));
        s.user_m = frs_arena_take_zeroed(arena, model->dim, sizeof(float));
        s.user_v = frs_arena_take_zeroed(arena, model->dim, sizeof(float));
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

/* user_gradient = Σ c_i (f_i + P t_i), from the partial sums, which are cleared. */
static void user_gradient(const struct frs_bce_mf *model, struct scratch *s) {
    float *out = model->project ? s->row_gradient : s->user_gradient;
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
    if (!model->frozen)
        return;
    for (size_t k = 0; k < model->dim; k++)
        s->user_gradient[k] += sum_lanes(s->frozen_sums + k * LANES);
    memset(s->frozen_sums, 0, model->dim * LANES * sizeof(float));
}

static void mark_decay(const struct frs_bce_mf *model, const struct scratch *s, float decay) {
    for (size_t i = 0; i < model->stride && decay > 0; i++)
        s->decay[i] = s->count[i] > 0 ? decay : 0;
}

/* The rows' step is left pending; the user vector moves at once. */
static void sgd(
    struct frs_bce_mf *model, const struct frs_bce_mf_settings *settings, size_t batch, struct scratch *s) {
    float per_batch = settings->scaling == FRS_SUM ? 1 : 1 / (float)batch;
    float rate = settings->item_rate * settings->gradient_scale;
    for (size_t i = 0; i < model->stride; i++) {
        float occurrences = s->count[i] > 0 ? s->count[i] : 1;
        s->coefficient[i] *= rate * (settings->scaling == FRS_ROW_MEAN ? 1 / occurrences : per_batch);
    }
    mark_decay(model, s, settings->item_rate * settings->weight_decay);
    for (size_t k = 0; k < model->dim; k++)
        model->p[k] -=
            settings->user_rate * (per_batch * s->user_gradient[k] + settings->weight_decay * model->p[k]);
}

static void adam(struct frs_bce_mf *model, const struct frs_bce_mf_settings *settings, size_t batch,
    unsigned t, struct scratch *s) {
    struct frs_adam_step user = frs_adam_step((double)settings->user_rate, t);
    float per_batch = 1 / (float)batch;
    s->pending_adam = frs_adam_step((double)settings->item_rate, t);
    s->pending_scale = per_batch * settings->gradient_scale;
    mark_decay(model, s, settings->weight_decay);
    for (size_t k = 0; k < model->dim; k++) {
        float g = per_batch * s->user_gradient[k] + settings->weight_decay * model->p[k];
        s->user_m[k] = FRS_ADAM_BETA1 * s->user_m[k] + g;
        s->user_v[k] = FRS_ADAM_BETA2 * s->user_v[k] + g * g;
        model->p[k] -= user.rate * s->user_m[k] / (sqrtf(s->user_v[k]) + user.epsilon);
    }
}

static double batch_flop(const struct frs_bce_mf *model, const struct frs_bce_mf_settings *settings,
    size_t distinct, size_t seen) {
    double b = (double)distinct, d = (double)model->dim, e = (double)model->train_dim;
    double product = 2 * e * b + (model->frozen ? 2 * d * b : 0) + (model->project ? 2 * d * e : 0);
    double update = settings->optimiser == FRS_ADAM
                        ? 14 * e * (double)seen + 14 * d
                        : 2 * e * b + 2 * d + (settings->weight_decay > 0 ? 2 * e * b : 0);
    return 2 * product + 6 * b + update;
}

static size_t mark_seen(const uint32_t *samples, size_t n, unsigned char *seen) {
    size_t fresh = 0;
    for (size_t i = 0; i < n; i++) {
        fresh += !seen[samples[i] >> 1];
        seen[samples[i] >> 1] = 1;
    }
    return fresh;
}

struct frs_bce_mf_result frs_bce_mf_train(struct frs_bce_mf *model, struct frs_samples *samples,
    const struct frs_bce_mf_settings *settings, struct frs_rng *shuffle, struct frs_arena *arena) {
    struct frs_bce_mf_result result = {0};
    if (samples->n == 0)
        return result;
    unsigned before = frs_flush_begin(), t = 0;
    struct scratch s = take_scratch(model, settings->optimiser == FRS_ADAM, arena);
    size_t seen = 0;
    for (size_t epoch = 0; epoch < settings->epochs; epoch++) {
        double loss = 0;
        /* The loss of an epoch costs as much as its coefficients; between the first and the last only early
         * stopping asks for it, and one that is not a number stays so. */
        bool with_loss = epoch == 0 || epoch + 1 == settings->epochs || settings->early_stop > 0;
        frs_samples_shuffle(samples, settings->batch, shuffle);
        for (size_t at = 0; at < samples->n; at += settings->batch) {
            size_t batch = samples->n - at < settings->batch ? samples->n - at : settings->batch;
            size_t distinct = count_batch(samples->samples + at, batch, model->stride, &s);
            if (epoch == 0)
                seen += mark_seen(samples->samples + at, batch, s.seen);
            project_user(model, s.vector);
            for (size_t column = 0, lanes; column < model->stride; column += lanes) {
                lanes = block_lanes(model, column);
                if (s.pending)
                    step_block(model, settings, &s, column, lanes);
                forward(model, &s, column, lanes);
            }
            if (with_loss)
                loss += summed_loss(s.score, s.count, s.positive, model->stride);
            user_gradient(model, &s);
            if (settings->optimiser == FRS_ADAM)
                adam(model, settings, batch, ++t, &s);
            else
                sgd(model, settings, batch, &s);
            memcpy(s.pending_vector, s.vector, model->train_dim * sizeof(float));
            s.pending = true;
            result.flop += batch_flop(model, settings, distinct, seen);
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
    if (!all_finite(model->p, model->dim) || !all_finite(model->rows, model->train_dim * model->stride))
        result.loss = NAN; /* no loss was taken after the last step */
    frs_flush_end(before);
    return result;
}
