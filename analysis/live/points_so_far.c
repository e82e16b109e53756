/* The points of a sweep, from the names in its folder: which are finished, which run, which have failed. */
#include "analysis/live/follower.h"
#include "analysis/plan/plan.h"
#include "analysis/read/json.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Of a point that another machine runs: how long its rounds may be silent. */
#define SILENT_S 600

enum state { NOT_BEGUN, FAILED, RUNS, FINISHED };

/* A run directory that is being written. */
struct running {
    char *name; /* "0007.partial-4711" */
    size_t point;
    double since_s; /* when it was seen first */
    struct frs_rounds_tail tail;
    bool seen;
};

struct frs_points_so_far {
    bool searches, elsewhere;
    size_t at_once;
    struct frs_sweep_plan *plan; /* NULL: there is none that can be read */
    ino_t plan_file;
    struct timespec plan_time;
    enum state *states;   /* [plan->n_points] */
    double *durations_s;  /* [plan->n_points] of those that are finished; NaN: not known; 0: not read */
    struct running *list; /* [n] */
    size_t n, capacity;
};

struct frs_points_so_far *frs_points_so_far_create(bool searches, size_t at_once, bool elsewhere) {
    struct frs_points_so_far *points = frs_alloc(1, sizeof *points);
    *points = (struct frs_points_so_far){.searches = searches, .at_once = at_once, .elsewhere = elsewhere};
    return points;
}

static void forget_plan(struct frs_points_so_far *points) {
    frs_sweep_plan_destroy(points->plan);
    free(points->states);
    free(points->durations_s);
    points->plan = NULL;
    points->states = NULL;
    points->durations_s = NULL;
}

void frs_points_so_far_destroy(struct frs_points_so_far *points) {
    if (!points)
        return;
    forget_plan(points);
    for (size_t i = 0; i < points->n; i++)
        free(points->list[i].name);
    free(points->list);
    free(points);
}

/* A search writes it anew with every step, under another name first. */
static void read_plan(struct frs_points_so_far *points, const char *folder) {
    char *path = frs_format("%s/plan.json", folder);
    struct stat status;
    struct frs_errors ignored = {0};
    bool is_there = stat(path, &status) == 0, is_known = is_there && points->plan &&
                                                         status.st_ino == points->plan_file &&
                                                         status.st_mtim.tv_sec == points->plan_time.tv_sec &&
                                                         status.st_mtim.tv_nsec == points->plan_time.tv_nsec;
    free(path);
    if (!is_there || is_known)
        return;
    forget_plan(points);
    if (frs_sweep_plan_in(folder, &points->plan, &ignored) == FRS_OK) {
        points->plan_file = status.st_ino;
        points->plan_time = status.st_mtim;
        points->states = frs_alloc(points->plan->n_points + 1, sizeof *points->states);
        points->durations_s = frs_alloc(points->plan->n_points + 1, sizeof *points->durations_s);
    }
    frs_errors_clear(&ignored);
}

/* ---- one name ---- */

/* How long the run took, of which its summary tells. */
static double duration_of(const char *folder, size_t point) {
    char *path = frs_format("%s/points/%04zu/summary.json", folder, point);
    struct frs_errors ignored = {0};
    json_t *summary = frs_json_read(path, &ignored),
           *wall = json_object_get(json_object_get(summary, "machine"), "wall_s");
    double duration_s = json_is_number(wall) ? json_number_value(wall) : NAN;
    json_decref(summary);
    frs_errors_clear(&ignored);
    free(path);
    return duration_s;
}

/* A process that was killed leaves its folder behind. */
static bool is_alive(const struct frs_points_so_far *points, const char *path, long process) {
    struct stat status;
    if (process > 0 && (kill((pid_t)process, 0) == 0 || errno == EPERM))
        return true;
    return points->elsewhere && stat(path, &status) == 0 && difftime(time(NULL), status.st_mtime) < SILENT_S;
}

static void note_running(
    struct frs_points_so_far *points, const char *path, const char *name, size_t point, double now_s) {
    size_t i = 0;
    while (i < points->n && strcmp(points->list[i].name, name) != 0)
        i++;
    if (i == points->n) {
        points->list = frs_grow(points->list, points->n + 1, &points->capacity, sizeof *points->list);
        points->list[points->n++] =
            (struct running){.name = frs_strdup(name), .point = point, .since_s = now_s};
    }
    points->list[i].seen = true;
    frs_rounds_tail_read(&points->list[i].tail, path);
}

static void note(struct frs_points_so_far *points, const char *folder, const char *name, double now_s) {
    static const char partial[] = ".partial-";
    char *end, *path = NULL;
    struct stat status;
    size_t point = strtoul(name, &end, 10);
    if (end == name || *name < '0' || *name > '9' || point >= points->plan->n_points)
        return;
    enum state *state = &points->states[point];
    if (!*end) {
        *state = FINISHED;
    } else if (strncmp(end, partial, sizeof partial - 1) == 0 && *state != FINISHED) {
        path = frs_format("%s/points/%s/rounds.csv", folder, name);
        if (is_alive(points, path, strtol(end + sizeof partial - 1, NULL, 10))) {
            *state = RUNS;
            note_running(points, path, name, point, now_s);
        }
    } else if (strcmp(end, ".log") == 0 && *state == NOT_BEGUN) {
        path = frs_format("%s/points/%s", folder, name);
        if (stat(path, &status) == 0 && status.st_size > 0)
            *state = FAILED;
    }
    free(path);
}

/* ---- all of them ---- */

static void drop_ended(struct frs_points_so_far *points) {
    size_t kept = 0;
    for (size_t i = 0; i < points->n; i++)
        if (points->list[i].seen && points->states[points->list[i].point] == RUNS)
            points->list[kept++] = points->list[i];
        else
            free(points->list[i].name);
    points->n = kept;
}

static int by_point(const void *a, const void *b) {
    size_t x = ((const struct running *)a)->point, y = ((const struct running *)b)->point;
    return (x > y) - (x < y);
}

void frs_points_so_far_look(struct frs_points_so_far *points, const char *folder, double now_s) {
    read_plan(points, folder);
    if (!points->plan)
        return;
    char *path = frs_format("%s/points", folder);
    DIR *names = opendir(path);
    free(path);
    for (size_t i = 0; i < points->plan->n_points; i++)
        points->states[i] = NOT_BEGUN;
    for (size_t i = 0; i < points->n; i++)
        points->list[i].seen = false;
    for (const struct dirent *entry; names && (entry = readdir(names));)
        note(points, folder, entry->d_name, now_s);
    if (names)
        closedir(names);
    drop_ended(points);
    if (points->n > 0)
        qsort(points->list, points->n, sizeof *points->list, by_point);
    for (size_t i = 0; i < points->plan->n_points; i++)
        if (points->states[i] == FINISHED && points->durations_s[i] == 0)
            points->durations_s[i] = duration_of(folder, i);
}

static size_t count(const struct frs_points_so_far *points, enum state state) {
    size_t n = 0;
    for (size_t i = 0; i < points->plan->n_points; i++)
        n += points->states[i] == state;
    return n;
}

static json_t *cells_of(const struct frs_points_so_far *points) {
    const struct frs_sweep_plan *plan = points->plan;
    json_t *list = json_array();
    size_t n_cells = plan->sweep.replicates > 0 ? plan->n_points / plan->sweep.replicates : 0;
    size_t *counts = frs_alloc(4 * n_cells + 1, sizeof *counts);
    for (size_t i = 0; i < plan->n_points; i++)
        if (plan->points[i].cell < n_cells)
            counts[4 * plan->points[i].cell + points->states[i]]++;
    for (size_t cell = 0; cell < n_cells; cell++) {
        json_t *object = json_object();
        char *name = frs_sweep_plan_cell_name(plan, cell);
        json_t *text = json_string(name);
        frs_json_set(object, "name", text ? text : json_string("?"));
        frs_json_set(object, "done", json_integer((json_int_t)counts[4 * cell + FINISHED]));
        frs_json_set(object, "running", json_integer((json_int_t)counts[4 * cell + RUNS]));
        frs_json_set(object, "failed", json_integer((json_int_t)counts[4 * cell + FAILED]));
        frs_json_set(object, "replicates", json_integer((json_int_t)plan->sweep.replicates));
        frs_json_append(list, object);
        free(name);
    }
    free(counts);
    return list;
}

static const char *setting_of(const struct frs_sweep_plan *plan, size_t point, const char *key) {
    for (size_t i = 0; i < plan->points[point].n_settings; i++)
        if (strcmp(plan->points[point].settings[i].key, key) == 0)
            return plan->points[point].settings[i].text;
    for (size_t i = 0; i < plan->n_common; i++)
        if (strcmp(plan->common[i].key, key) == 0)
            return plan->common[i].text;
    return NULL;
}

static json_t *running_of(const struct frs_points_so_far *points) {
    json_t *list = json_array();
    for (size_t i = 0; i < points->n; i++) {
        const struct running *running = &points->list[i];
        const struct frs_sweep_point *point = &points->plan->points[running->point];
        const char *rounds = setting_of(points->plan, running->point, "rounds.count");
        json_t *object = json_object();
        frs_json_set(object, "point", json_integer((json_int_t)running->point));
        frs_json_set(object, "cell", json_integer((json_int_t)point->cell));
        frs_json_set(object, "replicate", json_integer((json_int_t)point->replicate));
        frs_json_set(object, "rounds", json_integer((json_int_t)running->tail.n_rounds));
        frs_json_set(object, "all", json_integer(rounds ? strtol(rounds, NULL, 10) : 0));
        frs_json_append(list, object);
    }
    return list;
}

static void set_time(const struct frs_points_so_far *points, size_t n_left, double now_s, json_t *object) {
    struct frs_time_left left = {.s = NAN};
    double *known = frs_alloc(points->plan->n_points + 1, sizeof *known), elapsed_s = 0;
    size_t n = 0;
    for (size_t i = 0; i < points->plan->n_points; i++)
        if (points->states[i] == FINISHED && isfinite(points->durations_s[i]))
            known[n++] = points->durations_s[i];
    for (size_t i = 0; i < points->n; i++)
        elapsed_s += now_s - points->list[i].since_s;
    if (!points->searches && n_left > 0)
        left = frs_time_left_of_points(
            known, n, n_left, elapsed_s, points->at_once ? points->at_once : points->n);
    free(known);
    frs_set_time_left(object, &left,
        points->searches ? "how many settings the search will try is not known before its end"
        : n_left == 0    ? "no point is left, and the results are being written"
                         : "it is known after three points");
}

json_t *frs_points_so_far_progress(struct frs_points_so_far *points, const char *folder, double now_s) {
    frs_points_so_far_look(points, folder, now_s);
    json_t *object = json_object();
    frs_json_set(object, "unit", json_string("points"));
    if (!points->plan) {
        frs_json_set(object, "all", json_integer(0));
        frs_json_set(object, "done", json_integer(0));
        frs_json_set(object, "version", json_string("0"));
        frs_set_time_left(object, &(struct frs_time_left){.s = NAN}, "there is no plan yet");
        return object;
    }
    size_t all = points->plan->n_points, done = count(points, FINISHED), failed = count(points, FAILED);
    char *version = frs_format("%zu of %zu, %zu", done, all, failed);
    frs_json_set(object, "done", json_integer((json_int_t)done));
    frs_json_set(object, "all", json_integer((json_int_t)all));
    frs_json_set(object, "running", json_integer((json_int_t)points->n));
    frs_json_set(object, "failed", json_integer((json_int_t)failed));
    frs_json_set(object, "may_end_early", json_boolean(points->plan->sweep.stop.metric && !points->searches));
    frs_json_set(object, "searches", json_boolean(points->searches));
    frs_json_set(object, "finishing", json_boolean(!points->searches && done == all));
    frs_json_set(object, "version", json_string(version));
    frs_json_set(object, "cells", cells_of(points));
    frs_json_set(object, "points", running_of(points));
    set_time(points, all - done - failed, now_s, object);
    free(version);
    return object;
}
