/* What methods have in common whose clients train a biased matrix factorisation of their ratings: an item
 * table with a bias in its last column, private user vectors with theirs, and local SGD. */
#ifndef FRS_ALGORITHMS_RATING_MF_H
#define FRS_ALGORITHMS_RATING_MF_H

#include "algorithms/learner.h"
#include "algorithms/learners/epochs_params.h"

struct frs_rating_mf {
    size_t dim;
    uint32_t epochs;
    float rate, decay;
    float offset; /* the middle of the scale, which everybody knows */
    struct frs_learner_setup setup;
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

/* Reads the keys of FRS_RATING_MF_PARAMS. */
void frs_rating_mf_init(
    struct frs_rating_mf *model, const struct frs_values *values, const struct frs_learner_setup *setup);
void frs_rating_mf_fini(struct frs_rating_mf *model);

/* Slots of struct frs_learner. */
size_t frs_rating_mf_parts(const void *model, enum frs_payload payload, struct frs_part *out);
size_t frs_rating_mf_private_values(const void *model);
struct frs_tables frs_rating_mf_tables(const void *model);
/* The upload are the rows of the rated items. */
void frs_rating_mf_train(
    const void *model, const struct frs_training *training, struct frs_arena *arena, struct frs_trained *out);
void frs_rating_mf_commit(void *model, uint32_t client, const void *private_state, size_t private_bytes);
void frs_rating_mf_archive(void *model, struct frs_archive *archive);
void frs_rating_mf_score(const void *model, const struct frs_tables *held, uint32_t client,
    const uint32_t *items, size_t n, float *scores);

#endif
