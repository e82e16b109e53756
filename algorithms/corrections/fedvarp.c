/* FedVARP: the newest updates of all clients are a control variate for those that arrive:
 * w ← w + (1/|A|) Σ_A (Δ_i − y_i) + (1/N) Σ y_j; then y_i ← Δ_i for i in A. */
#include "algorithms/correction.h"

static double step(const struct frs_correction_means *means) {
    return means->arrived - means->remembered + means->all_before;
}

const struct frs_correction frs_correction_fedvarp = {
    .plugin = {.name = "fedvarp",
        .summary = "FedVARP: the mean of those that arrive, less what they sent before, plus the mean of the "
                   "newest updates of all",
        .source = "Jhunjhunwala et al., UAI 2022, algorithm 2"},
    .flop = 3,
    .step = step,
};
