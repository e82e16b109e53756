#include "actors/opening/rests.h"
#include "actors/extremes.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

struct frs_rests {
    const struct frs_pacing *pacing;
    double *ready_s; /* [n_clients], with a cool-down */
    double *day;     /* [n_clients] of the last participation, counted from the run's start, and */
    uint32_t *n;     /* how many that day has had; both with a limit a day */
};

struct frs_rests *frs_rests_create(const struct frs_pacing *pacing, uint32_t n_clients) {
    if (!frs_pacing_limits_clients(pacing))
        return NULL;
    struct frs_rests *rests = frs_alloc(1, sizeof *rests);
    *rests = (struct frs_rests){.pacing = pacing};
    if (pacing->cool_down_s > 0)
        rests->ready_s = frs_alloc(n_clients, sizeof *rests->ready_s);
    if (pacing->per_day > 0) {
        rests->day = frs_alloc(n_clients, sizeof *rests->day);
        rests->n = frs_alloc(n_clients, sizeof *rests->n);
    }
    return rests;
}

void frs_rests_destroy(struct frs_rests *rests) {
    if (!rests)
        return;
    free(rests->ready_s);
    free(rests->day);
    free(rests->n);
    free(rests);
}

static double day_of(const struct frs_rests *rests, double time_s) {
    return floor((time_s + rests->pacing->start_s) / FRS_DAY_S);
}

void frs_rests_note(struct frs_rests *rests, const struct frs_participation *p) {
    if (p->result.outcome == FRS_UNAVAILABLE || p->result.outcome == FRS_REFUSED)
        return;
    if (rests->ready_s)
        rests->ready_s[p->client] = p->times.known_s + rests->pacing->cool_down_s;
    if (!rests->day)
        return;
    double day = day_of(rests, p->times.selected_s);
    rests->n[p->client] =
        rests->n[p->client] > 0 && rests->day[p->client] == day ? rests->n[p->client] + 1 : 1;
    rests->day[p->client] = day;
}

double frs_rests_until_s(const struct frs_rests *rests, uint32_t client, double now_s) {
    if (rests && rests->ready_s)
        now_s = frs_larger(now_s, rests->ready_s[client]);
    if (rests && rests->day && rests->n[client] >= rests->pacing->per_day &&
        day_of(rests, now_s) <= rests->day[client])
        now_s = (rests->day[client] + 1) * FRS_DAY_S - rests->pacing->start_s; /* midnight */
    return now_s;
}
