/* Writing a bundle from the folder of a run or a sweep. */
#include "analysis/plan/plan.h"
#include "analysis/read/json.h"
#include "sim/base/errors.h"
#include "sim/base/files/base64.h"
#include "sim/base/files/create.h"
#include "sim/base/files/input.h"
#include "sim/base/limits.h"
#include "sim/base/memory.h"
#include "sim/bundle/bundle.h"
#include "sim/ledger/run_place.h"
#include "sim/plugins/plugins.h"
#include "sim/setup/input_files.h"
#include "sim/sweep/folder.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a run has simulated; the page and the timeline are made of it, and may be made again. */
static const char *const results[] = {
    "rounds.csv", "clients.csv", "hours.csv", "events.ndjson", "edges.csv", "peers.csv", "what_if.json"};

bool frs_bundle_is_code(const char *key) {
    return strncmp(key, FRS_PLUGINS_KEY, strlen(FRS_PLUGINS_KEY)) == 0 ||
           strncmp(key, FRS_COMMAND_KEY, strlen(FRS_COMMAND_KEY)) == 0;
}

/* {text} or {digest}; NULL after adding an error. */
static json_t *result_of(const char *path, struct frs_errors *errors) {
    struct frs_digest digest;
    char *bytes, text[FRS_DIGEST_TEXT];
    size_t n;
    const char *reason = frs_input_read(path, FRS_INPUT_DATA, &bytes, &n);
    if (!reason)
        reason = frs_input_digest(path, &digest);
    json_t *result = NULL;
    if (!reason && n <= FRS_BUNDLE_TEXT_BYTES && strlen(bytes) == n)
        result = json_pack("{s:s}", "text", bytes);
    if (!reason && !result)
        result = json_pack("{s:s}", "digest", frs_digest_text(&digest, text));
    if (!result)
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s", path, reason);
    free(bytes);
    return result;
}

static enum frs_status add_results(json_t *run, const char *folder, struct frs_errors *errors) {
    json_t *all = json_object();
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < sizeof results / sizeof *results && status == FRS_OK; i++) {
        char *path = frs_format("%s/%s", folder, results[i]);
        json_t *result = access(path, F_OK) == 0 ? result_of(path, errors) : NULL;
        if (result)
            frs_json_set(all, results[i], result);
        else if (access(path, F_OK) == 0)
            status = FRS_ERR_INPUT;
        free(path);
    }
    frs_json_set(run, "results", all);
    return status;
}

static enum frs_status add_object(
    json_t *run, const char *key, const char *folder, const char *name, struct frs_errors *errors) {
    char *path = frs_format("%s/%s", folder, name);
    json_t *object = frs_json_read(path, errors);
    free(path);
    if (!object)
        return FRS_ERR_INPUT;
    frs_json_set(run, key, object);
    return FRS_OK;
}

/* Puts a file that a run has read into `data`, unless it is there already. */
static enum frs_status add_file(
    json_t *data, const char *folder, const char *key, const json_t *file, struct frs_errors *errors) {
    const char *path = json_string_value(json_object_get(file, "path")),
               *before = json_string_value(json_object_get(file, "digest"));
    char *bytes, text[FRS_DIGEST_TEXT];
    size_t n;
    struct frs_digest digest;
    if (!path || !before)
        return frs_errors_add(
            errors, FRS_ERR_INPUT, "%s/manifest.json: files: %s needs \"path\" and \"digest\"", folder, key);
    if (json_object_get(data, before))
        return FRS_OK;
    const char *reason = frs_input_digest(path, &digest);
    if (!reason && strcmp(frs_digest_text(&digest, text), before) != 0)
        reason = "has changed since the run read it; allowed: the file as it was, or a bundle without data";
    if (!reason)
        reason = frs_input_read(path, FRS_INPUT_DATA, &bytes, &n);
    if (reason)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s: %s: %s", folder, key, path, reason);
    char *coded = frs_base64_write(bytes, n);
    frs_json_set(data, before, json_string(coded));
    free(coded);
    free(bytes);
    return FRS_OK;
}

static enum frs_status add_data(
    json_t *root, const json_t *manifest, const char *folder, struct frs_errors *errors) {
    json_t *data = json_object_get(root, "data"), *file;
    const char *key;
    enum frs_status status = FRS_OK;
    json_object_foreach(json_object_get(manifest, "files"), key, file) {
        if (status == FRS_OK && !frs_bundle_is_code(key))
            status = add_file(data, folder, key, file, errors);
    }
    return status;
}

/* Adds the run in `folder`, `name` within the bundle. */
static enum frs_status add_run(
    json_t *root, const char *folder, const char *name, bool with_data, struct frs_errors *errors) {
    if (frs_run_place_state(folder, NULL) != FRS_RUN_COMPLETE)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: holds no run that came to its end; allowed: the folder of one, or of a sweep with all its "
            "points",
            folder);
    json_t *run = json_object();
    frs_json_set(run, "name", json_string(name));
    frs_json_append(json_object_get(root, "runs"), run);
    enum frs_status status = add_object(run, "manifest", folder, "manifest.json", errors);
    if (status == FRS_OK)
        status = add_object(run, "summary", folder, "summary.json", errors);
    if (status == FRS_OK)
        status = add_results(run, folder, errors);
    if (status == FRS_OK && with_data)
        status = add_data(root, json_object_get(run, "manifest"), folder, errors);
    return status;
}

static enum frs_status add_points(
    json_t *root, const char *folder, bool with_data, struct frs_errors *errors) {
    char *path = frs_folder_plan(folder);
    struct frs_sweep_plan *plan = NULL;
    enum frs_status status = frs_sweep_plan_read(path, &plan, errors);
    if (status == FRS_OK)
        status = add_object(root, "plan", folder, "plan.json", errors);
    for (size_t i = 0; status == FRS_OK && i < plan->n_points; i++) {
        char *point = frs_folder_point(folder, i), *name = frs_format("point %zu", i);
        status = add_run(root, point, name, with_data, errors);
        free(point);
        free(name);
    }
    frs_sweep_plan_destroy(plan);
    free(path);
    return status;
}

/* The last part of the folder's name, with .bundle.json; freed by the caller. */
static char *usual_name(const char *folder) {
    char *place = frs_run_place(folder), *slash = strrchr(place, '/');
    char *name = frs_format("%s.bundle.json", slash ? slash + 1 : place);
    free(place);
    return name;
}

static enum frs_status write_file(const json_t *root, const char *path, struct frs_errors *errors) {
    char *text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    FRS_INVARIANT(text, "out of memory");
    enum frs_status status =
        strlen(text) >> 20 >= FRS_LIMIT_BUNDLE_MIB
            ? frs_errors_add(errors, FRS_ERR_INPUT,
                  "%s: would be larger than " FRS_LIMIT_TEXT(FRS_LIMIT_BUNDLE_MIB) " MiB; allowed: without "
                                                                                   "data, or fewer points",
                  path)
            : frs_create_whole(path, text, strlen(text), "another name, with --out FILE", errors);
    free(text);
    return status;
}

/* Of all runs, each path once: "/usr/bin/python3, method.py". */
static char *code_of(const json_t *root) {
    const json_t *runs = json_object_get(root, "runs");
    json_t *seen = json_object(), *file;
    char *all = frs_strdup("");
    const char *key;
    for (size_t i = 0; i < json_array_size(runs); i++)
        json_object_foreach(
            json_object_get(json_object_get(json_array_get(runs, i), "manifest"), "files"), key, file) {
            const char *path = json_string_value(json_object_get(file, "path"));
            if (!path || !frs_bundle_is_code(key) || json_object_get(seen, path))
                continue;
            frs_json_set(seen, path, json_true());
            char *longer = frs_format("%s%s%s", all, *all ? ", " : "", path);
            free(all);
            all = longer;
        }
    json_decref(seen);
    return all;
}

enum frs_status frs_bundle_write(
    const struct frs_bundle_request *request, struct frs_bundle_written *written, struct frs_errors *errors) {
    char *plan = frs_folder_plan(request->folder);
    bool is_sweep = access(plan, F_OK) == 0;
    free(plan);
    *written = (struct frs_bundle_written){0};
    written->path = request->out ? frs_strdup(request->out) : usual_name(request->folder);
    json_t *root = json_object();
    frs_json_set(root, "format", json_string(FRS_BUNDLE_FORMAT));
    frs_json_set(root, "version", json_string(FRS_VERSION));
    frs_json_set(root, "runs", json_array());
    if (request->with_data)
        frs_json_set(root, "data", json_object());
    enum frs_status status = is_sweep ? add_points(root, request->folder, request->with_data, errors)
                                      : add_run(root, request->folder, "run", request->with_data, errors);
    written->n_runs = json_array_size(json_object_get(root, "runs"));
    written->code = code_of(root);
    if (status == FRS_OK)
        status = write_file(root, written->path, errors);
    json_decref(root);
    return status;
}
