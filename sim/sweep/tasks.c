#include "sim/sweep/tasks.h"
#include "sim/base/memory.h"

#include <stdint.h>
#include <stdlib.h>

/* A point that is left. */
struct place {
    size_t leader, point;
    bool waits;            /* another one that is left learns the same before it */
    size_t cell, earlier;  /* replicates of its cell that it comes after, one by one (frs_schedule_earlier) */
    size_t level;          /* the tasks of a level start when those of all lower ones have ended */
    size_t unit, unit_key; /* places of one unit are in one task; units are sorted by their keys */
};

struct packing {
    struct place *places; /* [n] */
    size_t n;
    const double *point_s; /* NULL: a task is a unit */
    double task_s;
    size_t at_once;
};

/* --- orders --- */

static int compare(size_t a, size_t b) {
    return (a > b) - (a < b);
}

static int by_unit(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    int order = compare(x->level, y->level);
    order = order ? order : compare(x->unit_key, y->unit_key);
    order = order ? order : compare(x->unit, y->unit);
    return order ? order : compare(x->point, y->point);
}

static int by_cell(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    int order = compare(x->cell, y->cell);
    order = order ? order : compare(x->earlier, y->earlier);
    return order ? order : compare(x->point, y->point);
}

static int by_leader(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    int order = compare(x->leader, y->leader);
    return order ? order : compare(x->waits, y->waits);
}

static int by_number(const void *a, const void *b) {
    const size_t *x = a, *y = b;
    return compare(*x, *y);
}

static int by_wave(const void *a, const void *b) {
    const struct frs_task *x = a, *y = b;
    int order = compare(x->wave, y->wave);
    return order ? order : by_number(x->points, y->points);
}

/* --- what belongs together --- */

static struct place *find_places(const struct frs_schedule *schedule, size_t *n) {
    const struct frs_sweep_plan *plan = frs_schedule_plan(schedule);
    size_t *points;
    *n = frs_schedule_left(schedule, &points);
    bool *waits = frs_alloc(*n, sizeof *waits);
    struct place *places = frs_alloc(*n, sizeof *places);
    frs_schedule_waits(schedule, points, *n, waits);
    for (size_t i = 0; i < *n; i++)
        places[i] = (struct place){.leader = frs_schedule_leader(schedule, points[i]),
            .point = points[i],
            .waits = waits[i],
            .cell = plan->points[points[i]].cell,
            .earlier = frs_schedule_earlier(schedule, points[i])};
    free(points);
    free(waits);
    qsort(places, *n, sizeof *places, by_cell);
    return places;
}

static double time_of(const struct packing *packing, size_t i) {
    return packing->point_s ? packing->point_s[packing->places[i].point] : 0;
}

/* Gives the replicates of one cell, places `first` to `end` - 1, their levels and units. Those that start at
 * once are one unit with the first that come one after the other, as far as the time of a task goes; then a
 * level follows for every task's time. Where a task has no room for more than those that start at once, each
 * of these is a unit. */
static void divide_cell(struct packing *packing, size_t first, size_t end) {
    size_t level = 0, at = first;
    double sum_s = 0;
    for (; at < end && packing->places[at].earlier == 0; at++)
        sum_s += time_of(packing, at);
    size_t n_at_once = at - first;
    sum_s /= (double)packing->at_once;
    for (; at < end; at++) {
        struct place *place = &packing->places[at];
        sum_s += time_of(packing, at);
        if (packing->point_s ? sum_s > packing->task_s : true) {
            level++;
            sum_s = time_of(packing, at);
        }
        place->level = level;
        place->unit = place->cell;
        place->unit_key = level > 0 ? place->leader : packing->places[first].leader;
        if (level > 0 && at > first && packing->places[at - 1].level == level)
            place->unit_key = packing->places[at - 1].unit_key;
    }
    bool is_one = n_at_once < end - first && packing->places[first + n_at_once].level == 0;
    for (size_t i = first; i < first + n_at_once; i++) {
        struct place *place = &packing->places[i];
        place->unit = is_one ? place->cell : place->point;
        place->unit_key = is_one ? packing->places[first].leader : place->leader;
    }
}

static void divide(struct packing *packing) {
    for (size_t first = 0, end; first < packing->n; first = end) {
        end = first + 1;
        while (end < packing->n && packing->places[end].cell == packing->places[first].cell)
            end++;
        divide_cell(packing, first, end);
    }
    qsort(packing->places, packing->n, sizeof *packing->places, by_unit);
}

/* --- tasks --- */

static bool same_unit(const struct place *a, const struct place *b) {
    return a->level == b->level && a->unit_key == b->unit_key && a->unit == b->unit;
}

/* Behind the places of the task that begins at `first`: at least one unit. */
static size_t end_of_task(const struct packing *packing, size_t first) {
    const struct place *places = packing->places;
    double sum_s = 0;
    size_t end = first;
    while (end < packing->n && places[end].level == places[first].level) {
        size_t next = end;
        do
            sum_s += time_of(packing, next++);
        while (next < packing->n && same_unit(&places[next], &places[end]));
        bool fits = packing->point_s && sum_s <= packing->task_s * (double)packing->at_once;
        if (end > first && !fits)
            break;
        end = next;
    }
    return end;
}

/* Whether one of the points waits for one that is in another task: the first of its kind is not here. Puts
 * the places into another order. */
static bool waits(struct place *places, size_t n) {
    qsort(places, n, sizeof *places, by_leader);
    for (size_t i = 0; i < n; i++)
        if (places[i].waits && (i == 0 || places[i - 1].leader != places[i].leader))
            return true;
    return false;
}

static struct frs_task make_task(struct place *places, size_t n) {
    struct frs_task task = {.points = frs_alloc(n, sizeof *task.points), .n = n, .wave = 2 * places->level};
    for (size_t i = 0; i < n; i++)
        task.points[i] = places[i].point;
    qsort(task.points, n, sizeof *task.points, by_number);
    task.wave += waits(places, n);
    return task;
}

/* Waves without tasks are left out. */
static void number_waves(struct frs_tasks *tasks) {
    qsort(tasks->tasks, tasks->n, sizeof *tasks->tasks, by_wave);
    for (size_t i = 0, wave = 0, was = SIZE_MAX; i < tasks->n; i++) {
        wave += i > 0 && tasks->tasks[i].wave != was;
        was = tasks->tasks[i].wave;
        tasks->tasks[i].wave = wave;
    }
}

struct frs_tasks frs_tasks_pack(
    const struct frs_schedule *schedule, const double *point_s, double task_s, size_t at_once) {
    struct frs_tasks packed = {0};
    struct packing packing = {.point_s = point_s, .task_s = task_s, .at_once = at_once};
    packing.places = find_places(schedule, &packing.n);
    packed.n_points = packing.n;
    packed.tasks = frs_alloc(packed.n_points, sizeof *packed.tasks);
    divide(&packing);
    for (size_t first = 0, end; first < packing.n; first = end) {
        end = end_of_task(&packing, first);
        packed.tasks[packed.n++] = make_task(packing.places + first, end - first);
    }
    number_waves(&packed);
    free(packing.places);
    return packed;
}

void frs_tasks_fini(struct frs_tasks *tasks) {
    for (size_t i = 0; i < tasks->n; i++)
        free(tasks->tasks[i].points);
    free(tasks->tasks);
    *tasks = (struct frs_tasks){0};
}
