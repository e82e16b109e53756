/* Values as whole numbers: by hand, exact sums, and a range that is checked. */
#include "algorithms/privacy/masks/fixed_point.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

/* 4 bits: numbers 0 … 14 around 7, steps of 2/7. Three clients need room for 3 · 15 + 1 = 46 sums: 6 bits. */
START_TEST(fixed_point_by_hand) {
    static const float values[] = {0, 2, -2, 0.3f, -0.1f, 2.5f, -100};
    static const uint32_t wanted[] = {7, 14, 0, 8, 7, 14, 0};
    struct frs_fixed_point fixed;
    uint32_t numbers[7], sums[7];
    double back[7];
    ck_assert(frs_fixed_point_init(&fixed, 2, 4, 3));
    ck_assert_uint_eq(fixed.sum_bits, 6);
    ck_assert_uint_eq(frs_fixed_point_encode(&fixed, values, 7, numbers), 2);
    ck_assert_mem_eq(numbers, wanted, sizeof wanted);
    for (size_t i = 0; i < 7; i++)
        sums[i] = 2 * numbers[i];
    ck_assert(frs_fixed_point_decode(&fixed, sums, 7, 2, back));
    ck_assert_double_eq(back[0], 0);
    ck_assert_double_eq_tol(back[1], 4, 1e-12);
    ck_assert_double_eq_tol(back[3], 2 * 2. / 7, 1e-12);
    ck_assert_double_eq_tol(back[6], -4, 1e-12);
}
END_TEST

/* Bits of Bonawitz et al. 2017: n 2^10 and 2^14 clients, R 2^16. */
START_TEST(room_for_a_cohort) {
    static const struct {
        uint32_t n;
        unsigned value_bits, sum_bits;
    } cases[] = {{1, 16, 16}, {2, 16, 17}, {1024, 16, 26}, {16384, 16, 30}, {65536, 16, 32}, {256, 24, 32}};
    struct frs_fixed_point fixed;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert(frs_fixed_point_init(&fixed, 1, cases[i].value_bits, cases[i].n));
        ck_assert_uint_eq(fixed.sum_bits, cases[i].sum_bits);
    }
    ck_assert(frs_fixed_point_init(&fixed, 1, 16, 65537));
    ck_assert(!frs_fixed_point_init(&fixed, 1, 16, 65538));
    ck_assert(!frs_fixed_point_init(&fixed, 1, 24, 257));
}
END_TEST

/* The largest sum there can be is decoded, and one more is refused instead of being taken for another. */
START_TEST(sums_never_wrap) {
    struct frs_fixed_point fixed;
    double value;
    ck_assert(frs_fixed_point_init(&fixed, 1, 16, 65537));
    uint32_t most = 65537u * 65535u, one_client = 65536;
    ck_assert_uint_eq(most, UINT32_MAX);
    ck_assert(frs_fixed_point_decode(&fixed, &most, 1, 65537, &value));
    ck_assert(!frs_fixed_point_decode(&fixed, &one_client, 1, 1, &value));
}
END_TEST

/* A value is right to half a step, zero is exact, and sums are those of the values taken one by one. */
START_TEST(close_to_the_values) {
    struct frs_rng rng = test_rng(700);
    for (int repeat = 0; repeat < FRS_TEST_CASES(2000); repeat++) {
        struct frs_fixed_point fixed;
        unsigned bits = 2 + frs_rng_below(&rng, 23);
        double range = exp(4 * frs_rng_unit(&rng) - 2), sum = 0, back;
        uint32_t n = 1 + frs_rng_below(&rng, 20), sums = 0, zero;
        ck_assert(frs_fixed_point_init(&fixed, range, bits, 20));
        for (uint32_t i = 0; i < n; i++) {
            float value = (float)((2 * frs_rng_unit(&rng) - 1) * range * 0.999);
            uint32_t number;
            ck_assert_uint_eq(frs_fixed_point_encode(&fixed, &value, 1, &number), 0);
            ck_assert(frs_fixed_point_decode(&fixed, &number, 1, 1, &back));
            ck_assert_double_le(fabs(back - (double)value), fixed.step * 0.5000001);
            sum += back;
            sums += number;
        }
        ck_assert(frs_fixed_point_decode(&fixed, &sums, 1, n, &back));
        ck_assert_double_eq_tol(back, sum, 1e-12 * n * range);
        frs_fixed_point_encode(&fixed, &(float){0}, 1, &zero);
        ck_assert_uint_eq(zero, fixed.middle);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fixed point");
    TCase *tests = tcase_create("fixed point");
    tcase_add_test(tests, fixed_point_by_hand);
    tcase_add_test(tests, room_for_a_cohort);
    tcase_add_test(tests, sums_never_wrap);
    tcase_add_test(tests, close_to_the_values);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
