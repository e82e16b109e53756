#include "sim/plugins/recorded.h"
#include "sim/base/consent.h"
#include "sim/base/errors.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "sim/plugins/plugins.h"

#include <stdlib.h>
#include <string.h>

static enum frs_status load(
    const struct frs_recorded_plugin *plugin, const char *where, struct frs_errors *errors) {
    struct frs_digest digest;
    char text[FRS_DIGEST_TEXT];
    const char *why = frs_input_digest(plugin->path, &digest);
    if (why)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: was made with the plug-in %s, which cannot be read: %s; allowed: with --plugin and a copy "
            "of "
            "it",
            where, plugin->path, why);
    if (strcmp(frs_digest_text(&digest, text), plugin->digest) != 0)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: was made with the plug-in %s, which has changed since; allowed: the file as it was, here or "
            "with --plugin",
            where, plugin->path);
    if (!frs_consent_is_given())
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: loads the code of \"%s\", " FRS_CONSENT_MISSING ", or --plugin %s", where, plugin->path,
            plugin->path);
    return frs_plugins_load(plugin->path, errors);
}

enum frs_status frs_plugins_load_recorded(
    const struct frs_recorded_plugin *recorded, size_t n, const char *where, struct frs_errors *errors) {
    for (size_t i = 0; i < n; i++)
        if (!frs_plugins_find(recorded[i].digest) && load(&recorded[i], where, errors) != FRS_OK)
            return FRS_ERR_INPUT;
    return FRS_OK;
}

enum frs_status frs_plugins_recall(
    const struct frs_recorded_plugin *recorded, size_t n, const char *where, struct frs_errors *errors) {
    if (frs_plugins_load_recorded(recorded, n, where, errors) != FRS_OK)
        return FRS_ERR_INPUT;
    const struct frs_loaded_plugin *loaded;
    size_t n_loaded = frs_plugins_loaded(&loaded);
    for (size_t i = 0; i < n_loaded; i++) {
        char text[FRS_DIGEST_TEXT];
        frs_digest_text(&loaded[i].digest, text);
        if (i >= n || strcmp(text, recorded[i].digest) != 0)
            return frs_errors_add(errors, FRS_ERR_INPUT,
                "%s: was not made with the plug-in %s%s; allowed: those that it was made with, in their "
                "order",
                where, loaded[i].path, i < n ? " in this place" : "");
    }
    for (size_t i = 0; i < n; i++)
        frs_plugins_name(i, recorded[i].path);
    return FRS_OK;
}

/* Freed by the caller. */
static struct frs_recorded_plugin *read(const json_t *files, size_t *n) {
    struct frs_recorded_plugin *recorded = frs_alloc(json_object_size(files) + 1, sizeof *recorded);
    json_t *file;
    const char *key;
    *n = 0;
    json_object_foreach((json_t *)files, key, file) {
        const char *path = json_string_value(json_object_get(file, "path")),
                   *digest = json_string_value(json_object_get(file, "digest"));
        if (strncmp(key, FRS_PLUGINS_KEY, strlen(FRS_PLUGINS_KEY)) == 0 && path && digest)
            recorded[(*n)++] = (struct frs_recorded_plugin){path, digest};
    }
    return recorded;
}

enum frs_status frs_plugins_load_of_manifest(
    const json_t *files, const char *where, struct frs_errors *errors) {
    size_t n;
    struct frs_recorded_plugin *recorded = read(files, &n);
    enum frs_status status = frs_plugins_load_recorded(recorded, n, where, errors);
    free(recorded);
    return status;
}

enum frs_status frs_plugins_recall_of_manifest(
    const json_t *files, const char *where, struct frs_errors *errors) {
    size_t n;
    struct frs_recorded_plugin *recorded = read(files, &n);
    enum frs_status status = frs_plugins_recall(recorded, n, where, errors);
    free(recorded);
    return status;
}
