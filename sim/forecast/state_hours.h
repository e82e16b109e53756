/* State hours: what the states of devices can be at hours of the day that no round simulated beforehand was
 * in, and so what a participation can take then. */
#ifndef FRS_FORECAST_STATE_HOURS_H
#define FRS_FORECAST_STATE_HOURS_H

#include "sim/forecast/pilot_rounds.h"
#include "sim/setup/setup.h"

/* Of the devices of clients that are eligible, from the hour with the fewest to the one with the most. */
struct frs_state_hours {
    bool known;
    double metered_low, metered_high;     /* the share on a metered network, 0 to 1 */
    double computing_low, computing_high; /* how many times as long they compute as in the rounds played */
};

/* Looks at some of the devices at two times of each hour in which rounds may open. Not known where devices
 * have no states, or no such client was found at any of these times. */
struct frs_state_hours frs_state_hours_of(const struct frs_setup *setup, const struct frs_pilot *played);

#endif
