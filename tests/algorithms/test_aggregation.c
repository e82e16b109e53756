/* Weighted means of uploads by hand: states, updates, and sums in double precision. */
#include "algorithms/aggregation.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/threads/pool.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

/* A table of five rows of two. Client 1 (30 samples) sends rows 1 and 3,
 * client 4 (10 samples) rows 3 and 4. */
static float base_values[] = {0, 0, 10, 20, 1, 1, 30, 40, 50, 60};
static const struct frs_tables base = {.part = {base_values}};
static const uint32_t first_ids[] = {1, 3}, second_ids[] = {3, 4};
static const float first_values[] = {14, 20, 31, 42}, second_values[] = {33, 40, 50, 64};

static struct frs_contribution contribution(uint32_t client, uint32_t samples, const struct frs_tables *base_,
    const uint32_t *ids, const float *values) {
    return (struct frs_contribution){.client = client,
        .samples = samples,
        .base = base_,
        .parts = {{.n_rows = 5, .dim = 2, .n = 2, .ids = ids, .values = values}}};
}

static void check_rows(const struct frs_rows *rows, const float *expected) {
    ck_assert_uint_eq(rows->n_rows, 5);
    ck_assert_uint_eq(rows->dim, 2);
    ck_assert_uint_eq(rows->n, 3);
    ck_assert_mem_eq(rows->ids, ((const uint32_t[]){1, 3, 4}), 3 * sizeof(uint32_t));
    for (size_t i = 0; i < 6; i++)
        ck_assert_float_eq_tol(rows->values[i], expected[i], 1e-6f);
}

/* Changes of client 1: (4, 0) and (1, 2); of client 4: (3, 0) and (0, 4). No client sent row 2.
 *   data_size  ¾ and ¼ of the changes, also where only one client sent the row
 *   uniform    ½ and ½
 *   per_item   the mean over the senders */
START_TEST(changes_of_a_state_by_hand) {
    static const float expected[][6] = {[FRS_DATA_SIZE] = {3, 0, 1.5f, 1.5f, 0, 1},
        [FRS_UNIFORM] = {2, 0, 2, 1, 0, 2},
        [FRS_PER_ITEM] = {4, 0, 2, 1, 0, 4}};
    struct frs_contribution both[] = {contribution(1, 30, &base, first_ids, first_values),
        contribution(4, 10, &base, second_ids, second_values)};
    for (int weighting = 0; frs_weighting_names[weighting]; weighting++) {
        struct frs_arena arena = {0};
        struct frs_rows rows = frs_aggregate_changes(both, 2, 0, (enum frs_weighting)weighting, NULL, &arena);
        check_rows(&rows, expected[weighting]);
        frs_arena_fini(&arena);
    }
}
END_TEST

/* Without base the rows themselves are the changes. */
START_TEST(updates_by_hand) {
    static const float expected[][6] = {
        [FRS_DATA_SIZE] = {10.5f, 15, 31.5f, 41.5f, 12.5f, 16},
        [FRS_UNIFORM] = {7, 10, 32, 41, 25, 32},
        [FRS_PER_ITEM] = {14, 20, 32, 41, 50, 64},
    };
    struct frs_contribution both[] = {contribution(1, 30, NULL, first_ids, first_values),
        contribution(4, 10, NULL, second_ids, second_values)};
    for (int weighting = 0; frs_weighting_names[weighting]; weighting++) {
        struct frs_arena arena = {0};
        struct frs_rows rows = frs_aggregate_changes(both, 2, 0, (enum frs_weighting)weighting, NULL, &arena);
        check_rows(&rows, expected[weighting]);
        frs_arena_fini(&arena);
    }
}
END_TEST

/* The same two uploads, whose clients had downloaded older tables: client 1's has the weight s_1 = 1/2
 * (three versions old), client 4's s_4 = 1/3 (eight). They share row 3; rows 1 and 4 have one client each.
 * The divisors are those of fresh uploads, so each change is s_u times the fresh one.
 *   data_size  ¾ s_1 (4, 0);  ¾ s_1 (1, 2) + ¼ s_4 (3, 0);  ¼ s_4 (0, 4)
 *   uniform    ½ s_1 (4, 0);  ½ s_1 (1, 2) + ½ s_4 (3, 0);  ½ s_4 (0, 4)
 *   per_item     s_1 (4, 0);  ½ s_1 (1, 2) + ½ s_4 (3, 0);    s_4 (0, 4) */
START_TEST(stale_changes_by_hand) {
    static const float expected[][6] = {[FRS_DATA_SIZE] = {1.5f, 0, 0.625f, 0.75f, 0, 1 / 3.f},
        [FRS_UNIFORM] = {1, 0, 0.75f, 0.5f, 0, 2 / 3.f},
        [FRS_PER_ITEM] = {2, 0, 0.75f, 0.5f, 0, 4 / 3.f}};
    struct frs_contribution both[] = {contribution(1, 30, &base, first_ids, first_values),
        contribution(4, 10, &base, second_ids, second_values)};
    both[0].staleness_scale = 1 / sqrt(1 + 3.0);
    both[1].staleness_scale = 1 / sqrt(1 + 8.0);
    for (int weighting = 0; frs_weighting_names[weighting]; weighting++) {
        struct frs_arena arena = {0};
        struct frs_rows rows = frs_aggregate_changes(both, 2, 0, (enum frs_weighting)weighting, NULL, &arena);
        check_rows(&rows, expected[weighting]);
        frs_arena_fini(&arena);
    }
}
END_TEST

/* A client that sends the whole table (ids NULL) and one that sends a row. */
START_TEST(whole_tables_and_single_rows) {
    static const float whole[] = {1, 2, 3}, single[] = {8};
    static const uint32_t ids[] = {1};
    struct frs_contribution both[] = {
        {.samples = 1, .parts = {{0}, {.n_rows = 3, .dim = 1, .n = 3, .values = whole}}},
        {.client = 1,
            .samples = 1,
            .parts = {{0}, {.n_rows = 3, .dim = 1, .n = 1, .ids = ids, .values = single}}}};
    struct frs_arena arena = {0};
    struct frs_rows rows = frs_aggregate_changes(both, 2, 1, FRS_PER_ITEM, NULL, &arena);
    ck_assert_uint_eq(rows.n, 3);
    ck_assert_mem_eq(rows.values, ((const float[]){1, 5, 3}), 3 * sizeof(float));
    frs_arena_fini(&arena);
}
END_TEST

/* Clients without data have no weight; if no client has any, nothing changes. */
START_TEST(weights_may_be_zero) {
    struct frs_contribution both[] = {contribution(1, 0, &base, first_ids, first_values),
        contribution(4, 0, &base, second_ids, second_values)};
    struct frs_arena arena = {0};
    struct frs_rows rows = frs_aggregate_changes(both, 2, 0, FRS_DATA_SIZE, NULL, &arena);
    check_rows(&rows, (const float[6]){0});
    both[1].samples = 7;
    rows = frs_aggregate_changes(both, 2, 0, FRS_DATA_SIZE, NULL, &arena);
    check_rows(&rows, (const float[]){0, 0, 3, 0, 0, 4});
    both[0].parts[0].n = both[1].parts[0].n = 0;
    ck_assert_uint_eq(frs_aggregate_changes(both, 2, 0, FRS_UNIFORM, NULL, &arena).n, 0);
    frs_arena_fini(&arena);
}
END_TEST

/* 2^24 clients' worth of weight: single precision would lose the second client altogether. */
START_TEST(sums_in_double_precision) {
    static const float big[] = {1e8f, 0, 0, 0}, small[] = {1, 0, 0, 0};
    struct frs_contribution three[] = {contribution(1, 1, NULL, first_ids, big),
        contribution(2, 1, NULL, first_ids, small),
        contribution(3, 1, NULL, first_ids, (const float[]){-1e8f, 0, 0, 0})};
    struct frs_arena arena = {0};
    struct frs_rows rows = frs_aggregate_changes(three, 3, 0, FRS_UNIFORM, NULL, &arena);
    ck_assert_float_eq_tol(rows.values[0], 1 / 3.0f, 1e-7f);
    frs_arena_fini(&arena);
}
END_TEST

/* Large enough for several threads; whatever their number the sums are the same to the last bit. */
START_TEST(threads_share_the_rows) {
    enum { ROWS = 301, DIM = 40, CLIENTS = 40 };
    struct frs_rng rng = test_rng(7);
    struct frs_contribution contributions[CLIENTS];
    float *table = frs_alloc(ROWS * DIM, sizeof *table), kept[CLIENTS];
    const struct frs_tables base_of_all = {.part = {table}};
    frs_rng_fill_normal(&rng, table, ROWS * DIM, 1);
    for (uint32_t c = 0; c < CLIENTS; c++) {
        size_t n = c == 0 ? 0 : c == 1 ? ROWS : 100 + frs_rng_below(&rng, 200);
        float *values = frs_alloc(n * DIM + 1, sizeof *values);
        frs_rng_fill_normal(&rng, values, n * DIM, 1);
        kept[c] = 0.5f + (float)frs_rng_unit(&rng);
        contributions[c] = (struct frs_contribution){.client = c,
            .samples = 1 + c,
            .base = &base_of_all,
            .apart = c % 7 == 3,
            .parts = {{.n_rows = ROWS,
                .dim = DIM,
                .n = n,
                .ids = n == ROWS ? NULL : random_subset(&rng, ROWS, (uint32_t)n),
                .values = values}}};
    }
    for (size_t threads = 2; threads < 5; threads++)
        for (int weighting = 0; frs_weighting_names[weighting]; weighting++) {
            struct frs_arena arena = {0};
            struct frs_pool *pool = frs_pool_create(threads);
            struct frs_rows alone = frs_aggregate_decayed(
                contributions, CLIENTS, 0, (enum frs_weighting)weighting, kept, NULL, &arena);
            struct frs_rows together = frs_aggregate_decayed(
                contributions, CLIENTS, 0, (enum frs_weighting)weighting, kept, pool, &arena);
            ck_assert_uint_eq(alone.n, together.n);
            ck_assert_mem_eq(alone.ids, together.ids, alone.n * sizeof *alone.ids);
            ck_assert_mem_eq(alone.values, together.values, alone.n * DIM * sizeof *alone.values);
            frs_pool_destroy(pool);
            frs_arena_fini(&arena);
        }
    for (size_t c = 0; c < CLIENTS; c++) {
        free((void *)(uintptr_t)contributions[c].parts[0].ids);
        free((void *)(uintptr_t)contributions[c].parts[0].values);
    }
    free(table);
}
END_TEST

/* Block by block gives the same bytes as all at once, and nothing is left for the next mean. */
START_TEST(sums_one_after_the_other) {
    static const float kept[][3] = {{1, 1, 1}, {0.9f, 0.7f, 1}};
    const struct frs_tables *of_all = _i == 0 ? NULL : &base;
    struct frs_contribution all[] = {contribution(1, 30, of_all, first_ids, first_values),
        contribution(4, 10, of_all, second_ids, second_values),
        contribution(5, 20, of_all, first_ids, second_values)};
    struct frs_arena arena = {0};
    struct frs_row_sums sums;
    frs_row_sums_init(&sums, all[0].parts[0].n_rows, all[0].parts[0].dim);
    for (int repeat = 0; repeat < 6; repeat++) {
        enum frs_weighting weighting = (enum frs_weighting)(repeat / 2);
        for (size_t c = 0; c < 3; c++)
            frs_row_sums_add(&sums, &all[c], 0, weighting, kept[repeat % 2][c]);
        ck_assert_double_eq(sums.total, weighting == FRS_DATA_SIZE ? 60 : 3);
        struct frs_rows blocks =
            frs_row_sums_take(&sums, weighting == FRS_PER_ITEM ? FRS_BY_SENDERS : sums.total, &arena);
        struct frs_rows whole = frs_aggregate_decayed(all, 3, 0, weighting, kept[repeat % 2], NULL, &arena);
        ck_assert_uint_eq(blocks.n, whole.n);
        ck_assert_mem_eq(blocks.ids, whole.ids, whole.n * sizeof *whole.ids);
        ck_assert_mem_eq(blocks.values, whole.values, whole.n * whole.dim * sizeof *whole.values);
    }
    ck_assert_uint_eq(frs_row_sums_take(&sums, 1, &arena).n, 0);
    frs_row_sums_fini(&sums);
    frs_arena_fini(&arena);
}
END_TEST

START_TEST(rows_are_added) {
    static const float values[] = {1, 2, 3, 4};
    static const uint32_t ids[] = {0, 2};
    float table[] = {10, 10, 20, 20, 30, 30};
    struct frs_rows rows = {.n_rows = 3, .dim = 2, .n = 2, .ids = ids, .values = values};
    frs_rows_add_to(&rows, table);
    ck_assert_mem_eq(table, ((const float[]){11, 12, 20, 20, 33, 34}), sizeof table);
    rows.ids = NULL;
    frs_rows_add_to(&rows, table);
    ck_assert_mem_eq(table, ((const float[]){12, 14, 23, 24, 33, 34}), sizeof table);
}
END_TEST

START_TEST(rows_that_move_are_moved_together) {
    float change[] = {0, 0, 0, 7, 0, 0, -1, 0, 0, 0};
    struct frs_arena arena = {0};
    struct frs_rows rows =
        frs_rows_that_move(&(struct frs_part){.name = "items", .n_rows = 5, .dim = 2}, change, &arena);
    ck_assert_uint_eq(rows.n, 2);
    ck_assert_mem_eq(rows.ids, ((const uint32_t[]){1, 3}), 2 * sizeof(uint32_t));
    ck_assert_mem_eq(rows.values, ((const float[]){0, 7, -1, 0}), 4 * sizeof(float));
    frs_arena_fini(&arena);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("aggregation");
    TCase *tests = tcase_create("aggregation");
    tcase_add_test(tests, changes_of_a_state_by_hand);
    tcase_add_test(tests, updates_by_hand);
    tcase_add_test(tests, stale_changes_by_hand);
    tcase_add_test(tests, whole_tables_and_single_rows);
    tcase_add_test(tests, weights_may_be_zero);
    tcase_add_test(tests, sums_in_double_precision);
    tcase_add_test(tests, threads_share_the_rows);
    tcase_add_loop_test(tests, sums_one_after_the_other, 0, 2);
    tcase_add_test(tests, rows_are_added);
    tcase_add_test(tests, rows_that_move_are_moved_together);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
