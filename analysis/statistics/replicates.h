/* Replicates: runs that differ in their seed only, and what two sets of them tell about each other. */
#ifndef FRS_ANALYSIS_STATISTICS_REPLICATES_H
#define FRS_ANALYSIS_STATISTICS_REPLICATES_H

#include "analysis/statistics/metrics.h"
#include "analysis/statistics/intervals.h"

#include <stdint.h>

struct frs_replicate {
    uint64_t seed;
    const struct frs_metrics *metrics; /* borrowed */
};

/* All zero: none. */
struct frs_replicates {
    size_t n, capacity;
    struct frs_replicate *list;
};

void frs_replicates_add(struct frs_replicates *replicates, uint64_t seed, const struct frs_metrics *metrics);
void frs_replicates_fini(struct frs_replicates *replicates);

/* One metric over the replicates that have it. Where its values lie on a grid (frs_metrics_set_step), no
 * interval here or below is narrower than that grid allows. With censored values (INFINITY) there is no
 * mean: a mean of the others would become better the more runs failed. */
struct frs_figure {
    struct frs_estimate estimate; /* n counts censored runs too */
    size_t censored;
};

struct frs_figure frs_replicates_figure(const struct frs_replicates *replicates, const char *metric);

/* Whether there are replicates, and all of them have a number for the metric: none is censored, or lacks it.
 */
bool frs_replicates_all_have(const struct frs_replicates *replicates, const char *metric);

/* a − b in one metric. */
struct frs_contrast {
    struct frs_estimate paired;   /* over replicates with the same seed on both sides */
    struct frs_estimate unpaired; /* Welch, over all */
    struct frs_estimate ratio;    /* mean of a over mean of b, of the same replicates */
    size_t censored;              /* runs on either side; with any of them there are no estimates */
};

struct frs_contrast frs_replicates_contrast(
    const struct frs_replicates *a, const struct frs_replicates *b, const char *metric);

/* How many times wider the interval is when the pairing is ignored; NaN where one of them has no width. */
double frs_contrast_width_ratio(const struct frs_contrast *contrast);

/* Whether every replicate of `a` has a partner of the same seed in `b`, and the other way round. */
bool frs_replicates_match(const struct frs_replicates *a, const struct frs_replicates *b);

#endif
