/* Forecast: what a run will need, before it is started (simulation.md 10.20).
 *
 * The first cohort is drawn as the run will draw it and some of its clients are really trained, which gives
 * flops, message sizes and speed; the round time is the closed form over that cohort. */
#ifndef FRS_RUN_FORECAST_H
#define FRS_RUN_FORECAST_H

#include "sim/run/compose.h"

void frs_forecast_print(const struct frs_setup *setup, size_t threads, FILE *out);

#endif
