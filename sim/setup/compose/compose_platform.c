#include "sim/setup/compose/compose_platform.h"
#include "sim/base/settings/params.h"
#include "sim/setup/compose/correlation.h"

#include <math.h>
#include <string.h>

static const struct frs_values *section(const struct frs_setup *setup, const char *path) {
    return frs_scenario_section(setup->scenario, path);
}

static struct frs_distribution_section distribution(const struct frs_setup *setup, const char *path) {
    return (struct frs_distribution_section){
        .plugin = frs_scenario_plugin(setup->scenario, path), .values = section(setup, path)};
}

void frs_compose_platform(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_distribution_section links[FRS_LINK_DISTRIBUTIONS] = {
        [FRS_DISTRIBUTION_DOWN] = distribution(setup, "network.downlink"),
        [FRS_DISTRIBUTION_UP] = distribution(setup, "network.uplink"),
        [FRS_DISTRIBUTION_LATENCY] = distribution(setup, "network.latency"),
    };
    const char *refused = NULL;
    setup->platform = frs_user_platform_read(section(setup, "platform"), errors);
    if (setup->platform
            .file) /* links of our own do not apply, and a key that sets them is reported as idle */
        frs_network_read_model(&setup->network, section(setup, "network"));
    else if (!frs_network_read(&setup->network, section(setup, "network"), links, errors))
        refused = frs_values_text(section(setup, "network"), "fleet");
    if (frs_server_read(&setup->server, section(setup, "server"), errors))
        frs_network_follow_server(&setup->network, &setup->server.trace, section(setup, "network"));
    frs_devices_read(&setup->devices,
        &(struct frs_devices_sections){.devices = section(setup, "devices"),
            .links = setup->network.fleet,
            .method = frs_scenario_plugin(setup->scenario, "method")->name,
            .methods = frs_scenario_plugins(setup->scenario, "method"),
            .refused = refused,
            .speed = distribution(setup, "devices.speed"),
            .per_sample = distribution(setup, "devices.per_sample"),
            .memory = distribution(setup, "devices.memory")},
        errors);
}

/* ---- when clients can be reached, and how they fail ---- */

static double speed_quantile(const void *devices, uint64_t seed, uint32_t client) {
    return frs_devices_quantile(devices, seed, client);
}

static uint32_t traced(const void *fleet, uint64_t seed, uint32_t client) {
    return frs_fleet_traced(fleet, seed, client);
}

/* The table that traces go by: of the devices that come and go, or else of their links. */
static const struct frs_fleet *traced_fleet(const struct frs_setup *setup) {
    const struct frs_fleet *devices = setup->devices.fleet;
    return devices && devices->has_client ? devices : setup->network.fleet;
}

/* Classes of a table that are no presets are known by their names. */
static void divide_by_table(struct frs_strata *strata, enum frs_sort sort, const struct frs_fleet *fleet) {
    const struct frs_classes *classes = strata->sorts[sort].classes;
    if (!fleet || fleet->n_classes == 0 || (classes && classes->n > 0))
        return;
    strata->sorts[sort].names = fleet->classes;
    strata->sorts[sort].n_names = fleet->n_classes;
}

/* A table for both devices and links has each class once: in the sort whose presets the classes are, or
 * else in the sort of devices. */
static void divide_by_tables(struct frs_strata *strata, const struct frs_setup *setup) {
    const struct frs_fleet *devices = setup->devices.fleet,
                           *links = setup->platform.file ? NULL : setup->network.fleet;
    bool same = devices && links && memcmp(&devices->digest, &links->digest, sizeof devices->digest) == 0;
    same = same && !devices->has_own_class && !links->has_own_class;
    if (!same) {
        divide_by_table(strata, FRS_BY_NETWORK, links);
        divide_by_table(strata, FRS_BY_DEVICE, devices);
    } else if (setup->devices.classes.n > 0)
        strata->sorts[FRS_BY_NETWORK].classes = NULL;
    else if (setup->network.classes.n == 0)
        divide_by_table(strata, FRS_BY_DEVICE, devices);
}

static struct frs_strata strata(const struct frs_setup *setup) {
    struct frs_strata strata = {.seed = setup->training.seed,
        .sorts = {[FRS_BY_DEVICE] = {.classes = &setup->devices.classes,
                      .platform = &setup->devices,
                      .class_of = frs_devices_class_number}}};
    if (!setup->platform.file) {
        strata.sorts[FRS_BY_NETWORK].classes = &setup->network.classes;
        strata.sorts[FRS_BY_NETWORK].platform = &setup->network;
        strata.sorts[FRS_BY_NETWORK].class_of = frs_network_class_number;
    }
    divide_by_tables(&strata, setup);
    return strata;
}

void frs_compose_strata(struct frs_setup *setup) {
    setup->strata = strata(setup);
}

/* In which states of their devices clients may be selected. */
static void require_states(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *rounds = section(setup, "rounds");
    struct frs_eligible eligible;
    if (!frs_eligible_read(rounds, "eligible", &eligible, errors))
        return;
    if (frs_reachability_has_states(&setup->reachability))
        frs_reachability_require(&setup->reachability, &eligible);
    else
        frs_values_idle(rounds, "eligible",
            "has no effect here, because devices have no states; allowed: with availability.model = "
            "\"states\"");
}

/* A cap of metered bytes is kept by a server that knows which links are metered. */
static void check_metered_cap(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *caps = section(setup, "caps");
    if (!frs_values_find(caps, "metered_bytes")->given)
        return;
    if (!frs_reachability_has_states(&setup->reachability) || setup->platform.file) {
        setup->caps.metered_bytes = INFINITY;
        frs_values_idle(caps, "metered_bytes",
            "has no effect here, because no link is metered; allowed: with availability.model = \"states\"");
    } else if (!frs_values_bool(section(setup, "rounds.selection"), "sees_availability") &&
               isfinite(setup->caps.metered_bytes))
        frs_values_error(caps, "metered_bytes", errors,
            "a server that does not see which links are metered cannot keep it; allowed: unlimited, or "
            "rounds.selection.sees_availability = true");
}

static void check_metered_price(struct frs_setup *setup) {
    const struct frs_values *costs = section(setup, "costs");
    if (frs_values_find(costs, "metered_per_gb")->given &&
        (!frs_reachability_has_states(&setup->reachability) || setup->platform.file))
        frs_values_idle(costs, "metered_per_gb",
            "has no effect here, because no link is metered; allowed: with availability.model = \"states\"");
}

/* What the links are in each of the states. */
static void follow_states(struct frs_setup *setup, struct frs_errors *errors) {
    struct frs_network *network = &setup->network;
    check_metered_cap(setup, errors);
    check_metered_price(setup);
    if (!frs_reachability_has_states(&setup->reachability))
        return;
    if (!setup->reachability.eligible.idle)
        frs_devices_follow_states(&setup->devices, section(setup, "devices"));
    if (setup->platform.file ||
        !frs_by_state_read(&network->by_state, section(setup, "network.by_state"), errors))
        return;
    if (network->by_state.breaks && frs_network_connects(network) &&
        network->connection == FRS_CONNECTION_KEPT)
        frs_values_error(section(setup, "network"), "connection", errors,
            "\"kept\" is not possible where connections break when a device changes its link; allowed: tls | "
            "tcp, or network.by_state.on_change = \"go_on\"");
    if ((network->by_state.links[0].has_preset || network->by_state.links[1].has_preset) &&
        network->trace.has_rates)
        frs_values_error(section(setup, "network"), "trace", errors,
            "has capacities, and so have the presets of network.by_state; allowed: one of them, or a trace "
            "of "
            "factors");
    if (network->by_state.differs && network->has_tails)
        frs_values_error(section(setup, "network"), "radio_tail", errors,
            "not possible where links follow the states of devices (network.by_state); allowed: false");
}

/* The clients of a file of sessions are those of the run, or those of the table that traces go by. */
static void settle_file(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_fleet *fleet = traced_fleet(setup);
    struct frs_file_clients clients = {.n = setup->training.data->population.n_clients};
    if (fleet && fleet->has_client) {
        clients.fleet = fleet->path;
        clients.ids = &fleet->ids;
        clients.may_lack = fleet->join != FRS_FLEET_ROWS;
    }
    if (!frs_reachability_settle(&setup->reachability, section(setup, "availability"), &clients, errors)) {
        /* reported */
    }
}

void frs_compose_availability(struct frs_setup *setup, struct frs_errors *errors) {
    const struct frs_values *failures = section(setup, "failures");
    setup->has_reachability = frs_reachability_init(&setup->reachability,
        frs_scenario_plugin(setup->scenario, "availability"), section(setup, "availability"), failures,
        &setup->strata, setup->training.data->population.n_clients, setup->training.seed, errors);
    if (!setup->has_reachability)
        return;
    require_states(setup, errors);
    follow_states(setup, errors);
    frs_reachability_tie_to_speed(&setup->reachability, speed_quantile, &setup->devices);
    if (traced_fleet(setup))
        frs_reachability_tie_to_fleet(&setup->reachability, traced, traced_fleet(setup));
    settle_file(setup, errors);
    frs_compose_availability_correlation(setup, errors);
    setup->has_failures = frs_failures_read(&setup->failures, failures, &setup->strata,
        frs_reachability_can_end(&setup->reachability) || setup->edges.failures, errors);
    if (setup->has_failures) {
        setup->retry = frs_retry_read(section(setup, "failures.retry"), failures, &setup->failures,
            setup->network.by_state.breaks && !setup->reachability.eligible.wifi);
        frs_compose_loss_correlation(setup, errors);
    }
    setup->sees_availability = true;
    if (frs_reachability_is_trivial(&setup->reachability))
        return;
    const struct frs_values *selection = section(setup, "rounds.selection");
    setup->sees_availability = frs_values_bool(selection, "sees_availability");
    if (!setup->sees_availability)
        setup->contact_s = frs_values_real(selection, "contact_timeout");
}
