/* Products of a vector with many rows: by hand, in any number and length, and at every level of processors.
 */
#include "algorithms/kernels/products.h"
#include "sim/base/numbers/levels.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

/* Whole numbers: every sum is exact. Row i is i, i + 1, …; p is 1, 2, …, so that p · row = i Σ p + Σ k p_k.
 */
enum { ROWS = 40, MOST = 35 };

static float p[MOST], table[ROWS * MOST], found[ROWS + 1];
static uint32_t items[ROWS];

static void fill(size_t dim) {
    for (size_t k = 0; k < dim; k++)
        p[k] = (float)(k + 1);
    for (uint32_t i = 0; i < ROWS; i++) {
        items[i] = (7 * i) % ROWS;
        for (size_t k = 0; k < dim; k++)
            table[i * dim + k] = (float)(i + k);
    }
}

static float expected(size_t dim, size_t item) {
    size_t sum = 0;
    for (size_t k = 0; k < dim; k++)
        sum += (k + 1) * (item + k);
    return 3 + (float)sum;
}

START_TEST(products_agree_with_plain_loops) {
    for (size_t dim = 1; dim <= MOST; dim++) {
        const float *rows[ROWS];
        fill(dim);
        for (size_t i = 0; i < ROWS; i++)
            rows[i] = table + items[i] * dim;
        for (size_t n = 0; n <= ROWS; n++) {
            for (int by_rows = 0; by_rows < 2; by_rows++) {
                found[n] = -1;
                if (by_rows)
                    frs_products(p, dim, rows, n, 3, found);
                else
                    frs_table_products(p, dim, table, items, n, 3, found);
                for (size_t i = 0; i < n; i++)
                    ck_assert_float_eq(found[i], expected(dim, items[i]));
                ck_assert_float_eq(found[n], -1); /* nothing is written beyond them */
            }
        }
    }
}
END_TEST

#if defined __x86_64__ && defined __GNUC__ && !defined __clang__
typedef void products(const float *, size_t, const float *, const uint32_t *, size_t, float, float *);
extern products frs_table_products_any __attribute__((weak)), frs_table_products_v3 __attribute__((weak)),
    frs_table_products_v4 __attribute__((weak));

static void check_level(products *level, bool is_supported) {
    if (!level || !is_supported)
        return;
    fill(19);
    level(p, 19, table, items, ROWS, 3, found);
    for (size_t i = 0; i < ROWS; i++)
        ck_assert_float_eq(found[i], expected(19, items[i]));
}

START_TEST(at_every_level) {
    check_level(frs_table_products_any, true);
    check_level(frs_table_products_v3, FRS_RUNS_V3());
    check_level(frs_table_products_v4, FRS_RUNS_V4());
}
END_TEST
#endif

int main(void) {
    Suite *suite = suite_create("products");
    TCase *tests = tcase_create("products");
    tcase_add_test(tests, products_agree_with_plain_loops);
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__
    tcase_add_test(tests, at_every_level);
#endif
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
