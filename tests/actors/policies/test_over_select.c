/* Golden timelines of rounds with over-selection: every time is worked out in the comments. */
#include "tests/actors/by_hand.h"

/* Arrivals at 3, 4, 5 and 10; two are needed. At 4 client 1 arrives and client 2 begins its upload, which
 * is stopped before its first byte; it has already committed what it has learnt. */
START_TEST(enough_uploads_stop_the_others) {
    struct plan *plan = plan_with(&frs_policy_over_select, 1, _i);
    plan->policy_settings.n_needed = 2;
    ADD_EACH(0, 1, 2, 3, 8);
    plan_run(plan);
    CLOSED(0, 4, 0, 1);
    ENDED(0, 2, CUT, ROUND_CLOSED, 4);
    ENDED(0, 3, CUT, ROUND_CLOSED, 4);
    ck_assert_uint_eq(plan->rounds[0][2].p.result.up_crossed_bytes, 0);
    IS(plan->rounds[0][2].p.times.compute_end_s, 4);
    ck_assert_uint_eq(plan->n_computed[0], 3);
    plan_destroy(plan);
}
END_TEST

/* One is needed, and two arrive in the same instant: both count. With stragglers that run on, client 2 is
 * late at 5, in round 2; the clients of round 3 would all have been needed,
 * but one of them is lost at 8.5. */
START_TEST(test_over_select_runs_on) {
    struct plan *plan = plan_with(&frs_policy_over_select, 3, _i);
    plan->policy_settings.n_needed = 1;
    plan->policy_settings.run_on = true;
    ADD_EACH(0, 1, 1, 3);
    add(plan, 1, 0, 1);
    add(plan, 2, 3, 4);
    last_added(plan, 2)->p.plan.leaves_s = 8.5;
    plan_run(plan);
    CLOSED(0, 3, 0, 1);
    CLOSED(1, 6, 0);
    check_closing(plan, 2, 8.5, FRS_CAUSE_NONE, 0, NULL);
    ENDED(0, 2, LATE, ROUND_CLOSED, 5);
    ENDED(2, 0, DROPPED_COMPUTE, OFFLINE, 8.5);
    plan_destroy(plan);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("over_select");
    TCase *tests = tcase_create("timelines worked out by hand");
    tcase_add_loop_test(tests, enough_uploads_stop_the_others, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_over_select_runs_on, 0, N_BACKENDS);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
