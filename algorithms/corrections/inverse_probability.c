/* Inverse probability weighting: ω_i = 1/p_i(t), the probability that client i's upload is aggregated in
 * round t, selection included, being known. What the others estimate; no server knows it outside of a
 * simulation. */
#include "algorithms/correction.h"

static void weigh(void *state, const struct frs_correction_request *request, double *weights) {
    (void)state;
    for (size_t i = 0; i < request->n; i++)
        weights[i] = 1 / request->probabilities[request->clients[i]];
}

const struct frs_correction frs_correction_inverse_probability = {
    .plugin = {.name = "inverse_probability",
        .summary = "an upload counts by the inverse of the probability with which it arrives, as simulated: "
                   "what the others estimate",
        .source = "Horvitz & Thompson 1952"},
    .needs_probabilities = true,
    .weigh = weigh,
};
