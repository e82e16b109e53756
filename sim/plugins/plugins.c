#include "sim/plugins/plugins.h"
#include "sim/base/errors.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "sim/plugins/crash.h"
#include "sim/plugins/entries.h"
#include "sim/plugins/table.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#define SYMBOL "fedrecsim_plugin"

static struct {
    struct frs_loaded_plugin *list;
    size_t n, capacity;
} loaded;

size_t frs_plugins_loaded(const struct frs_loaded_plugin **list) {
    *list = loaded.list;
    return loaded.n;
}

const struct frs_loaded_plugin *frs_plugins_of(const struct frs_plugin *entry) {
    for (size_t i = 0; i < loaded.n; i++)
        if (frs_plugin_entries_has(loaded.list[i].table, entry))
            return &loaded.list[i];
    return NULL;
}

void frs_plugins_name(size_t i, const char *path) {
    char *name = frs_strdup(path);
    free(loaded.list[i].path);
    loaded.list[i].path = name;
}

const struct frs_loaded_plugin *frs_plugins_find(const char *digest) {
    char text[FRS_DIGEST_TEXT];
    for (size_t i = 0; i < loaded.n; i++)
        if (strcmp(frs_digest_text(&loaded.list[i].digest, text), digest) == 0)
            return &loaded.list[i];
    return NULL;
}

/* What dlerror says, without the path that it begins with. */
static const char *reason(const char *path) {
    const char *said = dlerror();
    size_t length = strlen(path);
    if (!said)
        return "for a reason that is not known";
    return strncmp(said, path, length) == 0 && strncmp(said + length, ": ", 2) == 0 ? said + length + 2
                                                                                    : said;
}

/* The number comes first in tables of all versions, and nothing else is read of another version. */
static enum frs_status check_version(
    const struct frs_plugin_table *table, const char *path, struct frs_errors *errors) {
#define NAME(name) #name,
#define SIZE(name) sizeof(struct name),
    static const char *const names[] = {FRS_PLUGIN_STRUCTURES(NAME)};
    static const uint32_t sizes[] = {FRS_PLUGIN_STRUCTURES(SIZE)};
#undef SIZE
#undef NAME
    if (table->version != FRS_PLUGIN_VERSION)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: is for version %u of the plug-in table, and this program has version %u; allowed: the "
            "plug-in compiled against the headers of this program",
            path, table->version, FRS_PLUGIN_VERSION);
    for (size_t i = 0; i < FRS_PLUGIN_N_STRUCTURES; i++)
        if (table->sizes[i] != sizes[i])
            return frs_errors_add(errors, FRS_ERR_INPUT,
                "%s: was compiled against other headers (struct %s has %u bytes there, and %u in this "
                "program); allowed: the plug-in compiled against the headers of this program",
                path, names[i], table->sizes[i], sizes[i]);
    return FRS_OK;
}

/* The object stays loaded whatever is wrong with it: its table may have been used. */
static enum frs_status open_table(
    const char *file, const char *path, const struct frs_plugin_table **table, struct frs_errors *errors) {
    frs_crash_expect(path);
    void *object = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!object)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be loaded: %s", path, reason(file));
    *table = dlsym(object, SYMBOL);
    if (!*table)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: has no " SYMBOL
            "; allowed: a shared object that defines `const struct frs_plugin_table " SYMBOL "`",
            path);
    return check_version(*table, path, errors);
}

static bool is_loaded(const struct frs_digest *digest) {
    for (size_t i = 0; i < loaded.n; i++)
        if (memcmp(&loaded.list[i].digest, digest, sizeof *digest) == 0)
            return true;
    return false;
}

enum frs_status frs_plugins_load(const char *path, struct frs_errors *errors) {
    struct frs_loaded_plugin plugin = {0};
    const char *why = frs_input_digest(path, &plugin.digest);
    if (why)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be read: %s", path, why);
    if (is_loaded(&plugin.digest))
        return FRS_OK;
    plugin.path = realpath(path, NULL);
    enum frs_status status = plugin.path
                                 ? open_table(plugin.path, path, &plugin.table, errors)
                                 : frs_errors_add(errors, FRS_ERR_INPUT, "%s: is not there any more", path);
    if (status == FRS_OK)
        status = frs_plugin_entries_add(plugin.table, path, errors);
    if (status != FRS_OK) {
        free(plugin.path);
        return status;
    }
    loaded.list = frs_grow(loaded.list, loaded.n + 1, &loaded.capacity, sizeof *loaded.list);
    loaded.list[loaded.n++] = plugin;
    frs_crash_watch(path, plugin.table);
    return FRS_OK;
}
