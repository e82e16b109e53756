/* One actor per participation. An actor asks for its next step, puts it on the timeline and sleeps until the
 * server's actor, which watches the dates, wakes it; so the order of events is that of the timeline, and
 * dates are its dates. */
#include "actors/players/watch.h"
#include "sim/base/memory.h"

#include <simgrid/actor.h>
#include <stdlib.h>

struct state {
    size_t n_running; /* woken, and not yet back to sleep or ended */
};

static void act(int argc, char **argv) {
    (void)argc;
    (void)argv;
    struct frs_participation *p = sg_actor_self_get_data();
    struct frs_flight *flight = p->flight;
    struct state *state = flight->player_state;
    for (;;) {
        struct frs_step step = frs_play_next(p, flight->now_s, &flight->settings->operations->play);
        if (step.kind == FRS_STEP_END)
            break;
        frs_timeline_schedule(flight->settings->timeline, p, flight->now_s, &step);
        p->woken = false;
        state->n_running--;
        while (!p->woken)
            sg_actor_suspend(sg_actor_self());
    }
    p->actor = NULL;
    state->n_running--;
}

static void let_run(const struct state *state) {
    while (state->n_running > 0)
        sg_actor_yield();
}

static void handle_due(struct frs_flight *flight) {
    struct state *state = flight->player_state;
    struct frs_participation *const *list;
    size_t n;
    while ((n = frs_timeline_due(flight->settings->timeline, flight->now_s, &list))) {
        state->n_running = n;
        for (size_t k = 0; k < n; k++) {
            list[k]->woken = true;
            sg_actor_resume(list[k]->actor);
        }
        let_run(state);
    }
}

static void begin(struct frs_flight *flight) {
    flight->player_state = frs_alloc(1, sizeof(struct state));
}

static void start(struct frs_flight *flight, struct frs_participation *const *list, size_t n) {
    struct state *state = flight->player_state;
    state->n_running = n;
    for (size_t i = 0; i < n; i++) {
        sg_actor_t actor = frs_channel_actor("client", frs_channel_client(flight->settings->channel, 0));
        list[i]->actor = actor;
        sg_actor_set_data(actor, list[i]);
        sg_actor_start_(actor, act, 0, NULL);
    }
    let_run(state);
    handle_due(flight);
}

static void wait(struct frs_flight *flight, double until_s) {
    frs_watch(flight, until_s, handle_due);
}

static void drain(struct frs_flight *flight, double until_s) {
    frs_watch_drain(flight, until_s, handle_due);
}

/* The outcome is written already; the actor only has to go. */
void frs_player_stopped(void *context, struct frs_participation *p) {
    (void)context;
    if (p->actor)
        sg_actor_kill(p->actor);
    p->actor = NULL;
}

static void end(struct frs_flight *flight) {
    free(flight->player_state);
}

const struct frs_player frs_player_actors = {.name = "actors",
    .begin = begin,
    .start = start,
    .wait = wait,
    .drain = drain,
    .shorten = frs_watch_shorten,
    .stop = frs_watch_stop,
    .end = end};
