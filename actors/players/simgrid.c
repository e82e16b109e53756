/* One actor per participation on a slot of its own; transfers and computations are SimGrid's. The server's
 * actor is the reaper: it wakes at the dates at which clients vanish, writes their outcome and kills them.
 *
 * What a killed transfer had carried comes from SimGrid's link-load plug-in, which is exact while a link's
 * rate does not change; under contention every link in use is therefore read whenever a transfer starts or
 * ends. */
#include "actors/heap.h"
#include "actors/player.h"
#include "actors/server.h"
#include "sim/base/memory.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/semaphore.h>
#include <stdlib.h>

/* Hosts of slots run at this speed (FRS_SLOT_FLOP_PER_S); a compute phase is charged as seconds at it. */
#define HOST_FLOP_PER_S 1e9

struct running {
    enum frs_cause dies_cause;
    bool transfers, up;
    double started_s, bytes; /* of the transfer */
    double load_before;      /* of the slot's link when it started */
};

struct state {
    sg_sem_t poke; /* a date has come up that the server does not know of, or somebody has ended */
    struct frs_heap deaths;
    struct frs_heap_places places;
    struct running *running;
};

static uint32_t index_of(const struct frs_participation *p) {
    return (uint32_t)(p - p->round->participants);
}

static void read_loads(const struct frs_round *round) {
    const struct state *state = round->player_state;
    if (!frs_channel_is_contended(round->settings->channel))
        return;
    for (size_t i = 0; i < round->n; i++)
        if (state->running[i].transfers)
            frs_channel_slot_load(round->settings->channel, i, state->running[i].up);
}

static void set_death(struct frs_round *round, uint32_t i, const struct frs_step *step) {
    struct state *state = round->player_state;
    state->running[i].dies_cause = step->dies_cause;
    if (step->kind != FRS_STEP_END && step->dies_s < __builtin_inf()) {
        double now_s = simgrid_get_clock();
        frs_heap_put(&state->deaths, i, step->dies_s > now_s ? step->dies_s : now_s, i);
        sg_sem_release(state->poke);
    } else {
        frs_heap_remove(&state->deaths, i);
    }
}

static void transfer(struct frs_round *round, uint32_t i, const struct frs_step *step) {
    struct state *state = round->player_state;
    struct running *running = &state->running[i];
    struct frs_channel *channel = round->settings->channel;
    bool up = step->kind == FRS_STEP_UP;
    read_loads(round);
    *running = (struct running){.dies_cause = step->dies_cause,
        .transfers = true,
        .up = up,
        .started_s = simgrid_get_clock(),
        .bytes = step->bytes,
        .load_before = frs_channel_slot_load(channel, i, up)};
    frs_channel_transfer(channel, i, up, (uint64_t)step->bytes);
    read_loads(round);
    running->transfers = false;
}

static void carry_out(struct frs_round *round, uint32_t i, const struct frs_step *step) {
    bool sleeps = step->kind == FRS_STEP_COMPUTE && frs_channel_is_users(round->settings->channel);
    if (step->kind == FRS_STEP_WAIT || sleeps)
        sg_actor_sleep_for(step->duration_s);
    else if (step->kind == FRS_STEP_COMPUTE)
        sg_actor_execute(step->duration_s * HOST_FLOP_PER_S);
    else
        transfer(round, i, step);
}

static void act(int argc, char **argv) {
    (void)argc;
    (void)argv;
    struct frs_participation *p = sg_actor_self_get_data();
    struct frs_round *round = p->round;
    struct state *state = round->player_state;
    uint32_t i = index_of(p);
    for (;;) {
        struct frs_step step = frs_play_next(p, simgrid_get_clock(), &round->settings->operations->play);
        set_death(round, i, &step);
        if (step.kind == FRS_STEP_END)
            break;
        carry_out(round, i, &step);
    }
    p->actor = NULL;
    sg_sem_release(state->poke);
}

static void begin(struct frs_round *round) {
    struct state *state = frs_alloc(1, sizeof *state);
    state->poke = sg_sem_init(0);
    state->deaths.places = &state->places;
    state->running = frs_alloc(round->n, sizeof *state->running);
    round->player_state = state;
    for (size_t i = 0; i < round->n; i++) {
        struct frs_participation *p = &round->participants[i];
        frs_channel_attach(round->settings->channel, i, p);
        sg_actor_t actor = sg_actor_init("client", frs_channel_client(round->settings->channel, i));
        p->actor = actor;
        sg_actor_set_data(actor, p);
        sg_actor_start_(actor, act, 0, NULL);
    }
}

static void stop(struct frs_round *round, uint32_t i, enum frs_outcome outcome, enum frs_cause cause) {
    struct state *state = round->player_state;
    struct frs_participation *p = &round->participants[i];
    struct running *running = &state->running[i];
    double received = 0;
    if (running->transfers) {
        read_loads(round);
        received = frs_channel_stop(round->settings->channel, i, running->up, running->started_s,
            running->load_before, running->bytes);
        running->transfers = false;
    }
    frs_heap_remove(&state->deaths, i);
    frs_play_stop(p, round->now_s, received, outcome, cause);
    sg_actor_kill(p->actor);
    p->actor = NULL;
}

/* Ends of steps at this very date come first. */
static void let_ends_happen(void) {
    for (int i = 0; i < 4; i++)
        sg_actor_yield();
}

static void wait(struct frs_round *round, double until_s) {
    struct state *state = round->player_state;
    while (round->n_ended < round->n) {
        const struct frs_heap_entry *next = frs_heap_top(&state->deaths);
        double date_s = next && next->key < until_s ? next->key : until_s;
        double now_s = round->now_s = simgrid_get_clock();
        if (date_s <= now_s) {
            let_ends_happen();
            next = frs_heap_top(&state->deaths);
            if (next && next->key <= now_s) {
                round->now_s = next->key; /* SimGrid's clock may stand 1e-12 s beyond the date */
                stop(round, next->item, FRS_PENDING, state->running[next->item].dies_cause);
            } else if (until_s <= now_s) {
                break;
            }
        } else if (date_s < __builtin_inf()) {
            sg_sem_acquire_timeout(state->poke, date_s - now_s);
        } else {
            sg_sem_acquire(state->poke);
        }
    }
    round->now_s = simgrid_get_clock();
}

static void end(struct frs_round *round) {
    struct state *state = round->player_state;
    let_ends_happen(); /* actors that have ended their part leave */
    sg_sem_destroy(state->poke);
    frs_heap_fini(&state->deaths);
    frs_heap_places_fini(&state->places);
    free(state->running);
    free(state);
}

const struct frs_player frs_player_simgrid = {
    .name = "simgrid", .begin = begin, .wait = wait, .stop = stop, .end = end};
