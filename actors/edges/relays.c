#include "actors/edges/relays.h"
#include "actors/lifecycle.h"
#include "sim/base/errors.h"
#include "sim/base/heap.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

#define NO_MESSAGE SIZE_MAX

/* One direction of a backhaul. */
struct side {
    struct frs_participation p; /* the message under way, */
    size_t message;             /* among all of the round; NO_MESSAGE: none */
    struct frs_queue carried;   /* uploads in it */
};

/* Down: messages wait as a range of the round's. Up: uploads wait in the order of their arrival. */
struct edge {
    struct side down, up;
    size_t next, end; /* of its downloads that have not begun */
    struct frs_queue held;
    size_t n_open; /* clients of the round that it waits for */
};

struct frs_relays {
    struct frs_relays_settings settings;
    struct edge *edges; /* [n_edges] */
    uint32_t *busy;     /* [n_busy] edges that may have something to start, each once */
    bool *is_busy;      /* [n_edges] */
    size_t n_busy;
    uint32_t round, attempt;
    struct frs_edge_message *messages; /* [n_messages] of the round */
    size_t n_messages, messages_capacity;
    /* [n] of the round by edge, then by message, then by client; and where the clients of each download are.
     */
    struct frs_participation **clients;
    size_t n, clients_capacity;
    size_t *first; /* [n_messages] of downloads */
    size_t first_capacity;
    struct frs_participation **ready; /* [n_ready] may begin */
    size_t n_ready, ready_capacity;
    struct frs_queue arrived; /* at the server */
    struct frs_heap failures; /* edges with clients of the round, by the time at which they die */
    struct frs_heap_places failures_places;
};

struct frs_relays *frs_relays_create(const struct frs_relays_settings *settings) {
    struct frs_relays *relays = frs_alloc(1, sizeof *relays);
    *relays = (struct frs_relays){.settings = *settings};
    relays->failures.places = &relays->failures_places;
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
    frs_heap_fini(&relays->failures);
    frs_heap_places_fini(&relays->failures_places);
    free(relays->edges);
    free(relays->busy);
    free(relays->is_busy);
    free(relays->messages);
    free(relays->clients);
    free(relays->first);
    free(relays->ready);
    free(relays);
}

static uint32_t edge_of(const struct frs_relays *relays, uint32_t client) {
    return relays->settings.edge_of(relays->settings.context, client);
}

static void touch(struct frs_relays *relays, uint32_t edge) {
    if (relays->is_busy[edge])
        return;
    relays->is_busy[edge] = true;
    relays->busy[relays->n_busy++] = edge;
}

/* ---- a round opens --------------------------------------------------------------------------- */

static void expect_failure(struct frs_relays *relays, uint32_t edge, double now_s) {
    double fails_s =
        relays->settings.fails_s ? relays->settings.fails_s(relays->settings.context, edge, now_s) : INFINITY;
    if (fails_s < INFINITY)
        frs_heap_put(&relays->failures, edge, fails_s, edge);
}

static bool has_download(const struct frs_participation *p) {
    return !p->plan.no_download && !p->plan.refused;
}

static void make_ready(struct frs_relays *relays, struct frs_participation *p) {
    relays->ready =
        frs_grow(relays->ready, relays->n_ready + 1, &relays->ready_capacity, sizeof *relays->ready);
    relays->ready[relays->n_ready++] = p;
}

/* Adds a message that is queued now; returns its place. */
static size_t add_message(struct frs_relays *relays, uint32_t edge, bool up, double now_s) {
    relays->messages = frs_grow(
        relays->messages, relays->n_messages + 1, &relays->messages_capacity, sizeof *relays->messages);
    relays->first =
        frs_grow(relays->first, relays->n_messages + 1, &relays->first_capacity, sizeof *relays->first);
    relays->messages[relays->n_messages] = (struct frs_edge_message){
        .edge = edge, .up = up, .queued_s = now_s, .began_s = NAN, .start_s = NAN, .end_s = NAN};
    return relays->n_messages++;
}

/* A client of the round, with what orders it. */
struct place {
    struct frs_participation *p;
    uint32_t edge, leader; /* the first client of its edge that is sent the same message */
};

static int by_edge(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    if (x->edge != y->edge)
        return (x->edge > y->edge) - (x->edge < y->edge);
    if (x->leader != y->leader)
        return (x->leader > y->leader) - (x->leader < y->leader);
    return (x->p->client > y->p->client) - (x->p->client < y->p->client);
}

static int by_size(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    if (x->edge != y->edge)
        return (x->edge > y->edge) - (x->edge < y->edge);
    if (x->p->usage.down_bytes != y->p->usage.down_bytes)
        return (x->p->usage.down_bytes > y->p->usage.down_bytes) -
               (x->p->usage.down_bytes < y->p->usage.down_bytes);
    return (x->p->client > y->p->client) - (x->p->client < y->p->client);
}

/* Puts the places into the order of messages. */
static void order(const struct frs_relays *relays, struct place *places, size_t n) {
    if (relays->settings.shares_downloads) {
        qsort(places, n, sizeof *places, by_size);
        for (size_t i = 1; i < n; i++)
            if (places[i].edge == places[i - 1].edge &&
                places[i].p->usage.down_bytes == places[i - 1].p->usage.down_bytes)
                places[i].leader = places[i - 1].leader;
    }
    qsort(places, n, sizeof *places, by_edge);
}

static void queue_downloads(struct frs_relays *relays, const struct place *places, size_t n, double now_s) {
    size_t message = NO_MESSAGE;
    for (size_t i = 0; i < n; i++) {
        bool is_first = i == 0 || places[i].edge != places[i - 1].edge,
             is_new = is_first || places[i].leader != places[i - 1].leader;
        struct edge *edge = &relays->edges[places[i].edge];
        if (is_new) {
            message = add_message(relays, places[i].edge, false, now_s);
            relays->messages[message].bytes = places[i].p->usage.down_bytes;
            relays->first[message] = i;
            edge->next = is_first ? message : edge->next;
            edge->end = message + 1;
            touch(relays, places[i].edge);
        }
        relays->messages[message].n_clients++;
        places[i].p->edge_messages[0] = (uint32_t)message + 1;
        relays->clients[i] = places[i].p;
    }
    relays->n = n;
}

void frs_relays_open(struct frs_relays *relays, struct frs_in_flight *in_flight,
    struct frs_participation *const *list, size_t n) {
    struct place *places = frs_alloc(n + 1, sizeof *places);
    size_t n_sent = 0;
    relays->n_messages = 0;
    for (uint32_t i = 0; i < relays->settings.n_edges; i++)
        relays->edges[i].n_open = 0;
    relays->round = n > 0 ? list[0]->round : 0;
    relays->attempt = n > 0 ? list[0]->attempt : 0;
    relays->clients = frs_grow(relays->clients, n + 1, &relays->clients_capacity, sizeof *relays->clients);
    for (size_t i = 0; i < n; i++) {
        struct frs_participation *p = list[i];
        uint32_t edge = edge_of(relays, p->client);
        p->shares = 1 + edge;
        relays->edges[edge].n_open += !p->plan.no_upload;
        expect_failure(relays, edge, in_flight->now_s);
        p->times.sent_s = in_flight->now_s;
        if (has_download(p))
            places[n_sent++] = (struct place){p, edge, p->client};
        else
            make_ready(relays, p);
    }
    if (n_sent > 0)
        order(relays, places, n_sent);
    queue_downloads(relays, places, n_sent, in_flight->now_s);
    free(places);
}

/* ---- messages -------------------------------------------------------------------------------- */

void frs_relays_hold(struct frs_relays *relays, struct frs_participation *p) {
    uint32_t edge = p->shares - 1;
    p->at_edge = true;
    frs_queue_put(&relays->edges[edge].held, p);
    relays->edges[edge].n_open--;
    touch(relays, edge);
}

void frs_relays_lost(struct frs_relays *relays, const struct frs_participation *p) {
    if (p->shares == 0 || p->plan.no_upload) /* its message never left the server */
        return;
    struct edge *edge = &relays->edges[p->shares - 1];
    edge->n_open -= edge->n_open > 0; /* 0: the round was stopped */
    touch(relays, p->shares - 1);
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
    p->plan.no_download = of->up;
    p->plan.no_upload = !of->up;
    *(of->up ? &p->usage.up_bytes : &p->usage.down_bytes) = of->bytes;
    p->plan.down_bytes_per_s = backhaul.bytes_per_s[0];
    p->plan.up_bytes_per_s = backhaul.bytes_per_s[1];
    p->plan.down_latency_s = of->up ? 0 : of->latency_s;
    p->plan.up_latency_s = of->up ? of->latency_s : 0;
    p->times.selected_s = now_s;
    side->message = message;
    frs_in_flight_enter(in_flight, p);
    in_flight->n++;
    make_ready(relays, p);
}

/* The edge forwards the upload that it has held longest. */
static void forward(struct frs_relays *relays, struct frs_in_flight *in_flight, uint32_t edge) {
    struct edge *of = &relays->edges[edge];
    struct frs_participation *p = frs_queue_take(&of->held);
    size_t message = add_message(relays, edge, true, p->times.up_end_s);
    relays->messages[message].bytes = p->usage.up_bytes;
    relays->messages[message].n_clients = 1;
    p->edge_messages[1] = (uint32_t)message + 1;
    frs_queue_put(&of->up.carried, p);
    begin(relays, in_flight, &of->up, message);
}

/* The edge has all that it waits for. */
static void send_sum(struct frs_relays *relays, struct frs_in_flight *in_flight, uint32_t edge) {
    struct edge *of = &relays->edges[edge];
    size_t message = add_message(relays, edge, true, in_flight->now_s);
    struct frs_edge_message *sum = &relays->messages[message];
    for (struct frs_participation *p; (p = frs_queue_take(&of->held));) {
        sum->bytes = p->usage.up_bytes > sum->bytes ? p->usage.up_bytes : sum->bytes;
        sum->n_clients++;
        p->edge_messages[1] = (uint32_t)message + 1;
        frs_queue_put(&of->up.carried, p);
    }
    sum->bytes += relays->settings.sum_extra_bytes;
    begin(relays, in_flight, &of->up, message);
}

static bool may_send(const struct frs_relays *relays, const struct edge *edge) {
    return edge->up.message == NO_MESSAGE && edge->held.n > 0 &&
           (!relays->settings.adds || edge->n_open == 0);
}

static int by_client(const void *a, const void *b) {
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
    qsort(relays->ready, n, sizeof(void *), by_client);
    backend->start(in_flight, relays->ready, n);
    return true;
}

/* Ends a message, and notes what of it crossed. */
static void note(struct frs_relays *relays, struct side *side) {
    const struct frs_participation *p = &side->p;
    struct frs_edge_message *of = &relays->messages[side->message];
    of->crossed_bytes = of->up ? p->result.up_crossed_bytes : p->result.down_crossed_bytes;
    of->start_s = of->up ? p->times.up_start_s : p->times.down_start_s;
    of->end_s = p->times.ended_s;
    of->cause = p->result.cause;
    frs_participation_fini(&side->p);
    side->message = NO_MESSAGE;
}

void frs_relays_carried(struct frs_relays *relays, struct frs_participation *p) {
    struct side *side = (struct side *)p; /* its first member */
    struct frs_edge_message *of = &relays->messages[side->message];
    bool arrived = p->result.outcome == FRS_DELIVERED;
    size_t first = relays->first[side->message];
    touch(relays, of->edge);
    note(relays, side);
    for (size_t i = 0; arrived && !of->up && i < of->n_clients; i++)
        if (relays->clients[first + i]->result.outcome == FRS_PENDING)
            make_ready(relays, relays->clients[first + i]);
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
        edge->next = edge->end;
        edge->held = (struct frs_queue){0};
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
    of->next = of->end;
    of->held = (struct frs_queue){0};
    for (size_t k = 0; k < 2; k++) {
        sides[k]->carried = (struct frs_queue){0};
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
