/* The data of a page about several runs, or about the cells of sweeps. */
#include "analysis/entries/environment.h"
#include "analysis/print/setting_text.h"
#include "analysis/report/comparison_runs.h"
#include "analysis/report/report_internal.h"
#include "analysis/sentence/deciding_settings.h"
#include "analysis/sentence/differences.h"
#include "analysis/sentence/head.h"
#include "analysis/sentence/sentence.h"
#include "analysis/statistics/factors.h"
#include "analysis/statistics/student_t.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- figures ---- */

static bool starts_with(const char *name, const char *start) {
    return strncmp(name, start, strlen(start)) == 0;
}

/* The quality of a recommender without federation: "non_federated.popularity.hr@10". */
static bool is_of_baseline(const char *name) {
    const char *metric = strrchr(name, '.');
    return starts_with(name, "non_federated.") && frs_metric_is_quality(metric + 1, NULL);
}

/* What the page looks at; all else is in the runs' own files. */
static bool is_shown(const char *name) {
    static const char *const names[] = {"simulated_s", "round_s", "rounds", "participations", "flop",
        "wasted_flop", "server_flop", "modelled.energy_j", FRS_TARGET_ROUND, FRS_TARGET_TIME,
        FRS_TARGET_BYTES, FRS_TARGET_SENT, "retry.retries", "detection.lost", "detection.detect_s"};
    static const char *const groups[] = {
        "bytes.", "critical_path.", "steady.", "outcomes.", "waste_by_cause.", "closed_form."};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (starts_with(name, groups[i]))
            return true;
    return frs_metric_is_quality(name, NULL) || is_of_baseline(name);
}

/* What follows from two others: "outcomes.cut_share". */
static bool is_derived(const char *name) {
    size_t length = strlen(name);
    return starts_with(name, "outcomes.") && length > 6 && strcmp(name + length - 6, "_share") == 0;
}

/* The names of all entries' figures, in the order of their first occurrence. */
static json_t *figure_names(const struct frs_entries *entries) {
    json_t *seen = json_object(), *list = json_array();
    for (size_t i = 0; i < entries->n; i++)
        for (size_t k = 0; k < entries->list[i].n; k++) {
            const struct frs_metrics *metrics = &entries->list[i].runs[k].metrics;
            for (size_t m = 0; m < metrics->n; m++) {
                const char *name = metrics->list[m].name;
                if (!is_shown(name) || is_derived(name) || json_object_get(seen, name))
                    continue;
                frs_json_set(seen, name, json_true());
                frs_json_append(list, frs_report_text(name));
            }
        }
    json_decref(seen);
    return list;
}

typedef double run_value(const struct frs_metrics *metrics, const char *name);

json_t *frs_report_of_runs(json_t *list) {
    bool alike = true;
    for (size_t k = 1; k < json_array_size(list); k++)
        alike = alike && json_equal(json_array_get(list, 0), json_array_get(list, k));
    if (!alike)
        return list;
    json_t *value = json_incref(json_array_get(list, 0));
    json_decref(list);
    return value;
}

/* The step of the grid on which a figure lies (frs_metrics_set_step), NaN without one. It makes the page's
 * intervals as wide as those of the tables. */
static double step_of(const struct frs_metrics *metrics, const char *name) {
    double step = frs_metrics_step(metrics, name);
    return step > 0 ? step : NAN;
}

/* Columns {name: values of each entry}, of the names of which an entry has any. */
static json_t *columns_of(const struct frs_entries *entries, const json_t *names, run_value *value_of) {
    json_t *columns = json_object();
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *name = json_string_value(json_array_get(names, i));
        json_t *column = json_array();
        bool any = false;
        for (size_t k = 0; k < entries->n; k++) {
            json_t *list = json_array();
            for (size_t run = 0; run < entries->list[k].n; run++)
                frs_json_append(list, frs_report_number(value_of(&entries->list[k].runs[run].metrics, name)));
            frs_json_append(column, frs_report_of_runs(list));
            any = any || !json_is_null(json_array_get(column, k));
        }
        if (any)
            frs_json_set(columns, name, json_incref(column));
        json_decref(column);
    }
    return columns;
}

/* ---- settings ---- */

static json_t *setting_keys(const struct frs_entries *entries) {
    json_t *seen = json_object(), *list = json_array();
    for (size_t i = 0; i < entries->n; i++) {
        const struct frs_run_results *run = &entries->list[i].runs[0];
        for (size_t k = 0; k < run->n_settings; k++) {
            char *key = frs_format("%.*s", (int)strcspn(run->settings[k], "="), run->settings[k]);
            if (frs_role_of(key) != FRS_ROLE_NONE && !json_object_get(seen, key)) {
                frs_json_set(seen, key, json_true());
                frs_json_append(list, frs_report_text(key));
            }
            free(key);
        }
    }
    json_decref(seen);
    return list;
}

/* What is alike in all entries, and what each has of the rest: null where it has no such key. */
static void set_settings(const struct frs_entries *entries, json_t *page) {
    json_t *keys = setting_keys(entries), *common = json_object(), *differing = json_object();
    for (size_t i = 0; i < json_array_size(keys); i++) {
        const char *key = json_string_value(json_array_get(keys, i));
        json_t *values = json_array();
        bool alike = true;
        for (size_t k = 0; k < entries->n; k++) {
            const char *text = frs_run_setting(&entries->list[k].runs[0], key);
            char *shown = text ? frs_setting_text(text) : NULL;
            frs_json_append(values, shown ? frs_report_text(shown) : json_null());
            free(shown);
            alike = alike && json_equal(json_array_get(values, 0), json_array_get(values, k));
        }
        if (alike)
            frs_json_set(common, key, json_incref(json_array_get(values, 0)));
        else
            frs_json_set(differing, key, json_incref(values));
        json_decref(values);
    }
    frs_json_set(page, "common_settings", common);
    frs_json_set(page, "differing_settings", differing);
    json_decref(keys);
}

/* ---- what they are compared by ---- */

static void set_axes(const struct frs_entries *entries, json_t *page) {
    json_t *list = json_array();
    for (size_t i = 0; i < entries->n_axes; i++) {
        const struct frs_entry_axis *axis = &entries->axes[i];
        json_t *object = json_object(), *keys = json_array();
        const char *role = frs_role_name(axis->role);
        for (size_t k = 0; k < axis->n_keys; k++)
            frs_json_append(keys, frs_report_text(axis->keys[k]));
        frs_json_set(object, "name", frs_report_text(axis->name));
        frs_json_set(object, "role", role ? json_string(role) : json_null());
        frs_json_set(object, "keys", keys);
        frs_json_append(list, object);
    }
    frs_json_set(page, "axes", list);
    frs_json_set(page, "one_sweep", json_boolean(entries->one_sweep));
}

static json_t *texts(char *const *list, size_t n) {
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++)
        frs_json_append(array, frs_report_text(list[i]));
    return array;
}

static void set_target(const struct frs_entries *entries, json_t *page) {
    bool lower = false;
    const char *quality = frs_entries_quality(entries, &lower);
    frs_json_set(page, "quality", quality ? json_string(quality) : json_null());
    frs_json_set(page, "lower", json_boolean(lower));
    if (!entries->target.target_spec.metric)
        return;
    char *text = frs_target_text(&entries->target);
    json_t *object = json_object();
    frs_json_set(object, "text", frs_report_text(text));
    frs_json_set(object, "lower", json_boolean(entries->target.target_spec.lower));
    frs_json_set(object, "relative", json_boolean(entries->target.target_spec.non_federated != NULL));
    frs_json_set(page, "target", object);
    free(text);
}

/* Half widths of 95 % intervals, by degrees of freedom from 1, so that the page computes the same
 * intervals as the tables. */
static void set_quantiles(const struct frs_entries *entries, json_t *page) {
    json_t *list = json_array();
    size_t most = 1;
    for (size_t i = 0; i < entries->n; i++)
        most = entries->list[i].n > most ? entries->list[i].n : most;
    for (size_t df = 1; df < most; df++)
        frs_json_append(list, json_real(frs_student_t_quantile((1 + FRS_CONFIDENCE) / 2, (double)df)));
    frs_json_set(page, "t", list);
}

static void set_provenance(const struct frs_entries *entries, json_t *page) {
    const struct frs_run_results *run = &entries->list[0].runs[0];
    json_t *object = json_object();
    frs_json_set(object, "protocol", frs_report_text(run->protocol));
    frs_json_set(object, "candidates", frs_report_text(run->candidates));
    frs_json_set(object, "data_hash", frs_report_text(run->data_hash));
    frs_json_set(object, "k", json_integer((json_int_t)run->k));
    frs_json_set(page, "provenance", object);
}

/* What the first run's manifest says about who made it, and of what. */
static enum frs_status set_manifest(
    const struct frs_entries *entries, json_t *page, struct frs_errors *errors) {
    static const char *const kept[] = {"version", "data", "engine", "libraries"};
    char *path = frs_format("%s/manifest.json", entries->list[0].runs[0].path);
    json_t *manifest = frs_json_read(path, errors), *object = json_object_get(page, "provenance");
    free(path);
    for (size_t i = 0; manifest && i < sizeof kept / sizeof *kept; i++) {
        json_t *value = json_object_get(manifest, kept[i]);
        if (value)
            frs_json_set(object, kept[i], json_incref(value));
    }
    json_decref(manifest);
    return manifest ? FRS_OK : FRS_ERR_INPUT;
}

/* ---- entries ---- */

static json_t *entry_object(const struct frs_entry *entry) {
    json_t *object = json_object(), *seeds = json_array(), *statuses = json_array(), *paths = json_array();
    frs_json_set(object, "name", frs_report_text(entry->name));
    size_t n_labels = 0;
    while (entry->labels && entry->labels[n_labels])
        n_labels++;
    frs_json_set(object, "labels", texts(entry->labels, n_labels));
    frs_json_set(object, "environment", json_integer((json_int_t)entry->environment));
    for (size_t i = 0; i < entry->n; i++) {
        char *seed = frs_format("%llu", (unsigned long long)entry->runs[i].seed);
        frs_json_append(seeds, json_string(seed)); /* beyond what JavaScript has as a number */
        frs_json_append(statuses, frs_report_text(entry->runs[i].status));
        if (!entry->labels && entry->n > 1) /* runs made by hand, with several seeds */
            frs_json_append(paths, frs_report_text(entry->runs[i].path));
        free(seed);
    }
    frs_json_set(object, "seeds", seeds);
    frs_json_set(object, "statuses", statuses);
    frs_json_set(object, "paths", paths);
    return object;
}

static enum frs_status set_entries(
    const struct frs_entries *entries, json_t *page, struct frs_errors *errors) {
    json_t *names = figure_names(entries), *list = json_array();
    enum frs_status status = FRS_OK;
    frs_json_set(page, "entries", list);
    frs_json_set(page, "figures", columns_of(entries, names, frs_metrics_get));
    frs_json_set(page, "steps", columns_of(entries, names, step_of));
    for (size_t i = 0; i < entries->n; i++)
        for (size_t k = 0; k < entries->list[i].n && status == FRS_OK; k++)
            status = frs_report_check_format(&entries->list[i].runs[k], errors);
    for (size_t i = 0; i < entries->n && status == FRS_OK; i++) {
        json_t *object = entry_object(&entries->list[i]);
        frs_json_append(list, object);
        status = frs_report_add_runs(entries, &entries->list[i], object, errors);
    }
    json_decref(names);
    return status;
}

/* ---- the answer ---- */

/* What the sentence says of each environment, for programs that read the page: {measure, leader: number of
 * an entry or null, alone: every other entry is significantly behind}. The page applies the same rules to
 * the selection of its controls (page/ranking.js). */
static json_t *claims_of(const struct frs_ranking *ranking, const struct frs_findings *findings) {
    static const char *const measures[] = {[FRS_BY_TARGET] = "time",
        [FRS_BY_QUALITY] = "quality",
        [FRS_BY_TIME] = "duration",
        [FRS_BY_BYTES] = "bytes"};
    json_t *list = json_array();
    for (size_t c = 0; c < ranking->n_environments; c++) {
        const struct frs_decision *decision = &findings->decisions[c];
        json_t *object = json_object();
        frs_json_set(object, "measure", json_string(measures[decision->measure]));
        frs_json_set(object, "leader",
            decision->leader < ranking->n ? json_integer((json_int_t)decision->leader) : json_null());
        frs_json_set(object, "alone", json_boolean(decision->alone));
        frs_json_append(list, object);
    }
    return list;
}

/* A short row for each environment, which the page shows as long as its controls are untouched. */
static json_t *head_of(const struct frs_ranking *ranking) {
    static const char *const names[] = {
        [FRS_HEAD_TIME] = "time", [FRS_HEAD_BYTES] = "bytes", [FRS_HEAD_QUALITY] = "quality"};
    struct frs_head head = frs_head_of(ranking);
    json_t *rows = json_array();
    for (size_t c = 0; c < head.n; c++) {
        json_t *row = json_object();
        for (size_t column = 0; column < FRS_HEAD_COLUMNS; column++) {
            const struct frs_head_cell *cell = &head.rows[c][column];
            if (!cell->metric)
                continue;
            bool is_led = cell->leader < ranking->n;
            json_t *object = json_object();
            frs_json_set(object, "metric", json_string(cell->metric));
            frs_json_set(object, "leader", is_led ? json_integer((json_int_t)cell->leader) : json_null());
            frs_json_set(object, "decided", json_boolean(cell->decided));
            frs_json_set(object, "amount", is_led ? json_string(cell->amount) : json_null());
            frs_json_set(object, "verdict", is_led ? frs_report_text(cell->verdict) : json_null());
            frs_json_set(row, names[column], object);
        }
        frs_json_append(rows, row);
    }
    frs_head_fini(&head);
    return rows;
}

/* Defaults that decide, and cohorts smaller than asked for, a sentence each. */
static json_t *decided_of(const struct frs_entries *entries) {
    struct frs_decided_by decided = frs_decided_by_of(entries);
    json_t *lines = texts(decided.lines, decided.n);
    frs_decided_by_fini(&decided);
    return lines;
}

static void set_answer(const struct frs_entries *entries, bool across, json_t *page) {
    struct frs_ranking ranking = frs_ranking_of_entries(entries);
    struct frs_findings findings = frs_ranking_findings(&ranking);
    char *headline = across ? frs_sentence_across(entries) : frs_sentence(&ranking, &findings);
    frs_json_set(page, "headline", frs_report_text(headline));
    frs_json_set(page, "claims", claims_of(&ranking, &findings));
    frs_json_set(page, "head", head_of(&ranking));
    frs_json_set(page, "decided", decided_of(entries));
    free(headline);
    frs_findings_fini(&findings);
    frs_ranking_fini(&ranking);
}

/* Entries that cannot be ranked are set side by side, and named by the settings in which they differ. A
 * sensitivity has a page of its own. */
static bool join(struct frs_entries *entries, json_t *page) {
    bool across =
        json_array_size(json_object_get(page, "sensitivity")) == 0 && frs_environments_are_apart(entries);
    json_t *labels = json_array();
    if (across) {
        struct frs_differences differences = frs_differences_of(entries);
        for (size_t i = 0; i < entries->n; i++) {
            char *label = frs_differences_label(&differences, i);
            frs_json_append(labels, frs_report_text(label));
            free(label);
        }
        frs_differences_fini(&differences);
        frs_environments_join(entries);
    }
    frs_json_set(page, "across", across ? labels : json_null());
    if (!across)
        json_decref(labels);
    return across;
}

static enum frs_status fill(struct frs_entries *entries, json_t *page, struct frs_errors *errors) {
    bool across = join(entries, page);
    frs_json_set(page, "kind", json_string("comparison"));
    frs_json_set(page, "format", json_string("fedrecsim-report-1"));
    frs_json_set(page, "environments", texts(entries->environments, entries->n_environments));
    frs_json_set(page, "separators", frs_report_text(entries->separators));
    frs_json_set(page, "warnings", texts(entries->warnings, entries->n_warnings));
    set_answer(entries, across, page);
    set_axes(entries, page);
    set_target(entries, page);
    set_quantiles(entries, page);
    set_settings(entries, page);
    set_provenance(entries, page);
    enum frs_status status = set_manifest(entries, page, errors);
    return status == FRS_OK ? set_entries(entries, page, errors) : status;
}

json_t *frs_report_of_entries(
    const char *const *arguments, size_t n, const char *target, struct frs_errors *errors) {
    struct frs_entries entries;
    if (frs_entries_read(arguments, n, target, &entries, errors) != FRS_OK)
        return NULL;
    json_t *page = json_object();
    enum frs_status status = frs_report_sensitivities(&entries, page, errors);
    if (status == FRS_OK)
        status = frs_report_answer(&entries, page, errors);
    if (status == FRS_OK)
        status = frs_report_what_ifs(&entries, page, errors);
    if (status == FRS_OK)
        status = fill(&entries, page, errors);
    frs_entries_fini(&entries);
    if (status == FRS_OK)
        return page;
    json_decref(page);
    return NULL;
}
