/* Golden timelines: rounds whose every time is worked out by hand in the comments. */
#include "tests/actors/fixture.h"

#define SLACK_S 1e-9

#define IS(time, hand) ck_assert_double_eq_tol(time, hand, SLACK_S)

/* selected, first byte down, last byte down, computed, first byte up, last byte up. */
static void check_times(const struct planned *planned, const double hand[6]) {
    const struct frs_participation *p = &planned->p;
    const double times[6] = {p->times.selected_s, p->times.down_start_s, p->times.down_end_s,
        p->times.compute_end_s, p->times.up_start_s, p->times.up_end_s};
    for (size_t i = 0; i < 6; i++)
        ck_assert_msg(fabs(times[i] - hand[i]) <= SLACK_S, "client %u, time %zu: %.12g instead of %.12g",
            p->client, i, times[i], hand[i]);
    ck_assert_int_eq(p->result.outcome, FRS_DELIVERED);
    ck_assert_uint_eq(p->result.down_crossed_bytes, planned->down_bytes);
    ck_assert_uint_eq(p->result.up_crossed_bytes, planned->up_bytes);
}

static void check_order(const uint32_t *order, size_t n, const uint32_t *hand) {
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(order[i] == hand[i], "place %zu: client %u instead of %u", i, order[i], hand[i]);
}

/* Client, down and up in bytes/s, latency in s, bytes down, seconds of computing, bytes up. */
static const struct planned slow_computer = PLANNED(0, 1000, 500, 0.1, 2000, 3, 1000);
static const struct planned no_latency = PLANNED(1, 4000, 250, 0, 1000, 0, 500);
static const struct planned far_away = PLANNED(2, 100, 10000, 1.5, 300, 0.5, 5000);

START_TEST(three_clients_end_when_they_should) {
    struct plan *plan = plan_create(3, _i);
    /* Round 1 at 0.
     *   client 0: 0.1 latency, 2000/1000 = 2 → 2.1; computes 3 → 5.1; 0.1 → 5.2; 1000/500 = 2 → 7.2
     *   client 1: 0; 1000/4000 = 0.25; computes 0 → 0.25; 500/250 = 2 → 2.25
     *   client 2: 1.5; 300/100 = 3 → 4.5; 0.5 → 5; 1.5 → 6.5; 5000/10000 = 0.5 → 7
     * The slowest, client 0, closes the round at 7.2. */
    plan_add(plan, 0, slow_computer);
    plan_add(plan, 0, no_latency);
    plan_add(plan, 0, far_away);
    /* Round 2 at 7.2, clients 1 and 2: client 1 borrows the slot client 0 had, client 2 that of client 1.
     *   client 1: 7.2; 7.45; 7.45; 9.45
     *   client 2: 8.7; 11.7; 12.2; 13.7; 14.2 */
    plan_add(plan, 1, no_latency);
    plan_add(plan, 1, far_away);
    /* Round 3 at 14.2, client 0 alone: 14.3; 16.3; 19.3; 19.4; 21.4. */
    plan_add(plan, 2, slow_computer);
    plan_run(plan);
    check_times(&plan->rounds[0][0], (const double[]){0, 0.1, 2.1, 5.1, 5.2, 7.2});
    check_times(&plan->rounds[0][1], (const double[]){0, 0, 0.25, 0.25, 0.25, 2.25});
    check_times(&plan->rounds[0][2], (const double[]){0, 1.5, 4.5, 5, 6.5, 7});
    check_times(&plan->rounds[1][0], (const double[]){7.2, 7.2, 7.45, 7.45, 7.45, 9.45});
    check_times(&plan->rounds[1][1], (const double[]){7.2, 8.7, 11.7, 12.2, 13.7, 14.2});
    check_times(&plan->rounds[2][0], (const double[]){14.2, 14.3, 16.3, 19.3, 19.4, 21.4});
    const double closed_s[] = {7.2, 14.2, 21.4};
    for (size_t i = 0; i < 3; i++) {
        IS(plan->opened_s[i], i ? closed_s[i - 1] : 0);
        IS(plan->closed_s[i], closed_s[i]);
        ck_assert_uint_eq(plan->n_compute[i], plan->n[i]);
        ck_assert_uint_eq(plan->n_computed[i], plan->n[i]);
    }
    IS(plan->end_s, 21.4);
    /* Downloads end at 0.25 (1), 2.1 (0), 4.5 (2); computing at 0.25 (1), 5 (2), 5.1 (0). */
    check_order(plan->compute_order[0], 3, (const uint32_t[]){1, 0, 2});
    check_order(plan->computed_order[0], 3, (const uint32_t[]){1, 2, 0});
    /* 2000 + 1000 + 300 + 1000 + 300 + 2000 down, 1000 + 500 + 5000 + 500 + 5000 + 1000 up. */
    ck_assert_double_eq_tol(plan->carried.down_bytes, 6600, 1e-5);
    ck_assert_double_eq_tol(plan->carried.up_bytes, 13000, 1e-5);
    plan_destroy(plan);
}
END_TEST

/* Equal clients: everything happens at the same instants, 1 + 1 + 2 + 1 + 1 = 6, and every client is served
 * once. */
START_TEST(equal_clients_end_at_once) {
    struct plan *plan = plan_create(1, _i);
    size_t served[100] = {0};
    for (uint32_t client = 0; client < 100; client++)
        plan_add(plan, 0, (struct planned)PLANNED(client, 1000, 1000, 1, 1000, 2, 1000));
    plan_run(plan);
    ck_assert_uint_eq(plan->n_compute[0], 100);
    ck_assert_uint_eq(plan->n_computed[0], 100);
    for (uint32_t client = 0; client < 100; client++) {
        check_times(&plan->rounds[0][client], (const double[]){0, 1, 2, 4, 5, 6});
        served[plan->compute_order[0][client]]++;
        served[plan->computed_order[0][client]]++;
    }
    for (size_t client = 0; client < 100; client++)
        ck_assert_uint_eq(served[client], 2);
    IS(plan->end_s, 6);
    plan_destroy(plan);
}
END_TEST

/* A server that takes one upload after the other would need 1000 × 62.5 s. */
START_TEST(test_thousand_uploads_are_concurrent) {
    struct plan *plan = plan_create(1, _i);
    for (uint32_t client = 0; client < 1000; client++)
        plan_add(plan, 0, (struct planned)PLANNED(client, 1e9, 16000, 0, 1000, 0, 1000000));
    plan_run(plan);
    /* 1000/1e9 = 1e-6 down, 1000000/16000 = 62.5 up. */
    IS(plan->closed_s[0], 62.500001);
    plan_destroy(plan);
}
END_TEST

/* Capacities up and down are independent even while both are in use on one server. */
START_TEST(test_downloads_do_not_slow_uploads) {
    struct plan *plan = plan_create(1, _i);
    plan_add(plan, 0, (struct planned)PLANNED(0, 1000, 100, 0, 1000, 0, 900)); /* 1; 10: uploads 1 to 10 */
    plan_add(plan, 0, (struct planned)PLANNED(1, 100, 1000, 0, 900, 0, 1000)); /* downloads 0 to 9; 10 */
    plan_run(plan);
    check_times(&plan->rounds[0][0], (const double[]){0, 0, 1, 1, 1, 10});
    check_times(&plan->rounds[0][1], (const double[]){0, 0, 9, 9, 9, 10});
    plan_destroy(plan);
}
END_TEST

/* Long runs: a short message after months of simulated time is as exact as the clock
 * allows (2^-30 s at 1e7). */
START_TEST(rounding_late_in_a_run_is_small) {
    struct plan *plan = plan_create(3, _i);
    plan_add(plan, 0, (struct planned)PLANNED(0, 1000, 1000, 0, 1000, 1e7, 1000));
    for (size_t round = 1; round < 3; round++)
        plan_add(plan, round, (struct planned)PLANNED(0, 1e6, 1e6, 0.001, 1000, 0.001, 1000));
    plan_run(plan);
    ck_assert_double_eq_tol(plan->closed_s[0], 10000002, 1e-8);
    ck_assert_double_eq_tol(plan->closed_s[1], 10000002.005, 1e-8);
    ck_assert_double_eq_tol(plan->closed_s[2], 10000002.010, 1e-8);
    plan_destroy(plan);
}
END_TEST

/* Links at 1 TB/s late in a run carry messages in less time than the clock can resolve; the network's own
 * count stays within the slack that it states. */
START_TEST(test_fast_links_late) {
    struct plan *plan = plan_create(8, _i);
    for (size_t round = 0; round < 8; round++)
        for (uint32_t client = 0; client < 20; client++)
            plan_add(
                plan, round, (struct planned)PLANNED(client, 1e12, 1e12, 0, 700 + client, 3e5 + client, 300));
    plan_run(plan);
    /* 8 rounds of 20 clients: 700 … 719 down, 300 up. */
    ck_assert_double_eq_tol(plan->carried.down_bytes, 113520, plan->carried.down_slack_bytes + 1e-6);
    ck_assert_double_eq_tol(plan->carried.up_bytes, 48000, plan->carried.up_slack_bytes + 1e-6);
    ck_assert_double_eq_tol(plan->end_s, 8 * (3e5 + 19), 1e-6);
    plan_destroy(plan);
}
END_TEST

/* A client that goes offline is lost at that time, with the bytes that had crossed. A client that leaves
 * at the moment when its upload ends has delivered. */
START_TEST(test_clients_that_leave) {
    struct plan *plan = plan_create(1, _i);
    struct planned leaver = PLANNED(0, 1000, 500, 0.1, 2000, 3, 1000); /* 0.1; 2.1; 5.1; 5.2; 7.2 */
    const double leaves_s[] = {0.05, 1.35, 2.6, 5.15, 6.2};
    for (uint32_t client = 0; client < 5; client++) {
        leaver.client = client;
        leaver.p.plan.leaves_s = leaves_s[client];
        plan_add(plan, 0, leaver);
    }
    leaver.client = 5;
    leaver.p.plan.leaves_s = 0.1 + 2 + 3 + 0.1 + 2;
    plan_add(plan, 0, leaver);
    plan_run(plan);
    const enum frs_outcome outcomes[] = {FRS_DROPPED_DOWN, FRS_DROPPED_DOWN, FRS_DROPPED_COMPUTE,
        FRS_DROPPED_UP, FRS_DROPPED_UP, FRS_DELIVERED};
    const uint64_t down[] = {0, 1250, 2000, 2000, 2000, 2000}, up[] = {0, 0, 0, 0, 500, 1000};
    for (size_t i = 0; i < 6; i++) {
        const struct frs_participation *p = &plan->rounds[0][i].p;
        ck_assert_int_eq(p->result.outcome, outcomes[i]);
        ck_assert_int_eq(p->result.cause, i < 5 ? FRS_CAUSE_OFFLINE : FRS_CAUSE_NONE);
        ck_assert_uint_eq(p->result.down_crossed_bytes, down[i]);
        ck_assert_uint_eq(p->result.up_crossed_bytes, up[i]);
        IS(p->times.ended_s, i < 5 ? leaves_s[i] : 7.2);
    }
    /* 1250 + 4 × 2000 down and 500 + 1000 up, but for part of a byte of the two messages that broke off. */
    ck_assert_double_eq_tol(plan->carried.down_bytes, 9250, plan->carried.down_slack_bytes + 1e-6);
    ck_assert_double_eq_tol(plan->carried.up_bytes, 1500, plan->carried.up_slack_bytes + 1e-6);
    ck_assert_double_lt(plan->carried.down_slack_bytes + plan->carried.up_slack_bytes, 2.01);
    ck_assert_double_eq_tol(plan->rounds[0][2].p.result.computed_share, 0.5 / 3, 1e-9);
    IS(plan->closed_s[0], 7.2);
    plan_destroy(plan);
}
END_TEST

/* Shares of messages, and times, that correspond to whole numbers of bytes but miss them by rounding: 0.29
 * · 100 is 28.999999999999996, and late in a run the difference of two times is exact only to 1e-10 s.
 * Half a byte does not count. */
START_TEST(whole_bytes_survive_rounding) {
    struct plan *plan = plan_create(2, _i);
    const struct frs_loss share = {.planned = true, .at_share = 0.29, .after_s = INFINITY};
    struct planned lost = PLANNED(0, 1000, 500, 0.1, 100, 3, 1000);
    lost.p.plan.down_loss = share;
    plan_add(plan, 0, lost);
    lost = (struct planned)PLANNED(1, 10, 500, 0.1, 100, 3, 1000); /* goes before its 29 bytes are through */
    lost.p.plan.down_loss = share;
    lost.p.plan.leaves_s = 0.1 + 0.9;
    plan_add(plan, 0, lost);
    struct planned leaver = PLANNED(2, 400000, 500, 0.3, 1000000, 3, 1000);
    leaver.p.plan.leaves_s = 0.3 + 399985. / 400000;
    plan_add(plan, 0, leaver);
    leaver.client = 3;
    leaver.p.plan.leaves_s = 0.3 + 100000.5 / 400000;
    plan_add(plan, 0, leaver);
    plan_add(plan, 0, (struct planned)PLANNED(4, 1000, 500, 0.1, 100, 1e6, 1000)); /* until 1000002.3 */
    leaver.client = 5;
    leaver.p.plan.leaves_s = 1000002.3 + 0.3 + 599985. / 400000;
    plan_add(plan, 1, leaver);
    plan_run(plan);
    IS(plan->opened_s[1], 1000002.3);
    const uint64_t down[] = {29, 9, 399985, 100000};
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(plan->rounds[0][i].p.result.down_crossed_bytes, down[i]);
    ck_assert_uint_eq(plan->rounds[1][0].p.result.down_crossed_bytes, 599985);
    plan_destroy(plan);
}
END_TEST

/* The server's link of 3000 bytes/s up is shared: capacities 1000 and 4000 get 1000 and 2000, then the slow
 * one alone. Both start at 0 (downloads of 1 byte at 1e9 bytes/s, to be exact at 1e-9 s). */
START_TEST(test_server_link_is_shared) {
    struct plan *plan = plan_create(1, _i);
    plan->server_up_bytes_per_s = 3000;
    plan_add(plan, 0, (struct planned)PLANNED(0, 1e9, 1000, 0, 1, 0, 10000));
    plan_add(plan, 0, (struct planned)PLANNED(1, 1e9, 4000, 0, 1, 0, 10000));
    plan_run(plan);
    ck_assert_double_eq_tol(plan->rounds[0][1].p.times.up_end_s, 5, 1e-8);
    ck_assert_double_eq_tol(plan->rounds[0][0].p.times.up_end_s, 10, 1e-8);
    ck_assert_double_eq_tol(plan->carried.up_bytes, 20000, 1e-4);
    plan_destroy(plan);
}
END_TEST

/* SimGrid's TCP model: 13.01 latencies and 97 % of the capacity per message. */
START_TEST(lv08_takes_its_latencies_and_its_rate) {
    struct plan *plan = plan_create(2, _i);
    plan->lv08 = true;
    /* down 0.1301 + 2000/970, compute 3, up 0.1301 + 1000/485. */
    for (size_t round = 0; round < 2; round++) {
        plan_add(plan, round, (struct planned)PLANNED(0, 1000, 500, 0.01, 2000, 3, 1000));
        /* down 0.6505 + 30000/9700, compute 0, up 0.6505 + 5000/4850. */
        plan_add(plan, round, (struct planned)PLANNED(1, 10000, 5000, 0.05, 30000, 0, 5000));
    }
    plan_run(plan);
    double a_down = 0.1301 + 2000 / 970.0, a_end = a_down + 3 + 0.1301 + 1000 / 485.0;
    double b_down = 0.6505 + 30000 / 9700.0, b_end = b_down + 0.6505 + 5000 / 4850.0;
    for (size_t round = 0; round < 2; round++) {
        double t = (double)round * a_end;
        check_times(&plan->rounds[round][0],
            (const double[]){t, t, t + a_down, t + a_down + 3, t + a_down + 3, t + a_end});
        check_times(
            &plan->rounds[round][1], (const double[]){t, t, t + b_down, t + b_down, t + b_down, t + b_end});
    }
    ck_assert_double_eq_tol(plan->carried.down_bytes, 64000, 1e-5);
    ck_assert_double_eq_tol(plan->carried.up_bytes, 12000, 1e-5);
    plan_destroy(plan);
}
END_TEST

/* The bytes that had crossed of a message that broke off under SimGrid's TCP model: none during the
 * latency, then 970 bytes/s. */
START_TEST(broken_lv08_messages_are_charged_by_time) {
    struct plan *plan = plan_create(1, _i);
    plan->lv08 = true;
    struct planned leaver = PLANNED(0, 1000, 500, 0.1, 2000, 3, 1000); /* 1.301; 3.363; 6.363; 7.664 */
    const double leaves_s[] = {1.2, 2.301, 7.5, 8.664};
    for (uint32_t client = 0; client < 4; client++) {
        leaver.client = client;
        leaver.p.plan.leaves_s = leaves_s[client];
        plan_add(plan, 0, leaver);
    }
    plan_run(plan);
    const double down[] = {0, 970, 2000, 2000};
    double up_start_s = 1.301 + 2000 / 970.0 + 3 + 1.301;
    const double up[] = {0, 0, 0, 485 * (8.664 - up_start_s)};
    for (size_t i = 0; i < 4; i++) {
        const struct frs_participation *p = &plan->rounds[0][i].p;
        ck_assert_double_eq_tol((double)p->result.down_crossed_bytes, down[i], 1.001);
        ck_assert_double_eq_tol((double)p->result.up_crossed_bytes, up[i], 1.001);
    }
    plan_destroy(plan);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("event_queue");
    TCase *tests = tcase_create("times worked out by hand");
    tcase_add_loop_test(tests, test_clients_that_leave, 0, N_BACKENDS);
    tcase_add_loop_test(tests, whole_bytes_survive_rounding, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_server_link_is_shared, 0, N_BACKENDS);
    tcase_add_loop_test(tests, three_clients_end_when_they_should, 0, N_BACKENDS);
    tcase_add_loop_test(tests, equal_clients_end_at_once, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_thousand_uploads_are_concurrent, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_downloads_do_not_slow_uploads, 0, N_BACKENDS);
    tcase_add_loop_test(tests, rounding_late_in_a_run_is_small, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_fast_links_late, 0, N_BACKENDS);
    tcase_add_loop_test(tests, lv08_takes_its_latencies_and_its_rate, 2, N_BACKENDS);
    tcase_add_loop_test(tests, broken_lv08_messages_are_charged_by_time, 2, N_BACKENDS);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
