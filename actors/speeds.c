#include "actors/speeds.h"
#include "sim/base/memory.h"

void frs_speeds_add(struct frs_speeds *speeds, double from_s, double speed) {
    speeds->steps = frs_grow(speeds->steps, speeds->n + 1, &speeds->capacity, sizeof *speeds->steps);
    speeds->steps[speeds->n++] = (struct frs_speed_step){from_s, speed};
}

static double until_s(const struct frs_speeds *speeds, size_t i) {
    return i + 1 < speeds->n ? speeds->steps[i + 1].from_s : __builtin_inf();
}

double frs_speeds_work_s(const struct frs_speeds *speeds, double from_s, double to_s) {
    double work_s = 0;
    if (speeds->n == 0)
        return to_s - from_s;
    for (size_t i = 0; i < speeds->n && from_s < to_s; i++) {
        double end_s = until_s(speeds, i) < to_s ? until_s(speeds, i) : to_s;
        if (end_s <= from_s)
            continue;
        work_s += speeds->steps[i].speed * (end_s - from_s);
        from_s = end_s;
    }
    return work_s;
}

double frs_speeds_takes_s(const struct frs_speeds *speeds, double from_s, double work_s) {
    double at_s = from_s;
    for (size_t i = 0; i < speeds->n; i++) {
        double end_s = until_s(speeds, i), speed = speeds->steps[i].speed;
        if (end_s <= at_s)
            continue;
        if (work_s <= speed * (end_s - at_s))
            return at_s - from_s + work_s / speed;
        work_s -= speed * (end_s - at_s);
        at_s = end_s;
    }
    return work_s;
}

double frs_speeds_until_share_s(const struct frs_participation *p, double share) {
    return p->speeds.n == 0
               ? share * p->plan.compute_s
               : frs_speeds_takes_s(&p->speeds, p->times.compute_start_s, share * p->plan.work_s);
}

double frs_speeds_share_after(const struct frs_participation *p, double elapsed_s) {
    if (p->speeds.n == 0)
        return elapsed_s / p->plan.compute_s;
    double from_s = p->times.compute_start_s,
           share = frs_speeds_work_s(&p->speeds, from_s, from_s + elapsed_s) / p->plan.work_s;
    return share < 1 ? share : 1;
}
