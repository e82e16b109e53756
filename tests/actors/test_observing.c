/* What the server has seen of participations by the time at which it learned of their end. Clients
 * download 1000 bytes in 1 s; everything else is worked out in the comments. */
#include "actors/observing.h"
#include "tests/actors/by_hand.h"

#define LATENCY_S 0.25

/* It has its download after .25 + 1 s. */
static struct planned *add_client(struct plan *plan, double down_bytes, double compute_s, double up_bytes) {
    uint32_t client = (uint32_t)plan->n[0];
    plan_add(plan, 0,
        (struct planned)PLANNED(
            client, 1000, 1000, LATENCY_S, (uint64_t)down_bytes, compute_s, (uint64_t)up_bytes));
    return last_added(plan, 0);
}

static struct frs_loss at_share(double share) {
    return (struct frs_loss){
        .planned = true, .at_share = share, .cause = FRS_CAUSE_DEVICE, .after_s = INFINITY};
}

static struct frs_observation see(const struct plan *plan, size_t i) {
    struct frs_observation seen;
    const struct frs_participation *p = &plan->rounds[0][i].p;
    ck_assert(frs_observing(p, plan->detect_s, &seen));
    ck_assert_uint_eq(seen.client, p->client);
    IS(seen.round_trip_s, 2 * LATENCY_S);
    return seen;
}

static void check_download(const struct frs_observation *seen, double latency_s) {
    IS(seen->latency_s, latency_s);
    IS(seen->down_s, 1);
    ck_assert_double_eq(seen->down_bytes, 1000);
}

static void check_upload(const struct frs_observation *seen, double compute_s, double up_s, double up_bytes) {
    IS(seen->compute_s, compute_s);
    IS(seen->up_s, up_s);
    ck_assert_double_eq(seen->up_bytes, up_bytes);
}

/* The server stops waiting at 4 s. */
START_TEST(cut_participation_is_seen_until_the_cut) {
    struct plan *plan = plan_deadline(1, _i, 4, CUT);
    plan->detect_s = 30;
    add_client(plan, 1000, 1, 1000);   /* 0 delivers at 1.25 + 1 + .25 + 1 */
    add_client(plan, 8000, 1, 1000);   /* 1 downloads */
    add_client(plan, 1000, 10, 1000);  /* 2 computes */
    add_client(plan, 1000, 1, 4000);   /* 3 uploads from 2.5 on: 1500 bytes */
    add_client(plan, 1000, 2.6, 1000); /* 4 has sent its first byte, which is under way from 3.85 to 4.1 */
    add_client(plan, 3600, 1, 1000);   /* 5 has had its download at 3.85, and the server hears of it at 4.1 */
    plan_run(plan);
    struct frs_observation seen = see(plan, 0);
    ck_assert_int_eq(seen.sight, FRS_SAW_UPLOAD);
    IS(seen.waited_s, 3.5);
    check_download(&seen, 0.5);
    check_upload(&seen, 1, 1, 1000);
    for (size_t i = 1; i < 6; i++) {
        static const enum frs_evidence sights[] = {
            FRS_SAW_UPLOAD, FRS_SAW_NOTHING, FRS_SAW_RECEIPT, FRS_SAW_PART, FRS_SAW_RECEIPT, FRS_SAW_NOTHING};
        seen = see(plan, i);
        ck_assert_msg(seen.sight == sights[i], "client %zu: %d", i, (int)seen.sight);
        ck_assert(!seen.lost);
        IS(seen.waited_s, 4);
        if (seen.sight >= FRS_SAW_RECEIPT)
            check_download(&seen, 0.5);
        if (seen.sight == FRS_SAW_PART)
            check_upload(&seen, 1, 1.5, 1500);
    }
    plan_destroy(plan);
}
END_TEST

/* The clients of a pair differ only in what happens later: one vanishes before 4 s without the server
 * detecting it, or computes longer, and the other is at work. They look the same. */
START_TEST(test_unknown_losses_look_like_cuts) {
    struct plan *plan = plan_deadline(1, _i, 4, CUT);
    plan->detect_s = 30;
    add_client(plan, 1000, 10, 1000);
    add_client(plan, 1000, 10, 1000)->p.plan.compute_loss = at_share(0.1);
    add_client(plan, 1000, 10, 1000);
    add_client(plan, 1000, 2.75, 9000); /* its upload starts at 4.25 */
    add_client(plan, 8000, 10, 1000);
    add_client(plan, 9000, 10, 1000)->p.plan.down_loss = at_share(0.1);
    plan_run(plan);
    ck_assert_int_eq(plan->rounds[0][1].p.result.outcome, FRS_DROPPED_COMPUTE);
    ck_assert_int_eq(plan->rounds[0][5].p.result.outcome, FRS_DROPPED_DOWN);
    for (size_t i = 0; i < 6; i += 2) {
        struct frs_observation a = see(plan, i), b = see(plan, i + 1);
        b.client = a.client;
        ck_assert_mem_eq(&a, &b, sizeof a);
    }
    plan_destroy(plan);
}
END_TEST

/* The upload broke off at 3.5: at 4 s the server has 1000 bytes of it, for which it has waited since 2.5. */
START_TEST(test_unknown_loss_of_an_upload) {
    struct plan *plan = plan_deadline(1, _i, 4, CUT);
    plan->detect_s = 30;
    add_client(plan, 1000, 1, 4000)->p.plan.up_loss = at_share(0.25);
    plan_run(plan);
    struct frs_observation seen = see(plan, 0);
    ck_assert_int_eq(seen.sight, FRS_SAW_PART);
    ck_assert(!seen.lost);
    IS(seen.waited_s, 4);
    check_upload(&seen, 1, 1.5, 1000);
    plan_destroy(plan);
}
END_TEST

/* 30 s after a client vanished the server detects it. By 3.5, 1000 bytes of the upload had arrived. */
START_TEST(detected_loss_is_seen_until_it_vanished) {
    struct plan *plan = plan_with(&frs_policy_wait_all, 1, _i);
    plan->detect_s = 30;
    add_client(plan, 1000, 1, 4000)->p.plan.down_loss = at_share(0.5);
    add_client(plan, 1000, 1, 4000)->p.plan.compute_loss = at_share(0.5);
    add_client(plan, 1000, 1, 4000)->p.plan.up_loss = at_share(0.25);
    plan_run(plan);
    static const enum frs_evidence sights[] = {FRS_SAW_NOTHING, FRS_SAW_RECEIPT, FRS_SAW_PART};
    for (size_t i = 0; i < 3; i++) {
        struct frs_observation seen = see(plan, i);
        ck_assert_int_eq(seen.sight, sights[i]);
        ck_assert(seen.lost);
        ck_assert_double_eq(seen.waited_s, 0);
        IS(plan->rounds[0][i].p.times.known_s, plan->rounds[0][i].p.times.ended_s + 30);
        if (i == 2)
            check_upload(&seen, 1, 1, 1000);
    }
    plan_destroy(plan);
}
END_TEST

/* The server sees a late participation as a whole: 1.25 + 1 + .25 + 4. Before, it has opened a connection
 * of .75 s with 100 bytes each way. */
START_TEST(late_participation_is_seen_as_a_whole) {
    struct plan *plan = plan_deadline(1, _i, 4, ACCEPTED_LATE);
    plan->n_rounds = 2;
    add_client(plan, 1000, 1, 4000)->handshake =
        (struct frs_handshake){.wait_s = 0.75, .up_bytes = 100, .down_bytes = 100};
    plan_add(plan, 1, (struct planned)PLANNED(7, 1000, 1000, 0, 1000, 1, 9000));
    plan->policy_settings.after_s = 4;
    plan_run(plan);
    struct frs_observation seen = see(plan, 0);
    ck_assert_int_eq(plan->rounds[0][0].p.result.outcome, FRS_LATE);
    ck_assert_int_eq(seen.sight, FRS_SAW_UPLOAD);
    IS(seen.waited_s, 0.95 + 6.5);
    check_download(&seen, 0.95 + 0.5);
    check_upload(&seen, 1, 4, 4000);
    plan_destroy(plan);
}
END_TEST

/* The upload breaks off at 3 s, with 500 bytes, and continues 2.25 s later. Waiting and connecting anew do
 * not count as time of the message; nor does what is sent again, if it begins anew: 1500 bytes in 1.5 s. */
START_TEST(retries_are_no_time_of_the_message) {
    for (int resumes = 0; resumes < 2; resumes++) {
        struct plan *plan = plan_with(&frs_policy_wait_all, 1, _i);
        struct planned *planned = add_client(plan, 1000, 1, 1000);
        planned->retrying = (struct frs_retrying){.times = 1, .after_s = 2, .backoff = 1, .resumes = resumes};
        planned->p.plan.up_loss = at_share(0.5);
        planned->p.plan.up_loss.cause = FRS_CAUSE_CONNECTION;
        plan_run(plan);
        struct frs_observation seen = see(plan, 0);
        ck_assert_int_eq(seen.sight, FRS_SAW_UPLOAD);
        IS(seen.waited_s, resumes ? 5.75 : 6.25);
        check_upload(&seen, 1, 1, 1000);
        check_download(&seen, resumes ? 2.75 : 3.25);
        plan_destroy(plan);
    }
}
END_TEST

/* The upload breaks off at 3 s, with 500 bytes, and is to continue 2.25 s later. The server stops waiting
 * in between, and, in the second case, half a second into the new try: with 500 and 1000 received bytes.
 * If the message begins anew, none and 500 of these count. */
START_TEST(test_cut_after_a_break) {
    static const double times[] = {4, 5.75}, bytes[] = {500, 1000}, kept[] = {0, 500};
    for (size_t i = 0; i < 4; i++) {
        bool resumes = i / 2;
        struct plan *plan = plan_deadline(1, _i, times[i % 2], CUT);
        plan->detect_s = 30;
        struct planned *planned = add_client(plan, 1000, 1, 2000);
        planned->retrying = (struct frs_retrying){.times = 1, .after_s = 2, .backoff = 1, .resumes = resumes};
        planned->p.plan.up_loss = at_share(0.25);
        planned->p.plan.up_loss.cause = FRS_CAUSE_CONNECTION;
        plan_run(plan);
        struct frs_observation seen = see(plan, 0);
        ck_assert_int_eq(seen.sight, FRS_SAW_PART);
        check_upload(&seen, 1, bytes[i % 2] / 1000, bytes[i % 2]);
        ck_assert_double_eq(seen.kept_up_bytes, resumes ? bytes[i % 2] : kept[i % 2]);
        plan_destroy(plan);
    }
}
END_TEST

/* Two uploads break off at 3 s, with 500 bytes, and are to continue from 3.75 s: the clients connect anew
 * at 3.5. One of them vanishes at 3.6, which the server does not know when it stops waiting at 4 s. They
 * look the same except for the 250 bytes that the other has sent by then. */
START_TEST(test_unknown_loss_of_a_new_try) {
    struct plan *plan = plan_deadline(1, _i, 4, CUT);
    plan->detect_s = 30;
    for (size_t i = 0; i < 2; i++) {
        struct planned *planned = add_client(plan, 1000, 1, 1000);
        planned->retrying = (struct frs_retrying){.times = 1, .after_s = 0.5, .backoff = 1, .resumes = true};
        planned->p.plan.up_loss = at_share(0.5);
        planned->p.plan.up_loss.cause = FRS_CAUSE_CONNECTION;
        planned->p.plan.leaves_s = i == 0 ? INFINITY : 3.6;
        planned->p.plan.leaves_cause = FRS_CAUSE_OFFLINE;
    }
    plan_run(plan);
    ck_assert_int_eq(plan->rounds[0][1].p.result.outcome, FRS_DROPPED_UP);
    for (size_t i = 0; i < 2; i++) {
        struct frs_observation seen = see(plan, i);
        ck_assert_int_eq(seen.sight, FRS_SAW_PART);
        IS(seen.waited_s, 4);
        check_upload(&seen, 1, 0.75, i == 0 ? 750 : 500);
        check_download(&seen, 0.5 + 0.5 + 0.25);
    }
    plan_destroy(plan);
}
END_TEST

/* A client that refuses for lack of memory says so at once. */
START_TEST(refusal_is_known_at_once) {
    struct plan *plan = plan_deadline(1, _i, 4, CUT);
    plan->detect_s = 30;
    add_client(plan, 1000, 1, 1000);
    add_client(plan, 1000, 1, 1000)->p.plan.refused = true;
    plan_run(plan);
    ck_assert_int_eq(plan->rounds[0][1].p.result.outcome, FRS_REFUSED);
    struct frs_observation seen = see(plan, 1);
    ck_assert_int_eq(seen.sight, FRS_SAW_NOTHING);
    ck_assert(seen.lost);
    ck_assert_double_eq(seen.waited_s, 0);
    plan_destroy(plan);
}
END_TEST

/* What the server lost is not seen, nor is what never left it. */
START_TEST(test_nothing_to_see) {
    struct plan *plan = plan_deadline(2, _i, 4, CUT);
    struct frs_observation seen;
    restart_at(plan, 2);
    add_client(plan, 1000, 1, 1000);
    plan_add(plan, 1, (struct planned)PLANNED(7, 1000, 1000, 0, 1000, 1, 1000));
    plan_run(plan);
    ck_assert(!frs_observing(&plan->rounds[0][0].p, 0, &seen));
    struct frs_participation never = frs_participation_new(3);
    ck_assert(!frs_observing(&never, 0, &seen));
    plan_destroy(plan);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("observing");
    TCase *tests = tcase_create("observing");
    tcase_add_loop_test(tests, cut_participation_is_seen_until_the_cut, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_unknown_losses_look_like_cuts, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_unknown_loss_of_an_upload, 0, N_BACKENDS);
    tcase_add_loop_test(tests, detected_loss_is_seen_until_it_vanished, 0, N_BACKENDS);
    tcase_add_loop_test(tests, late_participation_is_seen_as_a_whole, 0, N_BACKENDS);
    tcase_add_loop_test(tests, retries_are_no_time_of_the_message, 0, 2);
    tcase_add_loop_test(tests, test_cut_after_a_break, 0, 2);
    tcase_add_loop_test(tests, test_unknown_loss_of_a_new_try, 0, 2);
    tcase_add_loop_test(tests, refusal_is_known_at_once, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_nothing_to_see, 0, N_BACKENDS);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
