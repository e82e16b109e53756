/* Simulates every participation in the server's own actor. There is no other actor, so SimGrid's clock
 * need not be set at every event: it follows from round to round. */
#include "actors/backends/event_loop.h"

static void begin(struct frs_in_flight *in_flight) {
    (void)in_flight;
}

static void go_on(struct frs_in_flight *in_flight, struct frs_participation *const *list, size_t n) {
    const struct frs_server_settings *settings = in_flight->settings;
    for (size_t i = 0; i < n; i++) {
        struct frs_step step = frs_lifecycle_next(list[i], in_flight->now_s, &settings->operations->play);
        frs_event_queue_schedule(settings->event_queue, list[i], in_flight->now_s, &step);
    }
}

static void handle_due(struct frs_in_flight *in_flight) {
    struct frs_participation *const *list;
    size_t n;
    while ((n = frs_event_queue_due(in_flight->settings->event_queue, in_flight->now_s, &list)))
        go_on(in_flight, list, n);
}

static void start(struct frs_in_flight *in_flight, struct frs_participation *const *list, size_t n) {
    frs_backend_sleep_until(in_flight->now_s);
    go_on(in_flight, list, n);
    handle_due(in_flight);
}

static void wait(struct frs_in_flight *in_flight, double until_s) {
    frs_event_loop_wait(in_flight, until_s, handle_due);
}

static void drain(struct frs_in_flight *in_flight, double until_s) {
    frs_event_loop_drain(in_flight, until_s, handle_due);
}

static void end(struct frs_in_flight *in_flight) {
    frs_backend_sleep_until(in_flight->now_s);
}

const struct frs_backend frs_backend_calendar = {.name = "calendar",
    .begin = begin,
    .start = start,
    .wait = wait,
    .drain = drain,
    .shorten = frs_event_loop_shorten,
    .stop = frs_event_loop_stop,
    .end = end};
