/* One actor per participation, on the slot with its index; SimGrid carries out transfers and computations.
 * The server's actor wakes at the times at which clients drop out, writes their outcome and kills their
 * actors.
 *
 * What a killed transfer had carried comes from SimGrid's link-load plug-in, which is exact while a link's
 * rate does not change. Under contention, therefore, every link in use is read whenever a transfer starts
 * or ends. */
#include "sim/base/heap.h"
#include "actors/backend.h"
#include "actors/server/server.h"
#include "sim/base/memory.h"

#include <stdlib.h>

/* Hosts of slots run at this speed (FRS_SLOT_FLOP_PER_S); a compute phase is given to SimGrid as seconds
 * at this speed. */
#define HOST_FLOP_PER_S 1e9

struct running {
    enum frs_cause dies_cause;
    bool transfers, up;
    double started_s, bytes; /* of the transfer */
    double load_before;      /* of the slot's link when it started */
    bool shortened;          /* its actor begins with what is left of its compute phase: */
    double left_s;
    bool begins; /* its actor begins at this time of the server's, which SimGrid's clock may have passed: */
    double begins_s;
};

struct state {
    sg_sem_t poke; /* a time has come up that the server does not know of, or a participation has ended */
    struct frs_heap deaths;
    struct frs_heap_places places;
    struct running *running; /* [place] */
    size_t n, capacity;
};

static struct running *running_of(const struct frs_participation *p) {
    const struct state *state = p->in_flight->player_state;
    return &state->running[p->place];
}

static void read_loads(const struct frs_in_flight *in_flight) {
    const struct state *state = in_flight->player_state;
    if (!frs_channel_is_contended(in_flight->settings->channel))
        return;
    for (size_t i = 0; i < state->n; i++)
        if (state->running[i].transfers)
            frs_channel_slot_load(in_flight->settings->channel, i, state->running[i].up);
}

static void set_death(const struct frs_participation *p, const struct frs_step *step) {
    struct state *state = p->in_flight->player_state;
    running_of(p)->dies_cause = step->dies_cause;
    if (step->kind != FRS_STEP_END && step->dies_s < __builtin_inf()) {
        double now_s = frs_simgrid.simgrid_get_clock();
        frs_heap_put(&state->deaths, p->place, step->dies_s > now_s ? step->dies_s : now_s, p->client);
        frs_simgrid.sg_sem_release(state->poke);
    } else {
        frs_heap_remove(&state->deaths, p->place);
    }
}

static void transfer(const struct frs_participation *p, const struct frs_step *step) {
    struct frs_channel *channel = p->in_flight->settings->channel;
    bool up = step->kind == FRS_STEP_UP;
    read_loads(p->in_flight);
    *running_of(p) = (struct running){.dies_cause = step->dies_cause,
        .transfers = true,
        .up = up,
        .started_s = frs_simgrid.simgrid_get_clock(),
        .bytes = step->bytes,
        .load_before = frs_channel_slot_load(channel, p->place, up)};
    frs_channel_transfer(channel, p->place, up, (uint64_t)step->bytes);
    read_loads(p->in_flight);
    running_of(p)->transfers = false;
}

static void compute(const struct frs_participation *p, double duration_s) {
    if (frs_channel_is_users(p->in_flight->settings->channel))
        frs_simgrid.sg_actor_sleep_for(duration_s);
    else
        frs_simgrid.sg_actor_execute(duration_s * HOST_FLOP_PER_S);
}

/* `late_s`: by how much SimGrid's clock has passed the time at which the step begins. */
static void carry_out(const struct frs_participation *p, const struct frs_step *step, double late_s) {
    double left_s = late_s < step->duration_s ? step->duration_s - late_s : 0;
    if (step->kind == FRS_STEP_WAIT)
        frs_simgrid.sg_actor_sleep_for(left_s);
    else if (step->kind == FRS_STEP_COMPUTE)
        compute(p, left_s);
    else
        transfer(p, step);
}

static void act(int argc, char **argv) {
    (void)argc;
    (void)argv;
    struct frs_participation *p = frs_simgrid.sg_actor_self_get_data();
    const struct frs_in_flight *in_flight = p->in_flight;
    struct state *state = in_flight->player_state;
    if (running_of(p)->shortened && running_of(p)->left_s > 0)
        compute(p, running_of(p)->left_s);
    for (;;) {
        double clock_s = frs_simgrid.simgrid_get_clock(),
               now_s = running_of(p)->begins ? running_of(p)->begins_s : clock_s;
        running_of(p)->begins = false;
        struct frs_step step = frs_lifecycle_next(p, now_s, &in_flight->settings->operations->play);
        set_death(p, &step);
        if (step.kind == FRS_STEP_END)
            break;
        carry_out(p, &step, clock_s - now_s);
    }
    p->actor = NULL;
    frs_simgrid.sg_sem_release(state->poke);
}

static void begin(struct frs_in_flight *in_flight) {
    struct state *state = frs_alloc(1, sizeof *state);
    state->poke = frs_simgrid.sg_sem_init(0);
    state->deaths.places = &state->places;
    in_flight->player_state = state;
}

/* Ends of steps at this very time come first, and actors that were killed leave. */
static void let_ends_happen(void) {
    for (int i = 0; i < 4; i++)
        frs_simgrid.sg_actor_yield();
}

static void create_actor(struct frs_participation *p) {
    sg_actor_t actor =
        frs_channel_actor("client", frs_channel_client(p->in_flight->settings->channel, p->place));
    p->actor = actor;
    frs_simgrid.sg_actor_set_data(actor, p);
    frs_simgrid.sg_actor_start_(actor, act, 0, NULL);
}

static void start(struct frs_in_flight *in_flight, struct frs_participation *const *list, size_t n) {
    struct state *state = in_flight->player_state;
    let_ends_happen();
    for (size_t i = 0; i < n; i++) {
        struct frs_participation *p = list[i];
        state->running =
            frs_grow(state->running, (size_t)p->place + 1, &state->capacity, sizeof *state->running);
        while (state->n <= p->place)
            state->running[state->n++] = (struct running){0};
        *running_of(p) = (struct running){.begins = true, .begins_s = in_flight->now_s};
        frs_channel_attach(in_flight->settings->channel, p->place, p);
        create_actor(p);
    }
    let_ends_happen();
}

/* What the transfer under way has carried, which goes no further. */
static double break_off(struct frs_in_flight *in_flight, struct frs_participation *p) {
    struct state *state = in_flight->player_state;
    struct running *running = running_of(p);
    double received = 0;
    if (running->transfers) {
        read_loads(in_flight);
        received = frs_channel_stop(in_flight->settings->channel, p->place, running->up, running->started_s,
            running->load_before, running->bytes);
        running->transfers = false;
    }
    frs_heap_remove(&state->deaths, p->place);
    frs_simgrid.sg_actor_kill(p->actor);
    p->actor = NULL;
    return received;
}

static void stop(struct frs_in_flight *in_flight, struct frs_participation *p, enum frs_outcome outcome,
    enum frs_cause cause) {
    double received = break_off(in_flight, p);
    frs_lifecycle_stop(p, in_flight->now_s, received, outcome, cause);
}

/* An execution cannot be shortened: another actor takes over, from where the clock stands after a drain. */
static void shorten(struct frs_in_flight *in_flight, struct frs_participation *p) {
    struct running *running = running_of(p);
    (void)in_flight;
    running->shortened = true;
    running->left_s = p->times.compute_start_s + p->plan.compute_s - frs_simgrid.simgrid_get_clock();
    frs_simgrid.sg_actor_kill(p->actor);
    create_actor(p);
}

/* A client drops out; or its connection breaks, and another actor goes on trying. */
static void strike(struct frs_in_flight *in_flight, struct frs_participation *p, enum frs_cause cause) {
    if (!frs_lifecycle_retries(p, cause)) {
        stop(in_flight, p, FRS_PENDING, cause);
        return;
    }
    double received = break_off(in_flight, p);
    frs_lifecycle_break(p, in_flight->now_s, received);
    *running_of(p) = (struct running){0};
    create_actor(p);
}

static void kill_due(struct frs_in_flight *in_flight, double now_s) {
    const struct state *state = in_flight->player_state;
    const struct frs_heap_entry *next;
    let_ends_happen();
    while ((next = frs_heap_top(&state->deaths)) && next->key <= now_s) {
        in_flight->now_s = next->key; /* SimGrid's clock may stand 1e-12 s beyond the time */
        strike(in_flight, in_flight->at[next->item], state->running[next->item].dies_cause);
    }
}

static void wait(struct frs_in_flight *in_flight, double until_s) {
    struct state *state = in_flight->player_state;
    for (;;) {
        const struct frs_heap_entry *next = frs_heap_top(&state->deaths);
        double time_s = next && next->key < until_s ? next->key : until_s,
               now_s = frs_simgrid.simgrid_get_clock();
        if (time_s <= now_s || in_flight->ended.n > 0) {
            kill_due(in_flight, now_s);
            if (until_s <= now_s || in_flight->ended.n > 0)
                break;
        } else if (time_s < __builtin_inf()) {
            frs_simgrid.sg_sem_acquire_timeout(state->poke, time_s - now_s);
        } else {
            frs_simgrid.sg_sem_acquire(state->poke);
        }
    }
    in_flight->now_s = frs_simgrid.simgrid_get_clock();
}

/* SimGrid's clock cannot tell what happens within an instant without passing it. */
static void drain(struct frs_in_flight *in_flight, double until_s) {
    double now_s = in_flight->now_s;
    size_t n = in_flight->ended.n;
    frs_backend_sleep_until(until_s);
    kill_due(in_flight, frs_simgrid.simgrid_get_clock());
    in_flight->now_s = in_flight->ended.n > n ? frs_simgrid.simgrid_get_clock() : now_s;
}

static void end(struct frs_in_flight *in_flight) {
    struct state *state = in_flight->player_state;
    let_ends_happen();
    frs_simgrid.sg_sem_destroy(state->poke);
    frs_heap_fini(&state->deaths);
    frs_heap_places_fini(&state->places);
    free(state->running);
    free(state);
}

const struct frs_backend frs_backend_simgrid = {.name = "simgrid",
    .begin = begin,
    .start = start,
    .wait = wait,
    .drain = drain,
    .shorten = shorten,
    .stop = stop,
    .end = end};
