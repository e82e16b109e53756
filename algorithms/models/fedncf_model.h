/* The common part of all FedNCF variants, which send state, updates, or low-rank updates of the item table:
 * an item table and a perceptron that all clients share, private user vectors, and local training of all
 * three.
 *
 * A learner's model starts with a struct frs_fedncf, so that the functions below can be its slots as they
 * are. */
#ifndef FRS_ALGORITHMS_FEDNCF_MODEL_H
#define FRS_ALGORITHMS_FEDNCF_MODEL_H

#include "algorithms/kernels/steps/perceptron.h"
#include "algorithms/models/mf_model.h"

struct frs_fedncf {
    struct frs_model base;
    struct frs_mf_settings settings;
    struct frs_perceptron_shape shape;
    float network_rate;
    float *items;   /* Q [n_items × dim] */
    float *network; /* see perceptron.h */
    float *users;   /* p [n_clients × dim]; NULL when only timing is asked for */
};

extern const char *const frs_fedncf_start_names[]; /* enum frs_perceptron_start */

/* Entries of a learner's parameter table. */
#define FRS_FEDNCF_PARAMS(layers_default, start_default)                                                     \
    {.key = "layers",                                                                                        \
        .type = FRS_TEXT,                                                                                    \
        .initial = layers_default,                                                                           \
        .help = "widths of the hidden layers, separated by commas; the input has 2 * dim, the output 1"},    \
        {.key = "network_init",                                                                              \
            .type = FRS_CHOICE,                                                                              \
            .initial = start_default,                                                                        \
            .choices = frs_fedncf_start_names,                                                               \
            .help = "initial perceptron: uniform (weights and biases within 1/sqrt(inputs)), xavier "        \
                    "(weights within sqrt(6/(inputs + outputs)), biases 0)"},                                \
    {                                                                                                        \
        .key = "network_learning_rate", .type = FRS_REAL, .initial = "-1", .min = -1, .max = 1e6,            \
        .help = "step size of the perceptron; -1: the same as learning_rate"                                 \
    }

/* Another one, which frs_fedncf_create reads. */
#define FRS_FEDNCF_AGGREGATION_PARAM(aggregation_default)                                                    \
    {                                                                                                        \
        .key = "aggregation", .type = FRS_CHOICE, .initial = aggregation_default,                            \
        .choices = frs_weighting_names,                                                                      \
        .help = "weight of an upload: data_size, uniform, or per_item over the clients that changed the "    \
                "item (the perceptron: uniform)"                                                             \
    }

/* Reads what FRS_MF_PARAMS and FRS_FEDNCF_PARAMS describe; false after an error. Leaves `weighting` and the
 * tables to the learner. */
bool frs_fedncf_read(
    struct frs_fedncf *model, const struct frs_values *values, struct frs_errors *errors) FRS_MUST_CHECK;
/* Declares the tables, the item table being this one. */
void frs_fedncf_declare(struct frs_fedncf *model, const struct frs_values *values, struct frs_table items);

/* As frs_fedncf_train, but item rows move only by `project` [dim × rank] times A, and A is reported for
 * them (projection.h). Without `project` the rows themselves are trained. */
void frs_fedncf_train_low_rank(const struct frs_fedncf *model, const struct frs_training *training,
    const float *project, size_t rank, struct frs_arena *arena, struct frs_trained *out);

/* Slots of struct frs_learner. */
void *frs_fedncf_create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors);
void frs_fedncf_train(
    const void *model, const struct frs_training *training, struct frs_arena *arena, struct frs_trained *out);
void frs_fedncf_score(const void *model, const struct frs_tables *held, uint32_t client,
    const uint32_t *items, size_t n, float *scores);

/* The mean change of both parts, memory from the arena: the slot `aggregate` of those that send updates. */
void frs_fedncf_average(void *model, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *change);

#endif
