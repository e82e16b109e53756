/* Labels: slow
 *
 * Recommendation quality on MovieLens-100K against what is published; with one seed here, with three by
 * `ctest -L long`. */
#include "tests/oracle/published.h"

#ifndef N_SEEDS
#define N_SEEDS 1
#endif

/* PFedCLR, table 1: HR@10 0.4846 of FedMF under the protocol of the published code. */
START_TEST(fedmf_has_its_published_quality) {
    if (!has_data("published FedMF", "ml-100k/u.data"))
        return;
    char *scenario = frs_format("%s/scenarios/papers/pfedclr-table1-fedmf-ml100k.cfg", frs_test_source_dir());
    double sum = 0;
    for (int seed = 1; seed <= N_SEEDS; seed++) {
        char *options =
            frs_format("--force --seed %d --set evaluation.protocol=leaky --set evaluation.every=100 "
                       "--set evaluation.non_federated=popularity",
                seed);
        run_scenario(scenario, "out", options);
        sum += hit_ratio("out");
        free(options);
    }
    printf("FedMF on MovieLens-100K, leaky: HR@10 %.4f, published 0.4846\n", sum / N_SEEDS);
    ck_assert_double_eq_tol(sum / N_SEEDS, 0.4846, 0.03);
    free(scenario);
}
END_TEST

/* CoLR of rank 4 as its published code runs: HR@10 0.375 at round 50 and 0.550 at round 200. */
START_TEST(colr_has_its_published_quality) {
    if (!has_data("published CoLR", "ml-100k/u.data"))
        return;
    char *scenario = frs_format("%s/scenarios/papers/colr-ml100k.cfg", frs_test_source_dir());
    run_scenario(scenario, "out", "--set evaluation.every=50");
    struct table rounds = table_load("out", "rounds.csv");
    double at_50 = cell(&rounds, 49, "hr@10"), at_200 = cell(&rounds, 199, "hr@10");
    printf(
        "CoLR of rank 4 on MovieLens-100K: HR@10 %.4f and %.4f, published 0.375 and 0.550\n", at_50, at_200);
    ck_assert_double_eq_tol(at_50, 0.375, 0.03);
    ck_assert_double_eq_tol(at_200, 0.550, 0.03);
    table_fini(&rounds);
    free(scenario);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("published quality");
    TCase *tests = tcase_create("MovieLens-100K");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 550);
    tcase_add_test(tests, fedmf_has_its_published_quality);
    tcase_add_test(tests, colr_has_its_published_quality);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
