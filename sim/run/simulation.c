#include "sim/run/simulation.h"
#include "actors/server.h"
#include "actors/timeline.h"
#include "platforms/slots.h"
#include "sim/base/memory.h"
#include "sim/run/books.h"
#include "sim/run/learning.h"
#include "sim/run/posts.h"
#include "sim/run/target.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Tables whose relative distance is at most this are the same in single precision. */
#define SAME_TABLE 1e-6

struct simulation {
    struct frs_simulation_settings settings;
    const struct frs_setup *setup;
    struct frs_learning *learning;
    struct frs_timeline *timeline; /* NULL under SimGrid's own solver */
    struct frs_books *books;
    struct frs_posts *posts;
    struct frs_row *row;                   /* of the open round; NULL: nobody has been asked in it */
    uint32_t round;                        /* the open one, counted from 0 */
    uint32_t attempt;                      /* at this round, from 0; with it part of every random key */
    uint32_t lost_attempts, void_attempts; /* at this round */
    double now_s;                          /* when the clients being asked are asked */
    size_t n_versions;                     /* of the server's tables so far */
    size_t n_unsettled;                    /* participations */
    bool encoded;                          /* the message of this round */
    struct frs_course course;              /* of this round */
    uint32_t *cohort;
    bool *takes_part; /* reachable, and not refused */
    bool *waits;      /* its device is still at work after its last upload */
    struct frs_grant *grants;
    uint32_t *budgets; /* of the grants */
    struct frs_learnt *learnt;
    struct frs_participation **opened;
    struct frs_turn **arrived; /* settled, and not yet looked at by the server's observations */
    size_t n_arrived, arrived_capacity;
    bool *barred; /* [n_clients] where rounds overlap: refused once, and not asked again */
    struct frs_simulation_result *result;
    struct frs_errors *errors;
    double encode_flop;              /* of what the clients being asked are sent */
    double aggregate_flop, server_s; /* of aggregating the open round */
    double state_bytes;              /* of the tables a client has to hold */
    bool diverged, stranded;
    bool converged, out_of_time, reached_target; /* the rules by which a run ends early */
    bool stopping; /* interrupted, as seen when the last round was closed: its row and the end of the run
                      agree */
};

static bool overlaps(const struct simulation *s) {
    return s->setup->policy->asynchronous;
}

static struct frs_turn *turn_of(struct frs_participation *p) {
    return (struct frs_turn *)p; /* its first member */
}

static struct frs_loss loss_of(const struct frs_phase_failure *failure) {
    bool device_first = failure->device_after_s <= failure->connection_after_s;
    return (struct frs_loss){.planned = failure->kind != FRS_FAILURE_NONE,
        .at_share = failure->fraction,
        .cause = failure->kind == FRS_FAILURE_DEVICE ? FRS_CAUSE_DEVICE : FRS_CAUSE_CONNECTION,
        .after_s = device_first ? failure->device_after_s : failure->connection_after_s,
        .after_cause = device_first ? FRS_CAUSE_DEVICE : FRS_CAUSE_CONNECTION};
}

static void plan_failures(const struct simulation *s, struct frs_turn *turn) {
    const struct frs_setup *setup = s->setup;
    struct frs_participation *p = &turn->p;
    if (!frs_failures_can_strike(&setup->failures))
        return;
    struct frs_failure_plan plan =
        frs_failures_plan(&setup->failures, setup->seed, p->client, s->round, s->attempt);
    if (s->course.receives)
        p->down_loss = loss_of(&plan.phase[FRS_FAILS_DOWN]);
    if (s->course.trains)
        p->compute_loss = loss_of(&plan.phase[FRS_FAILS_COMPUTE]);
    if (s->course.sends)
        p->up_loss = loss_of(&plan.phase[FRS_FAILS_UP]);
    p->post.fails_after_s = plan.phase[FRS_FAILS_POST].device_after_s;
    turn->up_failure = plan.phase[FRS_FAILS_UP];
}

static bool is_reachable(const struct simulation *s, uint32_t client, double *until_s) {
    return frs_reachable(&s->setup->reachability, client, s->round, s->attempt, s->now_s, until_s);
}

/* Under way as far as the server knows, or known to be of no use. */
static bool is_out_of_question(const struct simulation *s, uint32_t client) {
    const struct frs_turn *last = frs_books_last_turn(s->books, client);
    return (last && last->p.busy) || (s->barred && s->barred[client]);
}

static bool is_eligible(void *context, uint32_t client) {
    const struct simulation *s = context;
    double until_s;
    return !is_out_of_question(s, client) &&
           (!s->setup->sees_availability || is_reachable(s, client, &until_s));
}

/* The client's links for this participation, jitter included. */
static void attach(const struct simulation *s, struct frs_participation *p) {
    const struct frs_network *network = &s->setup->network;
    if (s->setup->platform.file)
        return;
    uint64_t seed = s->setup->seed;
    uint32_t client = p->client, round = s->round, attempt = s->attempt;
    p->down_bytes_per_s =
        frs_network_transfer_bytes_per_s(network, seed, client, round, attempt, FRS_DIRECTION_DOWN);
    p->up_bytes_per_s =
        frs_network_transfer_bytes_per_s(network, seed, client, round, attempt, FRS_DIRECTION_UP);
    double down_s = frs_network_transfer_latency_s(network, seed, client, round, attempt, FRS_DIRECTION_DOWN);
    if (network->model == FRS_LV08) {
        p->link_latency_s = down_s;
        return;
    }
    p->latency_s = down_s;
    p->up_latency_s = frs_network_transfer_latency_s(network, seed, client, round, attempt, FRS_DIRECTION_UP);
}

/* Who is still at work after its last upload downloads at once, and then waits for itself. */
static void await_device(struct simulation *s, struct frs_turn *turn) {
    struct frs_turn *before = frs_posts_of(s->posts, turn->p.client, s->now_s);
    turn->p.before = before ? &before->p : NULL;
    turn->waits = before;
}

static struct frs_turn *prepare(struct simulation *s, size_t i) {
    const struct frs_setup *setup = s->setup;
    struct frs_turn *turn = frs_books_add_turn(s->books, s->cohort[i]);
    struct frs_participation *p = &turn->p;
    attach(s, p);
    p->unreachable = !is_reachable(s, p->client, &p->leaves_s);
    p->contact_s = setup->contact_s;
    p->no_download = !s->course.receives;
    p->no_upload = !s->course.sends;
    p->refused = s->state_bytes > frs_devices_memory_bytes(&setup->devices, setup->seed, p->client);
    if (s->barred)
        s->barred[p->client] = p->refused;
    turn->version = s->n_versions;
    s->takes_part[i] = !p->unreachable && !p->refused;
    await_device(s, turn);
    s->waits[i] = turn->waits;
    plan_failures(s, turn);
    s->opened[i] = p;
    p->busy = true;
    s->n_unsettled++;
    if (!overlaps(s))
        frs_row_add_turn(s->row, turn);
    return turn;
}

/* Training begins; what the downloads will weigh is known. */
static void open_learning(struct simulation *s, size_t n) {
    struct frs_cohort cohort = {.round = s->round,
        .attempt = s->attempt,
        .n = n,
        .clients = s->cohort,
        .trains = s->takes_part,
        .waits = s->waits,
        .budgets = s->budgets};
    frs_control_grant(s->settings.control, s->round, s->attempt, s->cohort, n, s->grants);
    for (size_t i = 0; i < n; i++)
        s->budgets[i] = s->grants[i].budget;
    size_t first = frs_learning_open(s->learning, &cohort, s->learnt, &s->encode_flop);
    for (size_t i = 0; i < n; i++) {
        struct frs_turn *turn = turn_of(s->opened[i]);
        turn->ticket = first + i;
        turn->grant = s->grants[i];
        turn->learnt = s->learnt[i];
        turn->entry.budget = s->budgets[i];
        turn->p.down_bytes = s->learnt[i].down_bytes;
        turn->entry.nominal_down_bytes = s->learnt[i].nominal_down_bytes;
    }
}

/* Capacity of a client's link while its bandwidth follows a trace. */
static double capacity(
    void *context, const struct frs_participation *p, bool up, double now_s, double *until_s) {
    const struct simulation *s = context;
    double factor = frs_network_factor(&s->setup->network, s->setup->seed, p->client, now_s, until_s);
    return frs_network_scaled(up ? p->up_bytes_per_s : p->down_bytes_per_s, factor);
}

static void ask_for_groups(struct simulation *s) {
    uint32_t *groups = frs_alloc(s->setup->data->population.n_clients, sizeof *groups);
    uint32_t n_groups = frs_learning_groups(s->learning, groups);
    frs_control_set_groups(s->settings.control, groups, n_groups);
    free(groups);
}

/* Clients to be asked, in ascending client id; 0 when nobody can be reached. */
static size_t select_cohort(struct simulation *s, size_t n) {
    const struct frs_setup *setup = s->setup;
    bool sees = setup->sees_availability && !frs_reachability_is_trivial(&setup->reachability);
    bool all = !sees && s->n_unsettled == 0 && !s->barred;
    if (setup->selection->uses_groups)
        ask_for_groups(s);
    return frs_control_select(
        s->settings.control, s->round, s->attempt, (uint32_t)n, all ? NULL : is_eligible, s, s->cohort);
}

/* The date, later than now, at which one more client can be asked; INFINITY: never, unless somebody who is
 * under way ends. */
static double next_reachable_s(const struct simulation *s) {
    const struct frs_reachability *reachability = &s->setup->reachability;
    double next_s = INFINITY;
    if (s->n_unsettled == 0 && !s->barred)
        next_s = frs_reachable_next_any_s(reachability, s->round, s->attempt, s->now_s);
    else
        for (uint32_t client = 0; client < s->setup->data->population.n_clients; client++)
            if (!is_out_of_question(s, client))
                next_s =
                    fmin(next_s, frs_reachable_next_s(reachability, client, s->round, s->attempt, s->now_s));
    return next_s > s->now_s ? next_s : INFINITY;
}

static bool is_somebody_under_way(const struct simulation *s) {
    for (uint32_t client = 0; s->n_unsettled > 0 && client < s->setup->data->population.n_clients; client++) {
        const struct frs_turn *last = frs_books_last_turn(s->books, client);
        if (last && last->p.busy)
            return true;
    }
    return false;
}

/* Nobody can be reached: the server sleeps until somebody can, or gives up when that will never be. */
static struct frs_opening sleep_or_end(struct simulation *s) {
    double next_s = next_reachable_s(s);
    if (next_s < INFINITY || is_somebody_under_way(s)) {
        s->attempt++;
        return (struct frs_opening){.kind = FRS_OPEN_SLEEP, .until_s = next_s};
    }
    s->stranded = true;
    frs_errors_add(s->errors, FRS_ERR_RUN,
        "round %u: no client can be reached at %.15g s, nor ever again; the rounds closed so far were kept",
        s->round + 1, s->now_s);
    return (struct frs_opening){.kind = FRS_OPEN_END};
}

/* One operation for every value of the message that goes out, and what its codec needs. */
static double encode_flop(const struct simulation *s) {
    const struct frs_learner *learner = s->setup->learner;
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = learner->parts(s->setup->model, learner->sends_updates ? FRS_UPDATE : FRS_STATE, shapes);
    double values = 0;
    for (size_t i = 0; i < n; i++)
        values += (double)(shapes[i].n_rows * shapes[i].dim);
    return values + s->encode_flop;
}

static bool has_stopped(const struct simulation *s) {
    return s->converged || s->out_of_time || s->reached_target;
}

static bool goes_on(void *context) {
    struct simulation *s = context;
    if (s->round == 0)
        s->stopping = *s->settings.interrupted;
    s->result->interrupted = s->stopping && s->round < s->setup->n_rounds;
    return !s->result->interrupted && !s->diverged && !s->stranded && !has_stopped(s) &&
           s->round < s->setup->n_rounds;
}

/* Where rounds overlap a row begins where the last one ended, or when somebody is asked again after nobody
 * was. */
static void begin_row(struct simulation *s, double now_s) {
    if (s->row)
        return;
    s->row = frs_books_add_row(s->books);
    s->row->closed.start_s = now_s;
}

/* Encoding comes once a round. */
static double take_encode_s(struct simulation *s) {
    bool again = overlaps(s) && s->encoded;
    s->encoded = true;
    if (again || !s->course.receives)
        return 0;
    double flop = encode_flop(s);
    s->row->closed.server_flop += flop;
    return frs_server_compute_s(&s->setup->server, flop);
}

static struct frs_opening ask_clients(void *context, double now_s, size_t n) {
    struct simulation *s = context;
    s->now_s = now_s;
    s->course = frs_learner_course(s->setup->learner, s->setup->model, s->round);
    frs_posts_until(s->posts, now_s);
    size_t n_asked = select_cohort(s, n);
    if (n_asked == 0)
        return sleep_or_end(s);
    begin_row(s, now_s);
    for (size_t i = 0; i < n_asked; i++)
        prepare(s, i);
    open_learning(s, n_asked);
    struct frs_opening opening = {.kind = FRS_OPEN_ROUND,
        .until_s = INFINITY,
        .server_s = take_encode_s(s),
        .participants = s->opened,
        .n = n_asked};
    if (!overlaps(s))
        return opening;
    s->attempt++;
    if (n_asked < n)
        opening.until_s = next_reachable_s(s);
    return opening;
}

/* ---- what a client does -------------------------------------------------------------------------------- */

static double work_s(const struct simulation *s, uint32_t client, struct frs_spent spent) {
    return frs_devices_compute_s(&s->setup->devices, s->setup->seed, client, spent);
}

/* Of the phase before the upload. CPU time is not measured apart. */
static double compute_s(const struct simulation *s, uint32_t client, const struct frs_learnt *learnt) {
    double share = learnt->flop > 0 ? 1 - learnt->post_flop / learnt->flop : 1;
    return work_s(s, client,
        (struct frs_spent){.flop = learnt->flop - learnt->post_flop,
            .samples = learnt->samples - learnt->post_samples,
            .cpu_s = learnt->cpu_s * share});
}

/* What a device needs for all of it beyond that; overheads are there once. NaN: there is nothing to do. */
static double post_s(const struct simulation *s, uint32_t client, const struct frs_learnt *learnt) {
    struct frs_spent all = {.flop = learnt->flop, .samples = learnt->samples, .cpu_s = learnt->cpu_s};
    return learnt->post_flop > 0 ? fmax(work_s(s, client, all) - compute_s(s, client, learnt), 0) : NAN;
}

static void take_result(struct simulation *s, struct frs_turn *turn) {
    frs_learning_result(s->learning, turn->ticket, &turn->learnt);
    turn->p.up_bytes = turn->learnt.up_bytes;
    turn->entry.nominal_up_bytes = turn->learnt.nominal_up_bytes;
    turn->entry.flop = turn->learnt.flop - turn->learnt.post_flop;
    turn->entry.post_flop = turn->learnt.post_flop;
    turn->p.post.work_s = post_s(s, turn->p.client, &turn->learnt);
}

static void received(void *context, struct frs_participation *p) {
    struct simulation *s = context;
    frs_learning_received(s->learning, turn_of(p)->ticket);
}

/* Its device has ended what it was at, so its private state is known. */
static void train_at_last(struct simulation *s, struct frs_turn *turn) {
    frs_posts_end_of(s->posts, turn->p.client);
    turn->p.before = NULL;
    if (turn->waits)
        frs_learning_train(s->learning, turn->ticket);
    turn->waits = false;
}

static void compute(void *context, struct frs_participation *p) {
    struct simulation *s = context;
    struct frs_turn *turn = turn_of(p);
    train_at_last(s, turn);
    take_result(s, turn);
    p->compute_s = s->course.trains ? compute_s(s, p->client, &turn->learnt) : 0;
    if (isfinite(p->post.work_s) && isfinite(p->post.fails_after_s)) { /* one clock for the device */
        p->up_loss.after_s = turn->up_failure.connection_after_s;
        p->up_loss.after_cause = FRS_CAUSE_CONNECTION;
    }
}

static void computed(void *context, struct frs_participation *p) {
    struct simulation *s = context;
    struct frs_turn *turn = turn_of(p);
    if (!s->setup->training)
        return;
    if (!isfinite(turn->learnt.loss) && !s->diverged) {
        s->diverged = true;
        frs_errors_add(s->errors, FRS_ERR_RUN,
            "round %u: the loss of client %u is not a number: training has diverged (smaller "
            "method.learning_rate?)",
            s->round + 1, p->client);
    }
    frs_posts_begin(s->posts, turn);
}

/* Epochs of a participation are about equally long: the one that is under way after so much time. All of them
 * where time does not depend on them. */
static uint32_t epochs_by(double elapsed_s, double overhead_s, double whole_s, uint32_t epochs) {
    if (!(whole_s > overhead_s) || epochs < 1)
        return epochs;
    double under_way = (elapsed_s - overhead_s) / (whole_s - overhead_s) * epochs - 1e-9;
    return under_way < 1 ? 1 : under_way >= epochs ? epochs : (uint32_t)ceil(under_way);
}

/* A participation that is to end early. */
struct ending {
    struct frs_turn *turn;
    double elapsed_s, whole_s;
    uint32_t epochs, all;
};

static struct ending plan_ending(struct simulation *s, struct frs_participation *p, double now_s) {
    struct frs_turn *turn = turn_of(p);
    bool begun = isfinite(p->compute_start_s);
    struct ending ending = {.turn = turn, .elapsed_s = begun ? now_s - p->compute_start_s : 0};
    if (turn->waits) { /* how many epochs there would be is not known yet */
        ending.epochs = 1;
        ending.all = UINT32_MAX;
        return ending;
    }
    take_result(s, turn);
    ending.whole_s = begun ? p->compute_s : compute_s(s, p->client, &turn->learnt);
    ending.all = turn->learnt.epochs;
    ending.epochs = epochs_by(
        ending.elapsed_s, compute_s(s, p->client, &(struct frs_learnt){0}), ending.whole_s, ending.all);
    return ending;
}

/* Trains those anew that end before their last epoch. */
static void train_endings(struct simulation *s, const struct ending *endings, size_t n) {
    size_t *tickets = frs_alloc(n + 1, sizeof *tickets), n_short = 0;
    uint32_t *epochs = frs_alloc(n + 1, sizeof *epochs);
    for (size_t i = 0; i < n; i++)
        if (endings[i].epochs < endings[i].all) {
            tickets[n_short] = endings[i].turn->ticket;
            epochs[n_short++] = endings[i].epochs;
        }
    if (n_short > 0)
        frs_learning_truncate(s->learning, tickets, epochs, n_short);
    for (size_t i = 0; i < n; i++)
        if (!endings[i].turn->waits)
            take_result(s, endings[i].turn);
    free(tickets);
    free(epochs);
}

static double ending_s(const struct simulation *s, const struct ending *ending) {
    if (ending->epochs == ending->all || ending->turn->waits)
        return ending->whole_s;
    return fmin(compute_s(s, ending->turn->p.client, &ending->turn->learnt), ending->whole_s);
}

/* Epochs differ a little in length: who would have ended before now is in the next one. */
static void truncate_work(
    void *context, struct frs_participation *const *list, size_t n, double now_s, double *seconds) {
    struct simulation *s = context;
    struct ending *endings = frs_alloc(n, sizeof *endings);
    for (size_t i = 0; i < n; i++)
        endings[i] = plan_ending(s, list[i], now_s);
    for (bool again = true; again;) {
        again = false;
        train_endings(s, endings, n);
        for (size_t i = 0; i < n; i++)
            if (endings[i].epochs < endings[i].all && ending_s(s, &endings[i]) < endings[i].elapsed_s) {
                endings[i].epochs++;
                again = true;
            }
    }
    for (size_t i = 0; i < n; i++)
        seconds[i] = isfinite(list[i]->compute_start_s) ? ending_s(s, &endings[i]) : NAN;
    free(endings);
}

/* ---- closing ------------------------------------------------------------------------------------------- */

static void keep_arrived(struct simulation *s, struct frs_turn *turn) {
    s->arrived = frs_grow(s->arrived, s->n_arrived + 1, &s->arrived_capacity, sizeof *s->arrived);
    s->arrived[s->n_arrived++] = turn;
}

/* What arrived has told the server something, in time or not; a server that restarts has forgotten. */
static void observe(struct simulation *s, bool forgets) {
    for (size_t i = 0; i < s->n_arrived && !forgets; i++)
        frs_control_observe(s->settings.control, &s->arrived[i]->p, &s->arrived[i]->grant,
            s->setup->training ? s->arrived[i]->learnt.loss : NAN);
    s->n_arrived = 0;
}

static void settled(void *context, struct frs_participation *p) {
    struct simulation *s = context;
    struct frs_turn *turn = turn_of(p);
    s->n_unsettled--;
    if (!turn->row)
        frs_row_add_turn(s->row, turn);
    if (p->cause == FRS_CAUSE_NONE)
        turn->entry.staleness = (uint32_t)(s->n_versions - turn->version);
    if (p->outcome == FRS_DELIVERED || p->outcome == FRS_LATE)
        keep_arrived(s, turn);
    frs_posts_leave(s->posts, turn);
}

static bool is_last(const struct simulation *s) {
    return s->round + 1 == s->setup->n_rounds || s->stopping || s->diverged || has_stopped(s);
}

static bool is_evaluated(const struct simulation *s) {
    return s->settings.evaluation && (is_last(s) || (s->round + 1) % s->setup->evaluate_every == 0);
}

static double headline(const struct simulation *s, const struct frs_scores *scores) {
    return s->setup->data->explicit_feedback ? -scores->rmse : scores->hit;
}

static void keep_best(struct simulation *s, const struct frs_quality *quality) {
    struct frs_simulation_result *result = s->result;
    if (quality->validation.n == 0)
        return;
    if (result->best_round == 0 ||
        headline(s, &quality->validation) > headline(s, &result->best.validation)) {
        result->best_round = s->round + 1;
        result->best = *quality;
    }
}

static void report_progress(const struct simulation *s, double now_s, const struct frs_quality *quality) {
    bool rating = s->setup->data->explicit_feedback;
    const struct frs_scores *scores = quality ? &quality->test : &s->result->last.test;
    frs_progress_round(s->settings.progress, s->round + 1, now_s,
        s->settings.evaluation ? s->setup->headline : NULL, rating ? scores->rmse : scores->hit);
}

static double state_bytes(const struct frs_setup *setup) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = setup->learner->parts(setup->model, FRS_STATE, shapes);
    double bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += 4.0 * (double)(shapes[i].n_rows * shapes[i].dim);
    n = setup->learner->personal ? setup->learner->parts(setup->model, FRS_PERSONAL, shapes) : 0;
    for (size_t i = 0; i < n; i++)
        bytes += 4.0 * (double)(shapes[i].n_rows * shapes[i].dim);
    return bytes;
}

/* The server's link is finite, and what makes a transfer longer than on the client's own can only be that
 * link. */
static bool is_contended(const struct frs_setup *setup) {
    const struct frs_network *network = &setup->network;
    return !setup->platform.file && network->model == FRS_EXACT && network->trace.n_cycles == 0 &&
           (network->server_down_bytes_per_s < INFINITY || network->server_up_bytes_per_s < INFINITY);
}

/* The learner's count; in general one multiplication and one addition for every value that arrived. */
static double aggregate_s(void *context, const struct frs_closing *closing) {
    struct simulation *s = context;
    double values = 0;
    for (size_t i = 0; i < closing->n; i++)
        values += (double)turn_of(closing->arrivals[i])->entry.nominal_up_bytes / sizeof(float);
    s->aggregate_flop = frs_learner_aggregate_flop(s->setup->learner, s->setup->model, closing->n, values);
    s->server_s = frs_server_compute_s(&s->setup->server, s->aggregate_flop);
    return s->server_s;
}

/* The device is on, and either was not asked, or has been cut off from the server before it received anything
 * (simulation.md 10.7). */
static size_t list_loners(const struct simulation *s, uint32_t *loners) {
    uint32_t n_clients = s->setup->data->population.n_clients;
    enum { NOT_ASKED, ASKED, CUT_OFF } *marks = frs_alloc(n_clients, sizeof *marks);
    size_t n = 0;
    for (size_t i = 0; i < s->row->n; i++) {
        const struct frs_participation *p = &s->row->turns[i]->p;
        bool received = isfinite(p->down_end_s);
        bool cut_off = p->outcome == FRS_CUT || p->cause == FRS_CAUSE_CONNECTION;
        marks[p->client] = cut_off && !received ? CUT_OFF : ASKED;
    }
    for (uint32_t client = 0; client < n_clients; client++) {
        double until_s;
        if (marks[client] == CUT_OFF || (marks[client] == NOT_ASKED && !is_out_of_question(s, client) &&
                                            is_reachable(s, client, &until_s)))
            loners[n++] = client;
    }
    free(marks);
    return n;
}

static void step_alone(struct simulation *s) {
    const struct frs_learner *learner = s->setup->learner;
    if (!s->setup->training || !s->row || !learner->steps_alone ||
        !learner->steps_alone(s->setup->model, s->round))
        return;
    uint32_t *clients = frs_alloc(s->setup->data->population.n_clients, sizeof *clients);
    struct frs_loners loners = {.round = s->round, .attempt = s->attempt, .clients = clients};
    struct frs_learnt learnt = {0};
    loners.n = list_loners(s, clients);
    if (loners.n > 0)
        frs_learning_alone(s->learning, &loners, &learnt);
    s->result->alone_steps += loners.n;
    s->result->alone_flop += learnt.flop;
    free(clients);
    if (!isfinite(learnt.loss) && !s->diverged) {
        s->diverged = true;
        frs_errors_add(s->errors, FRS_ERR_RUN,
            "round %u: the loss of a client that takes no part is not a number: training has diverged",
            s->round + 1);
    }
}

/* A round that diverged changes nothing any more; neither does one without uploads. */
static void close_learning(struct simulation *s, const struct frs_closing *closing) {
    size_t *tickets = frs_alloc(closing->n + 1, sizeof *tickets);
    struct frs_arrivals arrivals = {.tickets = tickets, .n = s->course.sends ? closing->n : 0};
    bool kept = closing->lost == FRS_CAUSE_NONE && !s->diverged;
    for (size_t i = 0; i < closing->n; i++)
        tickets[i] = turn_of(closing->arrivals[i])->ticket;
    if (kept)
        step_alone(s);
    double change = frs_learning_close(s->learning, kept ? &arrivals : NULL);
    /* Uploads that bring nothing but rounding (RFRecF: before anybody has made a main step) tell nothing. */
    s->converged = kept && change > SAME_TABLE && change <= s->setup->stop_change &&
                   s->round + 1 >= s->setup->stop_after;
    s->n_versions += kept && arrivals.n > 0;
    s->result->communications += s->course.receives + (s->course.sends && !s->course.extra);
    s->result->extra_communications += s->course.extra;
    free(tickets);
}

static void close_row(struct simulation *s, const struct frs_closing *closing) {
    if (!s->row) /* nobody was asked since the last one */
        return;
    struct frs_closed_round *closed = &s->row->closed;
    closed->end_s = closing->now_s;
    bool kept = closing->lost == FRS_CAUSE_NONE;
    closed->server_s = kept ? s->server_s : 0;
    closed->server_flop += kept ? s->aggregate_flop : 0;
    closed->overlaps = overlaps(s);
    closed->contended = is_contended(s->setup);
    closed->attempt = overlaps(s) ? s->lost_attempts : s->attempt;
    closed->lost = closing->lost;
    s->row->is_closed = true;
}

/* The next row of overlapping rounds begins where this one ends, if anybody is under way. */
static void leave_row(struct simulation *s, double now_s) {
    s->row = NULL;
    s->encoded = false;
    if (overlaps(s) && s->n_unsettled > 0)
        begin_row(s, now_s);
}

/* Too many attempts in vain. */
static void give_up(struct simulation *s) {
    const struct frs_policy_settings *policy = &s->setup->policy_settings;
    s->stranded = true;
    frs_errors_add(s->errors, FRS_ERR_RUN,
        "round %u: fewer than %u uploads arrived in each of %u attempts (rounds.policy.quorum, "
        "max_attempts); "
        "the rounds closed so far were kept",
        s->round + 1, policy->quorum, s->void_attempts);
}

/* The state is that of the last closed round; the round repeats. */
static void repeat_round(struct simulation *s, const struct frs_closing *closing) {
    s->attempt++;
    s->lost_attempts++;
    s->void_attempts += closing->lost == FRS_CAUSE_VOID_ROUND;
    if (s->void_attempts > 0 && s->void_attempts == s->setup->policy_settings.max_attempts)
        give_up(s);
    leave_row(s, closing->now_s);
}

static void evaluate(struct simulation *s, double now_s) {
    struct frs_quality quality;
    bool evaluated = is_evaluated(s);
    if (evaluated) {
        bool last = is_last(s);
        quality = frs_learning_evaluate(s->learning, last);
        s->reached_target = s->setup->stop_at_target && frs_target_is_reached(s->setup, &quality);
        if (s->reached_target && !last)
            quality = frs_learning_evaluate(s->learning, true);
        s->result->last = quality;
        keep_best(s, &quality);
        s->row->quality = quality;
        s->row->closed.quality = &s->row->quality;
    }
    report_progress(s, now_s, evaluated ? &quality : NULL);
}

static void close_round(void *context, const struct frs_closing *closing) {
    struct simulation *s = context;
    frs_posts_until(s->posts, closing->now_s);
    close_learning(s, closing);
    s->stopping = *s->settings.interrupted;
    observe(s, closing->lost == FRS_CAUSE_SERVER_RESTART);
    if (s->settings.checkpoint && closing->lost == FRS_CAUSE_NONE && !s->diverged)
        frs_checkpoint_round(s->settings.checkpoint, s->learning, s->round + 1, s->stopping);
    close_row(s, closing);
    if (closing->lost != FRS_CAUSE_NONE) {
        repeat_round(s, closing);
    } else {
        s->out_of_time = closing->now_s >= s->setup->stop_s;
        evaluate(s, closing->now_s);
        s->row->is_held = overlaps(s) && is_last(s); /* what is under way ends with it */
        if (!s->row->is_held)
            leave_row(s, closing->now_s);
        s->round++;
        s->attempt = s->lost_attempts = s->void_attempts = 0;
    }
    frs_books_enter(s->books);
}

/* The run is over: everything has been settled. What had come in when nobody could be reached any more was in
 * vain. */
static void close_books(struct simulation *s, double now_s) {
    frs_posts_end_all(s->posts, now_s);
    if (s->row && !s->row->is_closed)
        close_row(s, &(struct frs_closing){.now_s = now_s, .lost = FRS_CAUSE_END_OF_RUN});
    if (s->row)
        s->row->is_held = false;
    frs_books_enter(s->books);
}

/* ---- the run ------------------------------------------------------------------------------------------- */

static struct frs_channel *create_user_channel(const struct simulation *s) {
    const struct frs_user_platform *platform = &s->setup->platform;
    return frs_channel_create(&(struct frs_channel_settings){.platform_file = platform->file,
        .n_slots = s->setup->policy_settings.n_selected,
        .lv08 = s->setup->network.model == FRS_LV08,
        .server_host = platform->server,
        .client_prefix = platform->clients});
}

/* At most, at any time. */
static size_t n_under_way(const struct frs_setup *setup) {
    return setup->policy_settings.run_on ? setup->data->population.n_clients
                                         : setup->policy_settings.n_selected;
}

/* The platform file is read at once and removed again. */
static struct frs_channel *create_channel(const struct simulation *s, struct frs_errors *errors) {
    const char *folder = getenv("TMPDIR");
    char *path = frs_format("%s/fedrecsim-XXXXXX.xml", folder && *folder ? folder : "/tmp");
    struct frs_channel *channel = NULL;
    int descriptor = mkstemps(path, 4);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    const struct frs_network *network = &s->setup->network;
    bool slots = s->setup->player == &frs_player_simgrid;
    size_t n_slots = slots ? n_under_way(s->setup) : 1;
    int failed = file ? frs_slots_write(
                            file, n_slots, network->server_down_bytes_per_s, network->server_up_bytes_per_s)
                      : -1;
    if (file && fclose(file) != 0)
        failed = -1;
    if (failed)
        frs_errors_add(errors, FRS_ERR_RUN, "%s: cannot write the platform file: %s", path, strerror(errno));
    else
        channel = frs_channel_create(&(struct frs_channel_settings){.platform_file = path,
            .n_slots = n_slots,
            .contended =
                network->server_down_bytes_per_s < INFINITY || network->server_up_bytes_per_s < INFINITY,
            .lv08 = network->model == FRS_LV08});
    if (descriptor >= 0)
        unlink(path);
    free(path);
    return channel;
}

static void init(struct simulation *s) {
    const struct frs_setup *setup = s->setup;
    size_t n = setup->policy_settings.n_selected;
    s->state_bytes = state_bytes(setup);
    s->learning = frs_learning_create(setup, s->settings.pool, s->settings.evaluation, s->settings.journal);
    if (setup->player != &frs_player_simgrid)
        s->timeline = frs_timeline_create(
            &(struct frs_timeline_settings){.server_down_bytes_per_s = setup->network.server_down_bytes_per_s,
                .server_up_bytes_per_s = setup->network.server_up_bytes_per_s,
                .capacity = setup->network.trace.n_cycles > 0 ? capacity : NULL,
                .stopped = frs_player_stopped,
                .context = s});
    s->books = frs_books_create(setup, s->settings.ledger);
    s->posts = frs_posts_create(setup->data->population.n_clients, s->books, s->learning);
    s->cohort = frs_alloc(n, sizeof *s->cohort);
    s->takes_part = frs_alloc(n, sizeof *s->takes_part);
    s->waits = frs_alloc(n, sizeof *s->waits);
    s->grants = frs_alloc(n, sizeof *s->grants);
    s->budgets = frs_alloc(n, sizeof *s->budgets);
    s->learnt = frs_alloc(n, sizeof *s->learnt);
    s->opened = frs_alloc(n, sizeof *s->opened);
    if (overlaps(s))
        s->barred = frs_alloc(setup->data->population.n_clients, sizeof *s->barred);
}

static void fini(struct simulation *s) {
    frs_learning_destroy(s->learning);
    frs_timeline_destroy(s->timeline);
    frs_books_destroy(s->books);
    frs_posts_destroy(s->posts);
    free(s->cohort);
    free(s->takes_part);
    free(s->waits);
    free(s->grants);
    free(s->budgets);
    free(s->learnt);
    free(s->arrived);
    free(s->opened);
    free(s->barred);
}

/* The network layer's own count against the ledger's. */
static void check_network(const struct simulation *s, const struct frs_channel *channel) {
    struct frs_carried carried;
    if (s->timeline) {
        uint64_t lost = 0;
        const struct frs_totals *totals = frs_ledger_totals(s->settings.ledger);
        for (size_t i = FRS_DELIVERED + 1; i < FRS_N_OUTCOMES; i++)
            lost += totals->outcomes[i];
        frs_timeline_carried(s->timeline, &carried.down_bytes, &carried.up_bytes);
        /* What crossed before a loss is counted in whole bytes. */
        carried.down_slack_bytes = carried.up_slack_bytes = (double)lost;
    } else {
        carried = frs_channel_carried(channel);
    }
    frs_ledger_check_network(s->settings.ledger, carried.down_bytes, carried.up_bytes,
        carried.down_slack_bytes, carried.up_slack_bytes);
}

static void run_server(struct simulation *s, struct frs_channel *channel) {
    const struct frs_setup *setup = s->setup;
    struct frs_server_operations operations = {
        .play = {.context = s, .received = received, .compute = compute, .computed = computed},
        .goes_on = goes_on,
        .open = ask_clients,
        .truncate = truncate_work,
        .aggregate_s = aggregate_s,
        .settled = settled,
        .close = close_round,
    };
    struct frs_server_settings settings = {.channel = channel,
        .policy = setup->policy,
        .policy_settings = setup->policy_settings,
        .player = setup->player,
        .timeline = s->timeline,
        .operations = &operations,
        .restarts_s = setup->failures.server_restarts_s,
        .n_restarts = setup->failures.n_server_restarts,
        .restart_s = setup->failures.restart_s,
        .detect_s = setup->failures.detect_s};
    close_books(s, frs_server_run(&settings));
}

enum frs_status frs_simulate(const struct frs_simulation_settings *settings,
    struct frs_simulation_result *result, struct frs_errors *errors) {
    struct simulation s = {
        .settings = *settings, .setup = settings->setup, .result = result, .errors = errors};
    *result = (struct frs_simulation_result){0};
    init(&s);
    struct frs_channel *channel =
        s.setup->platform.file ? create_user_channel(&s) : create_channel(&s, errors);
    enum frs_status status = channel ? FRS_OK : FRS_ERR_RUN;
    if (channel) {
        if (settings->evaluation) {
            result->initial = result->last = frs_learning_evaluate(s.learning, false);
        }
        run_server(&s, channel);
        if (s.stranded && settings->evaluation) /* the round that turned out to be the last */
            result->last = frs_learning_evaluate(s.learning, true);
        check_network(&s, channel);
        result->stranded = s.stranded;
        result->converged = s.converged;
        result->out_of_time = s.out_of_time;
        result->reached_target = s.reached_target;
        result->updates = frs_learning_updates(s.learning);
        result->training_s = frs_learning_training_s(s.learning);
        result->recalled = !frs_learning_trained(s.learning);
        status = s.diverged || s.stranded ? FRS_ERR_RUN : result->interrupted ? FRS_INTERRUPTED : FRS_OK;
    }
    frs_channel_destroy(channel);
    fini(&s);
    return status;
}
