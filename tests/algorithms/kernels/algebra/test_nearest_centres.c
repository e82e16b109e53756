/* The nearest centre by hand, beside a loop of doubles for any shape, and what members add up to. */
#include "algorithms/kernels/algebra/nearest_centres.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

static struct frs_arena arena;

static void teardown(void) {
    frs_arena_fini(&arena);
}

static void find(const float *rows, size_t n, size_t dim, const float *centres, size_t k, uint32_t *nearest,
    float *distance) {
    float *norms = frs_arena_take(&arena, k, sizeof *norms);
    for (size_t g = 0; g < k; g++) {
        norms[g] = 0;
        for (size_t d = 0; d < dim; d++)
            norms[g] += centres[g * dim + d] * centres[g * dim + d];
    }
    frs_nearest_centres(frs_rows_aside(rows, n, dim, &arena), n, dim, centres, norms, k, nearest, distance);
}

/* Rows (0, 0), (3, 1), (1, 2) and centres (1, 0), (2, 2), (−1, 0): squared norms 1, 8, 1 less 2 · (0, 0, 0),
 * (3, 8, −3) and (1, 6, −1). The first two centres of the first row are equal to the third's. */
START_TEST(nearest_by_hand) {
    static const float rows[] = {0, 0, 3, 1, 1, 2}, centres[] = {1, 0, 2, 2, -1, 0};
    uint32_t nearest[3 + FRS_ROWS_ASIDE];
    float distance[3 + FRS_ROWS_ASIDE];
    find(rows, 3, 2, centres, 3, nearest, distance);
    ck_assert_uint_eq(nearest[0], 0);
    ck_assert_uint_eq(nearest[1], 1);
    ck_assert_uint_eq(nearest[2], 1);
    ck_assert_float_eq(distance[0], 1);
    ck_assert_float_eq(distance[1], 8 - 16);
    ck_assert_float_eq(distance[2], 8 - 12);
}
END_TEST

/* Whole values, so that any order of a sum is exact: every shape, full blocks and not. */
START_TEST(nearest_of_any_shape) {
    struct frs_rng rng = test_rng(611);
    for (int repeat = 0; repeat < 200; repeat++) {
        size_t n = 1 + frs_rng_below(&rng, 140), dim = 1 + frs_rng_below(&rng, 40),
               k = 1 + frs_rng_below(&rng, 30);
        float *rows = frs_arena_take(&arena, n * dim, sizeof *rows),
              *centres = frs_arena_take(&arena, k * dim, sizeof *centres),
              *distance = frs_arena_take(&arena, n + FRS_ROWS_ASIDE, sizeof *distance);
        uint32_t *nearest = frs_arena_take(&arena, n + FRS_ROWS_ASIDE, sizeof *nearest);
        double *sums = frs_arena_take_zeroed(&arena, k * dim, sizeof *sums), total = 0, added = 0;
        for (size_t i = 0; i < n * dim; i++)
            rows[i] = (float)frs_rng_below(&rng, 9) - 4;
        for (size_t i = 0; i < k * dim; i++)
            centres[i] = (float)frs_rng_below(&rng, 9) - 4;
        find(rows, n, dim, centres, k, nearest, distance);
        for (size_t i = 0; i < n; i++) {
            size_t best = 0;
            double least = INFINITY;
            for (size_t g = 0; g < k; g++) {
                double value = 0;
                for (size_t d = 0; d < dim; d++) {
                    double c = (double)centres[g * dim + d];
                    value += c * c - 2 * c * (double)rows[i * dim + d];
                }
                best = value < least ? g : best;
                least = fmin(least, value);
            }
            ck_assert_uint_eq(nearest[i], best);
            ck_assert_double_eq((double)distance[i], least);
        }
        frs_add_members(rows, n, dim, nearest, sums);
        for (size_t i = 0; i < n; i++)
            total += nearest[i] == 0 ? (double)rows[i * dim + dim - 1] : 0;
        added = sums[dim - 1];
        ck_assert_double_eq(added, total);
        frs_arena_reset(&arena);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("nearest_centres");
    TCase *tests = tcase_create("nearest_centres");
    tcase_add_checked_fixture(tests, NULL, teardown);
    tcase_add_test(tests, nearest_by_hand);
    tcase_add_test(tests, nearest_of_any_shape);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
