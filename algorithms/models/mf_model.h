/* What the matrix factorisations that train on binary cross-entropy have in common: an item table Q that
 * everybody shares, private user vectors p, and local training of both (mf_local.h).
 *
 * A learner's model begins with a struct frs_mf_model, so that the functions below can be its slots as they are. */
#ifndef FRS_ALGORITHMS_MF_MODEL_H
#define FRS_ALGORITHMS_MF_MODEL_H

#include "algorithms/aggregation.h"
#include "algorithms/learner.h"
#include "algorithms/models/mf_local.h"

struct frs_mf_model {
    struct frs_model base;
    struct frs_mf_settings settings;
    float *items; /* Q [n_items × dim] */
    float *users; /* p [n_clients × dim]; NULL when only timing is asked for */
};

/* A model of so many bytes with the settings and tables that FRS_MF_PARAMS describe. */
void *frs_mf_begin(size_t bytes, const struct frs_values *values, const struct frs_learner_setup *setup);

/* Slots of struct frs_learner. `create` reads FRS_MF_PARAMS and FRS_AGGREGATION_PARAM. */
void *frs_mf_create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors);
void frs_mf_train(
    const void *model, const struct frs_training *training, struct frs_arena *arena, struct frs_trained *out);
void frs_mf_score(const void *model, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores);

#endif
