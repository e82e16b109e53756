/* The common part of FCF and FedRec: a client solves for its vector and sends the gradients of its items,
 * and the server makes the step. */
#ifndef FRS_ALGORITHMS_FCF_MODEL_H
#define FRS_ALGORITHMS_FCF_MODEL_H

#include "algorithms/learner.h"
#include "algorithms/models/server_adam.h"
#include "algorithms/models/init_sd.h"

struct frs_fcf {
    struct frs_model base;
    size_t dim;
    double user_decay;
    struct frs_server_adam server;
    float *items; /* V [n_items × dim] */
    /* u [dim], and how often it has been fitted: [n_clients × (dim + 1)]; NULL
     * when only timing is asked for */
    float *users;
};

/* Entries of a learner's parameter table. */
#define FRS_FCF_PARAMS(user_decay_default, rate_default)                                                     \
    {.key = "dim",                                                                                           \
        .type = FRS_INT,                                                                                     \
        .initial = "20",                                                                                     \
        .min = 1,                                                                                            \
        .max = 4096,                                                                                         \
        .help = "length d of a user or item vector"},                                                        \
        {.key = "user_decay",                                                                                \
            .type = FRS_REAL,                                                                                \
            .initial = user_decay_default,                                                                   \
            .min = 1e-6,                                                                                     \
            .max = 1e6,                                                                                      \
            .help = "lambda_u of the client's ridge regression"},                                            \
        {.key = "item_decay",                                                                                \
            .type = FRS_REAL,                                                                                \
            .initial = "0.1",                                                                                \
            .min = 0,                                                                                        \
            .max = 1e6,                                                                                      \
            .help = "lambda_v: the server adds 2 lambda_v v_j to the gradient of an item"},                  \
        FRS_INIT_SD_PARAM("0.1", "initial vectors"), FRS_SERVER_ADAM_PARAM(rate_default)

extern const struct frs_param frs_fcf_params[]; /* of learner "fcf" */

/* Its variant = "published_code" (fcf_code.c). */
extern const struct frs_learner frs_fcf_published_code;

/* A model of so many bytes with the settings and tables that FRS_FCF_PARAMS describe. */
void *frs_fcf_begin(size_t bytes, const struct frs_values *values, const struct frs_learner_setup *setup);

/* Some items, ids ascending, and what the client says it rates them. */
struct frs_rated_items {
    const uint32_t *ids;
    const float *ratings;
    size_t n;
};

/* u = argmin Σ (r_j − u · v_j)² + λ_u ‖u‖² over `own`, then the gradients −2 (r_j − u · v_j) u of the items
 * of `sent`, which are the upload. The loss is the mean squared error over `sent`. */
void frs_fcf_train_on(const struct frs_fcf *model, const struct frs_training *training,
    const struct frs_rated_items *own, const struct frs_rated_items *sent, struct frs_arena *arena,
    struct frs_trained *out);

/* Slots of struct frs_learner. */
void frs_fcf_aggregate(void *model, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update);
double frs_fcf_aggregate_flop(const void *model, size_t n, double values);
void frs_fcf_score(const void *model, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores);

#endif
