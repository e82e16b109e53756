/* Extrapolation: how long a run will take in simulated time, from its first rounds.
 *
 * The rounds that were played are known. The rounds that are left are assumed to resemble the later two
 * thirds of these, whose spread gives the range of the answer. The first third differs: clients have no
 * tables yet, and none has to catch up. */
#ifndef FRS_FORECAST_EXTRAPOLATION_H
#define FRS_FORECAST_EXTRAPOLATION_H

#include <stdbool.h>
#include <stddef.h>

struct frs_extrapolation {
    double low_s, middle_s, high_s; /* 95 % range */
    double n_rounds; /* rounds behind the middle value: fewer than the scenario's where time ends the run */
    double n_low, n_high; /* range of the rounds */
};

/* ends_s [n_played ≥ 1]: simulated times at which the first rounds ended, of n_rounds. stop_s: the run
 * ends with the first round that ends at that time or later; INFINITY: never. slack ≥ 0: by what share any
 * of it may be wrong. loses: some clients fail to deliver, so one or two known rounds say little about the
 * others. */
struct frs_extrapolation frs_extrapolation_of(
    const double *ends_s, size_t n_played, size_t n_rounds, double stop_s, double slack, bool loses);

#endif
