#include "algorithms/mixing.h"

const char *const frs_mixing_names[] = {
    [FRS_MIXING_METROPOLIS] = "metropolis", [FRS_MIXING_UNIFORM] = "uniform", NULL};

/* Under metropolis each of d weights is at most 1 / (1 + d), so that at least as much is left. */
void frs_mixing_row(enum frs_mixing mixing, size_t d, const uint32_t *degrees, double *weights) {
    double sum = 0;
    for (size_t i = 0; i < d; i++) {
        size_t most = mixing == FRS_MIXING_METROPOLIS && degrees[i] > d ? degrees[i] : d;
        weights[i + 1] = 1 / (1 + (double)most);
        sum += weights[i + 1];
    }
    weights[0] = mixing == FRS_MIXING_UNIFORM ? 1 / (1 + (double)d) : 1 - sum;
}

void frs_mixing_renormalise(size_t d, const bool *came, double *weights) {
    double sum = weights[0];
    bool all = true;
    for (size_t i = 0; i < d; i++) {
        weights[i + 1] = came[i] ? weights[i + 1] : 0;
        sum += weights[i + 1];
        all &= came[i];
    }
    for (size_t i = 0; !all && i <= d; i++)
        weights[i] /= sum;
}
