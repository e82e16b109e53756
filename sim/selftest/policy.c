/* Contract of round policies: settings make sense, and rounds close whatever happens to clients. */
#include "actors/policy.h"
#include "sim/base/errors.h"
#include "sim/selftest/entry.h"
#include "sim/selftest/kinds.h"
#include "sim/selftest/rounds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POLICY_H "actors/policy.h, "

static struct frs_policy_settings read_settings(
    struct frs_check *check, const struct frs_policy *policy, uint32_t cohort, bool run_on) {
    const struct frs_policy_setup setup = {.n_clients = 1000, .cohort = cohort, .run_on = run_on};
    struct frs_values values = frs_trial_values(check, &policy->plugin, NULL);
    struct frs_errors errors = {0};
    struct frs_policy_settings settings = frs_policy_read(policy, &values, &setup, &errors);
    if (errors.n > 0)
        frs_check_impossible(check, "its settings are refused: %s", errors.lines[0]);
    frs_values_fini(&values);
    return settings;
}

static void check_time(struct frs_check *check, const char *name, double time_s) {
    frs_clause(check, POLICY_H "settings", "times are from 0");
    FRS_HOLDS(check, time_s >= 0, "%s is %g", name, time_s);
}

static void settings_make_sense(struct frs_check *check, const struct frs_policy *policy) {
    for (uint32_t cohort = 1; cohort <= 100; cohort = cohort * 3 + 1) {
        struct frs_policy_settings s = read_settings(check, policy, cohort, false);
        frs_clause(check, POLICY_H "n_selected", "a round has clients, and all of them exist");
        FRS_HOLDS(check, s.n_selected >= 1 && s.n_selected <= 1000, "%u of 1000 with a cohort of %u",
            s.n_selected, cohort);
        frs_clause(
            check, POLICY_H "n_needed", "a round waits for an upload, and for no more than are selected");
        FRS_HOLDS(check, s.n_needed >= 1 && (policy->asynchronous || s.n_needed <= s.n_selected), "%u of %u",
            s.n_needed, s.n_selected);
        frs_clause(check, POLICY_H "quorum", "a quorum is no more than are selected");
        FRS_HOLDS(check, s.quorum <= s.n_selected && s.min_uploads <= s.n_selected, "%u and %u of %u",
            s.quorum, s.min_uploads, s.n_selected);
        frs_clause(check, POLICY_H "share", "a share is from 0 to 1");
        FRS_HOLDS(check, s.share >= 0 && s.share <= 1, "%g", s.share);
        check_time(check, "after_s", s.after_s);
        check_time(check, "grace_s", s.grace_s);
        check_time(check, "then_s", s.then_s);
        frs_clause(check, POLICY_H "max_attempts", "a round that can be abandoned has a last attempt");
        FRS_HOLDS(check, s.quorum == 0 || s.max_attempts >= 1, "%u attempts with a quorum of %u",
            s.max_attempts, s.quorum);
    }
}

/* ---- rounds ----------------------------------------------------------------------------------- */

static const char *const fates[] = {[FRS_TRIAL_SOUND] = "where all deliver",
    [FRS_TRIAL_LOSSY] = "where a third drop out",
    [FRS_TRIAL_LOST] = "where all drop out",
    [FRS_TRIAL_SLOW] = "where one computes for a day",
    [FRS_TRIAL_TIED] = "where all deliver at the same instant"};

/* Under an asynchronous policy the end of the run leaves some. */
static bool policy_leaves(const struct frs_trial_rounds *rounds) {
    return rounds->policy->leaves_stragglers || rounds->policy->asynchronous;
}

static void check_client(
    struct frs_check *check, const struct frs_trial_rounds *rounds, size_t opening, size_t i) {
    const struct frs_trial_client *client = &rounds->clients[opening][i];
    enum frs_outcome outcome = client->p.result.outcome;
    const char *where = fates[rounds->fate], *name = frs_outcome_names[outcome];
    frs_clause(check, POLICY_H "collect", "what becomes of a participation is settled once");
    FRS_HOLDS(check, client->n_settled == 1 && outcome != FRS_PENDING,
        "client %zu of opening %zu is settled %zu times, %s (%s)", i, opening + 1, client->n_settled, name,
        where);
    frs_clause(check, POLICY_H "collect", "an upload is aggregated once, if it has arrived");
    bool late = outcome == FRS_LATE && rounds->settings.accepts_late,
         arrived = outcome == FRS_DELIVERED || late;
    FRS_HOLDS(check, client->n_arrivals <= 1 && (client->n_arrivals == 0 || arrived),
        "client %zu of opening %zu is aggregated %zu times, %s (%s)", i, opening + 1, client->n_arrivals,
        name, where);
    frs_clause(check, POLICY_H "leaves_stragglers",
        "no client is cut or late where the policy leaves no stragglers");
    bool left = outcome == FRS_CUT || outcome == FRS_LATE;
    FRS_HOLDS(check, policy_leaves(rounds) || !left, "client %zu of opening %zu is %s (%s)", i, opening + 1,
        name, where);
}

static void check_rounds(struct frs_check *check, const struct frs_trial_rounds *rounds) {
    const struct frs_policy *policy = rounds->policy;
    const char *where = fates[rounds->fate];
    frs_clause(check, POLICY_H "collect", "every round closes, once");
    if (policy->asynchronous)
        FRS_HOLDS(check,
            (rounds->n_closed >= 1 || rounds->fate == FRS_TRIAL_LOST) && rounds->n_closed <= rounds->n_rounds,
            "%zu aggregations of %zu (%s)", rounds->n_closed, rounds->n_rounds, where);
    else
        FRS_HOLDS(check, rounds->n_closed == rounds->n_opened && rounds->n_opened == rounds->n_rounds,
            "%zu of %zu rounds closed, %zu were opened (%s)", rounds->n_closed, rounds->n_rounds,
            rounds->n_opened, where);
    frs_clause(check, POLICY_H "collect", "rounds close after they have opened, one after the other");
    for (size_t i = 0; i < rounds->n_closed; i++) {
        double from_s = policy->asynchronous ? rounds->opened_s[0] : rounds->opened_s[i],
               to_s = rounds->closed_s[i];
        FRS_HOLDS(check,
            isfinite(to_s) && to_s >= from_s && to_s <= rounds->end_s &&
                (i == 0 || to_s >= rounds->closed_s[i - 1]),
            "round %zu from %g s to %g s of %g s (%s)", i + 1, from_s, to_s, rounds->end_s, where);
    }
    frs_clause(check, POLICY_H "collect", "uploads are aggregated in ascending client id");
    FRS_HOLDS(check, rounds->is_ascending, "they are not (%s)", where);
    frs_clause(check, POLICY_H "truncates", "clients stop early only where the policy truncates");
    FRS_HOLDS(check, policy->truncates || !rounds->was_truncated, "they do (%s)", where);
    size_t n_openings = policy->asynchronous ? 1 : rounds->n_opened;
    for (size_t opening = 0; opening < n_openings; opening++)
        for (size_t i = 0; i < (policy->asynchronous ? rounds->n_started : rounds->n); i++)
            check_client(check, rounds, opening, i);
}

/* Two simulations saw the same. */
static void check_same(
    struct frs_check *check, const struct frs_trial_rounds *a, const struct frs_trial_rounds *b) {
    frs_clause(check, POLICY_H "collect", "the same clients give the same rounds");
    FRS_HOLDS(check, a->n_closed == b->n_closed && a->end_s == b->end_s,
        "%zu rounds until %.17g s, and %zu until %.17g s", a->n_closed, a->end_s, b->n_closed, b->end_s);
    for (size_t i = 0; i < a->n_closed && i < FRS_TRIAL_ROUNDS; i++)
        FRS_HOLDS(check, a->closed_s[i] == b->closed_s[i], "round %zu closes at %.17g s, and at %.17g s",
            i + 1, a->closed_s[i], b->closed_s[i]);
}

static void play(struct frs_check *check, struct frs_trial_rounds *rounds, const struct frs_policy *policy,
    enum frs_trial_fate fate, uint32_t cohort, bool run_on) {
    struct frs_policy_settings settings = read_settings(check, policy, cohort, run_on);
    size_t n = policy->asynchronous ? FRS_TRIAL_CLIENTS : settings.n_selected;
    memset(rounds, 0, sizeof *rounds);
    rounds->policy = policy;
    rounds->settings = settings;
    rounds->n_rounds = FRS_TRIAL_ROUNDS;
    rounds->n = n < FRS_TRIAL_CLIENTS ? n : FRS_TRIAL_CLIENTS;
    rounds->fate = fate;
    frs_clause(check, POLICY_H "collect", "a round never hangs, whatever happens");
    frs_trial_rounds_play(check, rounds);
    FRS_HOLDS(check, rounds->over, "the simulation did not end (%s)", fates[fate]);
    check_rounds(check, rounds);
}

/* Some keys are read where late uploads are possible, and some where they are not. */
static void read(void *context, const struct frs_values *values) {
    const struct frs_policy *policy = context;
    for (int run_on = 0; run_on < 2; run_on++) {
        const struct frs_policy_setup setup = {.n_clients = 1000, .cohort = 10, .run_on = run_on};
        struct frs_errors errors = {0};
        frs_policy_read(policy, values, &setup, &errors);
        frs_errors_clear(&errors);
    }
}

void frs_check_policy(struct frs_check *check, const struct frs_plugin *plugin) {
    /* The plug-in is the first member of its policy. */
    const struct frs_policy *policy = (const struct frs_policy *)(const void *)plugin;
    struct frs_trial_rounds *rounds = frs_trial_rounds_create(), *again = frs_trial_rounds_create();
    const struct frs_key_reader reader = {
        .where = POLICY_H "read", .read = read, .context = (void *)(uintptr_t)policy};
    frs_check_keys(check, plugin, &reader);
    settings_make_sense(check, policy);
    for (int fate = 0; fate < FRS_N_TRIAL_FATES; fate++)
        play(check, rounds, policy, (enum frs_trial_fate)fate, 10, false);
    play(check, rounds, policy, FRS_TRIAL_SOUND, 1, false);
    if (policy->leaves_stragglers)
        play(check, rounds, policy, FRS_TRIAL_SOUND, 10, true);
    play(check, rounds, policy, FRS_TRIAL_LOSSY, 10, false);
    play(check, again, policy, FRS_TRIAL_LOSSY, 10, false);
    check_same(check, rounds, again);
    frs_trial_rounds_destroy(rounds);
    frs_trial_rounds_destroy(again);
}
