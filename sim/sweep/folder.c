#include "sim/sweep/folder.h"
#include "analysis/json.h"
#include "sim/base/memory.h"
#include "sim/ledger/run_directory.h"
#include "sim/sweep/plan_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* How often, every 20 ms, the lock is asked for:
 * the runs of a sweep that was killed end a moment after it. */
enum { LOCK_TRIES = 100 };

char *frs_folder_plan(const char *folder) {
    return frs_format("%s/plan.json", folder);
}

char *frs_folder_cache(const char *folder) {
    return frs_format("%s/cache", folder);
}

char *frs_folder_point(const char *folder, size_t point) {
    return frs_format("%s/points/%04zu", folder, point);
}

char *frs_folder_log(const char *folder, size_t point) {
    return frs_format("%s/points/%04zu.log", folder, point);
}

static json_t *load(const char *directory, const char *name) {
    char *path = frs_format("%s/%s", directory, name);
    struct frs_errors ignored = {0};
    json_t *root = frs_json_read(path, &ignored);
    frs_errors_clear(&ignored);
    free(path);
    return root;
}

static bool says(const json_t *root, const char *key, const char *text) {
    const char *value = json_string_value(json_object_get(root, key));
    return value && strcmp(value, text) == 0;
}

bool frs_folder_finished(const char *folder, const struct frs_sweep_plan *plan, size_t point) {
    char *directory = frs_folder_point(folder, point);
    json_t *manifest = load(directory, "manifest.json"), *summary = load(directory, "summary.json");
    bool finished = says(manifest, "scenario_hash", plan->points[point].hash) &&
                    (says(summary, "status", "complete") || says(summary, "status", "stranded"));
    json_decref(manifest);
    json_decref(summary);
    free(directory);
    return finished;
}

/* What a killed run leaves of its directory, by what follows the point's number and a dot. */
static bool is_temporary(const char *rest) {
    return strncmp(rest, "partial-", 8) == 0 || strncmp(rest, "replaced-", 9) == 0;
}

void frs_folder_clear(const char *folder, size_t point) {
    char *points = frs_format("%s/points", folder), *prefix = frs_format("%04zu.", point);
    DIR *list = opendir(points);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0 ||
            !is_temporary(entry->d_name + strlen(prefix)))
            continue;
        char *path = frs_format("%s/%s", points, entry->d_name);
        frs_run_directory_remove(path);
        free(path);
    }
    if (list)
        closedir(list);
    free(points);
    free(prefix);
}

/* --- tidying --- */

/* What follows "<point>." in a name and is of no use once the point is finished. A log may still have
 * something to say. */
static bool is_spent(const char *path, const char *rest) {
    struct stat status;
    if (strcmp(rest, "log") == 0)
        return stat(path, &status) == 0 && status.st_size == 0;
    return is_temporary(rest) || strcmp(rest, "checkpoint") == 0 ||
           strncmp(rest, "checkpoint.partial-", 19) == 0;
}

/* Of finished points alone: others may be running somewhere, and clear what is theirs when they begin. */
static void tidy_points(const char *folder, const struct frs_sweep_plan *plan) {
    char *points = frs_format("%s/points", folder);
    DIR *list = opendir(points);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        char *rest;
        unsigned long point = strtoul(entry->d_name, &rest, 10);
        if (rest == entry->d_name || *rest != '.' || point >= plan->n_points)
            continue;
        char *path = frs_format("%s/%s", points, entry->d_name);
        if (is_spent(path, rest + 1) && frs_folder_finished(folder, plan, point))
            frs_run_directory_remove(path);
        free(path);
    }
    if (list)
        closedir(list);
    free(points);
}

/* A journal that another machine is writing just now is lost to those that would have learnt from it, and to
 * nobody else. */
static void tidy_cache(const char *folder) {
    char *cache = frs_folder_cache(folder);
    DIR *list = opendir(cache);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        if (!frs_run_directory_is_leftover(entry->d_name))
            continue;
        char *path = frs_format("%s/%s", cache, entry->d_name);
        unlink(path);
        free(path);
    }
    if (list)
        closedir(list);
    free(cache);
}

/* --- opening --- */

static bool exists(const char *path) {
    struct stat status;
    return lstat(path, &status) == 0;
}

static bool is_empty(const char *folder) {
    DIR *list = opendir(folder);
    bool empty = list;
    for (struct dirent *entry; list && empty && (entry = readdir(list));)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
                strcmp(entry->d_name, "lock") == 0 || strcmp(entry->d_name, "points") == 0 ||
                strcmp(entry->d_name, "plan.json.partial") == 0;
    if (list)
        closedir(list);
    return empty;
}

/* Makes the folder `path` and those above it. */
static bool make_folders(const char *path) {
    char *copy = frs_strdup(path);
    bool good = true;
    for (char *slash = strchr(copy + 1, '/'); slash && good; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        good = mkdir(copy, 0777) == 0 || errno == EEXIST;
        *slash = '/';
    }
    free(copy);
    return good && (mkdir(path, 0777) == 0 || errno == EEXIST);
}

static enum frs_status compare(
    const char *path, const struct frs_sweep_plan *plan, struct frs_errors *errors) {
    struct frs_sweep_plan *written;
    enum frs_status status = frs_sweep_plan_read(path, &written, errors);
    if (status == FRS_OK)
        status = frs_sweep_plan_compare(written, plan, path, errors);
    frs_sweep_plan_destroy(written);
    return status;
}

enum frs_status frs_folder_check(
    const char *folder, const struct frs_sweep_plan *plan, bool resume, struct frs_errors *errors) {
    char *path = frs_folder_plan(folder);
    enum frs_status status = FRS_OK;
    if (exists(path) && resume)
        status = compare(path, plan, errors);
    else if (exists(path))
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s holds a sweep already; go on with it with --resume or choose another place with --out DIR",
            folder);
    else if (exists(folder) && !is_empty(folder))
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s exists and holds no sweep; choose another place with --out DIR", folder);
    free(path);
    return status;
}

static enum frs_status take_lock(const char *folder, int *lock, struct frs_errors *errors) {
    char *path = frs_format("%s/lock", folder);
    int file = open(path, O_RDWR | O_CREAT | O_NOFOLLOW, 0666), failed = -1;
    for (int i = 0; file >= 0 && i < LOCK_TRIES; i++) {
        failed = flock(file, LOCK_EX | LOCK_NB);
        if (!failed || (errno != EWOULDBLOCK && errno != EINTR))
            break;
        usleep(20000);
    }
    enum frs_status status = FRS_OK;
    if (file < 0 || (failed && errno != EWOULDBLOCK))
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be locked: %s", path, strerror(errno));
    else if (failed)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: another sweep is running in this folder", folder);
    free(path);
    if (status == FRS_OK)
        *lock = file;
    else if (file >= 0)
        close(file);
    return status;
}

/* Looks once more: before the lock was taken somebody else may have been here. */
static enum frs_status write_plan(
    const char *folder, const struct frs_sweep_plan *plan, bool resume, struct frs_errors *errors) {
    char *path = frs_folder_plan(folder);
    enum frs_status status = frs_folder_check(folder, plan, resume, errors);
    if (status == FRS_OK)
        status = frs_sweep_plan_write(plan, path, errors);
    free(path);
    return status;
}

enum frs_status frs_folder_open(const char *folder, const struct frs_sweep_plan *plan, bool resume, int *lock,
    struct frs_errors *errors) {
    *lock = -1;
    enum frs_status status = frs_folder_check(folder, plan, resume, errors);
    if (status != FRS_OK)
        return status;
    char *points = frs_format("%s/points", folder);
    if (!make_folders(points))
        status =
            frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot make the folder: %s", points, strerror(errno));
    free(points);
    if (status == FRS_OK)
        status = take_lock(folder, lock, errors);
    if (status == FRS_OK)
        status = write_plan(folder, plan, resume, errors);
    if (status == FRS_OK) {
        tidy_points(folder, plan);
        tidy_cache(folder);
    }
    if (status != FRS_OK && *lock >= 0) {
        close(*lock);
        *lock = -1;
    }
    return status;
}
