/* The data of a run's page. */
#include "analysis/target/target.h"
#include "analysis/report/headline.h"
#include "analysis/report/report_internal.h"
#include "sim/base/errors.h"
#include "sim/base/files/csv.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rows of rounds.csv beyond which only some are on the page. */
enum { MOST_ROWS = 2000 };

/* ---- rounds.csv ---- */

static size_t every_of(const struct frs_records *rounds) {
    return (rounds->n + MOST_ROWS - 1) / MOST_ROWS;
}

static bool is_kept(const struct frs_records *rounds, size_t row) {
    return row % every_of(rounds) == 0 || row + 1 == rounds->n;
}

static enum frs_status set_column(
    const struct frs_records *rounds, size_t column, json_t *columns, struct frs_errors *errors) {
    json_t *list = json_array();
    bool is_text = strcmp(rounds->names[column], "lost") == 0, is_empty = true;
    enum frs_status status = FRS_OK;
    for (size_t row = 0; row < rounds->n && status == FRS_OK; row++) {
        const char *field = frs_records_field(rounds, row, column);
        double value = NAN;
        is_empty = is_empty && !*field;
        if (!is_text)
            status = frs_records_number(rounds, row, column, &value, errors);
        if (is_kept(rounds, row))
            frs_json_append(list, is_text && *field ? frs_report_text(field) : frs_report_number(value));
    }
    if (status == FRS_OK && !is_empty)
        frs_json_set(columns, rounds->names[column], json_incref(list));
    json_decref(list);
    return status;
}

enum frs_status frs_report_set_rounds(
    const struct frs_records *rounds, json_t *page, struct frs_errors *errors) {
    static const char *const needed[] = {"round", "attempt", "start_s", "end_s", "duration_s", "selected",
        "delivered", "down_bytes", "up_bytes", "path_down_s", "path_compute_s", "path_up_s", "path_setup_s",
        "path_retry_s", "path_latency_s", "path_server_s", "path_wait_s", "path_server_link_s"};
    json_t *columns = json_object();
    enum frs_status status = FRS_OK;
    size_t column;
    frs_json_set(page, "rounds", columns);
    frs_json_set(page, "n_rounds", json_integer((json_int_t)rounds->n));
    for (size_t i = 0; i < sizeof needed / sizeof *needed && status == FRS_OK; i++)
        status = frs_records_column(rounds, needed[i], &column, errors);
    for (size_t i = 0; i < rounds->n_columns && status == FRS_OK; i++)
        status = set_column(rounds, i, columns, errors);
    return status;
}

/* ---- summary.json and manifest.json ---- */

static json_t *read_json(const char *folder, const char *name, struct frs_errors *errors) {
    char *path = frs_format("%s/%s", folder, name);
    json_t *root = frs_json_read(path, errors);
    free(path);
    return root;
}

/* All but what depends on the machine. */
static enum frs_status set_summary(const char *folder, json_t *page, struct frs_errors *errors) {
    json_t *summary = read_json(folder, "summary.json", errors);
    if (!summary)
        return FRS_ERR_INPUT;
    json_object_del(summary, "machine");
    frs_json_set(page, "summary", summary);
    return FRS_OK;
}

/* What-ifs, if any were played. */
static enum frs_status set_what_ifs(const char *folder, json_t *page, struct frs_errors *errors) {
    char *path = frs_format("%s/what_if.json", folder);
    json_t *file = access(path, F_OK) == 0 ? frs_json_read(path, errors) : json_null();
    free(path);
    if (!file)
        return FRS_ERR_INPUT;
    if (json_is_object(file))
        frs_json_set(page, "what_if", file);
    return FRS_OK;
}

/* Who made the run, of what: without the folders where it was. */
static enum frs_status set_provenance(const char *folder, json_t *page, struct frs_errors *errors) {
    static const char *const kept[] = {
        "version", "seed", "scenario_hash", "files_hash", "data", "engine", "libraries", "deterministic"};
    json_t *manifest = read_json(folder, "manifest.json", errors), *object = json_object(),
           *settings = json_object();
    const char *key;
    json_t *value;
    if (!manifest) {
        json_decref(object);
        json_decref(settings);
        return FRS_ERR_INPUT;
    }
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if ((value = json_object_get(manifest, kept[i])))
            frs_json_set(object, kept[i], json_incref(value));
    json_object_foreach(json_object_get(manifest, "scenario"), key,
        value) if (strncmp(key, "output.", 7) != 0 && strcmp(key, "file") != 0 && strcmp(key, "places") != 0)
        frs_json_set(settings, key, json_incref(value));
    frs_json_set(object, "settings", settings);
    frs_json_set(page, "provenance", object);
    json_decref(manifest);
    return FRS_OK;
}

/* ---- the target ---- */

static enum frs_status set_target(struct frs_run_results *run, json_t *page, struct frs_errors *errors) {
    struct frs_target target = {0};
    bool lower;
    frs_target_settle(&target, run);
    enum frs_status status = frs_target_apply(&target, run, errors);
    const char *quality = frs_target_quality(&target, &run->metrics, &lower);
    if (status == FRS_OK && target.target_spec.metric) {
        char *text = frs_target_text(&target),
             *column = frs_target_spec_column(&target.target_spec, target.has_validation);
        json_t *object = json_object();
        frs_json_set(object, "text", frs_report_text(text));
        frs_json_set(object, "column", json_string(column));
        frs_json_set(
            object, "threshold", frs_report_number(frs_target_spec_threshold(&target.target_spec, run)));
        frs_json_set(object, "round", frs_report_number(frs_metrics_get(&run->metrics, FRS_TARGET_ROUND)));
        frs_json_set(object, "time_s", frs_report_number(frs_metrics_get(&run->metrics, FRS_TARGET_TIME)));
        frs_json_set(object, "bytes", frs_report_number(frs_metrics_get(&run->metrics, FRS_TARGET_SENT)));
        frs_json_set(page, "target", object);
        free(text);
        free(column);
    }
    if (status == FRS_OK) {
        const char *what_ifs =
            json_string_value(json_object_get(json_object_get(page, "what_if"), "sentence"));
        char *headline = frs_headline_of_run(run, &target, what_ifs);
        frs_json_set(page, "headline", frs_report_text(headline));
        frs_json_set(page, "quality", quality ? json_string(quality) : json_null());
        free(headline);
    }
    frs_target_fini(&target);
    return status;
}

/* ---- all of it ---- */

static enum frs_status set_clients(
    const struct frs_run_results *run, json_t *page, struct frs_errors *errors) {
    json_t *clients = frs_report_clients(run, errors);
    if (!clients)
        return FRS_ERR_INPUT;
    frs_json_set(page, "clients", clients);
    return FRS_OK;
}

static enum frs_status set_events(const struct frs_run_results *run, const char *rounds,
    double participations, json_t *page, struct frs_errors *errors) {
    const char *events = frs_run_setting(run, "output.events"),
               *thinned = frs_run_setting(run, "output.events_every");
    unsigned long every = thinned ? strtoul(thinned, NULL, 10) : 1;
    enum frs_status status = frs_report_timelines(
        run->path, &run->rounds, rounds, every > 0 ? every : 1, participations, page, errors);
    if (status == FRS_OK && !json_object_get(page, "timelines") && events && strcmp(events, "true") == 0)
        status = frs_errors_add(
            errors, FRS_ERR_INPUT, "%s/events.ndjson: is not there: the folder is not whole", run->path);
    return status;
}

static enum frs_status fill(
    struct frs_run_results *run, const char *rounds, json_t *page, struct frs_errors *errors) {
    double participations = frs_metrics_get(&run->metrics, "participations");
    frs_json_set(page, "kind", json_string("run"));
    frs_json_set(page, "format", json_string("fedrecsim-report-1"));
    enum frs_status status = set_summary(run->path, page, errors);
    if (status == FRS_OK)
        status = set_what_ifs(run->path, page, errors);
    if (status == FRS_OK)
        status = set_provenance(run->path, page, errors);
    if (status == FRS_OK)
        status = set_target(run, page, errors);
    if (status == FRS_OK)
        status = frs_report_set_rounds(&run->rounds, page, errors);
    if (status == FRS_OK)
        status = frs_report_set_hours(run->path, page, errors);
    if (status == FRS_OK)
        status = set_clients(run, page, errors);
    return status == FRS_OK ? set_events(run, rounds, participations, page, errors) : status;
}

json_t *frs_report_of_run(const char *folder, const char *rounds, struct frs_errors *errors) {
    struct frs_run_results run;
    if (frs_run_read(folder, &run, errors) != FRS_OK)
        return NULL;
    json_t *page = json_object();
    enum frs_status status = frs_report_check_format(&run, errors);
    if (status == FRS_OK)
        status = fill(&run, rounds, page, errors);
    frs_run_fini(&run);
    if (status == FRS_OK)
        return page;
    json_decref(page);
    return NULL;
}
