/* Golden timelines of rounds that wait for a number of uploads and then for a time. Every time is worked out
 * in the comments. */
#include "tests/actors/by_hand.h"

static struct plan *plan_then_wait(size_t n_rounds, int backend, uint32_t uploads, double then_s) {
    struct plan *plan = plan_with(&frs_policy_quorum_then_wait, n_rounds, backend);
    plan->policy_settings.n_needed = uploads;
    plan->policy_settings.then_s = then_s;
    return plan;
}

/* Two of five are waited for, and 2 s more. Arrivals at 3, 4, 6 (in the last instant), 6 + 1e-7 and 10: the
 * second comes at 4. Round 2 from 6: all have arrived at 10, before the wait that began at 9 is over. Round 3
 * from 10: only one of three arrives, and the round closes with the last one that could, at 13.5. */
START_TEST(the_wait_begins_with_the_last_upload_needed) {
    struct plan *plan = plan_then_wait(3, _i, 2, 2);
    ADD_EACH(0, 1, 2, 4, 4 + 1e-7, 8);
    ADD_EACH(1, 1, 1, 2);
    ADD_EACH(2, 1, 3, 3);
    plan->rounds[2][1].p.plan.leaves_s = 12;
    plan->rounds[2][2].p.plan.leaves_s = 13.5;
    plan_run(plan);
    CLOSED(0, 6, 0, 1, 2);
    CLOSED(1, 10, 0, 1, 2);
    CLOSED(2, 13.5, 0);
    ENDED(0, 3, CUT, ROUND_CLOSED, 6);
    ENDED(0, 4, CUT, ROUND_CLOSED, 6);
    ENDED(2, 2, DROPPED_COMPUTE, OFFLINE, 13.5);
    plan_destroy(plan);
}
END_TEST

/* A wait of zero closes the round in the instant of the second upload, at 4. The server restarts at 4.5,
 * during the wait of the next round's first attempt, and loses it. */
START_TEST(the_wait_may_be_nothing_and_a_restart_ends_it) {
    struct plan *plan = plan_then_wait(1, _i, 2, 0);
    ADD_EACH(0, 1, 2, 2, 3);
    plan_run(plan);
    CLOSED(0, 4, 0, 1, 2);
    plan_destroy(plan);
    plan = plan_then_wait(2, _i, 1, 2);
    restart_at(plan, 4.5);
    plan->restart_s = 1;
    ADD_EACH(0, 1, 8);
    ADD_EACH(1, 1, 8);
    plan_run(plan);
    LOST(0, 4.5, FRS_CAUSE_SERVER_RESTART);
    CLOSED(1, 10.5, 0);
    plan_destroy(plan);
}
END_TEST

/* Stragglers of round 1, which closes at 5, run on: 2 arrives at 7 and 3 at 10. */
START_TEST(late_ones_of_a_wait_are_used) {
    struct plan *plan = plan_then_wait(2, _i, 2, 1);
    plan->policy_settings.run_on = plan->policy_settings.accepts_late = true;
    plan->policy_settings.late_rounds = 1;
    ADD_EACH(0, 1, 2, 5, 8);
    ADD_EACH(1, 1, 1); /* from 5: both arrive at 8 */
    plan->rounds[1][0].client = 4;
    plan->rounds[1][1].client = 5;
    plan_run(plan);
    CLOSED(0, 5, 0, 1);
    CLOSED(1, 8, 2, 4, 5);
    ENDED(0, 2, LATE, NONE, 7);
    ENDED(0, 3, CUT, END_OF_RUN, 8);
    plan_destroy(plan);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("quorum_then_wait");
    TCase *tests = tcase_create("timelines worked out by hand");
    tcase_add_loop_test(tests, the_wait_begins_with_the_last_upload_needed, 0, N_BACKENDS);
    tcase_add_loop_test(tests, the_wait_may_be_nothing_and_a_restart_ends_it, 0, N_BACKENDS);
    tcase_add_loop_test(tests, late_ones_of_a_wait_are_used, 0, N_BACKENDS);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
