#include "platforms/devices.h"

#include <math.h>

static const char *const compute_names[] = {
    [FRS_COMPUTE_FLOPS] = "flops", [FRS_COMPUTE_FIXED] = "fixed", [FRS_COMPUTE_NONE] = "none", NULL};

const struct frs_param frs_devices_params[] = {
    {.key = "compute",
        .type = FRS_CHOICE,
        .initial = "flops",
        .choices = compute_names,
        .help = "flops: overhead + slowdown × counted flops / speed; fixed: overhead alone; none: no time"},
    {.key = "overhead",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "0 s",
        .min = 0,
        .max = INFINITY,
        .help = "C: time a participation costs whatever it computes"},
    {.key = "slowdown",
        .type = FRS_REAL,
        .initial = "1",
        .min = 1e-6,
        .max = 1e9,
        .help = "R: how much slower a client is than `speed`"},
    {0},
};

bool frs_devices_read(struct frs_devices *devices, const struct frs_values *values,
    const struct frs_plugin *speed_plugin, const struct frs_values *speed, struct frs_errors *errors) {
    *devices = (struct frs_devices){.compute = (enum frs_compute)frs_values_choice(values, "compute")};
    if (devices->compute != FRS_COMPUTE_NONE)
        devices->overhead_s = frs_values_real(values, "overhead");
    if (devices->compute != FRS_COMPUTE_FLOPS)
        return true;
    devices->slowdown = frs_values_real(values, "slowdown");
    return frs_law_read(speed_plugin, speed, &devices->speed, errors);
}

double frs_devices_flop_per_s(const struct frs_devices *devices, uint64_t seed, uint32_t client) {
    if (devices->compute != FRS_COMPUTE_FLOPS)
        return 0;
    return frs_law_draw(&devices->speed, seed, client, FRS_RNG_SPEED) / devices->slowdown;
}

double frs_devices_compute_s(const struct frs_devices *devices, uint64_t seed, uint32_t client, double flop) {
    if (devices->compute != FRS_COMPUTE_FLOPS)
        return devices->overhead_s;
    return devices->overhead_s + flop / frs_devices_flop_per_s(devices, seed, client);
}
