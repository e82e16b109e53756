/* Settings of baselines: a group of its own below `evaluation` for each, which changes that baseline's
 * figures and nothing of the run.
 * Labels: slow */
#include "sim/setup/memory_limit.h"
#include "tests/sim/run/fixture.h"

static const char implicit[] = "data = { synthetic = \"small\"; };\nrounds = { count = 2; cohort = 5; };\n"
                               "evaluation = { non_federated = [\"popularity\", \"centralised_mf\"]; "
                               "centralised_mf = { epochs = 3; }; };\n";

/* 24 users with 12 items each: ratings from 1 to 10. */
static void write_ratings(void) {
    FILE *file = folder_open("ratings.csv", "w");
    fputs("user,item,rating\n", file);
    for (unsigned u = 0; u < 24; u++)
        for (unsigned i = 0; i < 12; i++)
            fprintf(file, "%u,%u,%u\n", u, (u * 7 + i * 5) % 60, 1 + (u * u + 3 * i) % 10);
    fclose(file);
    write_text("ratings.cfg",
        "data = { format = \"csv\"; path = \"ratings.csv\"; csv_value = \"rating\"; feedback = \"explicit\";"
        " split = \"ratio\"; };\nmethod = \"rfrec\";\nrounds = { count = 2; cohort = 5; };\n");
}

static void setup(void) {
    folder_setup();
    write_text("s.cfg", implicit);
    write_ratings();
    ck_assert_int_eq(shell("sed -i 's,ratings.csv,'$PWD'/ratings.csv,' ratings.cfg"), 0);
}

static double figure(const char *run, const char *baseline, const char *metric) {
    json_t *summary = load_json(run, "summary.json");
    double value = json_path(json_object_get(summary, "non_federated"), baseline, metric);
    json_decref(summary);
    return value;
}

START_TEST(settings_have_an_effect) {
    run_scenario("s.cfg", "three", "");
    run_scenario("s.cfg", "default", "--set evaluation.centralised_mf.epochs=40");
    run_scenario("s.cfg", "none", "--set evaluation.centralised_mf.epochs=0");
    ck_assert_double_ne(
        figure("three", "centralised_mf", "ndcg@10"), figure("none", "centralised_mf", "ndcg@10"));
    ck_assert_double_gt(
        figure("default", "centralised_mf", "ndcg@10"), figure("none", "centralised_mf", "ndcg@10") + 0.05);
    ck_assert_double_eq(figure("three", "popularity", "ndcg@10"), figure("none", "popularity", "ndcg@10"));
    ck_assert_int_eq(
        shell("cmp three/rounds.csv none/rounds.csv && cmp three/clients.csv none/clients.csv"), 0);
    ck_assert_int_eq(shell("grep -q '\"evaluation.centralised_mf.epochs\": \"3\"' three/manifest.json"), 0);
}
END_TEST

/* Training is shared between runs that differ in a baseline's settings, the baseline's figures are not. A
 * name in the folder is that of the training, another that of the baselines' results on these data. */
START_TEST(training_is_shared_between_baseline_settings) {
    run_scenario("s.cfg", "first", "--cache shared");
    run_scenario("s.cfg", "second", "--cache shared --set evaluation.centralised_mf.epochs=20");
    run_scenario("s.cfg", "alone", "--set evaluation.centralised_mf.epochs=20");
    ck_assert_int_eq(shell("[ $(ls shared | cut -d- -f1 | sort -u | wc -l) = 2 ]"), 0);
    ck_assert_double_eq(
        figure("second", "centralised_mf", "ndcg@10"), figure("alone", "centralised_mf", "ndcg@10"));
    ck_assert_double_ne(
        figure("second", "centralised_mf", "ndcg@10"), figure("first", "centralised_mf", "ndcg@10"));
}
END_TEST

static const char *const refused[][2] = {
    {"s.cfg --set evaluation.item_knn.shrink=3", "evaluation.item_knn.shrink: has no effect here"},
    {"s.cfg --set evaluation.centralised_mf.epoch=3",
        "evaluation.centralised_mf.epoch: unknown key; did you mean \"epochs\"?"},
    {"ratings.cfg --set evaluation.non_federated=item_knn --set evaluation.item_knn.shrink=3",
        "evaluation.non_federated: \"item_knn\" needs implicit feedback"},
    {"ratings.cfg --set evaluation.non_federated=pmf --set evaluation.pmf.dim=0",
        "evaluation.pmf.dim: \"0\" is out of range; allowed: an integer from 1 to 4096"},
};

START_TEST(idle_baseline_settings_are_refused) {
    int code = run_program("run %s --out out", refused[_i][0]);
    ck_assert_int_eq(code, 2);
    ck_assert_msg(strstr(frs_said, refused[_i][1]), "%s: %s", refused[_i][0], frs_said);
    ck_assert_int_ne(shell("[ -e out ]"), 0);
}
END_TEST

/* By the forecast of `check`. */
static double memory_bytes(const char *options) {
    ck_assert_int_eq(run_program("check s.cfg --json --set data.synthetic=ml-100k %s", options), 0);
    const char *at = strstr(frs_said, "\"memory_bytes\":");
    ck_assert_ptr_nonnull(at);
    return strtod(at + strlen("\"memory_bytes\":"), NULL);
}

/* CentRAP keeps a table of every user: 943 · 1,682 · 32 · 4 bytes. What does not fit is refused. */
START_TEST(memory_of_all_tables_is_foretold) {
    double tables = memory_bytes("--set evaluation.non_federated=centrap") -
                    memory_bytes("--set evaluation.non_federated=popularity");
    ck_assert_double_gt(tables, 0.9 * 943 * 1682 * 32 * 4);
    ck_assert_double_lt(tables, 1.3 * 943 * 1682 * 32 * 4);
    if (frs_memory_limit() > 360e9)
        return;
    ck_assert_int_eq(run_program("run s.cfg --out out --set data.synthetic=ml-1m "
                                 "--set evaluation.non_federated=centrap --set evaluation.centrap.dim=4096"),
        2);
    ck_assert_ptr_nonnull(strstr(frs_said, "evaluation.centrap.dim: \"centrap\" takes 36"));
    ck_assert_ptr_nonnull(strstr(frs_said, "and this process may have"));
    ck_assert_int_ne(shell("[ -e out ]"), 0);
}
END_TEST

/* A baseline that diverges is told, and does not cost the run. */
START_TEST(a_diverged_baseline_is_told) {
    int code = run_program("run ratings.cfg --quiet --out out --set evaluation.non_federated=item_mean,svdpp "
                           "--set evaluation.svdpp.learning_rate=10");
    ck_assert_int_eq(code, 1);
    ck_assert_msg(
        strstr(frs_said, "fedrecsim: baseline svdpp: its predictions are not numbers"), "%s", frs_said);
    ck_assert_double_gt(figure("out", "item_mean", "rmse"), 0);
    ck_assert_int_eq(shell("! grep -qi nan out/summary.json"), 0);
}
END_TEST

/* A score that is not a number ranks last, which is no figure of anything. */
START_TEST(divergence_of_a_ranking) {
    int code =
        run_program("run s.cfg --quiet --out out --set evaluation.non_federated=popularity,local_only "
                    "--set evaluation.local_only.optimiser=sgd --set evaluation.local_only.sgd_scaling=sum "
                    "--set evaluation.local_only.learning_rate=1e6");
    ck_assert_int_eq(code, 1);
    ck_assert_msg(
        strstr(frs_said, "fedrecsim: baseline local_only: its predictions are not numbers"), "%s", frs_said);
    ck_assert_double_gt(figure("out", "popularity", "hr@10"), 0);
    ck_assert_int_eq(shell("! sed -n '/\"local_only\"/,/}/p' out/summary.json | grep -q '[0-9]\\.[0-9]'"), 0);
}
END_TEST

/* Two rounds of five clients have learnt nothing: it is said, of every kind of run, in one line. */
START_TEST(not_better_than_its_reference) {
    static const char *const runs[][3] = {
        {"s.cfg", "popularity", "\n  not above popularity   HR@10 0."},
        {"ratings.cfg", "item_mean", "\n  not below item_mean    RMSE "},
    };
    ck_assert_int_eq(run_program("run %s --out out", runs[_i][0]), 0);
    json_t *summary = load_json("out", "summary.json");
    json_t *verdict = json_object_get(summary, "better_than_baseline");
    ck_assert_str_eq(json_string_value(json_object_get(verdict, "non_federated")), runs[_i][1]);
    ck_assert(json_is_false(json_object_get(verdict, "better")));
    ck_assert_msg(strstr(frs_said, runs[_i][2]), "%s", frs_said);
    ck_assert_ptr_nonnull(strstr(frs_said, ", which needs no training\n"));
    json_decref(summary);
}
END_TEST

/* A run that has learnt prints no warning; without the baseline that is unknown. */
START_TEST(better_than_its_reference) {
    static const struct {
        const char *options;
        bool known;
    } runs[] = {{"--set rounds.count=100", true},
        {"--set rounds.count=2 --set evaluation.non_federated=item_knn", false}};
    ck_assert_int_eq(
        run_program("run s.cfg --out out --set evaluation.non_federated=popularity --set "
                    "method.name=fcf_implicit --set rounds.cohort=50%% --set evaluation.every=100 %s",
            runs[_i].options),
        0);
    json_t *summary = load_json("out", "summary.json");
    json_t *verdict = json_object_get(summary, "better_than_baseline");
    ck_assert(runs[_i].known ? json_is_true(json_object_get(verdict, "better")) : !verdict);
    ck_assert_ptr_null(strstr(frs_said, "which needs no training"));
    json_decref(summary);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("baselines of a run");
    TCase *tests = tcase_create("baselines of a run");
    tcase_add_checked_fixture(tests, setup, folder_teardown);
    tcase_add_test(tests, settings_have_an_effect);
    tcase_add_test(tests, training_is_shared_between_baseline_settings);
    tcase_add_loop_test(tests, idle_baseline_settings_are_refused, 0, sizeof refused / sizeof *refused);
    tcase_add_test(tests, memory_of_all_tables_is_foretold);
    tcase_add_test(tests, a_diverged_baseline_is_told);
    tcase_add_test(tests, divergence_of_a_ranking);
    tcase_add_loop_test(tests, not_better_than_its_reference, 0, 2);
    tcase_add_loop_test(tests, better_than_its_reference, 0, 2);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
