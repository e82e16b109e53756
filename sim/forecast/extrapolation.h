/* Outlook: how long a run will take in simulated time, from its first rounds.
 *
 * What was played is known. The rounds that are left are taken to go on like the later two thirds of those
 * played (the first ones differ: clients without tables, nobody to catch up), and how much these vary says
 * how far the answer can be off. */
#ifndef FRS_FORECAST_EXTRAPOLATION_H
#define FRS_FORECAST_EXTRAPOLATION_H

#include <stdbool.h>
#include <stddef.h>

struct frs_extrapolation {
    double low_s, middle_s, high_s; /* 95 % range */
    double n_rounds;      /* that the middle goes by: fewer than were asked for where time ends the run */
    double n_low, n_high; /* range of the rounds */
};

/* ends_s [n_played ≥ 1]: simulated dates at which the first rounds ended, of n_rounds. stop_s: the run ends
 * with the first round that ends so late; INFINITY: never. slack ≥ 0: by what share any of it may be wrong.
 * loses: not everybody delivers, so that rounds of which one or two are known can be anything. */
struct frs_extrapolation frs_extrapolation_of(
    const double *ends_s, size_t n_played, size_t n_rounds, double stop_s, double slack, bool loses);

#endif
