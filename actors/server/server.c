#include "actors/server/server.h"
#include "actors/server/server_internal.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <stdlib.h>

/* Times closer than this are the same instant where the server waits for one. */
#define INSTANT_S 1e-9

/* SimGrid's clock may stand a rounding beyond the time. */
void frs_backend_sleep_until(double time_s) {
    if (time_s > frs_simgrid.simgrid_get_clock())
        frs_simgrid.sg_actor_sleep_until(time_s);
}

/* ---- what the server knows ------------------------------------------------------------------- */

static void settle(const struct server *server, struct frs_participation *p) {
    operations(server)->settled(context_of(server), p);
}

void frs_server_settle_all(const struct server *server, struct frs_queue *queue, enum frs_cause cause) {
    for (struct frs_participation *p; (p = frs_queue_take(queue));) {
        if (cause != FRS_CAUSE_NONE)
            p->result.cause = cause;
        settle(server, p);
    }
}

/* The end of a participation whose round is over. */
static void learn_late(struct server *server, struct frs_participation *p) {
    const struct frs_policy_settings *policy = server->round.policy;
    bool kept = p->late_cause == FRS_CAUSE_ROUND_CLOSED && p->closed_round <= server->n_closed,
         in_time = kept && server->n_closed - p->closed_round < policy->late_rounds;
    if (p->result.outcome == FRS_LATE && in_time && policy->accepts_late) {
        frs_queue_put(&server->held, p);
        return;
    }
    if (p->result.outcome == FRS_LATE)
        p->result.cause = p->late_cause;
    settle(server, p);
}

void frs_server_learn(struct server *server, struct frs_participation *p) {
    frs_in_flight_leave(&server->in_flight, p);
    p->busy = false;
    p->times.known_s = server->in_flight.now_s;
    if (p->aside) {
        server->n_exchanging--;
        operations(server)->exchanged(context_of(server), p);
        return;
    }
    if (operations(server)->freed)
        operations(server)->freed(context_of(server), p);
    if (p->closed) {
        learn_late(server, p);
        return;
    }
    server->n_known++;
    server->n_lost += p->result.outcome != FRS_DELIVERED;
    if (p->result.outcome != FRS_DELIVERED)
        frs_server_edges_lose(server, p);
    if (p->result.outcome == FRS_DELIVERED)
        frs_queue_put(p->in_edge_model ? &server->in_edge_models : &server->arrivals, p);
    else
        settle(server, p);
}

void frs_server_note_unknown(struct server *server, uint32_t place) {
    frs_heap_remove(&server->unknown, place);
    frs_server_learn(server, server->in_flight.at[place]);
}

static int by_time(const void *a, const void *b) {
    const struct frs_participation *p = *(struct frs_participation *const *)a,
                                   *q = *(struct frs_participation *const *)b;
    if (p->times.ended_s != q->times.ended_s)
        return (p->times.ended_s > q->times.ended_s) - (p->times.ended_s < q->times.ended_s);
    return (p->client > q->client) - (p->client < q->client);
}

/* Under the backend simgrid participations end in any order within an instant. */
static size_t take_ended(struct server *server) {
    size_t n = 0;
    server->list = frs_grow(server->list, server->in_flight.ended.n, &server->list_capacity, sizeof(void *));
    for (struct frs_participation *p; (p = frs_queue_take(&server->in_flight.ended));)
        server->list[n++] = p;
    if (n > 1)
        qsort(server->list, n, sizeof(void *), by_time);
    return n;
}

/* The server learns of a loss only detect_s after it. */
static void note_ends(struct server *server) {
    size_t n = take_ended(server);
    for (size_t i = 0; i < n; i++) {
        struct frs_participation *p = server->list[i];
        if (frs_server_edges_take(server, p))
            continue;
        bool vanished = p->result.outcome >= FRS_DROPPED_DOWN && p->result.outcome <= FRS_DROPPED_UP;
        double known_s = p->times.ended_s + (vanished ? server->settings->detect_s : 0);
        server->in_flight.n--;
        if (known_s > server->in_flight.now_s)
            frs_heap_put(&server->unknown, p->place, known_s, p->client);
        else
            frs_server_learn(server, p);
    }
    const struct frs_heap_entry *next;
    while ((next = frs_heap_top(&server->unknown)) && next->key <= server->in_flight.now_s)
        frs_server_note_unknown(server, next->item);
}

void frs_server_note_ends(struct server *server) {
    do
        note_ends(server);
    while (frs_server_edges_go_on(server));
}

/* ---- time ------------------------------------------------------------------------------------ */

double frs_server_next_restart_s(const struct server *server) {
    return server->next_restart < server->settings->n_restarts
               ? server->settings->restarts_s[server->next_restart]
               : NEVER;
}

static bool is_struck(const struct server *server) {
    return frs_server_next_restart_s(server) <= server->in_flight.now_s;
}

void frs_server_step(struct server *server, double until_s) {
    const struct frs_heap_entry *next = frs_heap_top(&server->unknown);
    until_s = next ? earlier(next->key, until_s) : until_s;
    until_s = earlier(until_s, frs_server_edge_acts_s(server));
    FRS_INVARIANT(until_s < NEVER || server->in_flight.n > 0, "the server waits for nothing");
    server->settings->backend->wait(&server->in_flight, until_s);
    frs_server_note_ends(server);
    if (frs_server_fail_edges(server))
        frs_server_note_ends(server);
}

/* Lets time pass whatever happens meanwhile; false when the server restarts. */
bool frs_server_pass(struct server *server, double until_s) {
    while (!is_struck(server) && server->in_flight.now_s < until_s)
        frs_server_step(server, earlier(until_s, frs_server_next_restart_s(server)));
    return !is_struck(server);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* The server went down while it prepared the messages, or has no client to send them to: none has left it. */
static void stop_before_start(struct server *server, const struct frs_opening *opening) {
    enum frs_cause cause = server->spoilt ? FRS_CAUSE_VOID_ROUND : FRS_CAUSE_SERVER_RESTART;
    for (size_t i = 0; i < opening->n; i++)
        frs_lifecycle_stop(opening->participants[i], server->in_flight.now_s, 0, FRS_CUT, cause);
    frs_server_note_ends(server);
}

static void start(struct server *server, const struct frs_opening *opening) {
    for (size_t i = 0; i < opening->n; i++) {
        struct frs_participation *p = opening->participants[i];
        p->times.selected_s = server->in_flight.now_s;
        p->busy = true;
    }
    server->open = true;
    server->round.n += opening->n;
    bool goes_on = frs_server_exchange(server, NULL);
    for (size_t i = 0; i < opening->n; i++)
        frs_in_flight_enter(&server->in_flight, opening->participants[i]);
    server->in_flight.n += opening->n;
    if (!goes_on || !frs_server_pass(server, server->in_flight.now_s + opening->server_s)) {
        stop_before_start(server, opening);
        return;
    }
    server->round.started_s = server->in_flight.now_s;
    frs_server_send(server, opening->participants, opening->n);
    frs_server_note_ends(server);
}

/* Asynchronous: keeps the intended number of participations under way, as far as clients can be reached.
 * Returns whether any client was selected. */
static bool top_up(struct server *server) {
    size_t n = server->round.policy->n_selected, n_taken = server->in_flight.n_taken;
    server->retry_s = NEVER;
    if (server->stranded || n_taken >= n)
        return false;
    struct frs_opening opening =
        operations(server)->open(context_of(server), server->in_flight.now_s, n - n_taken);
    server->stranded = opening.kind == FRS_OPEN_END;
    if (opening.kind == FRS_OPEN_SLEEP || opening.n < n - n_taken)
        server->retry_s = opening.until_s;
    if (opening.kind == FRS_OPEN_ROUND)
        start(server, &opening);
    return opening.kind == FRS_OPEN_ROUND;
}

/* False when there will be no further round. */
static bool open_round(struct server *server) {
    server->round = (struct frs_round){.policy = &server->settings->policy_settings};
    server->n_known = server->n_lost = 0;
    server->spoilt = false;
    server->retry_s = NEVER;
    server->open = is_asynchronous(server) && (server->in_flight.n_taken > 0 || server->arrivals.n > 0);
    if (is_asynchronous(server))
        return true;
    for (;;) {
        if (is_struck(server)) {
            frs_server_restart(server, NULL);
            continue;
        }
        struct frs_opening opening = operations(server)->open(
            context_of(server), server->in_flight.now_s, server->round.policy->n_selected);
        if (opening.kind == FRS_OPEN_END)
            return false;
        if (opening.kind == FRS_OPEN_ROUND) {
            start(server, &opening);
            return true;
        }
        FRS_INVARIANT(
            opening.until_s > server->in_flight.now_s, "the server sleeps until a time that has passed");
        frs_server_step(server, earlier(opening.until_s, frs_server_next_restart_s(server)));
    }
}

/* ---- collecting ------------------------------------------------------------------------------ */

static bool is_enough(const struct server *server, size_t n) {
    if (server->arrivals.n >= n)
        return true;
    if (!is_asynchronous(server))
        return server->n_known == server->round.n;
    return server->n_lost >= server->round.policy->patience ||
           (server->stranded && server->in_flight.n_taken == 0);
}

bool frs_round_wait(struct frs_round *round, size_t n, double until_s) {
    struct server *server = (struct server *)round;
    while (!is_struck(server) && !is_enough(server, n) && server->in_flight.now_s < until_s) {
        if (is_asynchronous(server) && top_up(server))
            continue;
        if (is_enough(server, n))
            break;
        frs_server_step(
            server, earlier(earlier(until_s, server->retry_s), frs_server_next_restart_s(server)));
    }
    if (is_enough(server, n))
        return true;
    if (!is_struck(server)) {
        server->settings->backend->drain(&server->in_flight, until_s + INSTANT_S);
        frs_server_note_ends(server);
    }
    return is_enough(server, n);
}

double frs_round_now_s(const struct frs_round *round) {
    return ((const struct server *)round)->in_flight.now_s;
}

/* Ascending client id, and of one client the earlier end first; for qsort. */
static int by_client(const void *a, const void *b) {
    const struct frs_participation *p = *(struct frs_participation *const *)a,
                                   *q = *(struct frs_participation *const *)b;
    if (p->client != q->client)
        return (p->client > q->client) - (p->client < q->client);
    return (p->times.ended_s > q->times.ended_s) - (p->times.ended_s < q->times.ended_s);
}

/* Participations of the open round that have begun and not ended, in ascending client id. */
static size_t list_pending(const struct server *server, struct frs_participation **list) {
    size_t n = 0;
    for (uint32_t i = 0; i < server->in_flight.n_places; i++) {
        struct frs_participation *p = server->in_flight.at[i];
        if (p && !p->closed && p->result.outcome == FRS_PENDING)
            list[n++] = p;
    }
    qsort(list, n, sizeof(void *), by_client);
    return n;
}

static bool has_uploads_ahead(const struct frs_participation *p) {
    return !p->plan.unreachable && !frs_participation_has_computed(p);
}

void frs_round_finish_epochs(struct frs_round *round) {
    struct server *server = (struct server *)round;
    struct frs_participation **list = frs_alloc(server->in_flight.n_places, sizeof(void *));
    double *compute_s = frs_alloc(server->in_flight.n_places, sizeof *compute_s);
    size_t n_pending = list_pending(server, list), n = 0;
    for (size_t i = 0; i < n_pending; i++)
        if (has_uploads_ahead(list[i]))
            list[n++] = list[i];
    if (n > 0)
        operations(server)->truncate(context_of(server), list, n, server->in_flight.now_s, compute_s);
    for (size_t i = 0; i < n; i++) {
        if (list[i]->result.phase != FRS_PHASE_COMPUTE)
            continue;
        frs_lifecycle_shorten(list[i], compute_s[i]);
        if (!list[i]->ends_lost)
            server->settings->backend->shorten(&server->in_flight, list[i]);
    }
    free(list);
    free(compute_s);
}

/* ---- closing --------------------------------------------------------------------------------- */

/* The round is over for participations that have not arrived. */
static void leave_stragglers(struct server *server, enum frs_cause cause) {
    if (!server->round.policy->run_on) {
        frs_server_stop(server, false, cause);
        return;
    }
    for (uint32_t i = 0; i < server->in_flight.n_places; i++) {
        struct frs_participation *p = server->in_flight.at[i];
        if (!p || p->closed)
            continue;
        p->closed = true;
        p->closed_round = server->n_closed;
        p->late_cause = cause;
    }
}

/* What the round uses: of an asynchronous one the first uploads that came. */
static struct frs_participation **take_arrivals(struct server *server, size_t *n) {
    size_t n_taken = server->arrivals.n;
    if (is_asynchronous(server) && n_taken > server->round.policy->n_needed)
        n_taken = server->round.policy->n_needed;
    struct frs_participation **list = frs_alloc(n_taken + server->held.n + 1, sizeof(void *));
    for (*n = 0; *n < n_taken; ++*n)
        list[*n] = frs_queue_take(&server->arrivals);
    while (server->held.n > 0)
        list[(*n)++] = frs_queue_take(&server->held);
    qsort(list, *n, sizeof(void *), by_client);
    return list;
}

static void close_void(struct server *server) {
    leave_stragglers(server, FRS_CAUSE_VOID_ROUND);
    frs_server_settle_all(server, &server->in_edge_models, FRS_CAUSE_NONE);
    frs_server_settle_all(server, &server->arrivals, FRS_CAUSE_NONE);
    server->open = false;
    operations(server)->close(context_of(server),
        &(struct frs_closing){.now_s = server->in_flight.now_s, .lost = FRS_CAUSE_VOID_ROUND});
}

static void close_round(struct server *server) {
    struct frs_closing closing = {.now_s = server->in_flight.now_s};
    struct frs_queue taken = {0};
    if (!is_asynchronous(server)) {
        server->n_closed++;
        leave_stragglers(server, FRS_CAUSE_ROUND_CLOSED);
    }
    struct frs_participation **list = take_arrivals(server, &closing.n);
    closing.arrivals = list;
    for (size_t i = 0; i < closing.n; i++)
        frs_queue_put(&taken, list[i]);
    bool exchanged = frs_server_exchange(server, &closing);
    closing.now_s = server->in_flight.now_s;
    double aggregate_s = exchanged ? operations(server)->aggregate_s(context_of(server), &closing) : 0;
    if (server->spoilt) {
        frs_server_settle_all(server, &taken, FRS_CAUSE_NONE);
        server->n_closed--;
        close_void(server);
    } else if (exchanged && frs_server_pass(server, server->in_flight.now_s + aggregate_s)) {
        closing.now_s = server->in_flight.now_s;
        frs_server_deliver(server, &closing);
        closing.now_s = server->in_flight.now_s;
        server->open = false;
        frs_server_settle_all(server, &server->in_edge_models, FRS_CAUSE_NONE);
        frs_server_settle_all(server, &taken, FRS_CAUSE_NONE);
        operations(server)->close(context_of(server), &closing);
    } else {
        frs_server_restart(server, &taken);
    }
    free(list);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static void play_round(struct server *server) {
    bool quorum_matters = server->round.policy->quorum > 0;
    if (!is_struck(server) && !server->spoilt)
        server->settings->policy->collect(&server->round);
    if (is_struck(server))
        frs_server_restart(server, NULL);
    else if (server->spoilt ||
             (quorum_matters && server->arrivals.n + server->held.n < server->round.policy->quorum))
        close_void(server);
    else if (!server->stranded)
        close_round(server);
}

static void play_rounds(struct server *server) {
    server->settings->backend->begin(&server->in_flight);
    while (!server->stranded && operations(server)->goes_on(context_of(server)) && open_round(server))
        play_round(server);
    frs_server_finish(server);
    server->settings->backend->end(&server->in_flight);
    server->finished = true;
}

static void act(int argc, char **argv) {
    (void)argc;
    (void)argv;
    struct server *server = frs_simgrid.sg_actor_self_get_data();
    frs_channel_track(server->settings->channel);
    play_rounds(server);
}

static void run_as_actor(struct server *server) {
    sg_actor_t actor = frs_channel_actor("server", frs_channel_server(server->settings->channel));
    frs_simgrid.sg_actor_set_data(actor, server);
    frs_simgrid.sg_actor_start_(actor, act, 0, NULL);
    frs_simgrid.simgrid_run();
}

double frs_server_run(const struct frs_server_settings *settings) {
    struct server server = {.settings = settings, .in_flight = {.settings = settings}};
    server.unknown.places = &server.unknown_places;
    server.round.policy = &settings->policy_settings;
    if (settings->backend->steps_simgrid)
        play_rounds(&server);
    else
        run_as_actor(&server);
    /* SimGrid only logs a deadlock and returns. */
    FRS_INVARIANT(server.finished, "the simulation stopped before the last round was closed");
    double end_s = server.in_flight.now_s;
    frs_in_flight_fini(&server.in_flight);
    free(server.list);
    frs_heap_fini(&server.unknown);
    frs_heap_places_fini(&server.unknown_places);
    return end_s;
}
