/* What policies make of their keys, worked out by hand. */
#include "actors/policies/quorum.h"
#include "actors/policy.h"
#include "sim/base/errors.h"
#include "sim/base/settings/params.h"
#include "tests/support.h"

extern const struct frs_policy frs_policy_deadline, frs_policy_over_select, frs_policy_quorum_then_wait,
    frs_policy_buffered_async;

/* Ten of a hundred clients a round. */
static struct frs_policy_settings settings_of(
    const struct frs_policy *policy, bool run_on, const char *const *keys) {
    const struct frs_policy_setup setup = {.n_clients = 100, .cohort = 10, .run_on = run_on};
    struct frs_errors errors = {0};
    struct frs_values values = frs_values_of(policy->plugin.params, keys);
    struct frs_policy_settings settings = frs_policy_read(policy, &values, &setup, &errors);
    ck_assert_uint_eq(errors.n, 0);
    frs_values_fini(&values);
    return settings;
}

#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* 0.07 of 100 is 7.000000000000001 in binary numbers, and is 7; 80 % of 11 are 8.8. */
START_TEST(a_share_is_rounded_up) {
    ck_assert_uint_eq(frs_share_of(0.7, 10), 7);
    ck_assert_uint_eq(frs_share_of(0.07, 100), 7);
    ck_assert_uint_eq(frs_share_of(0.8, 11), 9);
    ck_assert_uint_eq(frs_share_of(0.01, 10), 1);
    ck_assert_uint_eq(frs_share_of(0, 10), 0);
    ck_assert_uint_eq(frs_share_of(1, 10), 10);
}
END_TEST

/* Without a quorum no attempt is void, and the number of attempts is not read. */
START_TEST(attempts_are_those_of_a_quorum) {
    struct frs_policy_settings settings = settings_of(&frs_policy_deadline, false, KEYS("after", "5 s"));
    ck_assert_uint_eq(settings.quorum, 0);
    ck_assert_uint_eq(settings.max_attempts, 0);
    settings =
        settings_of(&frs_policy_deadline, false, KEYS("after", "5 s", "quorum", "0.55", "max_attempts", "3"));
    ck_assert_uint_eq(settings.quorum, 6);
    ck_assert_uint_eq(settings.max_attempts, 3);
}
END_TEST

START_TEST(over_selection_is_a_number_or_a_factor) {
    ck_assert_uint_eq(settings_of(&frs_policy_over_select, false, KEYS("select", "17")).n_selected, 17);
    ck_assert_uint_eq(settings_of(&frs_policy_over_select, false, KEYS("factor", "1.31")).n_selected, 14);
    ck_assert_uint_eq(settings_of(&frs_policy_over_select, false, KEYS("factor", "12")).n_selected, 100);
    ck_assert_uint_eq(settings_of(&frs_policy_over_select, false, KEYS("select", "17")).n_needed, 10);
}
END_TEST

/* Stragglers that were told to stop upload nothing that could be accepted. */
START_TEST(late_uploads_need_stragglers_that_run_on) {
    for (int run_on = 0; run_on < 2; run_on++) {
        struct frs_policy_settings settings = settings_of(&frs_policy_quorum_then_wait, run_on,
            KEYS("uploads", "35 %", "late", "accept", "late_rounds", "4"));
        ck_assert_uint_eq(settings.n_needed, 4);
        ck_assert_int_eq(settings.accepts_late, run_on);
        ck_assert_uint_eq(settings.late_rounds, run_on ? 4 : 0);
        ck_assert_int_eq(settings.damps_stale, run_on);
    }
    ck_assert(!settings_of(&frs_policy_quorum_then_wait, true, KEYS("late", "accept", "staleness", "none"))
                   .damps_stale);
    ck_assert(!settings_of(&frs_policy_quorum_then_wait, true, KEYS("late", "reject")).accepts_late);
}
END_TEST

START_TEST(patience_is_for_every_upload_needed) {
    struct frs_policy_settings settings =
        settings_of(&frs_policy_buffered_async, true, KEYS("arrivals", "5", "patience", "20"));
    ck_assert_uint_eq(settings.n_needed, 5);
    ck_assert_uint_eq(settings.patience, 100);
    ck_assert(settings.damps_stale);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("policy settings");
    TCase *tests = tcase_create("by hand");
    tcase_add_test(tests, a_share_is_rounded_up);
    tcase_add_test(tests, attempts_are_those_of_a_quorum);
    tcase_add_test(tests, over_selection_is_a_number_or_a_factor);
    tcase_add_test(tests, late_uploads_need_stragglers_that_run_on);
    tcase_add_test(tests, patience_is_for_every_upload_needed);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
