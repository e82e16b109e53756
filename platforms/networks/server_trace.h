/* Server trace: the server's links and speed over time, from a CSV file.
 *
 * Columns t_s and any of down_UNIT, up_UNIT and speed_UNIT, named as in the table of a fleet
 * (platforms/fleet/fleet.h). A line holds from its time until the next one; the first time is 0, and at the
 * last one the trace starts again, so the last line repeats the first. A value may be 0 for a time. */
#ifndef FRS_PLATFORMS_NETWORKS_SERVER_TRACE_H
#define FRS_PLATFORMS_NETWORKS_SERVER_TRACE_H

#include "platforms/fleet/fleet.h"
#include "platforms/networks/network_trace.h"

enum frs_server_figure { FRS_SERVER_DOWN, FRS_SERVER_UP, FRS_SERVER_SPEED, FRS_SERVER_FIGURES };

/* All zero: nothing varies. */
struct frs_server_trace {
    char *path; /* NULL: none */
    struct frs_digest digest;
    bool has[FRS_SERVER_FIGURES];
    double most[FRS_SERVER_FIGURES];              /* SI units */
    struct frs_trace factors[FRS_SERVER_FIGURES]; /* of that, from 0 to 1 */
};

/* False after adding errors that start with file:line; the trace is empty then. */
bool frs_server_trace_read(const char *path, struct frs_server_trace *trace, struct frs_errors *errors);

void frs_server_trace_fini(struct frs_server_trace *trace);

/* The value of a figure at time t_s ≥ 0 as a share of its maximum, and until when it holds (always later
 * than t_s; INFINITY: for ever). 1 for a constant figure. */
double frs_server_trace_factor(
    const struct frs_server_trace *trace, enum frs_server_figure figure, double t_s, double *until_s);

#endif
