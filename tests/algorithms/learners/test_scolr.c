/* SCoLR: which columns a client trains, an aggregation by hand, and that it is CoLR under full budgets. */
#include "sim/base/errors.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_colr, frs_learner_scolr;

/* Three items; clients 0 {0, 1} and 1 {1, 2}, of weight 2 and 2, and client 2 {1}. */
static const uint32_t items[] = {0, 1, 1, 2, 1};
static const float ones[] = {1, 1, 1, 1, 1};
static const struct frs_client_data clients[] = {{0, items, ones, 2, items, 2},
    {1, items + 2, ones, 2, items + 2, 2}, {2, items + 4, ones, 1, items + 4, 1}};
static const struct frs_population tiny = {.n_clients = 3, .n_items = 3, .clients = clients, .seed = 3};

enum { ITEMS = 3, CLIENTS = 3, DIM = 8, RANK = 5 };

/* One epoch of plain SGD, no negatives. */
static void *tiny_model(const struct frs_learner *learner, const char *aggregation) {
    struct frs_learner_setup setup = {.population = &tiny};
    struct frs_values values = frs_values_of(
        learner->plugin.params, SETTINGS("dim", "8", "rank", "5", "epochs", "1", "sgd_scaling", "batch_mean",
                                    "weight_decay", "0", "aggregation", aggregation));
    struct frs_errors errors = {0};
    void *model = learner->create(&values, &setup, &errors);
    ck_assert_ptr_nonnull(model);
    frs_values_fini(&values);
    return model;
}

static struct frs_trained train(
    const void *model, uint32_t client, uint32_t budget, uint64_t round_seed, struct frs_arena *arena) {
    struct frs_tables tables = frs_model_tables(model);
    struct frs_training training = {
        .data = &clients[client], .tables = &tables, .round_seed = round_seed, .budget = budget};
    struct frs_trained trained;
    frs_learner_train(&frs_learner_scolr, model, &training, arena, &trained);
    return trained;
}

/* From A = 0 the first step of a column does not depend on the others. So under a small budget a client
 * uploads the columns of the full budget, without those that it did not choose; here they are identified
 * by their values. */
static void find_columns(
    const struct frs_rows *own, const struct frs_rows *full, size_t *columns, size_t budget) {
    size_t next = 0;
    for (size_t j = 0; j < budget; j++) {
        while (next < RANK && own->values[j] != full->values[next])
            next++;
        ck_assert_uint_lt(next, RANK);
        columns[j] = next++;
    }
    for (size_t i = 0; i < own->n; i++)
        for (size_t j = 0; j < budget; j++)
            ck_assert_float_eq_tol(own->values[i * budget + j], full->values[i * RANK + columns[j]], 1e-7f);
}

/* Which columns: as many as assigned, distinct, another choice for another client and another round. */
START_TEST(columns_are_drawn_per_client_and_round) {
    struct frs_arena arena = {0};
    void *model = tiny_model(&frs_learner_scolr, "sum");
    size_t chosen[40][2], times[RANK] = {0}, same_client = 0, same_round = 0;
    for (uint32_t round = 0; round < 40; round++) {
        uint64_t round_seed = frs_learner_scolr.round_seed(model, round);
        size_t other[2];
        for (uint32_t client = 0; client < 2; client++) {
            struct frs_trained full = train(model, client, RANK, round_seed, &arena);
            struct frs_trained own = train(model, client, 2, round_seed, &arena);
            find_columns(own.upload, full.upload, client ? other : chosen[round], 2);
        }
        same_round += memcmp(other, chosen[round], sizeof other) == 0;
        same_client += round > 0 && memcmp(chosen[round], chosen[round - 1], sizeof other) == 0;
        times[chosen[round][0]]++;
        times[chosen[round][1]]++;
    }
    ck_assert_uint_lt(same_round, 15); /* 4 expected: one pair of ten */
    ck_assert_uint_lt(same_client, 15);
    for (size_t j = 0; j < RANK; j++) /* 16 expected */
        ck_assert(times[j] >= 5 && times[j] <= 30);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

/* All columns assigned: CoLR, to the last bit. */
START_TEST(full_budget_is_colr) {
    struct frs_arena arena = {0};
    void *scolr = tiny_model(&frs_learner_scolr, "sum"), *colr = tiny_model(&frs_learner_colr, "per_item");
    uint64_t round_seed = frs_learner_scolr.round_seed(scolr, 4);
    struct frs_contribution contributions[2][CLIENTS];
    struct frs_rows update[2];
    ck_assert_uint_eq(frs_learner_colr.round_seed(colr, 4), round_seed);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct frs_trained one = train(scolr, client, RANK, round_seed, &arena);
        struct frs_trained two = train_client(&frs_learner_colr, colr, &tiny, client, 0, round_seed, &arena);
        contributions[0][client] = contribute(&frs_learner_scolr, client, &one, NULL, round_seed);
        contributions[1][client] = contribute(&frs_learner_colr, client, &two, NULL, round_seed);
    }
    frs_learner_scolr.aggregate(scolr, contributions[0], CLIENTS, &arena, &update[0]);
    frs_learner_colr.aggregate(colr, contributions[1], CLIENTS, &arena, &update[1]);
    ck_assert_uint_eq(update[0].n, update[1].n);
    ck_assert_uint_eq(update[0].dim, update[1].dim);
    ck_assert_mem_eq(update[0].values, update[1].values, update[0].n * RANK * sizeof(float));
    frs_arena_fini(&arena);
    frs_model_destroy(scolr);
    frs_model_destroy(colr);
}
END_TEST

/* Budgets 2, 3 and 5; every value of the aggregate by hand. Item 0 was touched by client 0 alone, item 1 by
 * all three, item 2 by client 1; the weights of `literal` are 2/5, 2/5, 1/5. Gathered one after the
 * other the same uploads make the same update. */
START_TEST(aggregation_by_hand) {
    static const char *const names[] = {"sum", "per_row", "literal", "uniform"};
    static const uint32_t budgets[] = {2, 3, 5};
    static const double touched[] = {1, 3, 1}, weights[] = {.4, .4, .2};
    int rule = _i / 2;
    bool one_by_one = _i % 2 == 1;
    struct frs_arena arena = {0};
    void *model = tiny_model(&frs_learner_scolr, names[rule]);
    uint64_t round_seed = frs_learner_scolr.round_seed(model, 1);
    struct frs_contribution contributions[CLIENTS];
    struct frs_rows update;
    double sum[ITEMS][RANK] = {{0}}, weighted[ITEMS][RANK] = {{0}}, choosers[ITEMS][RANK] = {{0}};
    for (uint32_t client = 0; client < CLIENTS; client++) {
        size_t columns[RANK];
        struct frs_trained full = train(model, client, RANK, round_seed, &arena);
        struct frs_trained own = train(model, client, budgets[client], round_seed, &arena);
        find_columns(own.upload, full.upload, columns, budgets[client]);
        contributions[client] = contribute(&frs_learner_scolr, client, &own, NULL, round_seed);
        for (size_t i = 0; i < own.upload->n; i++)
            for (size_t j = 0; j < budgets[client]; j++) {
                size_t item = own.upload->ids[i], column = columns[j];
                double value = (double)own.upload->values[i * budgets[client] + j];
                sum[item][column] += value;
                weighted[item][column] += weights[client] * value;
                choosers[item][column]++;
            }
    }
    for (uint32_t client = 0; client < CLIENTS && one_by_one; client++)
        frs_learner_scolr.gather(model, &contributions[client], 1);
    frs_learner_scolr.aggregate(model, one_by_one ? NULL : contributions, CLIENTS, &arena, &update);
    ck_assert_uint_eq(update.n, ITEMS);
    ck_assert_uint_eq(update.dim, RANK);
    for (size_t i = 0; i < ITEMS; i++)
        for (size_t j = 0; j < RANK; j++) {
            double expected = rule == 2             ? weighted[i][j]
                              : rule == 3           ? sum[i][j] / CLIENTS
                              : choosers[i][j] == 0 ? 0
                              : rule == 0           ? sum[i][j] / touched[i]
                                                    : sum[i][j] / choosers[i][j];
            ck_assert_double_eq_tol((double)update.values[i * RANK + j], expected, 1e-7);
        }
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

/* per_row: a column is divided by the clients that have chosen it, stale or not; so uploads of half weight
 * make half of the update. */
START_TEST(stale_uploads_per_row) {
    struct frs_arena arena = {0};
    void *model = tiny_model(&frs_learner_scolr, "per_row");
    uint64_t round_seed = frs_learner_scolr.round_seed(model, 1);
    static const uint32_t budgets[] = {2, 3, 5};
    struct frs_contribution contributions[CLIENTS];
    struct frs_rows fresh, stale;
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct frs_trained own = train(model, client, budgets[client], round_seed, &arena);
        contributions[client] = contribute(&frs_learner_scolr, client, &own, NULL, round_seed);
    }
    frs_learner_scolr.aggregate(model, contributions, CLIENTS, &arena, &fresh);
    for (uint32_t client = 0; client < CLIENTS; client++)
        contributions[client].staleness_scale = 0.5;
    frs_learner_scolr.aggregate(model, contributions, CLIENTS, &arena, &stale);
    for (size_t i = 0; i < ITEMS * RANK; i++)
        ck_assert_float_eq_tol(stale.values[i], fresh.values[i] / 2, 1e-7F);
    frs_arena_fini(&arena);
    frs_model_destroy(model);
}
END_TEST

/* 4 · r_u · m bytes and a header up, 4 · r_g · m down. */
START_TEST(messages_have_columns_as_assigned) {
    void *model = tiny_model(&frs_learner_scolr, "sum");
    struct frs_part shape;
    struct frs_budgets range = frs_learner_budgets(&frs_learner_scolr, model);
    ck_assert_uint_eq(range.min, 1);
    ck_assert_uint_eq(range.max, RANK);
    frs_learner_upload_parts(&frs_learner_scolr, model, 2, &shape);
    ck_assert(shape.n_rows == ITEMS && shape.dim == 2);
    frs_model_parts(model, FRS_UPDATE, &shape);
    ck_assert(shape.n_rows == ITEMS && shape.dim == RANK);
    frs_model_parts(model, FRS_STATE, &shape);
    ck_assert(shape.n_rows == ITEMS && shape.dim == DIM);
    frs_model_destroy(model);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("scolr");
    TCase *tests = tcase_create("scolr");
    tcase_add_test(tests, columns_are_drawn_per_client_and_round);
    tcase_add_test(tests, full_budget_is_colr);
    tcase_add_loop_test(tests, aggregation_by_hand, 0, 2 * 4);
    tcase_add_test(tests, stale_uploads_per_row);
    tcase_add_test(tests, messages_have_columns_as_assigned);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
