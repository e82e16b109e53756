/* Churn: when a client joins the population and when it leaves it for good.
 *
 * A share of the clients joins late, at a time uniform over a period after the start; every client may leave
 * for good, after an exponential lifetime that begins when it joins. One stream per client (purpose CHURN)
 * decides all of it, always with the same draw for the same question: more late joiners are the old ones and
 * some more, and a longer mean lifetime stretches every lifetime by the same factor. A share of the clients
 * never comes: they belong to the population, for which the model is made and evaluated, and no server
 * reaches them. */
#ifndef FRS_PLATFORMS_AVAILABILITY_CHURN_H
#define FRS_PLATFORMS_AVAILABILITY_CHURN_H

#include "sim/base/settings/units.h"

#include <stdint.h>

struct frs_values;

/* The keys, for the parameter table of the section that holds them (`failures`). */
#define FRS_CHURN_PARAMS                                                                                     \
    {.key = "late_share",                                                                                    \
        .type = FRS_REAL,                                                                                    \
        .by_class = true,                                                                                    \
        .initial = "0",                                                                                      \
        .min = 0,                                                                                            \
        .max = 1,                                                                                            \
        .help = "probability that a client is not there at the start and joins later"},                      \
        {.key = "join_over",                                                                                 \
            .type = FRS_QUANTITY,                                                                            \
            .by_class = true,                                                                                \
            .dimension = FRS_TIME,                                                                           \
            .initial = "1 d",                                                                                \
            .min = 1e-3,                                                                                     \
            .max = 1e12,                                                                                     \
            .help = "late clients join at a time spread evenly from 0 to this"},                             \
        {.key = "absent_share",                                                                              \
            .type = FRS_REAL,                                                                                \
            .by_class = true,                                                                                \
            .initial = "0",                                                                                  \
            .min = 0,                                                                                        \
            .max = 1,                                                                                        \
            .help = "probability that a client never comes; the model is evaluated for it all the same"},    \
    {                                                                                                        \
        .key = "mean_lifetime", .type = FRS_QUANTITY, .by_class = true, .dimension = FRS_TIME,               \
        .initial = "0 s", .min = 0, .max = 1e12,                                                             \
        .help = "mean time (exponential) from joining to leaving for good; 0 s: no client leaves"            \
    }

struct frs_churn {
    double late_share, join_over_s;
    double absent_share;
    double mean_lifetime_s; /* 0: for ever */
    uint64_t seed;
};

/* `join_over` is read only when clients can be late. */
struct frs_churn frs_churn_read(const struct frs_values *values, uint64_t seed);

/* Whether every client is there at all times. */
bool frs_churn_is_trivial(const struct frs_churn *churn);

/* Whether the client never comes. */
bool frs_churn_is_absent(const struct frs_churn *churn, uint32_t client);

/* Whether the client is a member at t_s ≥ 0; *until_s: the time, later than t_s, at which that changes,
 * INFINITY if it never does. It is a member from the time it joins up to, but not at, the time it leaves. */
bool frs_churn_at(const struct frs_churn *churn, uint32_t client, double t_s, double *until_s);

#endif
