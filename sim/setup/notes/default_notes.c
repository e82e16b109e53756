#include "sim/setup/notes/default_notes.h"
#include "platforms/presets/presets.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/settings/units.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

static bool says(const struct frs_values *values, const char *key) {
    const struct frs_value *value = frs_values_find(values, key);
    return value && value->given;
}

static bool says_anything(const struct frs_values *values) {
    for (size_t i = 0; i < values->n; i++)
        if (values->values[i].given)
            return true;
    return false;
}

/* Clients of classes or of a table have their values from there: a missing value is refused, and never
 * replaced by a default. */
static bool is_left_to_preset(const struct frs_values *values) {
    return !says(values, "preset") && !*frs_values_text(values, "classes") &&
           !*frs_values_text(values, "fleet");
}

static char *note(
    const char *what, const struct frs_values *values, const struct frs_preset *const *presets) {
    const char *name = frs_values_text(values, "preset");
    while (*presets && strcmp((*presets)->plugin.name, name) != 0)
        presets++;
    return *presets ? frs_format("%s of %s, the default (%s.preset): %s", what, name, values->section,
                          (*presets)->plugin.summary)
                    : NULL;
}

char *frs_default_note_links(const struct frs_setup *setup) {
    static const char *const names[] = {"downlink", "uplink", "latency"};
    const struct frs_values *network = frs_scenario_section(setup->scenario, "network");
    if (setup->platform.file || !is_left_to_preset(network))
        return NULL;
    char *what = frs_strdup("");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *section = frs_format("network.%s", names[i]);
        bool traced = i < 2 && frs_client_trace_has_rate(&setup->network.trace, i == 1);
        if (!traced && !says_anything(frs_scenario_section(setup->scenario, section))) {
            char *longer = frs_format("%s%s%s", what, *what ? ", " : "", names[i]);
            free(what);
            what = longer;
        }
        free(section);
    }
    char *text = *what ? note(what, network, frs_network_presets) : NULL;
    free(what);
    return text;
}

/* Whether a declared workload computes nothing, where devices take time for operations or samples. */
static bool lacks_work(const struct frs_setup *setup) {
    bool asks =
        setup->devices.compute == FRS_COMPUTE_FLOPS || setup->devices.compute == FRS_COMPUTE_PER_SAMPLE;
    if (!setup->declared || !asks)
        return false;
    const struct frs_work *mean = &setup->declared->workload.mean;
    return !(mean->flop > 0) && !(mean->samples > 0) && !(mean->time_s > 0);
}

char *frs_default_note_devices(const struct frs_setup *setup) {
    if (lacks_work(setup))
        return frs_strdup(
            "no work is declared (method.work, work_samples or work_time; 0 by default): clients "
            "compute nothing");
    const struct frs_values *devices = frs_scenario_section(setup->scenario, "devices");
    bool is_said = says_anything(frs_scenario_section(setup->scenario, "devices.speed")) ||
                   says(devices, "overhead") || setup->devices.compute != FRS_COMPUTE_FLOPS;
    return setup->platform.file || is_said || !is_left_to_preset(devices)
               ? NULL
               : note("speed", devices, frs_device_presets);
}

/* What costs nothing behind edges, of what this scenario has: docs/topologies.md. Freed by the caller. */
static char *free_of_charge(const struct frs_setup *setup) {
    bool go_away = setup->edges.failures || setup->failures.n_server_restarts > 0;
    return frs_format("the energy of edges%s%s",
        go_away && frs_network_connects(&setup->network)
            ? ", connecting to the server anew after one of them was away"
            : "",
        frs_caps_limit(&setup->caps) && setup->edge_rounds > 1
            ? ", what a client moves above its caps in the edge rounds of a round"
            : "");
}

char *frs_default_note_edges(const struct frs_setup *setup) {
    static const char *const keys[] = {
        "downlink", "uplink", "latency", "access_downlink", "access_uplink", "speed"};
    const struct frs_values *values = frs_scenario_section(setup->scenario, "network.edges");
    char *list = NULL;
    if (setup->edges.n == 0)
        return NULL;
    size_t n = sizeof keys / sizeof *keys - !setup->edges.partial_sums; /* only those that add compute */
    for (size_t i = 0; i < n && !setup->edges.path; i++) {
        char *longer =
            says(values, keys[i]) ? NULL : frs_format("%s%s%s", list ? list : "", list ? ", " : "", keys[i]);
        if (!longer)
            continue;
        free(list);
        list = longer;
    }
    char *unpaid = free_of_charge(setup);
    char *text = frs_format(
        "%u between clients and server%s%s%s; messages are stored and forwarded, %s; not charged: %s",
        setup->edges.n, list ? "; without limit and latency, the defaults, which flatter them: " : "",
        list ? list : "", list ? " (network.edges)" : "",
        setup->shares_downloads ? "and a download that clients of an edge share crosses to it once"
                                : "one by one, because clients' downloads differ",
        unpaid);
    free(unpaid);
    free(list);
    return text;
}

char *frs_losses_noticed(const struct frs_setup *setup) {
    const struct frs_values *failures = frs_scenario_section(setup->scenario, "failures"),
                            *retry = frs_scenario_section(setup->scenario, "failures.retry");
    bool links_break = setup->network.by_state.breaks && !setup->reachability.eligible.wifi,
         breaks = links_break || frs_failures_break_connections(&setup->failures),
         unsaid = breaks && !says(retry, "times");
    char text[64];
    if (!frs_values_find(failures, "detect")->read)
        return NULL;
    return frs_format("noticed after %s (failures.detect%s)%s",
        frs_units_format(setup->failures.detect_s, FRS_TIME, text, sizeof text),
        says(failures, "detect") ? "" : ", the default",
        unsaid ? "; broken connections are not opened anew (failures.retry.times, the default)" : "");
}

/* NULL: it is said, or does not matter. */
static char *use_note(const struct frs_setup *setup) {
    const struct frs_values *devices = frs_scenario_section(setup->scenario, "devices");
    if (setup->devices.in_use == 1 || says(devices, "in_use"))
        return NULL;
    return frs_format(
        "devices in use compute at %g of their speed (devices.in_use, the default)", setup->devices.in_use);
}

/* NULL: links do not change while a client takes part. */
static char *change_note(const struct frs_setup *setup) {
    const struct frs_values *by_state = frs_scenario_section(setup->scenario, "network.by_state");
    if (setup->reachability.eligible.wifi)
        return NULL;
    return frs_format("%s a change between Wi-Fi and a metered network (network.by_state.on_change%s)",
        setup->network.by_state.breaks ? "connections break with" : "connections outlast",
        says(by_state, "on_change") ? "" : ", the default");
}

char *frs_default_note_states(const struct frs_setup *setup) {
    const struct frs_by_state *links = &setup->network.by_state;
    if (!frs_reachability_has_states(&setup->reachability))
        return NULL;
    char *parts[] = {links->follows ? change_note(setup) : NULL,
        links->follows && !links->differs
            ? frs_strdup(
                  "rates and latencies are the same on Wi-Fi and elsewhere (network.by_state, the default)")
            : NULL,
        use_note(setup)};
    char *text = NULL;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char *longer = parts[i] ? frs_format("%s%s%s", text ? text : "", text ? "; " : "", parts[i]) : NULL;
        free(parts[i]);
        if (!longer)
            continue;
        free(text);
        text = longer;
    }
    return text;
}

/* Whom the section picks out, by the name of what it follows. */
static const char *whom(const char *follows) {
    static const char *const names[][2] = {{"taste", "rare tastes"}, {"activity", "few interactions"},
        {"uplink", "slow uplinks"}, {"downlink", "slow downlinks"}, {"speed", "slow devices"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i][0], follows) == 0)
            return names[i][1];
    return NULL; /* none */
}

char *frs_default_note_follows(const struct frs_setup *setup, const char *section, const char **key) {
    bool losses = strcmp(section, "failures") == 0;
    const char *who = whom(losses ? frs_loss_correlation_names[setup->failures.follows]
                                  : frs_availability_follows_names[setup->reachability.follows.by]);
    const struct frs_values *values = frs_scenario_section(setup->scenario, section);
    bool in_order = says(values, "correlation"), spread = says(values, "concentration");
    if (!who || (in_order && spread))
        return NULL;
    char *correlation = frs_format("correlation %g", frs_values_real(values, "correlation")),
         *concentration = frs_format("concentration %g", frs_values_real(values, "concentration"));
    *key = losses ? (spread ? "failures.correlation" : "failures.concentration")
                  : (spread ? "availability.correlation" : "availability.concentration");
    char *text =
        in_order || spread
            ? frs_format("clients with %s are %s, with %s, the default (%s)", who,
                  losses ? "lost most" : "online least", spread ? correlation : concentration, *key)
            : frs_format("clients with %s are %s, with %s and %s, the defaults (%s.correlation, "
                         "%s.concentration)",
                  who, losses ? "lost most" : "online least", correlation, concentration, section, section);
    free(correlation);
    free(concentration);
    return text;
}
