/* FCF and FedRec: participations and the server's step by hand. */
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_fcf, frs_learner_fcf_implicit, frs_learner_fedrec;

enum { ITEMS = 9 };

/* No client has item 8. */
static const uint32_t items[] = {1, 4, 4};
static const float ratings[] = {5, 2, 4};
static const struct frs_client_data clients[] = {
    {0, items, ratings, 2, items, 2}, {1, items + 2, ratings + 2, 1, items + 2, 1}};
static const struct frs_population tiny = {
    .n_clients = 2, .n_items = ITEMS, .clients = clients, .rating_min = 1, .rating_max = 5, .seed = 3};

/* dim 1: u = Σ v r / (Σ v² + λ), gradients −2 (r − u v) u. */
static double solve(const float *table) {
    double a = (double)table[1], b = (double)table[4];
    return (5 * a + 2 * b) / (a * a + b * b + 3);
}

START_TEST(fcf_participation_by_hand) {
    void *model = make_model(&frs_learner_fcf, &tiny, SETTINGS("dim", "1", "user_decay", "3"));
    struct frs_tables tables = frs_model_tables(model);
    struct frs_arena arena = {0};
    struct frs_trained trained = train_client(&frs_learner_fcf, model, &tiny, 0, 0, 0, &arena);
    double u = solve(tables.part[0]);
    ck_assert_uint_eq(trained.upload[0].n, 2);
    double e1 = 5 - u * (double)tables.part[0][1], e4 = 2 - u * (double)tables.part[0][4];
    ck_assert_double_eq_tol(trained.upload[0].values[0], -2 * e1 * u, 1e-5);
    ck_assert_double_eq_tol(trained.upload[0].values[1], -2 * e4 * u, 1e-5);
    ck_assert_double_eq_tol(trained.loss, (e1 * e1 + e4 * e4) / 2, 1e-5);
    ck_assert_uint_eq(trained.samples, 2);
    commit_client(model, 0, 0, &trained);
    float score;
    frs_learner_fcf.score(model, &tables, 0, (const uint32_t[]){8}, 1, &score);
    ck_assert_double_eq_tol(score, u * (double)tables.part[0][8], 1e-6);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

/* Gradients of both clients add up, with 2 λ_v v; the first step of Adam is the rate, whatever the gradient's
 * size, the second one follows from both. */
START_TEST(server_steps_by_hand) {
    void *model = make_model(
        &frs_learner_fcf, &tiny, SETTINGS("dim", "1", "user_decay", "3", "server_learning_rate", "0.5"));
    struct frs_tables tables = frs_model_tables(model);
    struct frs_arena arena = {0};
    struct frs_contribution contributions[2];
    double v = (double)tables.part[0][4], m = 0, s = 0;
    float nobodys = tables.part[0][8];
    for (int step = 1; step <= 2; step++) {
        double gradient = 0.2 * v;
        for (uint32_t u = 0; u < 2; u++) {
            struct frs_trained trained = train_client(&frs_learner_fcf, model, &tiny, u, 0, 0, &arena);
            contributions[u] = contribute(&frs_learner_fcf, u, &trained, &tables, 0);
            gradient += (double)trained.upload[0].values[u == 0];
        }
        m = .9 * m + .1 * gradient;
        s = .999 * s + .001 * gradient * gradient;
        v -= .5 * m / (1 - pow(.9, step)) / sqrt(s / (1 - pow(.999, step)));
        frs_learner_fcf.aggregate(model, contributions, 2, &arena, NULL);
        ck_assert_double_eq_tol(tables.part[0][4], v, 1e-4);
        v = (double)tables.part[0][4];
    }
    ck_assert_float_eq(tables.part[0][8], nobodys);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

/* dim 1, alpha 2: x = Σ 3 v / (Σ v² over all + 2 Σ v² over its own + λ),
 * gradients −2 c (p − x v) x of all. */
START_TEST(implicit_participation_by_hand) {
    void *model = make_model(&frs_learner_fcf_implicit, &tiny, SETTINGS("dim", "1", "alpha", "2"));
    struct frs_tables tables = frs_model_tables(model);
    struct frs_arena arena = {0};
    const float *v = tables.part[0];
    double above = 3 * ((double)v[1] + (double)v[4]), below = 3, loss = 0;
    for (size_t i = 0; i < ITEMS; i++)
        below += (i == 1 || i == 4 ? 3 : 1) * (double)v[i] * (double)v[i];
    double x = above / below;
    struct frs_trained trained = train_client(&frs_learner_fcf_implicit, model, &tiny, 0, 0, 0, &arena);
    ck_assert_uint_eq(trained.upload[0].n, ITEMS);
    ck_assert_ptr_null(trained.upload[0].ids);
    for (size_t i = 0; i < ITEMS; i++) {
        double p = i == 1 || i == 4, c = 1 + 2 * p, error = p - x * (double)v[i];
        ck_assert_double_eq_tol(trained.upload[0].values[i], -2 * c * error * x, 1e-5);
        loss += c * error * error;
    }
    ck_assert_double_eq_tol(trained.loss, loss / ITEMS, 1e-5);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

/* Client 0 has rated items 1 and 4; rho 3 draws six of the other seven. */
static void check_virtual(
    const void *model, const struct frs_trained *trained, const float *table, double virtual) {
    const struct frs_rows *rows = &trained->upload[0];
    const float *u = trained->private_state;
    bool has_rated[2] = {false, false};
    (void)model;
    ck_assert_uint_eq(rows->n, 8);
    for (size_t i = 0; i < rows->n; i++) {
        uint32_t item = rows->ids[i];
        double v = (double)table[item], predicted = virtual * v;
        double r = item == 1 ? 5 : item == 4 ? 2 : isnan(virtual) ? 3.5 : fmin(5, fmax(1, predicted));
        has_rated[0] |= item == 1;
        has_rated[1] |= item == 4;
        ck_assert_double_eq_tol(rows->values[i], -2 * (r - (double)*u * v) * (double)*u, 1e-5);
    }
    ck_assert(has_rated[0] && has_rated[1]);
}

/* First its mean rating, (5 + 2)/2, for everything it draws; then what it would have predicted. */
START_TEST(fedrec_fills_in) {
    void *model = make_model(&frs_learner_fedrec, &tiny,
        SETTINGS("dim", "1", "user_decay", "3", "mean_rounds", "1", "virtual_in_solve", "false"));
    struct frs_tables tables = frs_model_tables(model);
    struct frs_arena arena = {0};
    struct frs_trained trained = train_client(&frs_learner_fedrec, model, &tiny, 0, 0, 0, &arena);
    double u = solve(tables.part[0]);
    ck_assert_double_eq_tol(*(const float *)trained.private_state, u, 1e-6);
    check_virtual(model, &trained, tables.part[0], NAN);
    commit_client(model, 0, 0, &trained);
    trained = train_client(&frs_learner_fedrec, model, &tiny, 0, 1, 0, &arena);
    check_virtual(model, &trained, tables.part[0], u);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

/* Without virtual ratings it is FCF. */
START_TEST(fedrec_without_virtual_ratings) {
    void *a = make_model(&frs_learner_fcf, &tiny, NULL),
         *b = make_model(&frs_learner_fedrec, &tiny, SETTINGS("rho", "0"));
    struct frs_arena arena = {0};
    struct frs_trained x = train_client(&frs_learner_fcf, a, &tiny, 0, 0, 0, &arena),
                       y = train_client(&frs_learner_fedrec, b, &tiny, 0, 0, 0, &arena);
    ck_assert_uint_eq(x.upload[0].n, y.upload[0].n);
    ck_assert_mem_eq(x.upload[0].values, y.upload[0].values, x.upload[0].n * x.upload[0].dim * sizeof(float));
    frs_arena_fini(&arena);
    frs_model_destroy(a);
    frs_model_destroy(b);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fcf");
    TCase *tests = tcase_create("fcf");
    tcase_add_test(tests, fcf_participation_by_hand);
    tcase_add_test(tests, server_steps_by_hand);
    tcase_add_test(tests, implicit_participation_by_hand);
    tcase_add_test(tests, fedrec_fills_in);
    tcase_add_test(tests, fedrec_without_virtual_ratings);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
