/* Server: how long the server's own work takes. Its links belong to the network (platforms/networks/network.h). */
#ifndef FRS_PLATFORMS_NETWORKS_SERVER_H
#define FRS_PLATFORMS_NETWORKS_SERVER_H

#include "sim/base/params.h"

extern const struct frs_param frs_server_params[]; /* section `server` */

struct frs_server {
    double flop_per_s; /* INFINITY: work takes no time */
    double overhead_s; /* of every aggregation */
};

struct frs_server frs_server_read(const struct frs_values *values);

/* Duration of `flop` ≥ 0 operations of encoding; and of an aggregation, which costs a time of its own besides. */
double frs_server_encode_s(const struct frs_server *server, double flop);
double frs_server_aggregate_s(const struct frs_server *server, double flop);

#endif
