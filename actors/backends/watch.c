#include "actors/backends/watch.h"

static void go_to(struct frs_flight *flight, double date_s) {
    if (date_s > flight->now_s)
        flight->now_s = date_s;
}

void frs_watch_drain(struct frs_flight *flight, double until_s, frs_handle_due *handle_due) {
    for (double next_s; (next_s = frs_timeline_next_s(flight->settings->timeline, until_s)) <= until_s;) {
        go_to(flight, next_s);
        handle_due(flight);
    }
}

void frs_watch(struct frs_flight *flight, double until_s, frs_handle_due *handle_due) {
    while (flight->ended.n == 0) {
        double next_s = frs_timeline_next_s(flight->settings->timeline, until_s);
        if (next_s > until_s) {
            go_to(flight, until_s);
            return;
        }
        go_to(flight, next_s);
        handle_due(flight);
    }
}

void frs_watch_shorten(struct frs_flight *flight, struct frs_participation *p) {
    frs_timeline_move_end(flight->settings->timeline, p, p->dates.compute_start_s + p->plan.compute_s);
}

void frs_watch_stop(
    struct frs_flight *flight, struct frs_participation *p, enum frs_outcome outcome, enum frs_cause cause) {
    frs_timeline_stop(flight->settings->timeline, p, flight->now_s, outcome, cause);
}
