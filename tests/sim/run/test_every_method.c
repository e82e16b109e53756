/* Every method of the registry on built-in data for eight rounds (under sanitizers four), with losses: finite
 * figures, bytes both ways, and the same files whatever the threads, under both backends, and where a run is
 * killed and resumed. The same of every baseline. Under sanitizers this is what walks through every learner.
 */
#include "algorithms/learner.h"
#include "algorithms/non_federated.h"
#include "sim/base/settings/param.h"
#include "tests/sim/run/fixture.h"

#include <signal.h>

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

static bool has_ended(pid_t pid) {
    siginfo_t ended = {0};
    ck_assert_int_eq(waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT), 0);
    return ended.si_pid != 0;
}

/* Killed once its first checkpoint is there, and resumed. A run that was faster than that begins anew. */
static void run_killed(const char *out, const char *options) {
    char *checkpoint = frs_format("%s/%s.checkpoint", frs_folder, out);
    int tries = 0;
    do {
        ck_assert_int_lt(tries++, 20);
        shell("rm -rf %s %s.*", out, out);
        pid_t pid = start_program("run s.cfg --quiet --out %s %s", out, options);
        while (access(checkpoint, F_OK) != 0 && !has_ended(pid))
            usleep(300);
        kill(pid, SIGKILL);
        end_of_program(pid);
    } while (access(checkpoint, F_OK) != 0 || shell("[ ! -e %s ]", out) != 0);
    int code = run_program("run s.cfg --quiet --out %s --resume %s", out, options);
    ck_assert_msg(code == 0, "exit code %d: %s", code, frs_said);
    free(checkpoint);
}

/* On one thread, simulated by actors; and on two, by the calendar, killed and resumed. */
static void run_both(const char *options) {
    static const char *const same = "for f in rounds.csv clients.csv events.ndjson; do cmp one/$f two/$f || "
                                    "exit 1; done";
    char *one = frs_format("%s --threads 1 --set engine.backend=actors --set output.report=false", options);
    char *two = frs_format("%s --threads 2 --set engine.backend=calendar --set output.report=false "
                           "--set output.what_if=none --set output.checkpoint_rounds=2",
        options);
    run_scenario("s.cfg", "one", one);
    run_killed("two", two);
    ck_assert_msg(shell("%s", same) == 0,
        "other files on two threads, under the calendar, or where the run is resumed: %s", options);
    free(one);
    free(two);
}

START_TEST(runs_are_the_same) {
    const struct frs_learner *learner = frs_learners[_i];
    char *options = frs_format("--set method.name=%s --set data.feedback=%s --set rounds.cohort=%d --set "
                               "rounds.count=%d",
        learner->plugin.name, learner->predicts_ratings ? "explicit --set data.split=ratio" : "implicit",
        COHORT, N_ROUNDS);
    run_both(options);
    free(options);
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

/* All baselines of one kind of feedback, with few epochs. */
static char *baseline_options(bool ratings) {
    char *names = frs_strdup(""), *short_ones = frs_strdup("");
    for (size_t i = 0; frs_non_federated[i]; i++) {
        const struct frs_plugin *plugin = &frs_non_federated[i]->plugin;
        if (frs_non_federated[i]->predicts_ratings != ratings)
            continue;
        char *more = frs_format("%s%s%s", names, *names ? "," : "", plugin->name);
        free(names);
        names = more;
        for (const struct frs_param *param = plugin->params; param && param->key; param++)
            if (strcmp(param->key, "epochs") == 0 || strcmp(param->key, "rounds") == 0) {
                more = frs_format("%s --set evaluation.%s.%s=3", short_ones, plugin->name, param->key);
                free(short_ones);
                short_ones = more;
            }
    }
    char *options = frs_format("--set evaluation.non_federated=%s%s", names, short_ones);
    free(names);
    free(short_ones);
    return options;
}

/* They send nothing; their figures are those of any run on the data. */
START_TEST(baselines_are_the_same) {
    char *all = baseline_options(_i), *options = frs_format("--set rounds.count=%d %s%s", N_ROUNDS, all,
                                          _i ? " --set data.feedback=explicit --set data.split=ratio "
                                               "--set method.name=fedmf_ratings"
                                             : "");
    run_both(options);
    json_t *summaries[] = {load_json("one", "summary.json"), load_json("two", "summary.json")};
    json_t *one = json_object_get(summaries[0], "non_federated");
    for (size_t i = 0; frs_non_federated[i]; i++)
        if (frs_non_federated[i]->predicts_ratings == _i) {
            double value = json_path(one, frs_non_federated[i]->plugin.name, _i ? "rmse" : "ndcg@10");
            ck_assert_msg(isfinite(value) && value > 0, "%s: %g", frs_non_federated[i]->plugin.name, value);
        }
    ck_assert(json_equal(one, json_object_get(summaries[1], "non_federated")));
    json_decref(summaries[0]);
    json_decref(summaries[1]);
    free(options);
    free(all);
}
END_TEST

/* Residual quantisation, where clients and the server keep what it leaves out: two levels of 8 codes with 32
 * values each take 2 kB and a bit, the rows as they are up to 25. */
START_TEST(coded_runs_are_the_same) {
    run_both("--set method.name=fedmf_update --set codec.uplink=rvq --set codec.uplink.levels=2 "
             "--set codec.uplink.codes=8 --set codec.uplink.error_feedback=true --set codec.downlink=rvq "
             "--set codec.downlink.levels=2 --set codec.downlink.codes=8 "
             "--set codec.downlink.error_feedback=true");
    struct table rounds = table_load("one", "rounds.csv");
    ck_assert_double_gt(column_sum(&rounds, "up_bytes"), 0);
    ck_assert_double_lt(column_sum(&rounds, "up_bytes"), 8 * 20 * 2500.);
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
    tcase_add_loop_test(tests, runs_are_the_same, 0, n);
    tcase_add_loop_test(tests, baselines_are_the_same, 0, 2);
    tcase_add_test(tests, coded_runs_are_the_same);
    tcase_add_loop_test(tests, needs_are_predicted, 0, n);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
