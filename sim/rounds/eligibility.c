/* Which clients the server may select at a time: by availability, where the server sees it, by their
 * earlier participations and what they have spent of their caps, and by their clocks. */
#include "platforms/edges/edge_failures.h"
#include "sim/rounds/simulation_internal.h"

#include <math.h>

/* A client whose window and sessions do not meet within this is looked at again later. */
#define FAR_S (FRS_CHECK_IN_MOST_S + FRS_DAY_S)

static const struct frs_accounts *accounts_of(const struct frs_simulation *s) {
    return frs_coordinator_accounts(s->settings.coordinator);
}

bool frs_simulation_restricts(const struct frs_simulation *s) {
    return s->rests || accounts_of(s) || s->setup->edges.failures ||
           frs_pacing_goes_by_clients_clocks(&s->setup->pacing);
}

bool frs_simulation_admits_by_time(const struct frs_simulation *s) {
    return !s->setup->sees_availability || frs_reachability_goes_by_time(&s->setup->reachability);
}

/* Whether what a client moves at this time is metered; *until_s: as long as that is so. */
static bool is_metered(const struct frs_simulation *s, uint32_t client, double time_s, double *until_s) {
    *until_s = INFINITY;
    if (isinf(s->setup->caps.metered_bytes) || isinf(time_s))
        return false;
    struct frs_device_state device = frs_reachability_device(&s->setup->reachability, client, time_s);
    *until_s = device.link_until_s;
    return device.link == FRS_LINK_METERED;
}

double frs_simulation_capped_until_s(
    const struct frs_simulation *s, uint32_t client, double time_s, double *until_s) {
    const struct frs_accounts *accounts = accounts_of(s);
    double fits_s = frs_accounts_until_s(accounts, client, time_s);
    if (!is_metered(s, client, time_s, until_s))
        return fits_s;
    return fmax(fits_s, fmin(frs_accounts_metered_until_s(accounts, client, time_s), *until_s));
}

/* Checks rests, caps and clock; the result has the same meaning as that of frs_reachable(). What is
 * expected of clients that have spent nothing yet may change; the index sees this with the next period at
 * the latest. */
/* An edge that is away is seen to be, because the server is connected to it; *until_s: up to then the answer
 * stays so. Returns the first time, not before time_s, at which the client's edge is up. */
static double edge_up_s(const struct frs_simulation *s, uint32_t client, double time_s, double *until_s) {
    const struct frs_edges *edges = &s->setup->edges;
    *until_s = INFINITY;
    if (!edges->failures)
        return time_s;
    uint32_t edge = edges->of_client[client];
    double up_s = frs_edge_failures_up_s(edges->failures, edge, time_s);
    *until_s = frs_edge_failures_next_s(edges->failures, edge, up_s);
    return up_s;
}

static bool allows(const struct frs_simulation *s, uint32_t client, double time_s, double *until_s) {
    const struct frs_pacing *pacing = &s->setup->pacing;
    const struct frs_accounts *accounts = accounts_of(s);
    double link_until_s, edge_until_s, rested_s = frs_rests_until_s(s->rests, client, time_s);
    rested_s = fmax(rested_s, frs_simulation_capped_until_s(s, client, rested_s, &link_until_s));
    rested_s = edge_up_s(s, client, rested_s, &edge_until_s);
    *until_s = rested_s > time_s ? rested_s
               : accounts        ? fmin(frs_accounts_period_end_s(accounts, time_s), link_until_s)
                                 : INFINITY;
    if (!(rested_s > time_s))
        *until_s = fmin(*until_s, edge_until_s);
    if (!frs_pacing_goes_by_clients_clocks(pacing))
        return !(rested_s > time_s);
    double clock_s = frs_reachability_clock_s(&s->setup->reachability, client), changes_s;
    bool in_window = frs_day_window_at(&pacing->window, time_s + clock_s, &changes_s);
    changes_s = fmax(changes_s - clock_s, nextafter(time_s, INFINITY));
    if (rested_s > time_s)
        *until_s = in_window ? rested_s : fmax(rested_s, changes_s);
    else
        *until_s = fmin(*until_s, changes_s);
    return in_window && !(rested_s > time_s);
}

static bool at(const struct frs_simulation *s, uint32_t client, double time_s, double *until_s) {
    double online_until_s = INFINITY;
    bool allowed = !frs_simulation_restricts(s) || allows(s, client, time_s, until_s);
    if (!frs_simulation_restricts(s))
        *until_s = INFINITY;
    if (!s->setup->sees_availability)
        return allowed;
    bool online =
        frs_reachable(&s->setup->reachability, client, s->round, s->attempt, time_s, &online_until_s);
    if (online && allowed)
        *until_s = fmin(*until_s, online_until_s);
    else if (!online)
        *until_s = allowed ? online_until_s : fmax(*until_s, online_until_s);
    return online && allowed;
}

bool frs_simulation_admits_at(const struct frs_simulation *s, uint32_t client, double time_s) {
    double until_s;
    if (frs_simulation_restricts(s) && !allows(s, client, time_s, &until_s))
        return false;
    return !s->setup->sees_availability ||
           frs_reachable_now(&s->setup->reachability, client, s->round, s->attempt, time_s);
}

bool frs_simulation_admits_now(const struct frs_simulation *s, uint32_t client) {
    return frs_simulation_admits_at(s, client, s->now_s);
}

bool frs_simulation_admits(const struct frs_simulation *s, uint32_t client, double time_s, double *until_s) {
    double later_s;
    if (at(s, client, time_s, until_s))
        return true;
    while (
        *until_s < time_s + FAR_S && frs_simulation_admits_by_time(s) && !at(s, client, *until_s, &later_s))
        *until_s = later_s;
    return false;
}

/* Under availability that answers per attempt a client that rests is not looked at before it has. */
double frs_simulation_admitted_s(const struct frs_simulation *s, uint32_t client) {
    double until_s, rested_s = s->now_s;
    if (frs_simulation_admits_by_time(s))
        return frs_simulation_admits(s, client, s->now_s, &until_s) ? s->now_s : until_s;
    if (frs_simulation_restricts(s) && !allows(s, client, s->now_s, &until_s))
        rested_s = until_s;
    return rested_s > s->now_s
               ? rested_s
               : frs_reachable_next_s(&s->setup->reachability, client, s->round, s->attempt, s->now_s);
}
