/* The server step between aggregation and tables: what is sent, what moves, and what it costs, by hand. */
#include "algorithms/server_step.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#define CLIENTS 4u
#define ITEMS 30u

extern const struct frs_learner frs_learner_fedmf, frs_learner_fedmf_update;
extern const struct frs_optimiser frs_optimiser_momentum, frs_optimiser_adam;

struct bench {
    struct frs_population population;
    void *model;
    struct frs_server_step step;
    struct frs_arena arena;
};

static void begin(struct bench *bench, const struct frs_learner *learner, const char *dim,
    const struct frs_optimiser *optimiser) {
    struct frs_values values = frs_values_of(optimiser->plugin.params, NULL);
    *bench = (struct bench){.population = make_population(CLIENTS, ITEMS, 5)};
    bench->model = make_model(learner, &bench->population, SETTINGS("dim", dim));
    bench->step = frs_server_step_begin(learner, bench->model, optimiser, &values);
    frs_values_fini(&values);
}

static void end(struct bench *bench) {
    frs_arena_fini(&bench->arena);
    frs_model_destroy(bench->model);
    free_population(&bench->population);
}

/* One upload of one row, of one number. */
static struct frs_contribution upload(
    const uint32_t *row, const float *value, const struct frs_tables *base) {
    return (struct frs_contribution){.samples = 1,
        .base = base,
        .parts = {{.n_rows = ITEMS, .dim = 1, .n = 1, .ids = row, .values = value}}};
}

/* β .9, η 1. Row 3 changes by 1 in the first round, row 5 by 2 in the second, in which row 3 continues by
 * .9. No other row is sent. */
START_TEST(rows_go_on) {
    static const uint32_t rows[] = {3, 5};
    static const float changes[] = {1, 2};
    struct bench bench;
    struct frs_rows update[FRS_MAX_PARTS];
    begin(&bench, &frs_learner_fedmf_update, "1", &frs_optimiser_momentum);
    for (size_t round = 0; round < 2; round++) {
        struct frs_contribution contribution = upload(&rows[round], &changes[round], NULL);
        frs_server_step_aggregate(&bench.step, bench.model, 0, &contribution, 1, &bench.arena, update);
        ck_assert_uint_eq(update[0].n, round + 1);
        ck_assert_uint_eq(update[0].ids[round], rows[round]);
        ck_assert_float_eq(update[0].values[round], changes[round]);
    }
    ck_assert_uint_eq(update[0].ids[0], 3);
    ck_assert_float_eq_tol(update[0].values[0], 0.9F, 1e-7F);
    end(&bench);
}
END_TEST

/* The same by a method that sends tables: a client that downloaded q uploads q + 1, or q + 2. */
START_TEST(tables_go_on) {
    struct bench bench;
    begin(&bench, &frs_learner_fedmf, "1", &frs_optimiser_momentum);
    struct frs_tables tables = frs_model_tables(bench.model), first = copy_tables(bench.model);
    for (uint32_t round = 0; round < 2; round++) {
        const uint32_t row = round == 0 ? 3 : 5;
        const float value = tables.part[0][row] + (round == 0 ? 1 : 2);
        struct frs_contribution contribution = upload(&row, &value, &tables);
        frs_server_step_aggregate(&bench.step, bench.model, 0, &contribution, 1, &bench.arena, NULL);
    }
    for (size_t row = 0; row < ITEMS; row++) {
        float change = row == 3 ? 1.9F : row == 5 ? 2 : 0;
        ck_assert_float_eq_tol(tables.part[0][row], first.part[0][row] + change, 1e-6F);
    }
    free_tables(&first);
    end(&bench);
}
END_TEST

/* 30 · 4 numbers; 2 operations for each of 50 values that were uploaded. Momentum 3, and 2 for difference and
 * sum; Adam 9 of an update. Nothing has come in: nothing. */
START_TEST(operations_by_hand) {
    struct bench bench;
    begin(&bench, &frs_learner_fedmf, "4", &frs_optimiser_momentum);
    ck_assert_double_eq(frs_server_step_flop(&bench.step, bench.model, 2, 50), 100 + 120 * 5);
    ck_assert_double_eq(frs_server_step_flop(&bench.step, bench.model, 0, 0), 0);
    end(&bench);
    begin(&bench, &frs_learner_fedmf_update, "4", &frs_optimiser_adam);
    ck_assert_double_eq(frs_server_step_flop(&bench.step, bench.model, 2, 50), 100 + 120 * 9);
    end(&bench);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("server_step");
    TCase *tests = tcase_create("server_step");
    tcase_add_test(tests, rows_go_on);
    tcase_add_test(tests, tables_go_on);
    tcase_add_test(tests, operations_by_hand);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
