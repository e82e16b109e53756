/* Connections that break and are opened anew: rounds whose every time is worked out by hand in the comments.
 *
 * Unless said otherwise links carry 1000 bytes/s, latency is 0.5 s, and a client downloads 1000 bytes from
 * 0.5 to 1.5, computes until 2.5, and uploads 1000 bytes from 3.0 to 4.0. A client that tries again waits 2
 * s, then 6 s. */
#include "tests/actors/by_hand.h"
#include "actors/retry_state.h"

enum { N_EXACT_PLAYERS = 2, MANNERS = 2 };

static const struct frs_loss none;

static struct frs_loss at(double share, enum frs_cause cause) {
    return (struct frs_loss){.planned = true, .at_share = share, .cause = cause, .after_s = INFINITY};
}

static struct frs_loss after(double after_s) {
    return (struct frs_loss){.after_s = after_s, .after_cause = FRS_CAUSE_CONNECTION};
}

#define BROKEN(share) at(share, FRS_CAUSE_CONNECTION)

static struct planned *add_retrying(
    struct plan *plan, bool resumes, struct frs_loss down, struct frs_loss up) {
    plan_add(plan, 0, (struct planned)PLANNED((uint32_t)plan->n[0], 1000, 1000, 0.5, 1000, 1, 1000));
    struct planned *added = last_added(plan, 0);
    added->retrying = (struct frs_retrying){.times = 2, .after_s = 2, .backoff = 3, .resumes = resumes};
    added->p.plan.down_loss = down;
    added->p.plan.up_loss = up;
    return added;
}

/* The download breaks at 0.6 of it. The upload breaks 0.25 s after its first byte, and its second try 0.5
 * s after its own. Another upload breaks three times, at half of what a try has to send. */
static void add_three(struct plan *plan, bool resumes) {
    add_retrying(plan, resumes, BROKEN(0.6), none);
    add_retrying(plan, resumes, none, after(0.25))->again[0] = after(0.5);
    struct planned *third = add_retrying(plan, resumes, none, BROKEN(0.5));
    third->again[0] = third->again[1] = BROKEN(0.5);
}

struct amounts {
    uint64_t down, up, resent_down, resent_up;
    uint32_t retries;
    double down_s, up_s, latency_s, retry_s;
};

static void check_amounts(const struct plan *plan, size_t i, const struct amounts *hand) {
    struct frs_participation p = plan->rounds[0][i].p;
    struct frs_phase_times spent = frs_participation_times(&p);
    const double seconds[][2] = {{spent.down_s, hand->down_s}, {spent.up_s, hand->up_s},
        {spent.latency_s, hand->latency_s}, {spent.retry_s, hand->retry_s}};
    const uint64_t bytes[][2] = {{p.result.down_crossed_bytes, hand->down},
        {p.result.up_crossed_bytes, hand->up}, {p.result.resent_down_bytes, hand->resent_down},
        {p.result.resent_up_bytes, hand->resent_up}, {p.result.retries, hand->retries}};
    for (size_t j = 0; j < 4; j++)
        ck_assert_msg(fabs(seconds[j][0] - seconds[j][1]) <= SLACK_S,
            "client %zu, time %zu: %.12g, not %.12g", i, j, seconds[j][0], seconds[j][1]);
    for (size_t j = 0; j < 5; j++)
        ck_assert_msg(bytes[j][0] == bytes[j][1], "client %zu, amount %zu: %llu, not %llu", i, j,
            (unsigned long long)bytes[j][0], (unsigned long long)bytes[j][1]);
}

#define AMOUNTS(i, ...) check_amounts(plan, i, &(struct amounts){__VA_ARGS__})

static void check_carried(const struct plan *plan, double down, double up) {
    ck_assert_double_eq_tol(plan->carried.down_bytes, down, 1e-2);
    ck_assert_double_eq_tol(plan->carried.up_bytes, up, 1e-2);
}

/*   client 0: 600 bytes until 1.1; connects at 3.1; 400 from 3.6 to 4.0; computes until 5.0; up from 5.5
 *     to 6.5.
 *   client 1: 250 bytes until 3.25; at 5.25; 500 from 5.75 to 6.25; at 12.25; 250 from 12.75 to 13.0.
 *   client 2: 500 bytes until 3.5; at 5.5; half of 500 from 6.0 to 6.25; at 12.25; half of 250 from 12.75
 *             to 12.875, and it has tried twice. */
START_TEST(broken_messages_resume_where_they_were) {
    struct plan *plan = plan_create(1, _i);
    add_three(plan, true);
    plan_run(plan);
    ENDED(0, 0, DELIVERED, NONE, 6.5);
    ENDED(0, 1, DELIVERED, NONE, 13);
    ENDED(0, 2, DROPPED_UP, CONNECTION, 12.875);
    AMOUNTS(0, 1000, 1000, 0, 0, 1, 1, 1, 1.5, 2);
    AMOUNTS(1, 1000, 1000, 0, 0, 2, 1, 1, 2, 8);
    AMOUNTS(2, 1000, 875, 0, 0, 2, 1, 0.875, 2, 8);
    check_carried(plan, 3000, 2875);
    plan_destroy(plan);
}
END_TEST

/*   client 0: 600 bytes until 1.1; connects at 3.1; 1000 from 3.6 to 4.6; computes until 5.6; up from 6.1
 *     to 7.1.
 *   client 1: 250 bytes until 3.25; 500 from 5.75 to 6.25; 1000 from 12.75 to 13.75.
 *   client 2: 500 bytes until 3.5; 500 from 6.0 to 6.5; at 12.5; 500 from 13.0 to 13.5. */
START_TEST(test_from_the_beginning) {
    struct plan *plan = plan_create(1, _i);
    add_three(plan, false);
    plan_run(plan);
    ENDED(0, 0, DELIVERED, NONE, 7.1);
    ENDED(0, 1, DELIVERED, NONE, 13.75);
    ENDED(0, 2, DROPPED_UP, CONNECTION, 13.5);
    AMOUNTS(0, 1000, 1000, 600, 0, 1, 1.6, 1, 1.5, 2);
    AMOUNTS(1, 1000, 1000, 0, 750, 2, 1, 1.75, 2, 8);
    AMOUNTS(2, 1000, 500, 0, 1000, 2, 1, 1.5, 2, 8);
    check_carried(plan, 3600, 1750 + 1500 + 1000);
    plan_destroy(plan);
}
END_TEST

/* A deadline at 3.8: client 0 has 200 bytes of its second try, client 1 has been waiting since 3.25, and
 * client 2 since 3.5. The last two have not sent anything again by then. */
START_TEST(deadline_stops_who_waits_for_a_retry) {
    for (int resumes = 0; resumes < MANNERS; resumes++) {
        struct plan *plan = plan_deadline(1, _i, 3.8, CUT);
        add_three(plan, resumes);
        plan_run(plan);
        for (size_t i = 0; i < 3; i++)
            ENDED(0, i, CUT, ROUND_CLOSED, 3.8);
        AMOUNTS(0, resumes ? 800 : 200, 0, resumes ? 0 : 600, 0, 1, 0.8, 0, 1, 2);
        AMOUNTS(1, 1000, 250, 0, 0, 0, 1, 0.25, 1, 0.55);
        AMOUNTS(2, 1000, 500, 0, 0, 0, 1, 0.5, 1, 0.3);
        plan_destroy(plan);
    }
}
END_TEST

/* The same deadline, and clients under way go on: client 0 until 6.5, client 1 until 13.0, late; client 2
 * is lost as if there were no deadline. */
START_TEST(retries_run_on_after_the_deadline) {
    struct plan *plan = plan_deadline(2, _i, 3.8, RUN_ON);
    add_three(plan, true);
    plan_add(plan, 1, (struct planned)PLANNED(7, 1000, 1000, 0, 1000, 20, 1000)); /* until 25.8: cut at 7.6 */
    plan_run(plan);
    ENDED(0, 0, LATE, ROUND_CLOSED, 6.5);
    ENDED(0, 1, CUT, END_OF_RUN, 7.6);
    ENDED(0, 2, CUT, END_OF_RUN, 7.6);
    AMOUNTS(1, 1000, 750, 0, 0, 1, 1, 0.75, 1.5, 2 + 1.35);
    AMOUNTS(2, 1000, 750, 0, 0, 1, 1, 0.75, 1.5, 2 + 1.35);
    plan_destroy(plan);
}
END_TEST

/* Devices are not tried again. Client 0 leaves while it waits. The device of client 1 fails at 0.25 of the
 * second try, at 3.6 + 0.1. The plan of client 2 allows no try: it is lost at 1.1 with its connection. */
START_TEST(failed_devices_are_not_tried_again) {
    struct plan *plan = plan_create(1, _i);
    add_retrying(plan, true, BROKEN(0.6), none)->p.plan.leaves_s = 2;
    add_retrying(plan, true, BROKEN(0.6), none)->again[0] = at(0.25, FRS_CAUSE_DEVICE);
    add_retrying(plan, true, BROKEN(0.6), none)->retrying = (struct frs_retrying){0};
    plan_run(plan);
    ENDED(0, 0, DROPPED_DOWN, OFFLINE, 2);
    ENDED(0, 1, DROPPED_DOWN, DEVICE, 3.7);
    ENDED(0, 2, DROPPED_DOWN, CONNECTION, 1.1);
    AMOUNTS(0, 600, 0, 0, 0, 0, 0.6, 0, 0.5, 0.9);
    AMOUNTS(1, 700, 0, 0, 0, 1, 0.7, 0, 1, 2);
    AMOUNTS(2, 600, 0, 0, 0, 0, 0.6, 0, 0.5, 0);
    plan_destroy(plan);
}
END_TEST

/* Without latency and wait, two breaks before the first byte happen in the instant in which the message
 * begins; a third, one too many, loses the client in it. A connection that breaks at a time breaks at that
 * time, and the message continues. */
START_TEST(breaks_without_wait_pass_at_once) {
    struct plan *plan = plan_create(1, _i);
    for (size_t i = 0; i < 3; i++) {
        struct planned *added = add_retrying(plan, false, i < 2 ? BROKEN(0) : after(0.5), none);
        added->latency_s = added->retrying.after_s = 0;
        added->again[0] = i < 2 ? BROKEN(0) : none;
        added->again[1] = i == 1 ? BROKEN(0) : none;
    }
    plan_run(plan);
    ENDED(0, 0, DELIVERED, NONE, 3);
    ENDED(0, 1, DROPPED_DOWN, CONNECTION, 0);
    ENDED(0, 2, DELIVERED, NONE, 3.5);
    AMOUNTS(0, 1000, 1000, 0, 0, 2, 1, 1, 0, 0);
    AMOUNTS(1, 0, 0, 0, 0, 2, 0, 0, 0, 0);
    AMOUNTS(2, 1000, 1000, 500, 0, 1, 1.5, 1, 0, 0);
    plan_destroy(plan);
}
END_TEST

/* The server sends 1000 bytes/s to all. Clients 0 and 1 have 500 bytes each at 1 s, when the connection of
 * client 0 breaks: client 1 has the other 500 alone until 1.5. Client 0 is back at 3.0, with client 2, whose
 * latency is 3 s: its 500 bytes last until 4.0, and the other half of client 2's until 4.5. All compute for 1
 * s and upload 1000 bytes. */
START_TEST(a_broken_message_leaves_the_shared_link) {
    struct plan *plan = plan_create(1, _i);
    plan->server_down_bytes_per_s = 1000;
    add_retrying(plan, true, after(1), none)->latency_s = 0;
    add_retrying(plan, true, none, none)->latency_s = 0;
    add_retrying(plan, true, none, none)->latency_s = 3;
    plan_run(plan);
    IS(plan->rounds[0][0].p.times.down_end_s, 4);
    IS(plan->rounds[0][1].p.times.down_end_s, 1.5);
    IS(plan->rounds[0][2].p.times.down_end_s, 4.5);
    ENDED(0, 0, DELIVERED, NONE, 6);
    ENDED(0, 1, DELIVERED, NONE, 3.5);
    ENDED(0, 2, DELIVERED, NONE, 9.5);
    AMOUNTS(0, 1000, 1000, 0, 0, 1, 2, 1, 0, 2);
    plan_destroy(plan);
}
END_TEST

/* Under tcp, by 144,800 bytes/s, 0.1 s away: windows of 14,480 bytes, which leave in 0.1 s, and 0.21 s from
 * one to the next. Connecting takes 0.3 s, 206 bytes up and 66 down: c = 0.3 + 272 / 144800 in all. The
 * download of 5 windows begins at c + 0.1 with one, and has two more half-way when its connection breaks 0.31
 * s later: two windows. The client waits 1 s and connects until 2c + 1.41; from 2c + 1.51 it sends the three
 * windows that are left, one, and 0.21 s later two, until 2c + 1.92; or all five, in 0.62 s. Computes for 1
 * s; 0.1; a window of upload in 0.1 s. The third has a connection that is kept, on which windows are: all
 * five windows in one from 0.1 on, of which three have crossed by 0.4. Then it is as new. */
START_TEST(retries_connect_anew) {
    enum { WINDOW = FRS_INITIAL_WINDOW * FRS_SEGMENT_BYTES };
    const double rate = 100.0 * FRS_SEGMENT_BYTES, c = 0.3 + 272 / rate;
    const struct frs_handshake handshake = {.wait_s = 0.3, .up_bytes = 206, .down_bytes = 66};
    struct plan *plan = plan_create(1, _i);
    for (uint32_t client = 0; client < 3; client++) {
        plan_add(plan, 0, (struct planned)PLANNED(client, rate, rate, 0.1, 5 * WINDOW, 1, WINDOW));
        struct planned *added = last_added(plan, 0);
        added->slow_start_kind = client < 2 ? FRS_SLOW_START_QUICK : FRS_SLOW_START_NONE;
        added->handshake = client < 2 ? handshake : (struct frs_handshake){0};
        added->retrying = (struct frs_retrying){.times = 1,
            .after_s = 1,
            .backoff = 1,
            .resumes = client != 1,
            .slow_start_kind = FRS_SLOW_START_QUICK,
            .handshake = handshake};
        added->p.plan.down_loss = after(client < 2 ? 0.31 : 0.3);
    }
    plan_run(plan);
    ENDED(0, 0, DELIVERED, NONE, 2 * c + 1.92 + 1.2);
    ENDED(0, 1, DELIVERED, NONE, 2 * c + 1.51 + 0.62 + 1.2);
    /* Two windows: one at once, and 0.21 s later the other. */
    /* Two windows: one at once, and 0.21 s later the other. */
    ENDED(0, 2, DELIVERED, NONE, 1.4 + c + 0.1 + 0.31 + 1.2);
    AMOUNTS(0, 5 * WINDOW, WINDOW, 0, 0, 1, 0.31 + 0.41, 0.1, 0.3, 1);
    AMOUNTS(1, 5 * WINDOW, WINDOW, 2 * WINDOW, 0, 1, 0.31 + 0.62, 0.1, 0.3, 1);
    for (size_t i = 0; i < 3; i++) {
        const struct frs_participation *p = &plan->rounds[0][i].p;
        ck_assert_uint_eq(p->result.setup_up_bytes, i < 2 ? 412 : 206);
        ck_assert_uint_eq(p->result.setup_down_bytes, i < 2 ? 132 : 66);
        IS(frs_participation_times(p).setup_s, i < 2 ? 2 * c : c);
    }
    plan_destroy(plan);
}
END_TEST

/* Over a new connection to a receiver that has answered: the first message after a break finds a server
 * that has not answered, and the upload after it one that has, with the download. Each try records how it
 * was sent. */
START_TEST(windows_begin_anew_after_a_break) {
    struct frs_participation p = frs_participation_new(1);
    struct frs_try try;
    p.plan.retrying = (struct frs_retrying){.times = 2, .slow_start_kind = FRS_SLOW_START_QUICK};
    p.plan.down_slow_start = FRS_SLOW_START_NONE;
    p.usage.down_bytes = p.usage.up_bytes = 10;
    p.times.started_s = 1;
    p.times.down_start_s = 2;
    frs_retry_state_break(&p, false, 3);
    ck_assert_int_eq(p.plan.down_slow_start, FRS_SLOW_START_QUICK);
    ck_assert_int_eq(p.plan.up_slow_start, FRS_SLOW_START_PAIRED);
    ck_assert(frs_try(&p, false, 0, &try) && try.slow_start_kind == FRS_SLOW_START_NONE);
    p.times.compute_end_s = 4;
    p.times.up_start_s = 5;
    frs_retry_state_break(&p, true, 6);
    ck_assert_int_eq(p.plan.up_slow_start, FRS_SLOW_START_QUICK);
    ck_assert(frs_try(&p, true, 0, &try) && try.slow_start_kind == FRS_SLOW_START_PAIRED);
    free(p.breaks);
}
END_TEST

/* A message that breaks at its last byte sends that byte again: the receiver would otherwise have had it
 * all. */
START_TEST(the_last_byte_is_sent_again) {
    struct frs_participation p = frs_participation_new(1);
    struct frs_try try;
    p.plan.retrying = (struct frs_retrying){.times = 1, .resumes = true};
    p.usage.down_bytes = p.result.down_crossed_bytes = 10;
    p.times.started_s = 1;
    p.times.down_start_s = 2;
    ck_assert(frs_retry_state_are_left(&p, false));
    frs_retry_state_break(&p, false, 3);
    ck_assert(!frs_retry_state_are_left(&p, false) && frs_retry_state_are_left(&p, true));
    ck_assert_uint_eq(p.result.down_crossed_bytes, 9);
    frs_retry_state_resume(&p, false);
    ck_assert_uint_eq(p.result.down_crossed_bytes, 9);
    ck_assert_uint_eq(p.result.resent_down_bytes, 0);
    ck_assert(frs_try(&p, false, 0, &try) && !try.whole && try.bytes == 9);
    ck_assert_double_eq(try.end_s, 3);
    ck_assert(!frs_try(&p, false, 1, &try)); /* it has not begun */
    p.plan.retrying.after_s = 2;
    p.plan.retrying.backoff = 100;
    p.plan.retrying.times = 100;
    ck_assert_double_eq(frs_retry_state_wait_s(&p), 2);
    for (size_t i = 1; i < 100; i++) {
        p.result.down_crossed_bytes = 9;
        frs_retry_state_break(&p, false, 3);
        ck_assert_double_eq(frs_retry_state_wait_s(&p), i == 1   ? 200
                                                        : i == 2 ? 2e4
                                                        : i == 3 ? 2e6
                                                        : i == 4 ? 2e8
                                                                 : 1e9);
    }
    ck_assert(!frs_retry_state_are_left(&p, false));
    p.plan.retrying.longest_s = 300;
    ck_assert_double_eq(frs_retry_state_wait_s(&p), 300);
    frs_participation_fini(&p);
}
END_TEST

/* A connection that went while the client trained is opened anew, which is a try, but none that failed. */
START_TEST(idle_connections_cost_no_retry) {
    struct frs_participation p = frs_participation_new(0);
    p.times.compute_end_s = 2.5;
    frs_retry_state_reopen(&p, true, 3);
    ck_assert_uint_eq(frs_retry_state_last_try(&p, true), 1);
    ck_assert_uint_eq(frs_retry_state_broken(&p, true), 0);
    ck_assert_uint_eq(frs_retry_state_last_try(&p, false), 0);
    frs_participation_fini(&p);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("tries");
    TCase *tests = tcase_create("by hand");
    tcase_add_loop_test(tests, broken_messages_resume_where_they_were, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_from_the_beginning, 0, N_BACKENDS);
    tcase_add_loop_test(tests, deadline_stops_who_waits_for_a_retry, 0, N_BACKENDS);
    tcase_add_loop_test(tests, retries_run_on_after_the_deadline, 0, N_BACKENDS);
    tcase_add_loop_test(tests, failed_devices_are_not_tried_again, 0, N_BACKENDS);
    tcase_add_loop_test(tests, breaks_without_wait_pass_at_once, 0, N_BACKENDS);
    tcase_add_loop_test(tests, a_broken_message_leaves_the_shared_link, 0, N_BACKENDS);
    tcase_add_loop_test(tests, retries_connect_anew, 0, N_EXACT_PLAYERS);
    tcase_add_test(tests, idle_connections_cost_no_retry);
    tcase_add_test(tests, windows_begin_anew_after_a_break);
    tcase_add_test(tests, the_last_byte_is_sent_again);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
