/* The policy of docs/adding-a-policy.md, under every backend: timelines by hand, and its keys. */
#include "sim/base/settings/params.h"
#include "tests/actors/by_hand.h"

extern const struct frs_policy frs_policy_share_by;

/* Arrivals at 3, 4, 5 and 12; those under way when the round closes are cut. */
static struct plan *four_clients(int backend, double share, double after_s) {
    struct plan *plan = plan_with(&frs_policy_share_by, 1, backend);
    plan->policy_settings.share = share;
    plan->policy_settings.after_s = after_s;
    const double compute_s[] = {1, 2, 3, 10};
    for (uint32_t client = 0; client < 4; client++)
        add(plan, 0, client, compute_s[client]);
    plan_run(plan);
    return plan;
}

/* Half of four clients are two, of whom the second arrives at 4. */
START_TEST(the_share_closes) {
    struct plan *plan = four_clients(_i, 0.5, 20);
    CLOSED(0, 4, 0, 1);
    ENDED(0, 2, CUT, ROUND_CLOSED, 4);
    plan_destroy(plan);
}
END_TEST

/* All four are waited for until 7, when three have arrived. */
START_TEST(the_time_closes) {
    struct plan *plan = four_clients(_i, 1, 7);
    CLOSED(0, 7, 0, 1, 2);
    ENDED(0, 3, CUT, ROUND_CLOSED, 7);
    plan_destroy(plan);
}
END_TEST

START_TEST(keys_are_read) {
    const char *const given[] = {"share", "0.6", "after", "2 min", "quorum", "0.5", NULL};
    struct frs_values values = frs_values_of(frs_policy_share_by.plugin.params, given);
    struct frs_policy_setup setup = {.n_clients = 100, .cohort = 10};
    struct frs_errors errors = {0};
    struct frs_policy_settings settings = frs_policy_read(&frs_policy_share_by, &values, &setup, &errors);
    ck_assert_uint_eq(errors.n, 0);
    ck_assert_double_eq(settings.share, 0.6);
    ck_assert_double_eq(settings.after_s, 120);
    ck_assert_uint_eq(settings.quorum, 5);
    frs_values_fini(&values);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("example of a policy");
    TCase *tests = tcase_create("all");
    tcase_add_loop_test(tests, the_share_closes, 0, N_BACKENDS);
    tcase_add_loop_test(tests, the_time_closes, 0, N_BACKENDS);
    tcase_add_test(tests, keys_are_read);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
