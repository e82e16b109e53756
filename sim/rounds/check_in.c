/* A round waits: until pacing lets it open, and until enough clients are eligible. */
#include "sim/base/memory.h"
#include "sim/rounds/simulation_internal.h"

#include <math.h>
#include <stdlib.h>

void frs_simulation_end_wait(struct frs_simulation *s) {
    s->wait.begun = false;
    s->wait.most = 0;
}

static struct frs_opening sleep_until(double time_s) {
    return (struct frs_opening){.kind = FRS_OPEN_SLEEP, .until_s = time_s};
}

/* The days begin when the wait does, or when clients that caps or a rest hold back then are free again. */
static double patient_from_s(const struct frs_simulation *s) {
    const struct frs_accounts *accounts = frs_coordinator_accounts(s->settings.coordinator);
    double from_s = s->wait.since_s + s->setup->pacing.cool_down_s;
    if (frs_accounts_held_back(accounts, s->wait.since_s) > 0)
        from_s = fmax(from_s, frs_accounts_period_end_s(accounts, s->wait.since_s));
    return from_s;
}

static struct frs_opening give_up(struct frs_simulation *s) {
    uint32_t needed = frs_check_in_needed(&s->setup->check_in, s->wait.within_s, s->now_s);
    double from_s = patient_from_s(s);
    char *days = from_s > s->wait.since_s
                     ? frs_format("%d days after caps and rests, at %.15g s", FRS_CHECK_IN_MOST_DAYS, from_s)
                     : frs_format("%d days", FRS_CHECK_IN_MOST_DAYS);
    char *why = needed == 1
                    ? frs_format("round %u: no client was eligible within %s", s->round + 1, days)
                    : frs_format("round %u: %u clients were not eligible at once within %s "
                                 "(rounds.selection.at_least): at most %u %s",
                          s->round + 1, needed, days, s->wait.most, s->wait.most == 1 ? "was" : "were");
    frs_simulation_strand(s, why,
        s->round > 0           ? "; the rounds closed so far were kept"
        : s->lost_attempts > 0 ? "; no round was closed, and the attempts at the first were kept"
                               : "; nothing was written");
    free(why);
    free(days);
    return (struct frs_opening){.kind = FRS_OPEN_END};
}

struct frs_opening frs_simulation_sleep(struct frs_simulation *s, double next_s) {
    double last_s = patient_from_s(s) + FRS_CHECK_IN_MOST_S,
           patient_s = s->wait.within_s + s->setup->check_in.wait_s;
    if (s->now_s >= last_s)
        return give_up(s);
    if (patient_s > s->now_s)
        next_s = fmin(next_s, patient_s);
    next_s = fmin(next_s, frs_pacing_changes_s(&s->setup->pacing, s->now_s));
    return sleep_until(fmin(next_s, last_s));
}

/* Returns the next time at which one more client may be eligible. INFINITY: only when a client that is
 * under way has ended, or never. */
static double next_eligible_s(struct frs_simulation *s) {
    if (frs_simulation_index(s))
        return frs_simulation_next_indexed_s(s);
    s->attempt++; /* who is online in this attempt may be offline in the next */
    return s->now_s + frs_reachability_retry_s(&s->setup->reachability);
}

/* Pacing is consulted only once, when the round before has closed. While the round waits for clients, only
 * the window can still keep it from opening. */
static double paced_s(const struct frs_simulation *s) {
    if (frs_simulation_overlaps(s))
        return s->now_s;
    return s->wait.begun ? frs_pacing_window_s(&s->setup->pacing, s->now_s)
                         : frs_pacing_opens_s(&s->setup->pacing, s->now_s);
}

bool frs_simulation_may_open(struct frs_simulation *s, struct frs_opening *instead) {
    double opens_s = paced_s(s);
    if (frs_simulation_overlaps(s) && s->wait.has_opened)
        return true;
    if (opens_s > s->now_s) {
        *instead = s->wait.begun ? frs_simulation_sleep(s, opens_s) : sleep_until(opens_s);
        s->wait.within_s = opens_s;
        s->wait.scheduled_s += fmax(opens_s - fmax(s->now_s, s->wait.scheduled_until_s), 0);
        s->wait.scheduled_until_s = fmax(opens_s, s->wait.scheduled_until_s);
        return false;
    }
    if (!s->wait.begun) {
        s->wait.begun = true;
        s->wait.since_s = s->wait.within_s = s->now_s;
    }
    uint32_t needed = frs_check_in_needed(&s->setup->check_in, s->wait.within_s, s->now_s);
    if (needed == 1)
        return true;
    uint32_t n = frs_simulation_count(s, needed);
    s->wait.most = n > s->wait.most ? n : s->wait.most;
    if (n >= needed)
        return true;
    *instead = frs_simulation_sleep(s, next_eligible_s(s));
    return false;
}
