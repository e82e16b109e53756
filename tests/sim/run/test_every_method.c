/* Every method of the registry on built-in data for eight rounds (under sanitizers four), with losses: finite
 * figures, bytes both ways, and the same files whatever the threads. Under sanitizers this is what walks
 * through every learner. */
#include "algorithms/learner.h"
#include "tests/sim/run/fixture.h"

enum { N_ROUNDS = 3 + FRS_TEST_CASES(5), COHORT = FRS_TEST_CASES(20) };

static const char base[] =
    "data = { synthetic = \"custom\"; users = 60; items = 200; interactions = 1500; };\n"
    "network = { preset = \"4g\"; };\ndevices = { preset = \"phones\"; };\n"
    "failures = { down = 0.05; compute = 0.05; up = 0.05; };\n"
    "evaluation = { every = 4; };\n"
    "rounds = { count = 8; cohort = 20; };\n";

static void setup(void) {
    folder_setup();
    write_text("s.cfg", base);
}

static void run_method(const struct frs_learner *learner, const char *out, int threads) {
    char *options = frs_format("--set method.name=%s --set data.feedback=%s --set rounds.cohort=%d --set "
                               "rounds.count=%d --threads %d",
        learner->plugin.name, learner->predicts_ratings ? "explicit --set data.split=ratio" : "implicit",
        COHORT, N_ROUNDS, threads);
    run_scenario("s.cfg", out, options);
    free(options);
}

START_TEST(runs_are_the_same_with_any_threads) {
    const struct frs_learner *learner = frs_learners[_i];
    run_method(learner, "one", 1);
    run_method(learner, "two", 2);
    ck_assert_int_eq(shell("cmp one/rounds.csv two/rounds.csv && cmp one/clients.csv two/clients.csv"), 0);
    json_t *summary = load_json("one", "summary.json");
    const char *quality = learner->predicts_ratings ? "rmse" : "ndcg@10";
    double value = json_path(summary, "metrics", quality);
    ck_assert_msg(isfinite(value) && value > 0, "%s: %s is %g", learner->plugin.name, quality, value);
    json_decref(summary);
    struct table rounds = table_load("one", "rounds.csv");
    ck_assert_uint_eq(rounds.n_rows, N_ROUNDS);
    ck_assert_double_gt(column_sum(&rounds, "down_bytes"), 0);
    ck_assert_double_gt(column_sum(&rounds, "up_bytes"), 0);
    table_fini(&rounds);
}
END_TEST

/* What a run will need is told for every method, also where clients are selected by the groups it forms. */
START_TEST(needs_are_predicted) {
    const struct frs_learner *learner = frs_learners[_i];
    int code = run_program("check s.cfg --patience '10 ms' --set method.name=%s --set data.feedback=%s%s",
        learner->plugin.name, learner->predicts_ratings ? "explicit --set data.split=ratio" : "implicit",
        learner->groups ? " --set rounds.selection=by_group" : "");
    ck_assert_msg(code == 0 && strstr(frs_said, "\n  memory       about "), "%s: exit code %d: %s",
        learner->plugin.name, code, frs_said);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("every method");
    TCase *tests = tcase_create("every method");
    int n = 0;
    while (frs_learners[n])
        n++;
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, setup, folder_teardown);
    tcase_add_loop_test(tests, runs_are_the_same_with_any_threads, 0, n);
    tcase_add_loop_test(tests, needs_are_predicted, 0, n);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
