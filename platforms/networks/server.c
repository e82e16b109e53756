#include "platforms/networks/server.h"
#include "sim/base/settings/path.h"

#include <math.h>

#define POWER(name, what)                                                                                    \
    {                                                                                                        \
        .key = name, .type = FRS_QUANTITY, .dimension = FRS_POWER, .initial = "0 W", .min = 0,               \
        .max = INFINITY, .help = what                                                                        \
    }

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
    {.key = "trace",
        .is_path = true,
        .type = FRS_TEXT,
        .initial = "",
        .help = "CSV file of the server's links and speed over time, relative to the scenario: "
                "columns t_s and any of down_bytes_per_s, up_bytes_per_s, speed_flop_per_s, or in other "
                "units (down_Mbit_s); what it has is not given by network.server_downlink, "
                "network.server_uplink and server.speed; it repeats after its last time"},
    POWER("power_idle", "power that the server draws all the time; not given: it is not charged"),
    POWER("power_busy",
        "power above idle while a client is connected or the server computes; not given: it is "
        "not charged"),
    POWER("power_compute", "power above that while the server encodes or aggregates; not given: it is not "
                           "charged"),
    {.key = "energy_per_byte",
        .type = FRS_QUANTITY,
        .dimension = FRS_ENERGY_PER_BYTE,
        .initial = "0 J/B",
        .min = 0,
        .max = INFINITY,
        .help = "energy of every byte that the server sends or receives; not given: it is not charged"},
    {0},
};

static double if_given(const struct frs_values *values, const char *key) {
    double value = frs_values_real(values, key);
    return frs_values_find(values, key)->given ? value : NAN;
}

bool frs_server_charges(const struct frs_server *server) {
    const struct frs_server_power *power = &server->power;
    return !isnan(power->idle_w) || !isnan(power->busy_w) || !isnan(power->compute_w) ||
           !isnan(power->per_byte_j);
}

bool frs_server_read(struct frs_server *server, const struct frs_values *values, struct frs_errors *errors) {
    *server = (struct frs_server){.overhead_s = frs_values_real(values, "overhead"),
        .power = {.idle_w = if_given(values, "power_idle"),
            .busy_w = if_given(values, "power_busy"),
            .compute_w = if_given(values, "power_compute"),
            .per_byte_j = if_given(values, "energy_per_byte")}};
    const char *path = frs_values_file(values, "trace", errors);
    if (!path || (*path && !frs_server_trace_read(path, &server->trace, errors)))
        return false;
    server->flop_per_s = server->trace.has[FRS_SERVER_SPEED] ? server->trace.most[FRS_SERVER_SPEED]
                                                             : frs_values_real(values, "speed");
    return true;
}

void frs_server_fini(struct frs_server *server) {
    frs_server_trace_fini(&server->trace);
    *server = (struct frs_server){0};
}

double frs_server_encode_s(const struct frs_server *server, double flop, double start_s) {
    double now_s = start_s, until_s;
    if (!server->trace.has[FRS_SERVER_SPEED])
        return flop / server->flop_per_s;
    while (flop > 0) {
        double flop_per_s =
            server->flop_per_s * frs_server_trace_factor(&server->trace, FRS_SERVER_SPEED, now_s, &until_s);
        if (flop <= flop_per_s * (until_s - now_s))
            return now_s - start_s + flop / flop_per_s;
        flop -= flop_per_s * (until_s - now_s);
        now_s = until_s;
    }
    return now_s - start_s;
}

double frs_server_aggregate_s(const struct frs_server *server, double flop, double start_s) {
    return server->overhead_s + frs_server_encode_s(server, flop, start_s + server->overhead_s);
}
