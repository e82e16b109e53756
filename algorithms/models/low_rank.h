/* The common part of CoLR and SCoLR: matrix factorisation whose item table changes under a projection
 * (projection.h), with private user vectors beside it (Nguyen et al. 2024, algorithms 1 and 2).
 *
 * A learner's model begins with a struct frs_low_rank, so that the functions below can be its slots as they
 * are. */
#ifndef FRS_ALGORITHMS_LOW_RANK_H
#define FRS_ALGORITHMS_LOW_RANK_H

#include "algorithms/models/mf_model.h"
#include "algorithms/models/projection.h"

struct frs_low_rank {
    struct frs_mf_model mf;
    struct frs_projection projection;
};

/* Entries of a learner's parameter table. */
#define FRS_LOW_RANK_PARAMS(rank_default, rank_help, variant_help)                                           \
    FRS_PROJECTION_PARAMS(rank_default, rank_help, variant_help),                                            \
        FRS_MF_PARAMS("64", "2", "sgd", "0.5", "row_mean", "5e-4", "0", "private")

/* Returns a model of this many bytes with the settings and tables that FRS_LOW_RANK_PARAMS describe; NULL
 * after an error. */
void *frs_low_rank_begin(size_t bytes, const struct frs_values *values, const struct frs_learner_setup *setup,
    struct frs_errors *errors);

/* Trains A [rank × items of this participation] from zero under `projection` [dim × rank], and reports it. */
void frs_low_rank_train(const struct frs_low_rank *model, const struct frs_training *training,
    const float *projection, size_t rank, struct frs_arena *arena, struct frs_trained *out);

/* Slots of struct frs_learner; `score` is that of mf_model.h. */
uint64_t frs_low_rank_round_seed(void *model, uint32_t round);
void frs_low_rank_apply(const void *model, const struct frs_tables *held, uint64_t seed,
    const struct frs_rows *update, struct frs_arena *arena);
double frs_low_rank_apply_flop(const void *model);

#endif
