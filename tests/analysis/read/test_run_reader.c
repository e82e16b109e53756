/* Run directories: figures, the steps in which they move, and what is refused. Values worked out by hand. */
#include "tests/analysis/plain_run.h"

START_TEST(a_run_is_read) {
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
    ck_assert(isnan(metric("participation.up_bytes"))); /* it does not say how many participations */
    ck_assert_double_eq(metric("steady.round_s"), 10);
    ck_assert_double_eq(metric("steady.longest_s"), 10);
    ck_assert_double_eq(metric("steady.down_bytes"), 100);
    ck_assert_double_eq(metric("steady.down_share"), 0.25);
    ck_assert_double_eq(metric("steady.up_share"), 0.5);
    frs_run_fini(&run);
}
END_TEST

/* Each hop counts: 10 down and 20 up between clients and edges, 1 and 2 for connecting, 4 and 8 between edges
 * and the server; wasted are 5, 1 and 3. */
START_TEST(what_edges_exchange_is_sent) {
    write_fake_run("run", &plain);
    write_file("run/summary.json", "{\"status\": \"complete\", \"protocol\": \"honest\", \"candidates\": "
                                   "\"full\", \"bytes\": {\"down\": "
                                   "10, \"up\": 20, \"setup_down\": 1, \"setup_up\": 2, \"edge_down\": 4, "
                                   "\"edge_up\": 8, \"wasted\": 5, "
                                   "\"setup_wasted\": 1, \"edge_wasted\": 3}}");
    ck_assert_int_eq(frs_run_read("run", &run, &errors), FRS_OK);
    ck_assert_double_eq(metric("bytes.total"), 30);
    ck_assert_double_eq(metric("bytes.sent"), 45);
    ck_assert_double_eq(metric("bytes.sent_wasted"), 9);
    frs_run_fini(&run);
}
END_TEST

/* 40 participations, of which 4 were cut: a tenth; 10 B down and 20 B up of each on average. */
START_TEST(shares_are_of_all_participations) {
    write_fake_run("run", &plain);
    write_file("run/summary.json",
        "{\"status\": \"complete\", \"protocol\": \"honest\", \"candidates\": "
        "\"full\", \"participations\": 40, \"bytes\": {\"down\": 400, \"up\": 800, "
        "\"wasted\": 0}, \"outcomes\": {\"delivered\": 36, \"cut\": 4}}");
    ck_assert_int_eq(frs_run_read("run", &run, &errors), FRS_OK);
    ck_assert_double_eq(metric("outcomes.cut_share"), 0.1);
    ck_assert_double_eq(metric("outcomes.delivered_share"), 0.9);
    ck_assert_double_eq(metric("participation.down_bytes"), 10);
    ck_assert_double_eq(metric("participation.up_bytes"), 20);
    frs_run_fini(&run);
}
END_TEST

/* A hit rate over n held-out interactions moves in steps of 1/n; popularity has none, being no figure of the
 * run. */
START_TEST(hit_rates_move_in_steps_of_one_interaction) {
    read_plain();
    ck_assert(step("hr@10") == 0 && step("simulated_s") == 0); /* it does not say how many */
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

static void expect_refusal(const char *line) {
    ck_assert_int_eq(frs_run_read("run", &run, &errors), FRS_ERR_INPUT);
    expect_error(line);
}

START_TEST(what_is_wrong_with_a_run_is_said) {
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

int main(void) {
    Suite *suite = suite_create("run_reader");
    TCase *tests = tcase_create("run_reader");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, a_run_is_read);
    tcase_add_test(tests, what_edges_exchange_is_sent);
    tcase_add_test(tests, shares_are_of_all_participations);
    tcase_add_test(tests, hit_rates_move_in_steps_of_one_interaction);
    tcase_add_test(tests, what_is_wrong_with_a_run_is_said);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
