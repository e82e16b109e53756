/* Golden timelines of rounds with partial work: every time is worked out in the comments. */
#include "tests/actors/by_hand.h"

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

int main(void) {
    Suite *suite = suite_create("partial_work_policy");
    TCase *tests = tcase_create("timelines worked out by hand");
    tcase_add_loop_test(tests, partial_work_ends_with_the_epoch, 0, N_BACKENDS);
    tcase_add_loop_test(tests, test_partial_work_in_time, 0, N_BACKENDS);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
