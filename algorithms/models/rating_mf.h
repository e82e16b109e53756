/* The common part of methods whose clients train a biased matrix factorisation of their ratings: an item
 * table with a bias in its last column, private user vectors with a bias, and local SGD. */
#ifndef FRS_ALGORITHMS_RATING_MF_H
#define FRS_ALGORITHMS_RATING_MF_H

#include "algorithms/learner.h"
#include "algorithms/models/epochs_params.h"

/* A learner's model begins with it, so that the functions below can be its slots as they are. */
struct frs_rating_mf {
    struct frs_model base;
    size_t dim;
    double epochs;
    size_t steps; /* single ratings; 0: by epochs */
    float rate, decay;
    float offset; /* the middle of the scale, which is public */
    float *items; /* q, c [n_items × (dim + 1)] */
    float *users; /* p, b [n_clients × (dim + 1)]; NULL when only timing is asked for */
};

/* Entries of a learner's parameter table. */
#define FRS_RATING_MF_PARAMS(epochs_default, rate_default, decay_default)                                    \
    {.key = "dim",                                                                                           \
        .type = FRS_INT,                                                                                     \
        .initial = "20",                                                                                     \
        .min = 1,                                                                                            \
        .max = 4095,                                                                                         \
        .help = "length d of a user or item vector, biases apart"},                                          \
        FRS_EPOCHS_PARAM(epochs_default),                                                                    \
        {.key = "learning_rate",                                                                             \
            .type = FRS_REAL,                                                                                \
            .initial = rate_default,                                                                         \
            .min = 0,                                                                                        \
            .max = 1e3,                                                                                      \
            .help = "step size of local SGD, one rating at a time"},                                         \
        {.key = "decay",                                                                                     \
            .type = FRS_REAL,                                                                                \
            .initial = decay_default,                                                                        \
            .min = 0,                                                                                        \
            .max = 1e3,                                                                                      \
            .help = "L2 regularisation of vectors and biases"},                                              \
    {                                                                                                        \
        .key = "init_sd", .type = FRS_REAL, .initial = "0.1", .min = 0, .max = 1e3,                          \
        .help = "standard deviation of initial vectors (0: biases alone learn); biases begin at zero, a "    \
                "user's at its mean rating"                                                                  \
    }

/* A model of so many bytes with the settings and tables that FRS_RATING_MF_PARAMS describe. */
void *frs_rating_mf_begin(
    size_t bytes, const struct frs_values *values, const struct frs_learner_setup *setup);

/* Slots of struct frs_learner. */
/* The upload are the rows of the rated items. */
void frs_rating_mf_train(
    const void *model, const struct frs_training *training, struct frs_arena *arena, struct frs_trained *out);
void frs_rating_mf_score(const void *model, const struct frs_tables *held, uint32_t client,
    const uint32_t *items, size_t n, float *scores);

#endif
