/* Server: how long the server's own work takes. Its links belong to the network
 * (platforms/networks/network.h); variation over time of both is here. */
#ifndef FRS_PLATFORMS_NETWORKS_SERVER_H
#define FRS_PLATFORMS_NETWORKS_SERVER_H

#include "platforms/networks/server_trace.h"
#include "sim/base/settings/param.h"
#include "sim/base/status.h"

struct frs_values;

extern const struct frs_param frs_server_params[]; /* section `server` */

/* NAN: nothing is said of it, and nothing is charged. */
struct frs_server_power {
    double idle_w;     /* all the time */
    double busy_w;     /* above that, while a client is connected or the server computes */
    double compute_w;  /* above that, while it encodes or aggregates */
    double per_byte_j; /* each way */
};

struct frs_server {
    double flop_per_s; /* INFINITY: work takes no time; where it varies, the most */
    double overhead_s; /* of every aggregation */
    struct frs_server_trace trace;
    struct frs_server_power power;
};

/* False after adding errors; the server needs no fini then. */
bool frs_server_read(struct frs_server *server, const struct frs_values *values, struct frs_errors *errors);

void frs_server_fini(struct frs_server *server);

/* Whether any of its energy is charged. */
bool frs_server_charges(const struct frs_server *server);

/* The duration of `flop` ≥ 0 operations of encoding that begin at start_s; and of an aggregation, which
 * takes a time of its own in advance. */
double frs_server_encode_s(const struct frs_server *server, double flop, double start_s);
double frs_server_aggregate_s(const struct frs_server *server, double flop, double start_s);

#endif
