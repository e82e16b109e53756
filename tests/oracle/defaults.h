/* What the tests of defaults share: every method with its defaults, default rounds and cohort included, under
 * the honest protocol, is better than popularity or, where it predicts ratings, than means of items and
 * users. */
#ifndef FRS_TESTS_ORACLE_DEFAULTS_H
#define FRS_TESTS_ORACLE_DEFAULTS_H

#include "algorithms/learner.h"
#include "tests/oracle/published.h"

/* Those that cannot, and why: docs/defaults.md. */
static const char *const cannot[] = {
    "fedrap", "fedncf_ratings", "rfrecf", "lightfr", "ptf_fedrec", "cgfedrec", "semidfegl_ratings"};

static inline bool is_excused(const struct frs_learner *learner) {
    for (size_t i = 0; i < sizeof cannot / sizeof *cannot; i++)
        if (strcmp(learner->plugin.name, cannot[i]) == 0)
            return true;
    return false;
}

/* One that cannot has to run to its end all the same, and to be judged. */
static inline void check_learns(const struct frs_learner *learner, const char *set, const char *data) {
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

/* A suite with `test` for every method. */
static inline Suite *suite_of_methods(const char *name, const TTest *test) {
    int n = 0;
    while (frs_learners[n])
        n++;
    Suite *suite = suite_create(name);
    TCase *tests = tcase_create(name);
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 3600);
    tcase_add_loop_test(tests, test, 0, n);
    suite_add_tcase(suite, tests);
    return suite;
}

#endif
