#include "algorithms/kernels/steps/sign_adam.h"
#include "algorithms/kernels/adam.h"
#include "algorithms/kernels/compare.h"
#include "algorithms/kernels/flush.h"
#include "algorithms/kernels/lanes.h"
#include "algorithms/kernels/logistic.h"
#include "algorithms/kernels/steps/tally.h"

#define TERMS FRS_SIGN_TERMS
#define TINY 1e-18f /* a |p_k| below moves nothing, and its inverse stays a float */
#define BLOCK 64u   /* rows whose coefficients are found together */

struct state {
    const struct frs_sign_adam *model;
    size_t stride, terms;
    float *score, *m, *v; /* [stride]; gradients in units of ε */
    float *moved;         /* [stride × terms] Σ rate M / √V r^n, lanes of a term side by side */
    uint32_t *tally;      /* [stride] of the batch */
    uint8_t *seen;        /* [stride] in any batch so far */
    uint32_t *marked;     /* [stride] rows of the batch that are stepped element by element */
    size_t n_seen;
    float scale;                  /* of a summed gradient */
    struct frs_adam_step adam;    /* of this batch, ε in its units */
    float least;                  /* min |p_k| but for zeros */
    float weights[TERMS];         /* b_n Σ_k |p_k| w_k^n */
    float *sign, *size, *inverse; /* [pitch] sign(p_k), |p_k|, 1/|p_k| */
};

/* b_n: (1 − T(2x/L − 1) / T(−2/L − 1)) / (1 + x) with L = FRS_SIGN_LIMIT and T = Chebyshev's polynomial of
 * degree TERMS, so that the relative error is −1 / T(−2/L − 1) = 3.9e-7 at most, and equally large at all its
 * peaks. */
static const float nearest[TERMS] = {0.99999961f, -0.99990158f, 0.99598040f, -0.94108384f, 0.62738923f};

static float *take(struct frs_arena *arena, size_t n) {
    return frs_arena_take_zeroed(arena, n, sizeof(float));
}

/* A single term is exact. */
static float factor_of(const struct state *s, size_t n) {
    return s->terms == 1 ? 1 : nearest[n];
}

/* What there is to know of p. */
static void weigh(struct state *s) {
    const struct frs_sign_adam *model = s->model;
    float tiny = model->relative ? 0 : TINY;
    s->least = INFINITY;
    for (size_t k = 0; k < frs_lanes_pad(model->dim); k++) {
        float p = k < model->dim ? model->p[k] : 0;
        s->size[k] = fabsf(p) > tiny ? fabsf(p) : p != p ? p : 0;
        s->sign[k] = s->size[k] > 0 ? copysignf(1, p) : 0;
        s->inverse[k] = 1 / fmaxf(s->size[k], TINY);
        if (s->size[k] > 0 && s->size[k] < s->least)
            s->least = s->size[k];
    }
    for (size_t k = 0; k < model->dim; k++) {
        float power = s->size[k];
        for (size_t n = 0; n < s->terms && s->size[k] != 0; n++, power *= s->least * s->inverse[k])
            s->weights[n] += factor_of(s, n) * power;
    }
}

/* score[i] = p · row i */
static void find_scores(struct state *s) {
    size_t pieces = frs_lanes_pad(s->model->dim) / FRS_WIDTH, n = s->model->n_rows;
    const frs_lanes *p = frs_lanes_of(s->model->p), *rows = frs_lanes_of(s->model->rows);
    for (size_t i = 0; i < n; i += FRS_WIDTH) {
        frs_lanes sums[FRS_WIDTH] = {0};
        for (size_t j = 0; j < FRS_WIDTH && i + j < n; j++)
            for (size_t k = 0; k < pieces; k++)
                sums[j] += p[k] * rows[(i + j) * pieces + k];
        *frs_lanes_at(s->score + i) = frs_lanes_sums(sums);
    }
}

static struct state begin(const struct frs_sign_adam *model, struct frs_arena *arena) {
    size_t stride = frs_lanes_pad(model->n_rows), pitch = frs_lanes_pad(model->dim);
    struct state s = {.model = model, .stride = stride, .terms = model->relative ? 1 : TERMS};
    s.score = take(arena, stride);
    s.m = take(arena, stride);
    s.v = take(arena, stride);
    s.moved = take(arena, stride * s.terms);
    s.tally = frs_arena_take(arena, stride, sizeof *s.tally);
    s.seen = frs_arena_take_zeroed(arena, stride, 1);
    s.marked = frs_arena_take(arena, stride, sizeof *s.marked);
    s.sign = take(arena, pitch);
    s.size = take(arena, pitch);
    s.inverse = take(arena, pitch);
    weigh(&s);
    find_scores(&s);
    return s;
}

/* How many rows batches have touched so far: all of them after one epoch. */
static size_t count_seen(struct state *s) {
    size_t seen = 0;
    for (size_t i = 0; i < s->stride; i++) {
        s->seen[i] |= s->tally[i] > 0;
        seen += s->seen[i];
    }
    return seen;
}

static double summed_loss(const struct state *s) {
    float loss[FRS_LANES] = {0};
    for (size_t i = 0; i < s->stride; i += FRS_LANES)
        for (size_t j = 0; j < FRS_LANES; j++)
            loss[j] += frs_bce_loss(
                s->score[i + j], frs_tally_count(s->tally, i + j), frs_tally_positive(s->tally, i + j));
    double sum = 0;
    for (size_t j = 0; j < FRS_LANES; j++)
        sum += (double)loss[j];
    return sum;
}

/* The steps of these rows element by element: rate M / (√V + ε / |p_k|). */
FRS_INLINE void step_elements(const struct state *s, const uint32_t *rows, size_t n, const size_t pieces) {
    const frs_lanes *sign = frs_lanes_of(s->sign), *size = frs_lanes_of(s->size),
                    *inverse = frs_lanes_of(s->inverse);
    for (size_t i = 0; i < n; i += FRS_WIDTH) {
        size_t members = n - i < FRS_WIDTH ? n - i : FRS_WIDTH;
        frs_lanes sums[FRS_WIDTH] = {0};
        for (size_t j = 0; j < members; j++) {
            frs_lanes sum = {0};
            float rate = s->adam.rate * s->m[rows[i + j]], root = sqrtf(s->v[rows[i + j]]);
            frs_lanes *x = frs_lanes_at(s->model->rows) + rows[i + j] * pieces;
            for (size_t k = 0; k < pieces; k++) {
                frs_lanes step = rate * frs_lanes_reciprocal(root + s->adam.epsilon * inverse[k]);
                x[k] -= sign[k] * step;
                sum += size[k] * step;
            }
            sums[j] = sum;
        }
        frs_lanes moves = frs_lanes_sums(sums);
        for (size_t j = 0; j < members; j++)
            s->score[rows[i + j]] -= moves[j];
    }
}

static void step_marked(const struct state *s, size_t n) {
    size_t pitch = frs_lanes_pad(s->model->dim);
    if (pitch == 16)
        step_elements(s, s->marked, n, 16 / FRS_WIDTH);
    else
        step_elements(s, s->marked, n, pitch / FRS_WIDTH);
}

/* Adds the rows from `at` on that `left` marks to `marked`, of which there are n. Returns how many there are
 * then. */
FRS_INLINE size_t mark(const struct state *s, size_t at, frs_lanes_bits left, size_t n) {
    for (uint32_t mask = frs_lanes_mask(left); mask; mask &= mask - 1)
        s->marked[n++] = (uint32_t)at + (uint32_t)__builtin_ctz(mask);
    return n;
}

/* Steps one register of rows from `at` on, by their moments; absolute ε. Returns which of them have to be
 * stepped element by element and have not moved yet. Rows that were never touched have no moments and are
 * not among them. */
FRS_INLINE frs_lanes_bits step_absolute(const struct state *s, size_t at, frs_lanes m, frs_lanes v) {
    frs_lanes y = frs_lanes_rsqrt(v), r = s->adam.epsilon / s->least * y, power = s->adam.rate * m * y;
    frs_lanes limit = FRS_SIGN_LIMIT - (frs_lanes){0}, *moved = frs_lanes_at(s->moved + at * TERMS);
    frs_lanes_bits beyond = frs_lanes_below(limit, r);
    r = (frs_lanes)((frs_lanes_bits)r & ~beyond);
    power = (frs_lanes)((frs_lanes_bits)power & ~beyond);
    frs_lanes sum = s->weights[TERMS - 1] - (frs_lanes){0};
    for (int n = TERMS - 2; n >= 0; n--)
        sum = sum * r + s->weights[n];
    *frs_lanes_at(s->score + at) -= power * sum;
    for (int n = 0; n < TERMS; n++, power *= r)
        moved[n] += power;
    return beyond & (frs_lanes_bits)m;
}

FRS_INLINE void step_relative(const struct state *s, size_t at, frs_lanes m, frs_lanes v) {
    frs_lanes step = s->adam.rate * m / (v * frs_lanes_rsqrt(v) + s->adam.epsilon);
    *frs_lanes_at(s->moved + at) += step;
    *frs_lanes_at(s->score + at) -= step * s->weights[0];
}

/* Returns how many rows the batch has. Rows that no batch has touched have moments of zero and stay where
 * they are. */
FRS_INLINE double step(const struct state *s, const bool relative) {
    frs_lanes_bits distinct = {0};
    size_t n_marked = 0; /* all of them at the end: no row's step is another one's matter */
    for (size_t at = 0; at < s->stride; at += BLOCK) {
        size_t n = s->stride - at < BLOCK ? s->stride - at : BLOCK;
        _Alignas(64) float count[BLOCK], positive[BLOCK], g[BLOCK];
        for (size_t i = 0; i < n; i++) {
            count[i] = frs_tally_count(s->tally, at + i);
            positive[i] = frs_tally_positive(s->tally, at + i);
        }
        frs_bce_coefficients(s->score + at, count, positive, n, g);
        for (size_t i = 0; i < n; i += FRS_WIDTH) {
            frs_lanes gradient = s->scale * *frs_lanes_of(g + i);
            frs_lanes m = FRS_ADAM_BETA1 * *frs_lanes_of(s->m + at + i) + gradient;
            frs_lanes v = FRS_ADAM_BETA2 * *frs_lanes_of(s->v + at + i) + gradient * gradient;
            *frs_lanes_at(s->m + at + i) = m;
            *frs_lanes_at(s->v + at + i) = v;
            distinct -= frs_lanes_below((frs_lanes){0}, *frs_lanes_of(count + i));
            if (relative)
                step_relative(s, at + i, m, v);
            else
                n_marked = mark(s, at + i, step_absolute(s, at + i, m, v), n_marked);
        }
    }
    if (n_marked > 0)
        step_marked(s, n_marked);
    double sum = 0;
    for (size_t j = 0; j < FRS_WIDTH; j++)
        sum += distinct[j];
    return sum;
}

static double step_rows(const struct state *constants) {
    const struct state s = *constants; /* a copy, which the stores cannot change */
    return s.model->relative ? step(&s, true) : step(&s, false);
}

/* q_i −= Σ_n moved[n] b_n w^n sign(p) */
static void apply(const struct state *s) {
    size_t pitch = frs_lanes_pad(s->model->dim);
    for (size_t k = 0; k < pitch; k += FRS_WIDTH) {
        frs_lanes power[TERMS] = {*frs_lanes_of(s->sign + k)};
        for (size_t j = 0; j < FRS_WIDTH; j++)
            for (size_t n = 1; n < s->terms && s->size[k + j] != 0; n++)
                power[n][j] = power[n - 1][j] * s->least * s->inverse[k + j];
        for (size_t n = 0; n < s->terms; n++)
            power[n] *= factor_of(s, n);
        for (size_t i = 0; i < s->model->n_rows; i++) {
            const float *moved = s->moved + i / FRS_WIDTH * FRS_WIDTH * s->terms + i % FRS_WIDTH;
            frs_lanes sum = power[0] * moved[0];
            for (size_t n = 1; n < s->terms; n++)
                sum += power[n] * moved[n * FRS_WIDTH];
            *frs_lanes_at(s->model->rows + i * pitch + k) -= sum;
        }
    }
}

static double batch_flop(const struct state *s, double b) {
    double seen = (double)s->n_seen, dim = (double)s->model->dim;
    return s->model->relative ? 6 * b + 16 * seen : (6 + 2 * dim) * b + 14 * dim * seen;
}

/* Of the first n samples. */
static double train_epoch(struct state *s, const struct frs_samples *samples, size_t n_samples,
    const struct frs_bce_mf_settings *settings, bool first, bool with_loss, struct frs_adam_clock *clock,
    double *flop) {
    double loss = 0;
    for (size_t at = 0; at < n_samples; at += settings->batch) {
        size_t n = n_samples - at < settings->batch ? n_samples - at : settings->batch;
        if (first || samples->n > settings->batch || n_samples < samples->n)
            frs_tally_fill(s->tally, s->stride, samples->samples + at, n);
        if (first)
            s->n_seen = count_seen(s);
        if (with_loss)
            loss += summed_loss(s);
        s->adam = frs_adam_clock_next(clock, (double)settings->item_rate);
        s->adam.epsilon /= FRS_ADAM_EPSILON;
        s->scale = settings->gradient_scale / ((float)n * FRS_ADAM_EPSILON);
        *flop += batch_flop(s, step_rows(s));
    }
    return loss / (double)n_samples;
}

FRS_KERNEL(struct frs_bce_mf_result, frs_sign_adam_train,
    (const struct frs_sign_adam *model, struct frs_samples *samples,
        const struct frs_bce_mf_settings *settings, struct frs_rng *shuffle, struct frs_arena *arena)) {
    struct frs_bce_mf_result result = {0};
    if (samples->n == 0)
        return result;
    if (!frs_all_finite(model->p, model->dim)) {
        result.loss = NAN;
        return result;
    }
    unsigned before = frs_flush_begin();
    struct state s = begin(model, arena);
    struct frs_adam_clock clock = {0};
    struct frs_extent extent = frs_bce_mf_extent(settings, samples->n);
    for (size_t epoch = 0; epoch < extent.passes; epoch++) {
        size_t n = frs_extent_of_pass(extent, epoch, samples->n);
        bool with_loss = epoch == 0 || epoch + 1 == extent.passes || settings->early_stop > 0;
        frs_samples_shuffle(samples, n < samples->n ? 1 : settings->batch, shuffle);
        double loss = train_epoch(&s, samples, n, settings, epoch == 0, with_loss, &clock, &result.flop);
        double previous = result.loss;
        result.epochs = epoch + 1;
        result.samples += n;
        if (!with_loss)
            continue;
        result.loss = loss;
        if (epoch == 0)
            result.first_loss = loss;
        else if (fabs(previous - loss) < (double)settings->early_stop * fabs(previous))
            break;
    }
    apply(&s);
    if (!frs_all_finite(model->rows, model->n_rows * frs_lanes_pad(model->dim)) ||
        !frs_all_finite(s.score, s.stride))
        result.loss = NAN;
    frs_flush_end(before);
    return result;
}
