/* The engine backend `sockets`: participations follow the steps of actors/lifecycle.h, but durations are
 * measured. Simulated time is the clock's time since it was last set, times the speed-up. It stands still
 * while no participation is under way, so that training, selecting and writing take no simulated time.
 *
 * The backend does not wait for latency, which is in the network. Opening a connection ends when the
 * client's request has reached the server; a download ends when its last byte has reached the client, and
 * an upload when it has reached the server. Every message that arrives is compared byte by byte with what
 * was encoded. */
#include "actors/emulation/connection_states.h"
#include "actors/emulation/crossings.h"
#include "actors/extremes.h"
#include "actors/backend.h"
#include "sim/base/clock.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- steps ----------------------------------------------------------------------------------- */

static void break_off(struct frs_in_flight *in_flight, size_t line) {
    struct frs_connection_state *connection_state =
        &frs_connection_states_of(in_flight)->connection_states[line];
    frs_endpoints_abort(frs_connection_states_emulation(in_flight)->lines, (uint32_t)line);
    connection_state->transfers = false;
}

/* Where a line that no participation uses ends. Before the first round every edge is tried. */
static uint32_t hub_of(const struct frs_in_flight *in_flight, size_t line) {
    const struct frs_emulation *emulation = frs_connection_states_emulation(in_flight);
    if (emulation->settings.by_client || emulation->settings.n_edges == 0)
        return frs_emulation_hub_of(emulation, (uint32_t)line);
    return 1 + (uint32_t)(line % emulation->settings.n_edges);
}

/* A kept connection that has broken is opened again, whether or not a participation needs it yet. */
static void reconnect(struct frs_in_flight *in_flight, size_t line) {
    struct frs_emulation *emulation = frs_connection_states_emulation(in_flight);
    struct frs_connection_state *connection_state =
        &frs_connection_states_of(in_flight)->connection_states[line];
    if (connection_state->reconnects || frs_endpoints_is_connected(emulation->lines, (uint32_t)line))
        return;
    connection_state->reconnects = true;
    frs_endpoints_connect(emulation->lines, (uint32_t)line, hub_of(in_flight, line), emulation->settings.tls);
}

static void leave(struct frs_in_flight *in_flight, size_t line) {
    struct frs_connection_states *state = frs_connection_states_of(in_flight);
    struct frs_emulation *emulation = frs_connection_states_emulation(in_flight);
    struct frs_connection_state *connection_state = &state->connection_states[line];
    bool keeps = emulation->settings.by_client;
    for (int timer = 0; timer < N_CONNECTION_TIMERS; timer++)
        frs_connection_states_set_timer(in_flight, line, (enum frs_connection_state_timer)timer, INFINITY);
    if (!keeps)
        break_off(in_flight, line);
    bool gone = connection_state->gone;
    *connection_state = (struct frs_connection_state){0};
    if (keeps && !gone)
        reconnect(in_flight, line);
    if (--state->n_running == 0)
        frs_emulation_set_active(emulation, false);
}

static void send_message(
    struct frs_in_flight *in_flight, struct frs_participation *p, const struct frs_step *step) {
    size_t line = frs_connection_states_line(in_flight, p);
    struct frs_connection_state *connection_state =
        &frs_connection_states_of(in_flight)->connection_states[line];
    bool up = step->kind == FRS_STEP_UP;
    connection_state->transfers = true;
    connection_state->seen_bytes = 0;
    connection_state->up = up;
    connection_state->message = frs_connection_states_message(in_flight, p, up);
    frs_endpoints_send(frs_connection_states_emulation(in_flight)->lines, (uint32_t)line,
        &(struct frs_endpoint_message){.up = up,
            .bytes = connection_state->message,
            .at = p->sending.kept_bytes,
            .n = (uint64_t)step->bytes,
            .stored = p->shares > 0 && !up ? frs_crossings_stored(in_flight, p) : 0});
}

static bool greets(const struct frs_participation *p) {
    return p->result.phase == FRS_PHASE_SETUP || p->result.phase == FRS_PHASE_SETUP_UP ||
           p->result.phase == FRS_PHASE_SETUP_DOWN || p->result.phase == FRS_PHASE_SETUP_LAST;
}

static void carry_out(struct frs_in_flight *in_flight, struct frs_participation *p, double time_s,
    const struct frs_step *step) {
    struct frs_emulation *emulation = frs_connection_states_emulation(in_flight);
    size_t line = frs_connection_states_line(in_flight, p);
    struct frs_connection_state *connection_state =
        &frs_connection_states_of(in_flight)->connection_states[line];
    connection_state->dies_cause = step->dies_cause;
    frs_connection_states_set_timer(in_flight, line, TIMER_DEATH, step->dies_s);
    if (greets(p))
        frs_endpoints_connect(emulation->lines, (uint32_t)line, p->shares,
            p->n_breaks > 0 ? emulation->settings.tls_again : emulation->settings.tls);
    else if (step->kind == FRS_STEP_WAIT)
        frs_connection_states_set_timer(in_flight, line, TIMER_END, time_s + step->duration_s);
    else if (step->kind == FRS_STEP_COMPUTE)
        frs_endpoints_compute(emulation->lines, (uint32_t)line,
            frs_connection_states_wall_s(in_flight, time_s + step->duration_s));
    else
        send_message(in_flight, p, step);
}

static bool is_connected(const struct frs_in_flight *in_flight, const struct frs_participation *p) {
    return frs_endpoints_is_connected(frs_connection_states_emulation(in_flight)->lines,
        (uint32_t)frs_connection_states_line(in_flight, p));
}

/* Takes the next steps after a step of the lifecycle has ended at this time, or after none has begun. A
 * connection that a planned failure ends is broken off. */
static void take_steps(struct frs_in_flight *in_flight, struct frs_participation *p, double time_s) {
    const struct frs_lifecycle_operations *operations = &in_flight->settings->operations->play;
    size_t line = frs_connection_states_line(in_flight, p), n_breaks = p->n_breaks;
    frs_connection_states_of(in_flight)->connection_states[line].transfers = false;
    for (;;) {
        struct frs_step step = frs_lifecycle_next(p, time_s, operations);
        bool broke = p->n_breaks > n_breaks, lost = step.kind == FRS_STEP_END &&
                                                    p->result.outcome >= FRS_DROPPED_DOWN &&
                                                    p->result.outcome <= FRS_DROPPED_UP;
        if (broke || lost)
            break_off(in_flight, line);
        n_breaks = p->n_breaks;
        if (step.kind == FRS_STEP_END) {
            leave(in_flight, line);
            return;
        }
        if (greets(p) && is_connected(in_flight, p))
            continue;
        carry_out(in_flight, p, time_s, &step);
        return;
    }
}

/* The same; what opening a connection uses, which is what the model says, counts as carried. */
static void go_on(struct frs_in_flight *in_flight, struct frs_participation *p, double time_s) {
    struct frs_carried *carried = &frs_connection_states_emulation(in_flight)->carried;
    uint64_t down_bytes = p->result.setup_down_bytes, up_bytes = p->result.setup_up_bytes;
    take_steps(in_flight, p, time_s);
    carried->down_bytes += (double)(p->result.setup_down_bytes - down_bytes);
    carried->up_bytes += (double)(p->result.setup_up_bytes - up_bytes);
}

/* ---- ends that come from outside ------------------------------------------------------------- */

static void look_at_transfers(struct frs_in_flight *in_flight) {
    struct frs_emulation *emulation = frs_connection_states_emulation(in_flight);
    for (size_t line = 0; line < emulation->settings.n_lines; line++) {
        struct frs_connection_state *connection_state =
            &frs_connection_states_of(in_flight)->connection_states[line];
        if (connection_state->transfers)
            connection_state->seen_bytes = frs_endpoints_received(emulation->lines, (uint32_t)line);
    }
    frs_crossings_look(in_flight);
}

/* Returns the bytes of the message under way that had arrived by then; they count as carried. Whole
 * messages are compared when they end. */
static double take_received(struct frs_in_flight *in_flight, size_t line) {
    struct frs_emulation *emulation = frs_connection_states_emulation(in_flight);
    const struct frs_connection_state *connection_state =
        &frs_connection_states_of(in_flight)->connection_states[line];
    if (!connection_state->transfers)
        return 0;
    double bytes = (double)connection_state->seen_bytes;
    *(connection_state->up ? &emulation->carried.up_bytes : &emulation->carried.down_bytes) += bytes;
    *(connection_state->up ? &emulation->carried.up_slack_bytes : &emulation->carried.down_slack_bytes) += 1;
    return bytes;
}

/* A device that reports late has computed everything. */
static void play_stop(
    struct frs_participation *p, double now_s, double bytes, enum frs_outcome outcome, enum frs_cause cause) {
    frs_lifecycle_stop(p, now_s, bytes, outcome, cause);
    p->result.computed_share = frs_smaller(p->result.computed_share, 1);
}

static void die(struct frs_in_flight *in_flight, size_t line, double time_s) {
    struct frs_connection_state *connection_state =
        &frs_connection_states_of(in_flight)->connection_states[line];
    struct frs_participation *p = connection_state->p;
    look_at_transfers(in_flight);
    double bytes = take_received(in_flight, line);
    break_off(in_flight, line);
    if (frs_lifecycle_retries(p, connection_state->dies_cause)) {
        frs_lifecycle_break(p, time_s, bytes);
        go_on(in_flight, p, time_s);
        return;
    }
    connection_state->gone = connection_state->dies_cause != FRS_CAUSE_CONNECTION;
    if (connection_state->gone)
        frs_emulation_cut_path(frs_connection_states_emulation(in_flight), (uint32_t)line);
    play_stop(p, time_s, bytes, FRS_PENDING, connection_state->dies_cause);
    leave(in_flight, line);
}

static void fire(struct frs_in_flight *in_flight, uint32_t item) {
    size_t line = item / N_CONNECTION_TIMERS;
    double planned_s = frs_heap_top(&frs_connection_states_of(in_flight)->timers)->key,
           time_s = frs_connection_states_now_s(in_flight);
    frs_heap_remove(&frs_connection_states_of(in_flight)->timers, item);
    switch ((enum frs_connection_state_timer)(item % N_CONNECTION_TIMERS)) {
    case TIMER_END:
        go_on(in_flight, frs_connection_states_of(in_flight)->connection_states[line].p, time_s);
        break;
    case TIMER_DEATH:
        die(in_flight, line, time_s);
        break;
    case TIMER_DOWN:
    case TIMER_UP:
        frs_connection_states_follow(
            in_flight, line, item % N_CONNECTION_TIMERS == TIMER_UP, planned_s, false);
        break;
    case N_CONNECTION_TIMERS:
        break;
    }
}

/* ---- what the network says ------------------------------------------------------------------- */

static void check_message(struct frs_in_flight *in_flight, size_t line) {
    struct frs_emulation *emulation = frs_connection_states_emulation(in_flight);
    const struct frs_connection_state *connection_state =
        &frs_connection_states_of(in_flight)->connection_states[line];
    const struct frs_participation *p = connection_state->p;
    uint64_t n = p->sending.kept_bytes + p->sending.whole_bytes;
    if (!frs_endpoints_got(
            emulation->lines, (uint32_t)line, connection_state->up, connection_state->message, n))
        frs_emulation_fail(emulation, "a message arrived with other bytes than it was sent with");
    *(connection_state->up ? &emulation->carried.up_bytes : &emulation->carried.down_bytes) +=
        (double)p->sending.whole_bytes;
}

static void fail_by_itself(struct frs_in_flight *in_flight, const struct frs_endpoint_event *event) {
    char *why =
        frs_format("the connection on line %u broke without having been told to, %.3g s after the last round "
                   "began",
            event->line + 1, event->time_s - frs_connection_states_of(in_flight)->from_wall_s);
    frs_emulation_fail(frs_connection_states_emulation(in_flight), why);
}

static void reconnected(struct frs_in_flight *in_flight, size_t line, double time_s) {
    struct frs_connection_state *connection_state =
        &frs_connection_states_of(in_flight)->connection_states[line];
    bool waits = connection_state->waits;
    connection_state->reconnects = connection_state->waits = false;
    if (waits)
        go_on(in_flight, connection_state->p, time_s);
}

static void handle_line(struct frs_in_flight *in_flight, const struct frs_endpoint_event *event) {
    struct frs_connection_state *connection_state =
        &frs_connection_states_of(in_flight)->connection_states[event->line];
    double time_s = frs_larger(frs_connection_states_simulated_s(in_flight, event->time_s),
        frs_connection_states_of(in_flight)->from_s);
    switch (event->kind) {
    case FRS_LINE_BROKEN:
        fail_by_itself(in_flight, event);
        break;
    case FRS_LINE_RECEIVED:
    case FRS_LINE_DELIVERED:
        check_message(in_flight, event->line);
        go_on(in_flight, connection_state->p, time_s);
        break;
    case FRS_LINE_COMPUTED:
        go_on(in_flight, connection_state->p, time_s);
        break;
    case FRS_LINE_CONNECTED:
        if (connection_state->reconnects)
            reconnected(in_flight, event->line, time_s);
        else
            go_on(in_flight, connection_state->p, time_s);
        break;
    default:
        break;
    }
}

static void handle(struct frs_in_flight *in_flight, const struct frs_endpoint_event *event) {
    if (event->kind < FRS_BACKHAUL_CONNECTED)
        handle_line(in_flight, event);
    else
        frs_crossings_handle(in_flight, event);
}

/* ---- backend --------------------------------------------------------------------------------- */

static void check_emulation(struct frs_in_flight *in_flight) {
    struct frs_emulation *emulation = frs_connection_states_emulation(in_flight);
    const char *failure = frs_endpoints_failure(emulation->lines);
    if (failure) {
        char *why = frs_format("%s", failure);
        frs_emulation_fail(emulation, why);
    }
    if (frs_wall_s() > emulation->ends_wall_s)
        frs_emulation_fail(emulation, "its time is over (--limit)");
}

static double earliest(double a_s, double b_s) {
    return a_s < b_s ? a_s : b_s;
}

/* Until something happens, but not beyond the given time. */
static void let_pass(struct frs_in_flight *in_flight, double until_s) {
    struct frs_connection_states *state = frs_connection_states_of(in_flight);
    struct frs_emulation *emulation = frs_connection_states_emulation(in_flight);
    struct frs_endpoint_event event;
    const struct frs_heap_entry *top = frs_heap_top(&state->timers);
    if (top && top->key <= frs_connection_states_now_s(in_flight)) {
        fire(in_flight, top->item);
        return;
    }
    double time_s = top ? earliest(top->key, until_s) : until_s,
           until_wall_s = time_s < INFINITY ? frs_connection_states_wall_s(in_flight, time_s) : INFINITY;
    bool happened =
        frs_endpoints_next(emulation->lines, earliest(until_wall_s, emulation->ends_wall_s), &event);
    check_emulation(in_flight);
    if (happened)
        handle(in_flight, &event);
}

/* Connections that are kept, and those of edges with the server, are opened before the first round. All
 * others are tried once, because the kernel takes longer the first time. */
static void connect_all(struct frs_in_flight *in_flight) {
    struct frs_emulation *emulation = frs_connection_states_emulation(in_flight);
    size_t n = emulation->settings.n_lines, n_edges = emulation->settings.n_edges, n_open = 0;
    for (uint32_t i = 0; i < n_edges; i++)
        frs_backhauls_connect(frs_endpoints_backhauls(emulation->lines), i);
    for (size_t i = 0; i < n; i++) {
        if (emulation->settings.by_client)
            frs_emulation_open_path(emulation, (uint32_t)i);
        else if (n_edges > 0)
            frs_emulation_try_path(emulation, (uint32_t)i, hub_of(in_flight, i));
        reconnect(in_flight, i);
    }
    while (n_open < n + n_edges) {
        struct frs_endpoint_event event;
        bool happened = frs_endpoints_next(emulation->lines, emulation->ends_wall_s, &event);
        check_emulation(in_flight);
        n_open += happened && (event.kind == FRS_LINE_CONNECTED || event.kind == FRS_BACKHAUL_CONNECTED);
        if (happened)
            handle(in_flight, &event);
    }
    for (size_t i = 0; i < n && !emulation->settings.by_client; i++)
        frs_endpoints_abort(emulation->lines, (uint32_t)i);
}

static void begin(struct frs_in_flight *in_flight) {
    struct frs_emulation *emulation = frs_connection_states_emulation(in_flight);
    struct frs_connection_states *state = in_flight->player_state = frs_alloc(1, sizeof *state);
    *state = (struct frs_connection_states){
        .connection_states = frs_alloc(emulation->settings.n_lines, sizeof *state->connection_states)};
    state->timers.places = &state->places;
    state->from_wall_s = frs_wall_s();
    connect_all(in_flight);
}

/* Before the clock starts: training, and what is drawn for the path, take their time. */
static void prepare(struct frs_in_flight *in_flight, struct frs_participation *p) {
    const struct frs_lifecycle_operations *operations = &in_flight->settings->operations->play;
    size_t bytes;
    if (!p->before)
        (void)operations->message(operations->context, p, true, &bytes);
    p->plan.by_packets = true;
    frs_emulation_set_path(frs_connection_states_emulation(in_flight),
        (uint32_t)frs_connection_states_give_line(in_flight, p), p);
}

/* Where there are edges: also those that start later in the round, when their edges have what is for them. */
static void prepare_all(struct frs_in_flight *in_flight) {
    for (uint32_t i = 0; i < in_flight->n_places; i++) {
        struct frs_participation *p = in_flight->at[i];
        if (p && !p->carries && p->result.phase == FRS_PHASE_NEW && p->result.outcome == FRS_PENDING)
            prepare(in_flight, p);
    }
}

/* Other edges have messages under way meanwhile, so that training takes simulated time: the server's process
 * notes a pause, if it is a long one. */
static void prepare_edge_round(
    struct frs_in_flight *in_flight, struct frs_participation *const *list, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (list[i]->edge_round > 0)
            prepare(in_flight, list[i]);
}

static void start_one(struct frs_in_flight *in_flight, struct frs_participation *p) {
    struct frs_emulation *emulation = frs_connection_states_emulation(in_flight);
    if (p->carries) {
        frs_crossings_start(in_flight, p);
        return;
    }
    size_t line = frs_connection_states_line(in_flight, p);
    struct frs_connection_state *connection_state =
        &frs_connection_states_of(in_flight)->connection_states[line];
    connection_state->p = p;
    frs_connection_states_follow(in_flight, line, false, in_flight->now_s, true);
    frs_connection_states_follow(in_flight, line, true, in_flight->now_s, true);
    if (emulation->settings.by_client)
        reconnect(in_flight, line);
    connection_state->waits = connection_state->reconnects && !p->plan.unreachable;
    if (!connection_state->waits)
        go_on(in_flight, p, in_flight->now_s);
}

static void start(struct frs_in_flight *in_flight, struct frs_participation *const *list, size_t n) {
    struct frs_connection_states *state = frs_connection_states_of(in_flight);
    size_t n_lines = frs_connection_states_emulation(in_flight)->settings.n_lines;
    bool edges = frs_connection_states_emulation(in_flight)->settings.n_edges > 0;
    for (size_t i = 0; i < n && !edges; i++)
        prepare(in_flight, list[i]);
    if (edges && state->n_running == 0)
        prepare_all(in_flight);
    else if (edges)
        prepare_edge_round(in_flight, list, n);
    if (state->n_running == 0) {
        frs_connection_states_start_clock(in_flight);
        frs_connection_states_follow(in_flight, n_lines, false, in_flight->now_s, true);
        frs_connection_states_follow(in_flight, n_lines, true, in_flight->now_s, true);
    } else {
        in_flight->now_s = frs_connection_states_now_s(in_flight);
    }
    for (size_t i = 0; i < n; i++)
        state->n_running += !list[i]->carries; /* those count once they are sent */
    frs_emulation_set_active(frs_connection_states_emulation(in_flight), true);
    for (size_t i = 0; i < n; i++)
        start_one(in_flight, list[i]);
}

/* Only sets the time while no participation is under way. */
static void wait(struct frs_in_flight *in_flight, double until_s) {
    const struct frs_connection_states *state = frs_connection_states_of(in_flight);
    if (state->n_running == 0 && in_flight->ended.n == 0) {
        in_flight->now_s = until_s;
    } else {
        while (in_flight->ended.n == 0 && frs_connection_states_now_s(in_flight) < until_s)
            let_pass(in_flight, until_s);
        look_at_transfers(in_flight);
        in_flight->now_s = frs_connection_states_now_s(in_flight);
    }
    frs_backend_sleep_until(in_flight->now_s);
}

/* wait() has already handled everything that arrived by then. */
static void drain(struct frs_in_flight *in_flight, double until_s) {
    (void)in_flight;
    (void)until_s;
}

static void shorten(struct frs_in_flight *in_flight, struct frs_participation *p) {
    frs_endpoints_compute(frs_connection_states_emulation(in_flight)->lines,
        (uint32_t)frs_connection_states_line(in_flight, p),
        frs_connection_states_wall_s(in_flight, p->times.compute_start_s + p->plan.compute_s));
}

/* At the server's time, whatever it has done since. */
static void stop(struct frs_in_flight *in_flight, struct frs_participation *p, enum frs_outcome outcome,
    enum frs_cause cause) {
    if (p->carries) {
        frs_crossings_stop(in_flight, p, outcome, cause);
        return;
    }
    size_t line = frs_connection_states_line(in_flight, p);
    double bytes = take_received(in_flight, line);
    break_off(in_flight, line);
    play_stop(p, in_flight->now_s, bytes, outcome, cause);
    leave(in_flight, line);
}

static void end(struct frs_in_flight *in_flight) {
    struct frs_connection_states *state = frs_connection_states_of(in_flight);
    frs_heap_fini(&state->timers);
    frs_heap_places_fini(&state->places);
    frs_buffer_fini(&state->stand_in);
    free(state->connection_states);
    free(state);
}

const struct frs_backend frs_backend_sockets = {.name = "sockets",
    .begin = begin,
    .start = start,
    .queue = frs_crossings_queue,
    .wait = wait,
    .drain = drain,
    .shorten = shorten,
    .stop = stop,
    .end = end};
