#include "actors/emulation/connection_states.h"
#include "actors/extremes.h"
#include "sim/base/clock.h"

#include <math.h>

/* ---- dates ----------------------------------------------------------------------------------------------------- */

double frs_seats_simulated_s(const struct frs_flight *flight, double wall_s) {
    const struct frs_seats *state = frs_seats_of(flight);
    return state->from_s + (wall_s - state->from_wall_s) * frs_seats_emulation(flight)->settings.speed_up;
}

double frs_seats_wall_s(const struct frs_flight *flight, double date_s) {
    const struct frs_seats *state = frs_seats_of(flight);
    return state->from_wall_s + (date_s - state->from_s) / frs_seats_emulation(flight)->settings.speed_up;
}

double frs_seats_now_s(const struct frs_flight *flight) {
    return frs_larger(frs_seats_simulated_s(flight, frs_wall_s()), flight->now_s);
}

void frs_seats_start_clock(struct frs_flight *flight) {
    struct frs_seats *state = frs_seats_of(flight);
    if (state->n_running > 0)
        return;
    state->from_s = flight->now_s;
    state->from_wall_s = frs_wall_s();
}

static uint32_t timer_of(size_t line, enum frs_seat_timer timer) {
    return (uint32_t)line * N_SEAT_TIMERS + timer;
}

void frs_seats_set_timer(struct frs_flight *flight, size_t line, enum frs_seat_timer timer, double date_s) {
    uint32_t item = timer_of(line, timer);
    if (date_s < INFINITY)
        frs_heap_put(&frs_seats_of(flight)->timers, item, date_s, item);
    else
        frs_heap_remove(&frs_seats_of(flight)->timers, item);
}

/* ---- links ----------------------------------------------------------------------------------------------------- */

static bool is_server(const struct frs_flight *flight, size_t line) {
    return line == frs_seats_emulation(flight)->settings.n_lines;
}

/* A capacity and how long it holds. */
static double capacity(
    const struct frs_flight *flight, size_t line, bool up, double date_s, double *until_s) {
    const struct frs_emulation_links *links = &frs_seats_emulation(flight)->links;
    return is_server(flight, line)
               ? links->server_capacity(links->context, up, date_s, until_s)
               : links->capacity(links->context, frs_seats_of(flight)->seats[line].p, up, date_s, until_s);
}

static bool varies(const struct frs_flight *flight, size_t line) {
    const struct frs_emulation_links *links = &frs_seats_emulation(flight)->links;
    return is_server(flight, line) ? links->server_capacity != NULL : links->capacity != NULL;
}

static uint32_t router_line(const struct frs_flight *flight, size_t line) {
    return is_server(flight, line) ? FRS_EMULATED_LINES : (uint32_t)line;
}

void frs_seats_follow(struct frs_flight *flight, size_t line, bool up, double date_s, bool at_once) {
    struct frs_emulation *emulation = frs_seats_emulation(flight);
    double until_s, next_until_s;
    if (!varies(flight, line))
        return;
    double bytes_per_s = capacity(flight, line, up, date_s, &until_s);
    if (at_once)
        frs_emulation_set_rate(
            emulation, router_line(flight, line), up, bytes_per_s, frs_seats_wall_s(flight, date_s));
    if (until_s < INFINITY)
        frs_emulation_set_rate(emulation, router_line(flight, line), up,
            capacity(flight, line, up, until_s, &next_until_s), frs_seats_wall_s(flight, until_s));
    frs_seats_set_timer(flight, line, up ? TIMER_UP : TIMER_DOWN, until_s);
}
