#include "actors/emulation/connection_states.h"
#include "actors/extremes.h"
#include "sim/base/clock.h"
#include "sim/base/invariant.h"

#include <math.h>

/* ---- times ----------------------------------------------------------------------------------- */

double frs_connection_states_simulated_s(const struct frs_in_flight *in_flight, double wall_s) {
    const struct frs_connection_states *state = frs_connection_states_of(in_flight);
    return state->from_s +
           (wall_s - state->from_wall_s) * frs_connection_states_emulation(in_flight)->settings.speed_up;
}

double frs_connection_states_wall_s(const struct frs_in_flight *in_flight, double time_s) {
    const struct frs_connection_states *state = frs_connection_states_of(in_flight);
    return state->from_wall_s +
           (time_s - state->from_s) / frs_connection_states_emulation(in_flight)->settings.speed_up;
}

double frs_connection_states_now_s(const struct frs_in_flight *in_flight) {
    return frs_larger(frs_connection_states_simulated_s(in_flight, frs_wall_s()), in_flight->now_s);
}

void frs_connection_states_start_clock(struct frs_in_flight *in_flight) {
    struct frs_connection_states *state = frs_connection_states_of(in_flight);
    if (state->n_running > 0)
        return;
    state->from_s = in_flight->now_s;
    state->from_wall_s = frs_wall_s();
}

static uint32_t timer_of(size_t line, enum frs_connection_state_timer timer) {
    return (uint32_t)line * N_CONNECTION_TIMERS + timer;
}

void frs_connection_states_set_timer(
    struct frs_in_flight *in_flight, size_t line, enum frs_connection_state_timer timer, double time_s) {
    uint32_t item = timer_of(line, timer);
    if (time_s < INFINITY)
        frs_heap_put(&frs_connection_states_of(in_flight)->timers, item, time_s, item);
    else
        frs_heap_remove(&frs_connection_states_of(in_flight)->timers, item);
}

/* ---- links ----------------------------------------------------------------------------------- */

static bool is_server(const struct frs_in_flight *in_flight, size_t line) {
    return line == frs_connection_states_emulation(in_flight)->settings.n_lines;
}

/* A capacity and how long it holds. */
static double capacity(
    const struct frs_in_flight *in_flight, size_t line, bool up, double time_s, double *until_s) {
    const struct frs_emulation_links *links = &frs_connection_states_emulation(in_flight)->links;
    return is_server(in_flight, line)
               ? links->server_capacity(links->context, up, time_s, until_s)
               : links->capacity(links->context,
                     frs_connection_states_of(in_flight)->connection_states[line].p, up, time_s, until_s);
}

static bool varies(const struct frs_in_flight *in_flight, size_t line) {
    const struct frs_emulation_links *links = &frs_connection_states_emulation(in_flight)->links;
    return is_server(in_flight, line) ? links->server_capacity != NULL : links->capacity != NULL;
}

static uint32_t router_line(const struct frs_in_flight *in_flight, size_t line) {
    return is_server(in_flight, line) ? FRS_EMULATED_LINES : (uint32_t)line;
}

void frs_connection_states_follow(
    struct frs_in_flight *in_flight, size_t line, bool up, double time_s, bool at_once) {
    struct frs_emulation *emulation = frs_connection_states_emulation(in_flight);
    double until_s, next_until_s;
    if (!varies(in_flight, line))
        return;
    double bytes_per_s = capacity(in_flight, line, up, time_s, &until_s);
    if (at_once)
        frs_emulation_set_rate(emulation, router_line(in_flight, line), up, bytes_per_s,
            frs_connection_states_wall_s(in_flight, time_s));
    if (until_s < INFINITY)
        frs_emulation_set_rate(emulation, router_line(in_flight, line), up,
            capacity(in_flight, line, up, until_s, &next_until_s),
            frs_connection_states_wall_s(in_flight, until_s));
    frs_connection_states_set_timer(in_flight, line, up ? TIMER_UP : TIMER_DOWN, until_s);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static struct frs_line_owner *find_owner(const struct frs_in_flight *in_flight, uint32_t client) {
    struct frs_connection_states *state = frs_connection_states_of(in_flight);
    for (size_t i = 0; i < frs_connection_states_emulation(in_flight)->settings.n_lines; i++)
        if (state->owners[i].last_use > 0 && state->owners[i].client == client)
            return &state->owners[i];
    return NULL;
}

size_t frs_connection_states_line(const struct frs_in_flight *in_flight, const struct frs_participation *p) {
    const struct frs_emulation_settings *settings = &frs_connection_states_emulation(in_flight)->settings;
    const struct frs_connection_states *state = frs_connection_states_of(in_flight);
    const struct frs_line_owner *owner = settings->n_edges > 0 ? find_owner(in_flight, p->client) : NULL;
    size_t line = settings->by_client ? p->client : owner ? (size_t)(owner - state->owners) : p->place;
    FRS_INVARIANT(
        line < settings->n_lines, "client %u has place %zu of %zu", p->client, line, settings->n_lines);
    return line;
}

static struct frs_line_owner *least_used(struct frs_connection_states *state, size_t n_lines) {
    struct frs_line_owner *found = &state->owners[0];
    for (size_t i = 1; i < n_lines; i++)
        if (state->owners[i].last_use < found->last_use)
            found = &state->owners[i];
    return found;
}

size_t frs_connection_states_give_line(struct frs_in_flight *in_flight, const struct frs_participation *p) {
    struct frs_connection_states *state = frs_connection_states_of(in_flight);
    const struct frs_emulation_settings *settings = &frs_connection_states_emulation(in_flight)->settings;
    if (settings->n_edges > 0) {
        struct frs_line_owner *owner =
            settings->by_client ? &state->owners[p->client] : find_owner(in_flight, p->client);
        if (!owner)
            *(owner = least_used(state, settings->n_lines)) = (struct frs_line_owner){0};
        owner->client = p->client;
        owner->last_use = ++state->n_uses;
    }
    return frs_connection_states_line(in_flight, p);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Stays where it is when it grows: other messages under way are parts of it. */
const uint8_t *frs_connection_states_stand_in(struct frs_in_flight *in_flight, uint64_t n) {
    struct frs_connection_states *state = frs_connection_states_of(in_flight);
    if (!state->stand_in.bytes) {
        (void)frs_buffer_extend(&state->stand_in, FRS_MOST_EMULATED_MESSAGE_BYTES);
        frs_buffer_reset(&state->stand_in);
    }
    while (state->stand_in.n < n)
        frs_buffer_put_u8(&state->stand_in, (uint8_t)(state->stand_in.n * 131 >> 3));
    return state->stand_in.bytes;
}

const uint8_t *frs_connection_states_message(
    struct frs_in_flight *in_flight, struct frs_participation *p, bool up) {
    const struct frs_lifecycle_operations *operations = &in_flight->settings->operations->play;
    size_t n, weight = up ? p->usage.up_bytes : p->usage.down_bytes;
    const uint8_t *message = operations->message(operations->context, p, up, &n);
    if (weight > FRS_MOST_EMULATED_MESSAGE_BYTES)
        frs_emulation_fail(frs_connection_states_emulation(in_flight),
            "a message is larger than 16 MiB, the most that is emulated");
    if (n == 0)
        return frs_connection_states_stand_in(in_flight, weight);
    FRS_INVARIANT(n == weight, "client %u is charged %zu bytes for a message of %zu", p->client, weight, n);
    return message;
}
