/* Specifications of targets: their texts, what they are judged by, and what is refused. */
#include "analysis/target/target_spec.h"
#include "tests/analysis/plain_run.h"

static struct frs_target_spec target_of(const char *text) {
    struct frs_target_spec target_spec;
    enum frs_status status = frs_target_spec_parse(text, &target_spec, &errors);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
    return target_spec;
}

/* As messages and pages show it. */
START_TEST(a_target_is_shown_as_a_comparison) {
    static const char *const cases[][2] = {{"hr@10=0.4", "hr@10 ≥ 0.4"}, {"hr@10=0.41", "hr@10 ≥ 0.41"},
        {"hr@10 = 0.51", "hr@10 ≥ 0.51"}, {"hr@10=popularity+0.03", "hr@10 ≥ popularity + 0.03"},
        {"hr@10 >= popularity + 0.031", "hr@10 ≥ popularity + 0.031"},
        {"hr@10=popularity", "hr@10 ≥ popularity"}, {"hr@10=popularity - 0.1", "hr@10 ≥ popularity − 0.1"},
        {"hr@10<=0.45", "hr@10 ≤ 0.45"}, {"rmse=1.2", "rmse ≤ 1.2"}, {"rmse=1", "rmse ≤ 1"},
        {"rmse=0.8", "rmse ≤ 0.8"}, {"hr@10=0.45", "hr@10 ≥ 0.45"},
        {"validation_hr@10=0.45", "validation_hr@10 ≥ 0.45"}, {"test.hr@10=0.45", "test.hr@10 ≥ 0.45"},
        {"hr@10=popularity+0.15", "hr@10 ≥ popularity + 0.15"},
        {"test.hr@10=popularity+0.1", "test.hr@10 ≥ popularity + 0.1"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_target_spec target_spec = target_of(cases[i][0]);
        char *text = frs_target_spec_text(&target_spec);
        ck_assert_str_eq(text, cases[i][1]);
        free(text);
        frs_target_spec_fini(&target_spec);
    }
}
END_TEST

/* The plain run has no validation items until its rounds have a column of them. */
START_TEST(the_note_says_which_items_decide) {
    read_plain();
    struct frs_target_spec target_spec = target_of("hr@10=0.45");
    ck_assert(!frs_target_spec_has_validation(&target_spec, &run));
    frs_run_fini(&run);
    write_file("run/rounds.csv",
        "round,end_s,duration_s,selected,down_bytes,up_bytes,path_down_s,path_compute_s,path_up_s,path_"
        "latency_s,"
        "path_wait_s,path_server_link_s,hr@10,validation_hr@10\n1,10,10,1,1000,1000,0,0,0,0,0,0,.35,.2\n");
    ck_assert_int_eq(frs_run_read("run", &run, &errors), FRS_OK);
    ck_assert(frs_target_spec_has_validation(&target_spec, &run));
    char *text = frs_target_spec_note(&target_spec, true, "honest", true);
    ck_assert_str_eq(text, "validation items; the default");
    free(text);
    text = frs_target_spec_note(&target_spec, false, "leaky", false);
    ck_assert_ptr_nonnull(
        strstr(text, "test items, because there are no validation items; the protocol is leaky"));
    free(text);
    frs_target_spec_fini(&target_spec);
    frs_run_fini(&run);
}
END_TEST

START_TEST(a_target_that_cannot_be_is_refused) {
    static const struct {
        const char *text, *metric; /* what is said of the metric */
    } cases[] = {{"hr@10", ""}, {"hr=0.5", "\"hr\" is no measure of quality; did you mean \"hr@10\"?; "},
        {"hr@10=", ""}, {"hr@10=0.5x", ""}, {"hr@10=popularity*2", ""}, {"hr@10=popularity+", ""},
        {"time=3", "\"time\" is no measure of quality; "},
        {"hr@=3", "\"hr@\" is no measure of quality; did you mean \"hr@10\"?; "},
        {"test.hit@20=0.5", "\"hit@20\" is no measure of quality; did you mean \"hr@20\"?; "},
        {"hr@10==3", ""}, {"hr@10>0.5", ""}, {"hr@10=popularity+inf", ""}, {"", ""}};
    struct frs_target_spec target_spec;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_int_eq(frs_target_spec_parse(cases[i].text, &target_spec, &errors), FRS_ERR_INPUT);
        char *line =
            frs_format("target \"%s\": %sallowed: METRIC=NUMBER or METRIC=BASELINE+NUMBER, where METRIC is "
                       "hr@K, ndcg@K, recall@K, precision@K, mrr@K, map@K, auc, mae or rmse of the "
                       "validation items, or with test. in front of the "
                       "test items, as in hr@10=0.5 or test.hr@10=popularity+0.03",
                cases[i].text, cases[i].metric);
        expect_error(line);
        free(line);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("target_spec");
    TCase *tests = tcase_create("target_spec");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, a_target_is_shown_as_a_comparison);
    tcase_add_test(tests, the_note_says_which_items_decide);
    tcase_add_test(tests, a_target_that_cannot_be_is_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
