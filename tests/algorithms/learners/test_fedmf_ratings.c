/* FedMF for ratings: a client's step and an aggregation by hand. */
#include "algorithms/kernels/steps/rating_sgd.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_fedmf_ratings;

static const struct frs_learner *const learner = &frs_learner_fedmf_ratings;

/* Items 0 and 1; item 1; ratings 4, 2; 5. */
static const uint32_t items[] = {0, 1, 1}, every_item[] = {0, 1, 2};
static const float ratings[] = {4, 2, 5};
static const struct frs_client_data clients[] = {
    {0, items, ratings, 2, items, 2}, {1, items + 2, ratings + 2, 1, items + 2, 1}};
static const struct frs_population tiny = {
    .n_clients = 2, .n_items = 3, .clients = clients, .rating_min = 1, .rating_max = 5, .seed = 3};

/* offset 3, p 1, b 0, q 2, c 1: e = 5 − 3 − 0 − 1 − 2 = −1. Rate .1, decay .5:
 * p = 1 + .1 (−2 − .5), q = 2 + .1 (−1 − 1), b = .1 · −1, c = 1 + .1 (−1 − .5). */
START_TEST(step_by_hand) {
    const float rating = 5;
    float user[] = {1, 0}, row[] = {2, 1};
    uint32_t order[1];
    struct frs_rating_sgd sgd = {.n = 1,
        .dim = 1,
        .ratings = &rating,
        .offset = 3,
        .user = user,
        .rows = row,
        .rate = .1f,
        .decay = .5f,
        .order = order};
    struct frs_rng rng = test_rng(1);
    ck_assert_double_eq_tol(frs_rating_sgd_epoch(&sgd, 1, &rng), 1, 1e-6);
    ck_assert_float_eq_tol(user[0], .75f, 1e-6f);
    ck_assert_float_eq_tol(user[1], -.1f, 1e-6f);
    ck_assert_float_eq_tol(row[0], 1.8f, 1e-6f);
    ck_assert_float_eq_tol(row[1], .85f, 1e-6f);
}
END_TEST

/* Before anything is trained a client predicts its mean rating plus p · q. */
START_TEST(begins_at_the_mean) {
    void *model = make_model(learner, &tiny, SETTINGS("init_sd", "0"));
    struct frs_tables tables = frs_model_tables(model);
    float scores[3];
    learner->score(model, &tables, 0, every_item, 3, scores);
    for (size_t i = 0; i < 3; i++)
        ck_assert_float_eq_tol(scores[i], 3, 1e-6f);
    learner->score(model, &tables, 1, every_item, 1, scores);
    ck_assert_float_eq_tol(scores[0], 5, 1e-6f);
    frs_model_destroy(model);
}
END_TEST

/* With vectors of zero only biases learn. Client 1 begins at 5 and can learn only decay: item 1 gets the
 * mean of the two clients' values, item 0 the value of client 0 alone. */
START_TEST(mean_by_item) {
    void *model = make_model(learner, &tiny, SETTINGS("init_sd", "0", "decay", "0"));
    struct frs_tables tables = frs_model_tables(model);
    struct frs_arena arena = {0};
    struct frs_contribution contributions[2];
    for (uint32_t u = 0; u < 2; u++) {
        struct frs_trained trained = train_client(learner, model, &tiny, u, 0, 0, &arena);
        contributions[u] = contribute(learner, u, &trained, &tables, 0);
    }
    const struct frs_rows first = contributions[0].parts[0], second = contributions[1].parts[0];
    size_t bias = first.dim - 1;
    ck_assert_float_eq_tol(second.values[bias], 0, 1e-6f);
    float c0 = first.values[bias], c1 = first.values[first.dim + bias];
    learner->aggregate(model, contributions, 2, &arena, NULL);
    ck_assert_float_eq_tol(tables.part[0][bias], c0, 1e-6f);
    ck_assert_float_eq_tol(tables.part[0][first.dim + bias], c1 / 2, 1e-6f);
    /* whichever came first: +.05 for rating 4 at 3, or −.05 for 2; then the other at the moved bias */
    ck_assert(fabsf(fabsf(c0) + fabsf(c1) - (.05f + .0525f)) < 1e-5f);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fedmf_ratings");
    TCase *tests = tcase_create("fedmf_ratings");
    tcase_add_test(tests, step_by_hand);
    tcase_add_test(tests, begins_at_the_mean);
    tcase_add_test(tests, mean_by_item);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
