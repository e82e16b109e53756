/* Extent: how many rounds of a run are simulated beforehand, with and without training.
 *
 * Only counts decide (algorithms/training/effort.h): a forecast that read the clock would differ on a busy
 * machine. All rounds are played if they take no more than most of the patience. Otherwise a share of the
 * patience decides how many. At least one is played if it takes no longer than the patience or than a
 * fiftieth of the run's effort, whichever is longer, up to five times the patience. */
#ifndef FRS_FORECAST_EXTENT_H
#define FRS_FORECAST_EXTENT_H

#include "sim/forecast/pilot_rounds.h"
#include "sim/setup/setup.h"

/* The share of the patience that is for trying clients. */
#define FRS_EXTENT_PROBING 0.1

/* Playing that takes so many times the processor time that was expected is cut. */
#define FRS_EXTENT_CEILING 4

struct frs_extent {
    const struct frs_setup *setup;
    const struct frs_training_estimate *estimate; /* NULL: there is no training */
    size_t threads;
    double patience_s;   /* effort */
    double simulation_s; /* effort of a participation besides training */
};

/* Clients that a round, or one aggregation of an asynchronous policy, has. */
double frs_extent_per_round(const struct frs_setup *setup);

/* Requests for rounds with training, and for rounds without; most_rounds 0: not one can be played.
 * `has_real`: rounds with training were played before. */
struct frs_pilot_request frs_extent_real(const struct frs_extent *extent);
struct frs_pilot_request frs_extent_estimated(const struct frs_extent *extent, bool has_real);

#endif
