/* SimGrid actors, one for each participant under way. An actor asks for its participation's next step,
 * puts it on the event queue and suspends itself until its time has come. So the order of events and
 * their times are those of the event queue.
 *
 * The server runs in the main program, which steps SimGrid from one event to the next. There, resuming an
 * actor and passing time are plain calls. From an actor each would be a request to SimGrid with two changes
 * of the stack, and a sleep in SimGrid's solver as well.
 *
 * When a participation has ended, its actor waits for another one. If actors came and went, their stacks
 * would change places from round to round, and the memory that stacks have touched would grow with the
 * rounds. */
#include "actors/backends/event_loop.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <stdlib.h>

struct state;

struct actor {
    struct state *state;
    sg_actor_t actor;
    struct frs_participation *p; /* NULL: it is idle */
    bool woken;
    struct actor *next, *next_idle;
};

struct state {
    struct frs_in_flight *in_flight;
    size_t n_running; /* woken, and not yet suspended again */
    bool over;
    struct actor *actors, *idle;
};

static void leave(struct actor *self) {
    self->p->actor = NULL;
    self->p = NULL;
    self->next_idle = self->state->idle;
    self->state->idle = self;
}

static void go_on(struct actor *self) {
    const struct frs_in_flight *in_flight = self->state->in_flight;
    struct frs_step step =
        frs_lifecycle_next(self->p, in_flight->now_s, &in_flight->settings->operations->play);
    if (step.kind == FRS_STEP_END)
        leave(self);
    else
        frs_event_queue_schedule(in_flight->settings->event_queue, self->p, in_flight->now_s, &step);
}

static void act(int argc, char **argv) {
    (void)argc;
    (void)argv;
    struct actor *self = frs_simgrid.sg_actor_self_get_data();
    struct state *state = self->state;
    while (!state->over) {
        go_on(self);
        self->woken = false;
        state->n_running--;
        while (!self->woken)
            frs_simgrid.sg_actor_suspend(frs_simgrid.sg_actor_self());
    }
    state->n_running--;
}

/* Moves SimGrid's clock to a time, unless it is there or a rounding beyond it. */
static void pass_until(double time_s) {
    if (time_s > frs_simgrid.simgrid_get_clock())
        frs_simgrid.simgrid_run_until(time_s);
}

/* Actors that have been woken run, each until it suspends itself. */
static void let_run(const struct state *state) {
    frs_simgrid.simgrid_run_until(frs_simgrid.simgrid_get_clock());
    FRS_INVARIANT(state->n_running == 0, "an actor waits for something else than its next step");
}

static void wake(struct actor *self) {
    self->woken = true;
    frs_simgrid.sg_actor_resume(self->actor);
}

static void handle_due(struct frs_in_flight *in_flight) {
    struct state *state = in_flight->player_state;
    struct frs_participation *const *list;
    size_t n;
    pass_until(in_flight->now_s);
    while ((n = frs_event_queue_due(in_flight->settings->event_queue, in_flight->now_s, &list))) {
        state->n_running = n;
        for (size_t k = 0; k < n; k++)
            wake(list[k]->actor);
        let_run(state);
    }
}

static void begin(struct frs_in_flight *in_flight) {
    struct state *state = frs_alloc(1, sizeof *state);
    *state = (struct state){.in_flight = in_flight};
    in_flight->player_state = state;
}

static void take(struct actor *self, struct frs_participation *p) {
    self->p = p;
    p->actor = self;
}

static void create_actor(struct state *state, struct frs_participation *p) {
    struct actor *self = frs_alloc(1, sizeof *self);
    *self = (struct actor){.state = state, .woken = true, .next = state->actors};
    state->actors = self;
    take(self, p);
    self->actor = frs_channel_actor("client", frs_channel_client(state->in_flight->settings->channel, 0));
    frs_simgrid.sg_actor_set_data(self->actor, self);
    frs_simgrid.sg_actor_start_(self->actor, act, 0, NULL);
}

static void begin_one(struct state *state, struct frs_participation *p) {
    struct actor *idle = state->idle;
    if (!idle) {
        create_actor(state, p);
        return;
    }
    state->idle = idle->next_idle;
    take(idle, p);
    wake(idle);
}

static void start(struct frs_in_flight *in_flight, struct frs_participation *const *list, size_t n) {
    struct state *state = in_flight->player_state;
    pass_until(in_flight->now_s);
    state->n_running = n;
    for (size_t i = 0; i < n; i++)
        begin_one(state, list[i]);
    let_run(state);
    handle_due(in_flight);
}

static void wait(struct frs_in_flight *in_flight, double until_s) {
    frs_event_loop_wait(in_flight, until_s, handle_due);
}

static void drain(struct frs_in_flight *in_flight, double until_s) {
    frs_event_loop_drain(in_flight, until_s, handle_due);
}

/* The outcome is written already. */
void frs_backend_stopped(void *context, struct frs_participation *p) {
    (void)context;
    if (p->actor)
        leave(p->actor);
}

static void end(struct frs_in_flight *in_flight) {
    struct state *state = in_flight->player_state;
    state->over = true;
    for (struct actor *actor = state->actors; actor; actor = actor->next) {
        state->n_running++;
        wake(actor);
    }
    let_run(state);
    for (struct actor *actor; (actor = state->actors); free(actor))
        state->actors = actor->next;
    free(state);
}

const struct frs_backend frs_backend_actors = {.name = "actors",
    .begin = begin,
    .start = start,
    .wait = wait,
    .drain = drain,
    .shorten = frs_event_loop_shorten,
    .stop = frs_event_loop_stop,
    .end = end,
    .steps_simgrid = true};
