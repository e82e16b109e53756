/* Basis: what a forecast is made from. */
#ifndef FRS_FORECAST_BASIS_H
#define FRS_FORECAST_BASIS_H

#include "algorithms/training/training_estimate.h"
#include "sim/forecast/pilot_rounds.h"
#include "sim/forecast/scaled_pilot.h"

struct frs_forecast_basis {
    const struct frs_setup *setup;
    size_t threads;
    struct frs_training_estimate *estimate; /* NULL: there is no training */
    struct frs_pilot real, predicted;       /* predicted.n = 0: there was no need, or no time */
    struct frs_scaled_pilot scaled;         /* only where neither has a round */
    double patience_s;                      /* effort */
};

#endif
