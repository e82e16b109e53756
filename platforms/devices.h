/* Devices: how long a client computes.
 *
 *   flops: overhead + slowdown · F / speed, F counted exactly by the training kernel
 *   fixed: overhead
 *   none:  no time at all */
#ifndef FRS_PLATFORMS_DEVICES_H
#define FRS_PLATFORMS_DEVICES_H

#include "platforms/distribution.h"

extern const struct frs_param frs_devices_params[]; /* section `devices` */

enum frs_compute { FRS_COMPUTE_FLOPS, FRS_COMPUTE_FIXED, FRS_COMPUTE_NONE };

struct frs_devices {
    enum frs_compute compute;
    struct frs_law speed; /* only under FRS_COMPUTE_FLOPS */
    double slowdown;      /* the same */
    double overhead_s;
};

/* Reads the sections `devices` and `devices.speed`; false after adding errors. */
bool frs_devices_read(struct frs_devices *devices, const struct frs_values *values,
    const struct frs_plugin *speed_plugin, const struct frs_values *speed, struct frs_errors *errors);

/* The client's speed for these kernels, slowdown included; 0 when computing takes no counted time. */
double frs_devices_flop_per_s(const struct frs_devices *devices, uint64_t seed, uint32_t client);

/* Duration of a compute phase of `flop`. */
double frs_devices_compute_s(const struct frs_devices *devices, uint64_t seed, uint32_t client, double flop);

#endif
