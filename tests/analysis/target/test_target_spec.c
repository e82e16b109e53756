/* Run directories, and when a run reaches its target: values worked out by hand. */
#include "analysis/target/time_to_target.h"
#include "tests/analysis/fixture.h"

/* Rounds end at 10, 20 and 30 s with 2 × 1000 bytes each; HR@10 is 0.4 after the second and 0.5 after the
 * third. */
static const struct fake_run plain = {.seed = 7,
    .hr = {0.4, 0.5},
    .round_s = 10,
    .popularity = 0.37,
    .bytes = 1000,
    .connecting = 50,
    .lost_bytes = 60};

static struct frs_run_results run;

/* Bytes of connecting in a round, where rounds.csv has them. */
static double connecting_bytes;

static void read_plain(void) {
    connecting_bytes = 100;
    write_fake_run("run", &plain);
    enum frs_status status = frs_run_read("run", &run, &errors);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
}

static double metric(const char *name) {
    return frs_metrics_get(&run.metrics, name);
}

START_TEST(test_run_is_read) {
    read_plain();
    ck_assert_uint_eq(run.seed, 7);
    ck_assert_uint_eq(run.k, 10);
    ck_assert_str_eq(run.status, "complete");
    ck_assert_str_eq(run.scenario_hash, "h");
    ck_assert_str_eq(run.data_hash, "d0");
    ck_assert_str_eq(run.protocol, "honest");
    ck_assert_str_eq(frs_run_setting(&run, "seed"), "7");
    ck_assert_ptr_null(frs_run_setting(&run, "see"));
    ck_assert(frs_run_is_finished(&run));
    ck_assert_double_eq(metric("hr@10"), 0.5);
    ck_assert_double_eq(metric("simulated_s"), 30);
    ck_assert_double_eq(metric("bytes.down"), 3000);
    ck_assert_double_eq(metric("non_federated.popularity.hr@10"), 0.37);
    ck_assert_double_eq(metric("waste_by_cause.device.down_bytes"), 60);
    ck_assert_double_eq(metric("waste_by_cause.surplus.down_bytes"), 0);
    ck_assert(isnan(metric("machine.wall_s")) && isnan(metric("method")) && isnan(metric("training")));
    ck_assert_double_eq(metric("round_s"), 10);
    ck_assert_double_eq(metric("bytes.total"), 6000);
    ck_assert_double_eq(metric("bytes.sent"), 6300); /* 50 B each way in each of three rounds */
    ck_assert_double_eq(metric("bytes.sent_wasted"), 60);
    ck_assert_double_eq(metric("bytes.wasted_share"), 0.01);
    ck_assert_double_eq(metric("bytes.per_delivered"), 200);
    ck_assert_double_eq(metric("steady.round_s"), 10);
    ck_assert_double_eq(metric("steady.longest_s"), 10);
    ck_assert_double_eq(metric("steady.down_bytes"), 100);
    ck_assert_double_eq(metric("steady.down_share"), 0.25);
    ck_assert_double_eq(metric("steady.up_share"), 0.5);
    frs_run_fini(&run);
}
END_TEST

static double step(const char *name) {
    return frs_metrics_step(&run.metrics, name);
}

/* A hit rate over 40 held-out interactions moves in steps of 1/40; the target is reached between the
 * evaluations at 20 and 30 s, which are one round and 2000 bytes apart; the run that never gets there has its
 * last two; and the one that gets there at the first, what has passed since the start. */
START_TEST(steps_of_a_hit_rate_are_respected) {
    read_plain();
    ck_assert(step("hr@10") == 0 && step("simulated_s") == 0); /* it does not say how many */
    static const struct {
        double bar, round, time_s, bytes;
    } target_specs[] = {{0.45, 1, 10, 2000}, {0.9, 1, 10, 2000}, {0.4, 2, 20, 4000}};
    for (size_t i = 0; i < sizeof target_specs / sizeof *target_specs; i++) {
        struct frs_target_spec target_spec = {.metric = (char *)"hr@10", .bar = target_specs[i].bar};
        ck_assert_int_eq(frs_time_to_target_apply(&target_spec, &run, &errors), FRS_OK);
        ck_assert_double_eq(step(FRS_TARGET_ROUND), target_specs[i].round);
        ck_assert_double_eq(step(FRS_TARGET_TIME), target_specs[i].time_s);
        ck_assert_double_eq(step(FRS_TARGET_BYTES), target_specs[i].bytes);
        ck_assert_double_eq(step(FRS_TARGET_SENT), 1.05 * target_specs[i].bytes);
    }
    frs_run_fini(&run);
    write_file("run/summary.json", "{\"status\": \"complete\", \"protocol\": \"honest\", \"candidates\": "
                                   "\"full\", \"evaluated\": {\"test\": 40, "
                                   "\"validation\": 20, \"participants\": 10}, \"metrics\": {\"hr@10\": 0.5, "
                                   "\"ndcg@10\": 0.3, \"validation_hr@10\": 0.4, "
                                   "\"participants_hr@10\": 0.6}, \"non_federated\": {\"popularity\": "
                                   "{\"hr@10\": 0.3}}, \"groups\": {\"network_class\": "
                                   "{\"4g\": {\"clients\": 9, \"evaluated\": 8, \"hr@10\": 0.25}}}}");
    ck_assert_int_eq(frs_run_read("run", &run, &errors), FRS_OK);
    ck_assert_double_eq(step("hr@10"), 1.0 / 40);
    ck_assert_double_eq(step("validation_hr@10"), 1.0 / 20);
    ck_assert_double_eq(step("participants_hr@10"), 1.0 / 10);
    ck_assert_double_eq(step("groups.network_class.4g.hr@10"), 1.0 / 8);
    ck_assert(step("ndcg@10") == 0 && step("non_federated.popularity.hr@10") == 0 &&
              isnan(metric("evaluated.test")));
    frs_run_fini(&run);
}
END_TEST

/* The columns that decide, and nothing else. */
START_TEST(test_columns_of_a_goal) {
    read_plain();
    struct frs_target_spec target_spec = {.metric = (char *)"hr@10"};
    struct frs_records few;
    size_t column;
    ck_assert_int_eq(
        frs_records_read_columns("run/rounds.csv", frs_time_to_target_reads, &target_spec, &few, &errors),
        FRS_OK);
    ck_assert_uint_eq(few.n, run.rounds.n);
    ck_assert_uint_lt(few.n_columns, run.rounds.n_columns);
    static const char *const names[] = {"round", "end_s", "down_bytes", "up_bytes", "hr@10"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t all;
        ck_assert_int_eq(frs_records_column(&few, names[i], &column, &errors), FRS_OK);
        ck_assert_int_eq(frs_records_column(&run.rounds, names[i], &all, &errors), FRS_OK);
        for (size_t row = 0; row < few.n; row++)
            ck_assert_str_eq(frs_records_field(&few, row, column), frs_records_field(&run.rounds, row, all));
    }
    ck_assert(frs_time_to_target_reads(&target_spec, "validation_hr@10") &&
              !frs_time_to_target_reads(&target_spec, "ndcg@10") &&
              !frs_time_to_target_reads(&target_spec, "wasted_up_bytes"));
    ck_assert_int_eq(frs_records_column(&few, "duration_s", &column, &errors), FRS_ERR_INPUT);
    expect_error("run/rounds.csv: has no column \"duration_s\"");
    frs_records_fini(&few);
    frs_run_fini(&run);
}
END_TEST

static void expect_refusal(const char *line) {
    ck_assert_int_eq(frs_run_read("run", &run, &errors), FRS_ERR_INPUT);
    expect_error(line);
}

START_TEST(test_what_is_wrong_with_a_run) {
    expect_refusal("run: is not a run directory: it has no manifest.json");
    write_fake_run("run", &plain);
    write_file("run/rounds.csv", "round,end_s\n1,2\n3\n");
    expect_refusal("run/rounds.csv:3: has another number of fields than 2");
    write_file("run/rounds.csv", "round,end_s\n1,2\n");
    expect_refusal("run/rounds.csv: has no column \"duration_s\"");
    write_file("run/rounds.csv", "duration_s,selected\n1,ten\n");
    expect_refusal("run/rounds.csv:2: selected \"ten\" is not a number");
    write_file("run/rounds.csv", "");
    expect_refusal("run/rounds.csv: is empty; the first line has to be the names of its columns");
    ck_assert_int_eq(unlink("run/rounds.csv"), 0);
    expect_refusal("run/rounds.csv: cannot be read: No such file or directory");
    write_file("run/summary.json", "{\"status\": 3, \"protocol\": \"honest\", \"candidates\": \"full\"}");
    expect_refusal("run/summary.json: \"status\" has to be a text");
    write_file("run/summary.json", "{\n\"status\" 3}");
    expect_refusal("run/summary.json:2: ':' expected near '3'");
    write_file("run/manifest.json", "{\"program\": \"other\"}");
    expect_refusal("run/manifest.json: is not a manifest of fedrecsim");
}
END_TEST

static struct frs_target_spec target_of(const char *text) {
    struct frs_target_spec target_spec;
    enum frs_status status = frs_target_spec_parse(text, &target_spec, &errors);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
    return target_spec;
}

/* Reached after `round` rounds; 0: never. */
static void expect_target(const char *text, const char *shown, double round) {
    struct frs_target_spec target_spec = target_of(text);
    char *label = frs_target_spec_text(&target_spec);
    ck_assert_str_eq(label, shown);
    free(label);
    enum frs_status status = frs_time_to_target_apply(&target_spec, &run, &errors);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
    ck_assert_double_eq(metric("rounds_to_target"), round ? round : INFINITY);
    ck_assert_double_eq(metric("time_to_target_s"), round ? 10 * round : INFINITY);
    ck_assert_double_eq(metric("bytes_to_target"), round ? 2000 * round : INFINITY);
    ck_assert_double_eq(metric("sent_bytes_to_target"), round ? (2000 + connecting_bytes) * round : INFINITY);
    frs_target_spec_fini(&target_spec);
}

/* 0.37 + 0.03 is 0.4, although not in binary. */
START_TEST(targets_are_reached_in_decimal) {
    read_plain();
    expect_target("hr@10=0.4", "hr@10 ≥ 0.4", 2);
    expect_target("hr@10=0.41", "hr@10 ≥ 0.41", 3);
    expect_target("hr@10 = 0.51", "hr@10 ≥ 0.51", 0);
    expect_target("hr@10=popularity+0.03", "hr@10 ≥ popularity + 0.03", 2);
    expect_target("hr@10 >= popularity + 0.031", "hr@10 ≥ popularity + 0.031", 3);
    expect_target("hr@10=popularity", "hr@10 ≥ popularity", 2);
    expect_target("hr@10=popularity - 0.1", "hr@10 ≥ popularity − 0.1", 2);
    expect_target("hr@10<=0.45", "hr@10 ≤ 0.45", 2);
    frs_run_fini(&run);
}
END_TEST

/* The same column as an error, where less is better. */
START_TEST(test_target_from_above) {
    connecting_bytes = 0;
    write_fake_run("run", &plain);
    write_file("run/rounds.csv",
        "round,end_s,duration_s,selected,down_bytes,up_bytes,path_down_s,path_compute_s,path_up_s,path_"
        "latency_s,"
        "path_wait_s,path_server_link_s,rmse,hr@10\n1,10,10,1,1000,1000,0,0,0,0,0,0,1.2,\n"
        "2,20,10,1,1000,1000,0,0,0,0,0,0,,\n3,30,10,1,1000,1000,0,0,0,0,0,0,0.9,\n");
    ck_assert_int_eq(frs_run_read("run", &run, &errors), FRS_OK);
    expect_target("rmse=1.2", "rmse ≤ 1.2", 1);
    expect_target("rmse=1", "rmse ≤ 1", 3);
    expect_target("rmse=0.8", "rmse ≤ 0.8", 0);
    frs_run_fini(&run);
}
END_TEST

/* The validation items are as good after the third round as the test items after the second; popularity has
 * .40 of the test items and .30 of the validation items. */
START_TEST(test_targets_go_by_validation) {
    char *text;
    connecting_bytes = 0;
    write_fake_run("run", &plain);
    write_file("run/rounds.csv",
        "round,end_s,duration_s,selected,down_bytes,up_bytes,path_down_s,path_compute_s,path_up_s,path_"
        "latency_s,"
        "path_wait_s,path_server_link_s,hr@10,validation_hr@10\n1,10,10,1,1000,1000,0,0,0,0,0,0,.35,.2\n"
        "2,20,10,1,1000,1000,0,0,0,0,0,0,.45,.31\n3,30,10,1,1000,1000,0,0,0,0,0,0,.5,.45\n");
    write_file("run/summary.json",
        "{\"status\": \"complete\", \"protocol\": \"leaky\", \"candidates\": \"full\", \"non_federated\": "
        "{\"popularity\": {\"hr@10\": 0.40, \"validation_hr@10\": 0.30}}}");
    ck_assert_int_eq(frs_run_read("run", &run, &errors), FRS_OK);
    expect_target("hr@10=0.45", "hr@10 ≥ 0.45", 3);
    expect_target("validation_hr@10=0.45", "validation_hr@10 ≥ 0.45", 3);
    expect_target("test.hr@10=0.45", "test.hr@10 ≥ 0.45", 2);
    expect_target("hr@10=popularity", "hr@10 ≥ popularity", 2);
    expect_target("hr@10=popularity+0.15", "hr@10 ≥ popularity + 0.15", 3);
    expect_target("test.hr@10=popularity+0.1", "test.hr@10 ≥ popularity + 0.1", 3);
    struct frs_target_spec target_spec = target_of("hr@10=0.45");
    ck_assert(frs_target_spec_has_validation(&target_spec, &run));
    text = frs_target_spec_note(&target_spec, true, "honest", true);
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

START_TEST(test_targets_that_cannot_be) {
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
                       "hr@K, ndcg@K, mae or rmse of the validation items, or with test. in front of the "
                       "test items, as in hr@10=0.5 or test.hr@10=popularity+0.03",
                cases[i].text, cases[i].metric);
        expect_error(line);
        free(line);
    }
    read_plain();
    target_spec = target_of("hr@20=0.5");
    ck_assert_int_eq(frs_time_to_target_apply(&target_spec, &run, &errors), FRS_ERR_INPUT);
    expect_error("run/rounds.csv: has no column \"hr@20\"");
    frs_target_spec_fini(&target_spec);
    target_spec = target_of("hr@10=item_knn+0.03");
    ck_assert_int_eq(frs_time_to_target_apply(&target_spec, &run, &errors), FRS_ERR_INPUT);
    expect_error(
        "run/summary.json: has no hr@10 of the non-federated baseline \"item_knn\"; evaluation.non_federated "
        "decides what a "
        "run reports");
    frs_target_spec_fini(&target_spec);
    /* Nothing was measured: neither reached nor missed. */
    target_spec = target_of("rmse=0.5");
    ck_assert_int_eq(frs_time_to_target_apply(&target_spec, &run, &errors), FRS_OK);
    ck_assert(isnan(metric("time_to_target_s")));
    frs_target_spec_fini(&target_spec);
    frs_run_fini(&run);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("target");
    TCase *tests = tcase_create("target");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, test_run_is_read);
    tcase_add_test(tests, steps_of_a_hit_rate_are_respected);
    tcase_add_test(tests, test_columns_of_a_goal);
    tcase_add_test(tests, test_what_is_wrong_with_a_run);
    tcase_add_test(tests, targets_are_reached_in_decimal);
    tcase_add_test(tests, test_target_from_above);
    tcase_add_test(tests, test_targets_go_by_validation);
    tcase_add_test(tests, test_targets_that_cannot_be);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
