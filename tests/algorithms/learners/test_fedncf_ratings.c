/* FedNCF for ratings: a participation by hand. */
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_fedncf_ratings;

static const struct frs_learner *const learner = &frs_learner_fedncf_ratings;
static const uint32_t item[] = {1};
static const float rating[] = {4};
static const struct frs_client_data client = {0, item, rating, 1, item, 1};
static const struct frs_population tiny = {
    .n_clients = 1, .n_items = 2, .clients = &client, .rating_min = 1, .rating_max = 5, .seed = 3};

/* The score of item 1: 1 + 4 σ(h p q + b). */
static double predict(double h, double p, double q, double b) {
    return 1 + 4 / (1 + exp(-(h * p * q + b)));
}

/* dim 1, one rating of 4, that is .75: δ = −2 (.75 − σ) σ (1 − σ), gradients δ h p of q, δ p q of h, δ of b;
 * p moves by its rate against the sign of δ h q. p is known by what it makes of the untrained score. */
START_TEST(participation_by_hand) {
    void *model =
        make_model(learner, &tiny, SETTINGS("dim", "1", "init_sd", "1", "server_learning_rate", "0.01"));
    struct frs_tables tables = frs_model_tables(model);
    struct frs_arena arena = {0};
    float before, after;
    double q = (double)tables.part[0][1], h = (double)tables.part[1][0], b = (double)tables.part[1][1];
    learner->score(model, &tables, 0, item, 1, &before);
    double y = ((double)before - 1) / 4, p = (log(y / (1 - y)) - b) / (h * q),
           delta = -2 * (.75 - y) * y * (1 - y);
    struct frs_trained trained = train_client(learner, model, &tiny, 0, 0, 0, &arena);
    ck_assert_double_eq_tol(trained.upload[0].values[0], delta * h * p, 1e-5);
    ck_assert_double_eq_tol(trained.upload[1].values[0], delta * p * q, 1e-5);
    ck_assert_double_eq_tol(trained.upload[1].values[1], delta, 1e-5);
    ck_assert_double_eq_tol(trained.loss, (.75 - y) * (.75 - y), 1e-6);
    commit_client(model, 0, 0, &trained);
    learner->score(model, &tables, 0, item, 1, &after);
    p -= copysign(.01, delta * h * q);
    ck_assert_double_eq_tol(after, predict(h, p, q, b), 1e-4);
    /* the server: items and head likewise */
    struct frs_contribution contribution = contribute(learner, 0, &trained, &tables, 0);
    learner->aggregate(model, &contribution, 1, &arena, NULL);
    ck_assert_double_eq_tol(tables.part[0][1], q - copysign(.01, (double)trained.upload[0].values[0]), 1e-5);
    ck_assert_double_eq_tol(tables.part[1][0], h - copysign(.01, (double)trained.upload[1].values[0]), 1e-5);
    ck_assert_double_eq_tol(tables.part[1][1], b - copysign(.01, delta), 1e-5);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fedncf_ratings");
    TCase *tests = tcase_create("fedncf_ratings");
    tcase_add_test(tests, participation_by_hand);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
