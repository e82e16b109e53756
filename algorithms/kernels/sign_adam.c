#include "algorithms/kernels/sign_adam.h"
#include "algorithms/kernels/adam.h"
#include "sim/base/clones.h"
#include "algorithms/kernels/flush.h"
#include "algorithms/kernels/lanes.h"
#include "algorithms/kernels/logistic.h"

#define LANES FRS_LANES

struct scratch {
    float *count, *positive; /* of the current batch [stride] */
    float *m, *v;            /* [stride] */
    float *seen;             /* [stride] 1 for rows of any batch so far */
    size_t n_seen, distinct;
};

/* Both numbers, from the counts. */
FRS_CLONES static void count_rows(struct scratch *s, size_t stride) {
    uint32_t distinct = 0, seen = 0;
    for (size_t i = 0; i < stride; i++) {
        float touched = s->count[i] > 0 ? 1 : 0;
        s->seen[i] = touched > s->seen[i] ? touched : s->seen[i];
        distinct += touched > 0;
        seen += s->seen[i] > 0;
    }
    s->distinct = distinct;
    s->n_seen = seen;
}

static void count_batch(const uint32_t *samples, size_t n, size_t stride, struct scratch *s) {
    memset(s->count, 0, stride * sizeof(float));
    memset(s->positive, 0, stride * sizeof(float));
    for (size_t i = 0; i < n; i++) {
        s->count[samples[i] >> 1] += 1;
        s->positive[samples[i] >> 1] += (float)(samples[i] & 1);
    }
    count_rows(s, stride);
}

FRS_CLONES static double summed_loss(const struct frs_sign_adam *model, const struct scratch *s) {
    float loss[LANES] = {0};
    for (size_t i = 0; i < model->stride; i += LANES)
        for (size_t j = 0; j < LANES; j++)
            loss[j] += frs_bce_loss(model->score[i + j], s->count[i + j], s->positive[i + j]);
    double sum = 0;
    for (size_t j = 0; j < LANES; j++)
        sum += (double)loss[j];
    return sum;
}

/* Rows no batch has touched have moments of zero and stay where they are. */
FRS_CLONES static void step(const struct scratch *s, size_t n, float *score, float *shift, float norm,
    float scale, struct frs_adam_step adam) {
    for (size_t i = 0; i < n; i += LANES) {
        float g[LANES];
        for (size_t j = 0; j < LANES; j++)
            g[j] = scale * frs_bce_coefficient(score[i + j], s->count[i + j], s->positive[i + j]);
        frs_lanes gradient, *m = frs_lanes_at(s->m + i), *v = frs_lanes_at(s->v + i);
        memcpy(&gradient, g, sizeof g);
        *m = FRS_ADAM_BETA1 * *m + gradient;
        *v = FRS_ADAM_BETA2 * *v + gradient * gradient;
        frs_lanes moved = adam.rate * *m / (*v * frs_lanes_rsqrt(*v) + adam.epsilon);
        *frs_lanes_at(shift + i) -= moved;
        *frs_lanes_at(score + i) -= moved * norm;
    }
}

static bool all_finite(const float *values, size_t n) {
    bool finite = true;
    for (size_t i = 0; i < n; i++)
        finite &= isfinite(values[i]) != 0;
    return finite;
}

static double train_epoch(struct frs_sign_adam *model, const struct frs_samples *samples,
    const struct frs_bce_mf_settings *settings, size_t epoch, bool with_loss, struct scratch *s,
    double *flop) {
    double loss = 0;
    size_t n_batches = (samples->n + settings->batch - 1) / settings->batch;
    for (size_t b = 0; b < n_batches; b++) {
        size_t at = b * settings->batch;
        size_t batch = samples->n - at < settings->batch ? samples->n - at : settings->batch;
        if (epoch == 0 || n_batches > 1)
            count_batch(samples->samples + at, batch, model->stride, s);
        if (with_loss)
            loss += summed_loss(model, s);
        step(s, model->stride, model->score, model->shift, model->norm, 1 / (float)batch,
            frs_adam_step((double)settings->item_rate, (unsigned)(epoch * n_batches + b + 1)));
        *flop += 6 * (double)s->distinct + 16 * (double)s->n_seen;
    }
    return loss;
}

struct frs_bce_mf_result frs_sign_adam_train(struct frs_sign_adam *model, struct frs_samples *samples,
    const struct frs_bce_mf_settings *settings, struct frs_rng *shuffle, struct frs_arena *arena) {
    struct frs_bce_mf_result result = {0};
    if (samples->n == 0)
        return result;
    unsigned before = frs_flush_begin();
    struct scratch s = {.count = frs_arena_take(arena, model->stride, sizeof(float)),
        .positive = frs_arena_take(arena, model->stride, sizeof(float)),
        .m = frs_arena_take_zeroed(arena, model->stride, sizeof(float)),
        .v = frs_arena_take_zeroed(arena, model->stride, sizeof(float)),
        .seen = frs_arena_take_zeroed(arena, model->stride, sizeof(float))};
    for (size_t epoch = 0; epoch < settings->epochs; epoch++) {
        bool with_loss = epoch == 0 || epoch + 1 == settings->epochs || settings->early_stop > 0;
        frs_samples_shuffle(samples, settings->batch, shuffle);
        double loss = train_epoch(model, samples, settings, epoch, with_loss, &s, &result.flop);
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
    if (!all_finite(model->shift, model->stride) || !all_finite(model->score, model->stride))
        result.loss = NAN;
    frs_flush_end(before);
    return result;
}

FRS_CLONES void frs_sign_adam_apply(
    float *rows, const float *shift, const float *p, size_t dim, size_t n_rows) {
    size_t pitch = frs_lanes_pad(dim);
    for (size_t k = 0; k < pitch; k += FRS_LANES) {
        frs_lanes sign = {0};
        for (size_t j = 0; j < FRS_LANES && k + j < dim; j++)
            sign[j] = p[k + j] > 0 ? 1 : p[k + j] < 0 ? -1 : 0;
        for (size_t i = 0; i < n_rows; i++)
            *frs_lanes_at(rows + i * pitch + k) += shift[i] * sign;
    }
}

FRS_CLONES void frs_sign_adam_scores(
    const float *rows, const float *p, size_t dim, size_t n_rows, float *score) {
    size_t pieces = frs_lanes_pad(dim) / FRS_LANES;
    for (size_t i = 0; i < n_rows; i++) {
        const frs_lanes *row = frs_lanes_of(rows) + i * pieces;
        frs_lanes sum = {0};
        for (size_t k = 0; k < pieces; k++)
            sum += frs_lanes_of(p)[k] * row[k];
        score[i] = frs_lanes_sum(sum);
    }
}
