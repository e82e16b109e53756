/* Late uploads: which later rounds use them, under policies that leave stragglers which run on. */
#ifndef FRS_ACTORS_LATE_H
#define FRS_ACTORS_LATE_H

#include "actors/policies/staleness.h"
#include "actors/policy.h"

extern const char *const frs_late_names[];

/* Entries of a policy's parameter table. */
#define FRS_LATE_PARAMS                                                                                      \
    {.key = "late",                                                                                          \
        .type = FRS_CHOICE,                                                                                  \
        .initial = "reject",                                                                                 \
        .choices = frs_late_names,                                                                           \
        .help = "with rounds.stragglers = run_on: whether later rounds use uploads that come late"},         \
        {.key = "late_rounds",                                                                               \
            .type = FRS_INT,                                                                                 \
            .initial = "1",                                                                                  \
            .min = 1,                                                                                        \
            .max = 1e9,                                                                                      \
            .help = "with late = accept: how many rounds late an upload may be; 1: the next round alone "    \
                    "uses it"},                                                                              \
        FRS_STALENESS_PARAM /* with late = accept */

void frs_late_read(const struct frs_values *values, const struct frs_policy_setup *setup,
    struct frs_policy_settings *settings);

#endif
