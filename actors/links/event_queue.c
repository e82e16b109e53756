#include "actors/links/event_queue.h"
#include "actors/extremes.h"
#include "sim/base/heap.h"
#include "actors/links/uncontended_message.h"
#include "actors/links/packets.h"
#include "actors/links/link_stars.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Remaining bytes of a transfer that goes on. */
#define LEAST_BYTES 1e-6

#define CACHE_LINE_BYTES 64

/* What a time in the heap stands for; also the order at one instant. */
enum kind { KIND_END, KIND_CHANGE, KIND_DEATH, N_KINDS };

/* The running transfer of a participation. */
struct transfer {
    bool running, up;
    bool alone;    /* on its link: `message` says how far it is, and its end is a time like those of waits */
    bool flowing;  /* in its shared link; false while its capacity is 0, and where it goes by packets */
    double whole;  /* bytes of it that are to be moved */
    double left;   /* bytes at the last start or change */
    uint32_t flow; /* its number in its shared link */
    struct frs_uncontended_message message;
};

/* A participation that has a place, and what it is doing. */
struct activity {
    struct frs_participation *participation;
    struct transfer transfer;
    enum frs_cause dies_cause;
};

struct frs_event_queue {
    struct frs_event_queue_settings settings;
    struct frs_link_stars *stars; /* NULL where transfers go by packets */
    /* [1 + settings.n_access] by star: nothing limits a transfer but its own link, which does not change */
    bool (*alone)[2];
    struct frs_by_packets by_packets;
    struct frs_packets *packets; /* NULL: transfers are flows of bytes */
    double carried[2];           /* by links of their own, of transfers that are alone, to and from clients */
    double backhaul_carried[2];  /* the same between the server and edges */
    double server_until_s[2];    /* when the server's capacity changes next; -INFINITY: it is not known yet */
    struct frs_heap times;
    struct frs_heap_places places;
    struct activity *activities; /* [place] */
    size_t n, capacity;
    struct frs_participation **due;
    size_t due_capacity;
    double slack_bytes[2];
};

static uint32_t n_stars(const struct frs_event_queue *event_queue) {
    return 1 + event_queue->settings.n_access;
}

/* The link that the transfer of this place shares. */
static uint32_t star_of(const struct frs_event_queue *event_queue, uint32_t i) {
    return event_queue->activities[i].participation->shares;
}

/* Where all that the client says comes at once, what the server sends while they connect has no payload. */
static bool is_bare(const struct frs_participation *p) {
    return p->result.phase == FRS_PHASE_SETUP_DOWN && !frs_participation_handshake(p)->last_up_bytes;
}

static bool is_lost(void *context, uint32_t i) {
    const struct frs_event_queue *event_queue = context;
    struct frs_participation *p = event_queue->activities[i].participation;
    if (is_bare(p))
        return false;
    return event_queue->by_packets.lost(event_queue->settings.context, p, p->n_packets++);
}

static void learn(void *context, uint32_t i, const struct frs_path_memory *memory) {
    const struct frs_event_queue *event_queue = context;
    const struct activity *activity = &event_queue->activities[i];
    enum frs_phase phase = activity->participation->result.phase;
    if (phase == FRS_PHASE_DOWN || phase == FRS_PHASE_UP)
        activity->participation->learnt[activity->transfer.up] = *memory;
    else if (!is_bare(activity->participation))
        activity->participation->greeted[activity->transfer.up] = *memory;
}

/* The capacity of an edge's own link to the server never changes; those of clients may. */
static void create_links(struct frs_event_queue *event_queue) {
    const struct frs_event_queue_settings *settings = &event_queue->settings;
    const double server[2] = {settings->server_down_bytes_per_s, settings->server_up_bytes_per_s};
    event_queue->stars = frs_link_stars_create(server, settings->access_bytes_per_s, settings->n_access);
    for (uint32_t i = 0; i < n_stars(event_queue); i++)
        for (int up = 0; up < 2; up++) {
            bool changes = i == 0 ? settings->server_capacity || (settings->capacity && !settings->n_access)
                                  : settings->capacity != NULL;
            double bytes_per_s = i == 0 ? server[up] : settings->access_bytes_per_s[i - 1][up];
            event_queue->alone[i][up] = !changes && isinf(bytes_per_s);
        }
}

struct frs_event_queue *frs_event_queue_create(const struct frs_event_queue_settings *settings) {
    struct frs_event_queue *event_queue = frs_alloc(1, sizeof *event_queue);
    event_queue->settings = *settings;
    for (int up = 0; up < 2; up++)
        event_queue->server_until_s[up] = settings->server_capacity ? -INFINITY : INFINITY;
    event_queue->times.places = &event_queue->places;
    event_queue->alone = frs_alloc(n_stars(event_queue), sizeof *event_queue->alone);
    if (settings->by_packets) {
        event_queue->by_packets = *settings->by_packets;
        event_queue->packets = frs_packets_create(&(struct frs_packets_settings){
            .server_bytes_per_s = {settings->server_down_bytes_per_s, settings->server_up_bytes_per_s},
            .access_bytes_per_s = settings->access_bytes_per_s,
            .n_access = settings->n_access,
            .queue_s = event_queue->by_packets.queue_s,
            .fair = event_queue->by_packets.fair,
            .lost = event_queue->by_packets.lost ? is_lost : NULL,
            .learnt = learn,
            .context = event_queue});
    } else {
        create_links(event_queue);
    }
    return event_queue;
}

void frs_event_queue_destroy(struct frs_event_queue *event_queue) {
    if (!event_queue)
        return;
    frs_link_stars_destroy(event_queue->stars);
    free(event_queue->alone);
    frs_packets_destroy(event_queue->packets);
    frs_heap_fini(&event_queue->times);
    frs_heap_places_fini(&event_queue->places);
    free(event_queue->activities);
    free(event_queue->due);
    free(event_queue);
}

static struct activity *activity_of(struct frs_event_queue *event_queue, struct frs_participation *p) {
    event_queue->activities = frs_grow(event_queue->activities, (size_t)p->place + 1, &event_queue->capacity,
        sizeof *event_queue->activities);
    while (event_queue->n <= p->place)
        event_queue->activities[event_queue->n++] = (struct activity){0};
    event_queue->activities[p->place].participation = p;
    return &event_queue->activities[p->place];
}

static void put(struct frs_event_queue *event_queue, uint32_t i, enum kind kind, double time_s) {
    uint32_t client = event_queue->activities[i].participation->client;
    frs_heap_put(&event_queue->times, N_KINDS * i + kind, time_s, (uint64_t)kind << 32 | client);
}

static void take(struct frs_event_queue *event_queue, uint32_t i, enum kind kind) {
    frs_heap_remove(&event_queue->times, N_KINDS * i + kind);
}

static bool is_greeting(const struct frs_participation *p) {
    return p->result.phase == FRS_PHASE_SETUP_UP || p->result.phase == FRS_PHASE_SETUP_DOWN ||
           p->result.phase == FRS_PHASE_SETUP_LAST;
}

/* The end that sends its greeting first has waited for all latencies of the handshake, unless its messages
 * have latencies of their own. */
static bool is_near(const struct frs_participation *p) {
    return is_greeting(p) && (frs_participation_handshake(p)->open_s == 0 || is_bare(p));
}

static double packet_bytes(const struct frs_participation *p) {
    const struct frs_handshake *handshake = frs_participation_handshake(p);
    return p->result.phase == FRS_PHASE_SETUP_LAST
               ? ceil((double)handshake->last_up_bytes / handshake->last_up_packets)
               : 0;
}

/* The link that transfers of a star share. */
static double shared_bytes_per_s(const struct frs_event_queue *event_queue, uint32_t star, bool up) {
    const struct frs_event_queue_settings *settings = &event_queue->settings;
    if (star > 0)
        return settings->access_bytes_per_s[star - 1][up];
    return up ? settings->server_up_bytes_per_s : settings->server_down_bytes_per_s;
}

static void send_packets(struct frs_event_queue *event_queue, uint32_t i, double now_s) {
    const struct transfer *transfer = &event_queue->activities[i].transfer;
    struct frs_participation *p = event_queue->activities[i].participation;
    bool shares = isfinite(shared_bytes_per_s(event_queue, p->shares, transfer->up));
    const struct frs_participation_plan *plan = &p->plan;
    const struct frs_link_terms now = {.latency_s = {plan->down_latency_s, plan->up_latency_s}};
    bool greets = is_greeting(p);
    enum frs_slow_start_kind slow_start_kind = transfer->up ? plan->up_slow_start : plan->down_slow_start;
    double latency_s = transfer->up ? plan->up_latency_s : plan->down_latency_s;
    bool follows = p->stream && frs_tcp_stream_is_under_way(p->stream);
    frs_packets_add(event_queue->packets, i, now_s,
        &(struct frs_packets_flow){.up = transfer->up,
            .star = p->shares,
            .warm = !greets && slow_start_kind == FRS_SLOW_START_NONE,
            .interactive = slow_start_kind == FRS_SLOW_START_PAIRED,
            .answered = greets,
            .bytes = transfer->whole,
            .header_bytes = greets ? FRS_PACKET_HEADER_BYTES : 0,
            .packet_bytes = packet_bytes(p),
            .delay_s = shares && !follows && event_queue->by_packets.start_s
                           ? event_queue->by_packets.start_s(event_queue->settings.context, p, p->n_starts++)
                           : 0,
            .bytes_per_s = transfer->up ? plan->up_bytes_per_s : plan->down_bytes_per_s,
            .latency_s = is_near(p) ? 0 : latency_s,
            .round_trip_s = frs_participation_round_trip_s(p, &now),
            .from = !greets                                   ? p->begun[transfer->up]
                    : p->result.phase == FRS_PHASE_SETUP_LAST ? p->greeted[transfer->up]
                                                              : (struct frs_path_memory){0},
            .stream = p->stream});
}

/* Where the server's capacity varies, brings it up to now_s. Not called while nothing flows, so that a
 * link without transfers has no events. */
static void follow_server(struct frs_event_queue *event_queue, bool up, double now_s) {
    if (now_s < event_queue->server_until_s[up])
        return;
    double bytes_per_s = event_queue->settings.server_capacity(
        event_queue->settings.context, up, now_s, &event_queue->server_until_s[up]);
    FRS_INVARIANT(bytes_per_s > 0 || event_queue->server_until_s[up] < INFINITY,
        "the server has no bandwidth, for ever");
    if (event_queue->packets)
        frs_packets_set_server_rate(event_queue->packets, up, now_s, bytes_per_s);
    else
        frs_link_stars_set_capacity(event_queue->stars, up, now_s, bytes_per_s);
}

/* When the capacity of the server's link changes under transfers; INFINITY: it does not. */
static double server_change_s(const struct frs_event_queue *event_queue, bool up) {
    size_t n = event_queue->packets ? frs_packets_n(event_queue->packets, up)
                                    : frs_link_stars_n(event_queue->stars, up);
    return n > 0 ? event_queue->server_until_s[up] : INFINITY;
}

/* Lets a transfer flow at its present capacity, or wait while that is 0. */
static void flow(struct frs_event_queue *event_queue, uint32_t i, double now_s) {
    struct transfer *transfer = &event_queue->activities[i].transfer;
    const struct frs_participation *p = event_queue->activities[i].participation;
    double until_s = INFINITY, bytes_per_s = transfer->up ? p->plan.up_bytes_per_s : p->plan.down_bytes_per_s;
    if (event_queue->settings.capacity && !p->carries)
        bytes_per_s =
            event_queue->settings.capacity(event_queue->settings.context, p, transfer->up, now_s, &until_s);
    FRS_INVARIANT(bytes_per_s > 0 || until_s < INFINITY, "client %u has no bandwidth, for ever", p->client);
    transfer->flowing = bytes_per_s > 0 && !event_queue->packets;
    if (event_queue->packets)
        frs_packets_set_rate(event_queue->packets, i, now_s, bytes_per_s);
    if (p->shares == 0)
        follow_server(event_queue, transfer->up, now_s);
    if (transfer->flowing)
        transfer->flow = frs_link_stars_add(
            event_queue->stars, p->shares, transfer->up, i, now_s, bytes_per_s, transfer->left);
    if (until_s < INFINITY)
        put(event_queue, i, KIND_CHANGE, until_s);
}

/* Takes a transfer out of its link; what it received counts. */
static double unflow(struct frs_event_queue *event_queue, uint32_t i, double now_s) {
    struct transfer *transfer = &event_queue->activities[i].transfer;
    if (event_queue->packets)
        return frs_packets_remove(event_queue->packets, i, now_s);
    if (!transfer->flowing)
        return 0;
    transfer->flowing = false;
    return frs_link_stars_remove(
        event_queue->stars, star_of(event_queue, i), transfer->up, transfer->flow, now_s);
}

/* Times have the precision of a number. */
static void count_alone(struct frs_event_queue *event_queue, uint32_t i, double carried, double now_s) {
    const struct transfer *transfer = &event_queue->activities[i].transfer;
    double bytes_per_s = transfer->message.bytes_per_s;
    (event_queue->activities[i].participation->carries ? event_queue->backhaul_carried
                                                       : event_queue->carried)[transfer->up] += carried;
    event_queue->slack_bytes[transfer->up] +=
        8 * DBL_EPSILON * ((isinf(bytes_per_s) ? 0 : bytes_per_s * now_s) + carried);
}

/* A message that is alone on its link from here on. */
static bool is_alone(const struct frs_event_queue *event_queue, const struct frs_participation *p,
    const struct frs_step *step, bool *up) {
    *up = step->kind == FRS_STEP_UP || p->result.phase == FRS_PHASE_UP_LATENCY;
    bool is_message = step->kind == FRS_STEP_UP || step->kind == FRS_STEP_DOWN ||
                      p->result.phase == FRS_PHASE_UP_LATENCY || p->result.phase == FRS_PHASE_DOWN_LATENCY;
    return is_message && event_queue->alone[p->shares][*up];
}

static void start_transfer(
    struct frs_event_queue *event_queue, uint32_t i, double now_s, const struct frs_step *step) {
    event_queue->activities[i].transfer = (struct transfer){
        .running = true, .up = step->kind == FRS_STEP_UP, .whole = step->bytes, .left = step->bytes};
    if (event_queue->settings.crossing)
        event_queue->settings.crossing(
            event_queue->settings.context, event_queue->activities[i].participation, now_s, 0);
    if (event_queue->packets)
        send_packets(event_queue, i, now_s);
    flow(event_queue, i, now_s);
}

void frs_event_queue_schedule(struct frs_event_queue *event_queue, struct frs_participation *p, double now_s,
    const struct frs_step *first) {
    if (first->kind == FRS_STEP_END)
        return;
    bool up;
    struct frs_step step = *first;
    struct activity *activity = activity_of(event_queue, p);
    if (is_alone(event_queue, p, &step, &up)) {
        struct frs_uncontended_message message = frs_uncontended_message_begin(
            p, now_s, &step, up ? p->plan.up_bytes_per_s : p->plan.down_bytes_per_s);
        activity->transfer = (struct transfer){.alone = true, .up = up, .message = message};
        put(event_queue, p->place, KIND_END, message.end_s);
    } else if (step.kind == FRS_STEP_DOWN || step.kind == FRS_STEP_UP) {
        start_transfer(event_queue, p->place, now_s, &step);
    } else {
        FRS_INVARIANT(step.duration_s > 0, "a step of %g s", step.duration_s);
        put(event_queue, p->place, KIND_END, now_s + step.duration_s);
    }
    activity->dies_cause = step.dies_cause;
    if (step.dies_s < INFINITY)
        put(event_queue, p->place, KIND_DEATH, step.dies_s > now_s ? step.dies_s : now_s);
}

void frs_event_queue_move_end(
    struct frs_event_queue *event_queue, const struct frs_participation *p, double end_s) {
    FRS_INVARIANT(frs_heap_has(&event_queue->times, N_KINDS * p->place + KIND_END),
        "client %u has no end to be moved", p->client);
    put(event_queue, p->place, KIND_END, end_s);
}

double frs_event_queue_next_s(struct frs_event_queue *event_queue, double until_s) {
    const struct frs_heap_entry *top = frs_heap_top(&event_queue->times);
    double next_s = top ? top->key : INFINITY;
    for (int up = 0; up < 2; up++)
        next_s = frs_smaller(next_s, server_change_s(event_queue, up));
    if (event_queue->packets)
        return frs_smaller(next_s, frs_packets_next_s(event_queue->packets, frs_smaller(next_s, until_s)));
    return frs_smaller(next_s, frs_link_stars_next_s(event_queue->stars));
}

static void forget(struct frs_event_queue *event_queue, uint32_t i) {
    take(event_queue, i, KIND_END);
    take(event_queue, i, KIND_CHANGE);
    take(event_queue, i, KIND_DEATH);
    event_queue->activities[i].transfer.running = event_queue->activities[i].transfer.alone = false;
}

static int by_client(const void *a, const void *b) {
    const struct frs_participation *p = *(struct frs_participation *const *)a,
                                   *q = *(struct frs_participation *const *)b;
    if (p->client != q->client)
        return (p->client > q->client) - (p->client < q->client);
    return (p->place > q->place) - (p->place < q->place);
}

static void add_due(struct frs_event_queue *event_queue, size_t n, uint32_t i) {
    event_queue->due =
        frs_grow(event_queue->due, n + 1, &event_queue->due_capacity, sizeof *event_queue->due);
    event_queue->due[n] = event_queue->activities[i].participation;
}

/* Returns until when an end counts as one of this instant. Where the server's capacity changes in this
 * instant, rounding must not leave behind a transfer that ends with the old capacity. */
static double ends_until_s(const struct frs_event_queue *event_queue, bool up, double now_s) {
    return server_change_s(event_queue, up) <= now_s ? now_s * (1 + 8 * DBL_EPSILON) : now_s;
}

/* A transfer that has ended, if there is one. */
static bool pop(struct frs_event_queue *event_queue, double now_s, uint32_t *i) {
    if (event_queue->packets)
        return frs_packets_pop(event_queue->packets, now_s, i);
    const double server_until_s[2] = {
        ends_until_s(event_queue, false, now_s), ends_until_s(event_queue, true, now_s)};
    return frs_link_stars_pop(event_queue->stars, server_until_s, now_s, i);
}

/* The transfers with the next times are in no processor's cache: fetches them while those of the present
 * time are processed. */
static void fetch_next(const struct frs_event_queue *event_queue) {
    const struct frs_heap_entry *next = frs_heap_top(&event_queue->times);
    if (next) {
        const char *p = (const char *)event_queue->activities[next->item / N_KINDS].participation;
        for (size_t at = 0; at < sizeof(struct frs_participation); at += CACHE_LINE_BYTES)
            __builtin_prefetch(p + at, 1);
    }
    for (size_t child = 1; child < event_queue->times.n && child <= FRS_HEAP_ARITY; child++)
        __builtin_prefetch(&event_queue->activities[next[child].item / N_KINDS]);
}

/* All steps that end at now_s. */
static size_t collect_ends(struct frs_event_queue *event_queue, double now_s) {
    size_t n = 0;
    uint32_t i;
    while (pop(event_queue, now_s, &i)) {
        event_queue->activities[i].transfer.flowing = false;
        add_due(event_queue, n++, i);
    }
    const struct frs_heap_entry *top;
    while (
        (top = frs_heap_top(&event_queue->times)) && top->key <= now_s && top->item % N_KINDS == KIND_END) {
        i = top->item / N_KINDS;
        add_due(event_queue, n++, i);
        take(event_queue, i, KIND_END);
        fetch_next(event_queue);
    }
    for (size_t k = 0; k < n; k++) {
        const struct transfer *transfer = &event_queue->activities[event_queue->due[k]->place].transfer;
        if (transfer->alone)
            count_alone(event_queue, event_queue->due[k]->place, transfer->message.carried, now_s);
        forget(event_queue, event_queue->due[k]->place);
    }
    if (n > 1)
        qsort(event_queue->due, n, sizeof(struct frs_participation *), by_client);
    return n;
}

static void change(struct frs_event_queue *event_queue, uint32_t i, double now_s) {
    struct transfer *transfer = &event_queue->activities[i].transfer;
    take(event_queue, i, KIND_CHANGE);
    transfer->left -= event_queue->packets ? 0 : unflow(event_queue, i, now_s);
    if (event_queue->settings.crossing)
        event_queue->settings.crossing(event_queue->settings.context,
            event_queue->activities[i].participation, now_s,
            event_queue->packets ? frs_packets_arrived(event_queue->packets, i, now_s)
                                 : transfer->whole - transfer->left);
    /* Rounding may leave nothing of a transfer that ends when its capacity changes. */
    if (transfer->left < LEAST_BYTES) {
        transfer->left = LEAST_BYTES;
        event_queue->slack_bytes[transfer->up] += LEAST_BYTES;
    }
    flow(event_queue, i, now_s);
}

/* Ends the running step. What has crossed is everything before the last change of capacity, and the link's
 * own count since then; usage counts whole bytes. */
static double break_off(struct frs_event_queue *event_queue, uint32_t i, double now_s) {
    const struct transfer *transfer = &event_queue->activities[i].transfer;
    double received = 0;
    if (transfer->alone) {
        double carried;
        received = frs_uncontended_message_break(
            &transfer->message, event_queue->activities[i].participation, now_s, &carried);
        count_alone(event_queue, i, carried, now_s);
        event_queue->slack_bytes[transfer->up] += received > 0;
    } else if (transfer->running) {
        received = transfer->whole - transfer->left + unflow(event_queue, i, now_s);
        event_queue->slack_bytes[transfer->up] += 1;
    }
    forget(event_queue, i);
    return received;
}

/* What the running step had received is known. */
static void stop(struct frs_event_queue *event_queue, struct frs_participation *p, double now_s,
    double received, enum frs_outcome outcome, enum frs_cause cause) {
    frs_lifecycle_stop(p, now_s, received, outcome, cause);
    if (event_queue->settings.stopped)
        event_queue->settings.stopped(event_queue->settings.context, p);
}

void frs_event_queue_stop(struct frs_event_queue *event_queue, struct frs_participation *p, double now_s,
    enum frs_outcome outcome, enum frs_cause cause) {
    (void)activity_of(event_queue, p);
    stop(event_queue, p, now_s, break_off(event_queue, p->place, now_s), outcome, cause);
}

/* Lets a client drop out, or its connection break and the message be tried again; returns true in the
 * second case, and then lists the participation as due. */
static bool strike(struct frs_event_queue *event_queue, uint32_t i, double now_s) {
    struct frs_participation *p = event_queue->activities[i].participation;
    enum frs_cause cause = event_queue->activities[i].dies_cause;
    double received = break_off(event_queue, i, now_s);
    if (!frs_lifecycle_retries(p, cause)) {
        stop(event_queue, p, now_s, received, FRS_PENDING, cause);
        return false;
    }
    frs_lifecycle_break(p, now_s, received);
    add_due(event_queue, 0, i);
    return true;
}

size_t frs_event_queue_due(
    struct frs_event_queue *event_queue, double now_s, struct frs_participation *const **list) {
    for (;;) {
        size_t n = collect_ends(event_queue, now_s);
        *list = event_queue->due;
        if (n > 0)
            return n;
        for (int up = 0; up < 2; up++)
            if (server_change_s(event_queue, up) <= now_s)
                follow_server(event_queue, up, now_s);
        const struct frs_heap_entry *top = frs_heap_top(&event_queue->times);
        if (!top || top->key > now_s)
            return 0;
        uint32_t i = top->item / N_KINDS;
        if (top->item % N_KINDS == KIND_CHANGE)
            change(event_queue, i, now_s);
        else if (strike(event_queue, i, now_s)) {
            *list = event_queue->due;
            return 1;
        }
    }
}

/* With edges the server's link carries their messages alone. */
static struct frs_carried counted(const struct frs_event_queue *event_queue) {
    double bytes[2], backhaul[2], slack[2], more;
    bool has_edges = event_queue->settings.n_access > 0;
    for (int up = 0; up < 2; up++) {
        bytes[up] =
            event_queue->carried[up] + frs_link_stars_carried(event_queue->stars, !has_edges, up, &slack[up]);
        backhaul[up] = event_queue->backhaul_carried[up];
        slack[up] += event_queue->slack_bytes[up];
        if (!has_edges)
            continue;
        backhaul[up] += frs_link_stars_carried(event_queue->stars, true, up, &more);
        slack[up] += more;
    }
    return (struct frs_carried){.down_bytes = bytes[0],
        .up_bytes = bytes[1],
        .backhaul_down_bytes = backhaul[0],
        .backhaul_up_bytes = backhaul[1],
        .down_slack_bytes = slack[0],
        .up_slack_bytes = slack[1]};
}

static struct frs_carried counted_packets(const struct frs_packets *packets, bool has_edges) {
    return (struct frs_carried){.down_bytes = frs_packets_carried(packets, !has_edges, false),
        .up_bytes = frs_packets_carried(packets, !has_edges, true),
        .backhaul_down_bytes = has_edges ? frs_packets_carried(packets, true, false) : 0,
        .backhaul_up_bytes = has_edges ? frs_packets_carried(packets, true, true) : 0};
}

struct frs_carried frs_event_queue_carried(const struct frs_event_queue *event_queue) {
    return event_queue->packets ? counted_packets(event_queue->packets, event_queue->settings.n_access > 0)
                                : counted(event_queue);
}

double frs_event_queue_peak(const struct frs_event_queue *event_queue, bool up) {
    return event_queue->packets || event_queue->alone[0][up] ? NAN
                                                             : frs_link_stars_peak(event_queue->stars, up);
}
