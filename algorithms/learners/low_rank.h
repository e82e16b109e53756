/* What CoLR and SCoLR have in common: matrix factorisation whose item table changes under a projection
 * (projection.h), with private user vectors beside it (Nguyen et al. 2024; algorithms.md, section 3).
 *
 * A learner's model starts with a struct frs_low_rank, so that the functions below can be its slots as they
 * are. */
#ifndef FRS_ALGORITHMS_LOW_RANK_H
#define FRS_ALGORITHMS_LOW_RANK_H

#include "algorithms/learner.h"
#include "algorithms/learners/mf_local.h"
#include "algorithms/learners/projection.h"

struct frs_low_rank {
    struct frs_mf_settings settings;
    struct frs_projection projection;
    struct frs_learner_setup setup;
    float *items; /* Q [n_items × dim] */
    float *users; /* p [n_clients × dim]; NULL when only timing is asked for */
};

/* Entries of a learner's parameter table. */
#define FRS_LOW_RANK_PARAMS(rank_default, rank_help, variant_help)                                           \
    FRS_PROJECTION_PARAMS(rank_default, rank_help, variant_help),                                            \
        FRS_MF_PARAMS("64", "2", "sgd", "0.5", "row_mean", "5e-4", "0", "private")

/* Reads what FRS_LOW_RANK_PARAMS describe into `model` and allocates its tables; false after an error, with
 * nothing allocated. */
bool frs_low_rank_init(struct frs_low_rank *model, const struct frs_values *values,
    const struct frs_learner_setup *setup, struct frs_errors *errors);
void frs_low_rank_fini(struct frs_low_rank *model);

/* Trains A [rank × items of this participation] from zero under `projection` [dim × rank], and reports it. */
void frs_low_rank_train(const struct frs_low_rank *model, const struct frs_training *training,
    const float *projection, size_t rank, struct frs_arena *arena, struct frs_trained *out);

/* Slots of struct frs_learner. */
size_t frs_low_rank_private_values(const void *model);
struct frs_tables frs_low_rank_tables(const void *model);
uint64_t frs_low_rank_word(void *model, uint32_t round);
void frs_low_rank_commit(void *model, uint32_t client, const void *private_state, size_t private_bytes);
void frs_low_rank_apply(const void *model, const struct frs_tables *held, uint64_t seed,
    const struct frs_rows *update, struct frs_arena *arena);
void frs_low_rank_archive(void *model, struct frs_archive *archive);
void frs_low_rank_score(const void *model, const struct frs_tables *held, uint32_t client,
    const uint32_t *items, size_t n, float *scores);

#endif
