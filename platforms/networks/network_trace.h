/* Network trace: bandwidth that varies over time, as a factor on a client's capacities, from a CSV file.
 *
 * Columns t_s,factor or client,t_s,factor. A factor holds from its time until the next one; the first time is
 * 0, and at the last one the trace starts again, so the last line repeats the first factor. Times are at
 * least a hundredth of a second apart and at most 1e9 s, factors at most 1e6. A factor may be 0 (no
 * connection) if the trace also has a factor above 0: then the bandwidth rises again. With a column `client`
 * every client has its own trace, whose lines have to be adjacent; a client that has no trace keeps the
 * factor 1. */
#ifndef FRS_PLATFORMS_NETWORKS_NETWORK_TRACE_H
#define FRS_PLATFORMS_NETWORKS_NETWORK_TRACE_H

#include "sim/base/files/csv.h"

#include <stdbool.h>
#include <stdint.h>

/* One cycle: points [start, end) of the trace, the last one being where the first one comes again. */
struct frs_trace_cycle {
    uint32_t client;
    size_t start, end;
};

/* All zero: no trace. */
struct frs_trace {
    bool by_client;
    bool random_phase;
    size_t n, t_capacity, factor_capacity, n_cycles, cycles_capacity;
    double *t_s, *factors;          /* [n] */
    struct frs_trace_cycle *cycles; /* [n_cycles]; by client in ascending order, otherwise one */
};

/* Reads a trace value by value: adds the value of the line last read, from the column `name`, and at the
 * end of the file checks the last cycle. `last_line`: the line before, or the last one. Returns false
 * after adding an error. */
bool frs_trace_put(struct frs_csv *csv, struct frs_trace *trace, const char *name, uint32_t client,
    double t_s, double value, size_t last_line, struct frs_errors *errors);
bool frs_trace_end(struct frs_csv *csv, const struct frs_trace *trace, const char *name, size_t last_line,
    struct frs_errors *errors);

/* The largest value there is. */
double frs_trace_most(const struct frs_trace *trace);

/* False after adding errors that start with file:line; the trace is empty then. */
bool frs_trace_read(const char *path, struct frs_trace *trace, struct frs_errors *errors);

void frs_trace_fini(struct frs_trace *trace);

/* The factor of a client at time t_s ≥ 0. *until_s receives the time at which the next one begins, always
 * later than t_s; INFINITY when the factor stays. With random_phase a client starts somewhere in its
 * cycle. `number`: the client's number in the file. */
double frs_trace_factor(const struct frs_trace *trace, uint64_t seed, uint32_t client, uint32_t number,
    double t_s, double *until_s);

#endif
