#include "sim/rounds/assigned_budgets.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

const char *const frs_assigned_budget_end_names[FRS_N_ASSIGNED_BUDGET_ENDS] = {
    [FRS_ASSIGNED_IN_TIME] = "in_time",
    [FRS_ASSIGNED_LATE] = "late",
    [FRS_ASSIGNED_CUT] = "cut",
    [FRS_ASSIGNED_LOST] = "lost"};

struct frs_assigned_budgets {
    struct frs_assigned_budget_totals totals;
    uint64_t *times;
    struct frs_assigned_budget_sums *clients;
};

struct frs_assigned_budgets *frs_assigned_budgets_create(uint32_t n_clients, uint32_t range_max) {
    struct frs_assigned_budgets *assigned_budgets = frs_alloc(1, sizeof *assigned_budgets);
    assigned_budgets->times = frs_alloc((size_t)range_max + 1, sizeof *assigned_budgets->times);
    assigned_budgets->clients = frs_alloc(n_clients, sizeof *assigned_budgets->clients);
    assigned_budgets->totals = (struct frs_assigned_budget_totals){
        .range_max = range_max, .min = range_max, .times = assigned_budgets->times};
    return assigned_budgets;
}

void frs_assigned_budgets_destroy(struct frs_assigned_budgets *assigned_budgets) {
    if (!assigned_budgets)
        return;
    free(assigned_budgets->times);
    free(assigned_budgets->clients);
    free(assigned_budgets);
}

static void add(struct frs_assigned_budget_sums *sums, uint32_t budget) {
    sums->n++;
    sums->budget += budget;
}

void frs_assigned_budgets_add(
    struct frs_assigned_budgets *assigned_budgets, uint32_t client, uint32_t budget) {
    struct frs_assigned_budget_totals *totals = &assigned_budgets->totals;
    add(&totals->sums, budget);
    add(&assigned_budgets->clients[client], budget);
    assigned_budgets->times[budget]++;
    totals->min = budget < totals->min ? budget : totals->min;
    totals->max = budget > totals->max ? budget : totals->max;
}

static enum frs_assigned_budget_end end_of(const struct frs_participation *p) {
    switch (p->result.outcome) {
    case FRS_DELIVERED:
        return FRS_ASSIGNED_IN_TIME;
    case FRS_LATE:
        return FRS_ASSIGNED_LATE;
    case FRS_CUT:
        return FRS_ASSIGNED_CUT;
    default:
        return FRS_ASSIGNED_LOST;
    }
}

static void compare(
    struct frs_assigned_budget_predictions *sums, double predicted_s, double actual_s, double error_s) {
    sums->n++;
    sums->predicted_s += predicted_s;
    sums->actual_s += actual_s;
    sums->error_s += error_s;
}

/* The server did not wait for a participation that was aborted before its messages left. The time until a
 * client was lost says nothing about its full duration. */
void frs_assigned_budgets_settle(
    struct frs_assigned_budgets *assigned_budgets, const struct frs_participation *p) {
    struct frs_assigned_budget_totals *totals = &assigned_budgets->totals;
    const struct frs_assigned_budget *grant = &p->plan.grant;
    enum frs_assigned_budget_end end = end_of(p);
    double lasted_s = p->times.ended_s - p->times.started_s, short_s = lasted_s - grant->predicted_s;
    totals->ends[end]++;
    totals->sums.in_time += end == FRS_ASSIGNED_IN_TIME;
    assigned_budgets->clients[p->client].in_time += end == FRS_ASSIGNED_IN_TIME;
    if (end == FRS_ASSIGNED_LOST || !isfinite(short_s))
        return;
    if (end == FRS_ASSIGNED_CUT) {
        compare(&totals->cut, grant->predicted_s, lasted_s, fmax(short_s, 0));
        return;
    }
    compare(&totals->arrived, grant->predicted_s, lasted_s, fabs(short_s));
    totals->saved_bytes +=
        (grant->largest_bytes - grant->predicted_bytes) * (double)p->usage.up_bytes / grant->predicted_bytes;
}

const struct frs_assigned_budget_totals *frs_assigned_budgets_totals(
    const struct frs_assigned_budgets *assigned_budgets) {
    return &assigned_budgets->totals;
}

const struct frs_assigned_budget_sums *frs_assigned_budgets_client(
    const struct frs_assigned_budgets *assigned_budgets, uint32_t client) {
    return &assigned_budgets->clients[client];
}
