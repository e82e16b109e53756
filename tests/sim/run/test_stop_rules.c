/* Runs that end early: by simulated time, at the target;
 * what they leave is the beginning of the whole run. */
#include "tests/sim/run/fixture.h"

static void setup(void) {
    folder_setup();
    write_text("s.cfg", "data = { synthetic = \"small\"; };\nnetwork = { preset = \"4g\"; };\ndevices = { "
                        "preset = \"phones\"; };\n"
                        "method = { name = \"fedmf\"; dim = 8; epochs = 2; init_sd = 0.1; };\nrounds = { "
                        "count = 12; cohort = "
                        "40; };\n");
}

/* Rounds of the run `part`, which have to be the first ones of the run `whole`. */
static size_t check_beginning(const char *part, const char *whole, const char *rule, bool kept) {
    struct table rounds = table_load(part, "rounds.csv");
    size_t n = rounds.n_rows;
    json_t *summary = load_json(part, "summary.json"), *stop = json_object_get(summary, "stop");
    ck_assert_int_eq(json_is_true(json_object_get(stop, rule)), kept);
    ck_assert_double_eq(json_of(stop, "round"), (double)n);
    ck_assert_str_eq(json_string_value(json_object_get(summary, "status")), "complete");
    ck_assert_int_eq(shell("head -n %zu %s/rounds.csv | cmp - %s/rounds.csv", n + 1, whole, part), 0);
    json_decref(summary);
    table_fini(&rounds);
    return n;
}

START_TEST(time_is_over) {
    run_scenario("s.cfg", "whole", "");
    struct table rounds = table_load("whole", "rounds.csv");
    double third_s = cell(&rounds, 2, "end_s"), fourth_s = cell(&rounds, 3, "end_s");
    const struct {
        double stop_s;
        size_t n;
        bool stopped;
    } cases[] = {{0, 1, true}, {third_s, 3, true}, {0.5 * (third_s + fourth_s), 4, true}, {1e9, 12, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *options =
            frs_format("--force --set 'rounds.stop_time=%.17g s' --threads %zu", cases[i].stop_s, 1 + i % 2);
        run_scenario("s.cfg", "part", options);
        ck_assert_uint_eq(check_beginning("part", "whole", "out_of_time", cases[i].stopped), cases[i].n);
        free(options);
    }
    table_fini(&rounds);
}
END_TEST

/* As good as the run was at round 7 for the first time. */
START_TEST(target_is_reached) {
    run_scenario("s.cfg", "whole", "");
    struct table rounds = table_load("whole", "rounds.csv");
    double bar = 0;
    size_t best = 0;
    for (size_t row = 0; row < 9; row++)
        if (cell(&rounds, row, "validation_ndcg@10") > bar) {
            bar = cell(&rounds, row, "validation_ndcg@10");
            best = row + 1;
        }
    ck_assert_uint_gt(best, 2);
    char *options =
        frs_format("--set rounds.stop_at_target=true --set 'evaluation.target=ndcg@10 >= %.12g'", bar - 1e-9);
    run_scenario("s.cfg", "part", options);
    ck_assert_uint_eq(check_beginning("part", "whole", "reached_target", true), best);
    json_t *summary = load_json("part", "summary.json");
    ck_assert_double_eq(json_path(summary, "target", "round"), (double)best);
    json_decref(summary);
    free(options);
    run_scenario("s.cfg", "never", "--set rounds.stop_at_target=true --set 'evaluation.target=hr@10 >= 1'");
    ck_assert_uint_eq(check_beginning("never", "whole", "reached_target", false), 12);
    table_fini(&rounds);
}
END_TEST

/* Rows of an asynchronous run end where it ends;
 * an interrupted run that is resumed ends at the same place. */
START_TEST(stop_rules_hold_for_async_and_resumed_runs) {
    run_scenario("s.cfg", "one",
        "--set rounds.policy=buffered_async --set rounds.stop_at_target=true --set 'evaluation.target=hr@10 "
        ">= 0.01'");
    json_t *summary = load_json("one", "summary.json");
    double rounds = json_path(summary, "stop", "round");
    ck_assert(rounds >= 1 && rounds < 12);
    json_decref(summary);
    run_scenario("s.cfg", "two",
        "--threads 1 --cache cache --set rounds.policy=buffered_async --set rounds.stop_at_target=true --set "
        "'evaluation.target=hr@10 >= 0.01'");
    ck_assert_int_eq(shell("cmp one/rounds.csv two/rounds.csv && cmp one/clients.csv two/clients.csv"), 0);
    run_scenario("s.cfg", "three",
        "--cache cache --set rounds.policy=buffered_async --set rounds.stop_at_target=true --set "
        "'evaluation.target=hr@10 >= 0.01'");
    ck_assert_int_eq(
        shell("cmp one/rounds.csv three/rounds.csv && cmp one/clients.csv three/clients.csv"), 0);
}
END_TEST

START_TEST(targets_that_cannot_stop_are_refused) {
    static const char *const targets[] = {
        "", "--set evaluation.target=none", "--set 'evaluation.target=hr@10 >= popularity'"};
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        ck_assert_int_eq(
            run_program("run s.cfg --out out --set rounds.stop_at_target=true %s", targets[i]), 2);
        ck_assert_ptr_nonnull(strstr(
            frs_said, "rounds.stop_at_target: non-federated baselines are fitted when the run has ended"));
    }
    ck_assert_int_eq(run_program("run s.cfg --out out --set rounds.stop_time=5"), 2);
    ck_assert_ptr_nonnull(strstr(frs_said, "has no unit"));
    ck_assert_int_ne(shell("test -e out"), 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("stop rules");
    TCase *tests = tcase_create("stop rules");
    tcase_add_checked_fixture(tests, setup, folder_teardown);
    tcase_add_test(tests, time_is_over);
    tcase_add_test(tests, target_is_reached);
    tcase_add_test(tests, stop_rules_hold_for_async_and_resumed_runs);
    tcase_add_test(tests, targets_that_cannot_stop_are_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
