/* Labels: long
 *
 * SCoLR against table 4 of its paper, and what the two ways to divide give (docs/methods/scolr.md). */
#include "tests/oracle/published.h"

static double run_scolr(const char *name, const char *options) {
    char *scenario = frs_format("%s/scenarios/papers/%s", frs_test_source_dir(), name);
    char *all = frs_format("--force --set evaluation.every=1000 %s", options);
    run_scenario(scenario, "out", all);
    free(scenario);
    free(all);
    return hit_ratio("out");
}

/* MovieLens-1M: HR@10 .6459 at global rank 32, .5275 at 8. */
START_TEST(table_4_is_reproduced) {
    if (!has_data("SCoLR, table 4", "ml-1m/ratings.dat"))
        return;
    double large = run_scolr("scolr-table4.cfg", "");
    double small = run_scolr("scolr-table4.cfg", "--set method.rank=8 --set method.learning_rate=0.0625");
    printf("SCoLR on MovieLens-1M: HR@10 %.4f and %.4f, published 0.6459 and 0.5275\n", large, small);
    ck_assert_double_eq_tol(large, 0.6459, 0.04);
    ck_assert_double_eq_tol(small, 0.5275, 0.04);
}
END_TEST

/* MovieLens-100K, 4 of 16 columns: .612 and .586 over three seeds. */
START_TEST(division_reproduces_ranks) {
    if (!has_data("SCoLR, ways to divide", "ml-100k/u.data"))
        return;
    double sum = 0, per_row = 0;
    for (int seed = 1; seed <= 3; seed++) {
        char *one = frs_format("--seed %d", seed);
        char *other = frs_format("--seed %d --set method.aggregation=per_row", seed);
        sum += run_scolr("scolr-ml100k.cfg", one) / 3;
        per_row += run_scolr("scolr-ml100k.cfg", other) / 3;
        free(one);
        free(other);
    }
    printf("SCoLR on MovieLens-100K: HR@10 %.4f by sum, %.4f by row\n", sum, per_row);
    ck_assert_double_eq_tol(sum, 0.612, 0.015);
    ck_assert_double_gt(sum, per_row);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("published SCoLR");
    TCase *tests = tcase_create("published SCoLR");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 550);
    tcase_add_test(tests, table_4_is_reproduced);
    tcase_add_test(tests, division_reproduces_ranks);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
