/* A simulation of hand-made rounds: the actors' server with operations that read from and write to a plan.
 * SimGrid's engine is a singleton, so every simulation runs in a child process; plan and results are in
 * memory that the child shares. Tests are loop tests over the backends. */
#ifndef FRS_TESTS_ACTORS_FIXTURE_H
#define FRS_TESTS_ACTORS_FIXTURE_H

#include "actors/server/server.h"
#include "actors/links/event_queue.h"
#include "platforms/networks/slots.h"
#include "sim/base/errors.h"
#include "tests/support.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_PLANNED_ROUNDS = 8, MAX_PLANNED = 1000, MAX_BREAKS = 8 };

extern const struct frs_policy frs_policy_wait_all;

/* What a participant brings along; `p` receives what became of it. */
struct planned {
    uint32_t client;
    double down_bytes_per_s, up_bytes_per_s, latency_s;
    uint64_t down_bytes;
    double compute_s;
    uint64_t up_bytes;
    struct frs_handshake handshake;           /* before the first message */
    enum frs_slow_start_kind slow_start_kind; /* of both messages */
    struct frs_retrying retrying;
    struct frs_loss again[MAX_BREAKS];   /* what befalls the messages that are tried again, in their order */
    struct frs_break breaks[MAX_BREAKS]; /* result, in memory that parent and child share */
    double post_s;                       /* of work after the upload; 0: there is none */
    struct frs_participation p;
    size_t round;
    uint32_t n_epochs; /* equally long; 0: one */
    uint32_t epochs;   /* result: epochs trained where frs_round_finish_epochs was asked for */
    bool settled;      /* result */
};

#define PLANNED(client_, down_, up_, latency_, down_bytes_, seconds_, up_bytes_)                             \
    {                                                                                                        \
        .client = client_, .down_bytes_per_s = down_, .up_bytes_per_s = up_, .latency_s = latency_,          \
        .down_bytes = down_bytes_, .compute_s = seconds_, .up_bytes = up_bytes_                              \
    }

static const struct frs_backend *const plan_players[] = {
    &frs_backend_calendar, &frs_backend_actors, &frs_backend_simgrid};
enum { N_BACKENDS = 3 };

struct plan {
    const struct frs_backend *backend;
    bool lv08;
    double (*start_s)(
        void *context, struct frs_participation *participation, uint32_t n); /* by_packets; may be NULL */
    bool by_packets, fair, loses; /* packet by packet; in turns; every 16th or so is lost */
    double server_down_bytes_per_s, server_up_bytes_per_s;
    /* As frs_event_queue_settings.capacity, whose context is the plan; NULL: links do not change. */
    double (*capacity)(void *, const struct frs_participation *, bool, double, double *);
    /* One opening after the other. In an asynchronous plan the first opening has all clients, in the order
     * of their selection. */
    size_t n_rounds, n[MAX_PLANNED_ROUNDS];
    bool has_posts; /* some client works on after its upload */
    struct planned rounds[MAX_PLANNED_ROUNDS][MAX_PLANNED];
    const struct frs_policy *policy;
    struct frs_policy_settings policy_settings;
    size_t n_aggregations; /* of an asynchronous plan */
    double aggregate_s, encode_s, detect_s, restart_s, restarts_s[4];
    size_t n_restarts;
    double asleep_from_s, asleep_until_s; /* no client can be reached, but clients under way go on */
    /* Results, by opening; those of closings in their order. */
    double opened_s[MAX_PLANNED_ROUNDS], closed_s[MAX_PLANNED_ROUNDS], end_s,
        away_s; /* away_s: in which the server was down, in all */
    enum frs_cause lost[MAX_PLANNED_ROUNDS];
    uint32_t arrivals[MAX_PLANNED_ROUNDS][MAX_PLANNED];
    size_t n_arrivals[MAX_PLANNED_ROUNDS], n_closed, n_settled;
    uint32_t compute_order[MAX_PLANNED_ROUNDS][MAX_PLANNED], computed_order[MAX_PLANNED_ROUNDS][MAX_PLANNED];
    size_t n_compute[MAX_PLANNED_ROUNDS], n_computed[MAX_PLANNED_ROUNDS];
    struct frs_carried carried;
    size_t round, next; /* opening; client of an asynchronous plan */
    struct frs_participation *opened[MAX_PLANNED];
};

static inline struct plan *plan_create(size_t n_rounds, int backend) {
    struct plan *plan = mmap(NULL, sizeof *plan, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(plan != MAP_FAILED);
    plan->n_rounds = n_rounds;
    plan->backend = plan_players[backend];
    plan->policy = &frs_policy_wait_all;
    plan->server_down_bytes_per_s = plan->server_up_bytes_per_s = INFINITY;
    return plan;
}

static inline void plan_destroy(struct plan *plan) {
    munmap(plan, sizeof *plan);
}

static inline void plan_add(struct plan *plan, size_t round, struct planned planned) {
    planned.round = round;
    plan->has_posts |= planned.post_s > 0;
    plan->rounds[round][plan->n[round]++] = planned;
}

/* A loss that was left out is all zeros. */
static inline void plan_loss(struct frs_loss *loss, const struct frs_loss *planned) {
    if (planned->planned || planned->after_s > 0)
        *loss = *planned;
}

static inline void plan_prepare(const struct plan *plan, struct planned *planned) {
    const struct frs_participation given = planned->p;
    struct frs_participation *p = &planned->p;
    *p = frs_participation_new(planned->client);
    p->plan.down_bytes_per_s = planned->down_bytes_per_s;
    p->plan.up_bytes_per_s = planned->up_bytes_per_s;
    if (plan->lv08)
        p->plan.link_latency_s = planned->latency_s;
    else
        p->plan.down_latency_s = p->plan.up_latency_s = planned->latency_s;
    p->plan.handshake = planned->handshake;
    p->plan.down_slow_start = p->plan.up_slow_start = planned->slow_start_kind;
    p->plan.retrying = planned->retrying;
    p->breaks = planned->breaks;
    p->breaks_capacity = MAX_BREAKS;
    p->plan.by_packets = plan->by_packets;
    p->usage.down_bytes = planned->down_bytes;
    p->plan.refused = given.plan.refused;
    if (given.plan.leaves_s > 0)
        p->plan.leaves_s = given.plan.leaves_s;
    if (given.post.fails_after_s > 0)
        p->post.fails_after_s = given.post.fails_after_s;
    plan_loss(&p->plan.down_loss, &given.plan.down_loss);
    plan_loss(&p->plan.compute_loss, &given.plan.compute_loss);
    plan_loss(&p->plan.up_loss, &given.plan.up_loss);
}

static struct planned *planned_of(struct frs_participation *p) {
    return (struct planned *)((char *)p - offsetof(struct planned, p));
}

static bool plan_goes_on(void *context) {
    const struct plan *plan = context;
    return plan->policy->asynchronous ? plan->n_closed < plan->n_aggregations : plan->round < plan->n_rounds;
}

static int plan_by_client(const void *a, const void *b) {
    uint32_t x = (*(struct frs_participation *const *)a)->client,
             y = (*(struct frs_participation *const *)b)->client;
    return (x > y) - (x < y);
}

static bool plan_is_busy(const struct plan *plan) {
    for (size_t i = 0; i < plan->next; i++)
        if (plan->rounds[0][i].p.busy)
            return true;
    return false;
}

/* The participation whose work this client is still busy with. */
static void plan_link(struct plan *plan, struct frs_participation *p, double now_s) {
    for (size_t round = 0; plan->has_posts && round < plan->round && round < MAX_PLANNED_ROUNDS; round++)
        for (size_t i = 0; i < plan->n[round]; i++) {
            struct frs_participation *before = &plan->rounds[round][i].p;
            if (before->client == p->client && before->post.end_s > now_s)
                p->before = before;
        }
}

/* Asynchronous: clients in the order of the plan as long as there are any. */
static struct frs_opening plan_open(void *context, double now_s, size_t n) {
    struct plan *plan = context;
    bool asynchronous = plan->policy->asynchronous;
    size_t first = asynchronous ? plan->next : 0, left = plan->n[asynchronous ? 0 : plan->round] - first;
    n = asynchronous && n < left ? n : left;
    struct planned *round = plan->rounds[asynchronous ? 0 : plan->round] + first;
    if (now_s >= plan->asleep_from_s && now_s < plan->asleep_until_s)
        return (struct frs_opening){.kind = FRS_OPEN_SLEEP, .until_s = plan->asleep_until_s};
    if (n == 0)
        return (struct frs_opening){
            .kind = plan_is_busy(plan) ? FRS_OPEN_SLEEP : FRS_OPEN_END, .until_s = INFINITY};
    if (plan->round < MAX_PLANNED_ROUNDS)
        plan->opened_s[plan->round] = now_s;
    for (size_t i = 0; i < n; i++) {
        plan_prepare(plan, &round[i]);
        plan_link(plan, &round[i].p, now_s);
        plan->opened[i] = &round[i].p;
    }
    qsort(plan->opened, n, sizeof *plan->opened, plan_by_client);
    plan->next += n;
    plan->round++;
    return (struct frs_opening){.kind = FRS_OPEN_ROUND,
        .until_s = INFINITY,
        .server_s = plan->encode_s,
        .participants = plan->opened,
        .n = n};
}

static void plan_received(void *context, struct frs_participation *p) {
    (void)context;
    (void)p;
}

static void plan_compute(void *context, struct frs_participation *p) {
    struct plan *plan = context;
    struct planned *planned = planned_of(p);
    p->plan.compute_s = planned->compute_s;
    if (planned->epochs > 0 && planned->epochs < planned->n_epochs)
        p->plan.compute_s *= (double)planned->epochs / planned->n_epochs;
    p->usage.up_bytes = planned->up_bytes;
    p->post.work_s = planned->post_s > 0 ? planned->post_s : NAN;
    plan->compute_order[planned->round][plan->n_compute[planned->round]++] = p->client;
}

static void plan_computed(void *context, struct frs_participation *p) {
    struct plan *plan = context;
    size_t round = planned_of(p)->round;
    plan->computed_order[round][plan->n_computed[round]++] = p->client;
}

static void plan_retried(void *context, struct frs_participation *p) {
    const struct planned *planned = planned_of(p);
    struct frs_loss *loss = p->breaks[p->n_breaks - 1].up ? &p->plan.up_loss : &p->plan.down_loss;
    (void)context;
    *loss = (struct frs_loss){.at_share = NAN, .after_s = INFINITY};
    plan_loss(loss, &planned->again[p->n_breaks - 1]);
}

/* The epoch that ends now or next is the last one. */
static void plan_truncate(
    void *context, struct frs_participation *const *list, size_t n, double now_s, double *compute_s) {
    (void)context;
    for (size_t i = 0; i < n; i++) {
        struct planned *planned = planned_of(list[i]);
        planned->n_epochs = planned->n_epochs ? planned->n_epochs : 1;
        double epoch_s = planned->compute_s / planned->n_epochs;
        bool begun = list[i]->times.compute_start_s == list[i]->times.compute_start_s;
        planned->epochs = 1;
        while (begun && planned->epochs < planned->n_epochs &&
               list[i]->times.compute_start_s + planned->epochs * epoch_s < now_s - 1e-12)
            planned->epochs++;
        compute_s[i] = !begun                                 ? NAN
                       : planned->epochs == planned->n_epochs ? planned->compute_s
                                                              : planned->epochs * epoch_s;
    }
}

static double plan_aggregate_s(void *context, const struct frs_closing *closing) {
    (void)closing;
    return ((struct plan *)context)->aggregate_s;
}

static void plan_settled(void *context, struct frs_participation *p) {
    struct planned *planned = planned_of(p);
    FRS_INVARIANT(!planned->settled && !p->busy && p->result.outcome != FRS_PENDING,
        "client %u is settled too early", p->client);
    planned->settled = true;
    ((struct plan *)context)->n_settled++;
}

static void plan_close(void *context, const struct frs_closing *closing) {
    struct plan *plan = context;
    size_t at = plan->n_closed++;
    plan->closed_s[at] = closing->now_s;
    plan->lost[at] = closing->lost;
    for (size_t i = 0; i < closing->n; i++)
        plan->arrivals[at][i] = closing->arrivals[i]->client;
    plan->n_arrivals[at] = closing->n;
}

static void plan_restarted(void *context, double away_s) {
    ((struct plan *)context)->away_s += away_s;
}

static bool plan_is_lost(void *context, struct frs_participation *p, uint32_t n) {
    (void)context;
    return (n + 16 * p->client) * 2654435761U >> 28 == 0;
}

/* In the child. */
static inline void plan_simulate(struct plan *plan) {
    char path[] = "/tmp/fedrecsim-test-XXXXXX.xml";
    size_t n_slots = 1;
    for (size_t i = 0; i < plan->n_rounds; i++)
        n_slots += plan->n[i];
    FILE *file = fdopen(mkstemps(path, 4), "w");
    if (!file ||
        frs_slots_write(file, n_slots, plan->server_down_bytes_per_s, plan->server_up_bytes_per_s) != 0 ||
        fclose(file) != 0)
        _exit(3);
    bool contended = plan->server_down_bytes_per_s < INFINITY || plan->server_up_bytes_per_s < INFINITY;
    struct frs_channel *channel = frs_channel_create(&(struct frs_channel_settings){
        .platform_file = path, .n_slots = n_slots, .lv08 = plan->lv08, .contended = contended});
    unlink(path);
    const struct frs_by_packets by_packets = {.start_s = plan->start_s,
        .queue_s = 0.2,
        .fair = plan->fair,
        .lost = plan->loses ? plan_is_lost : NULL};
    struct frs_event_queue *event_queue =
        frs_event_queue_create(&(struct frs_event_queue_settings){.stopped = frs_backend_stopped,
            .capacity = plan->capacity,
            .by_packets = plan->by_packets ? &by_packets : NULL,
            .context = plan,
            .server_down_bytes_per_s = plan->server_down_bytes_per_s,
            .server_up_bytes_per_s = plan->server_up_bytes_per_s});
    struct frs_server_operations operations = {.play = {.context = plan,
                                                   .received = plan_received,
                                                   .compute = plan_compute,
                                                   .computed = plan_computed,
                                                   .retried = plan_retried},
        .goes_on = plan_goes_on,
        .open = plan_open,
        .truncate = plan_truncate,
        .settled = plan_settled,
        .aggregate_s = plan_aggregate_s,
        .close = plan_close,
        .restarted = plan_restarted};
    plan->end_s = frs_server_run(&(struct frs_server_settings){.channel = channel,
        .policy = plan->policy,
        .policy_settings = plan->policy_settings,
        .restarts_s = plan->restarts_s,
        .n_restarts = plan->n_restarts,
        .restart_s = plan->restart_s,
        .detect_s = plan->detect_s,
        .backend = plan->backend,
        .event_queue = event_queue,
        .operations = &operations});
    plan->carried = plan->backend == &frs_backend_simgrid ? frs_channel_carried(channel)
                                                          : frs_event_queue_carried(event_queue);
    frs_event_queue_destroy(event_queue);
    frs_channel_destroy(channel);
}

static inline void plan_run(struct plan *plan) {
    struct frs_errors errors = {0};
    ck_assert_int_eq(frs_simgrid_load(&errors), FRS_OK);
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
    size_t n = 0;
    for (size_t i = 0; i < plan->n_rounds; i++)
        n += plan->n[i];
    ck_assert_uint_eq(plan->n_settled, plan->policy->asynchronous ? plan->next : n);
}

#endif
