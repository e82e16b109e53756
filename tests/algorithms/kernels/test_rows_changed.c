/* Rows that differ, and by how much. */
#include "algorithms/kernels/compare.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

static const float base[] = {0, 0, 1, 2, 3, 4, 5, 6}; /* four rows of two */

START_TEST(rows_that_differ_by_hand) {
    static const float some[] = {1, 2, 5, 7}; /* rows 1 and 3 */
    static const uint32_t ids[] = {1, 3};
    uint32_t at[4];
    ck_assert_uint_eq(frs_rows_changed((const uint8_t *)some, ids, 2, 2, base, at), 1);
    ck_assert_uint_eq(at[0], 1);
    ck_assert_uint_eq(frs_rows_changed((const uint8_t *)base, NULL, 4, 2, base, at), 0);
    ck_assert_uint_eq(frs_rows_changed((const uint8_t *)base, NULL, 4, 2, NULL, at), 3); /* from zero */
    ck_assert_mem_eq(at, ((const uint32_t[]){1, 2, 3}), 3 * sizeof *at);
    static const float minus_zero[] = {0, -0.0f};
    ck_assert_uint_eq(
        frs_rows_changed((const uint8_t *)minus_zero, NULL, 1, 2, NULL, at), 1); /* bits count */
}
END_TEST

START_TEST(differences_by_hand) {
    static const float rows[] = {9, 9, 4, INFINITY};
    static const uint32_t at[] = {1}, ids[] = {2};
    float out[2];
    frs_rows_difference(rows, at, base, ids, 1, 2, out);
    ck_assert_mem_eq(out, ((const float[]){1, 0}), sizeof out); /* what is not finite counts as 0 */
    frs_rows_difference(rows, at, NULL, ids, 1, 2, out);
    ck_assert_mem_eq(out, ((const float[]){4, 0}), sizeof out);
}
END_TEST

START_TEST(places_by_hand) {
    static const float values[] = {0, 3, -0.0f, -1, 0};
    uint32_t places[6];
    ck_assert_uint_eq(frs_places_of_nonzero(values, 5, places), 2);
    ck_assert_mem_eq(places, ((const uint32_t[]){1, 3}), 2 * sizeof *places);
    ck_assert_uint_eq(frs_places_of_nonzero(values, 0, places), 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rows_changed");
    TCase *tests = tcase_create("rows_changed");
    tcase_add_test(tests, rows_that_differ_by_hand);
    tcase_add_test(tests, differences_by_hand);
    tcase_add_test(tests, places_by_hand);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
