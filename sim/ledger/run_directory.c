#include "sim/ledger/run_directory.h"
#include "sim/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <jansson.h>
#include <libgen.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool exists(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

/* Others write manifest.json files, too; only a folder whose manifest is ours may be replaced. */
static bool is_run(const char *path) {
    char *manifest = frs_format("%s/manifest.json", path);
    json_t *root = json_load_file(manifest, 0, NULL);
    const char *program = json_string_value(json_object_get(root, "program"));
    bool found = program && strcmp(program, "fedrecsim") == 0;
    json_decref(root);
    free(manifest);
    return found;
}

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

/* Permissions do not tell (root, read-only and special file systems): a folder is made there and taken away
 * again. */
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

static enum frs_status check_place(const char *path, bool force, struct frs_errors *errors) {
    if (!exists(path))
        return FRS_OK;
    if (!is_run(path))
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s exists and is no run directory; choose another place with --out DIR", path);
    if (!force)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s holds an earlier run; replace it with --force or choose another place with --out DIR", path);
    return FRS_OK;
}

enum frs_status frs_run_directory_check(const char *path, bool force, struct frs_errors *errors) {
    if (!*path)
        return frs_errors_add(
            errors, FRS_ERR_INPUT, "the run directory has an empty name; name one with --out DIR");
    enum frs_status status = check_place(path, force, errors);
    return status == FRS_OK ? check_parent(path, errors) : status;
}

/* A text of one of a run's JSON files; freed by the caller, NULL when it is not there. */
static char *read_text(const char *path, const char *file, const char *key) {
    char *name = frs_format("%s/%s", path, file);
    json_t *root = json_load_file(name, 0, NULL);
    const char *found = json_string_value(json_object_get(root, key));
    char *text = found ? frs_strdup(found) : NULL;
    json_decref(root);
    free(name);
    return text;
}

enum frs_run_state frs_run_directory_state(const char *path, char **hash) {
    if (hash)
        *hash = NULL;
    if (!exists(path))
        return FRS_RUN_ABSENT;
    if (!is_run(path))
        return FRS_RUN_FOREIGN;
    char *status = read_text(path, "summary.json", "status");
    bool interrupted = status && strcmp(status, "interrupted") == 0;
    if (hash)
        *hash = read_text(path, "manifest.json", "scenario_hash");
    free(status);
    return interrupted ? FRS_RUN_INTERRUPTED : FRS_RUN_COMPLETE;
}

/* *made: the topmost folder that had to be made, or NULL; freed with free(). */
static int make_parents(const char *path, char **made) {
    char *copy = frs_strdup(path);
    int failed = 0;
    for (char *slash = strchr(copy + 1, '/'); slash && !failed; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        failed = mkdir(copy, 0777);
        if (!failed && !*made)
            *made = frs_strdup(copy);
        failed = failed && errno != EEXIST;
        *slash = '/';
    }
    free(copy);
    return failed;
}

/* Takes back what make_parents made, as far as nothing else has been put there. */
static void remove_parents(const char *path, const char *made) {
    if (!made)
        return;
    char *copy = frs_strdup(path);
    for (char *slash = strrchr(copy, '/'); slash; slash = strrchr(copy, '/')) {
        *slash = '\0';
        if (strlen(copy) < strlen(made) || rmdir(copy) != 0)
            break;
    }
    free(copy);
}

static void release(struct frs_run_directory *directory) {
    free(directory->path);
    free(directory->temporary);
    free(directory->made);
    *directory = (struct frs_run_directory){0};
}

enum frs_status frs_run_directory_open(
    struct frs_run_directory *directory, const char *path, bool force, struct frs_errors *errors) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    char *trimmed = frs_format("%.*s", (int)length, path);
    enum frs_status status = frs_run_directory_check(trimmed, force, errors);
    if (status != FRS_OK) {
        free(trimmed);
        return status;
    }
    *directory = (struct frs_run_directory){.path = trimmed, .force = force};
    directory->temporary = frs_format("%s.partial-%ld", trimmed, (long)getpid());
    if (make_parents(directory->temporary, &directory->made) || mkdir(directory->temporary, 0777) != 0) {
        status = frs_errors_add(
            errors, FRS_ERR_INPUT, "%s: cannot make the folder: %s", directory->temporary, strerror(errno));
        remove_parents(directory->temporary, directory->made);
        release(directory);
    }
    return status;
}

FILE *frs_run_directory_file(
    const struct frs_run_directory *directory, const char *name, struct frs_errors *errors) {
    char *path = frs_format("%s/%s", directory->temporary, name);
    FILE *file = fopen(path, "w");
    if (!file)
        frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", path, strerror(errno));
    free(path);
    return file;
}

enum frs_status frs_run_directory_close_file(FILE *file, const char *name, struct frs_errors *errors) {
    int failed = ferror(file);
    if (fclose(file) != 0 || failed)
        return frs_errors_add(
            errors, FRS_ERR_RUN, "%s could not be written completely: %s", name, strerror(errno));
    return FRS_OK;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk) {
    (void)status;
    (void)type;
    (void)walk;
    return remove(path);
}

void frs_run_directory_remove(const char *path) {
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* The place is looked at once more: what has been put there during the run is nobody's to remove. */
static enum frs_status put_in_place(const struct frs_run_directory *directory, struct frs_errors *errors) {
    enum frs_status status = check_place(directory->path, directory->force, errors);
    if (status != FRS_OK || !exists(directory->path))
        return status == FRS_OK && rename(directory->temporary, directory->path) != 0
                   ? frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", directory->path, strerror(errno))
                   : status;
    char *old = frs_format("%s.replaced-%ld", directory->path, (long)getpid());
    if (rename(directory->path, old) != 0) {
        status = frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", directory->path, strerror(errno));
    } else if (rename(directory->temporary, directory->path) != 0) {
        status = frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", directory->path, strerror(errno));
        if (rename(old, directory->path) != 0)
            frs_errors_add(errors, FRS_ERR_RUN, "the earlier run is now in %s", old);
    } else {
        frs_run_directory_remove(old);
    }
    free(old);
    return status;
}

enum frs_status frs_run_directory_commit(struct frs_run_directory *directory, struct frs_errors *errors) {
    enum frs_status status = put_in_place(directory, errors);
    if (status != FRS_OK)
        status = frs_errors_add(errors, FRS_ERR_RUN, "the results are in %s", directory->temporary);
    release(directory);
    return status;
}

void frs_run_directory_discard(struct frs_run_directory *directory) {
    if (directory->temporary) {
        frs_run_directory_remove(directory->temporary);
        remove_parents(directory->temporary, directory->made);
    }
    release(directory);
}

/* One that was killed is still there until somebody has asked how it ended, which may be never. */
static bool is_running(long pid) {
    if (kill((pid_t)pid, 0) != 0 && errno == ESRCH)
        return false;
    char *path = frs_format("/proc/%ld/stat", pid), state = '?';
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%*d %*[^)]) %c", &state) != 1)
        state = '?';
    if (file)
        fclose(file);
    free(path);
    return state != 'Z' && state != 'X';
}

bool frs_run_directory_is_leftover(const char *entry) {
    static const char mark[] = ".partial-";
    const char *found = NULL;
    for (const char *at = entry; (at = strstr(at, mark)); at++)
        found = at + sizeof mark - 1;
    char *end;
    long pid = found ? strtol(found, &end, 10) : 0;
    return pid > 0 && *end == '\0' && !is_running(pid);
}

void frs_run_directory_clear_leftovers(const char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    char *whole = frs_format("%.*s", (int)length, path), *copy = frs_strdup(whole);
    const char *name = basename(whole), *parent = dirname(copy);
    DIR *entries = opendir(parent);
    struct dirent *entry;
    while (entries && (entry = readdir(entries)))
        if (strncmp(entry->d_name, name, strlen(name)) == 0 &&
            strncmp(entry->d_name + strlen(name), ".partial-", 9) == 0 &&
            frs_run_directory_is_leftover(entry->d_name)) {
            char *leftover = frs_format("%s/%s", parent, entry->d_name);
            struct stat status;
            if (lstat(leftover, &status) == 0 && S_ISDIR(status.st_mode))
                frs_run_directory_remove(leftover);
            else
                unlink(leftover);
            free(leftover);
        }
    if (entries)
        closedir(entries);
    free(whole);
    free(copy);
}
