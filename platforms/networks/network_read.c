/* The network from a scenario. */
#include "platforms/networks/network_params.h"
#include "platforms/networks/network.h"
#include "sim/base/memory.h"
#include "sim/base/settings/path.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const distribution_sections[] = {"network.downlink", "network.uplink", "network.latency"};
static const enum frs_fleet_figure distribution_figures[] = {FRS_FLEET_DOWN, FRS_FLEET_UP, FRS_FLEET_LATENCY};

static const struct frs_plugin *const *distribution_plugins(enum frs_link_distribution which) {
    return which == FRS_DISTRIBUTION_LATENCY ? frs_time_distributions : frs_rate_distributions;
}

/* Reads the classes and their distributions, in ascending order of their median downlink; those of a file
 * in its order. */
static void read_class_distributions(struct frs_network *network) {
    struct frs_classes *classes = &network->classes;
    double medians[FRS_MAX_CLASSES];
    size_t order[FRS_MAX_CLASSES];
    struct frs_distribution down[FRS_MAX_CLASSES];
    bool sorted = !network->fleet || network->fleet->n_classes == 0;
    for (size_t i = 0; i < classes->n; i++) {
        frs_preset_distribution(classes->presets[i], distribution_sections[FRS_DISTRIBUTION_DOWN],
            distribution_plugins(FRS_DISTRIBUTION_DOWN), &down[i]);
        medians[i] = frs_distribution_median(&down[i]);
        order[i] = i;
    }
    if (sorted)
        frs_classes_sort(classes, medians, order);
    for (size_t i = 0; i < classes->n; i++) {
        struct frs_distribution *first = &network->class_distributions[i][FRS_DISTRIBUTION_DOWN];
        /* cppcheck-suppress uninitvar ; filled in the loop above */
        *first = down[order[i]]; /* NOLINT(clang-analyzer-core.*): likewise */
        for (enum frs_link_distribution which = FRS_DISTRIBUTION_UP; which < FRS_LINK_DISTRIBUTIONS; which++)
            frs_preset_distribution(classes->presets[i], distribution_sections[which],
                distribution_plugins(which), &network->class_distributions[i][which]);
    }
}

static void drop_classes(struct frs_network *network) {
    for (size_t i = 0; i < network->classes.n; i++)
        for (enum frs_link_distribution which = 0; which < FRS_LINK_DISTRIBUTIONS; which++)
            frs_distribution_fini(&network->class_distributions[i][which]);
    network->classes = (struct frs_classes){0};
}

/* A table's classes that are presets give what it has no column for; they stay in its order. */
static bool read_fleet_classes(
    struct frs_network *network, const struct frs_values *values, struct frs_errors *errors) {
    if (!network->fleet || network->fleet->n_classes == 0)
        return true;
    if (network->classes.n > 0) {
        network->classes = (struct frs_classes){0}; /* their distributions have not been read */
        frs_values_error(values, "classes", errors,
            "%s has a column class, which says of each client what it is; allowed: one of the two",
            network->fleet->path);
        return false;
    }
    network->classes = frs_fleet_presets(network->fleet, frs_network_presets, "network.classes");
    return true;
}

static bool read_distribution(struct frs_network *network, const struct frs_values *values,
    const struct frs_distribution_section *distribution, enum frs_link_distribution which,
    struct frs_errors *errors) {
    if (!network->fleet || frs_fleet_is_told(distribution->values, values))
        return frs_distribution_read(
            distribution->plugin, distribution->values, &network->distributions[which], errors);
    return frs_fleet_lacks(network->fleet, values, distribution_figures[which],
        strchr(distribution_sections[which], '.') + 1, errors);
}

/* The trace is the capacity. */
static bool is_traced(const struct frs_network *network, enum frs_link_distribution which) {
    return which != FRS_DISTRIBUTION_LATENCY &&
           frs_client_trace_has_rate(&network->trace, which == FRS_DISTRIBUTION_UP);
}

static bool read_distributions(struct frs_network *network, const struct frs_values *values,
    const struct frs_distribution_section distributions[FRS_LINK_DISTRIBUTIONS], struct frs_errors *errors) {
    bool ok = true, any_by_class = false, named = network->fleet && network->fleet->n_classes > 0;
    for (enum frs_link_distribution which = 0; which < FRS_LINK_DISTRIBUTIONS; which++) {
        if (frs_fleet_has(network->fleet, distribution_figures[which]) || is_traced(network, which))
            continue;
        network->by_class[which] =
            network->classes.n > 0 && (!frs_section_is_given(distributions[which].values) ||
                                          strcmp(distributions[which].plugin->name, "by_class") == 0);
        any_by_class = any_by_class || network->by_class[which];
        if (!network->by_class[which])
            ok = read_distribution(network, values, &distributions[which], which, errors) && ok;
    }
    if (network->classes.n > 0 && !any_by_class && !named && !network->trace.by_class) {
        frs_values_idle(values, "classes",
            "has no effect here, because downlink, uplink and latency are all given themselves");
        drop_classes(network);
    }
    return ok;
}

/* Whether downlinks and the distribution `which` differ between clients somewhere, so that they can be
 * correlated. */
static bool can_correlate(const struct frs_network *network, enum frs_link_distribution which) {
    size_t n = network->classes.n > 0 ? network->classes.n : 1;
    if (frs_fleet_has(network->fleet, distribution_figures[which]) || is_traced(network, which) ||
        is_traced(network, FRS_DISTRIBUTION_DOWN))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct frs_distribution *down = network->by_class[FRS_DISTRIBUTION_DOWN]
                                                  ? &network->class_distributions[i][FRS_DISTRIBUTION_DOWN]
                                                  : &network->distributions[FRS_DISTRIBUTION_DOWN];
        const struct frs_distribution *other = network->by_class[which]
                                                   ? &network->class_distributions[i][which]
                                                   : &network->distributions[which];
        bool down_varies = frs_fleet_has(network->fleet, FRS_FLEET_DOWN)
                               ? frs_fleet_varies(network->fleet, FRS_FLEET_DOWN)
                               : frs_distribution_varies(down);
        if (down_varies && frs_distribution_varies(other))
            return true;
    }
    return false;
}

/* The radio of a class, as its preset says. */
static enum frs_radio radio_of(const struct frs_preset *preset, enum frs_radio otherwise) {
    const char *name = frs_preset_setting(preset, "network.radio");
    for (enum frs_radio radio = 0; name && radio < FRS_N_RADIOS; radio++)
        if (strcmp(frs_radio_names[radio], name) == 0)
            return radio;
    return otherwise;
}

static void read_radios(struct frs_network *network, const struct frs_values *values) {
    network->radio = (enum frs_radio)frs_values_choice(values, "radio");
    network->has_tails = frs_values_bool(values, "radio_tail");
    network->radio_by_class = network->classes.n > 0 && !frs_values_find(values, "radio")->given;
    for (size_t i = 0; i < network->classes.n; i++)
        network->class_radios[i] = radio_of(network->classes.presets[i], network->radio);
}

/* Where classes say it, they say it for their clients, unless the user does for all. */
static void read_jitters(struct frs_network *network, const struct frs_values *values) {
    static const char *const keys[FRS_JITTERS] = {
        [FRS_JITTER_RATE] = "jitter", [FRS_JITTER_LATENCY] = "latency_jitter"};
    for (enum frs_jitter which = 0; which < FRS_JITTERS; which++) {
        network->jitter[which] = frs_values_real(values, keys[which]);
        network->jitter_by_class[which] =
            network->classes.n > 0 && !frs_values_find(values, keys[which])->given;
        char *key = frs_format("network.%s", keys[which]);
        for (size_t i = 0; i < network->classes.n; i++) {
            const char *text = frs_preset_setting(network->classes.presets[i], key);
            network->class_jitter[i][which] = text ? strtod(text, NULL) : 0;
        }
        free(key);
    }
}

static bool read_trace(
    struct frs_network *network, const struct frs_values *values, struct frs_errors *errors) {
    const char *path = frs_values_file(values, "trace", errors);
    if (!path || !*path)
        return path;
    bool random_phase = frs_values_choice(values, "trace_phase") == FRS_PHASE_RANDOM;
    enum frs_trace_end ends = (enum frs_trace_end)frs_values_choice(values, "trace_end");
    int64_t clients = (int64_t)frs_values_choice(values, "trace_clients");
    if (!frs_client_trace_read(path, ends, &network->trace, errors))
        return false;
    if (network->trace.by_class != (clients == FRS_TRACES_CLASS)) {
        frs_client_trace_fini(&network->trace);
        frs_values_error(values, "trace_clients", errors,
            "%s; allowed: \"class\" with a column class, and no other file",
            clients == FRS_TRACES_CLASS ? "is \"class\", and the trace has no column class"
                                        : "is not \"class\", and the trace has a column class");
        return false;
    }
    network->trace.drawn = clients == FRS_TRACES_RANDOM;
    for (size_t i = 0; i < 2; i++)
        network->trace.series[i].random_phase = random_phase;
    return true;
}

static double server_bytes_per_s(
    const struct frs_network *network, const struct frs_values *values, const char *key) {
    return fmax(1, round(frs_values_real(values, key) * network->payload_share));
}

static void read_connections(struct frs_network *network, const struct frs_values *values) {
    if (!frs_network_connects(network))
        return;
    network->connection = (enum frs_connection)frs_values_choice(values, "connection");
    if (network->connection == FRS_CONNECTION_KEPT)
        network->keeps_windows = frs_values_choice(values, "idle_windows") == FRS_WINDOWS_KEPT;
}

/* Transfers that share no link with others are served in the order of arrival in any case. */
void frs_network_read_server_queue(
    struct frs_network *network, const struct frs_values *values, bool shares) {
    network->queues.fair = network->model == FRS_PACKETS && shares &&
                           frs_values_choice(values, "server_queue") == FRS_QUEUE_FAIR;
}

static void read_server_queue(struct frs_network *network, const struct frs_values *values) {
    bool shares = isfinite(network->server_down_bytes_per_s) || isfinite(network->server_up_bytes_per_s);
    frs_network_read_server_queue(network, values, shares);
}

static void read_queues(struct frs_network *network, const struct frs_values *values) {
    read_server_queue(network, values);
    if (!frs_network_connects(network))
        return;
    network->queues.queue_s = frs_values_real(values, "queue");
    if (network->model == FRS_PACKETS)
        network->queues.packet_loss = frs_values_real(values, "packet_loss");
}

bool frs_network_read(struct frs_network *network, const struct frs_values *values,
    const struct frs_distribution_section distributions[FRS_LINK_DISTRIBUTIONS], struct frs_errors *errors) {
    *network = (struct frs_network){
        .model = (enum frs_network_model)frs_values_choice(values, "model"),
        .bandwidth_factor = frs_values_real(values, "bandwidth_factor"),
        .direction_factors = {frs_values_real(values, "downlink_factor"),
            frs_values_real(values, "uplink_factor")},
        .latency_factor = frs_values_real(values, "latency_factor"),
        .payload_share = 1,
    };
    if (network->model != FRS_LV08)
        network->payload_share = frs_values_real(values, "payload_share");
    network->server_down_bytes_per_s = server_bytes_per_s(network, values, "server_downlink");
    network->server_up_bytes_per_s = server_bytes_per_s(network, values, "server_uplink");
    read_connections(network, values);
    read_queues(network, values);
    bool ok = frs_fleet_read(values, FRS_FLEET_OF_LINKS, FRS_RNG_FLEET, &network->fleet, errors);
    ok = frs_classes_read(values, "classes", frs_network_presets, &network->classes, errors) && ok;
    ok = ok && read_fleet_classes(network, values, errors);
    if (!ok)
        network->classes = (struct frs_classes){0}; /* nothing of theirs was read */
    ok = read_trace(network, values, errors) && ok;
    if (ok) {
        read_class_distributions(network);
        ok = read_distributions(network, values, distributions, errors);
    }
    if (network->classes.n > 0 && !network->fleet)
        network->deals_classes = frs_values_choice(values, "class_shares") == FRS_SHARES_DEALT;
    read_radios(network, values);
    read_jitters(network, values);
    if (ok && can_correlate(network, FRS_DISTRIBUTION_UP))
        network->correlation = frs_values_real(values, "correlation");
    if (ok && can_correlate(network, FRS_DISTRIBUTION_LATENCY))
        network->latency_correlation = frs_values_real(values, "latency_correlation");
    if (!ok)
        frs_network_fini(network);
    return ok;
}

void frs_network_follow_server(
    struct frs_network *network, const struct frs_server_trace *trace, const struct frs_values *values) {
    static const char *const keys[] = {
        [FRS_SERVER_DOWN] = "server_downlink", [FRS_SERVER_UP] = "server_uplink"};
    for (enum frs_server_figure figure = FRS_SERVER_DOWN; figure <= FRS_SERVER_UP; figure++) {
        double bytes_per_s = fmax(1, round(trace->most[figure] * network->payload_share));
        if (!trace->has[figure])
            continue;
        *(figure == FRS_SERVER_DOWN ? &network->server_down_bytes_per_s : &network->server_up_bytes_per_s) =
            bytes_per_s;
        if (frs_values_find(values, keys[figure])->given)
            frs_values_idle(
                values, keys[figure], "has no effect here, because server.trace says it for all times");
    }
    read_server_queue(network, values);
}

void frs_network_read_model(struct frs_network *network, const struct frs_values *values) {
    *network = (struct frs_network){
        .model = (enum frs_network_model)frs_values_choice(values, "model"),
        .bandwidth_factor = 1,
        .direction_factors = {1, 1},
        .latency_factor = 1,
        .payload_share = 1,
        .server_down_bytes_per_s = INFINITY,
        .server_up_bytes_per_s = INFINITY,
    };
    read_radios(network, values);
}

/* What stands for a text of the trace's: the place of its class, or of its row of the fleet; UINT32_MAX. */
static uint32_t number_of(const struct frs_network *network, const char *name) {
    const struct frs_fleet *fleet = network->fleet;
    size_t n = fleet && fleet->n_classes > 0 ? fleet->n_classes : network->classes.n;
    if (!network->trace.by_class)
        return fleet && fleet->ids.are_texts ? frs_client_ids_find(&fleet->ids, name) : UINT32_MAX;
    for (size_t i = 0; i < n; i++)
        if (strcasecmp(name, fleet && fleet->n_classes > 0 ? fleet->classes[i]
                                                           : network->classes.presets[i]->plugin.name) == 0)
            return (uint32_t)i;
    return UINT32_MAX;
}

/* Texts of the trace become the numbers that they have elsewhere. */
static bool settle_names(
    struct frs_network *network, const struct frs_values *values, struct frs_errors *errors) {
    struct frs_client_trace *trace = &network->trace;
    const struct frs_client_ids *ids = &trace->ids;
    const struct frs_fleet *fleet = network->fleet;
    if (trace->drawn)
        return true;
    if (!ids->are_texts && fleet && fleet->ids.are_texts && trace->series[trace->has[0] ? 0 : 1].by_client) {
        frs_values_error(values, "trace", errors,
            "numbers its clients, and %s names them by texts; allowed: the same ids in both", fleet->path);
        return false;
    }
    if (!ids->are_texts)
        return true;
    uint32_t *numbers = frs_alloc(ids->n + 1, sizeof *numbers);
    char line[64];
    bool ok = true;
    for (size_t i = 0; ok && i < ids->n; i++) {
        numbers[i] = number_of(network, ids->texts[i]);
        ok = numbers[i] != UINT32_MAX;
        if (!ok)
            frs_values_error(values, "trace", errors,
                trace->by_class ? "has a trace of class \"%s\", which no client's link has; allowed: classes "
                                  "of network.classes or of the fleet"
                                : "has a trace of client \"%s\", which no fleet has; allowed: ids of "
                                  "network.fleet, or network.trace_clients = \"random\"",
                frs_text_line(ids->texts[i], line, sizeof line));
    }
    size_t n = fleet && fleet->n_classes > 0 ? fleet->n_classes : network->classes.n;
    if (ok && trace->by_class && trace->has_rates && ids->n < n) {
        frs_values_error(values, "trace", errors,
            "has the capacities of %zu of %zu classes; allowed: a trace for each", ids->n, n);
        ok = false;
    }
    if (ok)
        frs_client_trace_renumber(trace, numbers);
    free(numbers);
    return ok;
}

bool frs_network_settle(struct frs_network *network, const struct frs_values *values, uint32_t n_clients,
    struct frs_errors *errors) {
    if (network->fleet && !frs_fleet_settle(network->fleet, values, n_clients, errors))
        return false;
    if (!settle_names(network, values, errors))
        return false;
    size_t n;
    bool drawn = network->fleet && network->fleet->join != FRS_FLEET_ROWS && network->fleet->has_client;
    uint32_t last = frs_client_trace_last(&network->trace, &n);
    if (n == 0 ||
        (drawn && !network->trace.has_rates)) /* it may know more of a fleet than is drawn from it */
        return true;
    if (drawn)
        frs_values_error(values, "trace", errors,
            "has capacities of clients by number, but clients are drawn from network.fleet; allowed: "
            "network.trace_clients = \"random\", or a fleet whose rows are the clients");
    else if (last >= n_clients)
        frs_values_error(values, "trace", errors, "has a trace of client %u, but clients are 0 to %u", last,
            n_clients - 1);
    else if (network->trace.has_rates && n < n_clients)
        frs_values_error(values, "trace", errors,
            "has the capacities of %zu clients, but there are %u; allowed: a trace for each, or "
            "network.trace_clients = \"random\"",
            n, n_clients);
    else
        return true;
    return false;
}

static double quantile(const void *network, uint64_t seed, uint32_t client) {
    return frs_network_quantile(((const struct frs_network *)network)->fleet, seed, client);
}

void frs_network_deal(struct frs_network *network, uint32_t n_clients, uint64_t seed) {
    if (network->deals_classes)
        network->dealt = frs_classes_deal(n_clients, quantile, network, seed);
}

void frs_network_fini(struct frs_network *network) {
    free(network->dealt);
    for (enum frs_link_distribution which = 0; which < FRS_LINK_DISTRIBUTIONS; which++) {
        frs_distribution_fini(&network->distributions[which]);
    }
    drop_classes(network);
    frs_fleet_destroy(network->fleet);
    frs_client_trace_fini(&network->trace);
    frs_by_state_fini(&network->by_state);
    *network = (struct frs_network){0};
}
