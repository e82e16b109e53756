#include "analysis/read/run_reader.h"
#include "analysis/read/files.h"
#include "analysis/read/json.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool frs_run_is(const char *path) {
    char *manifest = frs_format("%s/manifest.json", path);
    bool is = frs_contents_exist(manifest);
    free(manifest);
    return is;
}

enum frs_status frs_run_require(const char *path, struct frs_errors *errors) {
    if (frs_run_is(path))
        return FRS_OK;
    return frs_errors_add(errors, FRS_ERR_INPUT, "%s: is not a run directory: it has no manifest.json", path);
}

bool frs_run_is_finished(const struct frs_run_results *run) {
    return strcmp(run->status, "complete") == 0 || strcmp(run->status, "stranded") == 0;
}

const char *frs_run_setting(const struct frs_run_results *run, const char *key) {
    size_t length = strlen(key);
    for (size_t i = 0; i < run->n_settings; i++)
        if (strncmp(run->settings[i], key, length) == 0 && run->settings[i][length] == '=')
            return run->settings[i] + length + 1;
    return NULL;
}

/* ---- manifest.json ---- */

static enum frs_status read_settings(
    struct frs_run_results *run, json_t *scenario, const char *path, struct frs_errors *errors) {
    const char *key;
    json_t *value;
    if (!json_is_object(scenario))
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: \"scenario\" has to be an object", path);
    run->settings = frs_alloc(json_object_size(scenario), sizeof *run->settings);
    json_object_foreach(scenario, key, value) {
        if (!json_is_string(value))
            return frs_errors_add(
                errors, FRS_ERR_INPUT, "%s: the scenario's \"%s\" has to be a text", path, key);
        run->settings[run->n_settings++] = frs_format("%s=%s", key, json_string_value(value));
    }
    return FRS_OK;
}

/* A manifest that tells the order tells the ties, too, where there can be any. */
static void take_order(struct frs_run_results *run, const json_t *data) {
    const char *order = json_string_value(json_object_get(data, "order"));
    run->order = order ? frs_strdup(order) : NULL;
    run->may_have_ties = !order || json_integer_value(json_object_get(data, "users_tied_at_test")) > 0 ||
                         json_integer_value(json_object_get(data, "users_tied_at_validation")) > 0;
}

/* Optional: runs of a sweep have none, and those of old versions. */
static void read_varied(struct frs_run_results *run, json_t *set) {
    const char *key;
    json_t *value;
    run->varied = frs_alloc(json_object_size(set) + 1, sizeof *run->varied);
    run->varied_to = frs_alloc(json_object_size(set) + 1, sizeof *run->varied_to);
    json_object_foreach(set, key, value) {
        run->varied_to[run->n_varied] = frs_strdup(json_is_string(value) ? json_string_value(value) : "");
        run->varied[run->n_varied++] = frs_strdup(key);
    }
}

static enum frs_status take_manifest(
    struct frs_run_results *run, json_t *root, const char *path, struct frs_errors *errors) {
    const char *program = json_string_value(json_object_get(root, "program"));
    if (!program || strcmp(program, "fedrecsim") != 0)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: is not a manifest of fedrecsim", path);
    enum frs_status status = frs_json_count(root, path, "seed", &run->seed, errors);
    const char *version = json_string_value(json_object_get(root, "version"));
    run->version = frs_strdup(version ? version : "?");
    if (status == FRS_OK && json_object_get(root, "format"))
        status = frs_json_count(root, path, "format", &run->format, errors);
    const json_t *data = json_object_get(root, "data"), *emulation = json_object_get(root, "emulation");
    run->emulated = json_is_object(emulation);
    run->trusted = run->emulated && json_is_true(json_object_get(emulation, "timing_trusted"));
    run->scenario_hash = frs_json_text(root, path, "scenario_hash", errors);
    run->data_hash = frs_json_text(data, path, "hash", errors);
    if (status == FRS_OK && json_object_get(data, "clients"))
        status = frs_json_count(data, path, "clients", &run->n_clients, errors);
    take_order(run, data);
    if (status == FRS_OK)
        status = read_settings(run, json_object_get(root, "scenario"), path, errors);
    read_varied(run, json_object_get(root, "set"));
    const char *k = status == FRS_OK ? frs_run_setting(run, "evaluation.k") : NULL;
    run->k = k ? strtoul(k, NULL, 10) : 0;
    return status == FRS_OK && run->scenario_hash && run->data_hash ? FRS_OK : FRS_ERR_INPUT;
}

/* ---- summary.json ---- */

static void flatten(struct frs_metrics *metrics, const char *prefix, json_t *object) {
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        char *name = *prefix ? frs_format("%s.%s", prefix, key) : frs_strdup(key);
        if (json_is_number(value))
            frs_metrics_set(metrics, name, json_number_value(value));
        else if (strcmp(name, "metrics") == 0)
            flatten(metrics, "", value);
        else if (json_is_object(value) && strcmp(name, "machine") != 0 && strcmp(name, "target") != 0 &&
                 strcmp(name, "evaluated") != 0 && strcmp(name, "group_differences") != 0 &&
                 strcmp(key, "hr_interval") != 0 && strcmp(key, "rmse_interval") != 0 &&
                 strcmp(key, "gap_interval") != 0)
            flatten(metrics, name, value);
        free(name);
    }
}

/* ---- by how little hit rates can move ---- */

static bool is_coverage(const char *name) {
    return strcmp(name, "coverage") == 0;
}

/* The number of held-out interactions behind a hit rate of this name. Summaries that do not record it have
 * at most one for each client, so the assumed step is no larger than the true one. NaN: it cannot be
 * determined. */
static double count_evaluated(const struct frs_run_results *run, const char *name, const json_t *evaluated) {
    static const char *const populations[] = {"validation", "participants"};
    const char *dot = strrchr(name, '.'), *own = dot ? dot + 1 : name, *population = "test";
    for (size_t i = 0; i < sizeof populations / sizeof *populations; i++)
        if (strncmp(own, populations[i], strlen(populations[i])) == 0)
            population = populations[i];
    if (strncmp(name, "groups.", 7) == 0) {
        char *count = frs_format("%.*s.evaluated", (int)(dot - name), name);
        double n = frs_metrics_get(&run->metrics, count);
        free(count);
        return n;
    }
    const json_t *n = is_coverage(own) ? NULL : json_object_get(evaluated, population);
    return json_is_number(n) ? json_number_value(n) : run->n_clients > 0 ? (double)run->n_clients : NAN;
}

/* Hit rates are shares of held-out interactions, and coverage is a share of clients. Baselines serve as
 * references for runs, and have no step. */
static void set_steps(struct frs_run_results *run, const json_t *evaluated) {
    for (size_t i = 0; i < run->metrics.n; i++) {
        const char *name = run->metrics.list[i].name;
        bool is_share = frs_metric_is_hit_rate(name) || is_coverage(name);
        if (is_share && strncmp(name, "non_federated.", 14) != 0)
            frs_metrics_set_step(&run->metrics, name, 1 / count_evaluated(run, name, evaluated));
    }
}

/* Summaries of old versions do not count connecting, and only those of runs with edges have theirs. */
static double or_nothing(const struct frs_metrics *metrics, const char *name) {
    return frs_metrics_has(metrics, name) ? frs_metrics_get(metrics, name) : 0;
}

/* "outcomes.cut_share": of all participations. */
static void derive_shares(struct frs_metrics *metrics) {
    static const char prefix[] = "outcomes.";
    double participations = frs_metrics_get(metrics, "participations");
    for (size_t i = 0, n = metrics->n; participations > 0 && i < n; i++) {
        if (strncmp(metrics->list[i].name, prefix, sizeof prefix - 1) != 0)
            continue;
        char *name = frs_format("%s_share", metrics->list[i].name);
        frs_metrics_set(metrics, name, metrics->list[i].value / participations);
        free(name);
    }
}

static void derive(struct frs_metrics *metrics) {
    double total = frs_metrics_get(metrics, "bytes.down") + frs_metrics_get(metrics, "bytes.up") +
                   or_nothing(metrics, "peers.bytes");
    double wasted = frs_metrics_get(metrics, "bytes.wasted") + or_nothing(metrics, "peers.wasted_bytes");
    double connecting = or_nothing(metrics, "bytes.setup_down") + or_nothing(metrics, "bytes.setup_up");
    double edges = or_nothing(metrics, "bytes.edge_down") + or_nothing(metrics, "bytes.edge_up");
    double rounds = frs_metrics_get(metrics, "rounds");
    double delivered = frs_metrics_get(metrics, "outcomes.delivered");
    if (rounds > 0)
        frs_metrics_set(metrics, "round_s", frs_metrics_get(metrics, "simulated_s") / rounds);
    if (isfinite(total))
        frs_metrics_set(metrics, "bytes.total", total);
    if (isfinite(total))
        frs_metrics_set(metrics, "bytes.sent", total + connecting + edges);
    if (isfinite(wasted))
        frs_metrics_set(metrics, "bytes.sent_wasted",
            wasted + or_nothing(metrics, "bytes.setup_wasted") + or_nothing(metrics, "bytes.edge_wasted"));
    if (total > 0)
        frs_metrics_set(metrics, "bytes.wasted_share", wasted / total);
    if (isfinite(total) && delivered > 0)
        frs_metrics_set(metrics, "bytes.per_delivered", total / delivered);
    double participations = frs_metrics_get(metrics, "participations");
    if (participations > 0 && isfinite(total)) {
        frs_metrics_set(
            metrics, "participation.down_bytes", frs_metrics_get(metrics, "bytes.down") / participations);
        frs_metrics_set(
            metrics, "participation.up_bytes", frs_metrics_get(metrics, "bytes.up") / participations);
    }
    derive_shares(metrics);
}

static enum frs_status take_summary(
    struct frs_run_results *run, json_t *root, const char *path, struct frs_errors *errors) {
    run->status = frs_json_text(root, path, "status", errors);
    const char *reason = json_string_value(json_object_get(root, "reason"));
    run->reason = reason ? frs_strdup(reason) : NULL;
    run->protocol = frs_json_text(root, path, "protocol", errors);
    run->candidates = frs_json_text(root, path, "candidates", errors);
    run->deciding = frs_deciding_read(json_object_get(root, "decided_by"));
    json_t *chance = json_object_get(
        json_object_get(json_object_get(root, "group_differences"), "taste_quartile"), "chance");
    run->taste_chance = json_is_number(chance) ? json_number_value(chance) : NAN;
    flatten(&run->metrics, "", root);
    derive(&run->metrics);
    set_steps(run, json_object_get(root, "evaluated"));
    return run->status && run->protocol && run->candidates ? FRS_OK : FRS_ERR_INPUT;
}

/* ---- rounds.csv ---- */

/* Sum (or maximum) of a column over the rows from `first` on. */
static enum frs_status column_sum(const struct frs_records *rounds, const char *name, size_t first,
    double *sum, double *most, struct frs_errors *errors) {
    size_t column;
    enum frs_status status = frs_records_column(rounds, name, &column, errors);
    *sum = 0;
    *most = 0;
    for (size_t row = first; status == FRS_OK && row < rounds->n; row++) {
        double value;
        status = frs_records_number(rounds, row, column, &value, errors);
        if (isfinite(value)) {
            *sum += value;
            *most = fmax(*most, value);
        }
    }
    return status;
}

/* The first third is when clients meet the server for the first time. */
static enum frs_status derive_steady(
    struct frs_metrics *metrics, const struct frs_records *rounds, struct frs_errors *errors) {
    static const struct {
        const char *column, *metric;
    } bytes[] = {{"down_bytes", "steady.down_bytes"}, {"up_bytes", "steady.up_bytes"}},
      paths[] = {{"path_down_s", "steady.down_share"}, {"path_compute_s", "steady.compute_share"},
          {"path_up_s", "steady.up_share"}, {"path_latency_s", "steady.latency_share"},
          {"path_wait_s", "steady.wait_share"}, {"path_server_link_s", "steady.server_link_share"}};
    size_t first = rounds->n / 3;
    double duration_s, longest_s, selected, sum, ignored;
    enum frs_status status = column_sum(rounds, "duration_s", first, &duration_s, &longest_s, errors);
    if (status == FRS_OK)
        status = column_sum(rounds, "selected", first, &selected, &ignored, errors);
    if (status != FRS_OK || rounds->n == first)
        return status;
    frs_metrics_set(metrics, "steady.round_s", duration_s / (double)(rounds->n - first));
    frs_metrics_set(metrics, "steady.longest_s", longest_s);
    for (size_t i = 0; status == FRS_OK && selected > 0 && i < sizeof bytes / sizeof *bytes; i++) {
        status = column_sum(rounds, bytes[i].column, first, &sum, &ignored, errors);
        frs_metrics_set(metrics, bytes[i].metric, sum / selected);
    }
    for (size_t i = 0; status == FRS_OK && duration_s > 0 && i < sizeof paths / sizeof *paths; i++) {
        status = column_sum(rounds, paths[i].column, first, &sum, &ignored, errors);
        frs_metrics_set(metrics, paths[i].metric, sum / duration_s);
    }
    return status;
}

/* ---- all of it ---- */

static enum frs_status read_json(struct frs_run_results *run, const char *name,
    enum frs_status (*take)(struct frs_run_results *, json_t *, const char *, struct frs_errors *),
    struct frs_errors *errors) {
    char *path = frs_format("%s/%s", run->path, name);
    json_t *root = frs_json_read(path, errors);
    enum frs_status status = root ? take(run, root, path, errors) : FRS_ERR_INPUT;
    json_decref(root);
    free(path);
    return status;
}

enum frs_status frs_run_read_rounds(const char *path, struct frs_records *rounds, struct frs_errors *errors) {
    char *file = frs_format("%s/rounds.csv", path);
    enum frs_status status = frs_records_read(file, rounds, errors);
    free(file);
    return status;
}

enum frs_status frs_run_read(const char *path, struct frs_run_results *run, struct frs_errors *errors) {
    *run = (struct frs_run_results){.path = frs_strdup(path)};
    enum frs_status status = frs_run_require(path, errors);
    if (status == FRS_OK)
        status = read_json(run, "manifest.json", take_manifest, errors);
    if (status == FRS_OK)
        status = read_json(run, "summary.json", take_summary, errors);
    if (status == FRS_OK)
        status = frs_run_read_rounds(path, &run->rounds, errors);
    if (status == FRS_OK)
        status = derive_steady(&run->metrics, &run->rounds, errors);
    if (status != FRS_OK)
        frs_run_fini(run);
    return status;
}

void frs_run_forget_rounds(struct frs_run_results *run) {
    frs_records_fini(&run->rounds);
}

void frs_run_fini(struct frs_run_results *run) {
    free(run->path);
    free(run->version);
    free(run->status);
    free(run->reason);
    free(run->scenario_hash);
    free(run->data_hash);
    free(run->order);
    free(run->protocol);
    free(run->candidates);
    for (size_t i = 0; i < run->n_settings; i++)
        free(run->settings[i]);
    free(run->settings);
    for (size_t i = 0; i < run->n_varied; i++) {
        free(run->varied[i]);
        free(run->varied_to[i]);
    }
    free(run->varied);
    free(run->varied_to);
    frs_deciding_fini(&run->deciding);
    frs_metrics_fini(&run->metrics);
    frs_records_fini(&run->rounds);
    *run = (struct frs_run_results){0};
}
