/* Contribution: one upload as the server decoded it, to be aggregated. */
#ifndef FRS_ALGORITHMS_CONTRIBUTION_H
#define FRS_ALGORITHMS_CONTRIBUTION_H

#include "algorithms/rows.h"

#include <stdbool.h>

struct frs_contribution {
    uint32_t client, samples;
    uint64_t round_seed; /* of the round whose tables it was trained on */
    double weight;       /* takes the place of the learner's own weighting; 0: none is given */
    /* s(τ), the factor on the change because it was trained on tables τ versions old. The divisor of a
     * mean does not contain it. 0: no factor. */
    double staleness_scale;
    bool apart;      /* counts in the weights, but its update belongs under another round seed */
    uint32_t rounds; /* since the client received its base, where clients keep models of their own; 0: one */
    const struct frs_tables *base; /* what the client had received (state uploads replace rows of it) */
    struct frs_rows parts[FRS_MAX_PARTS];
};

#endif
