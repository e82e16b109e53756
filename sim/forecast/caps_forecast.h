/* What a client will take in a period, beside its caps: a line of `check`. */
#ifndef FRS_FORECAST_CAPS_FORECAST_H
#define FRS_FORECAST_CAPS_FORECAST_H

#include "sim/forecast/forecast.h"

/* Bytes that a client moves in a period on average, connecting included; NaN: not known. */
struct frs_spent_range {
    double low, middle, high;
};

struct frs_spent_range frs_spent_range(const struct frs_setup *setup, const struct frs_forecast *forecast);

/* Returns "takes 16.6 MB in 30.0 d on average, between 16.1 MB and 17.0 MB, of 50 MB that it may; 95 % of
 * the clients take 18 MB at most", freed by the caller. NULL: the scenario has no section caps, or rounds
 * could not be simulated. */
char *frs_caps_forecast(const struct frs_setup *setup, const struct frs_forecast *forecast);

#endif
