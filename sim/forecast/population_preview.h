/* Population preview: the clients as they were drawn, and what one participation costs them, before any
 * run.
 *
 * A quantile is the smallest value that at least this share of the clients does not exceed. If there are
 * more than FRS_PREVIEW_MOST clients, that many are used, evenly spaced. */
#ifndef FRS_FORECAST_POPULATION_PREVIEW_H
#define FRS_FORECAST_POPULATION_PREVIEW_H

#include "sim/closed_form/closed_form_time.h"
#include "algorithms/training/training_estimate.h"

#define FRS_PREVIEW_MOST 20000u

enum frs_trait {
    FRS_TRAIT_DOWNLINK, /* bytes/s */
    FRS_TRAIT_UPLINK,
    FRS_TRAIT_LATENCY,    /* s */
    FRS_TRAIT_SPEED,      /* flop/s */
    FRS_TRAIT_MEMORY,     /* bytes */
    FRS_TRAIT_ONLINE,     /* share of the run, */
    FRS_TRAIT_ONLINE_DAY, /* and of its first day */
    FRS_TRAIT_LOSS,       /* probability that failures end a participation without contention */
    FRS_TRAITS
};

/* 10, 50 and 90 % of the n ≥ 1 values, which are sorted. */
void frs_population_preview_quantiles(double *values, size_t n, double quantiles[3]);

/* Context of frs_expected_usage(): what the expected usage is computed from. */
struct frs_expectation {
    const struct frs_setup *setup;
    const struct frs_training_estimate *estimate; /* NULL: clients do not train */
    double down_bytes;                            /* of a download */
    uint64_t untrained_up_bytes;                  /* without an estimate */
};

struct frs_expectation frs_expectation(
    const struct frs_setup *setup, const struct frs_training_estimate *estimate, double down_bytes);

/* Sets *usage to the expected usage of one client's participation; `context` is a struct frs_expectation. */
void frs_expected_usage(const void *context, uint32_t client, struct frs_usage *usage);

struct frs_closed_form_time frs_population_preview_participation(const struct frs_setup *setup,
    const struct frs_training_estimate *estimate, uint32_t client, double down_bytes);

/* end_s: of the run. */
void frs_population_preview_print(const struct frs_setup *setup, const struct frs_training_estimate *estimate,
    double down_bytes, double end_s, FILE *out);

#endif
