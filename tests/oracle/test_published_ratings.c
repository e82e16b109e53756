/* Labels: slow
 *
 * The rating baselines on MovieLens-100K (scenarios/papers/rfrec-table2-baselines.cfg, one seed) against what
 * re-implementations of RFRec's table 2 gave, and FedFast against the table itself. Others of them with
 * `ctest -L long`. */
#include "tests/oracle/published.h"

static const struct {
    const char *method, *options;
    double mae, rmse, published_mae, published_rmse;
} methods[] = {
    {"fcf", "", .7590, .9594, .7602, .9614},
    {"fedfast", "--set rounds.selection=by_group --set rounds.cohort=20%", .7545, .9403, .7545, .9403},
    {"fedrec", "", .784, .984, .7549, .9832},
    {"fedncf_ratings", "--set rounds.count=58", .7585, .9615, .7562, .9612},
    {"fedmf_ratings", "", .7329, .9341, NAN, NAN},
};

#ifndef FIRST_METHOD
#define FIRST_METHOD 0
#define N_METHODS 2
#endif

static json_t *run_baseline(const char *options) {
    char *scenario = frs_format("%s/scenarios/papers/rfrec-table2-baselines.cfg", frs_test_source_dir());
    char *all = frs_format("--set evaluation.every=100 --set codec.uplink=touched_rows %s", options);
    run_scenario(scenario, "out", all);
    free(all);
    free(scenario);
    return load_json("out", "summary.json");
}

static void check(json_t *summary, const char *group, const char *name, double mae, double rmse) {
    json_t *found = json_object_get(summary, group);
    if (name)
        found = json_object_get(found, name);
    double found_mae = json_number_value(json_object_get(found, "mae")),
           found_rmse = json_number_value(json_object_get(found, "rmse"));
    printf("%s%s: MAE %.4f RMSE %.4f, expected %.4f %.4f\n", group, name ? name : "", found_mae, found_rmse,
        mae, rmse);
    ck_assert_double_eq_tol(found_mae, mae, .02);
    ck_assert_double_eq_tol(found_rmse, rmse, .02);
}

START_TEST(ratings_have_their_published_errors) {
    if (!has_data("published ratings", "ml-100k/u.data"))
        return;
    char *options = frs_format("--set method.name=%s %s", methods[_i].method, methods[_i].options);
    json_t *summary = run_baseline(options);
    printf("%s (published %.4f %.4f): ", methods[_i].method, methods[_i].published_mae,
        methods[_i].published_rmse);
    check(summary, "metrics", NULL, methods[_i].mae, methods[_i].rmse);
    json_decref(summary);
    free(options);
}
END_TEST

/* As the paper has them: PMF .7341/.9318, SVD++ (that is PMF with biases) .7289/.9273. The true SVD++ is not
 * in the table; the benchmark of the Surprise library has .722/.920 (five-fold cross-validation). */
START_TEST(baselines_have_their_published_errors) {
    if (!has_data("published rating baselines", "ml-100k/u.data"))
        return;
    json_t *summary =
        run_baseline("--set rounds.count=1 --set evaluation.non_federated=pmf,pmf_biases,svdpp");
    check(summary, "non_federated", "pmf", .7309, .9299);
    check(summary, "non_federated", "pmf_biases", .7263, .9230);
    check(summary, "non_federated", "svdpp", .722, .920);
    json_decref(summary);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("published ratings");
    TCase *tests = tcase_create("MovieLens-100K");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 550);
    tcase_add_loop_test(tests, ratings_have_their_published_errors, FIRST_METHOD, FIRST_METHOD + N_METHODS);
    tcase_add_test(tests, baselines_have_their_published_errors);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
