/* The common part of matrix factorisations trained on clients under binary cross-entropy: their
 * parameters, the initial tables, and the course of one participation. Also the model of an item table Q
 * that all clients share and private user vectors p; a learner's own model may begin with it, so that its
 * functions can be slots as they are. */
#ifndef FRS_ALGORITHMS_MF_MODEL_H
#define FRS_ALGORITHMS_MF_MODEL_H

#include "algorithms/aggregation.h"
#include "algorithms/kernels/steps/bce_mf.h"
#include "algorithms/learner.h"
#include "algorithms/models/epochs_params.h"
#include "algorithms/models/init_sd.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/status.h"

#include <math.h>

struct frs_values;

/* Where initial user vectors come from. */
enum frs_user_init {
    FRS_USERS_SHARED,  /* one vector for all */
    FRS_USERS_PRIVATE, /* each client draws its own */
};

extern const char *const frs_optimiser_names[]; /* enum frs_optimiser */
extern const char *const frs_scaling_names[];   /* enum frs_sgd_scaling */
extern const char *const frs_user_init_names[]; /* enum frs_user_init */

/* Entries of a learner's parameter table. */
#define FRS_MF_PARAMS(dim_default, epochs_default, optimiser_default, rate_default, scaling_default,         \
    decay_default, init_default, user_default)                                                               \
    {.key = "dim",                                                                                           \
        .type = FRS_INT,                                                                                     \
        .initial = dim_default,                                                                              \
        .min = 1,                                                                                            \
        .max = 4096,                                                                                         \
        .help = "length d of a user or item vector"},                                                        \
        FRS_EPOCHS_PARAM(epochs_default), FRS_BATCH_PARAM("256"),                                            \
        {.key = "optimiser",                                                                                 \
            .type = FRS_CHOICE,                                                                              \
            .initial = optimiser_default,                                                                    \
            .choices = frs_optimiser_names,                                                                  \
            .help = "local optimiser; Adam starts from fresh state in every participation"},                 \
        {.key = "learning_rate",                                                                             \
            .type = FRS_REAL,                                                                                \
            .initial = rate_default,                                                                         \
            .min = 0,                                                                                        \
            .max = 1e6,                                                                                      \
            .help = "step size of the item table"},                                                          \
        {.key = "user_learning_rate",                                                                        \
            .type = FRS_REAL,                                                                                \
            .initial = "-1",                                                                                 \
            .min = -1,                                                                                       \
            .max = 1e6,                                                                                      \
            .help = "step size of the user vector; -1: the same as learning_rate"},                          \
        {.key = "sgd_scaling",                                                                               \
            .type = FRS_CHOICE,                                                                              \
            .initial = scaling_default,                                                                      \
            .choices = frs_scaling_names,                                                                    \
            .help = "what an SGD step multiplies: row_mean (each item row by the mean gradient over its "    \
                    "occurrences), batch_mean or sum"},                                                      \
        {.key = "weight_decay",                                                                              \
            .type = FRS_REAL,                                                                                \
            .initial = decay_default,                                                                        \
            .min = 0,                                                                                        \
            .max = 1e3,                                                                                      \
            .help =                                                                                          \
                "L2 decay of the user vector, of the rows in a batch, and of all weights and biases of a "   \
                "perceptron, where there is one"},                                                           \
        {.key = "early_stop",                                                                                \
            .type = FRS_REAL,                                                                                \
            .initial = "0",                                                                                  \
            .min = 0,                                                                                        \
            .max = 1,                                                                                        \
            .help = "a client stops when its mean loss changes by less than this share from one epoch to "   \
                    "the next; 0: never"},                                                                   \
        FRS_INIT_SD_PARAM(init_default, "the initial item table"),                                           \
        {.key = "user_init_sd",                                                                              \
            .type = FRS_REAL,                                                                                \
            .initial = "-1",                                                                                 \
            .min = -1,                                                                                       \
            .max = 1e3,                                                                                      \
            .help = "standard deviation of the initial user vectors; -1: the same as the item table's"},     \
    {                                                                                                        \
        .key = "user_init", .type = FRS_CHOICE, .initial = user_default, .choices = frs_user_init_names,     \
        .help = "shared: every client starts from the same vector; private: each draws its own"              \
    }

/* Settings and initial values that FRS_MF_PARAMS describe. */
struct frs_mf_settings {
    size_t dim;
    struct frs_bce_mf_settings local;
    double init_sd, user_init_sd;
    bool shared_user_init;
};

/* Reads every key of FRS_MF_PARAMS that matters (sgd_scaling only under SGD). */
struct frs_mf_settings frs_mf_settings_read(const struct frs_values *values);

/* Declarations of the item table Q [n_items × dim] and of the user vectors p [n_clients × dim]. */
struct frs_table frs_mf_items(const struct frs_mf_settings *settings, size_t n_items);
struct frs_table frs_mf_users(const struct frs_mf_settings *settings);

/* One participation. */
struct frs_mf_local {
    struct frs_samples samples;
    struct frs_rng shuffle;
    uint32_t epochs; /* struct frs_training */
    float rate_scale;
    struct frs_bce_mf mf;
    const float *table; /* as received [n_items × dim] */
};

/* Draws the samples and copies the client's user vector from `users` [n_clients × dim]. Leaves the tables of
 * mf to the learner. */
struct frs_mf_local frs_mf_local_begin(const struct frs_mf_settings *settings,
    const struct frs_learner_setup *setup, const struct frs_training *training, const float *users,
    struct frs_arena *arena);

/* The received rows of this participation's items, as bce_mf.h wants them. */
float *frs_mf_local_rows(const struct frs_mf_local *local, struct frs_arena *arena);

/* Uses these rows as local->mf.frozen. They are not copied where the table has the right layout. */
void frs_mf_local_freeze(struct frs_mf_local *local, struct frs_arena *arena);

/* Rows [n_rows × dim] without the zeros between them, which may be the same memory. */
const float *frs_mf_local_packed(
    const struct frs_mf_local *local, const float *rows, struct frs_arena *arena);

/* Trains, and reports mf.rows, or mf.factors, as the upload and the user vector as what stays with the
 * client. */
void frs_mf_local_train(struct frs_mf_local *local, const struct frs_mf_settings *settings,
    const struct frs_learner_setup *setup, struct frs_arena *arena, struct frs_trained *out);

/* ---- a model --------------------------------------------------------------------------------- */

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
