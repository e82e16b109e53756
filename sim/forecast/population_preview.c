#include "sim/forecast/population_preview.h"
#include "platforms/fleet/fleet_unread.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"
#include "sim/base/quoting.h"
#include "sim/base/settings/params.h"
#include "sim/closed_form/exchange_stages.h"
#include "sim/results/subgroups.h"
#include "algorithms/training/untrained.h"
#include "algorithms/training/workload.h"
#include "algorithms/training/client_update.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DAY_S 86400.0

static const double shares[3] = {0.1, 0.5, 0.9};

static size_t place_of(double share, size_t n) {
    return (size_t)ceil(share * (double)n - 1e-9) - 1;
}

void frs_population_preview_quantiles(double *values, size_t n, double quantiles[3]) {
    qsort(values, n, sizeof *values, frs_compare_doubles);
    for (size_t i = 0; i < 3; i++)
        quantiles[i] = values[place_of(shares[i], n)];
}

/* The columns of all tables begin with the clients that a round waits for. Where less is better, these are
 * the last ones. */
static size_t place_from_worst(double share, size_t n, bool less_is_better) {
    size_t place = place_of(share, n);
    return less_is_better ? n - 1 - place : place;
}

/* ---- traits ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum frs_dimension dimension;
    bool less_is_better;
} traits[FRS_TRAITS] = {{"downlink", FRS_RATE, false}, {"uplink", FRS_RATE, false},
    {"latency", FRS_TIME, true}, {"speed", FRS_SPEED, false}, {"memory", FRS_BYTES, false},
    {"online in the run", FRS_DIMENSIONS, false}, {"online in a day", FRS_DIMENSIONS, false},
    {"lost", FRS_DIMENSIONS, true}};

struct preview {
    const struct frs_setup *setup;
    const struct frs_training_estimate *estimate; /* NULL: clients that are not trained */
    double down_bytes;
    size_t n;
    uint32_t *clients;              /* [n] */
    double *values[FRS_TRAITS];     /* [n]; NULL: there is no such trait here */
    const char **network, **device; /* [n] classes */
    FILE *out;
};

static uint32_t *sample(uint32_t n_clients, size_t *n) {
    *n = n_clients < FRS_PREVIEW_MOST ? n_clients : FRS_PREVIEW_MOST;
    uint32_t *clients = frs_alloc(*n, sizeof *clients);
    for (size_t i = 0; i < *n; i++)
        clients[i] = (uint32_t)((uint64_t)i * n_clients / *n);
    return clients;
}

static double loss_of(const struct preview *preview, uint32_t client) {
    const struct frs_setup *setup = preview->setup;
    if (setup->platform.file)
        return frs_failures_loss(&setup->failures, client, NULL);
    const struct frs_closed_form_time time =
        frs_population_preview_participation(setup, preview->estimate, client, preview->down_bytes);
    const double seconds[FRS_FAILURE_PHASES] = {
        [FRS_FAILS_DOWN] = time.down_s, [FRS_FAILS_COMPUTE] = time.compute_s, [FRS_FAILS_UP] = time.up_s};
    return frs_failures_loss(&setup->failures, client, seconds);
}

/* The exact share of the time until end_s where it can be followed from change to change; otherwise, or
 * beyond so many changes, by looks at the client. */
static double online_share(const struct frs_setup *setup, uint32_t client, double end_s) {
    enum { MOST_CHANGES = 10000 };
    double online_s = 0, t_s = 0, until_s = 0;
    if (!(end_s > 0) || !frs_reachability_goes_by_time(&setup->reachability))
        return frs_groups_online(setup, client, end_s);
    for (int i = 0; i < MOST_CHANGES && t_s < end_s; i++) {
        bool online = frs_reachable(&setup->reachability, client, 0, 0, t_s, &until_s);
        double next_s = fmin(until_s, end_s);
        online_s += online ? next_s - t_s : 0;
        t_s = next_s;
    }
    return t_s < end_s ? frs_groups_online(setup, client, end_s) : online_s / end_s;
}

static void ask_client(struct preview *preview, size_t i, double end_s) {
    const struct frs_setup *setup = preview->setup;
    uint32_t client = preview->clients[i];
    double **values = preview->values;
    preview->network[i] = preview->device[i] = "none";
    if (values[FRS_TRAIT_DOWNLINK]) {
        struct frs_client_link link = frs_network_client(&setup->network, setup->training.seed, client);
        values[FRS_TRAIT_DOWNLINK][i] = link.down_bytes_per_s;
        values[FRS_TRAIT_UPLINK][i] = link.up_bytes_per_s;
        values[FRS_TRAIT_LATENCY][i] = link.latency_s;
        preview->network[i] = frs_network_class(&setup->network, setup->training.seed, client);
    }
    preview->device[i] = frs_devices_class(&setup->devices, setup->training.seed, client);
    if (values[FRS_TRAIT_SPEED])
        values[FRS_TRAIT_SPEED][i] = frs_devices_flop_per_s(&setup->devices, setup->training.seed, client);
    values[FRS_TRAIT_MEMORY][i] = frs_devices_memory_bytes(&setup->devices, setup->training.seed, client);
    if (values[FRS_TRAIT_ONLINE]) {
        values[FRS_TRAIT_ONLINE][i] = online_share(setup, client, end_s);
        values[FRS_TRAIT_ONLINE_DAY][i] = online_share(setup, client, DAY_S);
    }
    if (values[FRS_TRAIT_LOSS])
        values[FRS_TRAIT_LOSS][i] = loss_of(preview, client);
}

static bool has_trait(const struct frs_setup *setup, enum frs_trait trait) {
    switch (trait) {
    case FRS_TRAIT_MEMORY:
        return true;
    case FRS_TRAIT_SPEED:
        return setup->devices.compute == FRS_COMPUTE_FLOPS;
    case FRS_TRAIT_ONLINE:
    case FRS_TRAIT_ONLINE_DAY:
        return !frs_reachability_is_trivial(&setup->reachability);
    case FRS_TRAIT_LOSS:
        return frs_failures_can_strike(&setup->failures);
    default:
        return !setup->platform.file;
    }
}

static struct preview take_preview(const struct frs_setup *setup,
    const struct frs_training_estimate *estimate, double down_bytes, double end_s, FILE *out) {
    struct preview preview = {.setup = setup, .estimate = estimate, .down_bytes = down_bytes, .out = out};
    preview.clients = sample(setup->training.data->population.n_clients, &preview.n);
    preview.network = frs_alloc(preview.n, sizeof *preview.network);
    preview.device = frs_alloc(preview.n, sizeof *preview.device);
    for (enum frs_trait trait = 0; trait < FRS_TRAITS; trait++) {
        bool is_there = has_trait(setup, trait);
        preview.values[trait] = is_there ? frs_alloc(preview.n, sizeof(double)) : NULL;
    }
    for (size_t i = 0; i < preview.n; i++)
        ask_client(&preview, i, end_s);
    return preview;
}

static void preview_fini(struct preview *preview) {
    for (size_t trait = 0; trait < FRS_TRAITS; trait++)
        free(preview->values[trait]);
    free(preview->clients);
    free(preview->network);
    free(preview->device);
}

static const char *format(double value, enum frs_dimension dimension, char text[64]) {
    if (isinf(value))
        return "unlimited";
    if (dimension == FRS_DIMENSIONS)
        snprintf(text, 64, "%.1f %%", 100 * value);
    else
        frs_units_format(value, dimension, text, 64);
    return text;
}

/* Clients that are online may be in a state in which they are not selected. */
static const char *name_of(const struct preview *preview, size_t trait) {
    const char *name = traits[trait].name;
    if (trait <= 1 && frs_client_trace_has_rate(&preview->setup->network.trace, trait == 1))
        return trait == 1 ? "uplink at peak" : "downlink at peak"; /* of the trace */
    if (frs_eligible_is_any(&preview->setup->reachability.eligible) || strncmp(name, "online", 6) != 0)
        return name;
    return strstr(name, "day") ? "eligible in a day" : "eligible in a run";
}

/* Prints the traits of the clients whose class, in `classes`, is this one; NULL: of all clients. */
static void print_traits(const struct preview *preview, const char *const *classes, const char *class) {
    double *values = frs_alloc(preview->n, sizeof *values), quantiles[3];
    char text[3][64];
    for (size_t trait = 0; trait < FRS_TRAITS; trait++) {
        size_t n = 0;
        bool own = !class || trait >= FRS_TRAIT_ONLINE ||
                   (classes == preview->network) == (trait <= FRS_TRAIT_LATENCY);
        for (size_t i = 0; i < preview->n && preview->values[trait] && own; i++)
            if (!class || strcmp(classes[i], class) == 0)
                values[n++] = preview->values[trait][i];
        if (n == 0)
            continue;
        frs_population_preview_quantiles(values, n, quantiles); /* which sorts them */
        for (size_t i = 0; i < 3; i++)
            quantiles[i] = values[place_from_worst(shares[i], n, traits[trait].less_is_better)];
        for (size_t i = 0; i < 3; i++)
            if (format(quantiles[i], traits[trait].dimension, text[i]) != text[i])
                snprintf(text[i], sizeof text[i], "unlimited");
        fprintf(
            preview->out, "    %-18s %14s %14s %14s\n", name_of(preview, trait), text[0], text[1], text[2]);
    }
    free(values);
}

static void print_classes(const struct preview *preview, const char *kind, const char *const *classes) {
    const char *done[2 * FRS_MAX_CLASSES];
    size_t n_done = 0;
    for (size_t i = 0; i < preview->n; i++) {
        bool is_new = strcmp(classes[i], "none") != 0 && n_done < 2 * FRS_MAX_CLASSES;
        for (size_t j = 0; j < n_done; j++)
            is_new &= strcmp(done[j], classes[i]) != 0;
        if (!is_new)
            continue;
        size_t n = 0;
        done[n_done++] = classes[i];
        for (size_t j = 0; j < preview->n; j++)
            n += strcmp(classes[j], classes[i]) == 0;
        frs_print_line(preview->out, "  %s %s, %zu client%s", kind, classes[i], n, n == 1 ? "" : "s");
        print_traits(preview, classes, classes[i]);
    }
}

/* ---- a participation ------------------------------------------------------------------------- */

void frs_expected_usage(const void *context, uint32_t client, struct frs_usage *usage) {
    const struct frs_expectation *expectation = context;
    usage->down_bytes = (uint64_t)llround(expectation->down_bytes);
    if (expectation->setup->training.workload) {
        *usage = frs_workload_usage(expectation->setup->training.workload, client);
    } else if (expectation->estimate) {
        frs_training_estimate_tell(expectation->estimate, client, 0, usage);
        usage->flop +=
            frs_privacy_open_flop(&expectation->setup->training.mechanisms, expectation->down_bytes);
    } else {
        usage->up_bytes = expectation->untrained_up_bytes;
        usage->samples = frs_untrained_samples(&expectation->setup->training, client);
    }
    frs_exchange_masked(expectation->setup, usage);
}

struct frs_expectation frs_expectation(
    const struct frs_setup *setup, const struct frs_training_estimate *estimate, double down_bytes) {
    struct frs_tables tables = frs_model_tables(setup->training.model);
    uint32_t budget = frs_training_budgets(&setup->training).max;
    bool knows = estimate || setup->training.workload;
    return (struct frs_expectation){.setup = setup,
        .estimate = estimate,
        .down_bytes = down_bytes,
        .untrained_up_bytes =
            knows ? 0 : frs_client_update_untrained_size(&setup->training, &tables, budget).bytes};
}

struct frs_closed_form_time frs_population_preview_participation(const struct frs_setup *setup,
    const struct frs_training_estimate *estimate, uint32_t client, double down_bytes) {
    struct frs_expectation expectation = frs_expectation(setup, estimate, down_bytes);
    struct frs_usage usage = {0};
    frs_expected_usage(&expectation, client, &usage);
    return frs_exchange_participation(setup, client, &usage);
}

static int by_whole(const void *a, const void *b) {
    const struct frs_closed_form_time *x = a, *y = b;
    if (x->whole_s != y->whole_s)
        return (x->whole_s > y->whole_s) - (x->whole_s < y->whole_s);
    return (x->client > y->client) - (x->client < y->client);
}

static void print_phase(FILE *out, const char *name, double a, double b, double c) {
    char text[3][64];
    frs_units_format(a, FRS_TIME, text[0], sizeof text[0]);
    frs_units_format(b, FRS_TIME, text[1], sizeof text[1]);
    frs_units_format(c, FRS_TIME, text[2], sizeof text[2]);
    fprintf(out, "    %-18s %14s %14s %14s\n", name, text[0], text[1], text[2]);
}

/* Its figures are those of a client as it was drawn. */
static void print_jitter(const struct preview *preview) {
    const struct frs_network *network = &preview->setup->network;
    const struct {
        const char *of;
        double sigma;
    } all[] = {{"bandwidth", frs_network_jitter(network, FRS_JITTER_RATE)},
        {"latency", frs_network_jitter(network, FRS_JITTER_LATENCY)},
        {"computing", preview->setup->devices.jitter}};
    bool by_class = network->jitter_by_class[FRS_JITTER_RATE] && network->classes.n > 1;
    size_t n = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].sigma > 0)
            fprintf(preview->out, "%s%.3g of %s", n++ == 0 ? "    without jitter, whose sigma is " : ", ",
                all[i].sigma, all[i].of);
    if (n > 0)
        fprintf(preview->out, "%s\n", by_class ? " (the largest of a class)" : "");
}

static void print_participation(
    const struct preview *preview, const struct frs_training_estimate *estimate, double down_bytes) {
    struct frs_closed_form_time *all = frs_alloc(preview->n, sizeof *all), q[3];
    struct frs_expectation expectation = frs_expectation(preview->setup, estimate, down_bytes);
    bool masked = frs_privacy_masks(&preview->setup->training.mechanisms).range > 0;
    for (size_t i = 0; i < preview->n; i++) {
        struct frs_usage usage = {0};
        frs_expected_usage(&expectation, preview->clients[i], &usage);
        all[i] = frs_exchange_participation(preview->setup, preview->clients[i], &usage);
    }
    qsort(all, preview->n, sizeof *all, by_whole);
    for (size_t i = 0; i < 3; i++)
        q[i] = all[place_from_worst(shares[i], preview->n, true)];
    fprintf(preview->out, "  %-20s %14s %14s %14s\n", "one participation", "slowest 10 %", "median",
        "fastest 10 %");
    if (q[0].setup_s + q[1].setup_s + q[2].setup_s > 0)
        print_phase(
            preview->out, masked ? "exchanges" : "connecting", q[0].setup_s, q[1].setup_s, q[2].setup_s);
    print_phase(preview->out, "latency", q[0].latency_s, q[1].latency_s, q[2].latency_s);
    print_phase(preview->out, "download", q[0].down_s, q[1].down_s, q[2].down_s);
    print_phase(preview->out, "computing", q[0].compute_s, q[1].compute_s, q[2].compute_s);
    print_phase(preview->out, "latency", q[0].up_latency_s, q[1].up_latency_s, q[2].up_latency_s);
    print_phase(preview->out, "upload", q[0].up_s, q[1].up_s, q[2].up_s);
    print_phase(preview->out, "in all", q[0].whole_s, q[1].whole_s, q[2].whole_s);
    if (q[0].post_s + q[1].post_s + q[2].post_s > 0)
        print_phase(preview->out, "computing after it", q[0].post_s, q[1].post_s, q[2].post_s);
    print_jitter(preview);
    free(all);
}

/* `other`: the table of the section `other_key` is of, or NULL. */
static void print_table(FILE *out, const char *key, const struct frs_fleet *fleet, unsigned figures,
    const char *other_key, const struct frs_fleet *other) {
    char *text = fleet ? frs_fleet_describe(fleet, figures) : NULL,
         *unread = fleet ? frs_fleet_unread(fleet, figures, other) : NULL;
    if (unread)
        frs_print_line(out, "  %-13s %s; without effect: %s, because %s does not name this file", key, text,
            unread, other_key);
    else if (text)
        frs_print_line(out, "  %-13s %s", key, text);
    free(text);
    free(unread);
}

/* ---- traces ---------------------------------------------------------------------------------- */

static const char *factor_or(double value, enum frs_dimension dimension, char text[64]) {
    if (dimension == FRS_DIMENSIONS)
        snprintf(text, 64, "%.3g", value);
    else
        frs_units_format(value, dimension, text, 64);
    return text;
}

/* `unit`: what a value of 1 in the trace is. */
static void print_extent(
    FILE *out, const char *name, const struct frs_trace *trace, double unit, enum frs_dimension dimension) {
    struct frs_trace_extent extent = frs_trace_extent(trace);
    char text[5][64];
    fprintf(out, "    %-18s %14s %14s %14s %s%s%s\n", name, factor_or(extent.mean * unit, dimension, text[0]),
        factor_or(extent.most * unit, dimension, text[1]), factor_or(extent.least * unit, dimension, text[2]),
        factor_or(extent.shortest_s, FRS_TIME, text[3]), extent.longest_s > extent.shortest_s ? " to " : "",
        extent.longest_s > extent.shortest_s ? factor_or(extent.longest_s, FRS_TIME, text[4]) : "");
}

static void print_trace_head(FILE *out, const char *key, const char *path, const struct frs_trace *trace) {
    static const char *const ends[] = {[FRS_TRACE_CLOSES] = "repeated",
        [FRS_TRACE_REPEATS] = "repeated",
        [FRS_TRACE_HOLDS] = "with a last value that holds"};
    char *line = trace->n_cycles == 1
                     ? frs_format("%s, %s", path, ends[trace->ends])
                     : frs_format("%s: %zu traces, each %s", path, trace->n_cycles, ends[trace->ends]);
    frs_print_line(out, "  %-13s %s", key, line);
    fprintf(out, "  %-20s %14s %14s %14s %s\n", "", "mean", "peak", "lowest", "length");
    free(line);
}

static void print_server_trace(FILE *out, const struct frs_server_trace *trace) {
    static const struct {
        const char *name;
        enum frs_dimension dimension;
    } figures[FRS_SERVER_FIGURES] = {{"downlink", FRS_RATE}, {"uplink", FRS_RATE}, {"speed", FRS_SPEED}};
    bool is_first = true;
    for (size_t i = 0; trace->path && i < FRS_SERVER_FIGURES; i++) {
        if (!trace->has[i])
            continue;
        if (is_first)
            print_trace_head(out, "server.trace", trace->path, &trace->factors[i]);
        is_first = false;
        print_extent(out, figures[i].name, &trace->factors[i], trace->most[i], figures[i].dimension);
    }
}

static void print_client_trace(FILE *out, const char *path, const struct frs_client_trace *trace) {
    static const char *const names[] = {"downlink", "uplink"};
    if (!frs_client_trace_varies(trace))
        return;
    print_trace_head(out, "network.trace", path, &trace->series[trace->has_rates && !trace->has[0]]);
    for (size_t i = 0; i < 2 && trace->has_rates; i++)
        if (trace->has[i])
            print_extent(out, names[i], &trace->series[i], 1, FRS_RATE);
    if (!trace->has_rates)
        print_extent(out, "factor", &trace->series[0], 1, FRS_DIMENSIONS);
}

void frs_population_preview_print(const struct frs_setup *setup, const struct frs_training_estimate *estimate,
    double down_bytes, double end_s, FILE *out) {
    struct preview preview = take_preview(setup, estimate, down_bytes, end_s, out);
    print_table(out, "network.fleet", setup->network.fleet, FRS_FLEET_OF_LINKS, "devices.fleet",
        setup->devices.fleet);
    print_table(out, "devices.fleet", setup->devices.fleet, FRS_FLEET_OF_DEVICES, "network.fleet",
        setup->network.fleet);
    print_client_trace(out, frs_values_text(frs_scenario_section(setup->scenario, "network"), "trace"),
        &setup->network.trace);
    print_server_trace(out, &setup->server.trace);
    fprintf(out, "  %-20s %14s %14s %14s\n", "clients", "worst 10 %", "median", "best 10 %");
    print_traits(&preview, NULL, NULL);
    print_classes(&preview, "network", preview.network);
    print_classes(&preview, "devices", preview.device);
    if (!setup->platform.file && !frs_setup_clients_meet(setup))
        print_participation(&preview, estimate, down_bytes);
    preview_fini(&preview);
}
