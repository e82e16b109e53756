/* Measure: how long this machine takes for the training of clients, against what a scenario counts of it. */
#ifndef FRS_RUN_DEVICE_MEASURE_H
#define FRS_RUN_DEVICE_MEASURE_H

#include "analysis/statistics/compute_law.h"
#include "sim/run/setup/setup.h"

struct frs_measured {
    struct frs_compute_time
        time; /* of a pass over all clients: operations, samples, and the median of its passes' processor time */
    double low_s, high_s; /* quartiles of the passes' processor time */
};

/* Trains the first `n_clients` clients of the setup's data, which it has to have loaded, `n_passes` times after one to warm up, on
 * tables as they begin, in one thread. What is measured is processor time of this thread, so that other work of the machine
 * costs caches and clock rate at most; of the passes the median is taken. Nothing is committed. A method that trains nobody
 * has 0 operations. */
struct frs_measured frs_measure_training(const struct frs_setup *setup, size_t n_clients, size_t n_passes);

#endif
