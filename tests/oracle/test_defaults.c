/* Labels: long
 *
 * Every method with its defaults, default rounds and cohort included, under the honest protocol: better than
 * popularity or, where it predicts ratings, than means of items and users; on the built-in set of
 * MovieLens-100K's size, and on MovieLens-100K (CK_RUN_CASE=MovieLens-100K runs that half alone). */
#include "algorithms/learner.h"
#include "tests/oracle/published.h"

/* Those that cannot, and why: docs/defaults.md. */
static const char *const cannot[] = {
    "fedrap", "fedncf_ratings", "rfrecf", "lightfr", "ptf_fedrec", "cgfedrec", "semidfegl_ratings"};

static bool is_excused(const struct frs_learner *learner) {
    for (size_t i = 0; i < sizeof cannot / sizeof *cannot; i++)
        if (strcmp(learner->plugin.name, cannot[i]) == 0)
            return true;
    return false;
}

static void check_learns(const struct frs_learner *learner, const char *set, const char *data) {
    char *text =
        frs_format("data = { %s%s };\nmethod = { name = \"%s\"; };\n"
                   "network = { preset = \"fieldguide\"; };\ndevices = { preset = \"fieldguide\"; };\n"
                   "evaluation = { every = 1000000; };\noutput = { events = false; };\n",
            data, learner->predicts_ratings ? " feedback = \"explicit\"; split = \"ratio\";" : "",
            learner->plugin.name);
    write_text("s.cfg", text);
    run_scenario("s.cfg", "out", "--force");
    json_t *summary = load_json("out", "summary.json");
    json_t *verdict = json_object_get(summary, "better_than_baseline");
    const char *baseline = json_string_value(json_object_get(verdict, "non_federated"));
    const char *metric = learner->predicts_ratings ? "rmse" : "hr@10";
    ck_assert_str_eq(baseline, learner->predicts_ratings ? "item_mean" : "popularity");
    bool better = json_is_true(json_object_get(verdict, "better"));
    double value = json_path(summary, "metrics", metric);
    double bar = json_path(json_object_get(summary, "non_federated"), baseline, metric);
    printf("%s, %s: %s %.4f, %s %.4f\n", learner->plugin.name, set, metric, value, baseline, bar);
    ck_assert_msg(better || is_excused(learner), "%s, %s: %s %.4f, %s %.4f", learner->plugin.name, set,
        metric, value, baseline, bar);
    json_decref(summary);
    free(text);
}

START_TEST(defaults_learn_on_built_in_data) {
    check_learns(frs_learners[_i], "built in", "synthetic = \"ml-100k\";");
}
END_TEST

START_TEST(defaults_learn_on_movielens) {
    char *path = frs_test_data_file(frs_learners[_i]->plugin.name, "ml-100k/u.data");
    if (!path)
        return;
    char *data = frs_format("format = \"movielens-100k\"; path = \"%s\";", path);
    check_learns(frs_learners[_i], "MovieLens-100K", data);
    free(data);
    free(path);
}
END_TEST

int main(void) {
    int n = 0;
    while (frs_learners[n])
        n++;
    Suite *suite = suite_create("defaults");
    TCase *built_in = tcase_create("built in"), *movielens = tcase_create("MovieLens-100K");
    tcase_add_loop_test(built_in, defaults_learn_on_built_in_data, 0, n);
    tcase_add_loop_test(movielens, defaults_learn_on_movielens, 0, n);
    for (size_t i = 0; i < 2; i++) {
        TCase *tests = i == 0 ? built_in : movielens;
        tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
        tcase_set_timeout(tests, 300);
        suite_add_tcase(suite, tests);
    }
    return frs_test_run(suite);
}
