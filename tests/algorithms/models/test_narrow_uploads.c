/* The mean of updates of which clients sent different numbers of columns, by hand. */
#include "algorithms/models/narrow_uploads.h"
#include "tests/support.h"

static struct frs_arena arena;
static const uint32_t zero_and_two[2] = {0, 2}, two[1] = {2};
static const float wide_values[6] = {1, 2, 3, 4, 5, 6}, narrow_values[1] = {10};

/* Client 0 sends three columns of rows 0 and 2, client 1 one column of row 2; 1 and 3 samples. */
static struct frs_rows mean(enum frs_weighting weighting, double staleness_scale) {
    static const struct frs_population population = {.n_clients = 2, .n_items = 3, .seed = 1};
    struct frs_learner_setup setup = {.population = &population};
    struct frs_model *model = frs_model_create(sizeof *model, &setup);
    frs_model_table(model, (struct frs_table){.name = "items", .owner = FRS_OF_ALL, .rows = 3, .dim = 3});
    model->weighting = weighting;
    struct frs_contribution from[2] = {
        {.client = 0,
            .samples = 1,
            .parts = {{.n_rows = 3, .dim = 3, .n = 2, .ids = zero_and_two, .values = wide_values}}},
        {.client = 1,
            .samples = 3,
            .staleness_scale = staleness_scale,
            .parts = {{.n_rows = 3, .dim = 1, .n = 1, .ids = two, .values = narrow_values}}}};
    struct frs_rows rows = frs_mean_of_columns(model, from, 2, 0, 3, &arena);
    frs_model_destroy(model);
    ck_assert_uint_eq(rows.n, 2);
    ck_assert_uint_eq(rows.dim, 3);
    ck_assert_mem_eq(rows.ids, zero_and_two, sizeof zero_and_two);
    return rows;
}

static void check(struct frs_rows rows, const float *expected) {
    for (size_t i = 0; i < 6; i++)
        ck_assert_float_eq_tol(rows.values[i], expected[i], 1e-6F);
}

/* Only the first column of row 2 has two senders. */
START_TEST(by_senders_of_the_column) {
    check(mean(FRS_PER_ITEM, 0), (const float[]){1, 2, 3, 7, 5, 6});
    check(mean(FRS_PER_ITEM, 0.5), (const float[]){1, 2, 3, 4.5F, 5, 6});
}
END_TEST

START_TEST(a_column_that_is_not_sent_is_no_change) {
    check(mean(FRS_UNIFORM, 0), (const float[]){0.5F, 1, 1.5F, 7, 2.5F, 3});
    check(mean(FRS_DATA_SIZE, 0), (const float[]){0.25F, 0.5F, 0.75F, 8.5F, 1.25F, 1.5F});
}
END_TEST

static void teardown(void) {
    frs_arena_fini(&arena);
}

int main(void) {
    Suite *suite = suite_create("narrow uploads");
    TCase *tests = tcase_create("narrow uploads");
    tcase_add_checked_fixture(tests, NULL, teardown);
    tcase_add_test(tests, by_senders_of_the_column);
    tcase_add_test(tests, a_column_that_is_not_sent_is_no_change);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
