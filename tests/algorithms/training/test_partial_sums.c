/* What edges send in place of uploads: sums whose mean is that of single uploads up to single precision. */
#include "algorithms/aggregation.h"
#include "algorithms/training/partial_sums.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

extern const struct frs_learner frs_learner_fedmf;
extern const struct frs_codec frs_codec_dense;

enum { CLIENTS = 5, ITEMS = 6, DIM = 3, EDGES = 3 };

/* Clients 0 to 4; edge 2 has none. */
static const uint32_t edge_of_client[CLIENTS] = {1, 0, 1, 0, 0};

static void contribute_all(struct frs_contribution *contributions, uint32_t (*ids)[2],
    float (*values)[2 * DIM], const struct frs_tables *base) {
    struct frs_rng rng = test_rng(54);
    for (uint32_t u = 0; u < CLIENTS; u++) {
        ids[u][0] = u % ITEMS;
        ids[u][1] = u + 1;
        for (size_t k = 0; k < (size_t)2 * DIM; k++)
            values[u][k] = (float)frs_rng_normal(&rng);
        contributions[u] = (struct frs_contribution){.client = u, .samples = 1 + 3 * u, .base = base};
        contributions[u].parts[0] =
            (struct frs_rows){.n_rows = ITEMS, .dim = DIM, .n = 2, .ids = ids[u], .values = values[u]};
    }
}

/* The mean as a whole table. */
static void mean_of(const struct frs_contribution *contributions, enum frs_weighting weighting,
    struct frs_arena *arena, float *table) {
    struct frs_rows mean = frs_aggregate_changes(contributions, CLIENTS, 0, weighting, NULL, arena);
    for (size_t i = 0; i < (size_t)ITEMS * DIM; i++)
        table[i] = 0;
    frs_rows_add_to(&mean, table);
}

START_TEST(mean_of_sums_is_mean_of_uploads) {
    static const char *const names[] = {"data_size", "uniform"};
    static const enum frs_weighting weightings[] = {FRS_DATA_SIZE, FRS_UNIFORM};
    struct frs_population population = make_population(20, ITEMS, 3);
    struct frs_training_setup setup = {.learner = &frs_learner_fedmf,
        .model = make_model(&frs_learner_fedmf, &population, SETTINGS("dim", "3", "aggregation", names[_i])),
        .uplink_codec = {.codec = &frs_codec_dense},
        .edge_of_client = edge_of_client,
        .n_edges = EDGES};
    ck_assert_ptr_null(frs_partial_sums_why_not(&setup));
    struct frs_contribution contributions[CLIENTS];
    uint32_t ids[CLIENTS][2];
    float values[CLIENTS][2 * DIM], base[ITEMS * DIM], before[ITEMS * DIM], after[ITEMS * DIM];
    for (size_t i = 0; i < (size_t)ITEMS * DIM; i++)
        base[i] = 0.25f * (float)i;
    struct frs_tables tables = {{base}};
    struct frs_arena arena = {0};
    contribute_all(contributions, ids, values, &tables);
    mean_of(contributions, weightings[_i], &arena, before);
    frs_partial_sums(&setup, contributions, CLIENTS, NULL, &arena);
    for (uint32_t u = 0; u < CLIENTS; u++) /* clients 0 and 1 are the first of edges 1 and 0 */
        ck_assert_uint_eq(contributions[u].parts[0].n, u < 2 ? ITEMS : 0);
    mean_of(contributions, weightings[_i], &arena, after);
    for (size_t i = 0; i < (size_t)ITEMS * DIM; i++)
        ck_assert_float_eq_tol(after[i], before[i], 2e-6f);
    frs_arena_fini(&arena);
    frs_model_destroy(setup.model);
    free_population(&population);
}
END_TEST

/* Edge 0 has clients 1 and 3, of 4 and 10 samples: row 1 changes by 4 · 2 + 10 · 0.5 = 13, held by client 1
 * as 13 / 4. */
START_TEST(sum_by_hand) {
    struct frs_population population = make_population(20, ITEMS, 3);
    struct frs_training_setup setup = {.learner = &frs_learner_fedmf,
        .model =
            make_model(&frs_learner_fedmf, &population, SETTINGS("dim", "1", "aggregation", "data_size")),
        .uplink_codec = {.codec = &frs_codec_dense},
        .edge_of_client = edge_of_client,
        .n_edges = EDGES};
    uint32_t row = 1;
    float values[2] = {3, 1.5f}, base[ITEMS] = {0, 1};
    struct frs_tables tables = {{base}};
    struct frs_contribution contributions[2] = {
        {.client = 1, .samples = 4, .base = &tables}, {.client = 3, .samples = 10, .base = &tables}};
    for (size_t c = 0; c < 2; c++)
        contributions[c].parts[0] =
            (struct frs_rows){.n_rows = ITEMS, .dim = 1, .n = 1, .ids = &row, .values = &values[c]};
    struct frs_arena arena = {0};
    frs_partial_sums(&setup, contributions, 2, NULL, &arena);
    ck_assert_float_eq(contributions[0].parts[0].values[1], 3.25f);
    ck_assert_float_eq(contributions[0].parts[0].values[0], 0);
    ck_assert_uint_eq(contributions[1].parts[0].n, 0);
    frs_arena_fini(&arena);
    frs_model_destroy(setup.model);
    free_population(&population);
}
END_TEST

START_TEST(mean_by_item_is_refused) {
    struct frs_population population = make_population(20, ITEMS, 3);
    struct frs_training_setup setup = {.learner = &frs_learner_fedmf,
        .model = make_model(&frs_learner_fedmf, &population, SETTINGS("aggregation", "per_item")),
        .uplink_codec = {.codec = &frs_codec_dense}};
    ck_assert_ptr_nonnull(frs_partial_sums_why_not(&setup));
    frs_model_destroy(setup.model);
    free_population(&population);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("partial sums");
    TCase *tests = tcase_create("partial sums");
    tcase_add_loop_test(tests, mean_of_sums_is_mean_of_uploads, 0, 2);
    tcase_add_test(tests, sum_by_hand);
    tcase_add_test(tests, mean_by_item_is_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
