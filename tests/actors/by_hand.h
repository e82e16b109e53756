/* Timelines worked out by hand: plans and their expected results.
 *
 * Unless said otherwise, a client downloads 1000 bytes in 1 s, computes, and uploads 1000 bytes in 1 s. So
 * a client that computes for c seconds and starts at t arrives at t + 2 + c. */
#ifndef FRS_TESTS_ACTORS_BY_HAND_H
#define FRS_TESTS_ACTORS_BY_HAND_H

#include "actors/phase_times.h"
#include "tests/actors/fixture.h"

extern const struct frs_policy frs_policy_deadline, frs_policy_over_select, frs_policy_quantile,
    frs_policy_quorum_then_wait, frs_policy_partial_work, frs_policy_buffered_async;

#define SLACK_S 1e-8 /* SimGrid's clock passes an instant to see whether something happens in it */

#define IS(time, hand) ck_assert_double_eq_tol(time, hand, SLACK_S)

static inline void add(struct plan *plan, size_t round, uint32_t client, double compute_s) {
    plan_add(plan, round, (struct planned)PLANNED(client, 1000, 1000, 0, 1000, compute_s, 1000));
}

static inline struct planned *last_added(struct plan *plan, size_t round) {
    return &plan->rounds[round][plan->n[round] - 1];
}

static inline struct plan *plan_with(const struct frs_policy *policy, size_t n_rounds, int backend) {
    struct plan *plan = plan_create(n_rounds, backend);
    plan->policy = policy;
    return plan;
}

/* Clients 0, 1, … of a round, by how long they compute. */
static inline void add_each(struct plan *plan, size_t round, size_t n, const double *compute_s) {
    for (uint32_t client = 0; client < n; client++)
        add(plan, round, client, compute_s[client]);
}

#define ADD_EACH(round, ...)                                                                                 \
    add_each(                                                                                                \
        plan, round, sizeof((const double[]){__VA_ARGS__}) / sizeof(double), (const double[]){__VA_ARGS__})

/* Rounds with a deadline, and what becomes of those who miss it. */
enum stragglers { CUT, RUN_ON, ACCEPTED_LATE };

static inline struct plan *plan_deadline(
    size_t n_rounds, int backend, double after_s, enum stragglers stragglers) {
    struct plan *plan = plan_with(&frs_policy_deadline, n_rounds, backend);
    plan->policy_settings.after_s = after_s;
    plan->policy_settings.run_on = stragglers != CUT;
    plan->policy_settings.accepts_late = stragglers == ACCEPTED_LATE;
    plan->policy_settings.late_rounds = 1;
    return plan;
}

static inline void restart_at(struct plan *plan, double time_s) {
    plan->restarts_s[plan->n_restarts++] = time_s;
}

static inline void check_closing(
    const struct plan *plan, size_t i, double closed_s, enum frs_cause lost, size_t n, const uint32_t *hand) {
    IS(plan->closed_s[i], closed_s);
    ck_assert_int_eq(plan->lost[i], lost);
    ck_assert_uint_eq(plan->n_arrivals[i], n);
    for (size_t j = 0; j < n; j++)
        ck_assert_uint_eq(plan->arrivals[i][j], hand[j]);
}

#define CLOSED(i, closed_s, ...)                                                                             \
    check_closing(plan, i, closed_s, FRS_CAUSE_NONE,                                                         \
        sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})
#define LOST(i, closed_s, cause) check_closing(plan, i, closed_s, cause, 0, NULL)

static inline void ended(const struct plan *plan, size_t round, size_t i, enum frs_outcome outcome,
    enum frs_cause cause, double ended_s) {
    const struct frs_participation *p = &plan->rounds[round][i].p;
    ck_assert_msg(p->result.outcome == outcome && p->result.cause == cause, "round %zu, client %u: %s for %s",
        round, p->client, frs_outcome_names[p->result.outcome], frs_cause_names[p->result.cause]);
    IS(p->times.ended_s, ended_s);
}

#define ENDED(round, i, outcome, cause, ended_s)                                                             \
    ended(plan, round, i, FRS_##outcome, FRS_CAUSE_##cause, ended_s)

static inline struct plan *plan_async(size_t n_aggregations, int backend) {
    struct plan *plan = plan_with(&frs_policy_buffered_async, 1, backend);
    plan->n_aggregations = n_aggregations;
    plan->policy_settings.n_selected = plan->policy_settings.n_needed = 2;
    plan->policy_settings.patience = 100;
    return plan;
}

#endif
