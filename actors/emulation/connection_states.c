#include "actors/emulation/connection_states.h"
#include "actors/extremes.h"
#include "sim/base/clock.h"

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
