/* Labels: long
 *
 * FedRAP and FedNCF on MovieLens-100K against what is published and what their re-implementations gave. */
#include "tests/oracle/published.h"

static struct table run_rounds(const char *name, const char *options) {
    char *scenario = frs_format("%s/scenarios/papers/%s.cfg", frs_test_source_dir(), name);
    char *all = frs_format("--force --set evaluation.non_federated=popularity %s", options);
    run_scenario(scenario, "out", all);
    free(all);
    free(scenario);
    return table_load("out", "rounds.csv");
}

/* The authors' code under the protocol of their code: .9709/.8781 is passed on the way. */
START_TEST(test_published_code_leaky) {
    if (!has_data("published FedRAP", "ml-100k/u.data"))
        return;
    struct table rounds = run_rounds("fedrap-ml100k",
        "--set method.variant=published_code --set method.lambda=0.01 --set evaluation.protocol=leaky "
        "--set evaluation.every=25 --set rounds.count=50");
    double hr = cell(&rounds, 49, "hr@10");
    printf("FedRAP, published code, leaky, round 50: HR@10 %.4f, published 0.9709\n", hr);
    ck_assert_double_ge(hr, 0.95);
    table_fini(&rounds);
}
END_TEST

/* What is left of it when held-out items may be drawn as negatives. */
START_TEST(test_published_code_honest) {
    if (!has_data("published FedRAP, honest", "ml-100k/u.data"))
        return;
    struct table rounds = run_rounds("fedrap-ml100k",
        "--set method.variant=published_code --set method.lambda=0 --set evaluation.every=100");
    double hr = cell(&rounds, 99, "hr@10"), ndcg = cell(&rounds, 99, "ndcg@10");
    printf("FedRAP, published code, honest: HR@10 %.4f, NDCG@10 %.4f; elsewhere .217/.118\n", hr, ndcg);
    ck_assert_double_eq_tol(hr, 0.217, 0.03);
    ck_assert_double_eq_tol(ndcg, 0.118, 0.02);
    table_fini(&rounds);
}
END_TEST

/* The paper's method; and with the threshold on the server too,
 * C is gone by then and nothing else changes. */
START_TEST(paper_variant_has_its_published_quality) {
    if (!has_data("FedRAP as the paper has it", "ml-100k/u.data"))
        return;
    struct table rounds = run_rounds(
        "fedrap-ml100k", "--set evaluation.protocol=leaky --set evaluation.every=60 --set rounds.count=60");
    double hr = cell(&rounds, 59, "hr@10"), ndcg = cell(&rounds, 59, "ndcg@10");
    printf("FedRAP, paper, leaky, round 60: HR@10 %.4f, NDCG@10 %.4f; elsewhere .999/.897\n", hr, ndcg);
    ck_assert_double_eq_tol(hr, 0.999, 0.005);
    ck_assert_double_eq_tol(ndcg, 0.897, 0.02);
    table_fini(&rounds);
    rounds = run_rounds("fedrap-ml100k",
        "--set evaluation.protocol=leaky --set evaluation.every=60 --set rounds.count=60 --set method.mu=0.1 "
        "--set method.threshold=both --set codec.uplink=sparse --set codec.downlink=sparse");
    ck_assert_double_eq_tol(cell(&rounds, 59, "hr@10"), hr, 0.005);
    ck_assert_double_lt(cell(&rounds, 59, "down_bytes"), 943 * 100);
    table_fini(&rounds);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("published FedRAP");
    TCase *tests = tcase_create("MovieLens-100K");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 550);
    tcase_add_test(tests, test_published_code_leaky);
    tcase_add_test(tests, test_published_code_honest);
    tcase_add_test(tests, paper_variant_has_its_published_quality);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
