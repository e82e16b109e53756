#include "algorithms/kernels/steps/bce_mf.h"
#include "algorithms/kernels/adam.h"
#include "algorithms/kernels/steps/bce_mf_internal.h"
#include "algorithms/kernels/columns.h"
#include "algorithms/kernels/compare.h"
#include "algorithms/kernels/flush.h"
#include "algorithms/kernels/logistic.h"
#include "sim/base/errors.h"
#include "sim/base/numbers/levels.h"

#include <math.h>
#include <string.h>

struct scratch {
    struct frs_bce_pass pass;
    struct frs_adam_clock clock;
    float *user_gradient;         /* ∂p [pitch] */
    float *user_m, *user_v;       /* [pitch] */
    float *project_gradient;      /* ∂P [dim × rank] */
    float *project_m, *project_v; /* [dim × rank] */
    float bias_m, bias_v;
};

static size_t pitch_of(const struct frs_bce_mf *model) {
    return frs_lanes_pad(model->dim);
}

static float *zeros(struct frs_arena *arena, size_t n) {
    return frs_arena_take_zeroed(arena, n, sizeof(float));
}

/* A row is in every epoch, so its gradients are less than two epochs apart. */
static void take_adam(struct frs_bce_pass *pass, size_t passes, size_t n_batches, struct frs_arena *arena) {
    const struct frs_bce_mf *model = pass->model;
    const struct frs_bce_mf_settings *settings = pass->settings;
    size_t n = model->rows ? model->n_rows * pitch_of(model) : model->rank * model->stride;
    pass->m = zeros(arena, n);
    pass->v = zeros(arena, n);
    if (!model->rows)
        return;
    pass->lazy =
        frs_lazy_adam_create((double)settings->item_rate, passes * n_batches, 2 * n_batches - 1, arena);
    pass->lazy_rows = (struct frs_lazy_rows){.pitch = pitch_of(model),
        .x = model->rows,
        .m = pass->m,
        .v = pass->v,
        .marks = frs_arena_take_zeroed(arena, model->n_rows, sizeof(struct frs_lazy_mark))};
    size_t pitch = pitch_of(model);
    pass->idle = zeros(arena, FRS_LANES);
    for (size_t k = model->dim; k < pitch; k++) {
        pass->idle[k + FRS_LANES - pitch] = 1;
        for (size_t i = 0; i < model->n_rows; i++)
            pass->v[i * pitch + k] = 1;
    }
}

static void take_factors(struct frs_bce_pass *pass, size_t members, struct frs_arena *arena) {
    const struct frs_bce_mf *model = pass->model;
    pass->frozen_rows = frs_arena_take(arena, members, sizeof *pass->frozen_rows);
    pass->vector = zeros(arena, model->rank);
    pass->factor_sums = zeros(arena, model->rank);
    pass->dense_score = zeros(arena, model->stride);
    pass->dense_coefficient = zeros(arena, model->stride);
    pass->dense_decay = zeros(arena, model->stride);
    if (pass->settings->whole_decay > 0 && pass->settings->weight_decay > 0) {
        FRS_INVARIANT(!model->trained_project, "decay of whole rows under a projection that moves");
        pass->frozen_share = zeros(arena, model->rank * model->stride);
        frs_bce_project_frozen(pass, arena);
    }
}

static struct scratch take_scratch(const struct frs_bce_mf *model, const struct frs_bce_mf_settings *settings,
    size_t passes, size_t n_samples, struct frs_arena *arena) {
    size_t pitch = pitch_of(model), size = model->dim * model->rank;
    size_t largest = n_samples < settings->batch ? n_samples : settings->batch;
    struct scratch s = {.pass = {.model = model, .settings = settings}};
    s.pass.batch = frs_batch_create(model->n_rows, largest, arena);
    size_t members = frs_lanes_pad(largest);
    s.pass.score = zeros(arena, members);
    s.pass.coefficient = zeros(arena, members);
    s.pass.step = zeros(arena, members);
    s.pass.row_sums = zeros(arena, pitch);
    s.pass.scaled_p = zeros(arena, pitch);
    s.user_gradient = zeros(arena, pitch);
    s.user_m = zeros(arena, pitch);
    s.user_v = zeros(arena, pitch);
    if (model->factors)
        take_factors(&s.pass, members, arena);
    if (model->trained_project) {
        s.project_gradient = zeros(arena, size);
        s.project_m = zeros(arena, size);
        s.project_v = zeros(arena, size);
    }
    if (settings->optimiser == FRS_ADAM)
        take_adam(&s.pass, passes, (n_samples + settings->batch - 1) / settings->batch, arena);
    return s;
}

/* The summed loss n_i·softplus(s_i) − positives_i·s_i of the rows of the batch. */
FRS_CLONES static double summed_loss(
    const float *score, const float *count, const float *positive, size_t n) {
    float loss[FRS_LANES] = {0};
    for (size_t i = 0; i < n; i += FRS_LANES)
        for (size_t j = 0; j < FRS_LANES; j++)
            loss[j] += frs_bce_loss(score[i + j], count[i + j], positive[i + j]);
    double sum = 0;
    for (size_t j = 0; j < FRS_LANES; j++)
        sum += (double)loss[j];
    return sum;
}

static float sum_all(const float *values, size_t n) {
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum;
}

/* How values move whose gradients, summed over the batch, are g. */
struct vector_step {
    float scale, rate, decay;
    const struct frs_adam_step *adam; /* NULL: SGD */
};

FRS_CLONES static void step_values(float *restrict x, const float *restrict g, float *restrict m,
    float *restrict v, size_t n, const struct vector_step *step) {
    float scale = step->scale, decay = step->decay;
    if (!step->adam) {
        for (size_t i = 0; i < n; i++)
            x[i] -= step->rate * (scale * g[i] + decay * x[i]);
        return;
    }
    float rate = step->rate * step->adam->rate, epsilon = step->adam->epsilon;
    for (size_t i = 0; i < n; i++) {
        float gradient = scale * g[i] + decay * x[i];
        m[i] = FRS_ADAM_BETA1 * m[i] + gradient;
        v[i] = FRS_ADAM_BETA2 * v[i] + gradient * gradient;
        x[i] -= rate * m[i] / (sqrtf(v[i]) + epsilon);
    }
}

/* ∂p = Σ c_i (f_i + t_i), in parts where t_i = P a_i; ∂P = p (Σ c_i a_i)ᵀ. */
static void find_gradients(const struct frs_bce_mf *model, struct scratch *s) {
    const float *sums = s->pass.factor_sums;
    memcpy(s->user_gradient, s->pass.row_sums, model->dim * sizeof(float));
    if (!model->factors)
        return;
    for (size_t k = 0; k < model->dim; k++)
        for (size_t j = 0; j < model->rank; j++)
            s->user_gradient[k] += model->project[k * model->rank + j] * sums[j];
    for (size_t i = 0; model->trained_project && i < model->dim * model->rank; i++)
        s->project_gradient[i] = model->p[i / model->rank] * sums[i % model->rank];
}

/* The projection, the user vector and the bias move at once, all from the same gradients. */
static void step_user(
    const struct frs_bce_mf *model, const struct frs_bce_mf_settings *settings, struct scratch *s) {
    struct vector_step step = {.scale = s->pass.scale,
        .rate = settings->project_rate,
        .decay = settings->weight_decay,
        .adam = settings->optimiser == FRS_ADAM ? &s->pass.adam : NULL};
    find_gradients(model, s);
    if (model->trained_project)
        step_values(model->trained_project, s->project_gradient, s->project_m, s->project_v,
            model->dim * model->rank, &step);
    step.rate = settings->user_rate;
    if (settings->user_rate <= 0)
        return;
    step_values(model->p, s->user_gradient, s->user_m, s->user_v, model->dim, &step);
    if (model->bias) {
        float gradient = sum_all(s->pass.coefficient, s->pass.batch.n);
        step_values(model->bias, &gradient, &s->bias_m, &s->bias_v, 1, &step);
    }
}

static double batch_flop(
    const struct frs_bce_mf *model, const struct frs_bce_mf_settings *settings, const struct scratch *s) {
    double b = (double)s->pass.batch.n, d = (double)model->dim, e = model->rows ? d : (double)model->rank;
    bool moves_user = settings->user_rate > 0, sums = moves_user || model->trained_project;
    double trained = (moves_user ? d + (model->bias != NULL) : 0) +
                     (model->trained_project ? d * e : 0); /* beside the rows */
    double scores = 2 * e * b + (model->frozen ? 2 * d * b : 0) + (model->factors ? 2 * d * e : 0) + 6 * b;
    double gradients = (sums ? 2 * e * b : 0) + (moves_user && model->frozen ? 2 * d * b : 0) +
                       (sums && model->factors ? 2 * d * e : 0);
    double update = settings->optimiser == FRS_ADAM
                        ? 14 * e * (double)s->pass.batch.seen + 14 * trained
                        : 2 * e * b + 2 * trained + (settings->weight_decay > 0 ? 2 * e * b : 0);
    update += settings->proximal > 0 ? 3 * e * b : 0;
    update += s->pass.frozen_share ? 2 * e * b : 0;
    return scores * (settings->alternates ? 2 : 1) + gradients + update;
}

static void fill_batch(struct frs_bce_pass *pass, const uint32_t *samples, size_t n) {
    const struct frs_bce_mf *model = pass->model;
    frs_batch_fill(&pass->batch, samples, n);
    for (size_t i = 0; model->factors && i < frs_lanes_pad(pass->batch.n); i++)
        pass->frozen_rows[i] =
            model->frozen_ids ? model->frozen_ids[pass->batch.rows[i]] : pass->batch.rows[i];
}

static void run_pass(struct frs_bce_pass *pass, bool with_sums, bool with_steps) {
    pass->with_sums = with_sums;
    pass->with_steps = with_steps;
    memset(pass->row_sums, 0, pitch_of(pass->model) * sizeof(float));
    if (pass->model->factors)
        frs_bce_factors_pass(pass);
    else
        frs_bce_rows_pass(pass);
}

static void train_batch(
    const struct frs_bce_mf *model, const struct frs_bce_mf_settings *settings, size_t n, struct scratch *s) {
    bool adam = settings->optimiser == FRS_ADAM,
         needs_sums = settings->user_rate > 0 || model->trained_project;
    s->pass.scale = !adam && settings->scaling == FRS_SUM ? 1 : 1 / (float)n;
    if (adam) {
        s->pass.adam = frs_adam_clock_next(&s->clock, 1);
        s->pass.t++;
    }
    if (adam && model->rows)
        frs_lazy_adam_begin(&s->pass.lazy, s->pass.t);
    s->pass.is_second = false;
    run_pass(&s->pass, needs_sums, !settings->alternates);
    if (needs_sums)
        step_user(model, settings, s);
    s->pass.is_second = true;
    if (settings->alternates)
        run_pass(&s->pass, false, true);
}

/* Of the first n samples. */
static double train_epoch(const struct frs_bce_mf *model, const struct frs_samples *samples, size_t n_samples,
    const struct frs_bce_mf_settings *settings, bool first, bool with_loss, struct scratch *s, double *flop) {
    const struct frs_batch *batch = &s->pass.batch;
    double loss = 0;
    for (size_t at = 0; at < n_samples; at += settings->batch) {
        size_t n = n_samples - at < settings->batch ? n_samples - at : settings->batch;
        if (first || samples->n > settings->batch || n_samples < samples->n)
            fill_batch(&s->pass, samples->samples + at, n);
        train_batch(model, settings, n, s);
        if (with_loss)
            loss += summed_loss(s->pass.score, batch->count, batch->positive, batch->n);
        *flop += batch_flop(model, settings, s);
    }
    return loss / (double)n_samples;
}

/* Rows are left where their last steps would have brought them. */
static void settle(const struct frs_bce_mf *model, struct frs_bce_pass *pass, struct frs_arena *arena) {
    uint32_t *all = frs_arena_take(arena, model->n_rows, sizeof *all);
    for (uint32_t i = 0; i < model->n_rows; i++)
        all[i] = i;
    frs_lazy_adam_begin(&pass->lazy, pass->t + 1);
    frs_lazy_adam_catch_up(&pass->lazy, &pass->lazy_rows, all, model->n_rows);
}

static bool is_finite(const struct frs_bce_mf *model) {
    return frs_all_finite(model->p, model->dim) &&
           (!model->rows || frs_all_finite(model->rows, model->n_rows * pitch_of(model))) &&
           (!model->factors || frs_all_finite(model->factors, model->rank * model->stride)) &&
           (!model->bias || frs_all_finite(model->bias, 1)) &&
           (!model->trained_project || frs_all_finite(model->trained_project, model->dim * model->rank));
}

struct frs_extent frs_bce_mf_extent(const struct frs_bce_mf_settings *settings, size_t n) {
    struct frs_extent extent = frs_extent_of(settings->epochs, settings->steps, n, settings->batch);
    if (settings->limit > 0 && settings->limit < extent.passes)
        extent = (struct frs_extent){settings->limit, n};
    return extent;
}

struct frs_bce_mf_result frs_bce_mf_train(struct frs_bce_mf *model, struct frs_samples *samples,
    const struct frs_bce_mf_settings *settings, struct frs_rng *shuffle, struct frs_arena *arena) {
    struct frs_bce_mf_result result = {0};
    if (samples->n == 0)
        return result;
    unsigned before = frs_flush_begin();
    struct frs_extent extent = frs_bce_mf_extent(settings, samples->n);
    struct scratch s = take_scratch(model, settings, extent.passes, samples->n, arena);
    if (s.pass.frozen_share)
        result.flop = 2 * (double)model->dim * (double)model->rank * (double)model->n_rows;
    for (size_t epoch = 0; epoch < extent.passes; epoch++) {
        size_t n = frs_extent_of_pass(extent, epoch, samples->n);
        /* Between the first epoch and the last only early stopping needs the loss. A loss that is not a
         * number stays so. */
        bool with_loss = epoch == 0 || epoch + 1 == extent.passes || settings->early_stop > 0;
        frs_samples_shuffle(samples, n < samples->n ? 1 : settings->batch, shuffle);
        double loss = train_epoch(model, samples, n, settings, epoch == 0, with_loss, &s, &result.flop);
        double previous = result.loss;
        result.epochs = epoch + 1;
        result.samples += n;
        if (!with_loss)
            continue;
        result.loss = loss;
        if (epoch == 0)
            result.first_loss = result.loss;
        else if (fabs(previous - result.loss) < (double)settings->early_stop * fabs(previous))
            break;
    }
    if (settings->optimiser == FRS_ADAM && model->rows)
        settle(model, &s.pass, arena);
    if (!is_finite(model))
        result.loss = NAN; /* no loss was taken after the last step */
    frs_flush_end(before);
    return result;
}
