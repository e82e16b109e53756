#include "sim/sweep/schedule.h"
#include "analysis/read/run_reader.h"
#include "analysis/statistics/intervals.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/sweep/folder.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum state { WAITING, RUNNING, DONE, FAILED, SKIPPED };

/* What sweep.stop_metric is at a point. */
struct figure {
    bool is_read;
    double value, step; /* of the grid that the value lies on; 0: there is none */
};

struct frs_schedule {
    const struct frs_sweep_plan *plan;
    char *folder;
    enum state *states; /* [n_points] */
    size_t *
        leader; /* [n_points] the first point that learns the same, itself if there is none; NULL: no reuse */
    struct figure *figures; /* [n_points] */
    size_t *places;         /* [cells × replicates] the point of each replicate of each cell */
    size_t first;           /* no point before it is waiting */
    bool *found;            /* [n_points] finished before this schedule began */
    bool *elsewhere; /* [n_points] of another shard, or of another task: neither runs nor counts here */
    bool ends_early; /* replicates that sweep.stop_metric makes needless are skipped */
};

/* --- points that learn the same --- */

struct key {
    const char *learning;
    size_t point;
};

static int by_learning(const void *a, const void *b) {
    const struct key *x = a, *y = b;
    int order = strcmp(x->learning, y->learning);
    return order ? order : (x->point > y->point) - (x->point < y->point);
}

static bool trains(const struct frs_sweep_plan *plan, size_t point) {
    const char *enabled = frs_sweep_plan_setting(plan, point, "training.enabled");
    return enabled && strcmp(enabled, "true") == 0;
}

static size_t *find_leaders(const struct frs_sweep_plan *plan) {
    struct key *keys = frs_alloc(plan->n_points, sizeof *keys);
    size_t *leader = frs_alloc(plan->n_points, sizeof *leader);
    for (size_t i = 0; i < plan->n_points; i++)
        keys[i] = (struct key){plan->points[i].learning, i};
    qsort(keys, plan->n_points, sizeof *keys, by_learning);
    for (size_t i = 0; i < plan->n_points; i++) {
        bool same =
            i > 0 && strcmp(keys[i].learning, keys[i - 1].learning) == 0 && trains(plan, keys[i].point);
        leader[keys[i].point] = same ? leader[keys[i - 1].point] : keys[i].point;
    }
    free(keys);
    return leader;
}

/* Of points that learn the same, one runs first. Once it has ended well, the cache holds what the others
 * need. */
static bool waits_for_leader(const struct frs_schedule *schedule, size_t point) {
    if (!schedule->leader)
        return false;
    bool runs = false;
    for (size_t i = schedule->leader[point]; i < schedule->plan->n_points; i++) {
        if (schedule->leader[i] != schedule->leader[point])
            continue;
        if (schedule->states[i] == DONE)
            return false;
        runs |= schedule->states[i] == RUNNING;
    }
    return runs;
}

/* --- replicates that are not needed --- */

/* The figure of a finished point; NaN when it has none. */
static struct figure read_figure(const struct frs_schedule *schedule, size_t point) {
    const char *metric = schedule->plan->sweep.stop.metric;
    char *directory = frs_folder_point(schedule->folder, point);
    struct frs_errors errors = {0};
    struct frs_run_results run;
    struct figure figure = {true, NAN, 0};
    if (frs_run_read(directory, &run, &errors) == FRS_OK) {
        figure.value = frs_metrics_get(&run.metrics, metric);
        figure.step = frs_metrics_step(&run.metrics, metric);
        frs_run_fini(&run);
    }
    frs_errors_clear(&errors);
    free(directory);
    return figure;
}

/* Read once per point. */
static const struct figure *figure_of(const struct frs_schedule *schedule, size_t point) {
    struct figure *figure = &schedule->figures[point];
    if (!figure->is_read)
        *figure = read_figure(schedule, point);
    return figure;
}

/* The point of a replicate, counted from 0, of a cell. */
static size_t point_of(const struct frs_schedule *schedule, size_t cell, size_t replicate) {
    return schedule->places[cell * schedule->plan->sweep.replicates + replicate];
}

/* Whether the first n replicates of the cell determine its figure precisely enough; never when one of them
 * has no such figure. */
static bool is_known(const struct frs_schedule *schedule, size_t cell, size_t n) {
    double *values = frs_alloc(n, sizeof *values), *steps = frs_alloc(n, sizeof *steps);
    bool all = true;
    for (size_t i = 0; i < n; i++) {
        values[i] = figure_of(schedule, point_of(schedule, cell, i))->value;
        steps[i] = figure_of(schedule, point_of(schedule, cell, i))->step;
        all = all && isfinite(values[i]);
    }
    struct frs_estimate estimate =
        frs_stats_at_least(frs_stats_interval(values, n), frs_stats_grid_variance(steps, n));
    double width = 2 * estimate.half_width;
    free(values);
    free(steps);
    return all && width <= schedule->plan->sweep.stop.width;
}

/* Goes through the replicates of a cell in their order, as if they were run one by one. Replicates that
 * were run although the cell was already known (by hand, say) do not count. */
static void skip_known(struct frs_schedule *schedule, size_t cell) {
    const struct frs_sweep *sweep = &schedule->plan->sweep;
    size_t n = 0;
    while (n < sweep->replicates && schedule->states[point_of(schedule, cell, n)] == DONE) {
        n++;
        if (n < sweep->stop.min_replicates || n == sweep->replicates || !is_known(schedule, cell, n))
            continue;
        for (size_t i = n; i < sweep->replicates; i++)
            if (schedule->states[point_of(schedule, cell, i)] == WAITING)
                schedule->states[point_of(schedule, cell, i)] = SKIPPED;
        return;
    }
}

/* A replicate beyond `stop.min_replicates` waits until all earlier ones of its cell are done, because
 * their results decide whether it is needed. */
static bool waits_for_earlier(const struct frs_schedule *schedule, size_t point) {
    const struct frs_sweep *sweep = &schedule->plan->sweep;
    size_t replicate = schedule->plan->points[point].replicate;
    if (!schedule->ends_early || replicate <= sweep->stop.min_replicates)
        return false;
    for (size_t i = 0; i + 1 < replicate; i++)
        if (schedule->states[point_of(schedule, schedule->plan->points[point].cell, i)] != DONE)
            return true;
    return false;
}

/* --- the schedule --- */

struct frs_schedule *frs_schedule_create(const struct frs_sweep_plan *plan, const char *folder, bool reuse) {
    struct frs_schedule *schedule = frs_alloc(1, sizeof *schedule);
    *schedule = (struct frs_schedule){.plan = plan,
        .folder = frs_strdup(folder),
        .states = frs_alloc(plan->n_points, sizeof *schedule->states),
        .figures = frs_alloc(plan->n_points, sizeof *schedule->figures),
        .places = frs_alloc(plan->n_points, sizeof *schedule->places),
        .found = frs_alloc(plan->n_points, sizeof *schedule->found),
        .elsewhere = frs_alloc(plan->n_points, sizeof *schedule->elsewhere),
        .leader = reuse ? find_leaders(plan) : NULL,
        .ends_early = plan->sweep.stop.metric != NULL};
    for (size_t i = 0; i < plan->n_points; i++)
        schedule->places[plan->points[i].cell * plan->sweep.replicates + plan->points[i].replicate - 1] = i;
    for (size_t i = 0; i < plan->n_points; i++) {
        if (!frs_folder_finished(folder, plan, i))
            continue;
        schedule->states[i] = DONE;
        schedule->found[i] = true;
    }
    for (size_t i = 0; schedule->ends_early && i < plan->n_points / plan->sweep.replicates; i++)
        skip_known(schedule, i);
    return schedule;
}

/* Cells as a whole, in the place of points: whether a replicate is needed depends on the earlier ones. */
static void take_cells(struct frs_schedule *schedule, const struct frs_shard *shard, const size_t *leader) {
    size_t replicates = schedule->plan->sweep.replicates, n_cells = schedule->plan->n_points / replicates;
    size_t *of_cell = frs_alloc(n_cells, sizeof *of_cell);
    bool *owns = frs_alloc(n_cells, sizeof *owns);
    for (size_t cell = 0; cell < n_cells; cell++)
        of_cell[cell] = leader[point_of(schedule, cell, 0)];
    frs_shard_points(shard, of_cell, n_cells, owns);
    for (size_t i = 0; i < schedule->plan->n_points; i++)
        schedule->elsewhere[i] = !owns[schedule->plan->points[i].cell];
    free(owns);
    free(of_cell);
}

void frs_schedule_take_shard(struct frs_schedule *schedule, const struct frs_shard *shard) {
    size_t n = schedule->plan->n_points, *leader = find_leaders(schedule->plan);
    bool *owns = frs_alloc(n, sizeof *owns);
    if (schedule->ends_early)
        take_cells(schedule, shard, leader);
    else
        frs_shard_points(shard, leader, n, owns);
    for (size_t i = 0; i < n && !schedule->ends_early; i++)
        schedule->elsewhere[i] = !owns[i];
    free(owns);
    free(leader);
}

void frs_schedule_take_points(
    struct frs_schedule *schedule, const size_t *points, size_t n, bool only_needed) {
    schedule->ends_early = schedule->ends_early && only_needed;
    for (size_t i = 0, at = 0; i < schedule->plan->n_points; i++) {
        bool is_wanted = at < n && points[at] == i;
        at += is_wanted;
        schedule->elsewhere[i] = !is_wanted;
        if (schedule->states[i] == SKIPPED && !only_needed)
            schedule->states[i] = WAITING;
    }
}

const struct frs_sweep_plan *frs_schedule_plan(const struct frs_schedule *schedule) {
    return schedule->plan;
}

void frs_schedule_destroy(struct frs_schedule *schedule) {
    if (!schedule)
        return;
    free(schedule->folder);
    free(schedule->states);
    free(schedule->figures);
    free(schedule->places);
    free(schedule->found);
    free(schedule->elsewhere);
    free(schedule->leader);
    free(schedule);
}

static bool is_waiting(const struct frs_schedule *schedule, size_t point) {
    return schedule->states[point] == WAITING && !schedule->elsewhere[point];
}

size_t frs_schedule_next(struct frs_schedule *schedule) {
    size_t n = schedule->plan->n_points;
    while (schedule->first < n && !is_waiting(schedule, schedule->first))
        schedule->first++;
    for (size_t i = schedule->first; i < n; i++) {
        if (!is_waiting(schedule, i) || waits_for_earlier(schedule, i) || waits_for_leader(schedule, i))
            continue;
        schedule->states[i] = RUNNING;
        return i;
    }
    return SIZE_MAX;
}

void frs_schedule_end(struct frs_schedule *schedule, size_t point, bool finished) {
    FRS_INVARIANT(schedule->states[point] == RUNNING, "point %zu was not running", point);
    schedule->states[point] = finished ? DONE : FAILED;
    if (finished && schedule->ends_early)
        skip_known(schedule, schedule->plan->points[point].cell);
}

void frs_schedule_return(struct frs_schedule *schedule, size_t point) {
    FRS_INVARIANT(schedule->states[point] == RUNNING, "point %zu was not running", point);
    schedule->states[point] = WAITING;
    schedule->first = point < schedule->first ? point : schedule->first;
}

void frs_schedule_give_up(struct frs_schedule *schedule, size_t point) {
    if (schedule->states[point] == WAITING)
        schedule->states[point] = FAILED;
}

struct frs_schedule_counts frs_schedule_counts(const struct frs_schedule *schedule) {
    struct frs_schedule_counts counts = {0};
    for (size_t i = 0; i < schedule->plan->n_points; i++) {
        if (schedule->elsewhere[i])
            continue;
        counts.points++;
        counts.found += schedule->found[i];
        counts.done += schedule->states[i] == DONE;
        counts.failed += schedule->states[i] == FAILED;
        counts.running += schedule->states[i] == RUNNING;
        counts.left += schedule->states[i] == WAITING;
        counts.skipped += schedule->states[i] == SKIPPED;
        counts.without_figure += schedule->figures[i].is_read && isnan(schedule->figures[i].value);
    }
    return counts;
}

size_t frs_schedule_left(const struct frs_schedule *schedule, size_t **points) {
    size_t n = 0;
    *points = frs_alloc(schedule->plan->n_points, sizeof **points);
    for (size_t i = 0; i < schedule->plan->n_points; i++)
        if (!schedule->elsewhere[i] && schedule->states[i] != DONE && schedule->states[i] != SKIPPED)
            (*points)[n++] = i;
    return n;
}

size_t frs_schedule_leader(const struct frs_schedule *schedule, size_t point) {
    return schedule->leader ? schedule->leader[point] : point;
}

size_t frs_schedule_earlier(const struct frs_schedule *schedule, size_t point) {
    const struct frs_sweep *sweep = &schedule->plan->sweep;
    size_t replicate = schedule->plan->points[point].replicate;
    return schedule->ends_early && replicate > sweep->stop.min_replicates
               ? replicate - sweep->stop.min_replicates
               : 0;
}

void frs_schedule_waits(const struct frs_schedule *schedule, const size_t *points, size_t n, bool *waits) {
    enum learnt { NOBODY, FINISHED, LEFT };
    size_t n_points = schedule->plan->n_points;
    enum learnt *learnt = frs_alloc(n_points, sizeof *learnt); /* by leader */
    for (size_t i = 0; schedule->leader && i < n_points; i++)
        if (schedule->states[i] == DONE)
            learnt[schedule->leader[i]] = FINISHED;
    for (size_t i = 0; i < n; i++) {
        enum learnt *same = schedule->leader ? &learnt[schedule->leader[points[i]]] : NULL;
        waits[i] = same && *same == LEFT;
        if (same && *same == NOBODY)
            *same = LEFT;
    }
    free(learnt);
}
