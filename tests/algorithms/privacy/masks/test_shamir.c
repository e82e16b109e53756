/* Secrets in shares. */
#include "algorithms/privacy/masks/shamir.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

/* x · x^15 = x^16 = x^12 + x^3 + x + 1; and (x + 1)(x + 1) = x^2 + 1. */
START_TEST(field_by_hand) {
    ck_assert_uint_eq(frs_field_product(2, 0x8000), 0x100b);
    ck_assert_uint_eq(frs_field_product(3, 3), 5);
    ck_assert_uint_eq(frs_field_product(0x1234, 1), 0x1234);
    ck_assert_uint_eq(frs_field_product(0x1234, 0), 0);
}
END_TEST

START_TEST(every_element_has_an_inverse) {
    for (uint32_t a = 1; a <= UINT16_MAX; a++)
        ck_assert_uint_eq(frs_field_product((uint16_t)a, frs_field_inverse((uint16_t)a)), 1);
}
END_TEST

/* A line through 5 at 0 with slope 3: 5 + 3 = 6 at 1, 5 + 3·2 = 5 + 6 = 3 at 2 (sums are differences). */
START_TEST(line_by_hand) {
    static const uint8_t secret[FRS_SECRET_BYTES] = {5}, slope[FRS_SECRET_BYTES] = {3};
    static const uint32_t holders[] = {0, 1};
    uint8_t shares[2][FRS_SECRET_BYTES], back[FRS_SECRET_BYTES] = {0};
    uint16_t weights[2];
    frs_shamir_share(secret, slope, 2, holders, 2, shares);
    ck_assert_uint_eq(shares[0][0], 6);
    ck_assert_uint_eq(shares[1][0], 3);
    frs_shamir_weights(holders, 2, weights); /* 2/(1+2) and 1/(1+2) */
    ck_assert_uint_eq(frs_field_product(weights[0], 3), 2);
    ck_assert_uint_eq(frs_field_product(weights[1], 3), 1);
    for (size_t i = 0; i < 2; i++)
        frs_shamir_add(back, weights[i], shares[i]);
    ck_assert_mem_eq(back, secret, sizeof secret);
}
END_TEST

static void random_bytes(struct frs_rng *rng, uint8_t *bytes, size_t n) {
    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)frs_rng_u32(rng);
}

/* Any `threshold` of n shares give the secret back, and one less gives something else. */
START_TEST(any_threshold_of_shares_recovers_the_secret) {
    struct frs_rng rng = test_rng(720);
    for (int repeat = 0; repeat < FRS_TEST_CASES(200); repeat++) {
        uint32_t n = 2 + frs_rng_below(&rng, 60), threshold = 2 + frs_rng_below(&rng, n - 1);
        uint8_t secret[FRS_SECRET_BYTES], back[FRS_SECRET_BYTES] = {0}, short_of[FRS_SECRET_BYTES] = {0};
        uint8_t *coefficients = frs_alloc(threshold, FRS_SECRET_BYTES);
        uint8_t(*shares)[FRS_SECRET_BYTES] = frs_alloc(n, sizeof *shares);
        uint16_t *weights = frs_alloc(threshold, sizeof *weights);
        uint32_t *holders = random_subset(&rng, 60000, n), *chosen = random_subset(&rng, n, threshold);
        random_bytes(&rng, secret, sizeof secret);
        random_bytes(&rng, coefficients, (size_t)(threshold - 1) * FRS_SECRET_BYTES);
        frs_shamir_share(secret, coefficients, threshold, holders, n, shares);
        uint32_t *of = frs_alloc(threshold, sizeof *of);
        for (size_t i = 0; i < threshold; i++)
            of[i] = holders[chosen[i]];
        frs_shamir_weights(of, threshold, weights);
        for (size_t i = 0; i < threshold; i++)
            frs_shamir_add(back, weights[i], shares[chosen[i]]);
        ck_assert_mem_eq(back, secret, sizeof secret);
        frs_shamir_weights(of, threshold - 1, weights);
        for (size_t i = 0; i + 1 < threshold; i++)
            frs_shamir_add(short_of, weights[i], shares[chosen[i]]);
        ck_assert_mem_ne(short_of, secret, sizeof secret);
        free(of);
        free(chosen);
        free(holders);
        free(weights);
        free(shares);
        free(coefficients);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("shamir");
    TCase *tests = tcase_create("shamir");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, field_by_hand);
    tcase_add_test(tests, every_element_has_an_inverse);
    tcase_add_test(tests, line_by_hand);
    tcase_add_test(tests, any_threshold_of_shares_recovers_the_secret);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
