#include "sim/forecast/unseen.h"
#include "sim/base/memory.h"
#include "sim/forecast/extent.h"

#include <math.h>
#include <stdlib.h>

/* ---- what there can be ----------------------------------------------------------------------- */

/* A round waits until lost clients are detected, or until its deadline, or, where it goes on to wait for
 * uploads after the deadline, both. */
static double longest_wait_s(const struct frs_setup *setup) {
    const struct frs_policy_settings *policy = &setup->policy_settings;
    bool loses =
        frs_failures_can_strike(&setup->failures) || !frs_reachability_is_trivial(&setup->reachability);
    if (!loses)
        return 0;
    if (policy->after_s > 0)
        return policy->after_s + policy->grace_s + (policy->min_uploads > 0 ? setup->failures.detect_s : 0);
    return setup->failures.detect_s;
}

static double moves_between(const struct frs_reachability *reachability, double from_s, double to_s) {
    double most = 0;
    for (size_t kind = 0; kind < reachability->churn_kinds.n; kind++) {
        const struct frs_churn *churn = &reachability->churns[kind];
        double leave = churn->mean_lifetime_s > 0 ? -expm1((from_s - to_s) / churn->mean_lifetime_s) : 0;
        double join = churn->join_over_s > from_s ? churn->late_share * (1 - from_s / churn->join_over_s) : 0;
        most = fmax(most, fmin(leave + join, 1));
    }
    return most;
}

/* Samples of a stretch whose mean dynamics are taken. */
#define DYNAMICS_SAMPLES 200

/* By how large a share the mean of the dynamics in what is left differs from that of what was played, or what
 * they are at in any part of it; 0 where all of a period was played. */
static double dynamics_between(const struct frs_reachability *reachability, double played_s, double n_played,
    double end_s, double n_rounds) {
    const struct frs_dynamics *dynamics = &reachability->dynamics;
    double played = 0, least = INFINITY, most = 0;
    if (dynamics->kind == FRS_DYNAMICS_STATIONARY ||
        (dynamics->in_rounds ? n_played : played_s) >= dynamics->period)
        return 0;
    for (int i = 0; i < DYNAMICS_SAMPLES; i++) {
        double part = (i + .5) / DYNAMICS_SAMPLES,
               then = frs_reachability_dynamics_at(reachability,
                   (uint32_t)(n_played + part * (n_rounds - n_played)), played_s + part * (end_s - played_s));
        played += frs_reachability_dynamics_at(reachability, (uint32_t)(part * n_played), part * played_s) /
                  DYNAMICS_SAMPLES;
        least = fmin(least, then);
        most = fmax(most, then);
    }
    return played > 0 ? fmax(most / played - 1, 1 - least / played) : 1;
}

/* Rounds from one participation of a client to the next, on average. */
static double rounds_between(const struct frs_setup *setup) {
    return setup->training.data->population.n_clients / fmax(frs_extent_per_round(setup), 1);
}

/* Rounds of a stretch that its mean is taken from at most. */
#define SAMPLED 1000

/* How many updates a download has on average in rounds from `first` to `last`. Clients are drawn at
 * random, so gaps between their participations are exponential. A client that comes back downloads all
 * updates that it missed. A new client downloads as much as `fresh` updates, or, if that is INFINITY, all
 * updates. */
static double caught_up(double between, double first, double last, double fresh) {
    double sum = 0;
    for (size_t i = 0; i < SAMPLED; i++) {
        double round = first + (last - first) * ((double)i + 0.5) / SAMPLED, is_new = exp(-round / between);
        double missed = between * (1 - is_new); /* those that are new have missed all */
        sum += 1 + (isinf(fresh) ? missed : missed + is_new * (fresh - round));
    }
    return sum / SAMPLED;
}

/* Gaps of other selections than a uniform one are longer, by so much at most. */
#define LONGER_GAPS 1.3

/* A client that is sent every update it missed has missed few in the first rounds. */
static double growth(const struct frs_setup *setup, double n_played, double n_rounds, double update_bytes) {
    double between = rounds_between(setup);
    if (!setup->training.learner->sends_updates || setup->training.catchup != FRS_CATCHUP_REPLAY ||
        n_rounds <= n_played)
        return 0;
    bool seeds = setup->training.first_contact == FRS_FIRST_CONTACT_SEED;
    double fresh = seeds || !(update_bytes > 0)
                       ? INFINITY
                       : frs_model_bytes(setup->training.model, FRS_STATE) / update_bytes;
    double before = caught_up(between, n_played / 3, n_played, fresh),
           after = caught_up(between, n_played, n_rounds, fresh);
    return fmax(LONGER_GAPS * after / before - 1, 0);
}

/* An outage of a region that was not played takes its clients from the rounds, for as long as it lasts: in
 * all of them where the rest of the run is that short. */
static void add_random_outages(
    const struct frs_random_outages *outages, double played_s, double end_s, struct frs_unseen *unseen) {
    double many = 3; /* an exponential time exceeds three times its mean with a chance of 5 % */
    if (outages->regions == 0 || played_s >= many * outages->every_s)
        return;
    double left_s = fmax(end_s - played_s, 0), out_s = outages->for_s * many,
           share = left_s > 0 ? fmin(out_s * fmax(left_s / outages->every_s, 1) / left_s, 1) : 0;
    unseen->moves = fmax(unseen->moves, share);
    unseen->wait_s = fmax(unseen->wait_s, out_s);
}

#define DAY_S 86400.0

/* Whether rounds follow the day: by the hour clients are online, windows open, and a client's
 * participations per day are used up. The availability can also change so slowly that it takes hours. */
static bool follows_day(const struct frs_setup *setup) {
    return setup->pacing.window.given || setup->pacing.per_day > 0 ||
           frs_reachability_most_online(&setup->reachability) > 0;
}

/* A lower bound of the rounds of one day in which clients' daily participations are used up; some of the
 * played rounds may have been of another day. */
static double rounds_of_day(const struct frs_setup *setup, size_t n_played) {
    double per_day = setup->pacing.per_day;
    return per_day > 0 ? fmin((double)n_played, fmax(floor(per_day * rounds_between(setup)), 1))
                       : (double)n_played;
}

/* As many rounds as were played are in every day; after a rest all clients can be selected again. */
static void set_cycle(
    const struct frs_setup *setup, double played_s, size_t n_played, struct frs_unseen *unseen) {
    double rest_s = setup->pacing.cool_down_s;
    if (setup->policy->asynchronous)
        return;
    const struct frs_dynamics *dynamics = &setup->reachability.dynamics;
    double cycle_s = follows_day(setup) ? DAY_S : 0;
    if (dynamics->kind != FRS_DYNAMICS_STATIONARY && !dynamics->in_rounds)
        cycle_s = fmax(cycle_s, dynamics->period);
    if (played_s < cycle_s) {
        unseen->cycle_s = cycle_s;
        unseen->per_cycle = rounds_of_day(setup, n_played);
        unseen->quickens = frs_reachability_most_online(&setup->reachability) > 0 ||
                           dynamics->kind != FRS_DYNAMICS_STATIONARY;
    }
    if (rest_s > fmax(played_s, unseen->cycle_s)) {
        unseen->cycle_s = rest_s;
        unseen->per_cycle = fmax(floor(rounds_between(setup)), 1);
    }
}

/* Rounds in which every client takes part once last hardly longer than a client rests. */
#define HARDLY_LONGER 1.5

/* In the first rounds all clients are fresh, and come back from their rests together. */
static bool exhausts(const struct frs_setup *setup, double round_s) {
    return !setup->policy->asynchronous &&
           setup->pacing.cool_down_s * HARDLY_LONGER >= rounds_between(setup) * round_s;
}

struct frs_unseen frs_unseen_of(const struct frs_setup *setup, double played_s, size_t n_played,
    size_t trained, double update_bytes, const struct frs_extrapolation *extrapolation) {
    struct frs_unseen unseen = {.wait_s = longest_wait_s(setup),
        .moves = moves_between(&setup->reachability, played_s, extrapolation->middle_s),
        .growth = growth(setup, (double)n_played, extrapolation->n_rounds, update_bytes),
        .least_rounds = INFINITY};
    unseen.moves = fmax(unseen.moves, dynamics_between(&setup->reachability, played_s, (double)n_played,
                                          extrapolation->middle_s, extrapolation->n_rounds));
    add_random_outages(&setup->reachability.random_outages, played_s, extrapolation->middle_s, &unseen);
    set_cycle(setup, played_s, n_played, &unseen);
    unseen.exhausts = exhausts(setup, extrapolation->middle_s / extrapolation->n_rounds);
    if (setup->stop_tolerance > 0)
        unseen.least_rounds = fmax((double)trained, setup->stop_min_rounds);
    if (setup->stop_at_target)
        unseen.least_rounds = fmin(unseen.least_rounds, fmax((double)trained, 1));
    return unseen;
}

/* ---- time ------------------------------------------------------------------------------------ */

/* What none of n rounds had, up to so large a share of all can have (95 %: the "rule of three"). */
static double share_unseen(double n) {
    return -expm1(log(0.05) / n);
}

static double shortest(const double *ends_s, size_t n) {
    double least_s = ends_s[0];
    for (size_t i = 1; i < n; i++)
        least_s = fmin(least_s, ends_s[i] - ends_s[i - 1]);
    return least_s;
}

/* When the shortest run ends: after that many rounds, at the pace of the low end. */
static double end_after(
    double n, const double *ends_s, size_t n_played, const struct frs_extrapolation *extrapolation) {
    double played_s = ends_s[n_played - 1], left = extrapolation->n_rounds - (double)n_played;
    if (n <= (double)n_played)
        return ends_s[(size_t)fmax(n, 1) - 1];
    return played_s + (extrapolation->low_s - played_s) * fmin((n - (double)n_played) / left, 1);
}

static void widen_rest(const struct frs_unseen *unseen, const double *ends_s, size_t n_played, double stop_s,
    struct frs_extrapolation *extrapolation) {
    double played_s = ends_s[n_played - 1], left = extrapolation->n_rounds - (double)n_played;
    double mean_s = (extrapolation->middle_s - played_s) / left, share = share_unseen((double)n_played);
    double longer_s = left * (share * unseen->wait_s + (unseen->moves + unseen->growth) * mean_s);
    if (unseen->cycle_s > 0)
        longer_s += ceil(left / unseen->per_cycle) * unseen->cycle_s;
    double quicker = unseen->quickens ? 1 : share,
           shorter_s =
               left * (quicker * fmax(mean_s - shortest(ends_s, n_played), 0) + unseen->moves * mean_s);
    if (extrapolation->middle_s >= stop_s) { /* what varies is how many rounds that takes */
        double fewer = left * mean_s / fmax(left * mean_s + longer_s, 1e-300);
        extrapolation->n_low = fmin(extrapolation->n_low, (double)n_played + left * fewer);
        extrapolation->high_s += unseen->wait_s;
    } else {
        extrapolation->high_s = fmax(
            extrapolation->high_s, fmin(extrapolation->high_s + longer_s, stop_s + mean_s + unseen->wait_s));
        extrapolation->low_s = fmax(extrapolation->low_s - shorter_s, fmin(extrapolation->low_s, played_s));
    }
}

void frs_unseen_widen(const struct frs_unseen *unseen, const double *ends_s, size_t n_played, double stop_s,
    struct frs_extrapolation *extrapolation) {
    if (extrapolation->n_rounds > (double)n_played)
        widen_rest(unseen, ends_s, n_played, stop_s, extrapolation);
    if (unseen->least_rounds < extrapolation->n_rounds) {
        extrapolation->low_s =
            fmin(extrapolation->low_s, end_after(unseen->least_rounds, ends_s, n_played, extrapolation));
        extrapolation->n_low = fmin(extrapolation->n_low, unseen->least_rounds);
    }
}

/* ---- messages, and what grows with them ------------------------------------------------------ */

/* The amount by the end of each round that has been entered; several may be at once. Returns how many. */
static size_t entered(const struct frs_amount_request *of, double **bytes) {
    const struct frs_pilot *played = of->played;
    size_t n = (size_t)played->rounds[played->n - 1].n_entered, done = 0;
    double before = 0;
    *bytes = frs_alloc(n + 1, sizeof **bytes);
    for (size_t i = 0; i < played->n; i++) {
        const struct frs_pilot_round *round = &played->rounds[i];
        double now = of->factor * of->value(round);
        size_t upto = (size_t)round->n_entered;
        for (size_t k = done; k < upto && k < n; k++)
            (*bytes)[k] = before + (now - before) * (double)(k + 1 - done) / (double)(upto - done);
        if (upto > done)
            before = now;
        done = upto > done ? upto : done;
    }
    return n;
}

/* By what share of the mean of all messages a download may be off, *lower and *higher. A client that meets
 * the server for the first time downloads whole tables, or nothing; a client that missed updates catches
 * up. Until each client has been selected a few times, downloads are smaller or larger than they will be
 * later: between one update, which is about as large as an upload, and whole tables, or, where every
 * missed update is sent, more and more updates. */
static void downloads_off(const struct frs_setup *setup, const struct frs_pilot_round *last,
    const struct frs_unseen *unseen, double *lower, double *higher) {
    *lower = *higher = 0;
    if (!setup->training.learner->sends_updates || !(last->participations > 0))
        return;
    double new_to_it = exp(-2.0 / 3 * last->n_entered / rounds_between(setup));
    double mean = last->down_bytes / last->participations, update = last->up_bytes / last->participations;
    double most = setup->training.catchup == FRS_CATCHUP_IDEAL
                      ? update
                      : fmax(frs_model_bytes(setup->training.model, FRS_STATE), update);
    *lower = new_to_it * fmax(mean - update, 0) / (mean + update);
    *higher = setup->training.catchup == FRS_CATCHUP_REPLAY
                  ? unseen->growth * mean / (mean + update)
                  : new_to_it * fmax(most - mean, 0) / (mean + update);
}

struct frs_amount frs_amount_of(const struct frs_amount_request *of) {
    const struct frs_unseen *unseen = of->unseen;
    const struct frs_extrapolation *extrapolation = of->extrapolation;
    const struct frs_pilot_round *last = &of->played->rounds[of->played->n - 1];
    double *sums, lower, higher;
    size_t n = entered(of, &sums), n_rounds = (size_t)fmax(round(extrapolation->n_rounds), (double)n);
    if (of->end > 0) { /* of every round */
        double all = of->factor * of->end, least = fmin(extrapolation->n_low / (double)n_rounds, 1);
        free(sums);
        return (struct frs_amount){all * least * (1 - of->slack), all, all * (1 + of->slack)};
    }
    struct frs_extrapolation all = frs_extrapolation_of(sums, n, n_rounds, INFINITY, of->slack,
        last->outcomes[FRS_DELIVERED] < last->participations || unseen->wait_s > 0);
    double left = (double)(n_rounds - n), mean = left > 0 ? (all.middle_s - sums[n - 1]) / left : 0;
    double void_rounds = unseen->wait_s > 0 ? share_unseen((double)n) : 0; /* that are repeated */
    downloads_off(of->setup, last, unseen, &lower, &higher);
    double less = left * mean * (lower + unseen->moves) +
                  fmax(extrapolation->n_rounds - extrapolation->n_low, 0) * mean;
    double more = left * mean * (higher + unseen->moves + void_rounds) +
                  fmax(extrapolation->n_high - extrapolation->n_rounds, 0) * mean;
    size_t sure = (size_t)fmin(extrapolation->n_low, (double)n); /* rounds that the run has anyway */
    double least = fmin(sure > 0 ? sums[sure - 1] * (1 - of->slack) : 0, all.low_s);
    struct frs_amount amount = {
        sure < n ? least : fmax(all.low_s - less, least), all.middle_s, all.high_s + more};
    free(sums);
    return amount;
}

static double message_bytes(const struct frs_pilot_round *round) {
    return round->down_bytes + round->up_bytes;
}

struct frs_traffic frs_traffic_of(const struct frs_amount_request *of) {
    struct frs_amount_request request = *of;
    request.value = message_bytes;
    request.end = of->played->end_traffic_bytes;
    struct frs_amount amount = frs_amount_of(&request);
    return (struct frs_traffic){amount.low, amount.middle, amount.high};
}
