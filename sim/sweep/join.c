#include "sim/sweep/join.h"
#include "sim/base/errors.h"
#include "sim/base/files/create.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "sim/ledger/compare.h"
#include "sim/ledger/run_place.h"
#include "sim/sweep/digests.h"
#include "sim/sweep/folder.h"
#include "sim/sweep/shard.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- looking --- */

static enum frs_status check_plan(
    const char *folder, const struct frs_sweep_plan *plan, const char *first, struct frs_errors *errors) {
    char *path = frs_folder_plan(folder);
    struct frs_sweep_plan *other;
    struct frs_errors found = {0};
    enum frs_status status = frs_sweep_plan_read(path, &other, errors);
    if (status == FRS_OK && frs_sweep_plan_compare(other, plan, false, path, first, &found) != FRS_OK) {
        char *reason = strstr(found.lines[0], "is of another sweep: ");
        size_t length = reason ? strcspn(reason, ";") : 0;
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s and %s are not of one sweep: %s %.*s", first,
            folder, path, (int)length, reason ? reason : "");
    } else if (status == FRS_OK && strcmp(other->version, plan->version) != 0) {
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s and %s are not of one version of the program: %s was written by version %s, and the plan of "
            "%s by version %s",
            first, folder, path, other->version, first, plan->version);
    }
    frs_errors_clear(&found);
    frs_sweep_plan_destroy(other);
    free(path);
    return status;
}

/* The first line that says that something differs; freed by the caller. */
static char *first_difference(const char *before, const char *again, struct frs_errors *errors) {
    char *text = NULL, *line = NULL, *rest;
    size_t size;
    struct frs_comparison comparison;
    FILE *out = open_memstream(&text, &size);
    FRS_INVARIANT(out, "out of memory");
    enum frs_status status = frs_run_directories_compare(before, again, &comparison, out, errors);
    fclose(out);
    rest = text;
    while (status == FRS_OK && comparison.differing && !line && (line = strsep(&rest, "\n")) && *line)
        line = strstr(line, ": identical") ? NULL : frs_strdup(line);
    free(text);
    return line;
}

static enum frs_status compare_point(
    const char *folder, const char *other, size_t point, struct frs_errors *errors) {
    size_t n = errors->n;
    char *here = frs_folder_point(folder, point), *there = frs_folder_point(other, point);
    char *difference = first_difference(here, there, errors);
    enum frs_status status = errors->n > n ? FRS_ERR_INPUT : FRS_OK;
    if (difference)
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s and %s are the same point with other results: %s; they are not of one program, one kind of "
            "processor and one data set",
            here, there, difference);
    free(difference);
    free(here);
    free(there);
    return status;
}

/* source [n_points]: the folder that each point is taken from; NULL: no folder has it. */
static enum frs_status find_sources(const struct frs_sweep_plan *plan, const char *const *folders, size_t n,
    const char **source, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    frs_digest_line **digests = frs_alloc(n, sizeof *digests);
    for (size_t i = 0; i < n; i++)
        digests[i] = frs_digests_read(folders[i], plan->n_points);
    for (size_t point = 0; point < plan->n_points; point++)
        for (size_t i = 0; i < n && status == FRS_OK; i++) {
            bool is_finished = frs_folder_finished(folders[i], plan, point);
            status = frs_digests_check(folders[i], plan, point, digests[i][point], errors);
            if (status == FRS_OK && is_finished && source[point])
                status = compare_point(source[point], folders[i], point, errors);
            if (is_finished && !source[point])
                source[point] = folders[i];
        }
    for (size_t i = 0; i < n; i++)
        free(digests[i]);
    free(digests);
    return status;
}

/* --- copying --- */

static const char *copy_file(const char *from, const char *to) {
    FILE *in, *out;
    const char *reason = frs_input_open(from, &in);
    if (reason)
        return reason;
    char piece[1 << 16];
    out = frs_create(to);
    bool good = out;
    for (size_t n; good && (n = fread(piece, 1, sizeof piece, in)) > 0;)
        good = fwrite(piece, 1, n, out) == n;
    good = good && !ferror(in);
    int error = errno;
    if (out && fclose(out) != 0 && good) {
        good = false;
        error = errno;
    }
    fclose(in);
    return good ? NULL : strerror(error);
}

/* The files of a run; whatever else is there stays where it is. */
static const char *copy_run(const char *from, const char *to) {
    DIR *list = opendir(from);
    const char *reason = list && mkdir(to, 0777) == 0 ? NULL : strerror(errno);
    for (struct dirent *entry; list && !reason && (entry = readdir(list));) {
        if (!frs_run_place_knows(entry->d_name))
            continue;
        char *in = frs_format("%s/%s", from, entry->d_name), *out = frs_format("%s/%s", to, entry->d_name);
        reason = copy_file(in, out);
        free(in);
        free(out);
    }
    if (list)
        closedir(list);
    return reason;
}

/* Under the name of a run that is not finished, until it is whole. */
static enum frs_status copy_point(
    const char *source, const char *folder, size_t point, struct frs_errors *errors) {
    char *from = frs_folder_point(source, point), *to = frs_folder_point(folder, point),
         *partial = frs_format("%s.partial-%ld", to, (long)getpid());
    enum frs_status status = FRS_OK;
    frs_folder_clear(folder, point);
    const char *reason = copy_run(from, partial);
    if (!reason && rename(partial, to) != 0)
        reason = strerror(errno);
    if (reason) {
        status = frs_errors_add(errors, FRS_ERR_RUN, "%s: cannot be copied to %s: %s", from, to, reason);
        frs_folder_clear(folder, point);
    }
    free(from);
    free(to);
    free(partial);
    return status;
}

/* --- all --- */

static bool same_folder(const char *a, const char *b) {
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* What `folder` has itself comes first, so that it stays. */
static enum frs_status join(const struct frs_sweep_plan *plan, const char *const *folders, size_t n,
    const char *folder, struct frs_errors *errors) {
    const char **all = frs_alloc(n + 1, sizeof *all), **source = frs_alloc(plan->n_points, sizeof *source);
    int lock = -1;
    all[0] = folder;
    size_t n_all = 1;
    for (size_t i = 0; i < n; i++)
        if (!same_folder(folders[i], folder))
            all[n_all++] = folders[i];
    enum frs_status status = frs_folder_check(folder, plan, FRS_RESUME, errors);
    if (status == FRS_OK)
        status = find_sources(plan, all, n_all, source, errors);
    if (status == FRS_OK)
        status = frs_folder_open(folder, plan, FRS_RESUME, &lock, errors);
    if (status == FRS_OK) /* it is no part any more */
        status = frs_shard_write(folder, &(struct frs_shard){0}, errors);
    for (size_t point = 0; point < plan->n_points && status == FRS_OK; point++)
        if (source[point] && source[point] != folder)
            status = copy_point(source[point], folder, point, errors);
    if (lock >= 0)
        close(lock);
    free(all);
    free(source);
    return status;
}

enum frs_status frs_sweep_join(
    const char *const *folders, size_t n, const char *folder, struct frs_errors *errors) {
    char *path = frs_folder_plan(folders[0]);
    struct frs_sweep_plan *plan;
    enum frs_status status = frs_sweep_plan_read(path, &plan, errors);
    for (size_t i = 1; i < n && status == FRS_OK; i++)
        status = check_plan(folders[i], plan, folders[0], errors);
    if (status == FRS_OK)
        status = join(plan, folders, n, folder, errors);
    frs_sweep_plan_destroy(plan);
    free(path);
    return status;
}
