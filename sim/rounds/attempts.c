/* Attempts at a round: if an attempt was abandoned, or lost by a restart of the server, another follows.
 * The run gives up on a round when rounds.policy.max_attempts attempts were abandoned. */
#include "sim/rounds/simulation_internal.h"

#include <stdio.h>

/* Too many failed attempts. */
static void give_up(struct frs_simulation *s) {
    const struct frs_policy_settings *policy = &s->setup->policy_settings;
    char why[sizeof s->result->why];
    if (policy->quorum > 0)
        snprintf(why, sizeof why,
            "round %u: fewer than %u uploads arrived in each of %u attempts (rounds.policy.quorum, "
            "max_attempts)",
            s->round + 1, policy->quorum, s->void_attempts);
    else
        snprintf(why, sizeof why,
            "round %u: too many clients vanished for their masks to be taken away, in each of %u attempts "
            "(privacy, threshold and max_attempts)",
            s->round + 1, s->void_attempts);
    frs_simulation_strand(s, why,
        s->round > 0 ? "; the rounds closed so far were kept"
                     : "; no round was closed, and the attempts at the first were kept");
}

void frs_simulation_repeat_round(struct frs_simulation *s, const struct frs_closing *closing) {
    s->attempt++;
    s->lost_attempts++;
    s->void_attempts += closing->lost == FRS_CAUSE_VOID_ROUND;
    if (s->void_attempts > 0 && s->void_attempts == s->setup->policy_settings.max_attempts)
        give_up(s);
    frs_simulation_leave_row(s, closing->now_s);
}

void frs_simulation_first_attempt(struct frs_simulation *s) {
    s->attempt = s->lost_attempts = s->void_attempts = 0;
}
