#include "sim/network_robustness/network_robustness_kinds.h"
#include "sim/base/decimal.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"
#include "sim/base/settings/param.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

#define MODEL "network.model"
#define BANDWIDTH "network.bandwidth_factor"
#define SERVER_DOWN "network.server_downlink"
#define SERVER_UP "network.server_uplink"
#define SERVER_QUEUE "network.server_queue"
#define PACKETS                                                                                              \
    { MODEL, "packets", 0 }

#define LEFT_OUT "lv08" /* its latencies are no measured ones */

/* What every run has, and what matters beside it. */
static const struct frs_network_robustness_kind bandwidths[] = {
    {.name = "bandwidth × 0.8", .is_usual = true, .n = 1, .changes = {{BANDWIDTH, NULL, 0.8}}},
    {.name = "bandwidth × 1.2", .is_usual = true, .n = 1, .changes = {{BANDWIDTH, NULL, 1.2}}},
    {.name = "server's link × 0.8", .n = 2, .changes = {{SERVER_DOWN, NULL, 0.8}, {SERVER_UP, NULL, 0.8}}},
    {.name = "server's link × 1.2", .n = 2, .changes = {{SERVER_DOWN, NULL, 1.2}, {SERVER_UP, NULL, 1.2}}},
};

/* network.queue's own range: shallow, and bufferbloat. */
static const struct frs_network_robustness_kind of_packets[] = {
    {.name = "packets, queue 50 ms", .n = 2, .changes = {PACKETS, {"network.queue", "0.05 s", 0}}},
    {.name = "packets, queue 1 s", .n = 2, .changes = {PACKETS, {"network.queue", "1 s", 0}}},
    {.name = "packets, fair queue", .n = 2, .changes = {PACKETS, {SERVER_QUEUE, "fair", 0}}},
    {.name = "packets, fifo queue", .n = 2, .changes = {PACKETS, {SERVER_QUEUE, "fifo", 0}}},
    {.name = "packets, new connections", .n = 2, .changes = {PACKETS, {"network.connection", "tls", 0}}},
    {.name = "packets, kept connections", .n = 2, .changes = {PACKETS, {"network.connection", "kept", 0}}},
};

/* ---- the settings of a run ---- */

static const char *keep(struct frs_arena *texts, const char *text, size_t length) {
    char *copy = frs_arena_take(texts, length + 1, 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

/* Returns the value that a change gives to a setting which has this value in the run; NULL: it keeps its
 * value. Freed with free(). */
static char *changed(const struct frs_network_robustness_change *change, const char *value) {
    if (change->value)
        return frs_strdup(change->value);
    char *unit = NULL, number[32];
    double own = value ? frs_decimal_read(value, 1, 0, &unit) : 1;
    if (value && unit == value) /* "unlimited" */
        return NULL;
    return frs_format("%s%s", frs_text_number(own * change->factor, number, sizeof number), unit ? unit : "");
}

static const struct frs_network_robustness_change *change_of(
    const struct frs_network_robustness_kind *kind, const char *key) {
    for (size_t i = 0; i < kind->n; i++)
        if (strcmp(kind->changes[i].key, key) == 0)
            return &kind->changes[i];
    return NULL;
}

/* The value of a key under a kind; "": there is none. Freed with free(). */
static char *value_under(
    const struct frs_network_robustness_kind *kind, const struct frs_run_results *run, const char *key) {
    const struct frs_network_robustness_change *change = change_of(kind, key);
    const char *value = frs_run_setting(run, key);
    char *own = change ? changed(change, value) : NULL;
    return own ? own : frs_strdup(value ? value : "");
}

struct frs_setting *frs_network_robustness_kind_settings(const struct frs_network_robustness_kind *kind,
    const struct frs_run_results *run, struct frs_arena *texts, size_t *n) {
    struct frs_setting *settings = frs_alloc(run->n_settings + kind->n + 1, sizeof *settings);
    *n = 0;
    for (size_t i = 0; i < run->n_settings; i++) {
        const char *text = run->settings[i];
        size_t length = strcspn(text, "=");
        const char *key = keep(texts, text, length);
        if (!change_of(kind, key))
            settings[(*n)++] =
                (struct frs_setting){key, keep(texts, text + length + 1, strlen(text + length + 1))};
    }
    for (size_t i = 0; i < kind->n; i++) {
        const char *key = kind->changes[i].key;
        char *value = value_under(kind, run, key);
        if (*value)
            settings[(*n)++] =
                (struct frs_setting){keep(texts, key, strlen(key)), keep(texts, value, strlen(value))};
        free(value);
    }
    return settings;
}

/* ---- what a kind changes ---- */

static bool is_given(const struct frs_run_results *run, const char *key) {
    const char *value = frs_run_setting(run, key);
    return value && *value;
}

static bool is_limited(const struct frs_run_results *run, const char *key) {
    return is_given(run, key) && strcmp(frs_run_setting(run, key), "unlimited") != 0;
}

static bool has_server_link(const struct frs_run_results *run) {
    return is_limited(run, SERVER_DOWN) || is_limited(run, SERVER_UP) || is_given(run, "server.trace");
}

/* Clients share the access side of their edge. A table of edges may limit it; what the table holds is the
 * run's alone to read, so that its links count as shared. */
static bool has_shared_link(const struct frs_run_results *run) {
    return has_server_link(run) || is_limited(run, "network.edges.access_downlink") ||
           is_limited(run, "network.edges.access_uplink") || is_given(run, "network.edges.file");
}
/* Whether a key has the same effect under two kinds. Links that only one client uses have no order of
 * service. */
static bool agree_in(const struct frs_network_robustness_kind *a, const struct frs_network_robustness_kind *b,
    const struct frs_run_results *run, const char *key) {
    if (strcmp(key, SERVER_QUEUE) == 0 && !has_shared_link(run))
        return true;
    char *x = value_under(a, run, key), *y = value_under(b, run, key);
    bool same = strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

static bool agree(const struct frs_network_robustness_kind *a, const struct frs_network_robustness_kind *b,
    const struct frs_run_results *run) {
    for (size_t i = 0; i < a->n; i++)
        if (!agree_in(a, b, run, a->changes[i].key))
            return false;
    for (size_t i = 0; i < b->n; i++)
        if (!agree_in(a, b, run, b->changes[i].key))
            return false;
    return !frs_network_robustness_kind_objection(a, run) && !frs_network_robustness_kind_objection(b, run);
}

bool frs_network_robustness_kind_is_same(
    const struct frs_network_robustness_kind *kind, const struct frs_run_results *run) {
    return agree(kind, &(struct frs_network_robustness_kind){0}, run);
}

const char *frs_network_robustness_kind_objection(
    const struct frs_network_robustness_kind *kind, const struct frs_run_results *run) {
    bool scales_clients = change_of(kind, BANDWIDTH) != NULL,
         scales_server = change_of(kind, SERVER_DOWN) != NULL;
    if ((scales_clients || scales_server) && is_given(run, "platform.file"))
        return "its links are those of a platform of its own (platform.file)";
    if (scales_server && is_given(run, "server.trace") && !is_limited(run, SERVER_DOWN) &&
        !is_limited(run, SERVER_UP))
        return "its server's link is that of a trace (server.trace)";
    return NULL;
}

/* ---- the list ---- */

static void add(struct frs_network_robustness_kinds *kinds, const struct frs_network_robustness_kind *kind) {
    FRS_INVARIANT(kinds->n < FRS_NETWORK_ROBUSTNESS_KINDS, "more than %d kinds of networks",
        FRS_NETWORK_ROBUSTNESS_KINDS);
    kinds->list[kinds->n++] = *kind;
}

/* For every run, the first one of each entry speaking for all. */
static bool repeats_another(const struct frs_network_robustness_kinds *kinds,
    const struct frs_network_robustness_kind *kind, const struct frs_entries *entries) {
    for (size_t k = 0; k < kinds->n; k++) {
        bool all = true;
        for (size_t i = 0; i < entries->n && all; i++)
            all = agree(kind, &kinds->list[k], &entries->list[i].runs[0]);
        if (all)
            return true;
    }
    return false;
}

static const char *const *models_of(const struct frs_section *sections) {
    const struct frs_param *param = NULL;
    for (const struct frs_section *section = sections; section->path; section++)
        if (strcmp(section->path, "network") == 0)
            param = section->params;
    while (param && strcmp(param->key, "model") != 0)
        param++;
    FRS_INVARIANT(param, "there is no section network");
    return param->choices;
}

void frs_network_robustness_kinds_list(struct frs_network_robustness_kinds *kinds,
    const struct frs_section *sections, const struct frs_entries *entries) {
    *kinds = (struct frs_network_robustness_kinds){.no_server_link = true};
    for (size_t i = 0; i < entries->n; i++)
        kinds->no_server_link = kinds->no_server_link && !has_server_link(&entries->list[i].runs[0]);
    add(kinds, &(struct frs_network_robustness_kind){.name = "as it is", .is_usual = true});
    for (const char *const *model = models_of(sections); *model; model++)
        if (strcmp(*model, LEFT_OUT) != 0)
            add(kinds, &(struct frs_network_robustness_kind){
                           .name = *model, .is_usual = true, .n = 1, .changes = {{MODEL, *model, 0}}});
    for (size_t i = 0; i < sizeof bandwidths / sizeof *bandwidths; i++)
        if (bandwidths[i].is_usual || !repeats_another(kinds, &bandwidths[i], entries))
            add(kinds, &bandwidths[i]);
    for (size_t i = 0; i < sizeof of_packets / sizeof *of_packets; i++)
        if (!repeats_another(kinds, &of_packets[i], entries))
            add(kinds, &of_packets[i]);
}
