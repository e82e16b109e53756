/* Caps that clients will reach in rounds that were not played. The run then waits for periods to end and
 * its rounds are smaller, which the played rounds do not show. */
#ifndef FRS_FORECAST_CAPS_PACE_H
#define FRS_FORECAST_CAPS_PACE_H

#include "sim/forecast/extrapolation.h"
#include "sim/forecast/pilot_rounds.h"
#include "sim/setup/setup.h"

/* What one participation takes on average, connecting included; NaN: no round was entered. */
struct frs_caps_each {
    double bytes, energy_j;
    double metered_bytes; /* of one over a metered link; 0: there are none */
};

struct frs_caps_each frs_caps_each(const struct frs_pilot_round *last);

/* How often a client can take part in a period, as far as its caps go; INFINITY: there are none. */
double frs_caps_fit(const struct frs_caps *caps, const struct frs_caps_each *each);

/* Whether any client is likely to reach a cap in a run of this length; `extrapolation` is of all its
 * rounds. */
bool frs_caps_may_bind(const struct frs_setup *setup, const struct frs_pilot_round *last,
    const struct frs_extrapolation *extrapolation);

/* Widens the range of the time by the periods that such a run may have to wait for. The rounds that are
 * left are spread over as many periods as their clients can take part in. */
void frs_caps_widen(
    const struct frs_setup *setup, const struct frs_pilot *played, struct frs_extrapolation *extrapolation);

#endif
