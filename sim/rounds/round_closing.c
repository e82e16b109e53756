/* A round closes: what is aggregated and entered, which clients go on alone, and whether another round
 * follows. */
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/verdicts.h"
#include "sim/rounds/simulation_internal.h"
#include "sim/setup/compose/target.h"

#include <math.h>
#include <stdlib.h>

/* Tables whose relative distance is at most this are the same in single precision. */
#define SAME_TABLE 1e-6

static bool has_stopped(const struct frs_simulation *s) {
    return s->stops.converged || s->stops.out_of_time || s->stops.reached_target;
}

bool frs_simulation_goes_on(void *context) {
    struct frs_simulation *s = context;
    if (s->round == 0)
        s->stopping = *s->settings.interrupted;
    bool goes_on = s->ending == FRS_ENDED_WHOLE && s->round < s->setup->n_rounds;
    if (goes_on && s->stopping)
        s->ending = FRS_ENDED_INTERRUPTED;
    return goes_on && !s->stopping && !has_stopped(s);
}

void frs_simulation_settled(void *context, struct frs_participation *p) {
    struct frs_simulation *s = context;
    struct frs_open_entry *open_entry = frs_open_entry_of(p);
    s->n_unsettled--;
    /* Otherwise its windows were updated when the client was selected again. */
    if (open_entry == frs_open_rows_last_entry(s->open_rows, p->client))
        frs_simulation_keep_windows(s, p);
    if (!open_entry->row)
        frs_row_add_entry(s->row, open_entry);
    if (p->result.cause == FRS_CAUSE_NONE)
        p->result.staleness = (uint32_t)(s->n_versions - s->has_aggregated - open_entry->version);
    frs_coordinator_settle(s->settings.coordinator, p);
    frs_simulation_spend(s, p, s->deliveries);
    frs_post_uploads_leave(s->post_uploads, open_entry);
}

static bool is_last(const struct frs_simulation *s) {
    return s->round + 1 == s->setup->n_rounds || s->stopping || frs_simulation_diverged(s) || has_stopped(s);
}

static bool is_evaluated(const struct frs_simulation *s) {
    return s->settings.evaluation && (is_last(s) || (s->round + 1) % s->setup->evaluate_every == 0);
}

static double headline(const struct frs_simulation *s, const struct frs_scores *scores) {
    return s->setup->training.data->explicit_feedback ? -scores->rmse : frs_scores_hit(scores);
}

static void keep_best(struct frs_simulation *s, const struct frs_quality *quality) {
    struct frs_simulation_result *result = s->result;
    if (quality->validation.n == 0)
        return;
    if (result->best_round == 0 ||
        headline(s, &quality->validation) > headline(s, &result->best.validation)) {
        result->best_round = s->round + 1;
        result->best = *quality;
    }
}

static void tell_watcher(const struct frs_simulation *s, double now_s, const struct frs_quality *quality) {
    const struct frs_watcher *watcher = s->settings.watcher;
    if (!watcher)
        return;
    if (watcher->logged)
        watcher->logged(watcher->context, frs_journaled_trainer_log_bytes(s->trainer));
    bool rating = s->setup->training.data->explicit_feedback;
    const struct frs_scores *scores = quality ? &quality->test : &s->result->last.test;
    bool known = s->settings.evaluation && scores->n > 0 && !frs_simulation_diverged(s);
    watcher->round(watcher->context, s->round + 1, now_s, known ? s->setup->headline : NULL,
        rating ? scores->rmse : frs_scores_hit(scores));
}

/* The server's link (with edges: the access side of one) is finite, and only that link can make a transfer
 * longer than on the client's own. */
static bool is_contended(const struct frs_simulation *s) {
    return !s->setup->platform.file && s->setup->network.model != FRS_LV08 &&
           !(frs_simulation_is_unshared(s, false) && frs_simulation_is_unshared(s, true));
}

/* A round has a seed of its own, and what was trained under one seed becomes one update. */
static size_t count_updates(const struct frs_simulation *s, const struct frs_closing *closing) {
    uint32_t *rounds = frs_alloc(closing->n, sizeof *rounds);
    size_t n = 0;
    for (size_t i = 0; i < closing->n; i++) {
        uint32_t round = s->setup->training.learner->round_seed ? closing->arrivals[i]->round : 0;
        size_t at = n;
        while (at > 0 && rounds[at - 1] != round)
            at--;
        if (at == 0)
            rounds[n++] = round;
    }
    free(rounds);
    return n;
}

/* What the server decodes: the uploads, or the sums of edges, each as large as an upload. */
struct decoded {
    size_t n;
    double values, bytes;
};

static struct decoded decoded(const struct frs_simulation *s, const struct frs_closing *closing) {
    const struct frs_training_setup *training = &s->setup->training;
    struct decoded sum = {0};
    bool *seen = training->edge_of_client ? frs_alloc(training->n_edges, sizeof *seen) : NULL;
    for (size_t i = 0; i < closing->n && s->course.sends; i++) {
        const struct frs_participation *p = closing->arrivals[i];
        if (seen && seen[training->edge_of_client[p->client]])
            continue; /* in the sum of its edge already */
        if (seen)
            seen[training->edge_of_client[p->client]] = true;
        sum.n++;
        sum.values += (double)p->usage.up_values;
        sum.bytes += (double)p->usage.up_bytes;
    }
    free(seen);
    return sum;
}

double frs_simulation_aggregate_s(void *context, const struct frs_closing *closing) {
    struct frs_simulation *s = context;
    const struct decoded uploads = decoded(s, closing);
    s->aggregate_flop = s->server_s = 0;
    if (uploads.n == 0 && !frs_server_step_steps_without(&s->setup->training.server_step))
        return 0;
    s->aggregate_flop = frs_server_step_flop(&s->setup->training.server_step, s->setup->training.model,
                            uploads.n, uploads.values) +
                        frs_learner_apply_flop(
                            s->setup->training.learner, s->setup->training.model, count_updates(s, closing)) +
                        frs_privacy_add_flop(&s->setup->training.mechanisms, uploads.n, uploads.bytes) +
                        (s->exchanges ? frs_exchanges_server_flop(s->exchanges) : 0);
    s->server_s = frs_server_aggregate_s(&s->setup->server, s->aggregate_flop, closing->now_s);
    return s->server_s;
}

/* Lists devices that are on and were not selected, or were cut off from the server before they received
 * anything (docs/simulation.md, "Rounds without messages, and steps without the server"). */
static size_t list_local_only(const struct frs_simulation *s, uint32_t *local_only) {
    uint32_t n_clients = s->setup->training.data->population.n_clients;
    enum { NOT_SELECTED, SELECTED, CUT_OFF } *marks = frs_alloc(n_clients, sizeof *marks);
    size_t n = 0;
    for (size_t i = 0; i < s->row->n; i++) {
        const struct frs_participation *p = &s->row->open_entries[i]->p;
        bool received = isfinite(p->times.down_end_s);
        bool cut_off = p->result.outcome == FRS_CUT || p->result.cause == FRS_CAUSE_CONNECTION;
        marks[p->client] = cut_off && !received ? CUT_OFF : SELECTED;
    }
    for (uint32_t client = 0; client < n_clients; client++) {
        double until_s;
        if (marks[client] == CUT_OFF ||
            (marks[client] == NOT_SELECTED && !frs_simulation_rules_out(s, client) &&
                frs_simulation_reaches(s, client, &until_s)))
            local_only[n++] = client;
    }
    free(marks);
    return n;
}

bool frs_simulation_learner_failed(struct frs_simulation *s) {
    const struct frs_training_setup *training = &s->setup->training;
    const char *why = frs_learner_failure(training->learner, training->model);
    if (why && !frs_simulation_diverged(s)) {
        s->ending = FRS_ENDED_DIVERGED;
        frs_errors_add(s->errors, FRS_ERR_RUN, "method %s: %s", training->learner->plugin.name, why);
    }
    return why;
}

static void step_alone(struct frs_simulation *s) {
    const struct frs_learner *learner = s->setup->training.learner;
    if (!s->setup->training.trains || !s->row ||
        !frs_learner_steps_alone(learner, s->setup->training.model, s->round))
        return;
    uint32_t *clients = frs_alloc(s->setup->training.data->population.n_clients, sizeof *clients);
    struct frs_local_only local_only = {.round = s->round, .attempt = s->attempt, .clients = clients};
    struct frs_usage usage = {0};
    local_only.n = list_local_only(s, clients);
    if (local_only.n > 0)
        frs_journaled_trainer_local_only(s->trainer, &local_only, &usage);
    s->result->alone_steps += local_only.n;
    s->result->alone_flop += usage.flop;
    free(clients);
    if (!isfinite(usage.loss) && !frs_simulation_diverged(s)) {
        s->ending = FRS_ENDED_DIVERGED;
        frs_errors_add(s->errors, FRS_ERR_RUN,
            "round %u: the loss of a client that takes no part is not a number: " FRS_SAYS_DIVERGED,
            s->round + 1);
    }
}

/* Of all that were opened, which are those of the row. */
static const struct frs_mixing_plan *plan_mixing(struct frs_simulation *s) {
    size_t n = s->row ? s->row->n : 0, *handles = frs_alloc(n + 1, sizeof *handles);
    for (size_t i = 0; i < n; i++)
        handles[i] = s->row->open_entries[i]->member.handle;
    const struct frs_mixing_plan *plan = frs_peers_close(s->peers, handles);
    free(handles);
    return plan;
}

/* A round that diverged changes nothing any more; neither does one without uploads. */
static void close_learning(struct frs_simulation *s, const struct frs_closing *closing) {
    size_t *handles = frs_alloc(closing->n + 1, sizeof *handles);
    struct frs_arrivals arrivals = {.handles = handles,
        .n = s->course.sends ? closing->n : 0,
        .masked = s->exchanges ? frs_exchanges_masked(s->exchanges) : NULL};
    bool kept = closing->lost == FRS_CAUSE_NONE && !frs_simulation_diverged(s);
    for (size_t i = 0; i < closing->n; i++)
        handles[i] = frs_open_entry_of(closing->arrivals[i])->member.handle;
    if (s->peers)
        arrivals.mixing = plan_mixing(s);
    if (kept)
        step_alone(s);
    double change = frs_journaled_trainer_close(s->trainer, kept ? &arrivals : NULL);
    /* Uploads that change nothing but by rounding (RFRecF, before any client has made a main step) are no
     * evidence of convergence. */
    s->stops.converged = kept && change > SAME_TABLE && change <= s->setup->stop_tolerance &&
                         s->round + 1 >= s->setup->stop_min_rounds;
    s->n_versions +=
        kept && (arrivals.n > 0 || frs_server_step_steps_without(&s->setup->training.server_step));
    s->result->communications +=
        (s->course.receives || s->course.delivers) + (s->course.sends && !s->course.extra);
    s->result->extra_communications += s->course.extra;
    free(handles);
}

void frs_simulation_aggregate(struct frs_simulation *s, const struct frs_closing *closing) {
    close_learning(s, closing);
    (void)frs_simulation_learner_failed(s); /* also for a client whose result was not needed */
    s->has_aggregated = true;
}

/* Participations that have arrived are dropped, as those before them were when the round was aggregated. */
static void leave_learning(struct frs_simulation *s) {
    if (s->has_aggregated && s->deliveries)
        frs_journaled_trainer_leave(s->trainer);
    s->has_aggregated = false;
}

static void close_row(struct frs_simulation *s, const struct frs_closing *closing) {
    if (!s->row) /* no client was selected since the last one */
        return;
    struct frs_closed_round *closed = &s->row->closed;
    closed->end_s = closing->now_s;
    bool kept = closing->lost == FRS_CAUSE_NONE;
    closed->server_s = kept ? s->server_s : 0;
    closed->server_flop += kept ? s->aggregate_flop : 0;
    frs_deliveries_close(s->deliveries, closing->now_s, closed);
    closed->overlaps = frs_simulation_overlaps(s);
    closed->contended = is_contended(s);
    closed->attempt = frs_simulation_overlaps(s) ? s->lost_attempts : s->attempt;
    closed->lost = closing->lost;
    frs_simulation_note_edges(s, s->row);
    if (s->peers)
        frs_peers_note(s->peers, s->row);
    if (s->layers)
        frs_layer_exchanges_close(s->layers, s->row);
    s->row->is_closed = true;
}

void frs_simulation_leave_row(struct frs_simulation *s, double now_s) {
    s->row = NULL;
    s->encoded = false;
    if (frs_simulation_overlaps(s) && s->n_unsettled > 0)
        frs_simulation_begin_row(s, now_s);
}

static void evaluate(struct frs_simulation *s, double now_s) {
    struct frs_quality quality;
    bool evaluated = is_evaluated(s);
    if (evaluated) {
        bool last = is_last(s);
        quality = frs_journaled_trainer_evaluate(s->trainer, last);
        (void)frs_simulation_learner_failed(s);
        s->stops.reached_target = s->setup->stop_at_target && frs_target_is_reached(s->setup, &quality);
        if (s->stops.reached_target && !last)
            quality = frs_journaled_trainer_evaluate(s->trainer, true);
        s->result->last = quality;
        keep_best(s, &quality);
        s->row->quality = quality;
        s->row->closed.quality = &s->row->quality;
    }
    tell_watcher(s, now_s, evaluated ? &quality : NULL);
}

void frs_simulation_close_round(void *context, const struct frs_closing *closing) {
    struct frs_simulation *s = context;
    frs_simulation_count_clients(s, closing->now_s);
    frs_post_uploads_until(s->post_uploads, closing->now_s);
    if (!s->has_aggregated)
        frs_simulation_aggregate(s, closing);
    leave_learning(s);
    s->stopping = *s->settings.interrupted || frs_open_rows_failed(s->open_rows);
    if (closing->lost != FRS_CAUSE_SERVER_RESTART)
        frs_coordinator_observe(s->settings.coordinator);
    if (s->settings.checkpoint && closing->lost == FRS_CAUSE_NONE && !frs_simulation_diverged(s))
        frs_checkpoint_round(s->settings.checkpoint, s->trainer, s->round + 1, s->stopping);
    close_row(s, closing);
    if (closing->lost != FRS_CAUSE_NONE) {
        frs_simulation_repeat_round(s, closing);
    } else {
        s->stops.out_of_time = closing->now_s >= s->setup->stop_s;
        evaluate(s, closing->now_s);
        s->row->is_held = frs_simulation_overlaps(s) && is_last(s); /* what is under way ends with it */
        if (!s->row->is_held)
            frs_simulation_leave_row(s, closing->now_s);
        s->round++;
        frs_simulation_first_attempt(s);
    }
    if (!frs_simulation_enters_later(s))
        frs_open_rows_enter(s->open_rows);
}

/* A restarting server loses the observations that it has not processed yet. */
void frs_simulation_restarted(void *context, double away_s) {
    struct frs_simulation *s = context;
    s->away_s += away_s;
    frs_coordinator_forget(s->settings.coordinator);
}

void frs_simulation_close_rows(struct frs_simulation *s, double now_s) {
    frs_simulation_count_clients(s, now_s);
    frs_post_uploads_end_all(s->post_uploads, now_s);
    if (s->row && !s->row->is_closed)
        close_row(s, &(struct frs_closing){.now_s = now_s, .lost = FRS_CAUSE_END_OF_RUN});
    if (s->row)
        s->row->is_held = false;
    frs_open_rows_enter(s->open_rows);
    frs_open_rows_wait(s->open_rows);
}
