#include "platforms/devices/devices.h"
#include "platforms/networks/network.h"

#include <math.h>

/* Where a client stands: its class, and its quantile there and among all. */
struct place {
    const struct frs_fleet_row *row; /* of a table, or NULL */
    const struct frs_device_class *kind;
    size_t class;
    double within, overall;
};

static struct place place_of(const struct frs_devices *devices, uint64_t seed, uint32_t client) {
    struct place place = {.kind = &devices->own, .overall = frs_devices_quantile(devices, seed, client)};
    place.row = devices->fleet ? frs_fleet_of(devices->fleet, seed, client) : NULL;
    if (place.row && devices->fleet->n_classes > 0) {
        place.class = place.row->class;
        place.within = place.overall;
        if (devices->classes.n > 0)
            place.kind = &devices->kinds[place.class];
    } else if (devices->classes.n > 0) {
        place.class = frs_classes_pick(&devices->classes, place.overall, &place.within);
        place.kind = &devices->kinds[place.class];
    }
    return place;
}

/* Its class alone: without classes there is nothing to be drawn. */
static const struct frs_device_class *kind_of(
    const struct frs_devices *devices, uint64_t seed, uint32_t client) {
    return devices->classes.n > 0 ? place_of(devices, seed, client).kind : &devices->own;
}

bool frs_devices_deterministic(const struct frs_devices *devices) {
    return devices->compute != FRS_COMPUTE_MEASURED;
}

bool frs_devices_need_training(const struct frs_devices *devices) {
    return devices->compute == FRS_COMPUTE_FLOPS || devices->compute == FRS_COMPUTE_MEASURED;
}

double frs_devices_quantile(const struct frs_devices *devices, uint64_t seed, uint32_t client) {
    if (devices->dealt)
        return devices->dealt[client];
    double own = frs_quantile_draw(seed, client, FRS_RNG_SPEED);
    if (frs_fleet_has(devices->fleet, FRS_FLEET_SPEED))
        return frs_fleet_quantile(devices->fleet, FRS_FLEET_SPEED, seed, client, own);
    if (devices->compute == FRS_COMPUTE_PER_SAMPLE && frs_fleet_has(devices->fleet, FRS_FLEET_PER_SAMPLE))
        return 1 - frs_fleet_quantile(devices->fleet, FRS_FLEET_PER_SAMPLE, seed, client, own);
    return frs_quantile_correlate(
        own, frs_network_quantile(devices->links, seed, client), devices->bandwidth_correlation);
}

const char *frs_devices_class(const struct frs_devices *devices, uint64_t seed, uint32_t client) {
    if (devices->fleet && devices->fleet->n_classes > 0)
        return devices->fleet->classes[place_of(devices, seed, client).class];
    if (devices->classes.n == 0)
        return "none";
    return devices->classes.presets[place_of(devices, seed, client).class]->plugin.name;
}

uint32_t frs_devices_row(const struct frs_devices *devices, uint64_t seed, uint32_t client) {
    return (uint32_t)frs_fleet_row_number(devices->fleet, seed, client);
}

static double speed(const struct frs_devices *devices, const struct place *place) {
    if (frs_fleet_has(devices->fleet, FRS_FLEET_SPEED))
        return place->row->values[FRS_FLEET_SPEED];
    if (devices->speed_by_class)
        return frs_distribution_quantile(&place->kind->speed, place->within);
    return frs_distribution_quantile(&devices->own.speed, place->overall);
}

size_t frs_devices_class_number(const void *devices, uint64_t seed, uint32_t client) {
    return place_of(devices, seed, client).class;
}

double frs_devices_flop_per_s(const struct frs_devices *devices, uint64_t seed, uint32_t client) {
    if (devices->compute != FRS_COMPUTE_FLOPS)
        return 0;
    struct place place = place_of(devices, seed, client);
    return speed(devices, &place) * devices->efficiency / place.kind->constants.slowdown;
}

double frs_devices_compute_s(
    const struct frs_devices *devices, uint64_t seed, uint32_t client, struct frs_spent spent) {
    const struct frs_device_constants *constants = &kind_of(devices, seed, client)->constants;
    double declared_s = devices->adds_cpu_s ? constants->slowdown * spent.cpu_s : 0;
    double overhead_s = frs_fleet_has(devices->fleet, FRS_FLEET_OVERHEAD)
                            ? frs_fleet_of(devices->fleet, seed, client)->values[FRS_FLEET_OVERHEAD]
                            : constants->overhead_s;
    struct place place;
    switch (devices->compute) {
    case FRS_COMPUTE_FLOPS:
        place = place_of(devices, seed, client);
        return overhead_s + declared_s +
               spent.flop / (speed(devices, &place) * devices->efficiency / constants->slowdown) +
               (devices->sample_s > 0 ? constants->slowdown * devices->sample_s * spent.samples : 0);
    case FRS_COMPUTE_PER_SAMPLE: /* the fast ones take the least time */
        place = place_of(devices, seed, client);
        return overhead_s + declared_s +
               constants->slowdown * spent.samples *
                   (frs_fleet_has(devices->fleet, FRS_FLEET_PER_SAMPLE)
                           ? place.row->values[FRS_FLEET_PER_SAMPLE]
                           : frs_distribution_quantile(&devices->per_sample, 1 - place.overall));
    case FRS_COMPUTE_MEASURED:
        return overhead_s + constants->slowdown * spent.cpu_s;
    case FRS_COMPUTE_FIXED:
        return overhead_s + declared_s;
    case FRS_COMPUTE_NONE:
        break;
    }
    return 0;
}

double frs_devices_jitter(
    const struct frs_devices *devices, uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt) {
    if (devices->jitter == 0)
        return 1;
    double u = frs_quantile_draw_in_round(seed, client, round, attempt, FRS_RNG_JITTER_WORK);
    return frs_lognormal_factor(devices->jitter, u);
}

double frs_devices_memory_bytes(const struct frs_devices *devices, uint64_t seed, uint32_t client) {
    if (frs_fleet_has(devices->fleet, FRS_FLEET_MEMORY))
        return frs_fleet_of(devices->fleet, seed, client)->values[FRS_FLEET_MEMORY];
    const struct frs_distribution *distribution =
        devices->memory_by_class ? &kind_of(devices, seed, client)->memory : &devices->own.memory;
    return frs_distribution_draw(distribution, seed, client, FRS_RNG_MEMORY);
}

/* What a device on a network of this kind is charged by. */
struct prices {
    double compute_w, radio_w, down_j, up_j, tail_w, awake_w;
};

static struct prices prices_of(
    const struct frs_devices *devices, uint64_t seed, uint32_t client, enum frs_radio radio) {
    const struct frs_device_constants *own = &kind_of(devices, seed, client)->constants;
    const struct frs_radio_figures *figures = frs_radio_figures(radio);
    bool alike = !isnan(own->energy_per_byte_j); /* both ways */
    return (struct prices){.compute_w = own->power_compute_w,
        .radio_w = isnan(own->power_radio_w) ? figures->power_w : own->power_radio_w,
        .down_j = alike ? own->energy_per_byte_j : figures->down_j,
        .up_j = alike ? own->energy_per_byte_j : figures->up_j,
        .tail_w = figures->tail_w,
        .awake_w = isnan(own->power_awake_w) ? 0 : own->power_awake_w};
}

double frs_devices_energy_j(const struct frs_devices *devices, uint64_t seed, uint32_t client,
    enum frs_radio radio, const struct frs_exertion *exertion) {
    const struct prices of = prices_of(devices, seed, client, radio);
    return of.compute_w * exertion->compute_s + of.radio_w * exertion->radio_s +
           of.down_j * exertion->down_bytes + of.up_j * exertion->up_bytes + of.tail_w * exertion->tail_s +
           of.awake_w * exertion->awake_s;
}

struct frs_energy frs_devices_energy(const struct frs_devices *devices, uint64_t seed, uint32_t client,
    enum frs_radio radio, const struct frs_exertion *exertion) {
    const struct prices of = prices_of(devices, seed, client, radio);
    double setup_down_bytes = exertion->setup_down_bytes, setup_up_bytes = exertion->setup_up_bytes;
    return (struct frs_energy){.compute_j = of.compute_w * exertion->compute_s,
        .connecting_j =
            of.radio_w * exertion->connecting_s + of.down_j * setup_down_bytes + of.up_j * setup_up_bytes,
        .down_j = of.radio_w * exertion->down_s + of.down_j * (exertion->down_bytes - setup_down_bytes),
        .up_j = of.radio_w * exertion->up_s + of.up_j * (exertion->up_bytes - setup_up_bytes),
        .awake_j = of.tail_w * exertion->tail_s + of.awake_w * exertion->awake_s};
}

bool frs_devices_charge_waiting(const struct frs_devices *devices) {
    const struct frs_device_class *any = devices->classes.n > 0 ? devices->kinds : &devices->own;
    return !isnan(any->constants.power_awake_w);
}
