#include "actors/edges/relays.h"
#include "actors/edges/relays_internal.h"
#include "actors/lifecycle.h"
#include "actors/slow_start.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

struct frs_relays *frs_relays_create(const struct frs_relays_settings *settings) {
    struct frs_relays *relays = frs_alloc(1, sizeof *relays);
    *relays = (struct frs_relays){.settings = *settings};
    relays->failures.places = &relays->failures_places;
    relays->adding.places = &relays->adding_places;
    relays->edges = frs_alloc(settings->n_edges, sizeof *relays->edges);
    relays->busy = frs_alloc(settings->n_edges, sizeof *relays->busy);
    relays->is_busy = frs_alloc(settings->n_edges, sizeof *relays->is_busy);
    for (uint32_t i = 0; i < settings->n_edges; i++)
        relays->edges[i].down.message = relays->edges[i].up.message = NO_MESSAGE;
    return relays;
}

void frs_relays_destroy(struct frs_relays *relays) {
    if (!relays)
        return;
    frs_relays_forget_messages(relays);
    frs_heap_fini(&relays->failures);
    frs_heap_places_fini(&relays->failures_places);
    frs_heap_fini(&relays->adding);
    frs_heap_places_fini(&relays->adding_places);
    free(relays->edges);
    free(relays->busy);
    free(relays->is_busy);
    free(relays->messages);
    free(relays->clients);
    free(relays->first);
    free(relays->ready);
    free(relays->list);
    free(relays);
}

void frs_relays_touch(struct frs_relays *relays, uint32_t edge) {
    if (relays->is_busy[edge])
        return;
    relays->is_busy[edge] = true;
    relays->busy[relays->n_busy++] = edge;
}

void frs_relays_make_ready(struct frs_relays *relays, struct frs_participation *p) {
    relays->ready =
        frs_grow(relays->ready, relays->n_ready + 1, &relays->ready_capacity, sizeof *relays->ready);
    relays->ready[relays->n_ready++] = p;
}

size_t frs_relays_add_message(struct frs_relays *relays, uint32_t edge, bool up, double now_s) {
    relays->messages = frs_grow(
        relays->messages, relays->n_messages + 1, &relays->messages_capacity, sizeof *relays->messages);
    relays->first =
        frs_grow(relays->first, relays->n_messages + 1, &relays->first_capacity, sizeof *relays->first);
    relays->messages[relays->n_messages] = (struct frs_edge_message){
        .edge = edge, .up = up, .queued_s = now_s, .began_s = NAN, .start_s = NAN, .end_s = NAN};
    return relays->n_messages++;
}

void frs_relays_forget_messages(struct frs_relays *relays) {
    for (size_t i = 0; i < relays->n_messages; i++)
        free(relays->messages[i].windows.of);
    relays->n_messages = 0;
}

/* ---- messages -------------------------------------------------------------------------------- */

void frs_relays_hold(struct frs_relays *relays, struct frs_in_flight *in_flight,
    const struct frs_backend *backend, struct frs_participation *p) {
    uint32_t edge = p->shares - 1;
    p->at_edge = true;
    if (backend->queue && !relays->settings.adds)
        backend->queue(in_flight, p, true);
    frs_queue_put(&relays->edges[edge].held, p);
    relays->edges[edge].n_open--;
    frs_relays_add(relays, edge, in_flight->now_s);
    frs_relays_touch(relays, edge);
}

void frs_relays_lost(
    struct frs_relays *relays, const struct frs_in_flight *in_flight, const struct frs_participation *p) {
    if (p->shares == 0 || p->plan.no_upload) /* its message never left the server */
        return;
    struct edge *edge = &relays->edges[p->shares - 1];
    if (edge->n_open > 0) { /* 0: the round was stopped */
        edge->n_open--;
        frs_relays_add(relays, p->shares - 1, in_flight->now_s);
    }
    frs_relays_touch(relays, p->shares - 1);
}

/* Also where none of its clients took part in the round, or between rounds. */
static bool has_died(const struct frs_relays *relays, uint32_t edge, double from_s, double to_s) {
    return relays->settings.fails_s &&
           relays->settings.fails_s(relays->settings.context, edge, from_s) <= to_s;
}

static void begin(
    struct frs_relays *relays, struct frs_in_flight *in_flight, struct side *side, size_t message) {
    struct frs_edge_message *of = &relays->messages[message];
    struct frs_backhaul backhaul = relays->settings.backhaul(relays->settings.context, of->edge);
    double now_s = in_flight->now_s, paid_s = now_s - of->queued_s;
    struct frs_participation *p = &side->p;
    of->began_s = now_s;
    of->bytes_per_s = backhaul.bytes_per_s[of->up];
    of->latency_s = paid_s < backhaul.latency_s ? backhaul.latency_s - paid_s : 0;
    *p = frs_participation_new(relays->settings.n_clients + 2 * of->edge + of->up);
    p->round = relays->round;
    p->attempt = relays->attempt;
    p->carries = p->aside = p->busy = true;
    p->carried = of->up ? side->carried.first : relays->clients[relays->first[message]];
    p->plan.no_download = of->up;
    p->plan.no_upload = !of->up;
    *(of->up ? &p->usage.up_bytes : &p->usage.down_bytes) = of->bytes;
    p->plan.down_bytes_per_s = backhaul.bytes_per_s[0];
    p->plan.up_bytes_per_s = backhaul.bytes_per_s[1];
    p->plan.down_latency_s = of->up ? 0 : of->latency_s;
    p->plan.up_latency_s = of->up ? of->latency_s : 0;
    p->times.selected_s = now_s;
    p->plan.memory[of->up] =
        has_died(relays, of->edge, side->used_s, now_s) ? (struct frs_path_memory){0} : side->memory;
    p->n_packets = side->n_packets;
    p->n_starts = side->n_starts;
    if (relays->settings.plan)
        relays->settings.plan(relays->settings.context, p, of->edge, of->queued_s);
    side->message = message;
    frs_in_flight_enter(in_flight, p);
    in_flight->n++;
    frs_relays_make_ready(relays, p);
}

/* The edge forwards the upload that it has held longest. */
static void forward(struct frs_relays *relays, struct frs_in_flight *in_flight, uint32_t edge) {
    struct edge *of = &relays->edges[edge];
    struct frs_participation *p = frs_queue_take(&of->held);
    size_t message = frs_relays_add_message(relays, edge, true, p->times.up_end_s);
    relays->messages[message].bytes = p->usage.up_bytes;
    relays->messages[message].n_clients = 1;
    p->edge_messages[1] = (uint32_t)message + 1;
    frs_queue_put(&of->up.carried, p);
    begin(relays, in_flight, &of->up, message);
}

/* The edge has all that it waits for. What it has aggregated before is in its sum, too. */
static void send_sum(struct frs_relays *relays, struct frs_in_flight *in_flight, uint32_t edge) {
    struct edge *of = &relays->edges[edge];
    size_t message = frs_relays_add_message(relays, edge, true, in_flight->now_s);
    struct frs_edge_message *sum = &relays->messages[message];
    frs_relays_take_latest(of);
    for (struct frs_participation *p; (p = frs_queue_take(&of->past));) {
        p->in_edge_model = true;
        p->edge_messages[1] = (uint32_t)message + 1;
        frs_queue_put(&of->up.carried, p);
    }
    for (struct frs_participation *p; (p = frs_queue_take(&of->latest));) {
        sum->bytes = p->usage.up_bytes; /* uploads that can be added are all of one size */
        sum->n_clients++;
        p->edge_messages[1] = (uint32_t)message + 1;
        frs_queue_put(&of->up.carried, p);
    }
    sum->bytes += relays->settings.sum_extra_bytes;
    begin(relays, in_flight, &of->up, message);
}

static bool may_send(const struct frs_relays *relays, const struct edge *edge) {
    if (edge->up.message != NO_MESSAGE || edge->held.n + edge->latest.n == 0)
        return false;
    bool has_all = edge->n_open == 0 && (edge->has_added || edge->held.n == 0);
    return !relays->settings.adds || (has_all && !frs_relays_aggregates(relays, edge));
}

int frs_relays_by_client(const void *a, const void *b) {
    const struct frs_participation *p = *(struct frs_participation *const *)a,
                                   *q = *(struct frs_participation *const *)b;
    return (p->client > q->client) - (p->client < q->client);
}

bool frs_relays_go_on(
    struct frs_relays *relays, struct frs_in_flight *in_flight, const struct frs_backend *backend) {
    for (size_t i = 0; i < relays->n_busy; i++) {
        uint32_t edge = relays->busy[i];
        struct edge *of = &relays->edges[edge];
        relays->is_busy[edge] = false;
        if (of->down.message == NO_MESSAGE && of->next < of->end)
            begin(relays, in_flight, &of->down, of->next++);
        if (may_send(relays, of))
            (relays->settings.adds ? send_sum : forward)(relays, in_flight, edge);
    }
    relays->n_busy = 0;
    size_t n = relays->n_ready;
    if (n == 0)
        return false;
    relays->n_ready = 0;
    qsort(relays->ready, n, sizeof(void *), frs_relays_by_client);
    backend->start(in_flight, relays->ready, n);
    return true;
}

/* With which window a message began, or in which ones it crossed. */
static void note_windows(const struct frs_relays *relays, struct side *side, struct frs_edge_message *of) {
    struct frs_participation *p = &side->p;
    if (!relays->settings.plan || p->plan.by_packets || isnan(of->start_s))
        return;
    struct frs_slow_start slow_start = frs_slow_start_begin(of->bytes_per_s, 0, FRS_SLOW_START_QUICK);
    frs_slow_start_remember(&slow_start, &p->begun[of->up]);
    of->window_bytes = slow_start.window_bytes;
    of->windows = p->windows[of->up];
    p->windows[of->up] = (struct frs_windows){0};
}

/* Ends a message, and notes what of it crossed. */
static void note(struct frs_relays *relays, struct side *side) {
    const struct frs_participation *p = &side->p;
    struct frs_edge_message *of = &relays->messages[side->message];
    of->crossed_bytes = of->up ? p->result.up_crossed_bytes : p->result.down_crossed_bytes;
    of->start_s = of->up ? p->times.up_start_s : p->times.down_start_s;
    if (of->start_s < of->began_s) { /* it was sent before what is ahead of it had arrived */
        of->latency_s += of->began_s - of->start_s;
        of->began_s = of->start_s;
    }
    of->end_s = p->times.ended_s;
    of->cause = p->result.cause;
    side->used_s = of->end_s;
    side->memory = of->cause == FRS_CAUSE_NONE && relays->settings.memory
                       ? relays->settings.memory(relays->settings.context, p, of->edge, of->up)
                       : (struct frs_path_memory){0};
    note_windows(relays, side, of);
    side->n_packets = p->n_packets;
    side->n_starts = p->n_starts;
    frs_participation_fini(&side->p);
    side->message = NO_MESSAGE;
}

void frs_relays_carried(struct frs_relays *relays, struct frs_participation *p) {
    struct side *side = (struct side *)p; /* its first member */
    struct frs_edge_message *of = &relays->messages[side->message];
    bool arrived = p->result.outcome == FRS_DELIVERED;
    size_t first = relays->first[side->message];
    frs_relays_touch(relays, of->edge);
    note(relays, side);
    for (size_t i = 0; arrived && !of->up && i < of->n_clients; i++)
        if (relays->clients[first + i]->result.outcome == FRS_PENDING)
            frs_relays_make_ready(relays, relays->clients[first + i]);
    for (struct frs_participation *client; arrived && (client = frs_queue_take(&side->carried));) {
        client->times.ended_s = of->end_s;
        client->at_edge = false;
        frs_queue_put(&relays->arrived, client);
    }
}

struct frs_participation *frs_relays_take(struct frs_relays *relays) {
    return frs_queue_take(&relays->arrived);
}

/* ---- the end of a round ---------------------------------------------------------------------- */

bool frs_relays_have(const struct frs_relays *relays, const struct frs_participation *p) {
    (void)relays;
    return !p->carries && (p->at_edge || p->result.phase == FRS_PHASE_NEW);
}

void frs_relays_drop(struct frs_relays *relays, struct frs_in_flight *in_flight, struct frs_participation *p,
    enum frs_outcome outcome, enum frs_cause cause) {
    (void)relays;
    if (!p->at_edge) {
        frs_lifecycle_stop(p, in_flight->now_s, 0, outcome, cause);
        return;
    }
    in_flight->n++; /* it had ended */
    p->at_edge = false;
    p->times.ended_s = in_flight->now_s;
    p->result.outcome = outcome;
    p->result.cause = cause;
    frs_queue_put(p->ended, p);
}

void frs_relays_end_round(struct frs_relays *relays, struct frs_in_flight *in_flight,
    const struct frs_backend *backend, enum frs_cause cause) {
    for (uint32_t i = 0; i < relays->settings.n_edges; i++) {
        struct edge *edge = &relays->edges[i];
        struct side *const sides[] = {&edge->down, &edge->up};
        frs_relays_forget(relays, i);
        edge->n_open = 0;
        frs_heap_remove(&relays->failures, i);
        for (size_t k = 0; k < 2; k++) {
            sides[k]->carried = (struct frs_queue){0};
            if (sides[k]->message != NO_MESSAGE && sides[k]->p.result.outcome == FRS_PENDING)
                backend->stop(in_flight, &sides[k]->p, FRS_CUT, cause);
        }
    }
    relays->n_ready = 0;
}

/* ---- failures -------------------------------------------------------------------------------- */

double frs_relays_fails_s(const struct frs_relays *relays) {
    const struct frs_heap_entry *next = frs_heap_top(&relays->failures);
    return next ? next->key : INFINITY;
}

/* A client that computes learns of it when it uploads. */
static void lose(struct frs_relays *relays, struct frs_in_flight *in_flight,
    const struct frs_backend *backend, struct frs_participation *p) {
    if (frs_relays_have(relays, p))
        frs_relays_drop(
            relays, in_flight, p, p->at_edge ? FRS_DROPPED_UP : FRS_PENDING, FRS_CAUSE_EDGE_FAILURE);
    else if (p->result.phase == FRS_PHASE_QUEUE || p->result.phase == FRS_PHASE_COMPUTE)
        p->plan.up_loss = (struct frs_loss){
            .planned = true, .at_share = 0, .cause = FRS_CAUSE_EDGE_FAILURE, .after_s = INFINITY};
    else
        backend->stop(in_flight, p, FRS_PENDING, FRS_CAUSE_EDGE_FAILURE);
}

static void fail(struct frs_relays *relays, struct frs_in_flight *in_flight,
    const struct frs_backend *backend, uint32_t edge) {
    struct edge *of = &relays->edges[edge];
    struct side *const sides[] = {&of->down, &of->up};
    for (uint32_t i = 0; i < in_flight->n_places; i++) {
        struct frs_participation *p = in_flight->at[i];
        if (p && !p->carries && p->shares == 1 + edge && (p->at_edge || p->result.outcome == FRS_PENDING))
            lose(relays, in_flight, backend, p);
    }
    frs_relays_forget(relays, edge);
    for (size_t k = 0; k < 2; k++) {
        sides[k]->carried = (struct frs_queue){0};
        sides[k]->memory = (struct frs_path_memory){0};
        if (sides[k]->message != NO_MESSAGE && sides[k]->p.result.outcome == FRS_PENDING)
            backend->stop(in_flight, &sides[k]->p, FRS_CUT, FRS_CAUSE_EDGE_FAILURE);
    }
}

bool frs_relays_fail(
    struct frs_relays *relays, struct frs_in_flight *in_flight, const struct frs_backend *backend) {
    const struct frs_heap_entry *next;
    bool any = false;
    while ((next = frs_heap_top(&relays->failures)) && next->key <= in_flight->now_s) {
        uint32_t edge = next->item;
        frs_heap_remove(&relays->failures, edge);
        fail(relays, in_flight, backend, edge);
        any = true;
    }
    return any;
}

const struct frs_edge_message *frs_relays_messages(const struct frs_relays *relays, size_t *n) {
    *n = relays->n_messages;
    return relays->messages;
}
