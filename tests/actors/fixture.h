/* A simulation of hand-made rounds: the actors' server with operations that read from and write to a plan.
 * SimGrid's engine is a singleton, so every simulation runs in a child; plan and results lie in memory the
 * child shares. Tests are loop tests over the players. */
#ifndef FRS_TESTS_ACTORS_FIXTURE_H
#define FRS_TESTS_ACTORS_FIXTURE_H

#include "actors/server.h"
#include "actors/timeline.h"
#include "platforms/slots.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_PLANNED_ROUNDS = 8, MAX_PLANNED = 1000 };

/* What a participant brings along; `p` receives what became of it. */
struct planned {
    uint32_t client;
    double down_bytes_per_s, up_bytes_per_s, latency_s;
    uint64_t down_bytes;
    double compute_s;
    uint64_t up_bytes;
    struct frs_participation p;
};

static const struct frs_player *const plan_players[] = {
    &frs_player_calendar, &frs_player_actors, &frs_player_simgrid};
enum { N_PLAYERS = 3 };

struct plan {
    const struct frs_player *player;
    bool lv08;
    double server_down_bytes_per_s, server_up_bytes_per_s;
    /* As frs_timeline_settings.capacity, whose context is the plan; NULL: links do not change. */
    double (*capacity)(void *, const struct frs_participation *, bool, double, double *);
    size_t n_rounds, n[MAX_PLANNED_ROUNDS];
    struct planned rounds[MAX_PLANNED_ROUNDS][MAX_PLANNED];
    /* Results. */
    double opened_s[MAX_PLANNED_ROUNDS], closed_s[MAX_PLANNED_ROUNDS], end_s;
    uint32_t compute_order[MAX_PLANNED_ROUNDS][MAX_PLANNED], computed_order[MAX_PLANNED_ROUNDS][MAX_PLANNED];
    size_t n_compute[MAX_PLANNED_ROUNDS], n_computed[MAX_PLANNED_ROUNDS];
    struct frs_carried carried;
    /* The open round. */
    size_t round;
    struct frs_participation participants[MAX_PLANNED];
};

static inline struct plan *plan_create(size_t n_rounds, int player) {
    struct plan *plan = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(plan != MAP_FAILED);
    plan->n_rounds = n_rounds;
    plan->player = plan_players[player];
    plan->server_down_bytes_per_s = plan->server_up_bytes_per_s = INFINITY;
    return plan;
}

static inline void plan_destroy(struct plan *plan) {
    munmap(plan, sizeof *plan);
}

static inline void plan_add(struct plan *plan, size_t round, struct planned planned) {
    plan->rounds[round][plan->n[round]++] = planned;
}

/* A loss that was left out is all zeros. */
static inline void plan_loss(struct frs_loss *loss, const struct frs_loss *planned) {
    if (planned->planned || planned->after_s > 0)
        *loss = *planned;
}

static struct frs_opening plan_open(void *context, double now_s) {
    struct plan *plan = context;
    if (plan->round == plan->n_rounds)
        return (struct frs_opening){.kind = FRS_OPEN_END};
    size_t n = plan->n[plan->round];
    plan->opened_s[plan->round] = now_s;
    for (size_t i = 0; i < n; i++) {
        const struct planned *planned = &plan->rounds[plan->round][i];
        struct frs_participation *p = &plan->participants[i];
        *p = frs_participation_new(planned->client);
        p->down_bytes_per_s = planned->down_bytes_per_s;
        p->up_bytes_per_s = planned->up_bytes_per_s;
        if (plan->lv08)
            p->link_latency_s = planned->latency_s;
        else
            p->latency_s = p->up_latency_s = planned->latency_s;
        p->down_bytes = planned->down_bytes;
        if (planned->p.leaves_s > 0)
            p->leaves_s = planned->p.leaves_s;
        plan_loss(&p->down_loss, &planned->p.down_loss);
        plan_loss(&p->compute_loss, &planned->p.compute_loss);
        plan_loss(&p->up_loss, &planned->p.up_loss);
    }
    return (struct frs_opening){.kind = FRS_OPEN_ROUND, .participants = plan->participants, .n = n};
}

static void plan_compute(void *context, struct frs_participation *p) {
    struct plan *plan = context;
    const struct planned *planned = &plan->rounds[plan->round][p - plan->participants];
    p->compute_s = planned->compute_s;
    p->up_bytes = planned->up_bytes;
    plan->compute_order[plan->round][plan->n_compute[plan->round]++] = p->client;
}

static void plan_computed(void *context, struct frs_participation *p) {
    struct plan *plan = context;
    plan->computed_order[plan->round][plan->n_computed[plan->round]++] = p->client;
}

static double plan_aggregate_s(void *context) {
    (void)context;
    return 0;
}

static void plan_close(void *context, double now_s, enum frs_cause lost) {
    struct plan *plan = context;
    ck_assert_int_eq(lost, FRS_CAUSE_NONE);
    plan->closed_s[plan->round] = now_s;
    for (size_t i = 0; i < plan->n[plan->round]; i++)
        plan->rounds[plan->round][i].p = plan->participants[i];
    plan->round++;
}

/* In the child. */
static inline void plan_simulate(struct plan *plan) {
    extern const struct frs_policy frs_policy_wait_all;
    char path[] = "/tmp/fedrecsim-test-XXXXXX.xml";
    size_t n_slots = 1;
    for (size_t i = 0; i < plan->n_rounds; i++)
        n_slots = plan->n[i] > n_slots ? plan->n[i] : n_slots;
    FILE *file = fdopen(mkstemps(path, 4), "w");
    if (!file ||
        frs_slots_write(file, n_slots, plan->server_down_bytes_per_s, plan->server_up_bytes_per_s) != 0 ||
        fclose(file) != 0)
        _exit(3);
    bool contended = plan->server_down_bytes_per_s < INFINITY || plan->server_up_bytes_per_s < INFINITY;
    struct frs_channel *channel = frs_channel_create(&(struct frs_channel_settings){
        .platform_file = path, .n_slots = n_slots, .lv08 = plan->lv08, .contended = contended});
    unlink(path);
    struct frs_timeline *timeline =
        frs_timeline_create(&(struct frs_timeline_settings){.stopped = frs_player_stopped,
            .capacity = plan->capacity,
            .context = plan,
            .server_down_bytes_per_s = plan->server_down_bytes_per_s,
            .server_up_bytes_per_s = plan->server_up_bytes_per_s});
    struct frs_server_operations operations = {
        .play = {.context = plan, .compute = plan_compute, .computed = plan_computed},
        .open = plan_open,
        .aggregate_s = plan_aggregate_s,
        .close = plan_close};
    plan->end_s = frs_server_run(&(struct frs_server_settings){.channel = channel,
        .policy = &frs_policy_wait_all,
        .player = plan->player,
        .timeline = timeline,
        .operations = &operations});
    if (plan->player == &frs_player_simgrid)
        plan->carried = frs_channel_carried(channel);
    else
        frs_timeline_carried(timeline, &plan->carried.down_bytes, &plan->carried.up_bytes);
    frs_timeline_destroy(timeline);
    frs_channel_destroy(channel);
}

static inline void plan_run(struct plan *plan) {
    fflush(NULL);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        plan_simulate(plan);
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_msg(
        WIFEXITED(status) && WEXITSTATUS(status) == 0, "the simulation ended with status %d", status);
    ck_assert_uint_eq(plan->round, plan->n_rounds);
}

#endif
