/* What became of grants, by hand: each way in which a participation can end. */
#include "sim/rounds/assigned_budgets.h"
#include "tests/support.h"

#include <math.h>

static struct frs_participation ended(
    uint32_t client, enum frs_outcome outcome, double started_s, double ended_s, double predicted_s) {
    return (struct frs_participation){.client = client,
        .plan.grant = {.budget = 4,
            .predicted_s = predicted_s,
            .predicted_bytes = 400,
            .largest_bytes = 800,
            .work = 1},
        .usage.up_bytes = 200, /* its codec sent half of what was predicted */
        .times = {.started_s = started_s, .ended_s = ended_s},
        .result.outcome = outcome};
}

START_TEST(each_end_is_counted) {
    struct frs_assigned_budgets *assigned_budgets = frs_assigned_budgets_create(3, 8);
    static const enum frs_outcome outcomes[] = {FRS_DELIVERED, FRS_LATE, FRS_CUT, FRS_CUT, FRS_CUT,
        FRS_UNAVAILABLE, FRS_DROPPED_DOWN, FRS_DROPPED_COMPUTE, FRS_DROPPED_UP, FRS_REFUSED};
    /* Three are aborted: one was predicted to take longer than the server waited, one shorter, and one was
     * aborted while the server was encoding. */
    static const double started_s[] = {10, 10, 10, 10, NAN, 10, 10, 10, 10, 10},
                        ended_s[] = {13, 17, 15, 15, 10, 12, 12, 12, 12, 12},
                        predicted_s[] = {2, 8, 6, 3, 3, 3, 3, 3, 3, 3};
    for (size_t i = 0; i < 10; i++) {
        struct frs_participation p = ended(i % 3, outcomes[i], started_s[i], ended_s[i], predicted_s[i]);
        frs_assigned_budgets_add(assigned_budgets, p.client, i == 0 ? 2 : 4);
        frs_assigned_budgets_settle(assigned_budgets, &p);
    }
    const struct frs_assigned_budget_totals *t = frs_assigned_budgets_totals(assigned_budgets);
    ck_assert_uint_eq(t->sums.n, 10);
    ck_assert_double_eq(t->sums.budget, 38);
    ck_assert_uint_eq(t->sums.in_time, 1);
    ck_assert_uint_eq(t->min, 2);
    ck_assert_uint_eq(t->max, 4);
    ck_assert_uint_eq(t->times[2], 1);
    ck_assert_uint_eq(t->times[4], 9);
    ck_assert_uint_eq(t->ends[FRS_ASSIGNED_IN_TIME], 1);
    ck_assert_uint_eq(t->ends[FRS_ASSIGNED_LATE], 1);
    ck_assert_uint_eq(t->ends[FRS_ASSIGNED_CUT], 3);
    ck_assert_uint_eq(t->ends[FRS_ASSIGNED_LOST], 5);
    ck_assert_uint_eq(t->arrived.n, 2);
    ck_assert_double_eq(t->arrived.predicted_s, 10);
    ck_assert_double_eq(t->arrived.actual_s, 3 + 7);
    ck_assert_double_eq(t->arrived.error_s, 1 + 1);
    ck_assert_uint_eq(t->cut.n, 2);
    ck_assert_double_eq(t->cut.predicted_s, 9);
    ck_assert_double_eq(t->cut.actual_s, 5 + 5);
    ck_assert_double_eq(t->cut.error_s, 0 + 2);
    ck_assert_double_eq(t->saved_bytes, 2 * 400 / 2.0);
    ck_assert_uint_eq(frs_assigned_budgets_client(assigned_budgets, 0)->n, 4);
    ck_assert_double_eq(frs_assigned_budgets_client(assigned_budgets, 0)->budget, 14);
    ck_assert_uint_eq(frs_assigned_budgets_client(assigned_budgets, 0)->in_time, 1);
    ck_assert_uint_eq(frs_assigned_budgets_client(assigned_budgets, 1)->in_time, 0);
    frs_assigned_budgets_destroy(assigned_budgets);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("grants");
    TCase *tests = tcase_create("grants");
    tcase_add_test(tests, each_end_is_counted);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
