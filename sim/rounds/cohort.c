/* Which clients are selected in a round, and when one more client can be. */
#include "sim/base/memory.h"
#include "sim/rounds/simulation_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool frs_simulation_reaches(const struct frs_simulation *s, uint32_t client, double *until_s) {
    return frs_reachable(&s->setup->reachability, client, s->round, s->attempt, s->now_s, until_s);
}

bool frs_simulation_rules_out(const struct frs_simulation *s, uint32_t client) {
    const struct frs_open_entry *last = frs_open_rows_last_entry(s->open_rows, client);
    return (last && last->p.busy) || (s->barred && s->barred[client]);
}

void frs_simulation_freed(void *context, struct frs_participation *p) {
    struct frs_simulation *s = context;
    p->busy = true; /* until now */
    frs_simulation_count_clients(s, p->times.known_s);
    p->busy = false;
    frs_simulation_spend(s, p, !s->deliveries);
    if (s->rests)
        frs_rests_note(s->rests, p);
    if (s->reachable && !frs_simulation_rules_out(s, p->client))
        frs_reachable_clients_give(s->reachable, p->client);
}

static const struct frs_accounts *accounts_of(const struct frs_simulation *s) {
    return frs_coordinator_accounts(s->settings.coordinator);
}

/* The index may not have heard yet that more is expected of a client. */
static bool fits_caps(const struct frs_simulation *s, uint32_t client) {
    double until_s;
    return frs_simulation_capped_until_s(s, client, s->now_s, &until_s) <= s->now_s;
}

static bool is_askable(void *context, uint32_t client) {
    const struct frs_simulation *s = context;
    return frs_reachable_clients_has(s->reachable, client) && fits_caps(s, client);
}

static bool is_eligible(void *context, uint32_t client) {
    const struct frs_simulation *s = context;
    return !frs_simulation_rules_out(s, client) && frs_simulation_admits_now(s, client);
}

/* Every client can be selected that is not ruled out by rules of its own. */
static bool admits_all(const struct frs_simulation *s) {
    return !frs_simulation_restricts(s) &&
           (!s->setup->sees_availability || frs_reachability_is_trivial(&s->setup->reachability));
}

static void ask_for_groups(struct frs_simulation *s) {
    uint32_t *groups = frs_alloc(s->setup->training.data->population.n_clients, sizeof *groups);
    uint32_t n_groups = frs_journaled_trainer_groups(s->trainer, groups);
    frs_coordinator_set_groups(s->settings.coordinator, groups, n_groups);
    free(groups);
}

/* Selects from the index. If there are no more clients than are wanted, a selection without a rule of its
 * own takes all of them, whatever it draws. */
static size_t select_askable(struct frs_simulation *s, size_t n) {
    size_t n_askable;
    frs_reachable_clients_until(s->reachable, s->now_s);
    const uint32_t *reachable = frs_reachable_clients_list(s->reachable, &n_askable);
    if (n_askable == 0)
        return 0;
    if (n_askable > n || s->setup->selection->leaves_out || accounts_of(s))
        return frs_coordinator_select(
            s->settings.coordinator, s->round, s->attempt, (uint32_t)n, is_askable, s, s->cohort);
    memcpy(s->cohort, reachable, n_askable * sizeof *reachable);
    frs_coordinator_note_asked(s->settings.coordinator, s->round, (uint32_t)n_askable, s->cohort);
    return n_askable;
}

size_t frs_simulation_select(struct frs_simulation *s, size_t n) {
    const struct frs_setup *setup = s->setup;
    bool all = admits_all(s) && s->n_unsettled == 0 && !s->barred;
    if (setup->selection->uses_groups)
        ask_for_groups(s);
    if (s->reachable && frs_simulation_overlaps(s))
        return select_askable(s, n);
    return frs_coordinator_select(
        s->settings.coordinator, s->round, s->attempt, (uint32_t)n, all ? NULL : is_eligible, s, s->cohort);
}

static bool admits(const void *context, uint32_t client, double now_s, double *until_s) {
    return frs_simulation_admits(context, client, now_s, until_s);
}

struct frs_reachable_clients *frs_simulation_index(struct frs_simulation *s) {
    uint32_t n_clients = s->setup->training.data->population.n_clients;
    if (!frs_simulation_admits_by_time(s))
        return NULL;
    if (!s->reachable) {
        s->reachable = frs_reachable_clients_create(n_clients, admits, s);
        for (uint32_t client = 0; client < n_clients; client++)
            if (!frs_simulation_rules_out(s, client))
                frs_reachable_clients_give(s->reachable, client);
    }
    frs_reachable_clients_until(s->reachable, s->now_s);
    return s->reachable;
}

/* The index is built the first time that clients are missing. Before that a selection checks only a few
 * clients and needs no times. */
static void index_askable(struct frs_simulation *s) {
    if (!s->reachable && frs_simulation_overlaps(s) &&
        (s->setup->sees_availability || frs_simulation_restricts(s)))
        frs_simulation_index(s);
}

static uint32_t count_each(const struct frs_simulation *s, uint32_t most) {
    uint32_t n = 0;
    for (uint32_t client = 0; n < most && client < s->setup->training.data->population.n_clients; client++)
        n += is_eligible((void *)(uintptr_t)s, client);
    return n;
}

static uint32_t count_askable(const struct frs_simulation *s, uint32_t most) {
    size_t n_listed;
    const uint32_t *listed = frs_reachable_clients_list(s->reachable, &n_listed);
    uint32_t n = 0;
    if (!accounts_of(s))
        return n_listed < most ? (uint32_t)n_listed : most;
    for (size_t i = 0; n < most && i < n_listed; i++)
        n += fits_caps(s, listed[i]);
    return n;
}

/* Without noting anything. A selection with a rule of its own tells how many it would take. */
static uint32_t count_selected(struct frs_simulation *s, uint32_t n, bool all) {
    if (s->setup->selection->uses_groups)
        ask_for_groups(s);
    return frs_coordinator_would_select(
        s->settings.coordinator, s->round, s->attempt, n, all ? NULL : is_eligible, s, s->cohort);
}

/* Most of the time enough are there, which the selection of a cohort shows without an index. */
uint32_t frs_simulation_count(struct frs_simulation *s, uint32_t most) {
    uint32_t n = s->setup->policy_settings.n_selected;
    bool draws = !s->setup->selection->varies && most <= n, own_rule = s->setup->selection->leaves_out;
    if (admits_all(s) && s->n_unsettled == 0 && !s->barred && !own_rule)
        return most;
    if (!s->reachable && draws) {
        uint32_t found = count_selected(s, n, false);
        if (found >= most || own_rule)
            return found;
    }
    if (!frs_simulation_index(s))
        return count_each(s, most);
    uint32_t n_askable = count_askable(s, most);
    return own_rule && n_askable >= most ? count_selected(s, n, false) : n_askable;
}

static bool is_missing(void *context, uint32_t client) {
    const struct frs_simulation *s = context;
    double until_s;
    return !frs_simulation_rules_out(s, client) && !frs_simulation_admits(s, client, s->now_s, &until_s);
}

/* The selection would take none of the clients that are online, at any time; a client that it would take may
 * still come online. */
static double next_to_be_taken_s(struct frs_simulation *s) {
    uint32_t n = s->setup->training.data->population.n_clients, *clients = frs_alloc(n, sizeof *clients);
    double next_s = INFINITY;
    n = frs_coordinator_would_select(
        s->settings.coordinator, s->round, s->attempt, n, is_missing, s, clients);
    for (uint32_t i = 0; i < n; i++) {
        double comes_s = frs_simulation_admitted_s(s, clients[i]);
        next_s = comes_s > s->now_s ? fmin(next_s, comes_s) : next_s;
    }
    free(clients);
    return next_s;
}

/* Caps may hold back clients that the index lists. */
double frs_simulation_next_indexed_s(struct frs_simulation *s) {
    frs_reachable_clients_until(s->reachable, s->now_s);
    double next_s = frs_reachable_clients_next_s(s->reachable), until_s;
    size_t n_listed;
    const uint32_t *listed = frs_reachable_clients_list(s->reachable, &n_listed);
    for (size_t i = 0; accounts_of(s) && i < n_listed; i++) {
        double fits_s = frs_simulation_capped_until_s(s, listed[i], s->now_s, &until_s);
        next_s = fits_s > s->now_s ? fmin(next_s, fits_s) : next_s;
    }
    return next_s;
}

double frs_simulation_next_askable_s(struct frs_simulation *s) {
    index_askable(s);
    if (s->setup->selection->leaves_out && (s->setup->sees_availability || frs_simulation_restricts(s)))
        return next_to_be_taken_s(s);
    if (s->reachable)
        return frs_simulation_next_indexed_s(s);
    const struct frs_reachability *reachability = &s->setup->reachability;
    double next_s = INFINITY;
    if (s->n_unsettled == 0 && !s->barred && !frs_simulation_restricts(s))
        next_s = frs_reachable_next_any_s(reachability, s->round, s->attempt, s->now_s);
    else
        for (uint32_t client = 0; client < s->setup->training.data->population.n_clients; client++)
            if (!frs_simulation_rules_out(s, client))
                next_s = fmin(next_s, frs_simulation_admitted_s(s, client));
    return next_s > s->now_s ? next_s : INFINITY;
}

bool frs_simulation_has_taken(const struct frs_simulation *s) {
    for (uint32_t client = 0; s->n_unsettled > 0 && client < s->setup->training.data->population.n_clients;
         client++) {
        const struct frs_open_entry *last = frs_open_rows_last_entry(s->open_rows, client);
        if (last && last->p.busy)
            return true;
    }
    return false;
}

bool frs_simulation_left_to_chance(struct frs_simulation *s) {
    bool all = s->n_unsettled == 0 && !s->barred && admits_all(s);
    if (!s->setup->selection->varies)
        return false;
    for (uint32_t client = 0; client < s->setup->training.data->population.n_clients; client++)
        if (all || is_eligible(s, client))
            return true;
    return false;
}
