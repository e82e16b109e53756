/* Golden timelines of asynchronous rounds: every time is worked out in the comments. */
#include "tests/actors/by_hand.h"

/* Two are under way, and every two uploads are aggregated, which takes 0.5 s.
 *   0    clients 0 and 1 start
 *   3    0 arrives; 2 starts
 *   4    1 arrives: aggregation until 4.5, when 3 starts
 *   6    2 arrives; 4 starts
 *   7.5  3 arrives: aggregation until 8, the end; 4 is cut, half-way through its computing */
START_TEST(buffered_uploads_are_aggregated_by_number) {
    struct plan *plan = plan_async(2, _i);
    plan->aggregate_s = 0.5;
    ADD_EACH(0, 1, 2, 1, 1, 2, 1);
    plan_run(plan);
    CLOSED(0, 4.5, 0, 1);
    CLOSED(1, 8, 2, 3);
    const double started_s[] = {0, 0, 3, 4.5, 6};
    for (size_t i = 0; i < 5; i++)
        IS(plan->rounds[0][i].p.times.started_s, started_s[i]);
    ENDED(0, 4, CUT, END_OF_RUN, 8);
    ck_assert_double_eq_tol(plan->rounds[0][4].p.result.computed_share, 0.5, 1e-8);
    ck_assert_uint_eq(plan->next, 5);
    plan_destroy(plan);
}
END_TEST

/* Aggregation takes 2.5 s, and client 2 arrives in the middle of it, at 6: it waits for the next. At 6.5 two
 * can start again; 3 arrives at 9.5 and fills the buffer while 4 is under way, whose upload comes at 10.5,
 * during the last aggregation, and is used by none. */
START_TEST(test_async_server_is_busy) {
    struct plan *plan = plan_async(2, _i);
    plan->aggregate_s = 2.5;
    ADD_EACH(0, 1, 2, 1, 1, 2, 1);
    plan_run(plan);
    CLOSED(0, 6.5, 0, 1);
    CLOSED(1, 12, 2, 3);
    IS(plan->rounds[0][3].p.times.started_s, 6.5);
    IS(plan->rounds[0][4].p.times.started_s, 6.5);
    ENDED(0, 4, DELIVERED, END_OF_RUN, 10.5);
    ck_assert_uint_eq(plan->next, 5);
    plan_destroy(plan);
}
END_TEST

/* All clients are lost. After two losses the server aggregates what it has, which is nothing; and again
 * after two more, of which it learns 1 s later. */
START_TEST(losses_count_for_the_buffer) {
    struct plan *plan = plan_async(2, _i);
    plan->policy_settings.patience = 2;
    plan->detect_s = 1;
    for (uint32_t client = 0; client < 6; client++) {
        add(plan, 0, client, 1);
        last_added(plan, 0)->p.plan.compute_loss = (struct frs_loss){
            .planned = true, .at_share = 0.5, .after_s = INFINITY, .cause = FRS_CAUSE_DEVICE};
    }
    plan_run(plan);
    check_closing(plan, 0, 2.5, FRS_CAUSE_NONE, 0, NULL);
    check_closing(plan, 1, 5, FRS_CAUSE_NONE, 0, NULL);
    ENDED(0, 3, DROPPED_COMPUTE, DEVICE, 4);
    ck_assert_uint_eq(plan->next, 4);
    plan_destroy(plan);
}
END_TEST

/* Three arrivals in one instant, two of which are aggregated. The third waits, and the clients that start
 * then arrive at 6: again one too many. Refused clients take neither time nor a place. */
START_TEST(tied_arrivals_beyond_the_buffer_wait) {
    struct plan *plan = plan_async(2, _i);
    plan->policy_settings.n_selected = 3;
    for (uint32_t client = 0; client < 9; client++) {
        add(plan, 0, client, 1);
        last_added(plan, 0)->p.plan.refused = client == 1 || client == 3;
    }
    plan_run(plan);
    CLOSED(0, 3, 0, 2);
    /* Client 4 has been waiting since 3; 5, 6 and 7 arrive at 6. */
    CLOSED(1, 6, 4, 5);
    ENDED(0, 1, REFUSED, NONE, 0);
    ENDED(0, 3, REFUSED, NONE, 0);
    ENDED(0, 6, DELIVERED, END_OF_RUN, 6);
    ck_assert_uint_eq(plan->next, 8);
    plan_destroy(plan);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("buffered_async");
    TCase *tests = tcase_create("timelines worked out by hand");
    tcase_add_loop_test(tests, buffered_uploads_are_aggregated_by_number, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_async_server_is_busy, 0, N_BACKENDS);
    tcase_add_loop_test(tests, losses_count_for_the_buffer, 0, N_BACKENDS);
    tcase_add_loop_test(tests, tied_arrivals_beyond_the_buffer_wait, 0, N_BACKENDS);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
