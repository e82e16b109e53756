#include "sim/plugins/recorded.h"
#include "sim/base/consent.h"
#include "sim/base/errors.h"
#include "sim/base/files/input.h"
#include "sim/plugins/plugins.h"

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

enum frs_status frs_plugins_recall(
    const struct frs_recorded_plugin *recorded, size_t n, const char *where, struct frs_errors *errors) {
    for (size_t i = 0; i < n; i++)
        if (!frs_plugins_find(recorded[i].digest) && load(&recorded[i], where, errors) != FRS_OK)
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
