/* One actor per participation. An actor asks for its next step, puts it on the timeline and sleeps until the
 * server's actor, which watches the dates, wakes it; so the order of events is that of the timeline, and
 * dates are its dates. */
#include "actors/players/watch.h"
#include "sim/base/memory.h"

#include <simgrid/actor.h>
#include <stdlib.h>

struct state {
    uint32_t *list;
    size_t n_running; /* woken, and not yet back to sleep or ended */
};

static void act(int argc, char **argv) {
    (void)argc;
    (void)argv;
    struct frs_participation *p = sg_actor_self_get_data();
    struct frs_round *round = p->round;
    struct state *state = round->player_state;
    for (;;) {
        struct frs_step step = frs_play_next(p, round->now_s, &round->settings->operations->play);
        if (step.kind == FRS_STEP_END)
            break;
        frs_timeline_schedule(
            round->settings->timeline, (uint32_t)(p - round->participants), round->now_s, &step);
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

static void handle_due(struct frs_round *round) {
    struct state *state = round->player_state;
    size_t n;
    while ((n = frs_timeline_due(round->settings->timeline, round->now_s, state->list))) {
        state->n_running = n;
        for (size_t k = 0; k < n; k++) {
            struct frs_participation *p = &round->participants[state->list[k]];
            p->woken = true;
            sg_actor_resume(p->actor);
        }
        let_run(state);
    }
}

static void begin(struct frs_round *round) {
    struct state *state = frs_alloc(1, sizeof *state);
    state->list = frs_alloc(round->n, sizeof *state->list);
    round->player_state = state;
    frs_timeline_begin(round->settings->timeline, round->participants, round->n);
    state->n_running = round->n;
    for (size_t i = 0; i < round->n; i++) {
        struct frs_participation *p = &round->participants[i];
        sg_actor_t actor = sg_actor_init("client", frs_channel_client(round->settings->channel, 0));
        p->actor = actor;
        sg_actor_set_data(actor, p);
        sg_actor_start_(actor, act, 0, NULL);
    }
    let_run(state);
    handle_due(round);
}

static void wait(struct frs_round *round, double until_s) {
    frs_watch(round, until_s, handle_due);
}

/* The outcome is written already; the actor only has to go. */
void frs_player_stopped(void *context, struct frs_participation *p) {
    (void)context;
    if (p->actor)
        sg_actor_kill(p->actor);
    p->actor = NULL;
}

static void end(struct frs_round *round) {
    struct state *state = round->player_state;
    free(state->list);
    free(state);
}

const struct frs_player frs_player_actors = {
    .name = "actors", .begin = begin, .wait = wait, .stop = frs_watch_stop, .end = end};
