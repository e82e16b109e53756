#include "actors/backends/event_loop.h"

static void go_to(struct frs_in_flight *in_flight, double time_s) {
    if (time_s > in_flight->now_s)
        in_flight->now_s = time_s;
}

void frs_event_loop_drain(struct frs_in_flight *in_flight, double until_s, frs_handle_due *handle_due) {
    for (double next_s;
         (next_s = frs_event_queue_next_s(in_flight->settings->event_queue, until_s)) <= until_s;) {
        go_to(in_flight, next_s);
        handle_due(in_flight);
    }
}

void frs_event_loop_wait(struct frs_in_flight *in_flight, double until_s, frs_handle_due *handle_due) {
    while (in_flight->ended.n == 0) {
        double next_s = frs_event_queue_next_s(in_flight->settings->event_queue, until_s);
        if (next_s > until_s) {
            go_to(in_flight, until_s);
            return;
        }
        go_to(in_flight, next_s);
        handle_due(in_flight);
    }
}

void frs_event_loop_shorten(struct frs_in_flight *in_flight, struct frs_participation *p) {
    frs_event_queue_move_end(
        in_flight->settings->event_queue, p, p->times.compute_start_s + p->plan.compute_s);
}

void frs_event_loop_stop(struct frs_in_flight *in_flight, struct frs_participation *p,
    enum frs_outcome outcome, enum frs_cause cause) {
    frs_event_queue_stop(in_flight->settings->event_queue, p, in_flight->now_s, outcome, cause);
}
