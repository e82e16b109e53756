/* Random rounds: cohorts of every kind, drawn from a seed, for tests that play the same plan with several
 * backends and compare the outcome of every participation. */
#ifndef FRS_TESTS_ACTORS_RANDOM_ROUNDS_H
#define FRS_TESTS_ACTORS_RANDOM_ROUNDS_H

#include "sim/base/numbers/rng.h"
#include "tests/actors/fixture.h"

/* What a cohort is drawn from. */
struct kind {
    uint64_t seed;
    size_t n_min, n_max; /* participants */
    size_t n_rounds;
    bool tied;          /* few distinct values: much happens at the same instant */
    bool lossless;      /* no client vanishes */
    bool private;       /* the server's link is unlimited */
    bool varying;       /* the clients' links change over time */
    bool in_slow_start; /* most connect anew, and messages begin in slow start */
    bool packets;  /* messages go packet by packet, some of which are lost; the link is served in turns or not
                    */
    bool policies; /* rounds close by any policy; otherwise when all clients have ended */
    bool retries;  /* half of them connect anew when their connection breaks */
};

/* How the values of one cohort are spread. */
struct spread {
    struct frs_rng rng;
    bool tied;
    enum { SPREAD_UNIFORM, SPREAD_LOGNORMAL, SPREAD_WHOLE } capacities;
    double sigma;
    bool latency, compute, hazards, planned, leaving;
    double usual_s; /* what an undisturbed participation lasts, roughly */
};

static inline double between(struct frs_rng *rng, double low, double high) {
    return low + (high - low) * frs_rng_unit(rng);
}

static inline bool chance(struct frs_rng *rng, double probability) {
    return frs_rng_unit(rng) < probability;
}

static inline double draw_capacity(struct spread *spread) {
    static const double few[] = {1000, 2000, 4000};
    if (spread->tied)
        return few[frs_rng_below(&spread->rng, 3)];
    switch (spread->capacities) {
    case SPREAD_UNIFORM:
        return between(&spread->rng, 100, 10000);
    case SPREAD_LOGNORMAL:
        return 2000 * exp(spread->sigma * frs_rng_normal(&spread->rng));
    default:
        return floor(between(&spread->rng, 100, 10000));
    }
}

static inline uint64_t draw_bytes(struct spread *spread) {
    static const uint64_t few[] = {1000, 2000, 8000};
    if (spread->tied)
        return few[frs_rng_below(&spread->rng, 3)];
    return 1 + (uint64_t)(8000 * exp(1.5 * frs_rng_normal(&spread->rng)));
}

static inline double draw_duration(struct spread *spread, double scale_s) {
    if (spread->tied)
        return scale_s * frs_rng_below(&spread->rng, 3);
    return chance(&spread->rng, 0.1) ? 0 : -scale_s * log(1 - frs_rng_unit(&spread->rng));
}

static inline struct frs_loss draw_loss(struct spread *spread, bool transfers) {
    struct frs_loss loss = {.after_s = INFINITY};
    if (spread->planned && chance(&spread->rng, 0.1)) {
        loss.planned = true;
        loss.at_share = spread->tied ? 0.25 * frs_rng_below(&spread->rng, 4) : frs_rng_unit(&spread->rng);
        loss.cause = transfers && chance(&spread->rng, 0.5) ? FRS_CAUSE_CONNECTION : FRS_CAUSE_DEVICE;
    }
    if (spread->hazards && chance(&spread->rng, 0.15)) {
        loss.after_s = draw_duration(spread, spread->tied ? 1 : 0.3 * spread->usual_s);
        if (loss.after_s == 0)
            loss.after_s = 0.5;
        loss.after_cause = transfers ? FRS_CAUSE_CONNECTION : FRS_CAUSE_DEVICE;
    }
    return loss;
}

/* A third of the clients work on after their upload; drawn apart, so that it shifts nothing else. */
static inline void draw_post(const struct spread *spread, uint64_t seed, struct planned *planned) {
    struct frs_rng rng = frs_rng_stream(seed, planned->client, 1, 0, FRS_RNG_TEST);
    if (!chance(&rng, 1.0 / 3))
        return;
    planned->post_s = spread->tied ? 1 + frs_rng_below(&rng, 6) : between(&rng, 0, 2 * spread->usual_s);
    if (spread->hazards && chance(&rng, 0.3))
        planned->p.post.fails_after_s =
            spread->tied ? 1 + frs_rng_below(&rng, 6) : between(&rng, 0, 2 * spread->usual_s);
}

/* Latencies at which windows of 14,480 bytes are small. */
static inline void draw_connection(uint64_t seed, bool tied, struct planned *planned) {
    struct frs_rng rng = frs_rng_stream(seed, planned->client, 2, 0, FRS_RNG_TEST);
    planned->slow_start_kind = !chance(&rng, 0.8)  ? FRS_SLOW_START_NONE
                               : chance(&rng, 0.5) ? FRS_SLOW_START_QUICK
                                                   : FRS_SLOW_START_PAIRED;
    planned->latency_s *= 10;
    if (chance(&rng, 0.7))
        planned->handshake =
            tied ? (struct frs_handshake){.wait_s = planned->latency_s, .up_bytes = 1000, .down_bytes = 2000}
                 : (struct frs_handshake){.wait_s = 3 * planned->latency_s,
                       .up_bytes = 1 + frs_rng_below(&rng, 1000),
                       .down_bytes = 1 + frs_rng_below(&rng, 4000)};
}

/* Half of them try again, and most of their tries break again. They are drawn separately, so that nothing
 * else shifts. */
static inline void draw_retrying(uint64_t seed, struct spread *spread, struct planned *planned) {
    struct frs_rng rng = frs_rng_stream(seed, planned->client, 3, 0, FRS_RNG_TEST);
    if (!chance(&rng, 0.5))
        return;
    planned->retrying = (struct frs_retrying){.times = 1 + frs_rng_below(&rng, MAX_BREAKS / 2),
        .after_s = spread->tied ? frs_rng_below(&rng, 3) : between(&rng, 0, spread->usual_s),
        .backoff = 1 + frs_rng_below(&rng, 2),
        .resumes = chance(&rng, 0.5),
        .slow_start_kind = planned->slow_start_kind,
        .handshake = planned->handshake};
    for (size_t i = 0; i < MAX_BREAKS; i++) {
        struct frs_loss *loss = &planned->again[i];
        if (chance(&rng, 0.3))
            *loss = (struct frs_loss){.planned = true,
                .at_share = spread->tied ? 0.25 * frs_rng_below(&rng, 4) : frs_rng_unit(&rng),
                .cause = chance(&rng, 0.8) ? FRS_CAUSE_CONNECTION : FRS_CAUSE_DEVICE,
                .after_s = INFINITY};
        else if (chance(&rng, 0.3))
            *loss = (struct frs_loss){
                .after_s = spread->tied ? 1 + frs_rng_below(&rng, 3) : between(&rng, 1e-3, spread->usual_s),
                .after_cause = FRS_CAUSE_CONNECTION};
    }
}

static inline struct planned draw_participation(struct spread *spread, uint32_t client, bool first_round) {
    struct planned planned = {.client = client,
        .down_bytes_per_s = draw_capacity(spread),
        .up_bytes_per_s = draw_capacity(spread),
        .latency_s = spread->latency ? draw_duration(spread, 1) : 0,
        .down_bytes = draw_bytes(spread),
        .compute_s = spread->compute ? draw_duration(spread, 2) : 0,
        .up_bytes = draw_bytes(spread)};
    planned.p.plan.down_loss = draw_loss(spread, true);
    planned.p.plan.compute_loss = draw_loss(spread, false);
    planned.p.plan.up_loss = draw_loss(spread, true);
    /* A time: only of the first round is it known when it begins. */
    if (first_round && spread->leaving && chance(&spread->rng, 0.3))
        planned.p.plan.leaves_s =
            spread->tied ? 1 + frs_rng_below(&spread->rng, 6) : between(&spread->rng, 0, 2 * spread->usual_s);
    return planned;
}

/* Anything from hardly loaded to hopelessly overloaded. */
static inline double draw_server(struct spread *spread, const struct planned *planned, size_t n, bool up) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += up ? planned[i].up_bytes_per_s : planned[i].down_bytes_per_s;
    double capacity = sum * exp(between(&spread->rng, log(0.05), log(1.5)));
    return spread->tied                         ? 1000 * ceil(capacity / 1000)
           : spread->capacities == SPREAD_WHOLE ? ceil(capacity)
                                                : capacity;
}

/* Links that change every 3 s and now and then are down for a while, each client's in its own way. */
static double varying_capacity(
    void *context, const struct frs_participation *p, bool up, double now_s, double *until_s) {
    static const double factors[] = {1, 0.3, 0, 1.7, 0.05};
    (void)context;
    double period = floor(now_s / 3);
    *until_s = 3 * (period + 1);
    double factor = factors[(size_t)fmod(period + p->client, 5)];
    return factor * (up ? p->plan.up_bytes_per_s : p->plan.down_bytes_per_s);
}

extern const struct frs_policy frs_policy_deadline, frs_policy_over_select, frs_policy_quantile,
    frs_policy_quorum_then_wait, frs_policy_partial_work, frs_policy_buffered_async;

/* On a scale on which some arrive in time and some do not. */
static inline void draw_policy(struct spread *spread, struct plan *plan, size_t n, size_t n_rounds) {
    static const struct frs_policy *const policies[] = {&frs_policy_deadline, &frs_policy_over_select,
        &frs_policy_quantile, &frs_policy_quorum_then_wait, &frs_policy_partial_work,
        &frs_policy_buffered_async};
    struct frs_rng *rng = &spread->rng;
    struct frs_policy_settings *settings = &plan->policy_settings;
    plan->policy = policies[frs_rng_below(rng, 6)];
    settings->run_on = plan->policy->leaves_stragglers && chance(rng, 0.5);
    settings->accepts_late = settings->run_on && chance(rng, 0.5);
    settings->late_rounds = 1 + frs_rng_below(rng, 3);
    settings->n_selected = 1 + frs_rng_below(rng, (uint32_t)n);
    settings->n_needed = 1 + frs_rng_below(rng, settings->n_selected);
    settings->share = between(rng, 0.1, 1);
    settings->after_s = spread->tied ? 1 + frs_rng_below(rng, 8) : between(rng, 1, spread->usual_s);
    settings->grace_s = spread->tied ? frs_rng_below(rng, 8) : between(rng, 0, spread->usual_s);
    settings->then_s = spread->tied ? frs_rng_below(rng, 4) : between(rng, 0, spread->usual_s);
    settings->min_uploads = chance(rng, 0.3) ? 1 + frs_rng_below(rng, settings->n_selected) : 0;
    settings->quorum = chance(rng, 0.3) ? 1 + frs_rng_below(rng, settings->n_selected) : 0;
    settings->patience = 1 + frs_rng_below(rng, 20);
    plan->n_aggregations = 1 + frs_rng_below(rng, (uint32_t)n_rounds);
    if (plan->policy->asynchronous)
        settings->quorum = 0;
    plan->aggregate_s = chance(rng, 0.5) ? draw_duration(spread, 1) : 0;
    plan->encode_s = chance(rng, 0.3) ? draw_duration(spread, 1) : 0;
    plan->detect_s = chance(rng, 0.3) ? draw_duration(spread, 3) : 0;
    plan->restart_s = draw_duration(spread, 2);
    plan->n_restarts = frs_rng_below(rng, 4);
    for (size_t i = 0; i < plan->n_restarts; i++)
        plan->restarts_s[i] = (i ? plan->restarts_s[i - 1] : 0) +
                              (spread->tied ? 1 + frs_rng_below(rng, 9) : between(rng, 1, 20));
    if (chance(rng, 0.4)) {
        plan->asleep_from_s = spread->tied ? frs_rng_below(rng, 9) : between(rng, 0, 20);
        plan->asleep_until_s =
            plan->asleep_from_s + (spread->tied ? 1 + frs_rng_below(rng, 30) : between(rng, 1, 60));
    }
}

/* A client under way is not selected again: each takes part once. */
static inline struct plan *draw_plan(const struct kind *kind, int backend) {
    struct plan *plan = plan_create(kind->n_rounds, backend);
    struct spread spread = {.rng = frs_rng_stream(kind->seed, 0, 0, 0, FRS_RNG_TEST), .tied = kind->tied};
    struct frs_rng *rng = &spread.rng;
    spread.capacities = frs_rng_below(rng, 3);
    spread.sigma = between(rng, 0.2, 1.2);
    spread.latency = chance(rng, 0.6);
    spread.compute = chance(rng, 0.8);
    spread.hazards = !kind->lossless && chance(rng, 0.5);
    spread.planned = !kind->lossless && chance(rng, 0.5);
    spread.leaving = !kind->lossless && chance(rng, 0.7);
    size_t n = kind->n_min + frs_rng_below(rng, (uint32_t)(kind->n_max - kind->n_min + 1));
    bool down = !kind->private && chance(rng, 0.8), up = !kind->private && chance(rng, 0.8);
    spread.usual_s = 12;
    for (size_t round = 0; round < kind->n_rounds; round++)
        for (uint32_t i = 0, client = kind->policies ? (uint32_t)round * 4000 : 0; i < n;
             i++, client += 1 + frs_rng_below(rng, 3)) {
            struct planned planned = draw_participation(&spread, client, round == 0);
            draw_post(&spread, kind->seed, &planned);
            if (kind->in_slow_start)
                draw_connection(kind->seed, kind->tied, &planned);
            if (kind->retries)
                draw_retrying(kind->seed, &spread, &planned);
            plan_add(plan, round, planned);
            plan->rounds[round][i].n_epochs = 1 + i % 4;
        }
    if (down)
        plan->server_down_bytes_per_s = draw_server(&spread, plan->rounds[0], n, false);
    if (up)
        plan->server_up_bytes_per_s = draw_server(&spread, plan->rounds[0], n, true);
    plan->by_packets = kind->packets;
    plan->fair = kind->seed % 2;
    plan->loses = kind->seed % 3 == 0;
    if (kind->varying)
        plan->capacity = varying_capacity;
    if (kind->policies)
        draw_policy(&spread, plan, n, kind->n_rounds);
    return plan;
}

#endif
