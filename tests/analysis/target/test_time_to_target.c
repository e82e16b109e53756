/* When a run reaches its target, and what it had cost by then: values worked out by hand. */
#include "analysis/target/time_to_target.h"
#include "tests/analysis/plain_run.h"

/* Bytes of connecting in a round, where rounds.csv has them. */
enum { CONNECTING = 100 };

/* HR@10 of 0.45 is reached between the evaluations at 20 and 30 s, which are one round and 2000 bytes apart.
 * A run that never reaches its target has the step between its last two evaluations, and a run that reaches
 * it at the first one has all that has passed since the start. */
START_TEST(a_target_moves_in_steps_of_one_evaluation) {
    read_plain();
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
}
END_TEST

START_TEST(only_columns_that_decide_are_read) {
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

static struct frs_target_spec target_of(const char *text) {
    struct frs_target_spec target_spec;
    enum frs_status status = frs_target_spec_parse(text, &target_spec, &errors);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
    return target_spec;
}

/* Reached after `round` rounds (0: never), in each of which connecting took that many bytes. */
static void expect_target(const char *text, double round, double connecting) {
    struct frs_target_spec target_spec = target_of(text);
    enum frs_status status = frs_time_to_target_apply(&target_spec, &run, &errors);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
    ck_assert_double_eq(metric("rounds_to_target"), round ? round : INFINITY);
    ck_assert_double_eq(metric("time_to_target_s"), round ? 10 * round : INFINITY);
    ck_assert_double_eq(metric("bytes_to_target"), round ? 2000 * round : INFINITY);
    ck_assert_double_eq(metric("sent_bytes_to_target"), round ? (2000 + connecting) * round : INFINITY);
    frs_target_spec_fini(&target_spec);
}

/* 0.37 + 0.03 is 0.4, although not in binary. */
START_TEST(targets_are_reached_in_decimal) {
    read_plain();
    expect_target("hr@10=0.4", 2, CONNECTING);
    expect_target("hr@10=0.41", 3, CONNECTING);
    expect_target("hr@10 = 0.51", 0, CONNECTING);
    expect_target("hr@10=popularity+0.03", 2, CONNECTING);
    expect_target("hr@10 >= popularity + 0.031", 3, CONNECTING);
    expect_target("hr@10=popularity", 2, CONNECTING);
    expect_target("hr@10=popularity - 0.1", 2, CONNECTING);
    expect_target("hr@10<=0.45", 2, CONNECTING);
    ck_assert(!frs_metrics_has(&run.metrics, "edge_bytes_to_target"));
    frs_run_fini(&run);
}
END_TEST

/* The same column as an error, where less is better. */
START_TEST(an_error_is_reached_from_above) {
    write_fake_run("run", &plain);
    write_file("run/rounds.csv",
        "round,end_s,duration_s,selected,down_bytes,up_bytes,path_down_s,path_compute_s,path_up_s,path_"
        "latency_s,"
        "path_wait_s,path_server_link_s,rmse,hr@10\n1,10,10,1,1000,1000,0,0,0,0,0,0,1.2,\n"
        "2,20,10,1,1000,1000,0,0,0,0,0,0,,\n3,30,10,1,1000,1000,0,0,0,0,0,0,0.9,\n");
    ck_assert_int_eq(frs_run_read("run", &run, &errors), FRS_OK);
    expect_target("rmse=1.2", 1, 0);
    expect_target("rmse=1", 3, 0);
    expect_target("rmse=0.8", 0, 0);
    frs_run_fini(&run);
}
END_TEST

/* What crossed between edges and the server is sent, too: 300 bytes in each round, and no message of
 * a client. */
START_TEST(what_edges_exchange_is_sent) {
    write_fake_run("run", &plain);
    write_file("run/rounds.csv",
        "round,end_s,duration_s,selected,down_bytes,up_bytes,edge_down_bytes,edge_up_bytes,path_down_s,"
        "path_compute_s,path_up_s,path_latency_s,path_wait_s,path_server_link_s,hr@10\n"
        "1,10,10,1,1000,1000,100,200,0,0,0,0,0,0,.3\n2,20,10,1,1000,1000,100,200,0,0,0,0,0,0,.5\n");
    ck_assert_int_eq(frs_run_read("run", &run, &errors), FRS_OK);
    expect_target("hr@10=0.5", 2, 300);
    ck_assert_double_eq(metric("edge_bytes_to_target"), 600);
    ck_assert_double_eq(step("edge_bytes_to_target"), 300);
    expect_target("hr@10=0.6", 0, 300);
    ck_assert_double_eq(metric("edge_bytes_to_target"), INFINITY);
    frs_run_fini(&run);
}
END_TEST

/* 0.5 is reached in the second round. Two evaluations follow, of which the first is below it and the last is
 * not; participants reach it a round later. */
START_TEST(a_target_that_was_reached_may_be_lost_for_once) {
    write_fake_run("run", &plain);
    write_file("run/rounds.csv",
        "round,end_s,duration_s,selected,down_bytes,up_bytes,path_down_s,path_compute_s,path_up_s,path_"
        "latency_s,"
        "path_wait_s,path_server_link_s,hr@10,participants_hr@10\n1,10,10,1,1000,1000,0,0,0,0,0,0,.3,.1\n"
        "2,20,10,1,1000,1000,0,0,0,0,0,0,.5,.2\n3,30,10,1,1000,1000,0,0,0,0,0,0,.45,.5\n"
        "4,40,10,1,1000,1000,0,0,0,0,0,0,,\n5,50,10,1,1000,1000,0,0,0,0,0,0,.55,.6\n");
    ck_assert_int_eq(frs_run_read("run", &run, &errors), FRS_OK);
    expect_target("participants_hr@10=0.5", 3, 0);
    expect_target("hr@10=0.5", 2, 0);
    struct frs_target_spec target_spec = target_of("hr@10=0.5");
    struct frs_target_after after = frs_time_to_target_after(&target_spec, false, &run);
    ck_assert_uint_eq(after.evaluations, 2);
    ck_assert_uint_eq(after.missed, 1);
    ck_assert(!after.ends_missed);
    ck_assert_double_eq(after.last, 0.55);
    frs_target_spec_fini(&target_spec);
    frs_run_fini(&run);
}
END_TEST

/* The validation items are as good after the third round as the test items after the second; popularity has
 * .40 of the test items and .30 of the validation items. */
START_TEST(targets_go_by_validation) {
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
    expect_target("hr@10=0.45", 3, 0);
    expect_target("validation_hr@10=0.45", 3, 0);
    expect_target("test.hr@10=0.45", 2, 0);
    expect_target("hr@10=popularity", 2, 0);
    expect_target("hr@10=popularity+0.15", 3, 0);
    expect_target("test.hr@10=popularity+0.1", 3, 0);
    frs_run_fini(&run);
}
END_TEST

START_TEST(a_run_lacks_what_its_target_is_about) {
    struct frs_target_spec target_spec;
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
    Suite *suite = suite_create("time_to_target");
    TCase *tests = tcase_create("time_to_target");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, a_target_moves_in_steps_of_one_evaluation);
    tcase_add_test(tests, only_columns_that_decide_are_read);
    tcase_add_test(tests, targets_are_reached_in_decimal);
    tcase_add_test(tests, an_error_is_reached_from_above);
    tcase_add_test(tests, what_edges_exchange_is_sent);
    tcase_add_test(tests, a_target_that_was_reached_may_be_lost_for_once);
    tcase_add_test(tests, targets_go_by_validation);
    tcase_add_test(tests, a_run_lacks_what_its_target_is_about);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
