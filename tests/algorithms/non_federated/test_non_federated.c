/* Labels: slow
 *
 * Recommenders without federation: by hand, and their figures on MovieLens-100K. */
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/data/fixture.h"

#include <math.h>

/* Three clients, five items: 0 {0, 1, 2}, 1 {0, 1}, 2 {1, 3}. No client has item 4. */
static const uint32_t items[] = {0, 1, 2, 0, 1, 1, 3};
static const float ones[] = {1, 1, 1, 1, 1, 1, 1}, ratings[] = {5, 3, 4, 4, 2, 3, 1};
static const uint32_t every_item[] = {0, 1, 2, 3, 4};

static struct frs_population tiny(struct frs_client_data clients[3], const float *values) {
    static const size_t start[] = {0, 3, 5, 7};
    for (uint32_t client = 0; client < 3; client++) {
        size_t n = start[client + 1] - start[client];
        const uint32_t *own = items + start[client];
        clients[client] = (struct frs_client_data){client, own, values + start[client], n, own, n};
    }
    return (struct frs_population){.n_clients = 3, .n_items = 5, .clients = clients, .seed = 7};
}

static void *fit_tiny(const struct frs_non_federated_model *baseline, const struct frs_population *population,
    const char *const *settings) {
    struct frs_values values = frs_values_of(baseline->plugin.params, settings);
    void *model = baseline->fit(&values, population, NULL);
    frs_values_fini(&values);
    return model;
}

START_TEST(registry_is_complete) {
    for (const struct frs_non_federated_model *const *baseline = frs_non_federated; *baseline; baseline++) {
        ck_assert_ptr_nonnull((*baseline)->plugin.summary);
        ck_assert_ptr_nonnull((*baseline)->plugin.source);
        ck_assert_ptr_eq(frs_non_federated_model_find((*baseline)->plugin.name), *baseline);
        ck_assert_ptr_eq(frs_non_federated_model_plugins[baseline - frs_non_federated], &(*baseline)->plugin);
    }
    ck_assert_ptr_null(frs_non_federated_model_find("none"));
    ck_assert_ptr_nonnull(frs_non_federated_model_find("popularity"));
    ck_assert_ptr_nonnull(frs_non_federated_model_find("centralised_mf"));
    ck_assert_ptr_nonnull(frs_non_federated_model_find("item_knn"));
    ck_assert(frs_non_federated_model_find("item_mean")->predicts_ratings);
}
END_TEST

START_TEST(popularity_counts_interactions) {
    struct frs_client_data clients[3];
    struct frs_population population = tiny(clients, ones);
    const struct frs_non_federated_model *baseline = frs_non_federated_model_find("popularity");
    void *model = fit_tiny(baseline, &population, NULL);
    float scores[5];
    baseline->score(model, 2, every_item, 5, scores);
    const float expected[] = {2, 3, 1, 1, 0};
    ck_assert_mem_eq(scores, expected, sizeof expected);
    baseline->destroy(model);
}
END_TEST

/* n = (2, 3, 1, 1, 0); pairs: c01 = 2, c02 = c12 = c13 = 1. Shrink 1:
 * s01 = 2/(√6 + 1), s02 = 1/(√2 + 1), s12 = s13 = 1/(√3 + 1). */
START_TEST(item_knn_by_hand) {
    struct frs_client_data clients[3];
    struct frs_population population = tiny(clients, ones);
    const struct frs_non_federated_model *baseline = frs_non_federated_model_find("item_knn");
    double s01 = 2 / (sqrt(6) + 1), s02 = 1 / (sqrt(2) + 1), s12 = 1 / (sqrt(3) + 1);
    float scores[5];
    void *model = fit_tiny(baseline, &population, SETTINGS("shrink", "1"));
    baseline->score(model, 1, every_item, 5, scores); /* has 0 and 1 */
    ck_assert_double_eq_tol(scores[0], s01, 1e-6);
    ck_assert_double_eq_tol(scores[1], s01, 1e-6);
    ck_assert_double_eq_tol(scores[2], s02 + s12, 1e-6);
    ck_assert_double_eq_tol(scores[3], s12, 1e-6);
    ck_assert_float_eq(scores[4], 0);
    baseline->destroy(model);
    /* with one neighbour each: 0→1, 1→0, 2→0, 3→1 */
    model = fit_tiny(baseline, &population, SETTINGS("shrink", "1", "neighbours", "1"));
    baseline->score(model, 2, every_item, 5, scores); /* has 1 and 3 */
    ck_assert_double_eq_tol(scores[0], s01, 1e-6);
    ck_assert_float_eq(scores[1], 0);
    ck_assert_float_eq(scores[2], 0);
    ck_assert_double_eq_tol(scores[3], s12, 1e-6);
    baseline->destroy(model);
}
END_TEST

/* μ = 22/7. Without shrinkage: b_0 = 4.5 − μ, b_1 = 8/3 − μ, b_2 = 4 − μ, b_3 = 1 − μ, b_4 = 0;
 * user 1 has 4 and 2 on items 0 and 1: b = ((4 − 4.5) + (2 − 8/3))/2 = −7/12. */
START_TEST(item_mean_by_hand) {
    struct frs_client_data clients[3];
    struct frs_population population = tiny(clients, ratings);
    const struct frs_non_federated_model *baseline = frs_non_federated_model_find("item_mean");
    float scores[5];
    void *model = fit_tiny(baseline, &population, SETTINGS("shrink_items", "0", "shrink_users", "0"));
    baseline->score(model, 1, every_item, 5, scores);
    ck_assert_double_eq_tol(scores[0], 4.5 - 7.0 / 12, 1e-6);
    ck_assert_double_eq_tol(scores[3], 1 - 7.0 / 12, 1e-6);
    ck_assert_double_eq_tol(scores[4], 22.0 / 7 - 7.0 / 12, 1e-6);
    baseline->destroy(model);
    model = fit_tiny(baseline, &population, SETTINGS("shrink_items", "1", "shrink_users", "1e6"));
    baseline->score(model, 0, every_item, 5, scores);
    ck_assert_double_eq_tol(scores[3], 22.0 / 7 + (1 - 22.0 / 7) / 2, 1e-5);
    baseline->destroy(model);
}
END_TEST

/* One client with item 0 of two: one epoch is one batch of (0, 1) and the negative (1, 0). All logits start
 * near 0, so Adam moves every weight by η: the positive's score must rise and the negative's fall, and many
 * epochs separate them. */
START_TEST(centralised_mf_learns) {
    const uint32_t own[] = {0};
    struct frs_client_data client = {0, own, ones, 1, own, 1};
    struct frs_population population = {.n_clients = 1, .n_items = 2, .clients = &client, .seed = 3};
    const struct frs_non_federated_model *baseline = frs_non_federated_model_find("centralised_mf");
    const char *epochs[] = {"0", "1", "400"};
    float scores[3][2];
    for (int i = 0; i < 3; i++) {
        void *model =
            fit_tiny(baseline, &population, SETTINGS("epochs", epochs[i], "l2", "0", "negatives", "4"));
        baseline->score(model, 0, every_item, 2, scores[i]);
        baseline->destroy(model);
    }
    ck_assert_float_gt(scores[1][0], scores[0][0]);
    ck_assert_float_lt(scores[1][1], scores[0][1]);
    ck_assert_float_gt(scores[2][0], 3);
    ck_assert_float_lt(scores[2][1], -3);
}
END_TEST

/* One step of Adam by hand: dim 1, no negatives, no decay: p and q each move by η·sign of the gradient, where
 * the gradient of p is (σ(pq) − 1)·q. */
START_TEST(centralised_mf_first_step_by_hand) {
    const uint32_t own[] = {0};
    struct frs_client_data client = {0, own, ones, 1, own, 1};
    struct frs_population population = {.n_clients = 1, .n_items = 1, .clients = &client, .seed = 5};
    const struct frs_non_federated_model *baseline = frs_non_federated_model_find("centralised_mf");
    struct frs_rng rng = frs_rng_stream(5, FRS_RNG_SERVER, 0, 0, FRS_RNG_NON_FEDERATED);
    double q = 0.1 * frs_rng_normal(&rng), p = 0.1 * frs_rng_normal(&rng);
    void *model =
        fit_tiny(baseline, &population, SETTINGS("epochs", "1", "dim", "1", "l2", "0", "negatives", "0"));
    float score;
    baseline->score(model, 0, own, 1, &score);
    double expected = (p + copysign(0.005, q)) * (q + copysign(0.005, p));
    ck_assert_double_eq_tol(score, expected, 1e-6);
    baseline->destroy(model);
}
END_TEST

/* However much there would be to do. */
START_TEST(a_stopped_fit_ends) {
    const struct {
        const char *name;
        const char *const *settings;
    } long_ones[] = {{"centralised_mf", SETTINGS("epochs", "100000")},
        {"local_only", SETTINGS("rounds", "1000000")}, {"ncf", SETTINGS("epochs", "100000")},
        {"lightgcn", SETTINGS("epochs", "100000")}, {"centrap", SETTINGS("epochs", "100000")},
        {"pmf", SETTINGS("epochs", "1000000")}, {"pmf_biases", SETTINGS("most_epochs", "1000000")},
        {"svdpp", SETTINGS("epochs", "1000000")}, {"item_knn", NULL}};
    const atomic_bool stopped = true;
    struct frs_client_data clients[3];
    struct frs_population population = tiny(clients, ratings);
    for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++) {
        const struct frs_non_federated_model *baseline = frs_non_federated_model_find(long_ones[i].name);
        struct frs_values values = frs_values_of(baseline->plugin.params, long_ones[i].settings);
        baseline->destroy(baseline->fit(&values, &population, &stopped));
        frs_values_fini(&values);
    }
}
END_TEST

START_TEST(references_are_reproducible) {
    struct frs_data *data =
        load(SETTINGS("synthetic", "custom", "users", "40", "items", "120", "interactions", "800"),
            SETTINGS("negatives", "20"), 4);
    for (const struct frs_non_federated_model *const *baseline = frs_non_federated; *baseline; baseline++) {
        void *a = fit(*baseline, data, NULL), *b = fit(*baseline, data, NULL);
        float left[5], right[5];
        (*baseline)->score(a, 17, every_item, 5, left);
        (*baseline)->score(b, 17, every_item, 5, right);
        ck_assert_mem_eq(left, right, sizeof left);
        (*baseline)->destroy(a);
        (*baseline)->destroy(b);
    }
    frs_data_destroy(data);
}
END_TEST

static void check_quality(
    const struct frs_data *data, const char *name, struct quality sampled, struct quality full) {
    const struct frs_non_federated_model *baseline = frs_non_federated_model_find(name);
    void *model = fit(baseline, data, NULL);
    struct quality measured = evaluate(baseline, model, data, false),
                   all = evaluate(baseline, model, data, true);
    printf("%s: HR@10 %.3f NDCG@10 %.3f, full ranking %.3f %.3f\n", name, measured.hit, measured.ndcg,
        all.hit, all.ndcg);
    ck_assert_double_eq_tol(measured.hit, sampled.hit, 0.02);
    ck_assert_double_eq_tol(measured.ndcg, sampled.ndcg, 0.02);
    ck_assert_double_eq_tol(all.hit, full.hit, 0.02);
    ck_assert_double_eq_tol(all.ndcg, full.ndcg, 0.02);
    baseline->destroy(model);
}

/* Measured independently with prototypes: ML-100K, leave-one-out, validation item held out, honest, 99
 * negatives. */
START_TEST(figures_on_movielens_100k) {
    char *path = frs_test_data_file("references_movielens_100k", "ml-100k/u.data");
    if (!path)
        return;
    struct frs_data *data = load(SETTINGS("format", "movielens-100k", "path", path), NO_SETTINGS, 1);
    check_quality(data, "popularity", (struct quality){.403, .224}, (struct quality){.084, .043});
    check_quality(data, "item_knn", (struct quality){.614, .346}, (struct quality){.110, .060});
    check_quality(data, "centralised_mf", (struct quality){.634, .362}, (struct quality){.124, .064});
    frs_data_destroy(data);
    free(path);
}
END_TEST

/* Damped means reach an RMSE of about 0.94 on random splits of ML-100K. */
START_TEST(item_mean_on_movielens_100k) {
    char *path = frs_test_data_file("item_mean_movielens_100k", "ml-100k/u.data");
    if (!path)
        return;
    struct frs_data *data =
        load(SETTINGS("format", "movielens-100k", "path", path, "feedback", "explicit", "split", "ratio"),
            NO_SETTINGS, 1);
    const struct frs_non_federated_model *baseline = frs_non_federated_model_find("item_mean");
    void *model = fit(baseline, data, NULL);
    size_t n = data->test.start[943];
    float *predicted = frs_alloc(n, sizeof *predicted);
    for (uint32_t client = 0; client < 943; client++) {
        size_t begin = data->test.start[client];
        baseline->score(
            model, client, data->test.items + begin, data->test.start[client + 1] - begin, predicted + begin);
    }
    ck_assert_double_eq_tol(frs_metric_rmse(predicted, data->test.ratings, n), 0.945, 0.01);
    ck_assert_double_eq_tol(frs_metric_mae(predicted, data->test.ratings, n), 0.75, 0.01);
    free(predicted);
    baseline->destroy(model);
    frs_data_destroy(data);
    free(path);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("baselines");
    TCase *tests = tcase_create("baselines");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, registry_is_complete);
    tcase_add_test(tests, popularity_counts_interactions);
    tcase_add_test(tests, item_knn_by_hand);
    tcase_add_test(tests, item_mean_by_hand);
    tcase_add_test(tests, centralised_mf_learns);
    tcase_add_test(tests, centralised_mf_first_step_by_hand);
    tcase_add_test(tests, a_stopped_fit_ends);
    tcase_add_test(tests, references_are_reproducible);
    frs_test_add_figures(tests, figures_on_movielens_100k);
    frs_test_add_figures(tests, item_mean_on_movielens_100k);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
