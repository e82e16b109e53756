/* Rows of a table, and rows out of columns. */
#include "algorithms/kernels/columns.h"
#include "tests/algorithms/fixture.h"

START_TEST(columns_become_rows) {
    static const float columns[32] = {[0] = 1, [1] = 5, [16] = 2, [17] = 6};
    float rows[4];
    ck_assert_uint_eq(frs_lanes_pad(0), 0);
    ck_assert_uint_eq(frs_lanes_pad(16), 16);
    ck_assert_uint_eq(frs_lanes_pad(17), 32);
    frs_columns_scatter(columns, 2, 2, 16, rows);
    ck_assert_mem_eq(rows, ((const float[]){1, 2, 5, 6}), sizeof rows);
}
END_TEST

START_TEST(rows_by_hand) {
    static const float table[] = {1, 2, 3, 4, 5, 6};
    static const uint32_t ids[] = {0, 2};
    float rows[32], wide[2 * 17], gathered[32];
    frs_rows_gather(table, 2, ids, 2, rows);
    for (size_t i = 0; i < 32; i++)
        ck_assert_float_eq(rows[i], i == 0 ? 1 : i == 1 ? 2 : i == 16 ? 5 : i == 17 ? 6 : 0);
    for (size_t i = 0; i < 2 * 17; i++)
        wide[i] = (float)i;
    frs_rows_gather(wide, 17, (const uint32_t[]){1}, 1, gathered);
    for (size_t k = 0; k < 32; k++)
        ck_assert_float_eq(gathered[k], k < 17 ? (float)(17 + k) : 0);
}
END_TEST

START_TEST(product_by_hand) {
    float a[32] = {[0] = 1, [1] = 2, [16] = 3, [31] = 4}, b[32] = {[0] = 5, [1] = 6, [16] = 7, [30] = 8};
    ck_assert_float_eq(frs_lanes_product(a, b, 16), 1 * 5 + 2 * 6);
    ck_assert_float_eq(frs_lanes_product(a, b, 32), 1 * 5 + 2 * 6 + 3 * 7);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("columns");
    TCase *tests = tcase_create("columns");
    tcase_add_test(tests, columns_become_rows);
    tcase_add_test(tests, rows_by_hand);
    tcase_add_test(tests, product_by_hand);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
