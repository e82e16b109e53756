/* Load forecast: what a run will demand of the server and what it will cost, from the rounds that were
 * simulated beforehand, as lines of `check` and as members of its JSON. */
#ifndef FRS_FORECAST_LOAD_FORECAST_H
#define FRS_FORECAST_LOAD_FORECAST_H

#include "sim/forecast/unseen.h"

#include <jansson.h>
#include <stdio.h>

/* In the whole run. */
struct frs_load_forecast {
    struct frs_amount down_bytes, up_bytes; /* connecting included */
    struct frs_amount metered_bytes;        /* of both */
    struct frs_amount connected_s;          /* of all clients together */
    struct frs_amount busy_s, work_s;       /* in which the server serves or works, and in which it works */
    struct frs_amount energy_j;             /* of clients */
    struct frs_load_hours by_hour[FRS_LOAD_HOURS]; /* of the time that was simulated beforehand, */
    bool all_simulated;                            /* which is all of it */
};

/* `of` is the request by which the traffic is forecast. Times are those of the rounds played, multiplied
 * by time_factor. */
struct frs_load_forecast frs_load_forecast_of(const struct frs_amount_request *of, double time_factor);

/* The low ends are so many times as much, and so are the high ends. */
void frs_load_forecast_widen(struct frs_load_forecast *load, double low, double high);

/* All amounts are so many times as much. */
void frs_load_forecast_scale(struct frs_load_forecast *load, double factor);

/* The most clients that can be connected at once, and the most bytes per second each way; INFINITY where
 * the scenario does not bound them. */
double frs_load_most_connections(const struct frs_setup *setup);
double frs_load_most_bytes_per_s(const struct frs_setup *setup, bool up);

/* Prints a line each for connections (by Little's law: participations · how long each is connected /
 * time), energy and costs, and a table of the hours of the server's clock where clients or rounds follow
 * it. */
void frs_load_forecast_print(const struct frs_setup *setup, const struct frs_load_forecast *load,
    const struct frs_extrapolation *run, FILE *out);

/* Members `load`, `energy_j` and `costs`. NULL: nothing is known, and they are null. */
void frs_load_forecast_set(json_t *root, const struct frs_setup *setup, const struct frs_load_forecast *load,
    const struct frs_extrapolation *run);

#endif
