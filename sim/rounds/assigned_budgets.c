#include "sim/rounds/assigned_budgets.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

const char *const frs_grant_end_names[FRS_N_GRANT_ENDS] = {[FRS_GRANT_IN_TIME] = "in_time",
    [FRS_GRANT_LATE] = "late",
    [FRS_GRANT_CUT] = "cut",
    [FRS_GRANT_LOST] = "lost"};

struct frs_grants {
    struct frs_grant_totals totals;
    uint64_t *times;
    struct frs_grant_sums *clients;
};

struct frs_grants *frs_grants_create(uint32_t n_clients, uint32_t range_max) {
    struct frs_grants *grants = frs_alloc(1, sizeof *grants);
    grants->times = frs_alloc((size_t)range_max + 1, sizeof *grants->times);
    grants->clients = frs_alloc(n_clients, sizeof *grants->clients);
    grants->totals =
        (struct frs_grant_totals){.range_max = range_max, .min = range_max, .times = grants->times};
    return grants;
}

void frs_grants_destroy(struct frs_grants *grants) {
    if (!grants)
        return;
    free(grants->times);
    free(grants->clients);
    free(grants);
}

static void add(struct frs_grant_sums *sums, uint32_t budget) {
    sums->n++;
    sums->budget += budget;
}

void frs_grants_add(struct frs_grants *grants, uint32_t client, uint32_t budget) {
    struct frs_grant_totals *totals = &grants->totals;
    add(&totals->sums, budget);
    add(&grants->clients[client], budget);
    grants->times[budget]++;
    totals->min = budget < totals->min ? budget : totals->min;
    totals->max = budget > totals->max ? budget : totals->max;
}

static enum frs_grant_end end_of(const struct frs_participation *p) {
    switch (p->result.outcome) {
    case FRS_DELIVERED:
        return FRS_GRANT_IN_TIME;
    case FRS_LATE:
        return FRS_GRANT_LATE;
    case FRS_CUT:
        return FRS_GRANT_CUT;
    default:
        return FRS_GRANT_LOST;
    }
}

static void compare(struct frs_grant_predictions *sums, double predicted_s, double actual_s, double error_s) {
    sums->n++;
    sums->predicted_s += predicted_s;
    sums->actual_s += actual_s;
    sums->error_s += error_s;
}

/* One that was cut before its messages left the server has not been waited for. How long a lost client took until then says
 * nothing of how long it would have taken. */
void frs_grants_settle(struct frs_grants *grants, const struct frs_participation *p) {
    struct frs_grant_totals *totals = &grants->totals;
    const struct frs_grant *grant = &p->plan.grant;
    enum frs_grant_end end = end_of(p);
    double lasted_s = p->dates.ended_s - p->dates.started_s, short_s = lasted_s - grant->predicted_s;
    totals->ends[end]++;
    totals->sums.in_time += end == FRS_GRANT_IN_TIME;
    grants->clients[p->client].in_time += end == FRS_GRANT_IN_TIME;
    if (end == FRS_GRANT_LOST || !isfinite(short_s))
        return;
    if (end == FRS_GRANT_CUT) {
        compare(&totals->cut, grant->predicted_s, lasted_s, fmax(short_s, 0));
        return;
    }
    compare(&totals->arrived, grant->predicted_s, lasted_s, fabs(short_s));
    totals->saved_bytes +=
        (grant->largest_bytes - grant->foreseen_bytes) * (double)p->charge.up_bytes / grant->foreseen_bytes;
}

const struct frs_grant_totals *frs_grants_totals(const struct frs_grants *grants) {
    return &grants->totals;
}

const struct frs_grant_sums *frs_grants_client(const struct frs_grants *grants, uint32_t client) {
    return &grants->clients[client];
}
