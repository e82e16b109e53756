/* How many clients will take part in a round, on average over the run. */
#ifndef FRS_FORECAST_COHORT_FORECAST_H
#define FRS_FORECAST_COHORT_FORECAST_H

#include "sim/forecast/extrapolation.h"
#include "sim/forecast/pilot_rounds.h"
#include "sim/setup/setup.h"

struct frs_cohort_range {
    double low, mean, high; /* 95 % range; NaN: not known, or clients are selected one by one */
};

/* Computes the range from the rounds played, which are all known; `extrapolation` is of all rounds of the
 * run. `unseen`: the rounds that are left may have as few or as many clients as a round can have. */
struct frs_cohort_range frs_cohort_range_of(const struct frs_setup *setup, const struct frs_pilot *played,
    const struct frs_extrapolation *extrapolation, bool unseen);

#endif
