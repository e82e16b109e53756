/* Golden timelines of rounds that wait for a share of their clients. Every time is worked out in the
 * comments. */
#include "tests/actors/by_hand.h"

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

int main(void) {
    Suite *suite = suite_create("quantile");
    TCase *tests = tcase_create("timelines worked out by hand");
    tcase_add_loop_test(tests, quantile_waits_for_its_share, 0, N_BACKENDS);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
