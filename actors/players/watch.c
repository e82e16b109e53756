#include "actors/players/watch.h"

void frs_watch(struct frs_round *round, double until_s, void (*handle_due)(struct frs_round *round)) {
    while (round->n_ended < round->n) {
        double next_s = frs_timeline_next_s(round->settings->timeline);
        if (next_s > until_s)
            break;
        frs_player_sleep_until(next_s);
        round->now_s = next_s;
        handle_due(round);
    }
    if (round->n_ended < round->n) {
        frs_player_sleep_until(until_s);
        round->now_s = until_s;
    }
}

void frs_watch_stop(struct frs_round *round, uint32_t i, enum frs_outcome outcome, enum frs_cause cause) {
    frs_timeline_stop(round->settings->timeline, i, round->now_s, outcome, cause);
}
