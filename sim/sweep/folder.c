#include "sim/sweep/folder.h"
#include "analysis/read/json.h"
#include "sim/base/errors.h"
#include "sim/base/files/input.h"
#include "sim/base/files/lock.h"
#include "sim/base/memory.h"
#include "sim/journal/journal.h"
#include "sim/plugins/plugins.h"
#include "sim/run/run.h"
#include "sim/sweep/plan.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

void frs_folder_clear(const char *folder, size_t point) {
    char *directory = frs_folder_point(folder, point);
    frs_run_tidy(directory);
    free(directory);
}

/* --- tidying --- */

/* A log may still have something to say. */
static void remove_empty(const char *path) {
    struct stat status;
    if (stat(path, &status) == 0 && status.st_size == 0)
        unlink(path);
}

static bool begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

/* What follows "<point>." in the names of what killed runs leave. */
static bool is_leftover(const char *rest) {
    return begins(rest, "partial-") || begins(rest, "replaced-") || begins(rest, "checkpoint") ||
           strcmp(rest, "lock") == 0;
}

/* Clears only finished points. Others may be running on another machine, and clear their own remains when
 * they begin. */
static void tidy_points(const char *folder, const struct frs_sweep_plan *plan) {
    char *points = frs_format("%s/points", folder);
    DIR *list = opendir(points);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        char *rest;
        unsigned long point = strtoul(entry->d_name, &rest, 10);
        if (rest == entry->d_name || *rest != '.' || point >= plan->n_points)
            continue;
        char *path = frs_format("%s/%s", points, entry->d_name);
        bool is_log = strcmp(rest, ".log") == 0;
        if ((is_log || is_leftover(rest + 1)) && frs_folder_finished(folder, plan, point)) {
            if (is_log)
                remove_empty(path);
            else
                frs_folder_clear(folder, point);
        }
        free(path);
    }
    if (list)
        closedir(list);
    free(points);
}

/* "<name>.journal.partial-<number>" */
static bool is_half_a_journal(const char *name) {
    const char *found = strstr(name, ".journal.partial-");
    return found && strspn(found + 17, "0123456789-") == strlen(found + 17);
}

static void tidy_cache(const char *folder) {
    char *cache = frs_folder_cache(folder);
    DIR *list = opendir(cache);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        if (!is_half_a_journal(entry->d_name))
            continue;
        char *path = frs_format("%s/%s", cache, entry->d_name);
        frs_journal_clear_leftover(path);
        free(path);
    }
    if (list)
        closedir(list);
    free(cache);
}

/* Returns the process of "<table>.partial-<process>", a file that is made from the points; 0 for any other
 * name. */
static pid_t writer_of(const char *name) {
    static const char *const tables[] = {"sweep.sqlite", "points.csv", "cells.csv", "differences.csv",
        "tables.md", "report.html", "answer.json", "sensitivity.md", "sensitivity.json"};
    static const char mark[] = ".partial-";
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        size_t n = strlen(tables[i]);
        if (strncmp(name, tables[i], n) != 0 || !begins(name + n, mark))
            continue;
        const char *number = name + n + strlen(mark);
        return strspn(number, "0123456789") == strlen(number) ? (pid_t)strtol(number, NULL, 10) : 0;
    }
    return 0;
}

/* Without a lock, for `collect` takes none: what a process of this number may be writing stays. */
void frs_folder_tidy_tables(const char *folder) {
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        pid_t writer = writer_of(entry->d_name);
        if (writer > 0 && kill(writer, 0) != 0 && errno == ESRCH)
            unlinkat(dirfd(list), entry->d_name, 0);
    }
    if (list)
        closedir(list);
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
    const char *path, const struct frs_sweep_plan *plan, bool extends, struct frs_errors *errors) {
    struct frs_sweep_plan *written;
    enum frs_status status = frs_sweep_plan_read(path, &written, errors);
    if (status == FRS_OK)
        status = frs_sweep_plan_compare(written, plan, extends, path, NULL, errors);
    frs_sweep_plan_destroy(written);
    return status;
}

enum frs_status frs_folder_follow(
    const char *folder, struct frs_sweep_plan *plan, bool extends, struct frs_errors *errors) {
    char *path = frs_folder_plan(folder);
    struct frs_sweep_plan *written = NULL;
    enum frs_status status = exists(path) ? frs_sweep_plan_read(path, &written, errors) : FRS_OK;
    if (written)
        status = frs_sweep_plan_follow(plan, written, extends, path, errors);
    frs_sweep_plan_destroy(written);
    free(path);
    return status;
}

enum frs_status frs_folder_check(const char *folder, const struct frs_sweep_plan *plan,
    enum frs_going_on going_on, struct frs_errors *errors) {
    char *path = frs_folder_plan(folder);
    enum frs_status status = FRS_OK;
    if (exists(path) && going_on != FRS_ANEW)
        status = compare(path, plan, going_on == FRS_EXTEND, errors);
    else if (exists(path))
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s holds a sweep already; go on with it with --resume, add to it with --extend or "
            "choose another place with --out DIR",
            folder);
    else if (exists(folder) && !is_empty(folder))
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s exists and holds no sweep; choose another place with --out DIR", folder);
    free(path);
    return status;
}

/* Files and their digests, each read once. */
struct read_files {
    struct read_file {
        char *path, digest[FRS_DIGEST_TEXT];
    } * list;
    size_t n, capacity;
};

/* Empty where the file cannot be read: the run that needs it reports it. */
static const char *digest_of(struct read_files *files, const char *path) {
    struct frs_digest digest;
    for (size_t i = 0; i < files->n; i++)
        if (strcmp(files->list[i].path, path) == 0)
            return files->list[i].digest;
    files->list = frs_grow(files->list, files->n + 1, &files->capacity, sizeof *files->list);
    struct read_file *file = &files->list[files->n++];
    *file = (struct read_file){.path = frs_strdup(path)};
    if (!frs_input_digest(path, &digest))
        frs_digest_text(&digest, file->digest);
    return file->digest;
}

static enum frs_status check_files_of(
    const char *directory, struct read_files *files, struct frs_errors *errors) {
    json_t *manifest = load(directory, "manifest.json"), *file;
    const char *key;
    enum frs_status status = FRS_OK;
    json_object_foreach(json_object_get(manifest, "files"), key, file) {
        if (strncmp(key, FRS_PLUGINS_KEY, strlen(FRS_PLUGINS_KEY)) == 0)
            continue; /* the plan has them, and they are loaded already */
        const char *path = json_string_value(json_object_get(file, "path"));
        const char *was = json_string_value(json_object_get(file, "digest"));
        const char *is = path && was ? digest_of(files, path) : "";
        if (*is && strcmp(is, was) != 0 && status == FRS_OK)
            status = frs_errors_add(errors, FRS_ERR_INPUT,
                "%s (%s) has changed since %s was run, and results of two files are not mixed; allowed: the "
                "file "
                "as it was, or another place with --out DIR",
                path, key, directory);
    }
    json_decref(manifest);
    return status;
}

enum frs_status frs_folder_check_files(
    const char *folder, const struct frs_sweep_plan *plan, struct frs_errors *errors) {
    struct read_files files = {0};
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < plan->n_points && status == FRS_OK; i++) {
        char *directory = frs_folder_point(folder, i);
        if (frs_folder_finished(folder, plan, i))
            status = check_files_of(directory, &files, errors);
        free(directory);
    }
    for (size_t i = 0; i < files.n; i++)
        free(files.list[i].path);
    free(files.list);
    return status;
}

static enum frs_status take_lock(const char *folder, int *file, struct frs_errors *errors) {
    char *path = frs_format("%s/lock", folder);
    char *held = frs_format("%s: another sweep is running in this folder", folder);
    struct frs_lock lock;
    enum frs_status status = frs_lock_take(&lock, path, held, errors);
    if (status == FRS_OK)
        *file = frs_lock_detach(&lock);
    free(path);
    free(held);
    return status;
}

/* Checks once more: another process may have written the plan before the lock was taken. */
static enum frs_status write_plan(const char *folder, const struct frs_sweep_plan *plan,
    enum frs_going_on going_on, struct frs_errors *errors) {
    char *path = frs_folder_plan(folder);
    enum frs_status status = frs_folder_check(folder, plan, going_on, errors);
    if (status == FRS_OK)
        status = frs_sweep_plan_write(plan, path, errors);
    free(path);
    return status;
}

enum frs_status frs_folder_make_points(const char *folder, struct frs_errors *errors) {
    char *points = frs_format("%s/points", folder);
    enum frs_status status = FRS_OK;
    if (!make_folders(points))
        status =
            frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot make the folder: %s", points, strerror(errno));
    free(points);
    return status;
}

enum frs_status frs_folder_open(const char *folder, const struct frs_sweep_plan *plan,
    enum frs_going_on going_on, int *lock, struct frs_errors *errors) {
    *lock = -1;
    enum frs_status status = frs_folder_check(folder, plan, going_on, errors);
    if (status != FRS_OK)
        return status;
    status = frs_folder_make_points(folder, errors);
    if (status == FRS_OK)
        status = take_lock(folder, lock, errors);
    if (status == FRS_OK)
        status = write_plan(folder, plan, going_on, errors);
    if (status == FRS_OK) {
        tidy_points(folder, plan);
        tidy_cache(folder);
        frs_folder_tidy_tables(folder);
    }
    if (status != FRS_OK && *lock >= 0) {
        close(*lock);
        *lock = -1;
    }
    return status;
}
