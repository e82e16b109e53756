/* Census: the clients as they were drawn, and what one participation takes them, before any run.
 *
 * A quantile is the smallest value that at least so large a share of the clients does not exceed. Among more than
 * FRS_CENSUS_MOST clients that many are asked, at even places. */
#ifndef FRS_RUN_FORECAST_CENSUS_H
#define FRS_RUN_FORECAST_CENSUS_H

#include "sim/run/training/foresight.h"

#define FRS_CENSUS_MOST 20000u

enum frs_trait {
    FRS_TRAIT_DOWNLINK, /* bytes/s */
    FRS_TRAIT_UPLINK,
    FRS_TRAIT_LATENCY,    /* s */
    FRS_TRAIT_SPEED,      /* flop/s */
    FRS_TRAIT_MEMORY,     /* bytes */
    FRS_TRAIT_ONLINE,     /* share of the run, */
    FRS_TRAIT_ONLINE_DAY, /* and of its first day */
    FRS_TRAIT_LOSS, /* probability that failures take a participation that nobody else is in the way of */
    FRS_TRAITS
};

/* 10, 50 and 90 % of the n ≥ 1 values, which are sorted. */
void frs_census_quantiles(double *values, size_t n, double quantiles[3]);

/* The phases of a participation in which nothing is lost and nobody else is in the way; without jitter and
 * trace. */
struct frs_course_of_time {
    uint32_t client;
    double setup_s, latency_s, down_s, compute_s, up_latency_s, up_s, post_s,
        whole_s; /* whole: without post */
};

/* `down_bytes`: of its download. `foresight` NULL: the upload of a client that is not trained. */
struct frs_course_of_time frs_census_participation(
    const struct frs_setup *setup, const struct frs_foresight *foresight, uint32_t client, double down_bytes);

/* end_s: of the run. */
void frs_census_print(const struct frs_setup *setup, const struct frs_foresight *foresight, double down_bytes,
    double end_s, FILE *out);

#endif
