#include "sim/ledger/run_place.h"
#include "sim/base/errors.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const names[] = {"manifest.json", "summary.json", "rounds.csv", "clients.csv", "hours.csv",
    "events.ndjson", "edges.csv", "peers.csv", "what_if.json", "report.html", "timeline.json"};
enum { N_NAMES = sizeof names / sizeof *names };

bool frs_run_place_knows(const char *name) {
    for (size_t i = 0; i < N_NAMES; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static bool exists(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

static bool is_dots(const char *name) {
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* --- what is in a folder --- */

/* The page, and files that are made from a run later, are first written as NAME.partial-<process>. A
 * process that is killed meanwhile leaves such a file behind. */
static bool is_ours(int folder, const char *name) {
    struct stat status;
    const char *draft = strstr(name, ".partial-");
    char known[32];
    if (draft) {
        const char *number = draft + strlen(".partial-");
        if (!*number || number[strspn(number, "0123456789")] || (size_t)(draft - name) >= sizeof known)
            return false;
        snprintf(known, sizeof known, "%.*s", (int)(draft - name), name);
    }
    return frs_run_place_knows(draft ? known : name) &&
           fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode);
}

char *frs_run_place_foreign(const char *folder) {
    DIR *list = opendir(folder);
    char *found = list ? NULL : frs_strdup(folder);
    for (struct dirent *entry; list && !found && (entry = readdir(list));)
        if (!is_dots(entry->d_name) && !is_ours(dirfd(list), entry->d_name))
            found = frs_strdup(entry->d_name);
    if (list)
        closedir(list);
    return found;
}

static bool is_empty(const char *folder) {
    DIR *list = opendir(folder);
    bool empty = list;
    for (struct dirent *entry; list && empty && (entry = readdir(list));)
        empty = is_dots(entry->d_name);
    if (list)
        closedir(list);
    return empty;
}

void frs_run_place_remove(const char *folder) {
    char *foreign = frs_run_place_foreign(folder);
    DIR *list = foreign ? NULL : opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));)
        if (is_ours(dirfd(list), entry->d_name))
            unlinkat(dirfd(list), entry->d_name, 0);
    if (list) {
        closedir(list);
        rmdir(folder);
    }
    free(foreign);
}

/* NULL when there is none, or what is there is none. */
static json_t *read_json(const char *path) {
    char *text;
    size_t n;
    json_t *root = frs_input_read(path, FRS_INPUT_DATA, &text, &n) ? NULL : json_loadb(text, n, 0, NULL);
    free(text);
    return root;
}

/* Others write manifest.json files, too; only a folder whose manifest is ours may be replaced. */
static bool is_run(const char *path) {
    char *manifest = frs_format("%s/manifest.json", path);
    json_t *root = read_json(manifest);
    const char *program = json_string_value(json_object_get(root, "program"));
    bool found = program && strcmp(program, "fedrecsim") == 0;
    json_decref(root);
    free(manifest);
    return found;
}

/* A text of one of a run's JSON files; freed by the caller, NULL when it is not there. */
static char *read_text(const char *path, const char *file, const char *key) {
    char *name = frs_format("%s/%s", path, file);
    json_t *root = read_json(name);
    const char *found = json_string_value(json_object_get(root, key));
    char *text = found ? frs_strdup(found) : NULL;
    json_decref(root);
    free(name);
    return text;
}

char *frs_run_place_noted(const char *path, const char *key) {
    return read_text(path, "manifest.json", key);
}

enum frs_run_state frs_run_place_state(const char *path, char **hash) {
    if (hash)
        *hash = NULL;
    if (!exists(path) || is_empty(path))
        return FRS_RUN_ABSENT;
    if (!is_run(path))
        return FRS_RUN_FOREIGN;
    char *status = read_text(path, "summary.json", "status");
    bool interrupted = status && strcmp(status, "interrupted") == 0,
         incomplete = status && strcmp(status, "incomplete") == 0;
    if (hash)
        *hash = frs_run_place_noted(path, "scenario_hash");
    free(status);
    return interrupted ? FRS_RUN_INTERRUPTED : incomplete ? FRS_RUN_INCOMPLETE : FRS_RUN_COMPLETE;
}

/* --- the place that is meant --- */

/* "." and ".." cannot be renamed, but the folder that they stand for can. Where it may not be replaced
 * anyway, messages use the user's name for it. */
static bool leads_elsewhere(const char *path) {
    const char *slash = strrchr(path, '/');
    struct stat status;
    if (is_dots(slash ? slash + 1 : path))
        return is_empty(path) || is_run(path);
    return lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

char *frs_run_place(const char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    char *trimmed = frs_format("%.*s", (int)length, path);
    char *place = leads_elsewhere(trimmed) ? realpath(trimmed, NULL) : NULL;
    if (!place)
        return trimmed;
    free(trimmed);
    return place;
}

/* --- whether a run may be written there --- */

/* The nearest folder above `path` that exists; freed with free(). */
static char *nearest_parent(const char *path) {
    char *copy = frs_strdup(path);
    char *parent = frs_strdup(dirname(copy));
    free(copy);
    while (!exists(parent)) {
        copy = parent;
        parent = frs_strdup(dirname(copy));
        free(copy);
    }
    return parent;
}

/* Permissions do not answer this (root, read-only and special file systems), so a folder is created there
 * and removed again. */
static bool takes_folders(const char *parent) {
    char *probe = frs_format("%s/.fedrecsim-XXXXXX", parent);
    bool made = mkdtemp(probe) != NULL;
    int reason = errno;
    if (made)
        rmdir(probe);
    free(probe);
    errno = reason;
    return made;
}

static enum frs_status check_parent(const char *path, struct frs_errors *errors) {
    char *parent = nearest_parent(path);
    struct stat status;
    enum frs_status result = FRS_OK;
    if (stat(parent, &status) != 0 || !S_ISDIR(status.st_mode))
        result = frs_errors_add(
            errors, FRS_ERR_INPUT, "%s: cannot write results there: %s is not a folder", path, parent);
    else if (!takes_folders(parent))
        result = frs_errors_add(
            errors, FRS_ERR_INPUT, "%s: cannot write results there: %s: %s", path, parent, strerror(errno));
    free(parent);
    return result;
}

static bool is_mount_point(const char *path) {
    struct statx status;
    return statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &status) == 0 &&
           (status.stx_attributes & STATX_ATTR_MOUNT_ROOT);
}

static enum frs_status check_run(const char *path, bool force, struct frs_errors *errors) {
    if (!force)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            frs_run_place_state(path, NULL) == FRS_RUN_INTERRUPTED
                ? "%s holds an interrupted run; go on with --resume, replace it with --force or choose "
                  "another place with --out DIR"
                : "%s holds an earlier run; replace it with --force or choose another place with --out DIR",
            path);
    char *foreign = frs_run_place_foreign(path);
    enum frs_status status = FRS_OK;
    if (foreign)
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s holds an earlier run and %s, which this program has not written: move that elsewhere, or "
            "choose another place with --out DIR",
            path, foreign);
    else if (access(path, W_OK | X_OK) != 0)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s holds an earlier run that cannot be replaced: %s",
            path, strerror(errno));
    free(foreign);
    return status;
}

/* A folder appears in one step, by being renamed; what is mounted cannot be renamed. */
enum frs_status frs_run_place_look(const char *path, bool force, struct frs_errors *errors) {
    struct stat status;
    if (!exists(path))
        return FRS_OK;
    bool run = is_run(path), folder = lstat(path, &status) == 0 && S_ISDIR(status.st_mode);
    if (!folder || (!run && !is_empty(path)))
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s exists and is no run directory; choose another place with --out DIR", path);
    if (is_mount_point(path))
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s is where a file system is mounted; name a folder in it, such as --out %s/run", path, path);
    return run ? check_run(path, force, errors) : FRS_OK;
}

enum frs_status frs_run_place_check(const char *path, bool force, struct frs_errors *errors) {
    if (!*path)
        return frs_errors_add(
            errors, FRS_ERR_INPUT, "the run directory has an empty name; name one with --out DIR");
    char *place = frs_run_place(path);
    enum frs_status status = frs_run_place_look(place, force, errors);
    if (status == FRS_OK)
        status = check_parent(place, errors);
    free(place);
    return status;
}

/* --- what killed runs have left --- */

/* "123" or "123-4" */
static bool is_number(const char *text) {
    size_t n = strspn(text, "0123456789");
    if (n > 0 && text[n] == '-')
        return is_number(text + n + 1);
    return n > 0 && text[n] == '\0';
}

void frs_run_place_leftovers(const char *path, const char *mark, void (*clear)(const char *leftover)) {
    char *whole = frs_strdup(path), *copy = frs_strdup(path);
    const char *name = basename(whole), *parent = dirname(copy);
    char *prefix = frs_format("%s%s", name, mark);
    DIR *list = opendir(parent);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 || !is_number(entry->d_name + strlen(prefix)))
            continue;
        char *leftover = frs_format("%s/%s", parent, entry->d_name);
        clear(leftover);
        free(leftover);
    }
    if (list)
        closedir(list);
    free(prefix);
    free(whole);
    free(copy);
}

/* "<path>.replaced-<number>" holds the earlier run between the two renames that are necessary on a file
 * system that cannot exchange two names in one step. */
static void clear_replaced(const char *leftover) {
    char *path = frs_format("%.*s", (int)(strrchr(leftover, '.') - leftover), leftover);
    if (exists(path) || !is_run(leftover) || rename(leftover, path) != 0)
        frs_run_place_remove(leftover);
    free(path);
}

void frs_run_place_tidy(const char *path) {
    frs_run_place_leftovers(path, ".replaced-", clear_replaced);
    frs_run_place_leftovers(path, ".partial-", frs_run_place_remove);
}
