#include "sim/sweep/tasks.h"
#include "sim/base/memory.h"

#include <stdlib.h>

/* A point that is left. */
struct place {
    size_t leader, point;
    bool waits; /* another one that is left learns the same before it */
};

static int by_leader(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    if (x->leader != y->leader)
        return x->leader < y->leader ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

static int by_number(const void *a, const void *b) {
    const size_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int by_wave(const void *a, const void *b) {
    const struct frs_task *x = a, *y = b;
    if (x->waits != y->waits)
        return x->waits ? 1 : -1;
    return by_number(x->points, y->points);
}

static struct place *find_places(const struct frs_schedule *schedule, size_t *n) {
    size_t *points;
    *n = frs_schedule_left(schedule, &points);
    bool *waits = frs_alloc(*n, sizeof *waits);
    struct place *places = frs_alloc(*n, sizeof *places);
    frs_schedule_waits(schedule, points, *n, waits);
    for (size_t i = 0; i < *n; i++)
        places[i] = (struct place){frs_schedule_leader(schedule, points[i]), points[i], waits[i]};
    free(points);
    free(waits);
    qsort(places, *n, sizeof *places, by_leader);
    return places;
}

/* Whether one of the points waits for one that is in another task: the first of its kind is not here. */
static bool waits(const struct place *places, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (places[i].waits && (i == 0 || places[i - 1].leader != places[i].leader))
            return true;
    return false;
}

struct frs_tasks frs_tasks_pack(
    const struct frs_schedule *schedule, const double *point_s, double task_s, size_t at_once) {
    struct frs_tasks packed = {0};
    struct place *places = find_places(schedule, &packed.n_points);
    packed.tasks = frs_alloc(packed.n_points, sizeof *packed.tasks);
    for (size_t first = 0, end; first < packed.n_points; first = end) {
        double sum_s = point_s ? point_s[places[first].point] : 0;
        for (end = first + 1; point_s && end < packed.n_points; end++) {
            sum_s += point_s[places[end].point];
            if (sum_s > task_s * (double)at_once)
                break;
        }
        struct frs_task *task = &packed.tasks[packed.n++];
        *task = (struct frs_task){.points = frs_alloc(end - first, sizeof *task->points),
            .n = end - first,
            .waits = waits(places + first, end - first)};
        for (size_t i = first; i < end; i++)
            task->points[i - first] = places[i].point;
        qsort(task->points, task->n, sizeof *task->points, by_number);
    }
    qsort(packed.tasks, packed.n, sizeof *packed.tasks, by_wave);
    free(places);
    return packed;
}

void frs_tasks_fini(struct frs_tasks *tasks) {
    for (size_t i = 0; i < tasks->n; i++)
        free(tasks->tasks[i].points);
    free(tasks->tasks);
    *tasks = (struct frs_tasks){0};
}
