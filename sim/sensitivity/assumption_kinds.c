#include "sim/sensitivity/assumption_kinds.h"
#include "sim/base/decimal.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct listing {
    struct frs_assumption_kinds *kinds;
    const struct frs_scenario *scenario;
    const struct frs_setup *setup;
};

/* ---- what the scenario has ---- */

struct search {
    const char *key;
    char *text;
};

static void note_text(void *context, const char *key, const char *text) {
    struct search *search = context;
    if (!search->text && strcmp(key, search->key) == 0)
        search->text = frs_strdup(text);
}

/* As in the manifest; freed with free(). */
static char *text_of(const struct listing *l, const char *key) {
    struct search search = {.key = key};
    frs_scenario_each(l->scenario, note_text, &search);
    return search.text ? search.text : frs_strdup("");
}

static bool is(const struct listing *l, const char *key, const char *text) {
    char *own = text_of(l, key);
    bool same = strcmp(own, text) == 0;
    free(own);
    return same;
}

/* "KEY=VALUE" with the key's own value times a factor, but at most `most`; NULL where the value is no
 * number. Freed with free(). */
static char *scaled(const struct listing *l, const char *key, double factor, double most) {
    char *text = text_of(l, key), *unit, number[32], *set = NULL;
    double value = frs_decimal_read(text, 1, 0, &unit),
           other = factor < 1 ? value / (1 / factor) : value * factor;
    if (unit != text && (*unit == '\0' || *unit == ' '))
        set = frs_format("%s=%s%s", key, frs_text_number(fmin(other, most), number, sizeof number), unit);
    free(text);
    return set;
}

/* ---- one kind ---- */

/* Takes over `axis`. */
static struct frs_assumption_kind *add(struct listing *l, const char *name, char *axis) {
    struct frs_assumption_kinds *kinds = l->kinds;
    kinds->list = frs_grow(kinds->list, kinds->n + 1, &kinds->capacity, sizeof *kinds->list);
    kinds->list[kinds->n] = (struct frs_assumption_kind){.name = name, .axis = axis};
    return &kinds->list[kinds->n++];
}

/* The levels of `text`: "LABEL: KEY=VALUE | LABEL: KEY=VALUE". */
static struct frs_assumption_kind *add_levels(struct listing *l, const char *name, const char *text) {
    return add(l, name, frs_format("%s | %s", name, text));
}

static void leave(struct listing *l, const char *name, const char *reason) {
    add(l, name, NULL)->reason = reason;
}

static void add_factor(struct listing *l, const char *name, const char *key, double by) {
    char *low = scaled(l, key, 1 / by, INFINITY), *high = scaled(l, key, by, INFINITY);
    add(l, name, frs_format("%s | 1/%g times: %s | %g times: %s", name, by, low, by, high));
    free(low);
    free(high);
}

/* All values of an enumerated key but the one that the scenario has. */
static void add_others(struct listing *l, const char *name, const char *key, const char *const *values) {
    char *now = text_of(l, key), *text = frs_strdup(name);
    for (size_t i = 0; values[i]; i++) {
        if (strcmp(values[i], now) == 0)
            continue;
        char *longer = frs_format("%s | %s: %s=%s", text, values[i], key, values[i]);
        free(text);
        text = longer;
    }
    free(now);
    add(l, name, text);
}

/* ---- losses ---- */

static bool loses_nothing(const struct listing *l) {
    return is(l, "failures.down", "0") && is(l, "failures.compute", "0") && is(l, "failures.up", "0") &&
           is(l, "failures.connection_down", "0") && is(l, "failures.connection_up", "0") &&
           is(l, "failures.device_mtbf", "0 s") && is(l, "failures.connection_mtbf", "0 s");
}

static void add_losses(struct listing *l) {
    if (loses_nothing(l)) {
        add_levels(l, "losses", "1 % of uploads: failures.up=0.01 | 5 % of uploads: failures.up=0.05")
            ->from_base = true;
        return;
    }
    char *low = scaled(l, "failures.up", 0.5, 1), *high = scaled(l, "failures.up", 2, 1);
    if (low && !is(l, "failures.up", "0"))
        add(l, "losses", frs_format("losses | half of the uploads': %s | double: %s", low, high));
    else
        leave(l, "losses", "what is lost is said by the scenario (failures), and not of uploads as a whole");
    free(low);
    free(high);
}

static void add_detection(struct listing *l) {
    struct frs_assumption_kind *kind =
        add_levels(l, "detection", "20 s: failures.detect=20 s | 60 s: failures.detect=60 s");
    kind->otherwise = frs_strdup("detection | 1 % of uploads lost\\, noticed after 20 s: failures.up=0.01 & "
                                 "failures.detect=20 s | 1 % of uploads lost\\, noticed after 60 s: "
                                 "failures.up=0.01 & failures.detect=60 s");
    kind->n_given = 1;
}

static void add_who_answers(struct listing *l) {
    bool always = strcmp(frs_scenario_plugin(l->scenario, "availability")->name, "always") == 0;
    add_levels(l, "availability",
        always ? "as measured: availability.model=diurnal" : "always: availability.model=always");
    add_losses(l);
    add_detection(l);
    add_levels(l, "retry",
        is(l, "failures.retry.times", "0") ? "4 times: failures.retry.times=4"
                                           : "never: failures.retry.times=0");
}

/* ---- networks ---- */

static void add_jitter(struct listing *l) {
    const struct frs_network *network = &l->setup->network;
    double most = 0;
    for (size_t i = 0; network->jitter_by_class[FRS_JITTER_RATE] && i < network->classes.n; i++)
        most = fmax(most, network->class_jitter[i][FRS_JITTER_RATE]);
    if (most > 0) {
        add(l, "jitter",
            frs_format("jitter | none: network.jitter=0 | double the largest of a class: "
                       "network.jitter=%.15g",
                2 * most));
        return;
    }
    if (is(l, "network.jitter", "0")) {
        add_levels(l, "jitter", "0.37: network.jitter=0.37");
        return;
    }
    char *high = scaled(l, "network.jitter", 2, 5);
    add(l, "jitter", frs_format("jitter | none: network.jitter=0 | double: %s", high));
    free(high);
}

static void add_server_link(struct listing *l) {
    static const char down[] = "network.server_downlink", up[] = "network.server_uplink";
    char *sets[2][2] = {{scaled(l, down, 0.5, INFINITY), scaled(l, up, 0.5, INFINITY)},
        {scaled(l, down, 2, INFINITY), scaled(l, up, 2, INFINITY)}};
    if (!is(l, "server.trace", ""))
        leave(l, "server link", "the server's link is that of server.trace");
    else if (!sets[0][0] && !sets[0][1])
        add_levels(l, "server link",
            "1 Gbit/s: network.server_downlink=1 Gbit/s & network.server_uplink=1 Gbit/s | "
            "100 Mbit/s: network.server_downlink=100 Mbit/s & network.server_uplink=100 Mbit/s")
            ->from_base = true;
    else {
        const char *both = sets[0][0] && sets[0][1] ? " & " : "";
        add(l, "server link",
            frs_format("server link | 1/2 times: %s%s%s | 2 times: %s%s%s", sets[0][0] ? sets[0][0] : "",
                both, sets[0][1] ? sets[0][1] : "", sets[1][0] ? sets[1][0] : "", both,
                sets[1][1] ? sets[1][1] : ""));
    }
    for (size_t i = 0; i < 4; i++)
        free(sets[i / 2][i % 2]);
}

static void add_latency(struct listing *l) {
    bool has_none = is(l, "network.latency.distribution", "constant") &&
                    is(l, "network.latency.value", "0 s") && is(l, "network.classes", "") &&
                    is(l, "network.fleet", "") && is(l, "platform.file", "");
    if (!has_none)
        add_factor(l, "latency", "network.latency_factor", 2);
    else
        add_levels(
            l, "latency", "8 ms\\, as wifi: network.latency=8 ms | 75 ms\\, as 3g: network.latency=75 ms")
            ->from_base = true;
}

static void add_networks(struct listing *l) {
    static const char *const models[] = {"exact", "tcp", NULL},
                             *const with_packets[] = {"exact", "tcp", "packets", NULL},
                             *const connections[] = {"tls", "tcp", "kept", NULL};
    add_others(l, "network model", "network.model", is(l, "network.model", "tcp") ? with_packets : models);
    add_others(l, "connection", "network.connection", connections);
    add_levels(l, "links",
        "4g: network.preset=4g | mixed-mobile: network.preset=mixed-mobile | fedscale: "
        "network.preset=fedscale");
    add_jitter(l);
    add_server_link(l);
    add_levels(l, "queue", "50 ms: network.queue=50 ms | 1 s: network.queue=1 s");
    add_levels(l, "packet loss", "1 %: network.packet_loss=0.01");
    add_factor(l, "bandwidth", "network.bandwidth_factor", 2);
    add_latency(l);
}

/* ---- computing ---- */

/* All of computing, what it costs whatever is computed included. */
static void add_compute(struct listing *l) {
    static const double factors[] = {1.0 / 3, 3};
    static const char *const labels[] = {"1/3 times", "3 times"};
    const struct frs_values *devices = frs_scenario_section(l->scenario, "devices");
    bool has_work = strcmp(frs_values_text(devices, "compute"), "fixed") != 0,
         has_overhead = frs_values_real(devices, "overhead") > 0;
    char *text = frs_strdup("compute");
    for (size_t i = 0; i < 2; i++) {
        char *work = has_work ? scaled(l, "devices.slowdown", factors[i], INFINITY) : frs_strdup("");
        char *overhead = has_overhead ? scaled(l, "devices.overhead", factors[i], INFINITY) : frs_strdup("");
        char *longer = frs_format(
            "%s | %s: %s%s%s", text, labels[i], work, has_work && has_overhead ? " & " : "", overhead);
        free(work);
        free(overhead);
        free(text);
        text = longer;
    }
    if (has_work || has_overhead)
        add(l, "compute", text);
    else {
        free(text);
        leave(l, "compute", "it takes no time");
    }
    if (!has_overhead)
        add_levels(l, "overhead", "1 s: devices.overhead=1 s | 10 s: devices.overhead=10 s")->from_base =
            true;
    else
        leave(l, "overhead", "it is part of compute");
}

static void add_server_time(struct listing *l) {
    if (is(l, "server.overhead", "0 s"))
        add_levels(l, "server time", "1 s an aggregation: server.overhead=1 s");
    else
        add_factor(l, "server time", "server.overhead", 2);
}

/* ---- rounds and data ---- */

static void add_cohort(struct listing *l) {
    size_t now = l->setup->cohort, all = l->setup->training.data->population.n_clients, half = (now + 1) / 2,
           twice = 2 * now < all ? 2 * now : all;
    if (half == now)
        leave(l, "cohort", "a round has one client");
    else if (twice == now)
        add(l, "cohort", frs_format("cohort | half: rounds.cohort=%zu", half));
    else
        add(l, "cohort",
            frs_format("cohort | half: rounds.cohort=%zu | %s: rounds.cohort=%zu", half,
                twice < all ? "double" : "all", twice));
}

static void add_data(struct listing *l) {
    static const char *const ties[] = {"later", "earlier", "random", NULL};
    add_others(l, "ties", "data.ties", ties);
    const struct frs_data *data = l->setup->training.data;
    if (!is(l, "data.split", "leave-one-out"))
        leave(l, "held-out items", "every seed draws them anew (data.split)");
    else if (strcmp(data->order, "random") != 0)
        add_levels(l, "held-out items", "drawn: data.order=random");
    else if (data->has_time)
        add_levels(l, "held-out items", "newest: data.order=time");
    else
        leave(l, "held-out items", "the data have no times, and every seed draws them anew");
    char *seed = text_of(l, "data.synthetic_seed");
    unsigned long next = strtoul(seed, NULL, 10) + 1;
    free(seed);
    if (is(l, "data.path", ""))
        add(l, "data seed",
            frs_format("data seed | %lu: data.synthetic_seed=%lu | %lu: data.synthetic_seed=%lu", next, next,
                next + 1, next + 1));
    else
        leave(l, "data seed", "the data are a file (data.path), of which there is one");
}

/* What has neither a usual value nor a published one. */
static void leave_others(struct listing *l) {
    static const struct {
        const char *name, *reason;
    } others[] = {
        {"compute jitter", "no published value is known (devices.jitter); --assume states one"},
        {"memory",
            "which clients lack it depends on what else runs there (devices.memory); --assume states one"},
        {"late clients", "no published value is known (failures.late_share); --assume states one"},
        {"departures", "no published value is known (failures.mean_lifetime); --assume states one"},
        {"broken connections", "without retries they cost what a lost client costs (failures.connection_up); "
                               "--assume states one"},
        {"server restarts", "they have no usual times (failures.server_restarts); --assume states some"},
        {"outages", "they have no usual times (availability.outages); --assume states some"},
        {"traces",
            "the link of a client or server over time is a file of one's own (network.trace, server.trace)"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        leave(l, others[i].name, others[i].reason);
}

/* ---- all of them ---- */

void frs_assumption_kinds_list(
    struct frs_assumption_kinds *kinds, const struct frs_scenario *scenario, const struct frs_setup *setup) {
    struct listing listing = {kinds, scenario, setup};
    *kinds = (struct frs_assumption_kinds){0};
    add_who_answers(&listing);
    add_networks(&listing);
    add_compute(&listing);
    add_server_time(&listing);
    add_cohort(&listing);
    add_data(&listing);
    leave_others(&listing);
}

void frs_assumption_kinds_fini(struct frs_assumption_kinds *kinds) {
    for (size_t i = 0; i < kinds->n; i++) {
        free(kinds->list[i].axis);
        free(kinds->list[i].otherwise);
    }
    free(kinds->list);
    *kinds = (struct frs_assumption_kinds){0};
}
