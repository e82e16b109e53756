/* Work after the upload, every time worked out by hand.
 *
 * The client of all tests: 0.1 latency, 2000/1000 = 2 → 2.1; computes 3 → 5.1; 0.1 → 5.2; 1000/500 = 2 → 7.2.
 * Whatever it still computes begins at 5.1, with the upload. */
#include "actors/phase_times.h"
#include "tests/actors/fixture.h"

#define IS(value, hand) ck_assert_double_eq_tol(value, hand, 1e-9)

static const struct planned usual = PLANNED(0, 1000, 500, 0.1, 2000, 3, 1000);

static struct planned with_post(uint32_t client, double post_s) {
    struct planned planned = usual;
    planned.client = client;
    planned.post_s = post_s;
    return planned;
}

static void check_post(const struct frs_participation *p, double end_s, enum frs_post_upload_outcome outcome,
    enum frs_cause cause, double share) {
    IS(p->post.end_s, end_s);
    ck_assert_int_eq(p->post.outcome, outcome);
    ck_assert_int_eq(p->post.cause, cause);
    IS(p->post.share, share);
}

static void check_end(
    const struct frs_participation *p, double ended_s, enum frs_outcome outcome, enum frs_cause cause) {
    IS(p->times.ended_s, ended_s);
    ck_assert_int_eq(p->result.outcome, outcome);
    ck_assert_int_eq(p->result.cause, cause);
}

/* It delays no client: the round closes with the last upload, at 7.2, whether the work ends at 9.1 or at
 * 6.1. */
START_TEST(post_upload_work_delays_no_round) {
    struct plan *plan = plan_create(1, _i);
    plan_add(plan, 0, with_post(0, 4));
    plan_add(plan, 0, with_post(1, 1));
    plan_add(plan, 0, with_post(2, 0));
    plan_run(plan);
    for (size_t i = 0; i < 3; i++)
        check_end(&plan->rounds[0][i].p, 7.2, FRS_DELIVERED, FRS_CAUSE_NONE);
    check_post(&plan->rounds[0][0].p, 9.1, FRS_POST_ENDED, FRS_CAUSE_NONE, 1);
    check_post(&plan->rounds[0][1].p, 6.1, FRS_POST_ENDED, FRS_CAUSE_NONE, 1);
    ck_assert_int_eq(plan->rounds[0][2].p.post.outcome, FRS_POST_NONE);
    struct frs_phase_times times = frs_participation_times(&plan->rounds[0][0].p);
    IS(times.post_s, 4);
    IS(times.compute_s, 3);
    IS(plan->closed_s[0], 7.2);
    plan_destroy(plan);
}
END_TEST

/* Offline at 6.1, in mid-upload, and at 8.1, after it; the device fails 1 and 3 after 5.1: the same times. */
START_TEST(vanishing_after_the_upload_loses_the_work) {
    struct plan *plan = plan_create(1, _i);
    for (uint32_t client = 0; client < 4; client++) {
        struct planned planned = with_post(client, 4);
        if (client < 2)
            planned.p.plan.leaves_s = client ? 8.1 : 6.1;
        else
            planned.p.post.fails_after_s = client == 3 ? 3 : 1;
        plan_add(plan, 0, planned);
    }
    plan_run(plan);
    for (size_t i = 0; i < 4; i++) {
        enum frs_cause cause = i < 2 ? FRS_CAUSE_OFFLINE : FRS_CAUSE_DEVICE;
        const struct frs_participation *p = &plan->rounds[0][i].p;
        if (i % 2) {
            check_end(p, 7.2, FRS_DELIVERED, FRS_CAUSE_NONE);
            check_post(p, 8.1, FRS_POST_DROPPED, cause, 0.75);
        } else {
            check_end(p, 6.1, FRS_DROPPED_UP, cause);
            check_post(p, 6.1, FRS_POST_DROPPED, cause, 0.25);
            ck_assert_uint_eq(p->result.up_crossed_bytes, 450); /* 0.9 s of 500 */
        }
    }
    IS(plan->closed_s[0], 7.2);
    plan_destroy(plan);
}
END_TEST

/* Half-way through the upload, at 6.2: if the connection is lost, the device works on; if the device is
 * lost, both end. The work of the third had ended at 6.1. */
START_TEST(test_upload_is_lost) {
    struct plan *plan = plan_create(1, _i);
    const struct frs_loss loss = {.planned = true, .at_share = 0.5, .after_s = INFINITY};
    for (uint32_t client = 0; client < 3; client++) {
        struct planned planned = with_post(client, client == 2 ? 1 : 4);
        planned.p.plan.up_loss = loss;
        planned.p.plan.up_loss.cause = client ? FRS_CAUSE_DEVICE : FRS_CAUSE_CONNECTION;
        plan_add(plan, 0, planned);
    }
    plan_run(plan);
    check_end(&plan->rounds[0][0].p, 6.2, FRS_DROPPED_UP, FRS_CAUSE_CONNECTION);
    check_post(&plan->rounds[0][0].p, 9.1, FRS_POST_ENDED, FRS_CAUSE_NONE, 1);
    check_end(&plan->rounds[0][1].p, 6.2, FRS_DROPPED_UP, FRS_CAUSE_DEVICE);
    check_post(&plan->rounds[0][1].p, 6.2, FRS_POST_DROPPED, FRS_CAUSE_DEVICE, 1.1 / 4);
    check_end(&plan->rounds[0][2].p, 6.2, FRS_DROPPED_UP, FRS_CAUSE_DEVICE);
    check_post(&plan->rounds[0][2].p, 6.1, FRS_POST_ENDED, FRS_CAUSE_NONE, 1);
    plan_destroy(plan);
}
END_TEST

/* The server stops the client in the middle of its upload, by a deadline at 6 and by a restart at 6: the
 * device works on. If it stops the client while it computes, at 4, nothing follows. */
START_TEST(test_server_stops_the_upload) {
    extern const struct frs_policy frs_policy_deadline;
    for (int restarts = 0; restarts < 2; restarts++)
        for (int early = 0; early < 2; early++) {
            struct plan *plan = plan_create(1, _i);
            double at_s = early ? 4 : 6;
            plan_add(plan, 0, with_post(0, 4));
            if (restarts) {
                plan->restarts_s[plan->n_restarts++] = at_s;
            } else {
                plan->policy = &frs_policy_deadline;
                plan->policy_settings.after_s = at_s;
                plan->policy_settings.n_selected = 1;
            }
            plan_run(plan);
            const struct frs_participation *p = &plan->rounds[0][0].p;
            check_end(p, at_s, FRS_CUT, restarts ? FRS_CAUSE_SERVER_RESTART : FRS_CAUSE_ROUND_CLOSED);
            if (early)
                ck_assert_int_eq(p->post.outcome, FRS_POST_NONE);
            else
                check_post(p, 9.1, FRS_POST_ENDED, FRS_CAUSE_NONE, 1);
            plan_destroy(plan);
        }
}
END_TEST

/* Asked again at 7.2 while it works until 15.1: 7.3; 9.3; the message waits until 15.1; 18.1; 18.2; 20.2. Its
 * new work lasts from 18.1 to 28.1. In round 3, at 20.2, the device is again at work: 20.3; 22.3; 28.1; 31.1;
 * 31.2; 33.2. */
START_TEST(selected_again_waits_for_its_device) {
    struct plan *plan = plan_create(3, _i);
    plan_add(plan, 0, with_post(0, 10));
    plan_add(plan, 1, with_post(0, 10));
    plan_add(plan, 2, with_post(0, 0));
    plan_run(plan);
    static const double starts[] = {0, 7.2, 20.2}, computes[] = {2.1, 15.1, 28.1}, ends[] = {7.2, 20.2, 33.2};
    for (size_t round = 0; round < 3; round++) {
        const struct frs_participation *p = &plan->rounds[round][0].p;
        IS(p->times.selected_s, starts[round]);
        IS(p->times.down_end_s, starts[round] + 2.1);
        IS(p->times.compute_start_s, computes[round]);
        IS(p->times.compute_end_s, computes[round] + 3);
        check_end(p, ends[round], FRS_DELIVERED, FRS_CAUSE_NONE);
        IS(plan->closed_s[round], ends[round]);
        struct frs_phase_times times = frs_participation_times(p);
        IS(times.queue_s, computes[round] - starts[round] - 2.1);
        IS(times.compute_s, 3);
        IS(times.latency_s, 0.2);
    }
    check_post(&plan->rounds[0][0].p, 15.1, FRS_POST_ENDED, FRS_CAUSE_NONE, 1);
    check_post(&plan->rounds[1][0].p, 28.1, FRS_POST_ENDED, FRS_CAUSE_NONE, 1);
    plan_destroy(plan);
}
END_TEST

/* The device fails at 14.1, 9 after its work began: the participation that waits for it goes with it. Failing
 * at 8.1 it ends the download of round 2, which began at 7.3. */
START_TEST(a_failing_device_loses_what_waits_for_it) {
    for (int early = 0; early < 2; early++) {
        struct plan *plan = plan_create(2, _i);
        plan_add(plan, 0, with_post(0, 10));
        plan->rounds[0][0].p.post.fails_after_s = early ? 3 : 9;
        plan_add(plan, 1, with_post(0, 10));
        plan_run(plan);
        const struct frs_participation *p = &plan->rounds[1][0].p;
        check_end(&plan->rounds[0][0].p, 7.2, FRS_DELIVERED, FRS_CAUSE_NONE);
        check_post(
            &plan->rounds[0][0].p, early ? 8.1 : 14.1, FRS_POST_DROPPED, FRS_CAUSE_DEVICE, early ? 0.3 : 0.9);
        if (early) {
            check_end(p, 8.1, FRS_DROPPED_DOWN, FRS_CAUSE_DEVICE);
            ck_assert_uint_eq(p->result.down_crossed_bytes, 800);
        } else {
            check_end(p, 14.1, FRS_DROPPED_COMPUTE, FRS_CAUSE_DEVICE);
            ck_assert_double_eq(p->result.computed_share, 0);
            ck_assert(isnan(p->times.compute_start_s));
        }
        ck_assert_int_eq(p->post.outcome, FRS_POST_NONE);
        plan_destroy(plan);
    }
}
END_TEST

/* The other way round: round 2 loses the device half-way through its download, at 8.3, and with it goes the
 * work that would have lasted until 15.1. Round 3, at 8.3, finds the device free: 8.4; 10.4; 13.4. Where it
 * is the connection that is lost, the work goes on and round 3 waits for it: 10.4; 15.1; 18.1. */
START_TEST(test_next_download_is_lost) {
    for (int device = 0; device < 2; device++) {
        struct plan *plan = plan_create(3, _i);
        plan_add(plan, 0, with_post(0, 10));
        plan_add(plan, 1, with_post(0, 10));
        plan->rounds[1][0].p.plan.down_loss = (struct frs_loss){.planned = true,
            .at_share = 0.5,
            .cause = device ? FRS_CAUSE_DEVICE : FRS_CAUSE_CONNECTION,
            .after_s = INFINITY};
        plan_add(plan, 2, with_post(0, 0));
        plan_run(plan);
        check_end(
            &plan->rounds[1][0].p, 8.3, FRS_DROPPED_DOWN, device ? FRS_CAUSE_DEVICE : FRS_CAUSE_CONNECTION);
        if (device)
            check_post(&plan->rounds[0][0].p, 8.3, FRS_POST_DROPPED, FRS_CAUSE_DEVICE, 0.32);
        else
            check_post(&plan->rounds[0][0].p, 15.1, FRS_POST_ENDED, FRS_CAUSE_NONE, 1);
        IS(plan->rounds[2][0].p.times.down_end_s, 10.4);
        IS(plan->rounds[2][0].p.times.compute_start_s, device ? 10.4 : 15.1);
        IS(plan->rounds[2][0].p.times.compute_end_s, device ? 13.4 : 18.1);
        plan_destroy(plan);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("work after the upload");
    TCase *tests = tcase_create("times worked out by hand");
    tcase_add_loop_test(tests, post_upload_work_delays_no_round, 0, N_BACKENDS);
    tcase_add_loop_test(tests, vanishing_after_the_upload_loses_the_work, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_upload_is_lost, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_server_stops_the_upload, 0, N_BACKENDS);
    tcase_add_loop_test(tests, selected_again_waits_for_its_device, 0, N_BACKENDS);
    tcase_add_loop_test(tests, a_failing_device_loses_what_waits_for_it, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_next_download_is_lost, 0, N_BACKENDS);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
