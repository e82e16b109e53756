/* The step of Adam that server optimisers take: FedAdam (adam.c), and the bias-corrected one of methods
 * whose clients send gradients (models/server_adam.h). Also the keys that FedAdam and FedYogi (yogi.c)
 * share. */
#ifndef FRS_ALGORITHMS_OPTIMISERS_ADAM_H
#define FRS_ALGORITHMS_OPTIMISERS_ADAM_H

#include "algorithms/optimiser.h"
#include "sim/base/settings/param.h"

/* rate, beta1, beta2 and tau. */
extern const struct frs_param frs_optimiser_adam_params[];

/* Moments are kept unnormalised, M = m/(1−β1) and V = v/(1−β2): M ← β1 M + Δ, V ← β2 V + Δ², change = rate' M
 * / (√V + τ'), where rate' and τ' are `rate` and `tau` of the settings. */
void frs_optimiser_adam_apply(
    const struct frs_optimiser_settings *settings, struct frs_moments moments, float *change, size_t n);

#endif
