#include "sim/results/deciding_settings.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/settings/params.h"
#include "sim/base/settings/units.h"
#include "sim/base/text.h"
#include "sim/results/json_file.h"
#include "sim/setup/notes/default_notes.h"
#include "sim/setup/notes/opening_note.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The share of the time or of the bytes from which on a setting decides. */
#define LEAST_SHARE 0.1

/* The sentence of one, in the making. */
struct deciding {
    const char *key;
    double time_share, bytes_share; /* 0: it makes none */
    char *what;                     /* "is the server noticing lost clients …" */
    char *text;                     /* "97 % of the time is …" */
};

enum { MOST = 14 };

struct list {
    const struct frs_outputs *outputs;
    double time_s, bytes; /* of the run */
    struct deciding found[MOST];
    size_t n;
};

/* ---- texts ----------------------------------------------------------------------------------- */

/* "30 s": whole ones without digits behind the point. */
static char *duration(double value_s) {
    char text[64];
    if (value_s < 120 && value_s == floor(value_s))
        return frs_format("%.0f s", value_s);
    return frs_strdup(frs_units_format(value_s, FRS_TIME, text, sizeof text));
}

/* "97 %", but never all of it where something is left. */
static char *percent(double share) {
    return share > 0.995 && share < 1 ? frs_format("%.1f %%", fmin(100 * share, 99.9))
                                      : frs_format("%.0f %%", 100 * share);
}

/* "31 % of the time and 11 % of the bytes" */
static char *shares(double time_share, double bytes_share) {
    char *time = percent(time_share), *bytes = percent(bytes_share), *text;
    if (time_share > LEAST_SHARE && bytes_share > LEAST_SHARE)
        text = frs_format("%s of the time and %s of the bytes", time, bytes);
    else if (time_share > LEAST_SHARE)
        text = frs_format("%s of the time", time);
    else
        text = frs_format("%s of the bytes", bytes);
    free(time);
    free(bytes);
    return text;
}

/* ---- what decides ---------------------------------------------------------------------------- */

/* Takes the texts. `told`: what this run says instead of `what`, with its own counts; NULL: nothing else. */
static void add_told(
    struct list *list, const char *key, double time_s, double bytes, char *what, char *told) {
    double time_share = list->time_s > 0 ? time_s / list->time_s : 0,
           bytes_share = list->bytes > 0 ? bytes / list->bytes : 0;
    if (time_share > LEAST_SHARE || bytes_share > LEAST_SHARE) {
        char *share = shares(time_share, bytes_share);
        list->found[list->n++] = (struct deciding){
            key, time_share, bytes_share, frs_strdup(what), frs_format("%s %s", share, told ? told : what)};
        free(share);
    }
    free(what);
    free(told);
}

static void add(struct list *list, const char *key, double time_s, double bytes, char *what) {
    add_told(list, key, time_s, bytes, what, NULL);
}

static bool is_default(const struct list *list, const char *section, const char *key) {
    return frs_value_is_initial(
        frs_values_find(frs_scenario_section(list->outputs->setup->scenario, section), key));
}

static const char *by_default(bool is) {
    return is ? ", the default" : "";
}

static void add_detection(struct list *list) {
    const struct frs_setup *setup = list->outputs->setup;
    char *time = duration(setup->failures.detect_s);
    if (is_default(list, "failures", "detect"))
        add(list, "failures.detect", frs_ledger_totals(list->outputs->ledger)->path.noticing_s, 0,
            frs_format("is the server noticing lost clients, %s by default (failures.detect)", time));
    free(time);
}

static void add_unreachable(struct list *list) {
    const struct frs_totals *totals = frs_ledger_totals(list->outputs->ledger);
    char n[FRS_TEXT_COUNT_CHARS], of[FRS_TEXT_COUNT_CHARS];
    char *time = duration(list->outputs->setup->contact_s);
    const char *whose = by_default(is_default(list, "rounds.selection", "contact_timeout"));
    add_told(list, "rounds.selection.contact_timeout", totals->path.unreachable_s, 0,
        frs_format("is waiting for clients that were not online, %s for each call "
                   "(rounds.selection.contact_timeout%s)",
            time, whose),
        frs_format("is waiting for clients that were not online: %s of %s calls reached no client, %s each "
                   "(rounds.selection.contact_timeout%s)",
            frs_text_count(totals->outcomes[FRS_UNAVAILABLE], n), frs_text_count(totals->participations, of),
            time, whose));
    free(time);
}

/* While the times of rounds let none open, and while too few clients are eligible. */
static void add_idle(struct list *list) {
    const struct frs_ledger *ledger = list->outputs->ledger;
    double scheduled_s = frs_ledger_scheduled_idle_s(ledger);
    const char *key;
    char *text = frs_schedule_note(list->outputs->setup, &key);
    if (text)
        add(list, key, scheduled_s, 0, text);
    text = frs_eligible_note(list->outputs->setup, &key);
    add(list, key, frs_ledger_idle_s(ledger) - scheduled_s, 0, text);
}

static void add_connecting(struct list *list) {
    const struct frs_totals *totals = frs_ledger_totals(list->outputs->ledger);
    if (frs_network_connects(&list->outputs->setup->network) && is_default(list, "network", "connection"))
        add(list, "network.connection", totals->path.setup_s,
            (double)(totals->setup_down_bytes + totals->setup_up_bytes),
            frs_strdup("is opening a new connection under TLS for every participation, by default "
                       "(network.connection)"));
}

static void add_catchup(struct list *list) {
    const struct frs_setup *setup = list->outputs->setup;
    const struct frs_values *method = frs_scenario_section(setup->scenario, "method");
    if (setup->training.learner->sends_updates && frs_values_find(method, "catchup") &&
        is_default(list, "method", "catchup"))
        add(list, "method.catchup", 0, (double)frs_ledger_totals(list->outputs->ledger)->catchup_bytes,
            frs_strdup("is what clients download for the rounds that they missed (method.catchup, the "
                       "default)"));
}

static void add_retries(struct list *list) {
    if (is_default(list, "failures.retry", "after"))
        add(list, "failures.retry.after", frs_ledger_totals(list->outputs->ledger)->path.retry_s, 0,
            frs_strdup("is waiting before a broken message is sent again (failures.retry.after, the "
                       "default)"));
}

static void add_restarts(struct list *list) {
    if (is_default(list, "failures", "restart"))
        add(list, "failures.restart", frs_ledger_restart_s(list->outputs->ledger), 0,
            frs_strdup("is the server being away at restarts (failures.restart, the default)"));
}

/* Whether every client of section "network" or "devices" has its values from a class or a row of a table. */
static bool have_own_values(const struct frs_setup *setup, const char *section) {
    const struct frs_values *values = frs_scenario_section(setup->scenario, section);
    return *frs_values_text(values, "classes") || *frs_values_text(values, "fleet");
}

/* Links and devices of the default preset, as far as nothing else was said of them. */
static void add_presets(struct list *list) {
    const struct frs_setup *setup = list->outputs->setup;
    const struct frs_path *path = &frs_ledger_totals(list->outputs->ledger)->path;
    const struct {
        const char *key, *section, *what;
        double time_s;
    } parts[] = {{"network.preset", "network.downlink", "is downloads over the downlinks", path->down_s},
        {"network.preset", "network.uplink", "is uploads over the uplinks", path->up_s},
        {"network.preset", "network.latency", "is the latency", path->latency_s},
        {"devices.preset", "devices.speed", "is computing at the speed", path->compute_s}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const struct frs_preset *preset = frs_scenario_initial_preset(setup->scenario, parts[i].section);
        bool traced = i < 2 && frs_client_trace_has_rate(&setup->network.trace, i == 1);
        bool own = have_own_values(setup, i < 3 ? "network" : "devices");
        if (preset && !setup->platform.file && !traced && !own)
            add(list, parts[i].key, parts[i].time_s, 0,
                frs_format(
                    "%s of preset %s, the default (%s)", parts[i].what, preset->plugin.name, parts[i].key));
    }
}

/* Who is missing decides the quality, of which there is no share. */
static void add_follows(struct list *list) {
    static const char *const sections[] = {"availability", "failures"};
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        const char *key;
        char *what = frs_default_note_follows(list->outputs->setup, sections[i], &key);
        if (!what)
            continue;
        char *text = frs_strdup(what);
        text[0] = 'C'; /* "Clients …" */
        list->found[list->n++] = (struct deciding){key, 0, 0, what, text};
    }
}

static int compare(const void *a, const void *b) {
    const struct deciding *left = a, *right = b;
    double x = fmax(left->time_share, left->bytes_share), y = fmax(right->time_share, right->bytes_share);
    return (x < y) - (x > y);
}

static struct list find(const struct frs_outputs *outputs) {
    const struct frs_totals *totals = frs_ledger_totals(outputs->ledger);
    struct list list = {.outputs = outputs,
        .time_s = frs_ledger_end_s(outputs->ledger),
        .bytes = (double)frs_totals_sent(totals).all};
    add_detection(&list);
    add_unreachable(&list);
    add_idle(&list);
    add_connecting(&list);
    add_catchup(&list);
    add_retries(&list);
    add_restarts(&list);
    add_presets(&list);
    add_follows(&list);
    qsort(list.found, list.n, sizeof *list.found, compare);
    return list;
}

static void fini(struct list *list) {
    for (size_t i = 0; i < list->n; i++) {
        free(list->found[i].what);
        free(list->found[i].text);
    }
}

/* ---- where it is shown ----------------------------------------------------------------------- */

void frs_deciding_settings_set(json_t *root, const struct frs_outputs *outputs) {
    struct list list = find(outputs);
    json_t *array = list.n > 0 ? json_array() : NULL;
    for (size_t i = 0; i < list.n; i++) {
        json_t *object = json_object();
        frs_json_set_text(object, "key", list.found[i].key);
        if (list.found[i].time_share > LEAST_SHARE)
            frs_json_set_real(object, "time_share", list.found[i].time_share);
        if (list.found[i].bytes_share > LEAST_SHARE)
            frs_json_set_real(object, "bytes_share", list.found[i].bytes_share);
        frs_json_set_text(object, "what", list.found[i].what);
        frs_json_set_text(object, "text", list.found[i].text);
        frs_json_append(array, object);
    }
    if (array)
        frs_json_set(root, "decided_by", array);
    fini(&list);
}

void frs_deciding_settings_print(const struct frs_outputs *outputs, FILE *out) {
    struct list list = find(outputs);
    for (size_t i = 0; i < list.n; i++)
        frs_print_line(out, "%s.", list.found[i].text);
    fini(&list);
}
