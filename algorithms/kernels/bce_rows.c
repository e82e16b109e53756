#include "algorithms/kernels/adam.h"
#include "algorithms/kernels/bce_pass.h"
#include "algorithms/kernels/lanes.h"
#include "algorithms/kernels/logistic.h"
#include "sim/base/clones.h"

#include <math.h>

#define BLOCK 64u

/* Rows of the batch are gone through in blocks that stay in the first-level cache, each time as many as hide
 * how long a coefficient takes. In all block functions `at` is the block's first row in the batch, n how many
 * there are; `pieces` is the pitch in lanes, a constant where it matters. */

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
    float start = model->bias ? *model->bias : 0;
    for (size_t i = at; i < at + n; i++) {
        size_t row = pass->batch.rows[i] * pieces;
        frs_lanes sum = {0};
        for (size_t k = 0; k < pieces; k++)
            sum += p[k] * value_at(model, row + k, frozen);
        pass->score[i] = start + frs_lanes_sum(sum);
    }
}

FRS_INLINE void find_coefficients(const struct frs_bce_pass *pass, size_t at, size_t n) {
    for (size_t i = at; i < at + frs_lanes_pad(n); i++)
        pass->coefficient[i] =
            frs_bce_coefficient(pass->score[i], pass->batch.count[i], pass->batch.positive[i]);
}

/* Of row i, whose values are x at `place` of the tables. */
FRS_INLINE void step_sgd(const struct frs_bce_pass *pass, size_t i, size_t place, frs_lanes x, frs_lanes p) {
    float kept = 1 - pass->settings->item_rate * pass->settings->weight_decay;
    float step = frs_bce_sgd_rate(pass, i) * pass->coefficient[i];
    frs_lanes_at(pass->model->rows)[place] = kept * x - step * p;
}

/* The gradient enters the moments; x follows when it is needed (lazy_adam.h). */
FRS_INLINE void step_adam(const struct frs_bce_pass *pass, size_t i, size_t place, frs_lanes x, frs_lanes p) {
    const struct frs_lazy_rows *rows = &pass->lazy_rows;
    const struct frs_lazy_window *window = &pass->lazy.windows[rows->marks[pass->batch.rows[i]].last];
    frs_lanes *m = frs_lanes_at(rows->m) + place, *v = frs_lanes_at(rows->v) + place;
    frs_lanes g = pass->coefficient[i] * p;
    if (pass->settings->weight_decay > 0)
        g += pass->settings->weight_decay / FRS_ADAM_EPSILON * x;
    *m = window->beta1 * *m + g;
    *v = window->beta2 * *v + g * g;
}

/* No gradient is smaller than c_i times the smallest |p_k|, unless there is decay. */
FRS_INLINE void mark_rows(const struct frs_bce_pass *pass, size_t at, size_t n, float smallest) {
    bool decays = pass->settings->weight_decay > 0;
    for (size_t i = at; i < at + n; i++) {
        struct frs_lazy_mark *mark = &pass->lazy_rows.marks[pass->batch.rows[i]];
        float least = pass->coefficient[i] * smallest;
        mark->least = decays ? 0 : pass->lazy.windows[mark->last].beta2 * mark->least + least * least;
        mark->last = pass->t;
    }
}

/* Sums and steps, each only if it is asked for. */
FRS_INLINE void use_coefficients(const struct frs_bce_pass *pass, size_t at, size_t n, const size_t pieces,
    bool frozen, bool adam, bool sums) {
    const struct frs_bce_mf *model = pass->model;
    for (size_t k = 0; k < pieces; k++) {
        frs_lanes sum = frs_lanes_of(pass->row_sums)[k], p = frs_lanes_of(pass->scaled_p)[k];
        for (size_t i = at; i < at + n; i++) {
            size_t place = pass->batch.rows[i] * pieces + k;
            if (sums)
                sum += pass->coefficient[i] * value_at(model, place, frozen);
            if (pass->with_steps && adam)
                step_adam(pass, i, place, frs_lanes_of(model->rows)[place], p);
            else if (pass->with_steps)
                step_sgd(pass, i, place, frs_lanes_of(model->rows)[place], p);
        }
        frs_lanes_at(pass->row_sums)[k] = sum;
    }
    if (pass->with_steps && adam)
        mark_rows(pass, at, n, pass->smallest);
}

/* What a coefficient is multiplied with in a step. */
static void scale_user(struct frs_bce_pass *pass) {
    const struct frs_bce_mf_settings *settings = pass->settings;
    bool adam = settings->optimiser == FRS_ADAM;
    float scale = adam ? pass->scale * settings->gradient_scale / FRS_ADAM_EPSILON : 1;
    pass->smallest = INFINITY;
    for (size_t k = 0; k < pass->model->dim; k++) {
        pass->scaled_p[k] = scale * pass->model->p[k];
        pass->smallest = fminf(pass->smallest, fabsf(pass->scaled_p[k]));
    }
}

FRS_INLINE void run(const struct frs_bce_pass *pass, const size_t pieces, bool frozen) {
    bool adam = pass->settings->optimiser == FRS_ADAM;
    for (size_t at = 0; at < pass->batch.n; at += BLOCK) {
        size_t n = pass->batch.n - at < BLOCK ? pass->batch.n - at : BLOCK;
        if (adam && !pass->is_second)
            frs_lazy_adam_catch_up(&pass->lazy, &pass->lazy_rows, pass->batch.rows + at, n);
        score_rows(pass, at, n, pieces, frozen);
        find_coefficients(pass, at, n);
        if (adam)
            use_coefficients(pass, at, n, pieces, frozen, true, pass->with_sums);
        else
            use_coefficients(pass, at, n, pieces, frozen, false, pass->with_sums);
    }
}

FRS_CLONES void frs_bce_rows_pass(struct frs_bce_pass *pass) {
    size_t pieces = frs_lanes_pad(pass->model->dim) / FRS_LANES;
    scale_user(pass);
    if (pass->model->frozen)
        run(pass, pieces, true);
    else if (pieces == 1)
        run(pass, 1, false);
    else if (pieces == 2)
        run(pass, 2, false);
    else
        run(pass, pieces, false);
}
