/* PFedRec: a participation and the mean by hand. */
#include "sim/base/errors.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_pfedrec;

enum { DIM = 4, ITEMS = 5 };

static const uint32_t items[] = {0, 1, 1, 2, 3}, every_item[] = {0, 1, 2, 3, 4};
static const float ones[] = {1, 1, 1, 1, 1};
static const struct frs_client_data clients[] = {
    {0, items, ones, 2, items, 2}, {1, items + 2, ones, 3, items + 2, 3}};
static const struct frs_population tiny = {.n_clients = 2, .n_items = ITEMS, .clients = clients, .seed = 3};

/* No negatives. */
static void *tiny_model(void) {
    struct frs_learner_setup setup = {.population = &tiny};
    struct frs_values values = frs_values_of(frs_learner_pfedrec.plugin.params, SETTINGS("dim", "4"));
    struct frs_errors errors = {0};
    void *model = frs_learner_pfedrec.create(&values, &setup, &errors);
    frs_values_fini(&values);
    return model;
}

/* w and b of a client that has not been trained: its scores of unit rows and of a row of zeros. */
static void initial_head(const void *model, uint32_t client, double w[DIM], double *b) {
    float unit[ITEMS * DIM] = {0}, scores[ITEMS];
    for (size_t k = 0; k < DIM; k++)
        unit[k * DIM + k] = 1;
    frs_learner_pfedrec.score(model, &(struct frs_tables){.part = {unit}}, client, every_item, ITEMS, scores);
    *b = (double)scores[4];
    for (size_t k = 0; k < DIM; k++)
        w[k] = (double)scores[k] - *b;
}

/* Heads begin as a linear layer does, the same for every client. */
START_TEST(heads_begin_alike) {
    void *model = tiny_model();
    double first[DIM], second[DIM], b[2];
    initial_head(model, 0, first, &b[0]);
    initial_head(model, 1, second, &b[1]);
    ck_assert_double_eq(b[0], b[1]);
    for (size_t k = 0; k < DIM; k++) {
        ck_assert_double_eq(first[k], second[k]);
        ck_assert_double_le(fabs(first[k]), .5);
        ck_assert(first[k] != 0);
    }
    frs_model_destroy(model);
}
END_TEST

static double error_of(const double *w, double b, const double *q) {
    for (size_t k = 0; k < DIM; k++)
        b += w[k] * q[k];
    return 1 / (1 + exp(-b)) - 1;
}

/* Client 0, two positives in one batch: the head moves by .1 times the mean gradient, then the rows by .1 · 5
 * items · 80 = 40 times half of their gradients at the new head. */
START_TEST(participation_by_hand) {
    void *model = tiny_model();
    struct frs_tables tables = frs_model_tables(model);
    struct frs_arena arena = {0};
    double w[DIM], b, q[2][DIM], e[2];
    initial_head(model, 0, w, &b);
    for (size_t i = 0; i < 2 * DIM; i++)
        q[i / DIM][i % DIM] = (double)tables.part[0][i];
    for (size_t i = 0; i < 2; i++)
        e[i] = error_of(w, b, q[i]);
    for (size_t k = 0; k < DIM; k++)
        w[k] -= .1 * (e[0] * q[0][k] + e[1] * q[1][k]) / 2;
    b -= .1 * (e[0] + e[1]) / 2;
    for (size_t i = 0; i < 2; i++) {
        e[i] = error_of(w, b, q[i]);
        for (size_t k = 0; k < DIM; k++)
            q[i][k] -= 40 * e[i] / 2 * w[k];
    }
    struct frs_trained trained = train_client(&frs_learner_pfedrec, model, &tiny, 0, 0, 0, &arena);
    ck_assert_uint_eq(trained.upload[0].n, 2);
    for (size_t i = 0; i < 2 * DIM; i++)
        ck_assert_double_eq_tol(trained.upload[0].values[i], q[i / DIM][i % DIM], 1e-5);
    commit_client(model, 0, 0, &trained);
    float scores[ITEMS], row[DIM];
    memcpy(row, tables.part[0] + 4 * DIM, sizeof row);
    memset(tables.part[0], 0, ITEMS * DIM * sizeof(float)); /* no longer matters to this client */
    frs_learner_pfedrec.score(model, &tables, 0, every_item, ITEMS, scores);
    double untouched = b;
    for (size_t k = 0; k < DIM; k++)
        untouched += w[k] * (double)row[k];
    ck_assert_double_eq_tol(scores[4], untouched, 1e-5);
    for (size_t i = 0; i < 2; i++)
        ck_assert_double_eq_tol(1 / (1 + exp(-(double)scores[i])) - 1, error_of(w, b, q[i]), 1e-5);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

/* The plain mean over all clients that arrived, touched or not: item 0 moves by half of what client 0 did to
 * it. */
START_TEST(mean_counts_all_arrivals) {
    void *model = tiny_model();
    struct frs_tables tables = frs_model_tables(model);
    struct frs_arena arena = {0};
    struct frs_contribution contributions[2];
    float before[DIM], half[DIM];
    memcpy(before, tables.part[0], sizeof before);
    for (uint32_t u = 0; u < 2; u++) {
        struct frs_trained trained = train_client(&frs_learner_pfedrec, model, &tiny, u, 0, 0, &arena);
        contributions[u] = contribute(&frs_learner_pfedrec, u, &trained, &tables, 0);
        for (size_t k = 0; k < DIM && u == 0; k++)
            half[k] = (trained.upload[0].values[k] - before[k]) / 2;
    }
    frs_learner_pfedrec.aggregate(model, contributions, 2, &arena, NULL);
    for (size_t k = 0; k < DIM; k++)
        ck_assert_float_eq_tol(tables.part[0][k], before[k] + half[k], 1e-5f);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("pfedrec");
    TCase *tests = tcase_create("pfedrec");
    tcase_add_test(tests, heads_begin_alike);
    tcase_add_test(tests, participation_by_hand);
    tcase_add_test(tests, mean_counts_all_arrivals);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
