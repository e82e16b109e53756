/* Epochs: the best number of passes of a non-federated baseline that is trained pass by pass. It is found
 * on a held-out part of every client's training ratings, never on test ratings. Then the baseline trains
 * on all training ratings for that many passes. */
#ifndef FRS_ALGORITHMS_NON_FEDERATED_EPOCHS_H
#define FRS_ALGORITHMS_NON_FEDERATED_EPOCHS_H

#include "algorithms/non_federated.h"

/* A model trained pass by pass; what is borrowed outlives it. */
struct frs_iterative {
    void *(*begin)(const struct frs_values *values, const struct frs_population *population);
    void (*pass)(void *model, uint32_t epoch);
    void (*destroy)(void *model);
    void (*score)(const void *model, uint32_t client, const uint32_t *items, size_t n, float *scores);
};

/* Entries of a baseline's parameter table. */
#define FRS_EPOCHS_PARAMS(most_default)                                                                      \
    {.key = "epochs",                                                                                        \
        .type = FRS_INT,                                                                                     \
        .initial = "0",                                                                                      \
        .min = 0,                                                                                            \
        .max = 1e6,                                                                                          \
        .help = "passes over the data; 0: as many as predict the held-out training ratings best"},           \
        {.key = "most_epochs",                                                                               \
            .type = FRS_INT,                                                                                 \
            .initial = most_default,                                                                         \
            .min = 1,                                                                                        \
            .max = 1e6,                                                                                      \
            .help = "epochs = 0: passes tried"},                                                             \
    {                                                                                                        \
        .key = "held_out", .type = FRS_REAL, .initial = "0.1", .min = 0.001, .max = 0.9,                     \
        .help = "epochs = 0: share of a client's training ratings that is held out to choose by"             \
    }

/* Returns the number of passes with the lowest RMSE on the held-out ratings, with predictions clipped to
 * the scale; the first of equals. The search ends once the last quarter of all passes has brought nothing
 * better, or it is stopped. */
uint32_t frs_epochs_choose(const struct frs_iterative *iterative, const struct frs_values *values,
    const struct frs_population *population, const atomic_bool *stopped);

/* A model of all training ratings, after `epochs` passes or as many as frs_epochs_choose says. */
void *frs_epochs_fit(const struct frs_iterative *iterative, const struct frs_values *values,
    const struct frs_population *population, const atomic_bool *stopped);

#endif
