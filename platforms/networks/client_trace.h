/* Client trace: the links of clients over time, from a CSV file (network.trace).
 *
 * Columns, in any order: t_s, or `t`, in seconds or dates; `factor`, on both capacities of the client's own
 * link, or down_UNIT, up_UNIT or both, the capacities themselves (down_Mbit_s, up_bytes_per_s; units as in
 * the table of a fleet); and `client`, where there are several traces, or `class`, where all clients of a
 * class have one. What holds when is said in platforms/networks/network_trace.h. Factors are at most 1e6;
 * capacities are 0, or at least 1 byte/s.
 *
 * A client has the trace of its number, of its class, or one that is drawn for it. Ids may be texts: those of
 * the fleet, or any where traces are drawn. A client without a trace keeps its link; with capacities every
 * client has to have one. */
#ifndef FRS_PLATFORMS_NETWORKS_CLIENT_TRACE_H
#define FRS_PLATFORMS_NETWORKS_CLIENT_TRACE_H

#include "platforms/networks/network_trace.h"
#include "platforms/tables/client_ids.h"
#include "sim/base/settings/units.h"

/* All zero: there is none. */
struct frs_client_trace {
    bool has[2];                /* of enum frs_direction; both where there are factors */
    bool has_rates;             /* capacities instead of factors */
    bool drawn;                 /* each client has one at random */
    bool by_class;              /* each class of clients has one */
    struct frs_client_ids ids;  /* of its clients or classes */
    struct frs_trace series[2]; /* factors: the first alone; otherwise bytes/s */
    double *largest[2];         /* [series[i].n_cycles], with rates: of each trace, ascending */
};

/* False after adding errors that start with file:line; the trace is empty then. */
bool frs_client_trace_read(
    const char *path, enum frs_trace_end ends, struct frs_client_trace *trace, struct frs_errors *errors);

void frs_client_trace_fini(struct frs_client_trace *trace);

/* Whether anything varies. */
bool frs_client_trace_varies(const struct frs_client_trace *trace);

/* Whether it has capacities for this direction (0 down, 1 up). */
bool frs_client_trace_has_rate(const struct frs_client_trace *trace, bool up);

/* The largest capacity that a client ever has, in bytes/s; NAN: the file says nothing of it. `number`: what
 * the file calls the client. */
double frs_client_trace_rate(
    const struct frs_client_trace *trace, bool up, uint64_t seed, uint32_t client, uint32_t number);

/* The quantile of that among all traces, 0 < u < 1, where frs_client_trace_has_rate. */
double frs_client_trace_rate_at(const struct frs_client_trace *trace, bool up, double u);

/* What the capacity is multiplied with at time t_s ≥ 0: a factor, or the share of the largest capacity.
 * *until_s receives the time at which the next one begins, always later than t_s; INFINITY when it stays. */
double frs_client_trace_factor(const struct frs_client_trace *trace, bool up, uint64_t seed, uint32_t client,
    uint32_t number, double t_s, double *until_s);

/* Gives the n traces of the file other numbers: numbers[i] instead of that of the id frs_client_ids_name(i);
 * no two may be the same. */
void frs_client_trace_renumber(struct frs_client_trace *trace, const uint32_t *numbers);

/* The largest number of a client in the file, and how many traces there are; 0 where it has no column
 * `client`, or where traces are drawn. */
uint32_t frs_client_trace_last(const struct frs_client_trace *trace, size_t *n);

#endif
