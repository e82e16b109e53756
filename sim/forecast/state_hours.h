/* State hours: the states that devices can have at hours of the day in which no round was simulated
 * beforehand, and so what a participation can take then. */
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

/* Checks some of the devices at two times of each hour in which rounds may open. The result is unknown
 * where devices have no states, or where no eligible client was found at any of these times. */
struct frs_state_hours frs_state_hours_of(const struct frs_setup *setup, const struct frs_pilot *played);

#endif
