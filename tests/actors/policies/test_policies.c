/* Golden timelines of the round policies: three to six clients, every time worked out in the comments. */
#include "tests/actors/by_hand.h"

/* ---- deadline -------------------------------------------------------------------------------- */

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

/* ---- over-selection and quantile ------------------------------------------------------------- */

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

/* 60 % of five are three. They have arrived at 5. In round 2, from 5, three of five vanish, and the round
 * ends with the last of those that can still arrive, at 15. */
START_TEST(quantile_waits_for_its_share) {
    struct plan *plan = plan_with(&frs_policy_quantile, 2, _i);
    plan->policy_settings.share = 0.6;
    const double compute_s[] = {1, 2, 3, 8, 8};
    for (size_t round = 0; round < 2; round++)
        for (uint32_t client = 0; client < 5; client++) {
            add(plan, round, client, compute_s[client]);
            if (round == 1 && client < 3)
                last_added(plan, 1)->p.plan.leaves_s = 5.5;
        }
    plan_run(plan);
    CLOSED(0, 5, 0, 1, 2);
    CLOSED(1, 15, 3, 4);
    ENDED(0, 3, CUT, ROUND_CLOSED, 5);
    ENDED(1, 0, DROPPED_DOWN, OFFLINE, 5.5);
    plan_destroy(plan);
}
END_TEST

/* ---- a number of uploads, and then a wait ---------------------------------------------------- */

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

/* ---- partial work ---------------------------------------------------------------------------- */

static void add_epochs(struct plan *plan, uint32_t client, double epoch_s, uint32_t n_epochs) {
    add(plan, 0, client, epoch_s * n_epochs);
    last_added(plan, 0)->n_epochs = n_epochs;
}

/* T = 4, grace 3.
 *   0: 2 epochs of 1 s end at 3, arrives at 4
 *   1: 5 epochs of 2 s end at 3, 5, …: stops at 5, arrives at 6
 *   2: 3 epochs of 1 s end at 4: nothing is left to be stopped; arrives at 5
 *   3: 2 epochs of 3 s end at 4, …: stops at 4, arrives at 5
 *   4: its download at 200 bytes/s ends at 5, then one epoch of 1 s; arrives at 7, the last instant
 *   5: 4 epochs of 5 s end at 6, …; its upload at 500 bytes/s is cut at 7, half of it being through
 *   6: as 1, and would have failed at 10, after 90 % of its 10 s: it stops before
 *   7: as 1, and fails at 4.5, after 35 %, which is 3.5 of what are now 4 s */
START_TEST(partial_work_ends_with_the_epoch) {
    struct plan *plan = plan_with(&frs_policy_partial_work, 1, _i);
    plan->policy_settings.after_s = 4;
    plan->policy_settings.grace_s = 3;
    add_epochs(plan, 0, 1, 2);
    add_epochs(plan, 1, 2, 5);
    add_epochs(plan, 2, 1, 3);
    add_epochs(plan, 3, 3, 2);
    add_epochs(plan, 4, 1, 4);
    last_added(plan, 0)->down_bytes_per_s = 200;
    add_epochs(plan, 5, 5, 4);
    last_added(plan, 0)->up_bytes_per_s = 500;
    for (uint32_t client = 6; client < 8; client++) {
        add_epochs(plan, client, 2, 5);
        last_added(plan, 0)->p.plan.compute_loss = (struct frs_loss){.planned = true,
            .at_share = client == 6 ? 0.9 : 0.35,
            .after_s = INFINITY,
            .cause = FRS_CAUSE_DEVICE};
    }
    plan_run(plan);
    CLOSED(0, 7, 0, 1, 2, 3, 4, 6);
    const double arrived_s[] = {4, 6, 5, 5, 7, 0, 6};
    const uint32_t epochs[] = {0, 2, 0, 1, 1, 1, 2, 2};
    for (size_t i = 0; i < 7; i++)
        if (i != 5)
            ENDED(0, i, DELIVERED, NONE, arrived_s[i]);
    ENDED(0, 5, CUT, ROUND_CLOSED, 7);
    ck_assert_double_eq_tol((double)plan->rounds[0][5].p.result.up_crossed_bytes, 500, 1.001);
    ENDED(0, 7, DROPPED_COMPUTE, DEVICE, 4.5);
    ck_assert_double_eq_tol(plan->rounds[0][7].p.result.computed_share, 3.5 / 4, 1e-8);
    for (size_t i = 0; i < 8; i++)
        ck_assert_uint_eq(plan->rounds[0][i].epochs, epochs[i]);
    plan_destroy(plan);
}
END_TEST

/* All clients have arrived before T: nothing happens then. */
START_TEST(test_partial_work_in_time) {
    struct plan *plan = plan_with(&frs_policy_partial_work, 2, _i);
    plan->policy_settings.after_s = 4;
    plan->policy_settings.grace_s = 3;
    add_epochs(plan, 0, 1, 1);
    add_epochs(plan, 1, 1, 2);
    add(plan, 1, 0, 1);
    plan_run(plan);
    CLOSED(0, 4, 0, 1);
    CLOSED(1, 7, 0);
    plan_destroy(plan);
}
END_TEST

/* ---- asynchronous ---------------------------------------------------------------------------- */

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
    Suite *suite = suite_create("policies");
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
    tcase_add_loop_test(tests, enough_uploads_stop_the_others, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_over_select_runs_on, 0, N_BACKENDS);
    tcase_add_loop_test(tests, quantile_waits_for_its_share, 0, N_BACKENDS);
    tcase_add_loop_test(tests, the_wait_begins_with_the_last_upload_needed, 0, N_BACKENDS);
    tcase_add_loop_test(tests, the_wait_may_be_nothing_and_a_restart_ends_it, 0, N_BACKENDS);
    tcase_add_loop_test(tests, late_ones_of_a_wait_are_used, 0, N_BACKENDS);
    tcase_add_loop_test(tests, partial_work_ends_with_the_epoch, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_partial_work_in_time, 0, N_BACKENDS);
    tcase_add_loop_test(tests, buffered_uploads_are_aggregated_by_number, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_async_server_is_busy, 0, N_BACKENDS);
    tcase_add_loop_test(tests, losses_count_for_the_buffer, 0, N_BACKENDS);
    tcase_add_loop_test(tests, tied_arrivals_beyond_the_buffer_wait, 0, N_BACKENDS);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
