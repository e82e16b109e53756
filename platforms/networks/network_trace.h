/* Network trace: a series of values over time, of a link or of the server's speed; what the traces of clients
 * (platforms/networks/client_trace.h) and of the server (server_trace.h) are made of.
 *
 * A value holds from its time until the next one. What comes after the last line, and what the first time may
 * be, is said by enum frs_trace_end. Times are at least a hundredth of a second apart and at most 1e9 s after
 * the first. A value may be 0 (no connection) for a time. With a column `client` every client has its own
 * series, whose lines have to be adjacent. */
#ifndef FRS_PLATFORMS_NETWORKS_NETWORK_TRACE_H
#define FRS_PLATFORMS_NETWORKS_NETWORK_TRACE_H

#include "sim/base/files/csv.h"

#include <stdbool.h>
#include <stdint.h>

enum frs_trace_end {
    FRS_TRACE_CLOSES, /* the last line is where the first value comes again; it has to repeat it, and to begin
                         at 0 */
    FRS_TRACE_REPEATS, /* the last line is where the first value comes again, and says nothing else; times
                          count from the first line */
    FRS_TRACE_HOLDS,   /* the last value stays for good; times count from the first line */
};
extern const char *const frs_trace_ends[]; /* "closed", "repeat", "hold" */

/* One cycle: points [start, end) of the trace. */
struct frs_trace_cycle {
    uint32_t client;
    size_t start, end;
    double begins_s; /* the time of its first line in the file */
    double most;     /* its largest value, once it has ended */
};

/* All zero: no trace. */
struct frs_trace {
    bool by_client;
    bool random_phase;
    enum frs_trace_end ends;
    const char *advice; /* behind an error about its first time or its last line; NULL: none */
    size_t n, t_capacity, factor_capacity, n_cycles, cycles_capacity;
    double *t_s, *factors;          /* [n] */
    struct frs_trace_cycle *cycles; /* [n_cycles]; by client in ascending order, otherwise one */
};

/* Reads a trace value by value: adds the value of the line last read, from the column `name`, and at the
 * end of the file checks the last cycle. `last_line`: the line before, or the last one. Returns false
 * after adding an error. */
bool frs_trace_put(struct frs_csv *csv, struct frs_trace *trace, const char *name, uint32_t client,
    double t_s, double value, size_t last_line, struct frs_errors *errors);
bool frs_trace_end(struct frs_csv *csv, struct frs_trace *trace, const char *name, size_t last_line,
    struct frs_errors *errors);

/* What the cycles of a trace hold: their means over time, the largest and the least value in force, and how
 * long the shortest and the longest one last. The mean of several cycles is that of their means. */
struct frs_trace_extent {
    double mean, most, least, shortest_s, longest_s;
};
struct frs_trace_extent frs_trace_extent(const struct frs_trace *trace);

/* The largest value there is. */
double frs_trace_most(const struct frs_trace *trace);

void frs_trace_fini(struct frs_trace *trace);

/* The cycle of a client by what the file calls it; NULL: it has none. */
const struct frs_trace_cycle *frs_trace_cycle_of(const struct frs_trace *trace, uint32_t number);

/* The value of a client at time t_s ≥ 0, 1 where `cycle` is NULL. *until_s receives the time at which the
 * next one begins, always later than t_s; INFINITY when the value stays. With random_phase a client starts
 * somewhere in its cycle. */
double frs_trace_value(const struct frs_trace *trace, const struct frs_trace_cycle *cycle, uint64_t seed,
    uint32_t client, double t_s, double *until_s);

#endif
