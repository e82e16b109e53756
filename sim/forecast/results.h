/* Results: what writing them will take, in memory at the end of a run and on disk. */
#ifndef FRS_FORECAST_RESULTS_H
#define FRS_FORECAST_RESULTS_H

#include "sim/forecast/pilot_rounds.h"
#include "sim/setup/setup.h"

/* Memory that ending a run touches for the first time: clients.csv, summary, page. */
double frs_results_memory_bytes(const struct frs_setup *setup, double n_rounds);

/* Bytes on disk. */
struct frs_results_size {
    bool known; /* a round was played, so that there are rounds_csv and events */
    double rounds_csv, events, clients_csv, hours_csv, page;
    double all; /* these, and what has one size whatever the run */
    double
        checkpoints; /* beside them while it runs: the last one, and the one that takes its place; 0: none */
};

/* The size of the results of n_rounds that take run_s of simulated time. `last` is the last played round,
 * in which one client in `one_in` was selected (NULL: none was played). checkpoint_bytes: size of a
 * checkpoint by the end. */
struct frs_results_size frs_results_size(const struct frs_setup *setup, const struct frs_pilot_round *last,
    uint32_t one_in, double n_rounds, double run_s, double checkpoint_bytes);

/* Free bytes of the file system that `path` is on or will be; INFINITY where that is not known. */
double frs_results_free_bytes(const char *path);

#endif
