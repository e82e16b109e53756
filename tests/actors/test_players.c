/* The calendar and the actors carry out the same timeline in two ways: what becomes of every participation
 * has to be the same to the last bit, whatever a cohort looks like. A failing case prints the seed that draws
 * it. */
#include "tests/actors/random_rounds.h"

#ifndef CASES
#define CASES(n) FRS_TEST_CASES((n) / 3)
#endif

enum { N_CASES = CASES(500), N_VARYING = CASES(150), N_TIED = CASES(150) };
enum { N_POLICIES = CASES(600), N_RETRIES = CASES(300), CALENDAR = 0, ACTORS = 1 };

/* Bits, so that a date that was never reached (NaN) is equal to itself. */
static void same_bits(
    const void *a, const void *b, size_t size, const char *what, uint64_t seed, uint32_t client) {
    ck_assert_msg(size == 0 || memcmp(a, b, size) == 0, "seed %llu, client %u: %s differs",
        (unsigned long long)seed, client, what);
}

#define SAME_FIELD(field) same_bits(&a->field, &b->field, sizeof a->field, #field, seed, a->client)

static void same_participation(
    const struct frs_participation *a, const struct frs_participation *b, uint64_t seed) {
    SAME_FIELD(client);
    SAME_FIELD(dates);
    SAME_FIELD(charge);
    SAME_FIELD(plan.compute_s);
    SAME_FIELD(result.outcome);
    SAME_FIELD(result.cause);
    SAME_FIELD(result.phase);
    SAME_FIELD(result.down_crossed_bytes);
    SAME_FIELD(result.up_crossed_bytes);
    SAME_FIELD(result.setup_down_bytes);
    SAME_FIELD(result.setup_up_bytes);
    SAME_FIELD(result.resent_down_bytes);
    SAME_FIELD(result.resent_up_bytes);
    SAME_FIELD(result.retries);
    SAME_FIELD(n_breaks);
    same_bits(a->breaks, b->breaks, a->n_breaks * sizeof *a->breaks, "breaks", seed, a->client);
    SAME_FIELD(result.computed_share);
    SAME_FIELD(post.end_s);
    SAME_FIELD(post.outcome);
    SAME_FIELD(post.cause);
    SAME_FIELD(post.share);
}

static void same_order(const uint32_t *a, const uint32_t *b, size_t n, uint64_t seed) {
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(a[i] == b[i],
            "seed %llu: place %zu in the order of events is client %u's or client %u's",
            (unsigned long long)seed, i, a[i], b[i]);
}

static void same_plans(const struct plan *a, const struct plan *b, uint64_t seed) {
    same_bits(&a->end_s, &b->end_s, sizeof a->end_s, "the end", seed, 0);
    same_bits(&a->away_s, &b->away_s, sizeof a->away_s, "how long the server was down", seed, 0);
    same_bits(&a->carried, &b->carried, sizeof a->carried, "what was carried", seed, 0);
    same_bits(a->opened_s, b->opened_s, sizeof a->opened_s, "the opening of a round", seed, 0);
    same_bits(a->closed_s, b->closed_s, sizeof a->closed_s, "the closing of a round", seed, 0);
    same_bits(&a->n_closed, &b->n_closed, sizeof a->n_closed, "the number of rounds", seed, 0);
    for (size_t i = 0; i < a->n_closed; i++) {
        same_bits(&a->lost[i], &b->lost[i], sizeof a->lost[i], "why a round is lost", seed, 0);
        same_bits(&a->n_arrivals[i], &b->n_arrivals[i], sizeof a->n_arrivals[i], "arrivals", seed, 0);
        same_order(a->arrivals[i], b->arrivals[i], a->n_arrivals[i], seed);
    }
    for (size_t round = 0; round < a->n_rounds; round++) {
        for (size_t i = 0; i < a->n[round]; i++)
            same_participation(&a->rounds[round][i].p, &b->rounds[round][i].p, seed);
        ck_assert_uint_eq(a->n_compute[round], b->n_compute[round]);
        ck_assert_uint_eq(a->n_computed[round], b->n_computed[round]);
        same_order(a->compute_order[round], b->compute_order[round], a->n_compute[round], seed);
        same_order(a->computed_order[round], b->computed_order[round], a->n_computed[round], seed);
    }
}

/* Whatever the player: bytes that crossed are what the network carried,
 * up to the bytes that were under way. */
static void check_carried(const struct plan *plan, uint64_t seed) {
    double down = 0, up = 0, lost = 1e-6;
    for (size_t round = 0; round < plan->n_rounds; round++)
        for (size_t i = 0; i < plan->n[round]; i++) {
            const struct frs_participation *p = &plan->rounds[round][i].p;
            down += (double)(p->result.down_crossed_bytes + p->result.setup_down_bytes +
                             p->result.resent_down_bytes);
            up += (double)(p->result.up_crossed_bytes + p->result.setup_up_bytes + p->result.resent_up_bytes);
            lost += (p->result.outcome != FRS_DELIVERED) + (double)p->n_breaks;
        }
    ck_assert_msg(fabs(down - plan->carried.down_bytes) <= lost && fabs(up - plan->carried.up_bytes) <= lost,
        "seed %llu: %.17g and %.17g bytes crossed, %.17g and %.17g were carried", (unsigned long long)seed,
        down, up, plan->carried.down_bytes, plan->carried.up_bytes);
}

static void count_outcomes(const struct plan *plan, size_t *counts) {
    for (size_t round = 0; round < plan->n_rounds; round++)
        for (size_t i = 0; i < plan->n[round]; i++)
            counts[plan->rounds[round][i].p.result.outcome]++;
}

static void compare(const struct kind *kind, size_t *counts) {
    struct plan *calendar = draw_plan(kind, CALENDAR), *actors = draw_plan(kind, ACTORS);
    plan_run(calendar);
    plan_run(actors);
    same_plans(calendar, actors, kind->seed);
    check_carried(calendar, kind->seed);
    count_outcomes(calendar, counts);
    plan_destroy(calendar);
    plan_destroy(actors);
}

/* Tests that lose nobody anywhere would be worth little. */
static void check_counts(const size_t *counts) {
    static const enum frs_outcome possible[] = {
        FRS_DELIVERED, FRS_DROPPED_DOWN, FRS_DROPPED_COMPUTE, FRS_DROPPED_UP};
    for (size_t i = 0; i < sizeof possible / sizeof *possible; i++)
        ck_assert_msg(counts[possible[i]] > 0, "nobody is %s", frs_outcome_names[possible[i]]);
}

START_TEST(test_continuous) {
    size_t counts[FRS_N_OUTCOMES] = {0};
    for (uint64_t i = 0; i < N_CASES; i++)
        compare(
            &(struct kind){.seed = 1000 + i, .n_min = 1, .n_max = i % 10 ? 40 : 300, .n_rounds = 1 + i % 3},
            counts);
    check_counts(counts);
}
END_TEST

/* Links that change while a message is under way, or are down. */
START_TEST(test_varying_links) {
    size_t counts[FRS_N_OUTCOMES] = {0};
    for (uint64_t i = 0; i < N_VARYING; i++)
        compare(&(struct kind){.seed = 3000 + i,
                    .n_min = 1,
                    .n_max = 40,
                    .n_rounds = 1 + i % 3,
                    .tied = i % 3 == 0,
                    .varying = true},
            counts);
    check_counts(counts);
}
END_TEST

/* Few distinct values everywhere: starts, ends and deaths fall on the same instants. */
START_TEST(test_mass_ties) {
    size_t counts[FRS_N_OUTCOMES] = {0};
    for (uint64_t i = 0; i < N_TIED; i++)
        compare(&(struct kind){.seed = 5000 + i,
                    .n_min = 1,
                    .n_max = i % 10 ? 60 : 500,
                    .n_rounds = 1 + i % 3,
                    .tied = true},
            counts);
    check_counts(counts);
}
END_TEST

/* Every policy, stragglers that are cut or run on, restarts; a third of the cases full of ties. */
START_TEST(test_policies) {
    size_t counts[FRS_N_OUTCOMES] = {0};
    for (uint64_t i = 0; i < N_POLICIES; i++)
        compare(&(struct kind){.seed = 8000 + i,
                    .n_min = 1,
                    .n_max = i % 10 ? 30 : 200,
                    .n_rounds = 1 + i % 5,
                    .tied = i % 3 == 0,
                    .varying = i % 7 == 0,
                    .policies = true},
            counts);
    check_counts(counts);
    ck_assert_uint_gt(counts[FRS_CUT], 0);
    ck_assert_uint_gt(counts[FRS_LATE], 0);
}
END_TEST

/* Connections, windows and what is left of round trips, under every policy, on links that change or do not. */
START_TEST(test_ramps) {
    size_t counts[FRS_N_OUTCOMES] = {0};
    for (uint64_t i = 0; i < N_POLICIES; i++)
        compare(&(struct kind){.seed = 11000 + i,
                    .n_min = 1,
                    .n_max = i % 10 ? 30 : 200,
                    .n_rounds = 1 + i % 3,
                    .tied = i % 3 == 0,
                    .varying = i % 5 == 0,
                    .policies = i % 2 == 0,
                    .ramps = true},
            counts);
    check_counts(counts);
    ck_assert_uint_gt(counts[FRS_CUT], 0);
}
END_TEST

/* Connections that break and are opened anew, under every policy, on links that change or do not. */
START_TEST(test_retries) {
    size_t counts[FRS_N_OUTCOMES] = {0};
    for (uint64_t i = 0; i < N_RETRIES; i++)
        compare(&(struct kind){.seed = 14000 + i,
                    .n_min = 1,
                    .n_max = i % 10 ? 30 : 200,
                    .n_rounds = 1 + i % 3,
                    .tied = i % 3 == 0,
                    .varying = i % 5 == 0,
                    .policies = i % 2 == 0,
                    .ramps = i % 4 < 2,
                    .packets = i % 4 == 1,
                    .retries = true},
            counts);
    check_counts(counts);
    ck_assert_uint_gt(counts[FRS_CUT], 0);
}
END_TEST

/* Packets, whose dates nobody waits for but those of the last ones. */
START_TEST(test_packets) {
    size_t counts[FRS_N_OUTCOMES] = {0};
    for (uint64_t i = 0; i < N_POLICIES; i++)
        compare(&(struct kind){.seed = 14000 + i,
                    .n_min = 1,
                    .n_max = i % 10 ? 30 : 200,
                    .n_rounds = 1 + i % 3,
                    .tied = i % 3 == 0,
                    .varying = i % 5 == 0,
                    .policies = i % 2 == 0,
                    .ramps = true,
                    .packets = true},
            counts);
    check_counts(counts);
    ck_assert_uint_gt(counts[FRS_CUT], 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("calendar and actors");
    TCase *tests = tcase_create("random rounds");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, test_continuous);
    tcase_add_test(tests, test_varying_links);
    tcase_add_test(tests, test_mass_ties);
    tcase_add_test(tests, test_policies);
    tcase_add_test(tests, test_ramps);
    tcase_add_test(tests, test_retries);
    tcase_add_test(tests, test_packets);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
