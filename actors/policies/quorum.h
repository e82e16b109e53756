/* Parameters of policies that can close a round too early for it to count. */
#ifndef FRS_ACTORS_QUORUM_H
#define FRS_ACTORS_QUORUM_H

#include "actors/policy.h"

#include <stdint.h>

#define FRS_QUORUM_PARAMS                                                                                    \
    {.key = "quorum",                                                                                        \
        .type = FRS_REAL,                                                                                    \
        .initial = "0",                                                                                      \
        .min = 0,                                                                                            \
        .max = 1,                                                                                            \
        .help = "share of rounds.cohort that has to arrive, accepted late uploads included; with fewer the " \
                "round is void and repeated; 0: any number will do"},                                        \
    {                                                                                                        \
        .key = "max_attempts", .type = FRS_INT, .initial = "10", .min = 1, .max = 1e9,                       \
        .help = "with a quorum: after so many void attempts at one round the run ends"                       \
    }

void frs_quorum_read(const struct frs_values *values, const struct frs_policy_setup *setup,
    struct frs_policy_settings *settings);

/* The smallest number of clients that is at least this share of n. */
uint32_t frs_share_of(double share, uint32_t n);

#endif
