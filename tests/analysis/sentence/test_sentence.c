/* A run in a sentence, and how settings, amounts and lists are worded. */
#include "analysis/sentence/sentence.h"
#include "analysis/sentence/wording.h"
#include "tests/analysis/fixture.h"

static void expect_text(char *text, const char *expected) {
    ck_assert_str_eq(text, expected);
    free(text);
}

/* Three rounds of 40 s with 1 MB each way; 0.5 is reached in the second: 80 s, 4 MB. */
START_TEST(sentence_of_a_run) {
    write_fake_run("r",
        &(struct fake_run){.seed = 1, .hr = {0.5, 0.58}, .round_s = 40, .popularity = 0.4, .bytes = 1000000});
    struct frs_run_results run;
    struct frs_target target = {0};
    ck_assert_int_eq(frs_run_read("r", &run, &errors), FRS_OK);
    ck_assert_int_eq(frs_target_name(&target, "test.hr@10=0.5", &errors), FRS_OK);
    frs_target_settle(&target, &run);
    ck_assert_int_eq(frs_target_apply(&target, &run, &errors), FRS_OK);
    expect_text(frs_sentence_of_run(&run, &target),
        "After 3 rounds and 2 min, HR@10 is 0.580 on the test items, 0.180 above popularity; "
        "it reaches HR@10 0.5 on the test items in round 2, after 80 s and 4 MB.");
    frs_target_fini(&target);
    ck_assert_int_eq(frs_target_name(&target, "test.hr@10=0.9", &errors), FRS_OK);
    frs_target_settle(&target, &run);
    ck_assert_int_eq(frs_target_apply(&target, &run, &errors), FRS_OK);
    expect_text(frs_sentence_of_run(&run, &target),
        "After 3 rounds and 2 min, HR@10 is 0.580 on the test items, 0.180 above popularity; "
        "it does not reach HR@10 0.9 on the test items in these rounds.");
    frs_target_fini(&target);
    frs_run_fini(&run);
}
END_TEST

/* 0.5 is reached in the second round, and the third one is below it again. */
START_TEST(falling_below_the_target_is_said) {
    write_fake_run("r",
        &(struct fake_run){.seed = 1, .hr = {0.5, 0.45}, .round_s = 40, .popularity = 0.4, .bytes = 1000000});
    struct frs_run_results run;
    struct frs_target target = {0};
    ck_assert_int_eq(frs_run_read("r", &run, &errors), FRS_OK);
    ck_assert_int_eq(frs_target_name(&target, "test.hr@10=0.5", &errors), FRS_OK);
    frs_target_settle(&target, &run);
    ck_assert_int_eq(frs_target_apply(&target, &run, &errors), FRS_OK);
    expect_text(frs_sentence_of_run(&run, &target),
        "After 3 rounds and 2 min, HR@10 is 0.450 on the test items, 0.050 above popularity; "
        "it reaches HR@10 0.5 on the test items in round 2, after 80 s and 4 MB, falls below it again in 1 "
        "of 1 later evaluation and misses it in the end (0.450).");
    frs_target_fini(&target);
    frs_run_fini(&run);
}
END_TEST

/* 10 of 99 sampled candidates and the test item: 0.1 by chance. A target of 0.05 is below that and below the
 * untrained model; one of 0.09 below chance alone; one of 0.2 is neither. */
START_TEST(a_target_below_chance_says_nothing) {
    write_fake_run("r", &(struct fake_run){.seed = 1,
                            .hr = {0.25, 0.08},
                            .round_s = 40,
                            .popularity = 0.02,
                            .bytes = 1000000,
                            .settings = "\"evaluation.negatives\": \"99\"",
                            .summary = "\"initial_metrics\": {\"hr@10\": 0.07}"});
    struct frs_run_results run;
    ck_assert_int_eq(frs_run_read("r", &run, &errors), FRS_OK);
    const struct {
        const char *target, *expected;
    } cases[] = {{"test.hr@10=popularity+0.03",
                     "; that says nothing, because this target (0.050) is no better than the model before "
                     "training (0.070) and chance (0.100)."},
        {"test.hr@10=0.09",
            "; that says nothing, because this target (0.090) is no better than chance (0.100)."},
        {"test.hr@10=0.2", "misses it in the end (0.080)."}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_target target = {0};
        ck_assert_int_eq(frs_target_name(&target, cases[i].target, &errors), FRS_OK);
        frs_target_settle(&target, &run);
        ck_assert_int_eq(frs_target_apply(&target, &run, &errors), FRS_OK);
        char *text = frs_sentence_of_run(&run, &target);
        ck_assert_ptr_nonnull(
            strstr(text, "0.060 above popularity and no better than chance (0.100); it reaches "));
        ck_assert_str_eq(text + strlen(text) - strlen(cases[i].expected), cases[i].expected);
        free(text);
        frs_target_fini(&target);
    }
    frs_run_fini(&run);
}
END_TEST

/* Without training. */
START_TEST(sentence_without_training) {
    struct frs_run_results run = {0};
    frs_metrics_set(&run.metrics, "rounds", 1);
    frs_metrics_set(&run.metrics, "simulated_s", 90);
    frs_metrics_set(&run.metrics, "bytes.sent", 2.5e6);
    expect_text(frs_sentence_of_run(&run, &(struct frs_target){0}), "1 round takes 90 s and 2.500 MB.");
    frs_metrics_fini(&run.metrics);
}
END_TEST

START_TEST(levels_are_put_into_words) {
    char *method[] = {"method.name", NULL}, *rank[] = {"method.colr.rank", NULL},
         *net[] = {"network.preset", NULL}, *lost[] = {"failures.up", NULL},
         *cohort[] = {"rounds.cohort", NULL};
    expect_text(frs_design_phrase("method.name", method, 1, "colr"), "colr");
    expect_text(frs_design_phrase("method.colr.rank", rank, 1, "4"), "of rank 4");
    expect_text(frs_design_phrase("rounds.cohort", cohort, 1, "10%"), "with rounds.cohort = 10%");
    expect_text(frs_environment_phrase("network.preset", net, 1, "4g"), "on 4g");
    expect_text(frs_environment_phrase("assumption", lost, 1, "as it is"), "as it is");
    expect_text(frs_environment_phrase("assumption", lost, 1, "ties random"), "with ties random");
    expect_text(frs_environment_phrase("failures.up", lost, 1, "30 %"), "with 30 % of uploads lost");
    expect_text(frs_environment_phrase("failures.up", lost, 1, "0.3"), "with 30 % of uploads lost");
    expect_text(frs_environment_phrase("failures.up", lost, 1, "0"), "with none of uploads lost");
    const char *const names[] = {"a", "b", "c", "d", "e"};
    expect_text(frs_listed(names, 1, 4), "a");
    expect_text(frs_listed(names, 2, 4), "a and b");
    expect_text(frs_listed(names, 4, 4), "a, b, c and d");
    expect_text(frs_listed(names, 5, 4), "a, b, c and 2 more");
    expect_text(frs_times_text(2.31, 1.92, 2.78), "2.3 times (1.9–2.8)");
    expect_text(frs_times_text(1.062, 1.0214, 1.1038), "1.062 times (1.021–1.104)");
    expect_text(frs_difference_text(0.0241, 0.0112, 0.0370), "0.024 (0.011–0.037)");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sentence");
    TCase *tests = tcase_create("sentence");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, sentence_of_a_run);
    tcase_add_test(tests, falling_below_the_target_is_said);
    tcase_add_test(tests, a_target_below_chance_says_nothing);
    tcase_add_test(tests, sentence_without_training);
    tcase_add_test(tests, levels_are_put_into_words);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
