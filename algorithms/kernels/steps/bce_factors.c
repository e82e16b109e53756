/* Training of the factors of low-rank item tables (algorithms/kernels/steps/bce_mf.h). */
#include "algorithms/kernels/adam.h"
#include "algorithms/kernels/steps/bce_mf_internal.h"
#include "algorithms/kernels/lanes.h"
#include "algorithms/kernels/logistic.h"

#include <string.h>

#define BLOCK 64u /* rows whose coefficients are found together */

/* Factors have few numbers per row and are dimension-major, so all rows are processed side by side. The
 * frozen rows, which are long, are processed only where the batch has them. */

/* vector = Pᵀp; two sums hide how long an addition takes. */
static void project_user(const struct frs_bce_mf *model, float *vector) {
    for (size_t j = 0; j < model->rank; j++) {
        const float *column = model->project + j;
        float even = 0, odd = 0;
        for (size_t k = 0; k + 1 < model->dim; k += 2) {
            even += column[k * model->rank] * model->p[k];
            odd += column[(k + 1) * model->rank] * model->p[k + 1];
        }
        if (model->dim % 2)
            even += column[(model->dim - 1) * model->rank] * model->p[model->dim - 1];
        vector[j] = even + odd;
    }
}

/* out[i] = Σ_j vector[j] · factors[j][i] */
static void score_factors(const struct frs_bce_mf *model, const float *vector, float *out) {
    for (size_t i = 0; i < model->stride; i += FRS_WIDTH) {
        frs_lanes sum = {0};
        for (size_t j = 0; j < model->rank; j++)
            sum += vector[j] * *frs_lanes_of(model->factors + j * model->stride + i);
        *frs_lanes_at(out + i) = sum;
    }
}

/* sums[j] = Σ_i c[i] · factors[j][i] */
static void sum_factors(const struct frs_bce_mf *model, const float *c, float *sums) {
    const size_t two = 2 * FRS_WIDTH;
    for (size_t j = 0; j < model->rank; j++) { /* two sums hide how long an addition takes */
        const float *factors = model->factors + j * model->stride;
        frs_lanes even = {0}, odd = {0};
        size_t i = 0;
        for (; i + two <= model->stride; i += two) {
            even += *frs_lanes_of(c + i) * *frs_lanes_of(factors + i);
            odd += *frs_lanes_of(c + i + FRS_WIDTH) * *frs_lanes_of(factors + i + FRS_WIDTH);
        }
        if (i < model->stride)
            even += *frs_lanes_of(c + i) * *frs_lanes_of(factors + i);
        sums[j] = frs_lanes_sum(even + odd);
    }
}

FRS_INLINE void score_frozen(const struct frs_bce_pass *pass, size_t at, size_t n, const size_t pieces) {
    const struct frs_bce_mf *model = pass->model;
    const frs_lanes *p = frs_lanes_of(model->p), *frozen = frs_lanes_of(model->frozen);
    const uint32_t *rows = pass->frozen_rows;
    float start = model->bias ? *model->bias : 0;
    for (size_t i = at; i < at + n; i += FRS_WIDTH) {
        frs_lanes sums[FRS_WIDTH];
        for (size_t j = 0; j < FRS_WIDTH; j++) {
            sums[j] = p[0] * frozen[rows[i + j] * pieces];
            for (size_t k = 1; k < pieces; k++)
                sums[j] += p[k] * frozen[rows[i + j] * pieces + k];
        }
        *frs_lanes_at(pass->score + i) = start + frs_lanes_sums(sums);
    }
    float *restrict score = pass->score;
    const float *restrict dense = pass->dense_score;
    for (size_t i = at; i < at + frs_lanes_pad(n); i++)
        score[i] += dense[pass->batch.rows[i]];
}

FRS_INLINE void sum_frozen(const struct frs_bce_pass *pass, size_t at, size_t n, const size_t pieces) {
    const frs_lanes *frozen = frs_lanes_of(pass->model->frozen);
    const uint32_t *rows = pass->frozen_rows;
    const float *c = pass->coefficient;
    for (size_t k = 0; k < pieces; k++) { /* several sums hide how long an addition takes */
        frs_lanes sum[4] = {frs_lanes_of(pass->row_sums)[k]};
        for (size_t i = at; i < at + frs_lanes_pad(n); i += 4)
            for (size_t j = 0; j < 4; j++)
                sum[j] += c[i + j] * frozen[rows[i + j] * pieces + k];
        frs_lanes_at(pass->row_sums)[k] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

FRS_INLINE void run(const struct frs_bce_pass *pass, const size_t pieces) {
    const struct frs_batch *batch = &pass->batch;
    for (size_t at = 0; at < batch->n; at += BLOCK) {
        size_t n = batch->n - at < BLOCK ? batch->n - at : BLOCK;
        score_frozen(pass, at, n, pieces);
        frs_bce_coefficients(pass->score + at, batch->count + at, batch->positive + at, frs_lanes_pad(n),
            pass->coefficient + at);
        if (pass->with_sums)
            sum_frozen(pass, at, n, pieces);
    }
}

static void run_frozen(const struct frs_bce_pass *pass) {
    size_t pitch = frs_lanes_pad(pass->model->dim);
    if (pitch == 16)
        run(pass, 16 / FRS_WIDTH);
    else if (pitch == 32)
        run(pass, 32 / FRS_WIDTH);
    else if (pitch == 64)
        run(pass, 64 / FRS_WIDTH);
    else
        run(pass, pitch / FRS_WIDTH);
}

/* columns[j][i] −= step[i] · vector[j] + decay[i] · columns[j][i] */
static void step_sgd(
    const struct frs_bce_mf *model, const float *step, const float *vector, const float *decay) {
    for (size_t j = 0; j < model->rank; j++)
        for (size_t i = 0; i < model->stride; i += FRS_WIDTH) {
            frs_lanes *x = frs_lanes_at(model->factors + j * model->stride + i);
            *x -= vector[j] * *frs_lanes_of(step + i) + *frs_lanes_of(decay + i) * *x;
        }
}

/* Column j of step[i] · vector_j + decay[i] · (whole · x_i + share_i): the gradient of row i, times the
 * factors in `step` and `decay`. */
static void fill_whole(
    const struct frs_bce_pass *pass, size_t j, const float *step, float scale, float *out) {
    const struct frs_bce_mf *model = pass->model;
    const float *factors = model->factors + j * model->stride,
                *share = pass->frozen_share + j * model->stride;
    float vector = scale * pass->vector[j], whole = pass->settings->whole_decay;
    for (size_t i = 0; i < model->stride; i += FRS_WIDTH)
        *frs_lanes_at(out + i) = vector * *frs_lanes_of(step + i) +
                                 *frs_lanes_of(pass->dense_decay + i) *
                                     (whole * *frs_lanes_of(factors + i) + *frs_lanes_of(share + i));
}

static void step_sgd_whole(const struct frs_bce_pass *pass, const float *step) {
    const struct frs_bce_mf *model = pass->model;
    for (size_t j = 0; j < model->rank; j++) {
        fill_whole(pass, j, step, 1, pass->dense_score);
        for (size_t i = 0; i < model->stride; i += FRS_WIDTH)
            *frs_lanes_at(model->factors + j * model->stride + i) -= *frs_lanes_of(pass->dense_score + i);
    }
}

/* Column by column, since the gradient is no longer a scalar per row times one vector. */
static void step_adam_whole(const struct frs_bce_pass *pass, struct frs_adam_step step) {
    static const float one = 1;
    const struct frs_bce_mf *model = pass->model;
    for (size_t j = 0; j < model->rank; j++) {
        size_t at = j * model->stride;
        fill_whole(pass, j, pass->dense_coefficient, pass->scale * pass->settings->gradient_scale,
            pass->dense_score);
        frs_adam_rows(&(struct frs_adam_rows){model->factors + at, pass->m + at, pass->v + at, 1,
                          model->stride, model->stride},
            pass->dense_score, &one, 1, NULL, step);
    }
}

FRS_KERNEL(void, frs_bce_project_frozen, (struct frs_bce_pass * pass, struct frs_arena *arena)) {
    const struct frs_bce_mf *model = pass->model;
    size_t pitch = frs_lanes_pad(model->dim);
    float *columns = frs_arena_take_zeroed(arena, model->rank * pitch, sizeof *columns); /* Pᵀ */
    for (size_t k = 0; k < model->dim; k++)
        for (size_t j = 0; j < model->rank; j++)
            columns[j * pitch + k] = model->project[k * model->rank + j];
    for (size_t i = 0; i < model->n_rows; i++) {
        const float *row = model->frozen + (model->frozen_ids ? model->frozen_ids[i] : i) * pitch;
        for (size_t j = 0; j < model->rank; j++) {
            frs_lanes sum = {0};
            for (size_t k = 0; k < pitch; k += FRS_WIDTH)
                sum += *frs_lanes_of(row + k) * *frs_lanes_of(columns + j * pitch + k);
            pass->frozen_share[j * model->stride + i] = frs_lanes_sum(sum);
        }
    }
}

/* Spreads a value per row of the batch over all rows. */
static void spread_decay(const struct frs_bce_pass *pass, float decay) {
    for (size_t i = 0; i < pass->batch.n && decay > 0; i++)
        pass->dense_decay[pass->batch.rows[i]] = decay;
}

static void step_factors(const struct frs_bce_pass *pass) {
    const struct frs_bce_mf *model = pass->model;
    const struct frs_bce_mf_settings *settings = pass->settings;
    const struct frs_batch *batch = &pass->batch;
    bool decays = settings->weight_decay > 0;
    if (decays)
        memset(pass->dense_decay, 0, model->stride * sizeof(float));
    if (settings->optimiser == FRS_ADAM) {
        struct frs_adam_step step = pass->adam;
        step.rate *= settings->item_rate;
        if (pass->frozen_share) {
            spread_decay(pass, settings->gradient_scale * settings->weight_decay);
            step_adam_whole(pass, step);
            return;
        }
        spread_decay(pass, settings->weight_decay);
        frs_adam_rows(&(struct frs_adam_rows){model->factors, pass->m, pass->v, model->rank, model->stride,
                          model->stride},
            pass->dense_coefficient, pass->vector, pass->scale * settings->gradient_scale,
            decays ? pass->dense_decay : NULL, step);
        return;
    }
    float scale = pass->frozen_share ? settings->gradient_scale : 1;
    spread_decay(pass, settings->item_rate * scale * settings->weight_decay);
    frs_bce_plan_steps(pass, 0, batch->n);
    for (size_t i = 0; i < batch->n; i++)
        pass->dense_coefficient[batch->rows[i]] = pass->step[i];
    if (pass->frozen_share)
        step_sgd_whole(pass, pass->dense_coefficient);
    else
        step_sgd(model, pass->dense_coefficient, pass->vector, pass->dense_decay);
}

FRS_KERNEL(void, frs_bce_factors_pass, (struct frs_bce_pass * pass)) {
    const struct frs_batch *batch = &pass->batch;
    project_user(pass->model, pass->vector);
    score_factors(pass->model, pass->vector, pass->dense_score);
    run_frozen(pass);
    memset(pass->dense_coefficient, 0, pass->model->stride * sizeof(float));
    for (size_t i = 0; i < batch->n; i++)
        pass->dense_coefficient[batch->rows[i]] = pass->coefficient[i];
    if (pass->with_sums)
        sum_factors(pass->model, pass->dense_coefficient, pass->factor_sums);
    if (pass->with_steps)
        step_factors(pass);
}
