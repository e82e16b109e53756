/* Measure: how long this machine takes for the training of clients and for codecs, compared with what a
 * scenario counts for it. */
#ifndef FRS_SETUP_MEASURE_DEVICE_H
#define FRS_SETUP_MEASURE_DEVICE_H

#include "algorithms/codec.h"
#include "analysis/statistics/compute_distribution.h"
#include "sim/setup/setup.h"

struct frs_measured {
    struct frs_compute_time time; /* of a pass over all clients: operations, samples, and the median processor
                                     time of the passes */
    double low_s, high_s;         /* quartiles of the passes' processor time */
};

/* Trains the first `n_clients` clients of the setup's data, which must have been loaded, on the initial
 * tables, in one thread: once to warm up, and then `n_passes` times. Measures the processor time of this
 * thread, so that other work of the machine affects only caches and clock rate, and takes the median of
 * the passes. Commits nothing. A method without local training has 0 operations. */
struct frs_measured frs_measure_training(const struct frs_setup *setup, size_t n_clients, size_t n_passes);

/* The median, with quartiles, of the processor time of one pass. */
struct frs_measured_time {
    double seconds, low_s, high_s;
};

struct frs_measured_codec {
    double values;                           /* of the rows that were encoded */
    double flop;                             /* what a scenario counts of it; 0: it counts nothing */
    struct frs_measured_time encode, decode; /* of all rows */
};

/* Encodes and decodes a change of all rows of a table [n_rows × dim] with the codec's defaults, in one
 * thread: once to warm up, and then `n_passes` times; takes the median of the passes. Values are normal. */
struct frs_measured_codec frs_measure_codec(
    const struct frs_codec *codec, size_t n_rows, size_t dim, size_t n_passes);

#endif
