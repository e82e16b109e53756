/* Names of figures before there is a run; that those of all runs are known is seen to by
 * tests/sim/run/fixture.c. */
#include "analysis/statistics/metric_names.h"
#include "tests/support.h"

#include <stdlib.h>

START_TEST(known_metrics_are_found) {
    static const char *const known[] = {"hr@10", "validation_ndcg@10", "participants_hr@10", "recall@5",
        "precision@10", "validation_mrr@5", "map@10", "participants_auc", "rmse", "bytes.total",
        "time_to_target_s", "steady.wait_share", "waste_by_cause.device.by_outcome.dropped_up.up_bytes",
        "non_federated.popularity.hr@10", "groups.activity_quartile.1.hr@10", "critical_path.up_s"};
    static const char *const unknown[] = {"", "hr", "hr@", "hr@x", "hr@10x", "hr@010", "hr@20", "hr@1",
        "hr@50", "recall@7", "auc@10", "bytes", "bytes.totl", "groups", "groups.", "happiness",
        "simulated_s ", "metrics.hr@10"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        ck_assert_msg(frs_metric_is_known(known[i], "5,10"), "%s", known[i]);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        ck_assert_msg(!frs_metric_is_known(unknown[i], "5,10"), "%s", unknown[i]);
    ck_assert(frs_metric_is_known("hr@20", NULL) && frs_metric_is_known("hr@20", "20"));
}
END_TEST

static void check_nearest(const char *name, const char *cut_offs, const char *expected) {
    char *nearest = frs_metric_nearest(name, cut_offs);
    ck_assert_pstr_eq(nearest, expected);
    free(nearest);
}

START_TEST(nearest_metric_is_suggested) {
    check_nearest("bytes.totl", "10", "bytes.total");
    check_nearest("hr@20", "10", "hr@10");
    check_nearest("hr@21", "20", "hr@20");
    check_nearest("hr@1", NULL, "hr@10");
    check_nearest("happiness", "10", NULL);
    check_nearest("coverage", "10", "participants_share");
    check_nearest("hr", "10", "hr@10");
    check_nearest("bytes", "10", "bytes.total");
    check_nearest("time", "10", "time_to_target_s");
    check_nearest("energy", "10", "modelled.energy_j");
    check_nearest("b", "10", NULL);
}
END_TEST

START_TEST(unknown_metrics_are_explained) {
    static const struct {
        const char *name, *text;
    } cases[] = {{"hr@10", NULL}, {"non_federated.popularity.hr@10", NULL},
        {"tme_to_target_s",
            "\"tme_to_target_s\" is not a figure; did you mean \"time_to_target_s\"?; allowed: names as in "
            "summary.json, such as hr@10, simulated_s or bytes.down"},
        {"happiness",
            "\"happiness\" is not a figure; allowed: names as in summary.json, such as hr@10, simulated_s or "
            "bytes.down"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = frs_metric_complaint(cases[i].name, NULL);
        ck_assert_pstr_eq(text, cases[i].text);
        free(text);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("metric names");
    TCase *tests = tcase_create("metric names");
    tcase_add_test(tests, known_metrics_are_found);
    tcase_add_test(tests, nearest_metric_is_suggested);
    tcase_add_test(tests, unknown_metrics_are_explained);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
