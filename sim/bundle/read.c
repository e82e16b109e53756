/* Reading a bundle, which may come from anywhere: all of it is checked before any run begins. */
#include "analysis/read/json.h"
#include "analysis/read/run_reader.h"
#include "sim/base/errors.h"
#include "sim/base/files/base64.h"
#include "sim/base/files/digest.h"
#include "sim/base/limits.h"
#include "sim/base/memory.h"
#include "sim/bundle/bundle.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_digest(const char *text) {
    return text && strlen(text) == FRS_DIGEST_TEXT - 1 &&
           strspn(text, "0123456789abcdef") == FRS_DIGEST_TEXT - 1;
}

static enum frs_status check_texts(
    const json_t *texts, const char *where, const char *what, struct frs_errors *errors) {
    const char *key;
    json_t *text;
    if (!json_is_object(texts) || json_object_size(texts) == 0)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s has no %s", where, what);
    json_object_foreach((json_t *)(uintptr_t)texts, key, text) {
        if (!json_is_string(text))
            return frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s: %s has to be a text", where, what, key);
    }
    return FRS_OK;
}

static enum frs_status check_files(const json_t *files, const char *where, struct frs_errors *errors) {
    const char *key;
    json_t *file;
    if (files && !json_is_object(files))
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: files have to be an object", where);
    json_object_foreach((json_t *)(uintptr_t)files, key, file) {
        if (!json_string_value(json_object_get(file, "path")) ||
            !is_digest(json_string_value(json_object_get(file, "digest"))))
            return frs_errors_add(errors, FRS_ERR_INPUT,
                "%s: files: %s needs \"path\" and \"digest\", a text of %d hexadecimal digits", where, key,
                FRS_DIGEST_TEXT - 1);
    }
    return FRS_OK;
}

static enum frs_status check_results(const json_t *results, const char *where, struct frs_errors *errors) {
    const char *name;
    json_t *result;
    if (!json_is_object(results))
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s has no results", where);
    json_object_foreach((json_t *)(uintptr_t)results, name, result) {
        if (!json_is_string(json_object_get(result, "text")) &&
            !is_digest(json_string_value(json_object_get(result, "digest"))))
            return frs_errors_add(errors, FRS_ERR_INPUT,
                "%s: results: %s needs \"text\" or \"digest\", a text of %d hexadecimal digits", where, name,
                FRS_DIGEST_TEXT - 1);
    }
    return FRS_OK;
}

static enum frs_status check_manifest(const json_t *manifest, const char *where, struct frs_errors *errors) {
    const json_t *format = json_object_get(manifest, "format");
    if (!json_is_object(manifest))
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s has no manifest", where);
    if (!json_is_integer(format) || json_integer_value(format) != FRS_RUN_FORMAT)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: the manifest is not of format %d, the one that this program (%s) reads", where,
            FRS_RUN_FORMAT, FRS_VERSION);
    enum frs_status status = check_texts(json_object_get(manifest, "scenario"), where, "scenario", errors);
    return status == FRS_OK ? check_files(json_object_get(manifest, "files"), where, errors) : status;
}

static enum frs_status check_run(
    const json_t *run, const char *where, json_t *names, struct frs_errors *errors) {
    const char *name = json_string_value(json_object_get(run, "name"));
    if (!name)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s has no name", where);
    if (json_object_get(names, name))
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s has the name \"%s\" of an earlier one", where, name);
    json_object_set_new(names, name, json_true());
    enum frs_status status = check_manifest(json_object_get(run, "manifest"), where, errors);
    const char *ending = json_string_value(json_object_get(json_object_get(run, "summary"), "status"));
    if (status == FRS_OK && (!ending || strcmp(ending, "interrupted") == 0))
        status =
            frs_errors_add(errors, FRS_ERR_INPUT, "%s has no summary of a run that came to its end", where);
    return status == FRS_OK ? check_results(json_object_get(run, "results"), where, errors) : status;
}

static enum frs_status check_runs(
    const struct frs_bundle *bundle, const char *path, struct frs_errors *errors) {
    size_t n = json_array_size(bundle->runs);
    if (n == 0)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: has no run", path);
    json_t *names = json_object();
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < n && status == FRS_OK; i++) {
        char *where = frs_format("%s: run %zu", path, i);
        status = check_run(json_array_get(bundle->runs, i), where, names, errors);
        free(where);
    }
    json_decref(names);
    return status;
}

/* The digest says whether a file is whole. */
static bool is_whole(const char *digest, const char *coded) {
    size_t n;
    char text[FRS_DIGEST_TEXT];
    void *bytes = coded ? frs_base64_read(coded, &n) : NULL;
    if (!bytes)
        return false;
    struct frs_digester digester = frs_digester_init();
    frs_digester_add(&digester, bytes, n);
    struct frs_digest found = frs_digester_finish(&digester);
    free(bytes);
    return strcmp(frs_digest_text(&found, text), digest) == 0;
}

static enum frs_status check_data(const json_t *data, const char *path, struct frs_errors *errors) {
    const char *digest;
    json_t *coded;
    if (data && !json_is_object(data))
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: data have to be an object", path);
    json_object_foreach((json_t *)(uintptr_t)data, digest, coded) {
        if (!is_whole(digest, json_string_value(coded)))
            return frs_errors_add(errors, FRS_ERR_INPUT,
                "%s: data: %s is damaged, or has another name than its digest", path, digest);
    }
    return FRS_OK;
}

static enum frs_status check_format(const json_t *root, const char *path, struct frs_errors *errors) {
    static const char kind[] = "fedrecsim-bundle-";
    const char *format = json_string_value(json_object_get(root, "format"));
    if (!format || strncmp(format, kind, sizeof kind - 1) != 0)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: is no bundle; allowed: a file that fedrecsim bundle has written, or a run directory", path);
    if (strcmp(format, FRS_BUNDLE_FORMAT) != 0)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: has the format \"%s\", which this program (%s) does not know; allowed: " FRS_BUNDLE_FORMAT,
            path, format, FRS_VERSION);
    return FRS_OK;
}

enum frs_status frs_bundle_read(const char *path, struct frs_bundle *bundle, struct frs_errors *errors) {
    struct stat what;
    *bundle = (struct frs_bundle){0};
    if (stat(path, &what) == 0 && what.st_size >> 20 >= FRS_LIMIT_BUNDLE_MIB)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: is larger than " FRS_LIMIT_TEXT(FRS_LIMIT_BUNDLE_MIB) " MiB, the most for a bundle", path);
    bundle->root = frs_json_read(path, errors);
    if (!bundle->root)
        return FRS_ERR_INPUT;
    bundle->runs = json_object_get(bundle->root, "runs");
    bundle->data = json_object_get(bundle->root, "data");
    enum frs_status status = check_format(bundle->root, path, errors);
    if (status == FRS_OK)
        status = check_runs(bundle, path, errors);
    return status == FRS_OK ? check_data(bundle->data, path, errors) : status;
}

void frs_bundle_fini(struct frs_bundle *bundle) {
    json_decref(bundle->root);
    *bundle = (struct frs_bundle){0};
}
