/* Training of the rows of item tables (algorithms/kernels/steps/bce_mf.h). */
#include "algorithms/kernels/adam.h"
#include "algorithms/kernels/steps/bce_mf_internal.h"
#include "algorithms/kernels/lanes.h"
#include "algorithms/kernels/logistic.h"

#include <math.h>

#define BLOCK 64u

/* Rows of the batch are processed in blocks that stay in the first-level cache, and in groups large enough
 * to hide the latency of a coefficient. In all block functions `at` is the block's first row in the batch
 * and n its number of rows; `pieces` is the pitch in registers, a constant where it matters. */

/* t + f */
FRS_INLINE frs_lanes value_at(const struct frs_bce_mf *model, size_t place, bool frozen) {
    frs_lanes value = frs_lanes_of(model->rows)[place];
    if (frozen)
        value += frs_lanes_of(model->frozen)[place];
    return value;
}

/* score[i] = start + Σ_k p[k] (rows[i][k] + frozen[i][k]) */
FRS_INLINE void score_rows(
    const struct frs_bce_pass *pass, size_t at, size_t n, const size_t pieces, bool frozen) {
    const struct frs_bce_mf *model = pass->model;
    const frs_lanes *p = frs_lanes_of(model->p);
    const uint32_t *ids = pass->batch.rows;
    float start = model->bias ? *model->bias : 0;
    for (size_t i = at; i < at + n; i += FRS_WIDTH) {
        frs_lanes sums[FRS_WIDTH];
        for (size_t j = 0; j < FRS_WIDTH; j++) {
            size_t row = ids[i + j] * pieces;
            sums[j] = p[0] * value_at(model, row, frozen);
            for (size_t k = 1; k < pieces; k++)
                sums[j] += p[k] * value_at(model, row + k, frozen);
        }
        *frs_lanes_at(pass->score + i) = start + frs_lanes_sums(sums);
    }
}

FRS_INLINE void find_coefficients(const struct frs_bce_pass *pass, size_t at, size_t n) {
    frs_bce_coefficients(pass->score + at, pass->batch.count + at, pass->batch.positive + at,
        frs_lanes_pad(n), pass->coefficient + at);
}

FRS_INLINE void step_sgd(
    const struct frs_bce_pass *pass, size_t at, size_t n, const size_t pieces, bool pulls) {
    const frs_lanes *p = frs_lanes_of(pass->model->p);
    frs_lanes *rows = frs_lanes_at(pass->model->rows);
    const uint32_t *ids = pass->batch.rows;
    const float *step = pass->step;
    float kept = 1 - pass->settings->item_rate * pass->settings->weight_decay;
    float pull = pass->settings->item_rate * pass->settings->proximal;
    frs_bce_plan_steps(pass, at, n);
    for (size_t i = at; i < at + n; i++)
        for (size_t k = 0; k < pieces; k++) {
            size_t place = ids[i] * pieces + k;
            frs_lanes away = {0};
            if (pulls)
                away = rows[place] - frs_lanes_of(pass->model->received)[place];
            rows[place] = kept * rows[place] - step[i] * p[k];
            if (pulls)
                rows[place] -= pull * away;
        }
}

/* The gradient enters the moments; x follows when it is needed (lazy_adam.h). This includes idle columns,
 * where v must not vanish. No gradient is smaller than c_i times the smallest |p_k|, unless there is decay
 * or a pull. */
FRS_INLINE void step_adam(
    const struct frs_bce_pass *pass, size_t at, size_t n, const size_t pieces, bool decays, bool pulls) {
    const struct frs_lazy_rows rows = pass->lazy_rows;
    const struct frs_lazy_window *windows = pass->lazy.windows;
    const uint32_t *ids = pass->batch.rows;
    const float *c = pass->coefficient;
    const frs_lanes *p = frs_lanes_of(pass->scaled_p);
    const frs_lanes *idle = frs_lanes_of(pass->idle);
    const size_t last = pieces - FRS_LANES / FRS_WIDTH; /* where the row's last lanes begin */
    float decay = pass->settings->weight_decay / FRS_ADAM_EPSILON, smallest = pass->smallest;
    float pull = pass->settings->proximal / FRS_ADAM_EPSILON;
    uint32_t t = pass->t;
    for (size_t i = at; i < at + n; i++) {
        size_t place = ids[i] * pieces;
        struct frs_lazy_mark *mark = &rows.marks[ids[i]];
        float beta1 = windows[mark->last].beta1, beta2 = windows[mark->last].beta2, least = c[i] * smallest;
        frs_lanes *m = frs_lanes_at(rows.m) + place, *v = frs_lanes_at(rows.v) + place;
        for (size_t k = 0; k < pieces; k++) {
            frs_lanes g = c[i] * p[k];
            if (decays)
                g += decay * frs_lanes_of(rows.x)[place + k];
            if (pulls)
                g +=
                    pull * (frs_lanes_of(rows.x)[place + k] - frs_lanes_of(pass->model->received)[place + k]);
            m[k] = beta1 * m[k] + g;
            v[k] = beta2 * v[k] + g * g;
        }
        for (size_t k = last; k < pieces; k++)
            v[k] += idle[k - last];
        *mark = (struct frs_lazy_mark){t, decays || pulls ? 0 : beta2 * mark->least + least * least};
    }
}

FRS_INLINE void add_sums(
    const struct frs_bce_pass *pass, size_t at, size_t n, const size_t pieces, bool frozen) {
    const uint32_t *ids = pass->batch.rows;
    const float *c = pass->coefficient;
    for (size_t k = 0; k < pieces; k++) { /* several sums hide how long an addition takes */
        frs_lanes sum[4] = {frs_lanes_of(pass->row_sums)[k]};
        for (size_t i = at; i < at + frs_lanes_pad(n); i += 4)
            for (size_t j = 0; j < 4; j++)
                sum[j] += c[i + j] * value_at(pass->model, ids[i + j] * pieces + k, frozen);
        frs_lanes_at(pass->row_sums)[k] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

/* What a coefficient is multiplied with in a step. */
static void scale_user(struct frs_bce_pass *pass) {
    const struct frs_bce_mf_settings *settings = pass->settings;
    bool adam = settings->optimiser == FRS_ADAM;
    float scale = adam ? pass->scale * settings->gradient_scale / FRS_ADAM_EPSILON : 1;
    float smallest = INFINITY;
    for (size_t k = 0; k < pass->model->dim; k++) {
        pass->scaled_p[k] = scale * pass->model->p[k];
        float size = fabsf(pass->scaled_p[k]);
        smallest = size < smallest ? size : smallest; /* fminf would be a call */
    }
    pass->smallest = smallest;
}

FRS_INLINE void run(const struct frs_bce_pass *pass, const size_t pieces, bool frozen) {
    bool adam = pass->settings->optimiser == FRS_ADAM, pulls = pass->settings->proximal > 0;
    for (size_t at = 0; at < pass->batch.n; at += BLOCK) {
        size_t n = pass->batch.n - at < BLOCK ? pass->batch.n - at : BLOCK;
        if (adam && !pass->is_second)
            frs_lazy_adam_catch_up(&pass->lazy, &pass->lazy_rows, pass->batch.rows + at, n);
        score_rows(pass, at, n, pieces, frozen);
        find_coefficients(pass, at, n);
        if (pass->with_sums)
            add_sums(pass, at, n, pieces, frozen);
        if (pass->with_steps && !adam && pulls)
            step_sgd(pass, at, n, pieces, true);
        else if (pass->with_steps && !adam)
            step_sgd(pass, at, n, pieces, false);
        else if (pass->with_steps && pulls)
            step_adam(pass, at, n, pieces, pass->settings->weight_decay > 0, true);
        else if (pass->with_steps && pass->settings->weight_decay > 0)
            step_adam(pass, at, n, pieces, true, false);
        else if (pass->with_steps)
            step_adam(pass, at, n, pieces, false, false);
    }
}

FRS_KERNEL(void, frs_bce_rows_pass, (struct frs_bce_pass * pass)) {
    size_t pitch = frs_lanes_pad(pass->model->dim);
    scale_user(pass);
    if (pass->model->frozen)
        run(pass, pitch / FRS_WIDTH, true);
    else if (pitch == 16)
        run(pass, 16 / FRS_WIDTH, false);
    else if (pitch == 32)
        run(pass, 32 / FRS_WIDTH, false);
    else if (pitch == 64)
        run(pass, 64 / FRS_WIDTH, false);
    else
        run(pass, pitch / FRS_WIDTH, false);
}
