#include "sim/forecast/forecast.h"
#include "algorithms/training/workload.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"
#include "sim/forecast/caps_pace.h"
#include "sim/forecast/extent.h"
#include "sim/forecast/memory_forecast.h"
#include "sim/closed_form/exchange_stages.h"

#include <math.h>
#include <stdlib.h>

/* Real time of SimGrid and the ledger per participation, for each engine backend, where no round was
 * played (tests/bench/bench_contention). */
#define CALENDAR_S_PER_PARTICIPATION 5e-6
#define ACTORS_S_PER_PARTICIPATION 15e-6

/* Where no whole round can be played: how long the rounds of the scaled pilot take, and are given. */
#define SCALED_ROUND_S 0.05
#define LEAST_SCALED_S 0.6

/* Shares by which results may be off: after rounds with estimated training, and after rounds with real
 * training. */
#define ESTIMATED_SLACK 0.02
#define PLAYED_SLACK 0.001
#define SCALED_SLACK 0.05 /* of messages */

/* ---- rounds ---------------------------------------------------------------------------------- */

static double simulation_s(const struct frs_forecast_basis *e) {
    return e->setup->backend == &frs_backend_calendar ? CALENDAR_S_PER_PARTICIPATION
                                                      : ACTORS_S_PER_PARTICIPATION;
}

static double guessed_round_s(const struct frs_forecast_basis *e) {
    double training_s = e->estimate ? frs_training_estimate_wall_s(e->estimate) / (double)e->threads : 0;
    return frs_extent_per_round(e->setup) * (training_s + simulation_s(e));
}

static double guessed_wall_s(const struct frs_forecast_basis *e) {
    return (double)e->setup->n_rounds * guessed_round_s(e);
}

static void play(struct frs_forecast_basis *e) {
    const struct frs_extent extent = {e->setup, e->estimate, e->threads, e->patience_s, simulation_s(e)};
    struct frs_pilot_request request = frs_extent_real(&extent);
    if (request.most_rounds > 0)
        e->real = frs_pilot_play(&request);
    if (!e->estimate || frs_pilot_is_over(&e->real))
        return;
    request = frs_extent_estimated(&extent, e->real.n > 0);
    if (request.most_rounds > 0)
        e->predicted = frs_pilot_play(&request);
}

/* Plays the scaled pilot where no round could be played in time, neither as it is nor without training. */
static void run_scaled_pilot(struct frs_forecast_basis *e) {
    double n_selected = SCALED_ROUND_S / simulation_s(e);
    if (e->real.n + e->predicted.n > 0 || e->real.end != FRS_PILOT_CUT || e->predicted.end != FRS_PILOT_CUT ||
        n_selected * 2 > frs_setup_selected(e->setup) || e->setup->platform.file ||
        e->setup->edges.n >
            0 || /* what clients share does not become less with them, nor what a group sends */
        frs_training_exchanges_layers(&e->setup->training))
        return;
    e->scaled = frs_scaled_pilot_play(
        e->setup, e->estimate, n_selected, FRS_EXTENT_CEILING * fmax(e->patience_s, LEAST_SCALED_S));
}

/* The ratio of the simulated times with and without training, over the rounds that were played both ways; 1:
 * not known. */
static double bias(const struct frs_forecast_basis *e) {
    size_t n = e->real.n < e->predicted.n ? e->real.n : e->predicted.n;
    double predicted_s = n > 0 ? e->predicted.rounds[n - 1].simulated_s : 0;
    return predicted_s > 0 ? e->real.rounds[n - 1].simulated_s / predicted_s : 1;
}

/* Without the time between rounds. */
static double open_round_s(const struct frs_pilot *played) {
    const struct frs_pilot_round *last = &played->rounds[played->n - 1];
    if (frs_pilot_is_over(played))
        return played->end_open_s / (double)played->n;
    return last->n_entered > 0 ? last->open_s / last->n_entered : NAN;
}

static void describe_rounds(const struct frs_pilot *played, double factor, struct frs_forecast *forecast) {
    forecast->open_round_s = factor * open_round_s(played);
    double *lengths = frs_alloc(played->n, sizeof *lengths), before_s = 0;
    for (size_t i = 0; i < played->n; i++) {
        lengths[i] = factor * (played->rounds[i].simulated_s - before_s);
        before_s = played->rounds[i].simulated_s;
    }
    qsort(lengths, played->n, sizeof *lengths, frs_compare_doubles);
    static const double shares[3] = {0.1, 0.5, 0.9};
    for (size_t i = 0; i < 3; i++)
        forecast->round_s[i] = lengths[(size_t)ceil(shares[i] * (double)played->n) - 1];
    free(lengths);
}

static void describe_messages(const struct frs_pilot *played, double factor, struct frs_forecast *forecast) {
    const struct frs_pilot_round *last = &played->rounds[played->n - 1];
    forecast->n_played = played->n;
    forecast->n_entered = last->n_entered;
    forecast->cohorts =
        frs_pilot_is_over(played) ? played->end_cohorts : last->cohorts; /* the last round is entered late */
    forecast->participations = factor * last->participations;
    for (size_t i = 0; i < FRS_N_OUTCOMES; i++)
        forecast->outcomes[i] = factor * last->outcomes[i];
    forecast->down_bytes = factor * last->down_bytes;
    forecast->up_bytes = factor * last->up_bytes;
    forecast->setup_bytes = factor * last->setup_bytes;
    forecast->is_whole = frs_pilot_is_over(played);
    forecast->spending = played->end_spending;
    forecast->releases = frs_pilot_is_over(played) ? played->end_releases : last->releases;
}

/* For all messages, and for what grows with them. */
static void predict_amounts(const struct frs_forecast_basis *e, const struct frs_pilot *played, double factor,
    double slack, const struct frs_unseen *unseen, double time_factor, struct frs_forecast *forecast) {
    const struct frs_amount_request request = {.setup = e->setup,
        .played = played,
        .end = played->end_traffic_bytes,
        .factor = factor,
        .slack = slack,
        .unseen = unseen,
        .extrapolation = &forecast->simulated};
    if (!(forecast->n_entered > 0))
        return;
    forecast->traffic = frs_traffic_of(&request);
    forecast->load = frs_load_forecast_of(&request, time_factor);
}

/* As many rounds are played whatever the run has, which may be fewer; none of them is one of the run's. */
static void predict_scaled_amounts(const struct frs_forecast_basis *e, struct frs_forecast *forecast) {
    static const struct frs_unseen nothing = {.least_rounds = INFINITY};
    const struct frs_extrapolation run = forecast->simulated;
    struct frs_pilot played = e->scaled.rounds;
    double share = forecast->n_entered > 0 ? fmin(run.n_rounds / forecast->n_entered, 1) : 1;
    played.end_traffic_bytes = 0;
    forecast->simulated.n_rounds /= share;
    forecast->simulated.n_low /= share;
    forecast->simulated.n_high /= share;
    predict_amounts(
        e, &played, e->scaled.k, SCALED_SLACK, &nothing, frs_scaled_pilot_growth(&e->scaled), forecast);
    forecast->simulated = run;
    forecast->traffic = (struct frs_traffic){share * forecast->traffic.low_bytes,
        share * forecast->traffic.middle_bytes, share * forecast->traffic.high_bytes};
    frs_load_forecast_scale(&forecast->load, share);
}

static void forecast_from_scaled(const struct frs_forecast_basis *e, struct frs_forecast *forecast) {
    const struct frs_scaled_pilot *scaled = &e->scaled;
    forecast->known = true;
    forecast->one_in = scaled->k;
    forecast->cohort = (struct frs_cohort_range){NAN, NAN, NAN};
    forecast->simulated = frs_scaled_pilot_outlook(scaled, e->setup->n_rounds, e->setup->stop_s);
    describe_messages(&scaled->rounds, scaled->k, forecast);
    predict_scaled_amounts(e, forecast);
    forecast->is_whole = false;
    describe_rounds(&scaled->rounds, frs_scaled_pilot_growth(scaled), forecast);
}

/* The same of messages. */
static double traffic_bias(const struct frs_forecast_basis *e) {
    const struct frs_pilot *real = &e->real, *predicted = &e->predicted;
    for (size_t i = real->n; i-- > 0;)
        for (size_t k = predicted->n; k-- > 0;)
            if (real->rounds[i].n_entered > 0 && real->rounds[i].n_entered == predicted->rounds[k].n_entered)
                return (real->rounds[i].down_bytes + real->rounds[i].up_bytes) /
                       fmax(predicted->rounds[k].down_bytes + predicted->rounds[k].up_bytes, 1);
    return 1;
}

/* Whether clients can be lost: where the result of the first round is unknown, by the scenario's settings. */
static bool may_lose(const struct frs_forecast_basis *e, const struct frs_pilot_round *last) {
    return last->participations > 0 ? last->outcomes[FRS_DELIVERED] < last->participations
                                    : frs_failures_can_strike(&e->setup->failures) ||
                                          !frs_reachability_is_trivial(&e->setup->reachability);
}

/* Cohorts, and what caps do to them, to the messages and to the time. */
static void predict_clients(const struct frs_forecast_basis *e, const struct frs_pilot *played,
    const struct frs_unseen *unseen, struct frs_forecast *forecast) {
    const struct frs_pilot_round *last = &played->rounds[played->n - 1];
    struct frs_cohort_range *cohort = &forecast->cohort;
    forecast->may_bind = !frs_pilot_is_over(played) && last->n_entered > 0 &&
                         frs_caps_may_bind(e->setup, last, &forecast->simulated);
    bool unknown = forecast->may_bind || unseen->cycle_s > 0 || unseen->exhausts;
    *cohort = frs_cohort_range_of(e->setup, played, &forecast->simulated, unknown);
    if (unknown && cohort->mean > 0) {
        forecast->traffic.low_bytes *= cohort->low / cohort->mean;
        forecast->traffic.high_bytes *= cohort->high / cohort->mean;
        frs_load_forecast_widen(&forecast->load, cohort->low / cohort->mean, cohort->high / cohort->mean);
    }
    if (forecast->may_bind)
        frs_caps_widen(e->setup, played, &forecast->simulated);
}

/* Widens the range of the time by the effects that played rounds do not show, and sets the range of the
 * messages. */
static void predict_unseen(const struct frs_forecast_basis *e, const struct frs_pilot *played,
    const double *ends_s, struct frs_forecast *forecast) {
    bool predicted = played == &e->predicted;
    double traffic = predicted ? traffic_bias(e) : 1;
    double slack = predicted ? ESTIMATED_SLACK + fabs(traffic - 1) : PLAYED_SLACK;
    struct frs_unseen unseen = frs_unseen_of(e->setup, ends_s[played->n - 1], played->n, e->real.n,
        forecast->up_bytes / fmax(forecast->participations, 1), &forecast->simulated);
    bool decided = frs_pilot_is_over(&e->real); /* training has ended it, or has not */
    if (decided)
        unseen.least_rounds = INFINITY;
    frs_unseen_widen(&unseen, ends_s, played->n, e->setup->stop_s, &forecast->simulated);
    predict_amounts(e, played, traffic, slack, &unseen, predicted ? bias(e) : 1, forecast);
    predict_clients(e, played, &unseen, forecast);
}

static void predict(const struct frs_forecast_basis *e, struct frs_forecast *forecast) {
    bool predicted = e->predicted.n > e->real.n;
    const struct frs_pilot *played = predicted ? &e->predicted : &e->real;
    forecast->end = played->end;
    forecast->one_in = 1;
    forecast->n_trained = e->estimate ? e->real.n : 0;
    forecast->known = played->n > 0;
    if (frs_scaled_pilot_is_known(&e->scaled))
        forecast_from_scaled(e, forecast);
    if (played->n == 0)
        return;
    double factor = predicted ? bias(e) : 1, *ends_s = frs_alloc(played->n, sizeof *ends_s);
    double slack = predicted ? ESTIMATED_SLACK + fabs(factor - 1) : PLAYED_SLACK;
    for (size_t i = 0; i < played->n; i++)
        ends_s[i] = factor * played->rounds[i].simulated_s;
    bool over = frs_pilot_is_over(played);
    if (over)
        ends_s[played->n - 1] = fmax(ends_s[played->n - 1], factor * played->end_s);
    const struct frs_pilot_round *last = &played->rounds[played->n - 1];
    forecast->simulated = frs_extrapolation_of(
        ends_s, played->n, over ? played->n : e->setup->n_rounds, e->setup->stop_s, slack, may_lose(e, last));
    describe_messages(played, 1, forecast);
    describe_rounds(played, factor, forecast);
    predict_unseen(e, played, ends_s, forecast);
    free(ends_s);
}

/* ---- real time ------------------------------------------------------------------------------- */

/* The first round stands for the first evaluation, too, which later rounds have every so often. */
static double whole_wall_s(const struct frs_forecast_basis *e, double n_rounds) {
    const struct frs_pilot *real = &e->real, *predicted = &e->predicted;
    size_t n = real->n;
    if (n == 0 && predicted->n > 0)
        return n_rounds * (predicted->rounds[predicted->n - 1].wall_s / (double)predicted->n +
                              frs_extent_per_round(e->setup) * frs_training_estimate_wall_s(e->estimate) /
                                  (double)e->threads);
    if (n == 0)
        return guessed_wall_s(e);
    double first_s = real->rounds[0].wall_s, all_s = real->rounds[n - 1].wall_s;
    if (n == 1)
        return n_rounds * first_s;
    double later_s = (all_s - first_s) / (double)(n - 1), evaluation_s = fmax(first_s - later_s, 0);
    double evaluations = e->setup->training.trains && e->setup->evaluate_every > n
                             ? floor(n_rounds / (double)e->setup->evaluate_every)
                             : 0;
    return all_s + (n_rounds - (double)n) * later_s + evaluations * evaluation_s;
}

/* The download of a client that has taken part before; the mean where clients catch up. */
static double download_bytes(const struct frs_forecast_basis *e, const struct frs_forecast *forecast) {
    const struct frs_setup *setup = e->setup;
    if (setup->training.workload)
        return (double)frs_workload_mean_usage(setup->training.workload).down_bytes;
    if (setup->training.learner->sends_updates && setup->training.catchup != FRS_CATCHUP_IDEAL &&
        forecast->known)
        return fmax(
            forecast->down_bytes / fmax(forecast->participations, 1) - frs_exchange_down_bytes(setup), 0);
    struct frs_downlink *downlink = frs_training_downlink(&setup->training, 0);
    frs_downlink_open(downlink, 0);
    double bytes = (double)frs_downlink_size(downlink, 0).bytes;
    if (frs_model_has_personal(setup->training.model))
        bytes += (double)frs_downlink_personal_size(downlink).bytes;
    frs_downlink_destroy(downlink);
    return bytes;
}

/* NULL: none was. */
static const struct frs_pilot_round *last_played(const struct frs_forecast_basis *e) {
    const struct frs_pilot *played = frs_scaled_pilot_is_known(&e->scaled) ? &e->scaled.rounds
                                     : e->predicted.n > e->real.n          ? &e->predicted
                                                                           : &e->real;
    return played->n > 0 ? &played->rounds[played->n - 1] : NULL;
}

struct frs_forecast frs_forecast_make(const struct frs_setup *setup, size_t threads, double patience_s) {
    struct frs_forecast_basis e = {.setup = setup, .threads = threads, .patience_s = patience_s};
    struct frs_forecast forecast = {.cohort = {NAN, NAN, NAN}};
    if (setup->training.trains)
        e.estimate = frs_training_estimate_create(&setup->training, FRS_EXTENT_PROBING * patience_s);
    play(&e);
    run_scaled_pilot(&e);
    predict(&e, &forecast);
    forecast.download_bytes = download_bytes(&e, &forecast);
    double n_rounds = forecast.known ? forecast.simulated.n_rounds : setup->n_rounds;
    forecast.wall_s = whole_wall_s(&e, n_rounds);
    double checkpoint = 0;
    forecast.memory_bytes = frs_memory_forecast(&e, n_rounds, &checkpoint);
    forecast.results = frs_results_size(setup, last_played(&e), forecast.one_in, n_rounds,
        forecast.known ? forecast.simulated.middle_s : 0, checkpoint);
    free(e.real.rounds);
    free(e.predicted.rounds);
    frs_scaled_pilot_fini(&e.scaled);
    forecast.estimate = e.estimate;
    return forecast;
}

void frs_forecast_fini(struct frs_forecast *forecast) {
    frs_training_estimate_destroy(forecast->estimate);
    *forecast = (struct frs_forecast){0};
}
