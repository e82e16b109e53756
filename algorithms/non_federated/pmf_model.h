/* PMF as Liu et al. 2024 (RFRec) run it in table 2, with or without biases: full-batch Adam on
 *
 *     Σ ((r_ui − least)/span − σ(p_u · q_i [+ b_u + c_i]))² + λ Σ_u ‖p_u‖ + λ Σ_i ‖q_i‖ [+ λ ‖b‖ + λ ‖c‖]
 *
 * Norms are not squared; that of the biases is one norm over all of them (published code). */
#ifndef FRS_ALGORITHMS_NON_FEDERATED_PMF_MODEL_H
#define FRS_ALGORITHMS_NON_FEDERATED_PMF_MODEL_H

#include "algorithms/non_federated/epochs.h"

/* A parameter table's beginning. */
#define FRS_PMF_PARAMS                                                                                       \
    FRS_EPOCHS_PARAMS("100"),                                                                                \
        {.key = "dim",                                                                                       \
            .type = FRS_INT,                                                                                 \
            .initial = "20",                                                                                 \
            .min = 1,                                                                                        \
            .max = 4096,                                                                                     \
            .help = "length of a vector"},                                                                   \
        {.key = "learning_rate", .type = FRS_REAL, .initial = "0.01", .max = 10, .help = "of Adam"},         \
        {.key = "penalty",                                                                                   \
            .type = FRS_REAL,                                                                                \
            .initial = "0.1",                                                                                \
            .max = 1e3,                                                                                      \
            .help = "lambda, the weight of the norms"},                                                      \
    {                                                                                                        \
        .key = "init", .type = FRS_REAL, .initial = "0.01", .max = 100,                                      \
        .help = "standard deviation of initial values"                                                       \
    }

extern const struct frs_iterative frs_pmf, frs_pmf_with_biases;

#endif
