#include "sim/ledger/run_directory.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <ftw.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool exists(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

static bool is_run(const char *path) {
    char *manifest = frs_format("%s/manifest.json", path);
    bool found = exists(manifest);
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

/* Permission bits alone do not tell (root, read-only file systems): access does. */
static enum frs_status check_parent(const char *path, struct frs_errors *errors) {
    char *parent = nearest_parent(path);
    struct stat status;
    enum frs_status result = FRS_OK;
    if (stat(parent, &status) != 0 || !S_ISDIR(status.st_mode))
        result = frs_errors_add(
            errors, FRS_ERR_INPUT, "%s: cannot write results there: %s is not a folder", path, parent);
    else if (access(parent, W_OK | X_OK) != 0)
        result = frs_errors_add(
            errors, FRS_ERR_INPUT, "%s: cannot write results there: %s: %s", path, parent, strerror(errno));
    free(parent);
    return result;
}

enum frs_status frs_run_directory_check(const char *path, bool force, struct frs_errors *errors) {
    if (!*path)
        return frs_errors_add(
            errors, FRS_ERR_INPUT, "the run directory has an empty name; name one with --out DIR");
    if (exists(path)) {
        if (!is_run(path))
            return frs_errors_add(errors, FRS_ERR_INPUT,
                "%s exists and is no run directory; choose another place with --out DIR", path);
        if (!force)
            return frs_errors_add(errors, FRS_ERR_INPUT,
                "%s holds an earlier run; replace it with --force or choose another place with --out DIR",
                path);
    }
    return check_parent(path, errors);
}

static int make_parents(const char *path) {
    char *copy = frs_strdup(path);
    int failed = 0;
    for (char *slash = strchr(copy + 1, '/'); slash && !failed; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        failed = mkdir(copy, 0777) != 0 && errno != EEXIST;
        *slash = '/';
    }
    free(copy);
    return failed;
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
    *directory = (struct frs_run_directory){.path = trimmed};
    directory->temporary = frs_format("%s.partial-%ld", trimmed, (long)getpid());
    if (make_parents(directory->temporary) || mkdir(directory->temporary, 0777) != 0) {
        status = frs_errors_add(
            errors, FRS_ERR_INPUT, "%s: cannot make the folder: %s", directory->temporary, strerror(errno));
        free(directory->path);
        free(directory->temporary);
        *directory = (struct frs_run_directory){0};
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

static void remove_tree(const char *path) {
    nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void release(struct frs_run_directory *directory) {
    free(directory->path);
    free(directory->temporary);
    *directory = (struct frs_run_directory){0};
}

enum frs_status frs_run_directory_commit(struct frs_run_directory *directory, struct frs_errors *errors) {
    char *old = frs_format("%s.replaced-%ld", directory->path, (long)getpid());
    enum frs_status status = FRS_OK;
    bool replaces = exists(directory->path);
    if ((replaces && rename(directory->path, old) != 0) || rename(directory->temporary, directory->path) != 0)
        status = frs_errors_add(errors, FRS_ERR_RUN, "%s: cannot be put in place (the results are in %s): %s",
            directory->path, directory->temporary, strerror(errno));
    else if (replaces)
        remove_tree(old);
    free(old);
    release(directory);
    return status;
}

void frs_run_directory_discard(struct frs_run_directory *directory) {
    if (directory->temporary)
        remove_tree(directory->temporary);
    release(directory);
}
