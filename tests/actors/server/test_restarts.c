/* Restarts of the server, at every kind of moment: what is lost, and how long nothing happens. Every time
 * is worked out in the comments. */
#include "tests/actors/by_hand.h"

/* A plan of clients 0, 1, 2 in each of n openings that compute for 1 s; the server is away for a minute. */
static struct plan *plan_restarts(const struct frs_policy *policy, size_t n, int backend) {
    struct plan *plan = plan_with(policy, policy->asynchronous ? 1 : n, backend);
    plan->n_aggregations = n; /* lost ones count */
    plan->policy_settings.n_selected = plan->policy_settings.n_needed = 3;
    plan->policy_settings.patience = 100;
    plan->restart_s = 60;
    for (uint32_t i = 0; i < 3 * n; i++)
        add(plan, policy->asynchronous ? 0 : i / 3, policy->asynchronous ? i : i % 3, 1);
    return plan;
}

static const struct frs_policy *const both[] = {&frs_policy_wait_all, &frs_policy_buffered_async};
#define BACKEND (_i % N_BACKENDS)
#define POLICY both[_i / N_BACKENDS]
enum { N_BOTH = 2 * N_BACKENDS };

/* The i-th client of an opening: of round `opening` in a synchronous plan, client 3 · opening + i in an
 * asynchronous one. */
static const struct frs_participation *nth(const struct plan *plan, size_t opening, size_t i) {
    return plan->policy->asynchronous ? &plan->rounds[0][3 * opening + i].p : &plan->rounds[opening][i].p;
}

/* Encoding takes 2 s. The restart at 1 finds only clients that were about to get a message. The server is
 * back at 61 and encodes again; the messages leave at 63, and arrivals are at 66. */
START_TEST(restart_while_encoding_encodes_again) {
    struct plan *plan = plan_restarts(POLICY, 2, BACKEND);
    plan->encode_s = 2;
    restart_at(plan, 1);
    plan_run(plan);
    ck_assert_uint_eq(plan->n_closed, 2);
    LOST(0, 1, FRS_CAUSE_SERVER_RESTART);
    IS(plan->opened_s[1], 61);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(nth(plan, 0, i)->result.outcome, FRS_CUT);
        ck_assert_int_eq(nth(plan, 0, i)->result.cause, FRS_CAUSE_SERVER_RESTART);
        ck_assert_double_nan(nth(plan, 0, i)->times.started_s);
        IS(nth(plan, 0, i)->times.ended_s, 1);
        IS(nth(plan, 1, i)->times.started_s, 63);
    }
    IS(plan->closed_s[1], 66);
    IS(plan->away_s, 60);
    plan_destroy(plan);
}
END_TEST

/* No client can be reached until 100. The restart at 99 loses no round and no client, but the server is back
 * only at 159. */
START_TEST(restart_while_sleeping_loses_no_round) {
    struct plan *plan = plan_restarts(POLICY, 1, BACKEND);
    plan->asleep_until_s = 100;
    restart_at(plan, 99);
    plan_run(plan);
    ck_assert_uint_eq(plan->n_closed, 1);
    IS(plan->opened_s[0], 159);
    IS(plan->closed_s[0], 162);
    ck_assert_int_eq(plan->lost[0], FRS_CAUSE_NONE);
    IS(plan->away_s, 60);
    plan_destroy(plan);
}
END_TEST

/* Back before anybody can be reached, the server goes on sleeping. */
START_TEST(test_early_in_the_sleep) {
    struct plan *plan = plan_restarts(POLICY, 1, BACKEND);
    plan->asleep_until_s = 100;
    restart_at(plan, 10);
    plan_run(plan);
    ck_assert_uint_eq(plan->n_closed, 1);
    IS(plan->opened_s[0], 100);
    IS(plan->away_s, 60);
    plan_destroy(plan);
}
END_TEST

/* The restart at 30 strikes a server that is down from 2 to 62. The one at 62 strikes a server that is
 * just back and has selected no client yet. The one at 124 strikes in the middle of an upload. */
START_TEST(test_several_in_a_row) {
    struct plan *plan = plan_restarts(POLICY, 3, BACKEND);
    restart_at(plan, 2);
    restart_at(plan, 30);
    restart_at(plan, 62);
    restart_at(plan, 124.5);
    plan_run(plan);
    ck_assert_uint_eq(plan->n_closed, 3);
    LOST(0, 2, FRS_CAUSE_SERVER_RESTART);
    IS(plan->opened_s[1], 122);
    LOST(1, 124.5, FRS_CAUSE_SERVER_RESTART);
    IS(nth(plan, 1, 0)->times.up_start_s, 124);
    IS(plan->opened_s[2], 184.5);
    IS(plan->closed_s[2], 187.5);
    IS(plan->away_s, 180);
    plan_destroy(plan);
}
END_TEST

/* Everything has arrived at 3; it is lost at 4, half-way through its aggregation, and again at 64.5. */
START_TEST(restart_while_aggregating_loses_the_round) {
    struct plan *plan = plan_restarts(POLICY, 3, BACKEND);
    plan->aggregate_s = 2;
    restart_at(plan, 4);
    restart_at(plan, 68);
    plan_run(plan);
    ck_assert_uint_eq(plan->n_closed, 3);
    LOST(0, 4, FRS_CAUSE_SERVER_RESTART);
    IS(plan->opened_s[1], 64);
    LOST(1, 68, FRS_CAUSE_SERVER_RESTART);
    IS(plan->opened_s[2], 128);
    IS(plan->closed_s[2], 133);
    for (size_t i = 0; i < 3; i++)
        ck_assert_int_eq(nth(plan, 0, i)->result.outcome, FRS_DELIVERED);
    plan_destroy(plan);
}
END_TEST

/* A server that is back in the same instant, twice at one time. */
START_TEST(test_no_time_at_all) {
    struct plan *plan = plan_restarts(POLICY, 2, BACKEND);
    plan->restart_s = 0;
    restart_at(plan, 2.5);
    restart_at(plan, 2.5);
    plan_run(plan);
    ck_assert_uint_eq(plan->n_closed, 2);
    LOST(0, 2.5, FRS_CAUSE_SERVER_RESTART);
    IS(plan->opened_s[1], 2.5);
    IS(plan->closed_s[1], 5.5);
    IS(plan->away_s, 0);
    plan_destroy(plan);
}
END_TEST

/* The run is over at 3. */
START_TEST(test_after_the_last_round) {
    struct plan *plan = plan_restarts(POLICY, 1, BACKEND);
    restart_at(plan, 3.5);
    plan_run(plan);
    ck_assert_uint_eq(plan->n_closed, 1);
    IS(plan->closed_s[0], 3);
    IS(plan->end_s, 3);
    IS(plan->away_s, 0);
    plan_destroy(plan);
}
END_TEST

/* Round 1 closes at 5 and leaves client 1 under way; no other client can be reached until 50. The restart
 * at 8 aborts the client, and no round. */
START_TEST(test_asleep_with_a_straggler) {
    struct plan *plan = plan_deadline(2, _i, 5, RUN_ON);
    plan->restart_s = 60;
    plan->asleep_from_s = 5;
    plan->asleep_until_s = 50;
    restart_at(plan, 8);
    ADD_EACH(0, 1, 20);
    add(plan, 1, 0, 1);
    plan_run(plan);
    ck_assert_uint_eq(plan->n_closed, 2);
    CLOSED(0, 5, 0);
    ENDED(0, 1, CUT, SERVER_RESTART, 8);
    IS(plan->opened_s[1], 68);
    CLOSED(1, 71, 0);
    plan_destroy(plan);
}
END_TEST

/* Both clients vanish at 1.5, and no client can be reached until 50. The restart at 8 finds nothing in
 * flight, but a round that has begun: it is lost, and repeated from 68 on. */
START_TEST(test_async_only_losses) {
    struct plan *plan = plan_async(2, _i);
    plan->restart_s = 60;
    plan->asleep_from_s = 1;
    plan->asleep_until_s = 50;
    restart_at(plan, 8);
    for (uint32_t client = 0; client < 4; client++)
        add(plan, 0, client, 1);
    plan->rounds[0][0].p.plan.leaves_s = plan->rounds[0][1].p.plan.leaves_s = 1.5;
    plan_run(plan);
    ck_assert_uint_eq(plan->n_closed, 2);
    LOST(0, 8, FRS_CAUSE_SERVER_RESTART);
    ENDED(0, 0, DROPPED_COMPUTE, OFFLINE, 1.5);
    IS(plan->opened_s[1], 68);
    CLOSED(1, 71, 2, 3);
    IS(plan->away_s, 60);
    plan_destroy(plan);
}
END_TEST

/* The server restarts at 5, in the middle of the aggregation begun at 4: what had arrived is lost, client 2
 * is cut. It is back at 6; clients 3 and 4 arrive at 9 and 10. A second restart, at 5.5, strikes a server
 * that is down. */
START_TEST(restart_loses_what_an_asynchronous_server_had) {
    struct plan *plan = plan_async(2, _i);
    plan->aggregate_s = 2.5;
    restart_at(plan, 5);
    restart_at(plan, 5.5);
    plan->restart_s = 1;
    ADD_EACH(0, 1, 2, 1, 1, 2, 1);
    plan_run(plan);
    LOST(0, 5, FRS_CAUSE_SERVER_RESTART);
    CLOSED(1, 12.5, 3, 4);
    ENDED(0, 0, DELIVERED, NONE, 3);
    ENDED(0, 2, CUT, SERVER_RESTART, 5);
    IS(plan->rounds[0][3].p.times.started_s, 6);
    /* Client 5 started at 9 and arrived at 12, too late for the aggregation that began at 10. */
    ENDED(0, 5, DELIVERED, END_OF_RUN, 12);
    plan_destroy(plan);
}
END_TEST

/* Round 1 closes at 5 and leaves clients 1 and 2 under way. Client 1 arrives at 7 and is held for round 2;
 * the restart at 7.5 loses it, cuts client 2, and round 2 with client 0. The repeat begins at 8.5. */
START_TEST(test_restart_among_stragglers) {
    struct plan *plan = plan_deadline(3, _i, 5, ACCEPTED_LATE);
    restart_at(plan, 7.5);
    plan->restart_s = 1;
    ADD_EACH(0, 1, 5, 20);
    add(plan, 1, 0, 1);
    add(plan, 2, 0, 1);
    plan_run(plan);
    CLOSED(0, 5, 0);
    LOST(1, 7.5, FRS_CAUSE_SERVER_RESTART);
    CLOSED(2, 11.5, 0);
    ENDED(0, 1, LATE, SERVER_RESTART, 7);
    ENDED(0, 2, CUT, SERVER_RESTART, 7.5);
    ENDED(1, 0, CUT, SERVER_RESTART, 7.5);
    IS(plan->opened_s[2], 8.5);
    plan_destroy(plan);
}
END_TEST

/* At one instant a restart comes after what ends or begins on clients, and before what the server does. So
 * it comes before the end of the round, although everything has arrived, and before the end of an
 * aggregation or an encoding. */
START_TEST(test_at_the_last_arrival) {
    struct plan *plan = plan_restarts(POLICY, 2, BACKEND);
    restart_at(plan, 3);
    plan_run(plan);
    ck_assert_uint_eq(plan->n_closed, 2);
    LOST(0, 3, FRS_CAUSE_SERVER_RESTART);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(nth(plan, 0, i)->result.outcome, FRS_DELIVERED);
        IS(nth(plan, 0, i)->times.ended_s, 3);
    }
    IS(plan->opened_s[1], 63);
    IS(plan->closed_s[1], 66);
    ck_assert_int_eq(plan->lost[1], FRS_CAUSE_NONE);
    plan_destroy(plan);
}
END_TEST

START_TEST(test_at_the_end_of_the_aggregation) {
    struct plan *plan = plan_restarts(POLICY, 2, BACKEND);
    plan->aggregate_s = 1;
    restart_at(plan, 4);
    plan_run(plan);
    LOST(0, 4, FRS_CAUSE_SERVER_RESTART);
    IS(plan->opened_s[1], 64);
    IS(plan->closed_s[1], 68);
    plan_destroy(plan);
}
END_TEST

START_TEST(test_at_the_end_of_the_encoding) {
    struct plan *plan = plan_restarts(POLICY, 2, BACKEND);
    plan->encode_s = 2;
    restart_at(plan, 2);
    plan_run(plan);
    LOST(0, 2, FRS_CAUSE_SERVER_RESTART);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(nth(plan, 0, i)->result.outcome, FRS_CUT);
        ck_assert_double_nan(nth(plan, 0, i)->times.started_s);
    }
    IS(plan->opened_s[1], 62);
    plan_destroy(plan);
}
END_TEST

/* Downloads end at 1, where client 1 vanishes: the others have begun to compute when the server goes down. */
START_TEST(test_at_the_end_of_a_phase) {
    struct plan *plan = plan_restarts(POLICY, 2, BACKEND);
    struct planned *vanishes = &plan->rounds[0][1];
    vanishes->p.plan.leaves_s = 1;
    vanishes->p.plan.leaves_cause = FRS_CAUSE_OFFLINE;
    restart_at(plan, 1);
    plan_run(plan);
    LOST(0, 1, FRS_CAUSE_SERVER_RESTART);
    for (size_t i = 0; i < 3; i++) {
        const struct frs_participation *p = nth(plan, 0, i);
        IS(p->times.down_end_s, 1);
        IS(p->times.compute_start_s, 1);
        IS(p->times.ended_s, 1);
        ck_assert_int_eq(p->result.outcome, i == 1 ? FRS_DROPPED_COMPUTE : FRS_CUT);
        ck_assert_int_eq(p->result.cause, i == 1 ? FRS_CAUSE_OFFLINE : FRS_CAUSE_SERVER_RESTART);
    }
    plan_destroy(plan);
}
END_TEST

/* Client 0 has arrived at 3, the deadline is at 5. */
START_TEST(test_at_the_deadline) {
    struct plan *plan = plan_deadline(2, _i, 5, CUT);
    plan->restart_s = 60;
    restart_at(plan, 5);
    ADD_EACH(0, 1, 8);
    add(plan, 1, 0, 1);
    plan_run(plan);
    LOST(0, 5, FRS_CAUSE_SERVER_RESTART);
    ENDED(0, 0, DELIVERED, NONE, 3);
    ENDED(0, 1, CUT, SERVER_RESTART, 5);
    IS(plan->opened_s[1], 65);
    plan_destroy(plan);
}
END_TEST

/* Clients could be selected from 100 on. */
START_TEST(test_at_the_end_of_the_sleep) {
    struct plan *plan = plan_restarts(POLICY, 1, BACKEND);
    plan->asleep_until_s = 100;
    restart_at(plan, 100);
    plan_run(plan);
    IS(plan->opened_s[0], 160);
    IS(plan->closed_s[0], 163);
    ck_assert_int_eq(plan->lost[0], FRS_CAUSE_NONE);
    plan_destroy(plan);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("restarts");
    TCase *tests = tcase_create("timelines worked out by hand");
    tcase_add_loop_test(tests, restart_while_encoding_encodes_again, 0, N_BOTH);
    tcase_add_loop_test(tests, restart_while_sleeping_loses_no_round, 0, N_BOTH);
    tcase_add_loop_test(tests, test_early_in_the_sleep, 0, N_BOTH);
    tcase_add_loop_test(tests, test_several_in_a_row, 0, N_BOTH);
    tcase_add_loop_test(tests, restart_while_aggregating_loses_the_round, 0, N_BOTH);
    tcase_add_loop_test(tests, test_no_time_at_all, 0, N_BOTH);
    tcase_add_loop_test(tests, test_after_the_last_round, 0, N_BOTH);
    tcase_add_loop_test(tests, test_asleep_with_a_straggler, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_async_only_losses, 0, N_BACKENDS);
    tcase_add_loop_test(tests, restart_loses_what_an_asynchronous_server_had, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_restart_among_stragglers, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_at_the_last_arrival, 0, N_BOTH);
    tcase_add_loop_test(tests, test_at_the_end_of_the_aggregation, 0, N_BOTH);
    tcase_add_loop_test(tests, test_at_the_end_of_the_encoding, 0, N_BOTH);
    tcase_add_loop_test(tests, test_at_the_end_of_a_phase, 0, N_BOTH);
    tcase_add_loop_test(tests, test_at_the_deadline, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_at_the_end_of_the_sleep, 0, N_BOTH);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
