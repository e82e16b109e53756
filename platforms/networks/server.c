#include "platforms/networks/server.h"

#include <math.h>

const struct frs_param frs_server_params[] = {
    {.key = "speed",
        .type = FRS_QUANTITY,
        .dimension = FRS_SPEED,
        .initial = "unlimited",
        .unlimited = true,
        .min = 1,
        .max = INFINITY,
        .help = "speed at which the server aggregates and encodes"},
    {.key = "overhead",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "0 s",
        .min = 0,
        .max = INFINITY,
        .help = "time every aggregation costs whatever it computes"},
    {0},
};

struct frs_server frs_server_read(const struct frs_values *values) {
    return (struct frs_server){
        .flop_per_s = frs_values_real(values, "speed"), .overhead_s = frs_values_real(values, "overhead")};
}

double frs_server_encode_s(const struct frs_server *server, double flop) {
    return flop / server->flop_per_s;
}

double frs_server_aggregate_s(const struct frs_server *server, double flop) {
    return server->overhead_s + flop / server->flop_per_s;
}
