#include "algorithms/kernels/steps/additive.h"
#include "algorithms/kernels/compare.h"
#include "algorithms/kernels/flush.h"
#include "algorithms/kernels/lanes.h"
#include "algorithms/kernels/logistic.h"

#include <math.h>
#include <string.h>

#define LANES FRS_LANES
#define BLOCK                                                                                                \
    64u /* rows whose scores are turned into coefficients together; two tables of them fit the cache */

/* What a batch does to one row: filled when its score is known, carried out when the next batch comes by. */
struct row_step {
    float move;   /* times w is subtracted from both rows */
    float pull;   /* times d − c is added to d and subtracted from c */
    float shrink; /* of |c| */
};

struct scratch {
    float *count, *positive, *score, *coefficient; /* [rows, a multiple of BLOCK] */
    struct row_step *steps;
    float *w;        /* [stride] of the batch whose steps are pending */
    float *gradient; /* ∂w [stride] */
    float gradient_offset;
    float kept; /* 1 − rate · weight decay of the pending batch */
    bool pending;
};

static struct scratch take_scratch(const struct frs_additive *model, struct frs_arena *arena) {
    size_t n = (model->n_rows + BLOCK - 1) / BLOCK * BLOCK;
    return (struct scratch){
        .count = frs_arena_take_zeroed(arena, n, sizeof(float)),
        .positive = frs_arena_take_zeroed(arena, n, sizeof(float)),
        .score = frs_arena_take_zeroed(arena, n, sizeof(float)),
        .coefficient = frs_arena_take_zeroed(arena, n, sizeof(float)),
        .steps = frs_arena_take_zeroed(arena, n, sizeof(struct row_step)),
        .w = frs_arena_take(arena, model->stride, sizeof(float)),
        .gradient = frs_arena_take(arena, model->stride, sizeof(float)),
        .kept = 1,
    };
}

/* Fills count and positive; returns the distinct rows of the batch. */
static size_t count_batch(const uint32_t *samples, size_t n, size_t n_rows, struct scratch *s) {
    memset(s->count, 0, n_rows * sizeof(float));
    memset(s->positive, 0, n_rows * sizeof(float));
    size_t distinct = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t row = samples[i] >> 1;
        distinct += s->count[row] == 0;
        s->count[row] += 1;
        s->positive[row] += (float)(samples[i] & 1);
    }
    return distinct;
}

/* d − c where that still counts. */
FRS_INLINE float gap_of(float c, float d, float bound) {
    float gap = d - c;
    return fabsf(gap) < bound ? gap : 0;
}

FRS_INLINE void step_row(float *restrict c, float *restrict d, const float *restrict w, size_t stride,
    struct row_step step, float kept, float bound, bool trains_shared, bool trains_own,
    enum frs_sparsity sparsity) {
    for (size_t k = 0; k < stride; k++) {
        float move = step.move * w[k], pull = step.pull * gap_of(c[k], d[k], bound);
        float shared = kept * c[k] - move - pull, own = kept * d[k] - move + pull;
        if (sparsity == FRS_SPARSITY_SUBGRADIENT)
            shared -= c[k] > 0 ? step.shrink : c[k] < 0 ? -step.shrink : 0;
        else if (sparsity == FRS_SPARSITY_SQUARED)
            shared -= 2 * step.shrink * c[k];
        else
            shared = fabsf(shared) > step.shrink ? shared - copysignf(step.shrink, shared) : 0;
        c[k] = trains_shared ? shared : c[k];
        d[k] = trains_own ? own : d[k];
    }
}

FRS_INLINE void step_rows(const struct frs_additive *model, const struct frs_additive_settings *settings,
    const struct scratch *s, size_t from, size_t to, enum frs_sparsity sparsity, bool both) {
    bool shared = both || settings->trains_shared, own = both || settings->trains_own;
    for (size_t i = from; i < to; i++) {
        struct row_step step = s->steps[i];
        if (s->kept < 1 || step.move != 0 || step.pull != 0 || step.shrink != 0)
            step_row(model->shared + i * model->stride, model->own + i * model->stride, s->w, model->stride,
                step, s->kept, settings->bound, shared, own, sparsity);
    }
}

static void take_steps(const struct frs_additive *model, const struct frs_additive_settings *settings,
    const struct scratch *s, size_t from, size_t to) {
    if (!settings->trains_shared || !settings->trains_own)
        step_rows(model, settings, s, from, to, settings->sparsity, false);
    else if (settings->sparsity == FRS_SPARSITY_SUBGRADIENT)
        step_rows(model, settings, s, from, to, FRS_SPARSITY_SUBGRADIENT, true);
    else if (settings->sparsity == FRS_SPARSITY_PROXIMAL)
        step_rows(model, settings, s, from, to, FRS_SPARSITY_PROXIMAL, true);
    else
        step_rows(model, settings, s, from, to, FRS_SPARSITY_SQUARED, true);
}

FRS_INLINE float sum_lanes(float *sum) {
    for (size_t half = LANES / 2; half >= 1; half /= 2)
        for (size_t j = 0; j < half; j++)
            sum[j] += sum[j + half];
    return sum[0];
}

/* c + d */
FRS_INLINE frs_lanes value_at(const struct frs_additive *model, size_t place) {
    return frs_lanes_of(model->shared)[place] + frs_lanes_of(model->own)[place];
}

/* score[i] = w · (c_i + d_i) + b, and b up to a whole register */
static void score_rows(const struct frs_additive *model, const struct scratch *s, size_t from, size_t to) {
    size_t pieces = model->stride / FRS_WIDTH;
    const frs_lanes *w = frs_lanes_of(model->w);
    for (size_t i = from; i < to; i += FRS_WIDTH) {
        frs_lanes sums[FRS_WIDTH] = {0};
        for (size_t j = 0; j < FRS_WIDTH && i + j < to; j++)
            for (size_t k = 0; k < pieces; k++)
                sums[j] += w[k] * value_at(model, (i + j) * pieces + k);
        *frs_lanes_at(s->score + i) = frs_lanes_sums(sums) + model->offset;
    }
}

static void find_coefficients(const struct scratch *s, size_t from, size_t to, bool saturates) {
    if (!saturates) {
        frs_bce_coefficients(
            s->score + from, s->count + from, s->positive + from, to - from, s->coefficient + from);
        return;
    }
    for (size_t i = from; i < to; i++) {
        float sigma = 1 / (1 + frs_exponential(-frs_clamp_logit(s->score[i])));
        float spread = sigma * (1 - sigma) * 1e12f;
        s->coefficient[i] = (s->count[i] * sigma - s->positive[i]) * (spread < 1 ? spread : 1);
    }
}

/* ∂w, and ∂b over the block up to its end, where coefficients are zero. Several sums run in parallel to
 * hide the latency of an addition. */
static void add_gradient(const struct frs_additive *model, struct scratch *s, size_t from, size_t to) {
    size_t pieces = model->stride / FRS_WIDTH, i;
    const float *c = s->coefficient;
    for (size_t k = 0; k < pieces; k++) {
        frs_lanes sum[4] = {frs_lanes_of(s->gradient)[k]};
        for (i = from; i + 4 <= to; i += 4)
            for (size_t j = 0; j < 4; j++)
                sum[j] += c[i + j] * value_at(model, (i + j) * pieces + k);
        for (; i < to; i++)
            sum[0] += c[i] * value_at(model, i * pieces + k);
        frs_lanes_at(s->gradient)[k] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
    frs_lanes offset = {0};
    for (i = from; i < from + BLOCK; i += FRS_WIDTH)
        offset += *frs_lanes_of(c + i);
    s->gradient_offset += frs_lanes_sum(offset);
}

/* −λ · distance + μ · sparsity of the batch's rows among these, as its samples weigh them. */
FRS_INLINE double penalty_of(const struct frs_additive *model, const struct frs_additive_settings *settings,
    const struct scratch *s, size_t from, size_t to, bool squared) {
    size_t pieces = model->stride / FRS_WIDTH;
    frs_lanes sizes = {0}, gaps = {0}, most = settings->bound * settings->bound - (frs_lanes){0};
    for (size_t i = from; i < to; i++) {
        float weight = settings->mean ? s->count[i] / (float)model->dim : s->count[i] > 0 ? 1 : 0;
        for (size_t k = i * pieces; k < (i + 1) * pieces && weight > 0; k++) {
            frs_lanes c = frs_lanes_of(model->shared)[k], gap = frs_lanes_of(model->own)[k] - c;
            frs_lanes square = gap * gap, absolute = (frs_lanes)((frs_lanes_bits)c & INT32_MAX);
            frs_lanes_bits counts = frs_lanes_below(square, most);
            gaps +=
                weight * (frs_lanes)((counts & (frs_lanes_bits)square) | (~counts & (frs_lanes_bits)most));
            if (squared)
                sizes += weight * c * c;
            else
                sizes += weight * absolute;
        }
    }
    return (double)(settings->mu * frs_lanes_sum(sizes) - settings->lambda * frs_lanes_sum(gaps));
}

static double penalty(const struct frs_additive *model, const struct frs_additive_settings *settings,
    const struct scratch *s, size_t from, size_t to) {
    if (settings->sparsity == FRS_SPARSITY_SQUARED)
        return penalty_of(model, settings, s, from, to, true);
    return penalty_of(model, settings, s, from, to, false);
}

/* torch cuts the logarithms of a saturated sigmoid off at −100; the clamped score does so at −80. */
static double summed_loss(const struct scratch *s, size_t n) {
    double sum = 0;
    for (size_t at = 0; at < n; at += BLOCK) {
        float block[LANES] = {0};
        for (size_t i = at; i < at + BLOCK; i += LANES)
            for (size_t j = 0; j < LANES; j++)
                block[j] += frs_bce_loss(s->score[i + j], s->count[i + j], s->positive[i + j]);
        sum += (double)sum_lanes(block);
    }
    return sum;
}

/* Turns coefficients into the steps that the batch asks for. */
static void plan_steps(const struct frs_additive *model, const struct frs_additive_settings *settings,
    const struct scratch *s, size_t batch, float rate) {
    float per_sample = settings->mean ? 1 / (float)batch : 1;
    float per_column = per_sample / (settings->mean ? (float)model->dim : 1);
    for (size_t i = 0; i < model->n_rows; i++) {
        float times = settings->mean ? s->count[i] : s->count[i] > 0 ? 1 : 0;
        s->steps[i] = (struct row_step){.move = rate * per_sample * s->coefficient[i],
            .pull = 2 * rate * settings->lambda * per_column * times,
            .shrink = rate * settings->mu * per_column * times};
    }
}

static void step_vector(struct frs_additive *model, const struct frs_additive_settings *settings,
    const struct scratch *s, size_t batch, float rate) {
    float scale = settings->mean ? 1 / (float)batch : 1;
    for (size_t k = 0; k < model->dim; k++)
        model->w[k] -= rate * (scale * s->gradient[k] + settings->weight_decay * model->w[k]);
    if (settings->has_offset)
        model->offset -= rate * (scale * s->gradient_offset + settings->weight_decay * model->offset);
}

static double batch_flop(
    const struct frs_additive_settings *settings, double dim, double distinct, double rows) {
    double tables = settings->trains_shared + settings->trains_own;
    double per_value = 6 + 2 * tables + (settings->lambda > 0 ? 5 : 0) + (settings->mu > 0 ? 3 : 0);
    return distinct * (per_value * dim + 6) + (settings->weight_decay > 0 ? tables * dim * rows : 0) +
           4 * dim;
}

/* Carries out the pending steps and computes this batch's scores, coefficients and gradient, block by
 * block; on request also the penalty, which it returns. */
static double pass(const struct frs_additive *model, const struct frs_additive_settings *settings,
    bool with_penalty, struct scratch *s) {
    double total = 0;
    memset(s->gradient, 0, model->stride * sizeof(float));
    s->gradient_offset = 0;
    for (size_t at = 0; at < model->n_rows; at += BLOCK) {
        size_t end = at + BLOCK < model->n_rows ? at + BLOCK : model->n_rows;
        if (s->pending)
            take_steps(model, settings, s, at, end);
        score_rows(model, s, at, end);
        if (with_penalty)
            total += penalty(model, settings, s, at, end);
        find_coefficients(s, at, at + BLOCK, settings->saturates);
        add_gradient(model, s, at, end);
    }
    return total;
}

static double train_batch(struct frs_additive *model, const struct frs_additive_settings *settings,
    const uint32_t *samples, size_t n, double decay, bool with_loss, struct scratch *s,
    struct frs_additive_result *result) {
    float rate = (float)((double)settings->item_rate * decay);
    size_t distinct = count_batch(samples, n, model->n_rows, s);
    double loss = pass(model, settings, with_loss && (settings->lambda > 0 || settings->mu > 0), s);
    if (with_loss)
        loss += summed_loss(s, (model->n_rows + BLOCK - 1) / BLOCK * BLOCK);
    memcpy(s->w, model->w, model->stride * sizeof(float));
    plan_steps(model, settings, s, n, rate);
    step_vector(model, settings, s, n, (float)((double)settings->vector_rate * decay));
    s->kept = 1 - rate * settings->weight_decay;
    s->pending = true;
    result->kept *= (double)s->kept;
    result->flop += batch_flop(settings, (double)model->dim, (double)distinct, (double)model->n_rows);
    return loss;
}

FRS_KERNEL(struct frs_additive_result, frs_additive_train,
    (struct frs_additive * model, struct frs_samples *samples, const struct frs_additive_settings *settings,
        struct frs_rng *shuffle, struct frs_arena *arena)) {
    struct frs_additive_result result = {.kept = 1};
    if (samples->n == 0)
        return result;
    unsigned before = frs_flush_begin();
    struct scratch s = take_scratch(model, arena);
    double decay = 1, total = 0, mean = 0;
    struct frs_extent extent = frs_extent_of(settings->epochs, settings->steps, samples->n, settings->batch);
    if (settings->limit > 0 && settings->limit < extent.passes)
        extent = (struct frs_extent){settings->limit, samples->n};
    for (size_t epoch = 0; epoch < extent.passes; epoch++) {
        bool with_loss = epoch + 1 == extent.passes || settings->early_stop > 0;
        double loss = 0;
        size_t n_samples = frs_extent_of_pass(extent, epoch, samples->n);
        frs_samples_shuffle(samples, n_samples < samples->n ? 1 : settings->batch, shuffle);
        for (size_t at = 0; at < n_samples; at += settings->batch, decay *= (double)settings->rate_decay) {
            size_t n = n_samples - at < settings->batch ? n_samples - at : settings->batch;
            loss += train_batch(model, settings, samples->samples + at, n, decay, with_loss, &s, &result);
        }
        result.epochs = epoch + 1;
        result.samples += n_samples;
        result.loss = loss / (double)n_samples;
        total += result.loss;
        double previous = mean;
        mean = total / (double)result.epochs;
        if (epoch > 0 && fabs(mean - previous) < (double)settings->early_stop * fabs(previous))
            break;
    }
    take_steps(model, settings, &s, 0, model->n_rows);
    size_t values = model->n_rows * model->stride;
    if (!frs_all_finite(model->w, model->stride) || !isfinite(model->offset) ||
        !frs_all_finite(model->shared, values) || !frs_all_finite(model->own, values))
        result.loss = NAN;
    frs_flush_end(before);
    return result;
}
