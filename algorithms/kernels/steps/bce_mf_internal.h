/* One pass over the distinct rows of a batch, as frs_bce_mf_train makes it: for bce_*.c only. */
#ifndef FRS_ALGORITHMS_BCE_MF_INTERNAL_H
#define FRS_ALGORITHMS_BCE_MF_INTERNAL_H

#include "algorithms/kernels/steps/batch.h"
#include "algorithms/kernels/steps/bce_mf.h"
#include "algorithms/kernels/lazy_adam.h"

struct frs_bce_pass {
    const struct frs_bce_mf *model;
    const struct frs_bce_mf_settings *settings;
    struct frs_batch batch;
    uint32_t *frozen_rows;      /* [batch.n up to whole lanes] where f is, with factors */
    float *score, *coefficient; /* [batch.n up to whole lanes]; c_i: ∂(summed loss)/∂s_i */
    float *step;                /* [the same] SGD: what a row moves by is this times the vector */
    float *row_sums;            /* Σ c_i (f_i + t_i) [pitch], without factors; with them Σ c_i f_i */
    float *factor_sums;         /* Σ c_i t_i [rank] */
    bool with_sums;             /* they are asked for */
    bool with_steps;            /* the rows are stepped */
    bool is_second;             /* of the same batch: rows are up to date */
    float scale;                /* of a summed gradient: 1 / samples of the batch, or 1 */
    /* Adam. */
    struct frs_adam_step adam; /* of this batch at rate 1 */
    uint32_t t;
    struct frs_lazy_adam lazy;      /* of model->rows */
    struct frs_lazy_rows lazy_rows; /* of model->rows */
    float *scaled_p,
        smallest; /* p [pitch] times what makes a gradient of a coefficient; its smallest |p_k| */
    float *
        idle; /* [FRS_LANES] 1 in columns behind the dim of a row's last lanes, which never have a gradient */
    float *m, *v; /* of the factors [rank × stride] */
    /* Used only with factors. */
    float *vector;                                        /* Pᵀp [rank] */
    float *dense_score, *dense_coefficient, *dense_decay; /* [stride] */
    float *
        frozen_share; /* Pᵀf_i, dimension-major [rank × stride], where decay acts on f_i + P a_i; else NULL */
};

/* Scores, coefficients, sums and steps where model->rows are trained; and where the factors are. */
void frs_bce_rows_pass(struct frs_bce_pass *pass);
void frs_bce_factors_pass(struct frs_bce_pass *pass);

/* Fills pass->frozen_share, which is zeros. */
void frs_bce_project_frozen(struct frs_bce_pass *pass, struct frs_arena *arena);

/* Fills `step` for n rows from `at` on. */
static inline void frs_bce_plan_steps(const struct frs_bce_pass *pass, size_t at, size_t n) {
    const struct frs_bce_mf_settings *settings = pass->settings;
    const float *restrict c = pass->coefficient, *restrict count = pass->batch.count;
    float *restrict step = pass->step, rate = settings->item_rate * settings->gradient_scale;
    if (settings->scaling == FRS_ROW_MEAN)
        for (size_t i = at; i < at + n; i++)
            step[i] = c[i] * (rate / count[i]);
    else
        for (size_t i = at; i < at + n; i++)
            step[i] = c[i] * (rate * pass->scale);
}

#endif
