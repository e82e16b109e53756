#include "actors/emulation/crossings.h"
#include "actors/extremes.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"

#include <math.h>
#include <string.h>

static struct frs_crossings *way_of(const struct frs_in_flight *in_flight, uint32_t edge, bool up) {
    return &frs_connection_states_of(in_flight)->backhauls[edge][up];
}

/* A carrier's direction and edge are those of its message. */
static bool goes_up(const struct frs_participation *p) {
    return p->plan.no_download;
}

static uint32_t edge_of(const struct frs_participation *p) {
    return p->carried->shares - 1;
}

static struct frs_crossing *at(struct frs_crossings *way, uint32_t i) {
    return &way->queue[(way->first + i) % FRS_EMULATED_LINES];
}

static struct frs_mailbox *mailbox_of(const struct frs_in_flight *in_flight, uint32_t line) {
    return frs_connection_states_emulation(in_flight)->supervisor.mailboxes[line];
}

static struct frs_backhauls *backhauls_of(const struct frs_in_flight *in_flight) {
    return frs_endpoints_backhauls(frs_connection_states_emulation(in_flight)->lines);
}

static void add(
    struct frs_in_flight *in_flight, uint32_t edge, bool up, const struct frs_crossing *crossing) {
    struct frs_crossings *way = way_of(in_flight, edge, up);
    FRS_INVARIANT(way->n < FRS_EMULATED_LINES, "edge %u has more messages than clients", edge);
    *at(way, way->n++) = *crossing;
}

/* Those that are queued follow each other on the connection. */
static void send_all(struct frs_in_flight *in_flight, uint32_t edge, bool up) {
    struct frs_crossings *way = way_of(in_flight, edge, up);
    for (uint32_t i = 0; i < way->n; i++) {
        struct frs_crossing *crossing = at(way, i);
        if (crossing->sent)
            continue;
        crossing->sent = true;
        frs_connection_states_of(in_flight)->n_running++;
        if (up)
            frs_backhauls_fetch(backhauls_of(in_flight), edge, crossing->line, crossing->bytes);
        else
            frs_backhauls_send(
                backhauls_of(in_flight), edge, crossing->line, crossing->message, crossing->bytes);
    }
    frs_connection_states_of(in_flight)->is_fresh[edge] = false;
}

void frs_crossings_queue(struct frs_in_flight *in_flight, struct frs_participation *carried, bool up) {
    struct frs_connection_states *state = frs_connection_states_of(in_flight);
    size_t line = frs_connection_states_give_line(in_flight, carried);
    uint32_t edge = carried->shares - 1;
    if (!up) {
        state->owners[line].round = carried->round;
        state->owners[line].attempt = carried->attempt;
        state->owners[line].message = carried->edge_messages[0];
    }
    add(in_flight, edge, up,
        &(struct frs_crossing){.line = (uint32_t)line,
            .message = frs_connection_states_message(in_flight, carried, up),
            .bytes = up ? carried->usage.up_bytes : carried->usage.down_bytes});
    if (state->n_running > 0)
        send_all(in_flight, edge, up);
}

/* What the edge would have added up is given to it. */
static void queue_sum(struct frs_in_flight *in_flight, const struct frs_participation *p) {
    uint64_t bytes = p->usage.up_bytes;
    uint32_t line = (uint32_t)frs_connection_states_line(in_flight, p->carried);
    const uint8_t *sum = frs_connection_states_stand_in(in_flight, bytes);
    memcpy(mailbox_of(in_flight, line)->edge_upload, sum, bytes);
    add(in_flight, edge_of(p), true, &(struct frs_crossing){.line = line, .message = sum, .bytes = bytes});
}

/* Its first messages are under way no longer. */
static void drop(struct frs_in_flight *in_flight, struct frs_crossings *way, uint32_t n) {
    struct frs_connection_states *state = frs_connection_states_of(in_flight);
    for (uint32_t i = 0; i < n; i++)
        state->n_running -= at(way, i)->sent;
    way->first = (way->first + n) % FRS_EMULATED_LINES;
    way->n -= n;
    way->p = NULL;
    if (state->n_running == 0)
        frs_emulation_set_active(frs_connection_states_emulation(in_flight), false);
}

/* The first message of a way began when its first byte was sent, perhaps before its participation started. */
static void note_start(const struct frs_in_flight *in_flight, struct frs_crossings *way, bool up) {
    double sent_wall_s = atomic_load(&mailbox_of(in_flight, at(way, 0)->line)->forwarded_s[up]),
           *start_s = up ? &way->p->times.up_start_s : &way->p->times.down_start_s;
    if (isfinite(sent_wall_s))
        *start_s = frs_smaller(*start_s, frs_connection_states_simulated_s(in_flight, sent_wall_s));
}

/* The first message has arrived, and its participation ends. */
static void finish(struct frs_in_flight *in_flight, uint32_t edge, bool up) {
    const struct frs_lifecycle_operations *operations = &in_flight->settings->operations->play;
    struct frs_emulation *emulation = frs_connection_states_emulation(in_flight);
    struct frs_crossings *way = way_of(in_flight, edge, up);
    struct frs_participation *p = way->p;
    const struct frs_crossing crossing = *at(way, 0);
    double arrived_s = frs_connection_states_simulated_s(in_flight, crossing.arrived_wall_s);
    note_start(in_flight, way, up);
    *(up ? &emulation->carried.backhaul_up_bytes : &emulation->carried.backhaul_down_bytes) +=
        (double)crossing.bytes;
    struct frs_step step = frs_lifecycle_next(
        p, frs_larger(arrived_s, up ? p->times.up_start_s : p->times.down_start_s), operations);
    FRS_INVARIANT(step.kind == FRS_STEP_END, "a message of edge %u goes on after its end", edge);
    drop(in_flight, way, 1);
}

void frs_crossings_start(struct frs_in_flight *in_flight, struct frs_participation *p) {
    const struct frs_lifecycle_operations *operations = &in_flight->settings->operations->play;
    bool up = goes_up(p);
    uint32_t edge = edge_of(p);
    struct frs_crossings *way = way_of(in_flight, edge, up);
    p->plan.by_packets = true;
    way->p = p;
    way->seen_bytes = 0;
    if (way->n == 0)
        queue_sum(in_flight, p);
    struct frs_step step = frs_lifecycle_next(p, in_flight->now_s, operations);
    FRS_INVARIANT(step.kind == (up ? FRS_STEP_UP : FRS_STEP_DOWN) && step.bytes == (double)at(way, 0)->bytes,
        "edge %u forwards %g bytes of a message of %zu", edge, step.bytes, (size_t)at(way, 0)->bytes);
    send_all(in_flight, edge, up);
    if (at(way, 0)->arrived)
        finish(in_flight, edge, up);
}

void frs_crossings_stop(struct frs_in_flight *in_flight, struct frs_participation *p,
    enum frs_outcome outcome, enum frs_cause cause) {
    struct frs_connection_states *state = frs_connection_states_of(in_flight);
    struct frs_emulation *emulation = frs_connection_states_emulation(in_flight);
    bool up = goes_up(p);
    uint32_t edge = edge_of(p);
    struct frs_crossings *way = way_of(in_flight, edge, up);
    double bytes = (double)way->seen_bytes;
    *(up ? &emulation->carried.backhaul_up_bytes : &emulation->carried.backhaul_down_bytes) += bytes;
    *(up ? &emulation->carried.up_slack_bytes : &emulation->carried.down_slack_bytes) += 1;
    note_start(in_flight, way, up);
    if (!state->is_fresh[edge])
        frs_backhauls_connect(backhauls_of(in_flight), edge);
    state->is_fresh[edge] = true;
    frs_lifecycle_stop(p, in_flight->now_s, bytes, outcome, cause);
    drop(in_flight, way, way->n);
}

static void arrive(struct frs_in_flight *in_flight, const struct frs_endpoint_event *event, bool up) {
    struct frs_crossings *way = way_of(in_flight, event->edge, up);
    struct frs_crossing *crossing = NULL;
    for (uint32_t i = 0; i < way->n && !crossing; i++)
        if (!at(way, i)->arrived)
            crossing = at(way, i);
    FRS_INVARIANT(crossing && crossing->line == event->line,
        "edge %u: a message of line %u comes out of turn", event->edge, event->line);
    if (!frs_backhauls_got(backhauls_of(in_flight), crossing->line, up, crossing->message, crossing->bytes))
        frs_emulation_fail(frs_connection_states_emulation(in_flight),
            "a message crossed a backhaul and arrived with other bytes than it was sent with");
    crossing->arrived = true;
    crossing->arrived_wall_s = event->time_s;
    if (way->p && at(way, 0)->arrived)
        finish(in_flight, event->edge, up);
}

void frs_crossings_handle(struct frs_in_flight *in_flight, const struct frs_endpoint_event *event) {
    switch (event->kind) {
    case FRS_BACKHAUL_TAKEN:
    case FRS_BACKHAUL_DELIVERED:
        arrive(in_flight, event, event->kind == FRS_BACKHAUL_DELIVERED);
        break;
    case FRS_BACKHAUL_BROKEN:
        frs_emulation_fail(frs_connection_states_emulation(in_flight),
            frs_format("the connection of edge %u broke without having been told to", event->edge));
    default:
        break;
    }
}

void frs_crossings_look(struct frs_in_flight *in_flight) {
    for (uint32_t edge = 0; edge < frs_connection_states_emulation(in_flight)->settings.n_edges; edge++)
        for (int up = 0; up < 2; up++) {
            struct frs_crossings *way = way_of(in_flight, edge, up);
            if (way->p)
                way->seen_bytes = atomic_load(&mailbox_of(in_flight, at(way, 0)->line)->crossed_bytes[up]);
        }
}

/* The edge made it, and its client is the only one that is sent it from there. */
static uint32_t store_own_model(struct frs_in_flight *in_flight, struct frs_participation *p) {
    size_t line = frs_connection_states_line(in_flight, p);
    memcpy(mailbox_of(in_flight, (uint32_t)line)->edge_download,
        frs_connection_states_message(in_flight, p, false), p->usage.down_bytes);
    return (uint32_t)line;
}

uint32_t frs_crossings_stored(struct frs_in_flight *in_flight, struct frs_participation *p) {
    const struct frs_connection_states *state = frs_connection_states_of(in_flight);
    if (p->edge_messages[0] == 0)
        return store_own_model(in_flight, p);
    uint32_t n = (uint32_t)frs_connection_states_emulation(in_flight)->settings.n_lines, line = 0;
    while (
        line < n && !(state->owners[line].message == p->edge_messages[0] &&
                        state->owners[line].round == p->round && state->owners[line].attempt == p->attempt))
        line++;
    FRS_INVARIANT(line < n, "no edge has the download of client %u", p->client);
    return line;
}
