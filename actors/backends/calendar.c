/* Plays every participation from the server's own actor. There is no other, so that SimGrid's clock need not be told
 * of every date: it follows from round to round. */
#include "actors/backends/watch.h"

static void begin(struct frs_flight *flight) {
    (void)flight;
}

static void go_on(struct frs_flight *flight, struct frs_participation *const *list, size_t n) {
    const struct frs_server_settings *settings = flight->settings;
    for (size_t i = 0; i < n; i++) {
        struct frs_step step = frs_play_next(list[i], flight->now_s, &settings->operations->play);
        frs_timeline_schedule(settings->timeline, list[i], flight->now_s, &step);
    }
}

static void handle_due(struct frs_flight *flight) {
    struct frs_participation *const *list;
    size_t n;
    while ((n = frs_timeline_due(flight->settings->timeline, flight->now_s, &list)))
        go_on(flight, list, n);
}

static void start(struct frs_flight *flight, struct frs_participation *const *list, size_t n) {
    frs_player_sleep_until(flight->now_s);
    go_on(flight, list, n);
    handle_due(flight);
}

static void wait(struct frs_flight *flight, double until_s) {
    frs_watch(flight, until_s, handle_due);
}

static void drain(struct frs_flight *flight, double until_s) {
    frs_watch_drain(flight, until_s, handle_due);
}

static void end(struct frs_flight *flight) {
    frs_player_sleep_until(flight->now_s);
}

const struct frs_player frs_player_calendar = {.name = "calendar",
    .begin = begin,
    .start = start,
    .wait = wait,
    .drain = drain,
    .shorten = frs_watch_shorten,
    .stop = frs_watch_stop,
    .end = end};
