/* Golden timelines of rounds with a deadline: every time is worked out in the comments. */
#include "tests/actors/by_hand.h"

/* T = 5. Arrivals at 3, 4, 5 (in time), 5 + 5e-10 (still in time), 5 + 1e-7 and 10 (cut); client 6 dies while
 * computing at that very time, client 7 at the time its upload is complete. Round 2 at 5: all clients have
 * arrived at 8, which is earlier than its deadline at 10. */
START_TEST(deadline_cuts_what_is_not_there) {
    struct plan *plan = plan_deadline(2, _i, 5, CUT);
    const double compute_s[] = {1, 2, 3, 3 + 5e-10, 3 + 1e-7, 8, 8, 3};
    for (uint32_t client = 0; client < 8; client++)
        add(plan, 0, client, compute_s[client]);
    plan->rounds[0][6].p.plan.leaves_s = plan->rounds[0][7].p.plan.leaves_s = 5;
    add(plan, 1, 2, 1);
    add(plan, 1, 5, 1);
    plan_run(plan);
    CLOSED(0, 5, 0, 1, 2, 3, 7);
    CLOSED(1, 8, 2, 5);
    for (size_t i = 0; i < 4; i++)
        ENDED(0, i, DELIVERED, NONE, 2 + compute_s[i]);
    ENDED(0, 4, CUT, ROUND_CLOSED, 5);
    ENDED(0, 5, CUT, ROUND_CLOSED, 5);
    ENDED(0, 6, DROPPED_COMPUTE, OFFLINE, 5);
    ENDED(0, 7, DELIVERED, NONE, 5);
    /* It has been computing since 1. */
    ck_assert_double_eq_tol(plan->rounds[0][5].p.result.computed_share, 0.5, 1e-8);
    ck_assert_uint_eq(plan->rounds[0][4].p.result.up_crossed_bytes, 999);
    IS(plan->opened_s[1], 5);
    plan_destroy(plan);
}
END_TEST

/* Nothing arrives in the instant of the deadline at 5, which SimGrid's clock has to pass to find that out.
 * Nevertheless clients of round 2 begin at the time of their selection, and have not waited for an
 * encoding. */
START_TEST(test_begins_at_once) {
    struct plan *plan = plan_deadline(3, _i, 5, CUT);
    ADD_EACH(0, 1, 8);
    ADD_EACH(1, 8, 1);
    ADD_EACH(2, 1, 1);
    plan_run(plan);
    CLOSED(0, 5, 0);
    CLOSED(1, 10, 1);
    CLOSED(2, 13, 0, 1);
    for (size_t round = 0; round < 3; round++)
        for (size_t i = 0; i < 2; i++) {
            const struct frs_participation *p = &plan->rounds[round][i].p;
            ck_assert_msg(
                p->times.started_s == p->times.selected_s && p->times.down_start_s == p->times.started_s,
                "round %zu: selected at %.17g, started at %.17g, downloads from %.17g", round,
                p->times.selected_s, p->times.started_s, p->times.down_start_s);
        }
    plan_destroy(plan);
}
END_TEST

/* The same with the messages leaving 2 s after the clients were chosen: T counts from then. */
START_TEST(test_deadline_counts_from_the_first_byte) {
    struct plan *plan = plan_deadline(1, _i, 5, CUT);
    plan->encode_s = 2;
    ADD_EACH(0, 3, 8);
    plan_run(plan);
    CLOSED(0, 7, 0);
    IS(plan->rounds[0][0].p.times.selected_s, 0);
    IS(plan->rounds[0][0].p.times.started_s, 2);
    plan_destroy(plan);
}
END_TEST

/* Client 3 of round 1 arrives at 10, in the third of the rounds that end at 5, 8 and 11: no round accepts it.
 * That of round 3, due at 18, ends with the run at 16. */
START_TEST(test_late_is_wasted) {
    struct plan *plan = plan_deadline(4, _i, 5, _i % 2 ? ACCEPTED_LATE : RUN_ON);
    add(plan, 0, 0, 1);
    add(plan, 0, 3, 8);
    add(plan, 1, 0, 1);
    add(plan, 2, 0, 1);
    add(plan, 3, 0, 1);
    add(plan, 3, 4, 10);
    plan_run(plan);
    CLOSED(0, 5, 0);
    CLOSED(1, 8, 0);
    CLOSED(2, 11, 0);
    CLOSED(3, 16, 0);
    ENDED(0, 1, LATE, ROUND_CLOSED, 10);
    ENDED(3, 1, CUT, END_OF_RUN, 16);
    ck_assert_uint_eq(plan->rounds[0][1].p.result.up_crossed_bytes, 1000);
    plan_destroy(plan);
}
END_TEST

/* Client 1 arrives at 7: late for round 1, which closed at 5, and used by round 2, which closes at 8. Client
 * 2 arrives at 8, in the instant in which round 2 closes: it is in time for it. Client 3 of round 2, at 13.5,
 * would be for round 3, which never closes. */
START_TEST(test_late_is_accepted) {
    struct plan *plan = plan_deadline(3, _i, 5, ACCEPTED_LATE);
    plan->aggregate_s = 0;
    ADD_EACH(0, 1, 5, 6);
    add(plan, 1, 0, 1);
    add(plan, 2, 0, 1);
    add(plan, 2, 3, 4);
    plan_run(plan);
    CLOSED(0, 5, 0);
    CLOSED(1, 8, 0, 1, 2);
    CLOSED(2, 13, 0);
    ENDED(0, 1, LATE, NONE, 7);
    ENDED(0, 2, LATE, NONE, 8);
    ENDED(2, 1, CUT, END_OF_RUN, 13);
    plan_destroy(plan);
}
END_TEST

/* The server aggregates for 3 s. Client 1 arrives at 7, while round 1, closed at 5, is being aggregated:
 * it counts for the next. Client 2 arrives at 13, while round 2, closed at 11, is: too late for any.
 * Client 3 of round 2, due at 16.5, arrives during the aggregation of round 3, the last one: it is held,
 * and never used. */
START_TEST(test_late_while_aggregating) {
    struct plan *plan = plan_deadline(3, _i, 5, ACCEPTED_LATE);
    plan->aggregate_s = 3;
    ADD_EACH(0, 1, 5, 11);
    add(plan, 1, 0, 1);
    add(plan, 2, 0, 1);
    add(plan, 2, 3, 5);
    plan_run(plan);
    CLOSED(0, 8, 0);
    CLOSED(1, 14, 0, 1);
    /* From 14; T at 19; aggregated at 22. Client 3 arrives at 21. */
    CLOSED(2, 22, 0);
    ENDED(0, 1, LATE, NONE, 7);
    ENDED(0, 2, LATE, ROUND_CLOSED, 13);
    ENDED(2, 1, LATE, END_OF_RUN, 21);
    plan_destroy(plan);
}
END_TEST

/* Two have to arrive until 3.5. At first only client 0 does, at 3; the round is abandoned, and the others
 * are aborted. The repetition begins at 3.5 and ends at 6.5, when both have arrived. */
START_TEST(too_few_uploads_abandon_the_round) {
    struct plan *plan = plan_deadline(2, _i, 3.5, CUT);
    plan->policy_settings.quorum = 2;
    plan->aggregate_s = 1; /* a void round is not aggregated */
    ADD_EACH(0, 1, 4);
    add(plan, 1, 0, 1);
    add(plan, 1, 2, 1);
    plan_run(plan);
    LOST(0, 3.5, FRS_CAUSE_VOID_ROUND);
    CLOSED(1, 7.5, 0, 2);
    ENDED(0, 0, DELIVERED, NONE, 3);
    ENDED(0, 1, CUT, VOID_ROUND, 3.5);
    plan_destroy(plan);
}
END_TEST

/* Stragglers of an abandoned round go on in vain. Those that round 1 left behind count towards the quorum
 * of round 2, and are used by its repetition. */
START_TEST(test_void_round_with_stragglers) {
    struct plan *plan = plan_deadline(3, _i, 3.5, ACCEPTED_LATE);
    plan->policy_settings.quorum = 2;
    ADD_EACH(0, 1, 1);
    add(plan, 0, 2, 4); /* arrives at 6 */
    add(plan, 1, 3, 3); /* from 3.5: arrives at 8.5 */
    add(plan, 1, 4, 4); /* and at 9.5 */
    add(plan, 2, 0, 1); /* from 7: arrives at 10 */
    plan_run(plan);
    CLOSED(0, 3.5, 0, 1);
    LOST(1, 7, FRS_CAUSE_VOID_ROUND);
    CLOSED(2, 10, 0, 2);
    ENDED(0, 2, LATE, NONE, 6);
    ENDED(1, 0, LATE, VOID_ROUND, 8.5);
    ENDED(1, 1, LATE, VOID_ROUND, 9.5);
    plan_destroy(plan);
}
END_TEST

/* Client 1 vanishes at 2. A server that detects this at once closes when client 0 arrives at 3; one that
 * needs 2.5 s, at 4.5; one that needs 10 s, at the deadline, 5. */
START_TEST(losses_close_rounds_when_detected) {
    static const double detect_s[] = {0, 2.5, 10}, closed_s[] = {3, 4.5, 5};
    for (size_t i = 0; i < 3; i++) {
        struct plan *plan = plan_deadline(2, _i, 5, i % 2 ? RUN_ON : CUT);
        plan->detect_s = detect_s[i];
        add(plan, 0, 0, 1);
        add(plan, 0, 1, 6);
        last_added(plan, 0)->p.plan.leaves_s = 2;
        add(plan, 1, 0, 1);
        plan_run(plan);
        CLOSED(0, closed_s[i], 0);
        CLOSED(1, closed_s[i] + 3, 0);
        ENDED(0, 1, DROPPED_COMPUTE, OFFLINE, 2);
        plan_destroy(plan);
    }
}
END_TEST

/* T = 5, and three have to be in. Arrivals at 3, 4, 7, 8 and 12: only two by 5, and the third at 7 closes.
 * Round 2 from 7: all three are in at 11, before its T. Round 3 from 11: only two can still arrive, the later
 * at 19, after T at 16; that one closes it. */
START_TEST(a_deadline_waits_on_for_its_least_uploads) {
    struct plan *plan = plan_deadline(3, _i, 5, CUT);
    plan->policy_settings.min_uploads = 3;
    ADD_EACH(0, 1, 2, 5, 6, 10);
    ADD_EACH(1, 1, 2, 2);
    ADD_EACH(2, 1, 6, 9);
    plan->rounds[2][2].p.plan.leaves_s = 15;
    plan_run(plan);
    CLOSED(0, 7, 0, 1, 2);
    CLOSED(1, 11, 0, 1, 2);
    CLOSED(2, 19, 0, 1);
    ENDED(0, 3, CUT, ROUND_CLOSED, 7);
    ENDED(2, 2, DROPPED_COMPUTE, OFFLINE, 15);
    plan_destroy(plan);
}
END_TEST

/* Rounds close at 5, 8, 11 and 14. Clients of round 1 arrive at 7 and 10, one and two rounds late, and at
 * 13, three rounds late: the last one is not used where two are accepted. */
START_TEST(uploads_may_be_several_rounds_late) {
    static const uint32_t rounds_late[] = {1, 2, 3};
    for (size_t i = 0; i < 3; i++) {
        struct plan *plan = plan_deadline(4, _i, 5, ACCEPTED_LATE);
        plan->policy_settings.late_rounds = rounds_late[i];
        ADD_EACH(0, 1, 5, 8, 11);
        for (size_t round = 1; round < 4; round++)
            add(plan, round, 0, 1);
        plan_run(plan);
        CLOSED(0, 5, 0);
        CLOSED(1, 8, 0, 1);
        if (i > 0)
            CLOSED(2, 11, 0, 2);
        else
            CLOSED(2, 11, 0);
        if (i > 1)
            CLOSED(3, 14, 0, 3);
        else
            CLOSED(3, 14, 0);
        ENDED(0, 1, LATE, NONE, 7);
        ended(plan, 0, 2, FRS_LATE, i > 0 ? FRS_CAUSE_NONE : FRS_CAUSE_ROUND_CLOSED, 10);
        ended(plan, 0, 3, FRS_LATE, i > 1 ? FRS_CAUSE_NONE : FRS_CAUSE_ROUND_CLOSED, 13);
        plan_destroy(plan);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("deadline");
    TCase *tests = tcase_create("timelines worked out by hand");
    tcase_add_loop_test(tests, deadline_cuts_what_is_not_there, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_begins_at_once, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_deadline_counts_from_the_first_byte, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_late_is_wasted, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_late_is_accepted, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_late_while_aggregating, 0, N_BACKENDS);
    tcase_add_loop_test(tests, too_few_uploads_abandon_the_round, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_void_round_with_stragglers, 0, N_BACKENDS);
    tcase_add_loop_test(tests, losses_close_rounds_when_detected, 0, N_BACKENDS);
    tcase_add_loop_test(tests, a_deadline_waits_on_for_its_least_uploads, 0, N_BACKENDS);
    tcase_add_loop_test(tests, uploads_may_be_several_rounds_late, 0, N_BACKENDS);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
