/* The player `sockets`: participations go through the steps of actors/lifecycle.h, but what a step takes is measured. Simulated
 * dates are those of the clock, times the speed-up, since they were last set: while nobody is under way the clock stands
 * still, so that training, selecting and writing take no simulated time.
 *
 * Latency is not waited for: it is in the network. Opening a connection ends when the client's request is with the
 * server; a download ends when its last byte is with the client, an upload when it is with the server. What arrives is
 * compared with what was encoded, byte by byte. */
#include "actors/emulation/connection_states.h"
#include "actors/extremes.h"
#include "actors/backend.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- steps ----------------------------------------------------------------------------------------------------- */

static size_t line_of(const struct frs_flight *flight, const struct frs_participation *p) {
    const struct frs_emulation_settings *settings = &frs_seats_emulation(flight)->settings;
    size_t line = settings->by_client ? p->client : p->place;
    FRS_INVARIANT(
        line < settings->n_lines, "client %u has place %zu of %zu", p->client, line, settings->n_lines);
    return line;
}

static void break_off(struct frs_flight *flight, size_t line) {
    struct frs_seat *seat = &frs_seats_of(flight)->seats[line];
    frs_lines_abort(frs_seats_emulation(flight)->lines, (uint32_t)line);
    seat->transfers = false;
}

/* A kept connection that has broken is opened again, whether or not somebody needs it yet. */
static void reconnect(struct frs_flight *flight, size_t line) {
    struct frs_emulation *emulation = frs_seats_emulation(flight);
    struct frs_seat *seat = &frs_seats_of(flight)->seats[line];
    if (seat->reconnects || frs_lines_is_connected(emulation->lines, (uint32_t)line))
        return;
    seat->reconnects = true;
    frs_lines_connect(emulation->lines, (uint32_t)line, emulation->settings.tls);
}

static void leave(struct frs_flight *flight, size_t line) {
    struct frs_seats *state = frs_seats_of(flight);
    struct frs_emulation *emulation = frs_seats_emulation(flight);
    struct frs_seat *seat = &state->seats[line];
    bool keeps = emulation->settings.by_client;
    for (int timer = 0; timer < N_SEAT_TIMERS; timer++)
        frs_seats_set_timer(flight, line, (enum frs_seat_timer)timer, INFINITY);
    if (!keeps)
        break_off(flight, line);
    bool gone = seat->gone;
    *seat = (struct frs_seat){0};
    if (keeps && !gone)
        reconnect(flight, line);
    if (--state->n_running == 0)
        frs_emulation_set_active(emulation, false);
}

static const uint8_t *stand_in(struct frs_seats *state, uint64_t n) {
    while (state->stand_in.n < n)
        frs_buffer_put_u8(&state->stand_in, (uint8_t)(state->stand_in.n * 131 >> 3));
    return state->stand_in.bytes;
}

static const uint8_t *message_of(struct frs_flight *flight, struct frs_participation *p, bool up) {
    const struct frs_play_operations *operations = &flight->settings->operations->play;
    size_t n, weight = up ? p->charge.up_bytes : p->charge.down_bytes;
    const uint8_t *message = operations->message(operations->context, p, up, &n);
    if (weight > FRS_MOST_EMULATED_MESSAGE_BYTES)
        frs_emulation_fail(
            frs_seats_emulation(flight), "a message is larger than 16 MiB, the most that is emulated");
    if (n == 0)
        return stand_in(frs_seats_of(flight), weight);
    FRS_INVARIANT(n == weight, "client %u is charged %zu bytes for a message of %zu", p->client, weight, n);
    return message;
}

static void send_message(
    struct frs_flight *flight, struct frs_participation *p, const struct frs_step *step) {
    size_t line = line_of(flight, p);
    struct frs_seat *seat = &frs_seats_of(flight)->seats[line];
    seat->transfers = true;
    seat->seen_bytes = 0;
    seat->up = step->kind == FRS_STEP_UP;
    seat->message = message_of(flight, p, seat->up);
    frs_lines_send(frs_seats_emulation(flight)->lines, (uint32_t)line, seat->up, seat->message,
        p->sending.kept_bytes, (uint64_t)step->bytes);
}

static bool greets(const struct frs_participation *p) {
    return p->result.phase == FRS_PHASE_SETUP || p->result.phase == FRS_PHASE_SETUP_UP ||
           p->result.phase == FRS_PHASE_SETUP_DOWN || p->result.phase == FRS_PHASE_SETUP_LAST;
}

static void carry_out(
    struct frs_flight *flight, struct frs_participation *p, double date_s, const struct frs_step *step) {
    struct frs_emulation *emulation = frs_seats_emulation(flight);
    size_t line = line_of(flight, p);
    struct frs_seat *seat = &frs_seats_of(flight)->seats[line];
    seat->dies_cause = step->dies_cause;
    frs_seats_set_timer(flight, line, TIMER_DEATH, step->dies_s);
    if (greets(p))
        frs_lines_connect(emulation->lines, (uint32_t)line,
            p->n_breaks > 0 ? emulation->settings.tls_again : emulation->settings.tls);
    else if (step->kind == FRS_STEP_WAIT)
        frs_seats_set_timer(flight, line, TIMER_END, date_s + step->duration_s);
    else if (step->kind == FRS_STEP_COMPUTE)
        frs_lines_compute(
            emulation->lines, (uint32_t)line, frs_seats_wall_s(flight, date_s + step->duration_s));
    else
        send_message(flight, p, step);
}

static bool is_connected(const struct frs_flight *flight, const struct frs_participation *p) {
    return frs_lines_is_connected(frs_seats_emulation(flight)->lines, (uint32_t)line_of(flight, p));
}

/* A step of the play has ended at this date, or none has begun. A connection that a planned failure ends is broken off. */
static void take_steps(struct frs_flight *flight, struct frs_participation *p, double date_s) {
    const struct frs_play_operations *operations = &flight->settings->operations->play;
    size_t line = line_of(flight, p), n_breaks = p->n_breaks;
    frs_seats_of(flight)->seats[line].transfers = false;
    for (;;) {
        struct frs_step step = frs_play_next(p, date_s, operations);
        bool broke = p->n_breaks > n_breaks, lost = step.kind == FRS_STEP_END &&
                                                    p->result.outcome >= FRS_DROPPED_DOWN &&
                                                    p->result.outcome <= FRS_DROPPED_UP;
        if (broke || lost)
            break_off(flight, line);
        n_breaks = p->n_breaks;
        if (step.kind == FRS_STEP_END) {
            leave(flight, line);
            return;
        }
        if (greets(p) && is_connected(flight, p))
            continue;
        carry_out(flight, p, date_s, &step);
        return;
    }
}

/* The same, and what opening a connection is charged with, which is what the model says, has been carried. */
static void go_on(struct frs_flight *flight, struct frs_participation *p, double date_s) {
    struct frs_carried *carried = &frs_seats_emulation(flight)->carried;
    uint64_t down_bytes = p->result.setup_down_bytes, up_bytes = p->result.setup_up_bytes;
    take_steps(flight, p, date_s);
    carried->down_bytes += (double)(p->result.setup_down_bytes - down_bytes);
    carried->up_bytes += (double)(p->result.setup_up_bytes - up_bytes);
}

/* ---- ends that come from outside ----------------------------------------------------------------------------- */

static void look_at_transfers(struct frs_flight *flight) {
    struct frs_emulation *emulation = frs_seats_emulation(flight);
    for (size_t line = 0; line < emulation->settings.n_lines; line++) {
        struct frs_seat *seat = &frs_seats_of(flight)->seats[line];
        if (seat->transfers)
            seat->seen_bytes = frs_lines_received(emulation->lines, (uint32_t)line);
    }
}

/* Bytes of the message under way that had come by then; they count as carried. Whole ones are compared when they end. */
static double take_received(struct frs_flight *flight, size_t line) {
    struct frs_emulation *emulation = frs_seats_emulation(flight);
    const struct frs_seat *seat = &frs_seats_of(flight)->seats[line];
    if (!seat->transfers)
        return 0;
    double bytes = (double)seat->seen_bytes;
    *(seat->up ? &emulation->carried.up_bytes : &emulation->carried.down_bytes) += bytes;
    *(seat->up ? &emulation->carried.up_slack_bytes : &emulation->carried.down_slack_bytes) += 1;
    return bytes;
}

/* A device that is late to say so has computed all there was. */
static void play_stop(
    struct frs_participation *p, double now_s, double bytes, enum frs_outcome outcome, enum frs_cause cause) {
    frs_play_stop(p, now_s, bytes, outcome, cause);
    p->result.computed_share = frs_smaller(p->result.computed_share, 1);
}

static void die(struct frs_flight *flight, size_t line, double date_s) {
    struct frs_seat *seat = &frs_seats_of(flight)->seats[line];
    struct frs_participation *p = seat->p;
    look_at_transfers(flight);
    double bytes = take_received(flight, line);
    break_off(flight, line);
    if (frs_play_retries(p, seat->dies_cause)) {
        frs_play_break(p, date_s, bytes);
        go_on(flight, p, date_s);
        return;
    }
    seat->gone = seat->dies_cause != FRS_CAUSE_CONNECTION;
    if (seat->gone)
        frs_emulation_cut_path(frs_seats_emulation(flight), (uint32_t)line);
    play_stop(p, date_s, bytes, FRS_PENDING, seat->dies_cause);
    leave(flight, line);
}

static void fire(struct frs_flight *flight, uint32_t item) {
    size_t line = item / N_SEAT_TIMERS;
    double planned_s = frs_heap_top(&frs_seats_of(flight)->timers)->key, date_s = frs_seats_now_s(flight);
    frs_heap_remove(&frs_seats_of(flight)->timers, item);
    switch ((enum frs_seat_timer)(item % N_SEAT_TIMERS)) {
    case TIMER_END:
        go_on(flight, frs_seats_of(flight)->seats[line].p, date_s);
        break;
    case TIMER_DEATH:
        die(flight, line, date_s);
        break;
    case TIMER_DOWN:
    case TIMER_UP:
        frs_seats_follow(flight, line, item % N_SEAT_TIMERS == TIMER_UP, planned_s, false);
        break;
    case N_SEAT_TIMERS:
        break;
    }
}

/* ---- what the network says -------------------------------------------------------------------------------------- */

static void check_message(struct frs_flight *flight, size_t line) {
    struct frs_emulation *emulation = frs_seats_emulation(flight);
    const struct frs_seat *seat = &frs_seats_of(flight)->seats[line];
    const struct frs_participation *p = seat->p;
    uint64_t n = p->sending.kept_bytes + p->sending.whole_bytes;
    if (!frs_lines_got(emulation->lines, (uint32_t)line, seat->up, seat->message, n))
        frs_emulation_fail(emulation, "a message arrived with other bytes than it was sent with");
    *(seat->up ? &emulation->carried.up_bytes : &emulation->carried.down_bytes) +=
        (double)p->sending.whole_bytes;
}

static void fail_by_itself(struct frs_flight *flight, const struct frs_line_event *event) {
    char *why =
        frs_format("the connection on line %u broke without having been told to, %.3g s after the last round "
                   "began",
            event->line + 1, event->date_s - frs_seats_of(flight)->from_wall_s);
    frs_emulation_fail(frs_seats_emulation(flight), why);
}

static void reconnected(struct frs_flight *flight, size_t line, double date_s) {
    struct frs_seat *seat = &frs_seats_of(flight)->seats[line];
    bool waits = seat->waits;
    seat->reconnects = seat->waits = false;
    if (waits)
        go_on(flight, seat->p, date_s);
}

static void handle(struct frs_flight *flight, const struct frs_line_event *event) {
    struct frs_seat *seat = &frs_seats_of(flight)->seats[event->line];
    double date_s = frs_larger(frs_seats_simulated_s(flight, event->date_s), frs_seats_of(flight)->from_s);
    switch (event->kind) {
    case FRS_LINE_BROKEN:
        fail_by_itself(flight, event);
        break;
    case FRS_LINE_RECEIVED:
    case FRS_LINE_DELIVERED:
        check_message(flight, event->line);
        go_on(flight, seat->p, date_s);
        break;
    case FRS_LINE_COMPUTED:
        go_on(flight, seat->p, date_s);
        break;
    case FRS_LINE_CONNECTED:
        if (seat->reconnects)
            reconnected(flight, event->line, date_s);
        else
            go_on(flight, seat->p, date_s);
        break;
    }
}

/* ---- player ------------------------------------------------------------------------------------------------------ */

static void check_emulation(struct frs_flight *flight) {
    struct frs_emulation *emulation = frs_seats_emulation(flight);
    const char *failure = frs_lines_failure(emulation->lines);
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

/* Until something happens; not beyond the date. */
static void let_pass(struct frs_flight *flight, double until_s) {
    struct frs_seats *state = frs_seats_of(flight);
    struct frs_emulation *emulation = frs_seats_emulation(flight);
    struct frs_line_event event;
    const struct frs_heap_entry *top = frs_heap_top(&state->timers);
    if (top && top->key <= frs_seats_now_s(flight)) {
        fire(flight, top->item);
        return;
    }
    double date_s = top ? earliest(top->key, until_s) : until_s,
           until_wall_s = date_s < INFINITY ? frs_seats_wall_s(flight, date_s) : INFINITY;
    bool happened = frs_lines_next(emulation->lines, earliest(until_wall_s, emulation->ends_wall_s), &event);
    check_emulation(flight);
    if (happened)
        handle(flight, &event);
}

/* Connections that are kept are there before the first round; all others are tried once, which takes the kernel longer the
 * first time. */
static void connect_all(struct frs_flight *flight) {
    struct frs_emulation *emulation = frs_seats_emulation(flight);
    size_t n = emulation->settings.n_lines, n_open = 0;
    for (size_t i = 0; i < n; i++) {
        if (emulation->settings.by_client)
            frs_emulation_open_path(emulation, (uint32_t)i);
        reconnect(flight, i);
    }
    while (n_open < n) {
        struct frs_line_event event;
        bool happened = frs_lines_next(emulation->lines, emulation->ends_wall_s, &event);
        check_emulation(flight);
        n_open += happened && event.kind == FRS_LINE_CONNECTED;
        if (happened)
            handle(flight, &event);
    }
    for (size_t i = 0; i < n && !emulation->settings.by_client; i++)
        frs_lines_abort(emulation->lines, (uint32_t)i);
}

static void begin(struct frs_flight *flight) {
    struct frs_emulation *emulation = frs_seats_emulation(flight);
    struct frs_seats *state = flight->player_state = frs_alloc(1, sizeof *state);
    *state = (struct frs_seats){.seats = frs_alloc(emulation->settings.n_lines, sizeof *state->seats)};
    state->timers.places = &state->places;
    state->from_wall_s = frs_wall_s();
    connect_all(flight);
}

static void await_training(struct frs_flight *flight, struct frs_participation *const *list, size_t n) {
    const struct frs_play_operations *operations = &flight->settings->operations->play;
    size_t bytes;
    for (size_t i = 0; i < n; i++)
        if (!list[i]->before)
            (void)operations->message(operations->context, list[i], true, &bytes);
}

/* Before the clock starts: what is drawn for the path takes its time. */
static void prepare(struct frs_flight *flight, struct frs_participation *p) {
    p->plan.by_packets = true;
    frs_emulation_set_path(frs_seats_emulation(flight), (uint32_t)line_of(flight, p), p);
}

static void start_one(struct frs_flight *flight, struct frs_participation *p) {
    struct frs_emulation *emulation = frs_seats_emulation(flight);
    size_t line = line_of(flight, p);
    struct frs_seat *seat = &frs_seats_of(flight)->seats[line];
    seat->p = p;
    frs_seats_follow(flight, line, false, flight->now_s, true);
    frs_seats_follow(flight, line, true, flight->now_s, true);
    if (emulation->settings.by_client)
        reconnect(flight, line);
    seat->waits = seat->reconnects && !p->plan.unreachable;
    if (!seat->waits)
        go_on(flight, p, flight->now_s);
}

static void start(struct frs_flight *flight, struct frs_participation *const *list, size_t n) {
    struct frs_seats *state = frs_seats_of(flight);
    size_t n_lines = frs_seats_emulation(flight)->settings.n_lines;
    await_training(flight, list, n);
    for (size_t i = 0; i < n; i++)
        prepare(flight, list[i]);
    if (state->n_running == 0) {
        frs_seats_start_clock(flight);
        frs_seats_follow(flight, n_lines, false, flight->now_s, true);
        frs_seats_follow(flight, n_lines, true, flight->now_s, true);
    } else {
        flight->now_s = frs_seats_now_s(flight);
    }
    state->n_running += n;
    frs_emulation_set_active(frs_seats_emulation(flight), true);
    for (size_t i = 0; i < n; i++)
        start_one(flight, list[i]);
}

/* Where nobody is under way dates are only set. */
static void wait(struct frs_flight *flight, double until_s) {
    const struct frs_seats *state = frs_seats_of(flight);
    if (state->n_running == 0 && flight->ended.n == 0) {
        flight->now_s = until_s;
    } else {
        while (flight->ended.n == 0 && frs_seats_now_s(flight) < until_s)
            let_pass(flight, until_s);
        look_at_transfers(flight);
        flight->now_s = frs_seats_now_s(flight);
    }
    frs_player_sleep_until(flight->now_s);
}

/* What has come by then has been seen to. */
static void drain(struct frs_flight *flight, double until_s) {
    (void)flight;
    (void)until_s;
}

static void shorten(struct frs_flight *flight, struct frs_participation *p) {
    frs_lines_compute(frs_seats_emulation(flight)->lines, (uint32_t)line_of(flight, p),
        frs_seats_wall_s(flight, p->dates.compute_start_s + p->plan.compute_s));
}

/* At the server's date, whatever it has done since. */
static void stop(
    struct frs_flight *flight, struct frs_participation *p, enum frs_outcome outcome, enum frs_cause cause) {
    size_t line = line_of(flight, p);
    double bytes = take_received(flight, line);
    break_off(flight, line);
    play_stop(p, flight->now_s, bytes, outcome, cause);
    leave(flight, line);
}

static void end(struct frs_flight *flight) {
    struct frs_seats *state = frs_seats_of(flight);
    frs_heap_fini(&state->timers);
    frs_heap_places_fini(&state->places);
    frs_buffer_fini(&state->stand_in);
    free(state->seats);
    free(state);
}

const struct frs_player frs_player_sockets = {.name = "sockets",
    .begin = begin,
    .start = start,
    .wait = wait,
    .drain = drain,
    .shorten = shorten,
    .stop = stop,
    .end = end};
