/* FedMF: a client's step and an aggregation by hand. */
#include "sim/base/errors.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_fedmf;

/* Five items; clients 0 {0, 1} and 1 {1, 2, 3}. */
static const uint32_t items[] = {0, 1, 1, 2, 3}, every_item[] = {0, 1, 2, 3, 4};
static const float ones[] = {1, 1, 1, 1, 1};
static const struct frs_client_data clients[] = {
    {0, items, ones, 2, items, 2}, {1, items + 2, ones, 3, items + 2, 3}};
static const struct frs_population tiny = {.n_clients = 2, .n_items = 5, .clients = clients, .seed = 3};

/* No negatives, one epoch. */
static void *tiny_model(const char *const *settings) {
    struct frs_learner_setup setup = {.population = &tiny};
    struct frs_values values = frs_values_of(frs_learner_fedmf.plugin.params, settings);
    struct frs_errors errors = {0};
    void *model = frs_learner_fedmf.create(&values, &setup, &errors);
    frs_values_fini(&values);
    return model;
}

static struct frs_trained train(void *model, uint32_t client, struct frs_arena *arena) {
    return train_client(&frs_learner_fedmf, model, &tiny, client, 0, 0, arena);
}

static double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

/* SGD, batch_mean, d = 1: every sample is a positive with error σ(pq) − 1. */
START_TEST(one_step_by_hand) {
    void *model = tiny_model(SETTINGS("dim", "1", "epochs", "1", "optimiser", "sgd", "learning_rate", "0.5",
        "user_learning_rate", "0.25", "sgd_scaling", "batch_mean", "weight_decay", "0.1", "init_sd", "1"));
    struct frs_arena arena = {0};
    float q[5];
    memcpy(q, frs_model_tables(model).part[0], sizeof q);
    float score;
    struct frs_tables tables = frs_model_tables(model);
    frs_learner_fedmf.score(model, &tables, 0, every_item, 1, &score);
    double p = (double)score / (double)q[0], gradient = 0, loss = 0;
    struct frs_trained trained = train(model, 0, &arena);
    ck_assert_uint_eq(trained.samples, 2);
    ck_assert_uint_eq(trained.upload[0].n, 2);
    for (size_t i = 0; i < 2; i++) {
        double error = sigmoid(p * (double)q[i]) - 1;
        gradient += error / 2 * (double)q[i];
        loss -= log(1 + error) / 2;
        ck_assert_uint_eq(trained.upload[0].ids[i], i);
        ck_assert_double_eq_tol(
            trained.upload[0].values[i], (double)q[i] - 0.5 * (error / 2 * p + 0.1 * (double)q[i]), 1e-6);
    }
    ck_assert_double_eq_tol(trained.loss, loss, 1e-6);
    ck_assert_uint_eq(trained.private_bytes, sizeof(float));
    ck_assert_double_eq_tol(*(const float *)trained.private_state, p - 0.25 * (gradient + 0.1 * p), 1e-6);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

/* ‖Q_u − Q‖² after ten epochs over two items, one batch each. */
static double distance(const char *optimiser, const char *proximal) {
    void *model = tiny_model(SETTINGS("dim", "4", "epochs", "10", "optimiser", optimiser, "learning_rate",
        "0.1", "sgd_scaling", "row_mean", "init_sd", "1", "proximal", proximal));
    struct frs_arena arena = {0};
    const float *table = frs_model_tables(model).part[0];
    struct frs_trained trained = train(model, 0, &arena);
    double sum = 0;
    for (size_t i = 0; i < trained.upload[0].n * 4; i++) {
        double away = (double)trained.upload[0].values[i] - (double)table[i];
        sum += away * away;
    }
    frs_arena_fini(&arena);
    frs_model_destroy(model);
    return sum;
}

/* The first step is the same for any mu, because rows are where they were received. Then a larger mu keeps
 * rows nearer; under SGD with rate · mu = 1 each step goes back all the way, and one step remains. */
START_TEST(proximal_rows_stay_near) {
    for (int adam = 0; adam < 2; adam++) {
        const char *optimiser = adam ? "adam" : "sgd";
        double free = distance(optimiser, "0"), near = distance(optimiser, "0.5"),
               back = distance(optimiser, "10");
        ck_assert_double_lt(near, .9 * free);
        ck_assert_double_lt(back, .1 * free);
        ck_assert_double_gt(back, 0);
    }
}
END_TEST

/* With d = 1, p frozen and a second epoch: q₁ = q − rate ∂q(q), q₂ = q₁ − rate (∂q(q₁) + μ (q₁ − q)). */
START_TEST(proximal_step_by_hand) {
    void *model = tiny_model(
        SETTINGS("dim", "1", "epochs", "2", "optimiser", "sgd", "learning_rate", "0.5", "sgd_scaling",
            "batch_mean", "weight_decay", "0", "user_learning_rate", "0", "init_sd", "1", "proximal", "0.8"));
    struct frs_arena arena = {0};
    struct frs_tables tables = frs_model_tables(model);
    float score;
    frs_learner_fedmf.score(model, &tables, 0, every_item, 1, &score);
    double p = (double)score / (double)tables.part[0][0];
    struct frs_trained trained = train(model, 0, &arena);
    for (size_t i = 0; i < 2; i++) {
        double q = (double)tables.part[0][i], first = q - .5 * (sigmoid(p * q) - 1) / 2 * p,
               second = first - .5 * ((sigmoid(p * first) - 1) / 2 * p + .8 * (first - q));
        ck_assert_double_eq_tol(trained.upload[0].values[i], second, 1e-6);
    }
    /* b = 2, d = e = 1, two batches: scores 4, sigmoid 12, step 4, the term 6; nothing for p, which is frozen
     */
    ck_assert_double_eq(trained.flop, 2 * 26);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

/* Q ← Σ w_u Q_u / Σ w_u, a client's untouched rows being those it received: w = 2/5 and 3/5 (data_size), ½
 * and ½ (uniform), or over the clients that touched the row (item 1: both, items 0, 2, 3: one). */
START_TEST(aggregation_by_hand) {
    static const char *const names[] = {"data_size", "uniform", "per_item"};
    static const double weights[][2] = {{.4, .6}, {.5, .5}, {1, 1}};
    for (size_t c = 0; c < 3; c++) {
        void *model = tiny_model(SETTINGS("aggregation", names[c], "dim", "3"));
        struct frs_tables tables = frs_model_tables(model);
        struct frs_arena arena = {0};
        struct frs_contribution contributions[2];
        double expected[15], touched[5] = {0};
        for (size_t i = 0; i < 15; i++)
            expected[i] = (double)tables.part[0][i];
        for (size_t i = 0; i < 5; i++)
            touched[items[i]]++;
        for (uint32_t u = 0; u < 2; u++) {
            struct frs_trained trained = train(model, u, &arena);
            contributions[u] = contribute(&frs_learner_fedmf, u, &trained, &tables, 0);
            for (size_t i = 0; i < trained.upload[0].n * 3; i++) {
                uint32_t row = trained.upload[0].ids[i / 3];
                double weight = c == 2 ? 1 / touched[row] : weights[c][u];
                expected[row * 3 + i % 3] +=
                    weight * ((double)trained.upload[0].values[i] - (double)tables.part[0][row * 3 + i % 3]);
            }
        }
        frs_learner_fedmf.aggregate(model, contributions, 2, &arena, NULL);
        for (size_t i = 0; i < 15; i++)
            ck_assert_double_eq_tol(tables.part[0][i], expected[i], 1e-6);
        frs_arena_fini(&arena);
        frs_model_destroy(model);
    }
}
END_TEST

/* Standard deviation of n values around 0. */
static double deviation(const float *values, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)values[i] * (double)values[i];
    return sqrt(sum / (double)n);
}

static void scores_at_start(const char *const *settings, uint32_t client, float scores[5], double *sd) {
    void *model = tiny_model(settings);
    struct frs_tables tables = frs_model_tables(model);
    frs_learner_fedmf.score(model, &tables, client, every_item, 5, scores);
    *sd = deviation(tables.part[0], 5 * 4000);
    frs_model_destroy(model);
}

/* The table is N(0, init_sd²), or N(0, 1/d) for init_sd 0; one user vector for all, or one each. 20,000
 * values: the standard deviation is known to half a per cent. */
START_TEST(initial_values_have_their_spread) {
    float first[5], second[5];
    double sd;
    scores_at_start(SETTINGS("dim", "4000", "init_sd", "1", "user_init", "shared"), 0, first, &sd);
    ck_assert_double_eq_tol(sd, 1, 0.02);
    scores_at_start(SETTINGS("dim", "4000", "init_sd", "1", "user_init", "shared"), 1, second, &sd);
    ck_assert_mem_eq(first, second, sizeof first);
    scores_at_start(SETTINGS("dim", "4000", "user_init", "private", "init_sd", "0.1"), 0, first, &sd);
    ck_assert_double_eq_tol(sd, 0.1, 0.002);
    ck_assert_double_lt(deviation(first, 5), 2 * 0.01 * sqrt(4000)); /* both sides 0.1 */
    scores_at_start(SETTINGS("dim", "4000", "user_init", "private", "init_sd", "0.1"), 1, second, &sd);
    ck_assert_mem_ne(first, second, sizeof first);
    scores_at_start(SETTINGS("dim", "4000", "init_sd", "0", "user_init_sd", "0"), 1, second, &sd);
    ck_assert_double_eq_tol(sd, 1 / sqrt(4000), 0.0005);
    ck_assert_double_eq(deviation(second, 5), 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fedmf");
    TCase *tests = tcase_create("fedmf");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, one_step_by_hand);
    tcase_add_test(tests, proximal_step_by_hand);
    tcase_add_test(tests, proximal_rows_stay_near);
    tcase_add_test(tests, aggregation_by_hand);
    tcase_add_test(tests, initial_values_have_their_spread);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
