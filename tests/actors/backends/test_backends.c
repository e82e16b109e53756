/* The calendar and the actors carry out the same event queue in two ways, so the outcome of every
 * participation has to be the same to the last bit, for any cohort. A failing case prints the seed that
 * draws it. */
#include "tests/actors/random_rounds.h"

#ifndef CASES
#define CASES(n) FRS_TEST_CASES((n) / 5)
#endif

enum { CALENDAR = 0, ACTORS = 1 };

/* What is drawn; `every`: one case in so many has it, 0 none; `of_4`: so many of four cases. */
static const struct {
    const char *name;
    uint64_t seed;
    size_t n, n_max, n_most; /* participants; at most, and in every tenth case */
    uint64_t rounds;         /* at most */
    uint64_t every_tied, every_varying, every_policies, slow_start_of_4, packets_of_4;
    bool retries, cuts, is_late;
} draws[] = {
    {"continuous", 1000, CASES(500), 40, 300, 3, .every_tied = 0},
    /* Links that change while a message is under way, or are down. */
    {"varying links", 3000, CASES(150), 40, 40, 3, .every_tied = 3, .every_varying = 1},
    /* Few distinct values everywhere: starts, ends and deaths fall on the same instants. */
    {"mass ties", 5000, CASES(150), 60, 500, 3, .every_tied = 1},
    /* Every policy, stragglers that are cut or run on, restarts. */
    {"policies", 8000, CASES(600), 30, 200, 5, 3, 7, 1, .cuts = true, .is_late = true},
    /* Connections, windows and what is left of round trips, under every policy. */
    {"slow start", 11000, CASES(600), 30, 200, 3, 3, 5, 2, 4, .cuts = true},
    /* Connections that break and are opened anew. */
    {"retries", 14000, CASES(300), 30, 200, 3, 3, 5, 2, 2, 1, .retries = true, .cuts = true},
    /* Packets, of which only the time of the last one matters to any participation. */
    {"packets", 14000, CASES(600), 30, 200, 3, 3, 5, 2, 4, 4, .cuts = true},
};
enum { N_DRAWS = sizeof draws / sizeof *draws };

/* Bits, so that a time that was never reached (NaN) is equal to itself. */
static void same_bits(
    const void *a, const void *b, size_t size, const char *what, uint64_t seed, uint32_t client) {
    ck_assert_msg(size == 0 || memcmp(a, b, size) == 0, "seed %llu, client %u: %s differs",
        (unsigned long long)seed, client, what);
}

#define SAME_FIELD(field) same_bits(&a->field, &b->field, sizeof a->field, #field, seed, a->client)

static void same_participation(
    const struct frs_participation *a, const struct frs_participation *b, uint64_t seed) {
    SAME_FIELD(client);
    SAME_FIELD(times);
    SAME_FIELD(usage);
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

/* Whatever the backend: bytes that crossed are what the network carried,
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

/* The drawn plans have to lose clients everywhere, or the comparison would be worth little. */
static void check_counts(const size_t *counts) {
    static const enum frs_outcome possible[] = {
        FRS_DELIVERED, FRS_DROPPED_DOWN, FRS_DROPPED_COMPUTE, FRS_DROPPED_UP};
    for (size_t i = 0; i < sizeof possible / sizeof *possible; i++)
        ck_assert_msg(counts[possible[i]] > 0, "nobody is %s", frs_outcome_names[possible[i]]);
}

static bool one_in(uint64_t i, uint64_t every) {
    return every && i % every == 0;
}

START_TEST(calendar_and_actors_agree) {
    size_t counts[FRS_N_OUTCOMES] = {0};
    for (uint64_t i = 0; i < draws[_i].n; i++)
        compare(&(struct kind){.seed = draws[_i].seed + i,
                    .n_min = 1,
                    .n_max = one_in(i, 10) ? draws[_i].n_most : draws[_i].n_max,
                    .n_rounds = 1 + i % draws[_i].rounds,
                    .tied = one_in(i, draws[_i].every_tied),
                    .varying = one_in(i, draws[_i].every_varying),
                    .policies = one_in(i, draws[_i].every_policies),
                    .in_slow_start = i % 4 < draws[_i].slow_start_of_4,
                    .packets = i % 4 < draws[_i].packets_of_4,
                    .retries = draws[_i].retries},
            counts);
    check_counts(counts);
    ck_assert_msg(!draws[_i].cuts || counts[FRS_CUT] > 0, "%s: nobody is cut", draws[_i].name);
    ck_assert_msg(!draws[_i].is_late || counts[FRS_LATE] > 0, "%s: nobody is late", draws[_i].name);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("calendar and actors");
    TCase *tests = tcase_create("random rounds");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, calendar_and_actors_agree, 0, N_DRAWS);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
