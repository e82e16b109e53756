/* Plays every participation of a round from the server's own actor. */
#include "actors/players/watch.h"
#include "sim/base/memory.h"

#include <stdlib.h>

static void start(struct frs_round *round, uint32_t i) {
    struct frs_step step =
        frs_play_next(&round->participants[i], round->now_s, &round->settings->operations->play);
    frs_timeline_schedule(round->settings->timeline, i, round->now_s, &step);
}

static void handle_due(struct frs_round *round) {
    uint32_t *list = round->player_state;
    size_t n;
    while ((n = frs_timeline_due(round->settings->timeline, round->now_s, list)))
        for (size_t k = 0; k < n; k++)
            start(round, list[k]);
}

static void begin(struct frs_round *round) {
    round->player_state = frs_alloc(round->n, sizeof(uint32_t));
    frs_timeline_begin(round->settings->timeline, round->participants, round->n);
    for (uint32_t i = 0; i < round->n; i++)
        start(round, i);
    handle_due(round);
}

static void wait(struct frs_round *round, double until_s) {
    frs_watch(round, until_s, handle_due);
}

static void end(struct frs_round *round) {
    free(round->player_state);
}

const struct frs_player frs_player_calendar = {
    .name = "calendar", .begin = begin, .wait = wait, .stop = frs_watch_stop, .end = end};
