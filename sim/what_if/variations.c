#include "sim/what_if/variations.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <stdlib.h>

#define TIMES 2
#define OVER_SELECTION "1.3"

static void set(struct frs_variation *variation, const char *key, char *text) {
    variation->keys[variation->n] = frs_strdup(key);
    variation->texts[variation->n++] = text;
}

/* Texts with all digits: what they say is exactly what was computed. */
static char *scaled(const struct frs_setup *setup, const char *section, const char *key, double factor) {
    return frs_format("%.17g", factor * frs_values_real(frs_scenario_section(setup->scenario, section), key));
}

static void change_links(
    struct frs_variation *variation, const struct frs_setup *setup, const char *key, double factor) {
    if (setup->platform.file) {
        variation->why_not = "links are those of platform.file";
        return;
    }
    char *full = frs_format("network.%s", key);
    set(variation, full, scaled(setup, "network", key, factor));
    free(full);
}

static void change_devices(struct frs_variation *variation, const struct frs_setup *setup) {
    enum frs_compute compute = setup->devices.compute;
    if (setup->platform.file)
        variation->why_not = "devices are those of platform.file";
    else if (compute == FRS_COMPUTE_NONE || compute == FRS_COMPUTE_FIXED)
        variation->why_not = "how long clients compute does not depend on their speed (devices.compute)";
    else
        set(variation, "devices.speed_factor", scaled(setup, "devices", "speed_factor", TIMES));
}

static void change_detection(struct frs_variation *variation, const struct frs_setup *setup) {
    set(variation, "failures.detect", frs_format("%.17g s", setup->failures.detect_s / TIMES));
}

static void change_contact(struct frs_variation *variation, const struct frs_setup *setup) {
    set(variation, "rounds.selection.contact_timeout", frs_format("%.17g s", setup->contact_s / TIMES));
}

static void change_connection(struct frs_variation *variation, const struct frs_setup *setup) {
    const struct frs_network *network = &setup->network;
    variation->is_remedy = true;
    if (!frs_network_connects(network))
        variation->why_not = "nothing connects (network.model)";
    else if (network->connection == FRS_CONNECTION_KEPT)
        variation->why_not = "connections are kept already";
    else if (network->by_state.breaks)
        variation->why_not = "connections break when a device changes its link (network.by_state)";
    else
        set(variation, "network.connection", frs_strdup("kept"));
}

static void change_policy(struct frs_variation *variation, const struct frs_setup *setup) {
    const struct frs_policy *policy = setup->policy;
    if (policy->leaves_stragglers || policy->truncates || policy->asynchronous)
        variation->why_not = "rounds do not wait for all clients (rounds.policy)";
    else if (setup->selection->varies)
        variation->why_not = "chance decides how many clients are selected (rounds.selection)";
    else if (setup->policy_settings.n_selected >= setup->training.data->population.n_clients)
        variation->why_not = "all clients are selected already";
    else {
        set(variation, "rounds.policy.name", frs_strdup("over_select"));
        set(variation, "rounds.policy.factor", frs_strdup(OVER_SELECTION));
        variation->selects_others = variation->is_remedy = true;
    }
}

/* The links between edges and the server. */
static struct frs_variation change_backhauls(const struct frs_setup *setup, bool latency) {
    struct frs_variation variation = {.label = latency ? "backhaul latency ½" : "backhauls × 2",
        .of = latency ? "latency between edges and server" : "links between edges and server"};
    const char *key = latency ? "latency_factor" : "backhaul_factor";
    char *full = frs_format("network.edges.%s", key);
    set(&variation, full, scaled(setup, "network.edges", key, latency ? 1.0 / TIMES : TIMES));
    free(full);
    return variation;
}

struct frs_variation frs_variation_of(const struct frs_setup *setup, size_t which) {
    static const struct frs_variation plain[FRS_VARIATIONS] = {
        [FRS_WHAT_IF_UPLINK] = {.label = "uplink × 2", .of = "uplink"},
        [FRS_WHAT_IF_DOWNLINK] = {.label = "downlink × 2", .of = "downlink"},
        [FRS_WHAT_IF_LATENCY] = {.label = "latency ½", .of = "latency"},
        [FRS_WHAT_IF_DEVICES] = {.label = "devices × 2", .of = "devices"},
        [FRS_WHAT_IF_DETECTION] = {.label = "detection ½", .of = "detection of lost clients"},
        [FRS_WHAT_IF_CONTACT] = {.label = "contact timeout ½",
            .of = "waiting for clients that are not online"},
        [FRS_WHAT_IF_KEPT] = {.label = "connections kept", .of = "opening connections"},
        [FRS_WHAT_IF_OVER_SELECTION] = {
            .label = "over-selection × " OVER_SELECTION, .of = "slowest and lost clients"}};
    struct frs_variation variation = plain[which];
    if (setup->edges.n > 0 && (which == FRS_WHAT_IF_BACKHAUL || which == FRS_WHAT_IF_BACKHAUL_LATENCY))
        return change_backhauls(setup, which == FRS_WHAT_IF_BACKHAUL_LATENCY);
    switch (which) {
    case FRS_WHAT_IF_UPLINK:
        change_links(&variation, setup, "uplink_factor", TIMES);
        break;
    case FRS_WHAT_IF_DOWNLINK:
        change_links(&variation, setup, "downlink_factor", TIMES);
        break;
    case FRS_WHAT_IF_LATENCY:
        change_links(&variation, setup, "latency_factor", 1.0 / TIMES);
        break;
    case FRS_WHAT_IF_DEVICES:
        change_devices(&variation, setup);
        break;
    case FRS_WHAT_IF_DETECTION:
        change_detection(&variation, setup);
        break;
    case FRS_WHAT_IF_CONTACT:
        change_contact(&variation, setup);
        break;
    case FRS_WHAT_IF_KEPT:
        change_connection(&variation, setup);
        break;
    default:
        change_policy(&variation, setup);
    }
    return variation;
}

void frs_variation_fini(struct frs_variation *variation) {
    for (size_t i = 0; i < variation->n; i++) {
        free(variation->keys[i]);
        free(variation->texts[i]);
    }
    variation->n = 0;
}
