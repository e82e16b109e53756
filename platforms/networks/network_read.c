/* The network from a scenario. */
#include "platforms/networks/network.h"
#include "sim/base/memory.h"
#include "sim/base/settings/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const frs_network_model_names[] = {
    [FRS_EXACT] = "exact", [FRS_TCP] = "tcp", [FRS_PACKETS] = "packets", [FRS_LV08] = "lv08", NULL};

enum idle_windows { WINDOWS_RESET, WINDOWS_KEPT };
static const char *const idle_windows_names[] = {[WINDOWS_RESET] = "reset", [WINDOWS_KEPT] = "kept", NULL};

enum server_queue { QUEUE_FIFO, QUEUE_FAIR };
static const char *const server_queue_names[] = {[QUEUE_FIFO] = "fifo", [QUEUE_FAIR] = "fair", NULL};

enum phase { PHASE_SHARED, PHASE_RANDOM };
static const char *const phase_names[] = {[PHASE_SHARED] = "shared", [PHASE_RANDOM] = "random", NULL};
enum trace_clients { TRACES_BY_NUMBER, TRACES_RANDOM };
static const char *const trace_client_names[] = {
    [TRACES_BY_NUMBER] = "number", [TRACES_RANDOM] = "random", NULL};

#define SERVER_LINK(name, what)                                                                              \
    {                                                                                                        \
        .key = name, .type = FRS_QUANTITY, .dimension = FRS_RATE, .initial = "unlimited", .unlimited = true, \
        .min = 1, .max = INFINITY, .help = "capacity of the server's own link that " what " share"           \
    }

const struct frs_param frs_network_params[] = {
    {.key = "model",
        .type = FRS_CHOICE,
        .initial = "tcp",
        .choices = frs_network_model_names,
        .help = "tcp: connections are opened and messages begin in slow start, as measured over the kernel's "
                "TCP; exact: latency, then bytes at full capacity, shared fairly: the least time of a "
                "message alone on its links, and "
                "the default where SimGrid's own solver is used (engine.backend = simgrid, platform.file), "
                "which tcp cannot; packets: TCP packet by packet, with queues and losses; lv08: SimGrid's "
                "TCP model (13.01 latencies, 97 % of the capacity, "
                "window limits)"},
    {.key = "payload_share",
        .type = FRS_REAL,
        .initial = "1",
        .min = 0.01,
        .max = 1,
        .help = "share of every capacity, the server's included, that messages have for themselves: 1 where "
                "rates are what an application sees, as speed tests measure; 0.949 where they are the line's "
                "(1448 bytes of 1526 in a packet)"},
    {.key = "connection",
        .type = FRS_CHOICE,
        .initial = "tls",
        .choices = frs_connection_names,
        .help = "under tcp and packets, what a participation begins with: a new connection under TLS 1.3 (5 "
                "latencies, 932 bytes up and 3966 down), one without (3 latencies, 206 and 66 bytes), or one "
                "kept from before. Clients of a large deployment connect anew every time"},
    {.key = "idle_windows",
        .type = FRS_CHOICE,
        .initial = "reset",
        .choices = idle_windows_names,
        .help = "under tcp and packets on connections that are kept: reset: a message after a pause begins "
                "in slow start, as kernels have it; kept: with the window that the one before it has left"},
    {.key = "queue",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "200 ms",
        .min = 0,
        .max = 60,
        .help = "under tcp and packets, how long the queue before every link is, at the link's rate, but at "
                "least 20 "
                "packets; what does not fit is dropped. Under tcp those of private links alone. 200 ms lies "
                "between a shallow 50 ms and "
                "bufferbloat's 1 s, and is what the model was measured with"},
    {.key = "server_queue",
        .type = FRS_CHOICE,
        .initial = "fifo",
        .choices = server_queue_names,
        .help = "under packets, how a finite server link serves its queue: fifo: in the order of arrival, as "
                "routers do that are not told otherwise; fair: connection by connection in turns (RFC 8290)"},
    {.key = "packet_loss",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 0.5,
        .help = "under packets, share of the packets that are lost at random behind all links, besides those "
                "that queues drop; senders repair both. 0, because radio links repair theirs themselves; "
                "participations are lost by failures"},
    {.key = "classes",
        .type = FRS_TEXT,
        .initial = "",
        .help = "kinds of clients with their shares, such as \"4g 40 %, wifi 60 %\"; a class is a preset, "
                "and decides downlink, uplink and latency together"},
    FRS_CLASS_SHARES_PARAM,
    FRS_FLEET_PARAMS("down_bytes_per_s, up_bytes_per_s, latency_s"),
    {.key = "bandwidth_factor",
        .type = FRS_REAL,
        .initial = "1",
        .min = 1e-6,
        .max = 1e6,
        .help = "multiplies every client's downlink and uplink, wherever they come from; the server's link "
                "stays"},
    {.key = "downlink_factor",
        .type = FRS_REAL,
        .initial = "1",
        .min = 1e-6,
        .max = 1e6,
        .help = "multiplies every client's downlink alone, besides bandwidth_factor"},
    {.key = "uplink_factor",
        .type = FRS_REAL,
        .initial = "1",
        .min = 1e-6,
        .max = 1e6,
        .help = "multiplies every client's uplink alone, besides bandwidth_factor"},
    {.key = "latency_factor",
        .type = FRS_REAL,
        .initial = "1",
        .min = 0,
        .max = 1e6,
        .help = "multiplies every client's latency, wherever it comes from"},
    {.key = "correlation",
        .type = FRS_REAL,
        .initial = "0",
        .min = -1,
        .max = 1,
        .help = "between a client's downlink and uplink, as quantiles, within its class"},
    {.key = "latency_correlation",
        .type = FRS_REAL,
        .initial = "0",
        .min = -1,
        .max = 1,
        .help = "between a client's downlink and its latency, as quantiles, within its class; below 0 fast "
                "links have "
                "little latency. 0: independent, assumed"},
    {.key = "jitter",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 5,
        .help =
            "spread of one client's bandwidth from message to message: sigma of a log-normal factor with "
            "mean 1, drawn for every transfer and the same while it lasts; a link carries 1 B/s at least. "
            "With classes each client's is that of its class, unless this says otherwise"},
    {.key = "latency_jitter",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 5,
        .help = "the same for the latency, classes included"},
    {.key = "radio",
        .type = FRS_CHOICE,
        .initial = "lte",
        .choices = frs_radio_names,
        .help = "the kind of network, which says what moving bytes takes from a battery (docs/networks.md); "
                "with classes each client's is that of its class, unless this says otherwise"},
    {.key = "radio_tail",
        .type = FRS_BOOL,
        .initial = "false",
        .help = "also count what the radio draws while it stays awake behind a message: 12.3 J on LTE, "
                "whatever the "
                "message weighs, unless the next one comes sooner"},
    {.key = "trace",
        .type = FRS_TEXT,
        .initial = "",
        .help = "CSV file of the links of clients over time, relative to the working directory: t_s and "
                "factor, on the bandwidth, or t_s and down_Mbit_s, up_Mbit_s or both (any unit of rates), "
                "which are the bandwidth; with a column client one trace for each"},
    {.key = "trace_end",
        .type = FRS_CHOICE,
        .initial = "closed",
        .choices = frs_trace_ends,
        .help = "closed: from time 0 to its last line, which repeats the first, and again; repeat: again "
                "from the time of its last line on, whatever that says, as logs are; hold: the last line "
                "stays for good. With the last two the first line may have any time, which is where it "
                "begins"},
    {.key = "trace_clients",
        .type = FRS_CHOICE,
        .initial = "number",
        .choices = trace_client_names,
        .help = "with a column client: number: a client has the trace of its number; random: each has one "
                "of the traces, drawn with the seed"},
    {.key = "trace_phase",
        .type = FRS_CHOICE,
        .initial = "shared",
        .choices = phase_names,
        .help = "where clients start in the trace: all at its beginning, or each somewhere"},
    SERVER_LINK("server_downlink", "downloads"),
    SERVER_LINK("server_uplink", "uploads"),
    {0},
};

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
    if (network->classes.n > 0 && !any_by_class && !named) {
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
    bool random_phase = frs_values_choice(values, "trace_phase") == PHASE_RANDOM;
    enum frs_trace_end ends = (enum frs_trace_end)frs_values_choice(values, "trace_end");
    bool drawn = frs_values_choice(values, "trace_clients") == TRACES_RANDOM;
    if (!frs_client_trace_read(path, ends, &network->trace, errors))
        return false;
    network->trace.drawn = drawn;
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
        network->keeps_windows = frs_values_choice(values, "idle_windows") == WINDOWS_KEPT;
}

/* Who shares no link with others is served in the order of arrival in any case. */
static void read_server_queue(struct frs_network *network, const struct frs_values *values) {
    bool shares = isfinite(network->server_down_bytes_per_s) || isfinite(network->server_up_bytes_per_s);
    network->queues.fair =
        network->model == FRS_PACKETS && shares && frs_values_choice(values, "server_queue") == QUEUE_FAIR;
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

bool frs_network_settle(struct frs_network *network, const struct frs_values *values, uint32_t n_clients,
    struct frs_errors *errors) {
    if (network->fleet && !frs_fleet_settle(network->fleet, values, n_clients, errors))
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
