/* Failures of edges: when an edge dies, and when it is back. It then knows nothing of what it held.
 *
 * Times are those that the scenario names, and those that are drawn from the edge's own stream: exponential
 * with a mean of `mtbf` from its start, or its restart, on. A failure that falls into the absence after
 * another one changes nothing. */
#ifndef FRS_PLATFORMS_EDGES_EDGE_FAILURES_H
#define FRS_PLATFORMS_EDGES_EDGE_FAILURES_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_values;
struct frs_edge_failures;

/* Reads keys `fails`, `mtbf` and `restart` of section `network.edges`. NULL: no edge fails, or an error was
 * added, which *ok tells. */
struct frs_edge_failures *frs_edge_failures_read(
    const struct frs_values *values, uint32_t n_edges, uint64_t seed, bool *ok, struct frs_errors *errors);
void frs_edge_failures_destroy(struct frs_edge_failures *failures);

/* The first time, not before time_s, at which the edge is up. `failures` may be NULL. */
double frs_edge_failures_up_s(struct frs_edge_failures *failures, uint32_t edge, double time_s);

/* The first time later than time_s at which the edge dies, if it is up at time_s; INFINITY: never. */
double frs_edge_failures_next_s(struct frs_edge_failures *failures, uint32_t edge, double time_s);

#endif
