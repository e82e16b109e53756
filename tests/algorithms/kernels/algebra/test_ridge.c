/* Ridge regression by hand and against its normal equations. */
#include "algorithms/kernels/algebra/ridge.h"
#include "algorithms/kernels/steps/rating_gradient.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

static struct frs_arena arena;

/* (3 + 10) / (1 + 4 + 1) */
START_TEST(one_dimension_is_solved) {
    const float rows[] = {1, 2}, targets[] = {3, 5};
    float u;
    ck_assert_double_gt(frs_ridge(rows, targets, 2, 1, 1, &arena, &u), 0);
    ck_assert_float_eq_tol(u, 13 / 6.0f, 1e-6f);
    ck_assert_double_eq(frs_ridge(rows, targets, 0, 1, 1, &arena, &u), 0);
    ck_assert_float_eq(u, 0);
}
END_TEST

/* [3 1; 1 6] u = (4, 7), hence u = (1, 1). */
START_TEST(two_dimensions_are_solved) {
    const float rows[] = {1, 0, 0, 2, 1, 1}, targets[] = {1, 2, 3};
    float u[2];
    frs_ridge(rows, targets, 3, 2, 1, &arena, u);
    ck_assert_float_eq_tol(u[0], 1, 1e-6f);
    ck_assert_float_eq_tol(u[1], 1, 1e-6f);
}
END_TEST

/* Whatever the number of rows and dimensions: Σ v (r − v · u) = λ u. */
START_TEST(normal_equations_hold) {
    static const size_t shapes[][2] = {{1, 20}, {64, 15}, {65, 16}, {200, 20}, {130, 47}};
    size_t n = shapes[_i][0], dim = shapes[_i][1];
    struct frs_rng rng = test_rng(3);
    float *rows = frs_arena_take(&arena, n * dim, sizeof *rows),
          *targets = frs_arena_take(&arena, n, sizeof *targets), *u = frs_arena_take(&arena, dim, sizeof *u);
    frs_rng_fill_normal(&rng, rows, n * dim, 1);
    frs_rng_fill_normal(&rng, targets, n, 1);
    frs_ridge(rows, targets, n, dim, 3, &arena, u);
    for (size_t k = 0; k < dim; k++) {
        double sum = -3 * (double)u[k];
        for (size_t i = 0; i < n; i++) {
            double error = (double)targets[i];
            for (size_t j = 0; j < dim; j++)
                error -= (double)rows[i * dim + j] * (double)u[j];
            sum += error * (double)rows[i * dim + k];
        }
        ck_assert_double_eq_tol(sum, 0, 1e-4);
    }
}
END_TEST

/* e = 5 − (2 − 3) = 6 and 1 − 2 = −1: gradients −12 u and 2 u. */
START_TEST(gradient_by_hand) {
    float rows[] = {1, 3, 1, 0};
    const float ratings[] = {5, 1}, u[] = {2, -1}, expected[] = {-24, 12, 4, -2};
    ck_assert_double_eq_tol(frs_rating_gradient(rows, ratings, 2, 2, u), 37, 1e-6);
    ck_assert_mem_eq(rows, expected, sizeof expected);
}
END_TEST

static void free_arena(void) {
    frs_arena_fini(&arena);
}

int main(void) {
    Suite *suite = suite_create("ridge");
    TCase *tests = tcase_create("ridge");
    tcase_add_checked_fixture(tests, NULL, free_arena);
    tcase_add_test(tests, one_dimension_is_solved);
    tcase_add_test(tests, two_dimensions_are_solved);
    tcase_add_loop_test(tests, normal_equations_hold, 0, 5);
    tcase_add_test(tests, gradient_by_hand);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
