/* The common part of the systems of FedRAS's table 1, its own and the baselines (Lu et al. 2025, section
 * 5.1): keys and values among a preset's settings. */
#ifndef FRS_ALGORITHMS_PRESETS_FEDRAS_H
#define FRS_ALGORITHMS_PRESETS_FEDRAS_H

/* clang-format off */
#define FRS_FEDRAS_TRAINING                                                                                  \
    {"method.name", "fedmf_update"},                                                                         \
    {"method.dim", "32"},                                                                                    \
    {"method.epochs", "2"},                                                                                  \
    {"method.batch", "256"},                                                                                 \
    {"method.optimiser", "sgd"},                                                                             \
    {"method.learning_rate", "0.5"},                                                                         \
    {"method.sgd_scaling", "row_mean"},                                                                      \
    {"method.weight_decay", "5e-4"},                                                                         \
    {"method.aggregation", "per_item"},                                                                      \
    {"method.catchup", "ideal"}

#define FRS_FEDRAS_ROUNDS                                                                                    \
    {"rounds.count", "500"},                                                                                 \
    {"rounds.cohort", "10 %"}
/* clang-format on */

#endif
