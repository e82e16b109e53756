/* Devices: how long a client computes, what it can hold in memory, and what energy it uses.
 *
 *   flops:      overhead + slowdown · (F / (speed · efficiency) + (samples) · sample_time), F counted
 *               exactly by the training kernel
 *   per_sample: overhead + slowdown · (time per sample) · (samples processed, every epoch counting
 *               anew)
 *   measured:   overhead + slowdown · (CPU time the real training took): the Field Guide's model, the
 *               only one that is not deterministic
 *   fixed:      overhead, which a table may have for each client
 *
 * All clients follow the same distributions, or each follows those of its class. A client has one quantile
 * of speed in (0, 1), 0 being the slowest. It decides the client's class and its place there
 * (platforms/presets/classes.h), and may be correlated with the quantile of its downlink. Nothing is
 * stored per client; every function may be called from any thread. */
#ifndef FRS_PLATFORMS_DEVICES_DEVICES_H
#define FRS_PLATFORMS_DEVICES_DEVICES_H

#include "platforms/fleet/fleet.h"
#include "platforms/networks/radio.h"
#include "sim/base/energy.h"
#include "sim/base/settings/param.h"

extern const struct frs_param frs_devices_params[]; /* section `devices` */

enum frs_compute {
    FRS_COMPUTE_FLOPS,
    FRS_COMPUTE_FIXED,
    FRS_COMPUTE_NONE,
    FRS_COMPUTE_PER_SAMPLE,
    FRS_COMPUTE_MEASURED,
};

/* What differs between classes apart from distributions. */
struct frs_device_constants {
    double slowdown; /* > 0 */
    double overhead_s;
    double power_compute_w;                  /* above what the device draws when idle */
    double power_radio_w, energy_per_byte_j; /* the same on any network; NAN: the network's */
    double power_awake_w;                    /* as it waits, above idle; NAN: that is not charged */
};

struct frs_device_class {
    struct frs_distribution speed, memory;
    struct frs_device_constants constants;
};

struct frs_devices {
    enum frs_compute compute;
    double bandwidth_correlation;
    double efficiency;             /* of `speed`, for the operations of the run's method */
    double sample_s;               /* time of a sample besides its operations, before slowdown */
    bool adds_cpu_s;               /* CPU time is declared, and counts under every model but `none` */
    double jitter;                 /* sigma of a log-normal factor with mean 1, per participation */
    double in_use;                 /* how fast a client computes while its device is in use, at most 1 */
    struct frs_fleet *fleet;       /* NULL: no table */
    const struct frs_fleet *links; /* the network's; borrowed */
    struct frs_classes classes;    /* of the fleet's, too, where they are presets */
    bool deals_classes;            /* devices.class_shares */
    double *dealt; /* [n_clients] quantiles, once they have been dealt; NULL: they are drawn */
    bool speed_by_class, memory_by_class;
    struct frs_device_class own;        /* without classes, and where the user's keys beat them */
    struct frs_distribution per_sample; /* only under FRS_COMPUTE_PER_SAMPLE */
    struct frs_device_class kinds[FRS_MAX_CLASSES];
};

/* The section `devices` with its three sections of distributions. */
struct frs_devices_sections {
    const struct frs_values *devices;
    const struct frs_fleet *links; /* of the network, or NULL; has to last as long as the devices */
    const char *method;            /* name of the run's, for what differs between methods; NULL: none */
    const struct frs_plugin *const *methods; /* all there are, ended by NULL, for the names in such values */
    const char *refused;                     /* the network's table, where it was wrong; NULL otherwise */
    struct frs_distribution_section speed, per_sample, memory;
};

/* What a training run has used up. */
struct frs_spent {
    double flop;    /* as counted by the kernel */
    double samples; /* processed, every epoch counting anew */
    double cpu_s;   /* CPU time of the real training on this machine */
};

/* The user's values win over the class, and the class wins over a preset. Returns false after adding
 * errors, or where the table is the one that was refused; the devices then have only their compute model. */
bool frs_devices_read(
    struct frs_devices *devices, const struct frs_devices_sections *sections, struct frs_errors *errors);

/* Once the number of clients is known: false after adding an error when the table does not fit. */
bool frs_devices_settle(struct frs_devices *devices, const struct frs_values *values, uint32_t n_clients,
    struct frs_errors *errors);

/* Deals classes where they are not drawn, for clients asked for with this seed. */
void frs_devices_deal(struct frs_devices *devices, uint32_t n_clients, uint64_t seed);

/* Devices have states: reads how fast they compute while in use. Otherwise use does not matter. */
void frs_devices_follow_states(struct frs_devices *devices, const struct frs_values *values);

void frs_devices_fini(struct frs_devices *devices);

/* Whether the same scenario gives the same times again; false under FRS_COMPUTE_MEASURED. */
bool frs_devices_deterministic(const struct frs_devices *devices);

/* Whether times depend on the training itself, so that a run without training cannot know them. */
bool frs_devices_need_training(const struct frs_devices *devices);

/* The client's place among all devices by speed, in (0, 1), 1 being the fastest; availability may be
 * correlated with it. */
double frs_devices_quantile(const struct frs_devices *devices, uint64_t seed, uint32_t client);

/* The row of the table that a client is, from 0 on; only where there is a table. */
uint32_t frs_devices_row(const struct frs_devices *devices, uint64_t seed, uint32_t client);

/* The name of the client's class; "none" without classes. Lives as long as the devices. */
const char *frs_devices_class(const struct frs_devices *devices, uint64_t seed, uint32_t client);

/* Its place among `classes`; 0 without classes. `devices` is a struct frs_devices. */
size_t frs_devices_class_number(const void *devices, uint64_t seed, uint32_t client);

/* The client's speed for these kernels, slowdown included; 0 when computing takes no counted time. */
double frs_devices_flop_per_s(const struct frs_devices *devices, uint64_t seed, uint32_t client);

/* Duration of a compute phase without jitter; only the members of `spent` that the compute model uses are
 * read. */
double frs_devices_compute_s(
    const struct frs_devices *devices, uint64_t seed, uint32_t client, struct frs_spent spent);

/* What that is to be multiplied by in one participation: how busy its device was. 1 without jitter. */
double frs_devices_jitter(
    const struct frs_devices *devices, uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt);

/* The memory of the client for training, for tables and private state together; INFINITY: unlimited. The
 * caller has to refuse a client whose state is larger. */
double frs_devices_memory_bytes(const struct frs_devices *devices, uint64_t seed, uint32_t client);

/* What a device did in a participation. */
struct frs_exertion {
    double compute_s;
    double radio_s;                          /* with a transfer under way, latencies included, */
    double connecting_s, down_s, up_s;       /* and its parts */
    double tail_s;                           /* in which its radio was awake besides */
    double awake_s;                          /* in which it waited */
    double down_bytes, up_bytes;             /* that crossed, */
    double setup_down_bytes, setup_up_bytes; /* and those of connecting among them */
};

/* Modelled energy: power_compute · compute_s; on a network of this kind its power · radio_s, its energy of
 * a byte each way, and its tail's power · tail_s; and power_awake · awake_s, where that is given. For the
 * radio and the bytes, the user may give values for any network. */
double frs_devices_energy_j(const struct frs_devices *devices, uint64_t seed, uint32_t client,
    enum frs_radio radio, const struct frs_exertion *exertion);

/* The same by what it was for; adds up to the whole but for rounding. */
struct frs_energy frs_devices_energy(const struct frs_devices *devices, uint64_t seed, uint32_t client,
    enum frs_radio radio, const struct frs_exertion *exertion);

/* Whether waiting awake is charged to some device (devices.power_awake). */
bool frs_devices_charge_waiting(const struct frs_devices *devices);

#endif
