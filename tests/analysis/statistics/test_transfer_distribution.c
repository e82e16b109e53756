/* The distribution of a link: transfers that follow one exactly, one transfer among them that does not,
 * sizes that are alike, and the shares and spreads of the normal distribution by hand. */
#include "analysis/statistics/transfer_distribution.h"
#include "tests/support.h"

#include <math.h>

/* 200 ms and 1 MB/s. The latency is that of 0.2 MB, a tenth of the median size, which is a quotient the fit
 * tries. */
static const struct frs_transfer exact[] = {{1e6, 1.2}, {2e6, 2.2}, {4e6, 4.2}};

START_TEST(transfers_that_follow_a_distribution) {
    struct frs_transfer_distribution distribution = frs_transfer_fit(exact, 3);
    ck_assert_double_eq_tol(distribution.latency_s, 0.2, 1e-9);
    ck_assert_double_eq_tol(distribution.s_per_byte, 1e-6, 1e-15);
    ck_assert(distribution.told_apart);
    ck_assert_double_eq_tol(frs_transfer_median_s(&distribution, 3e6), 3.2, 1e-9);
    distribution = frs_transfer_fit_least_squares(exact, 3);
    ck_assert_double_eq_tol(distribution.latency_s, 0.2, 1e-9);
    ck_assert_double_eq_tol(distribution.s_per_byte, 1e-6, 1e-15);
}
END_TEST

/* A single bad transfer ruins latency and rate of least squares: the slope from (1, 1.2), (2, 2.2), (4,
 * 4.2), (1, 100) is negative. */
START_TEST(one_that_took_very_long) {
    struct frs_transfer transfers[] = {exact[0], exact[1], exact[2], {3e6, 3.2}, {1e6, 100}};
    struct frs_transfer_distribution distribution = frs_transfer_fit(transfers, 5);
    ck_assert_double_eq_tol(distribution.latency_s, 0.2, 1e-9);
    ck_assert_double_eq_tol(distribution.s_per_byte, 1e-6, 1e-15);
    distribution = frs_transfer_fit_least_squares(transfers, 5);
    ck_assert_double_eq(distribution.s_per_byte, 0);
    ck_assert_double_eq_tol(distribution.latency_s, (1.2 + 2.2 + 4.2 + 3.2 + 100) / 5, 1e-9);
}
END_TEST

START_TEST(sizes_that_are_alike) {
    const struct frs_transfer alike[] = {{1e6, 1.2}, {1e6, 1.1}, {1e6, 1.3}, {1e6, 1.2}};
    struct frs_transfer_distribution distribution = frs_transfer_fit(alike, 4);
    ck_assert(!distribution.told_apart);
    ck_assert_double_eq(distribution.latency_s, 0);
    ck_assert_double_eq_tol(distribution.s_per_byte, 1.2e-6, 1e-15);
    distribution = frs_transfer_fit(alike, 1);
    ck_assert(!distribution.told_apart);
}
END_TEST

/* P(z ≤ 1) = 0.8413: at e^sigma times the median of a distribution without latency, and, where half of the
 * time is latency, at e^(sigma / sqrt 2) times it. */
START_TEST(shares_follow_the_normal) {
    const struct frs_transfer_distribution rate_only = {.s_per_byte = 1e-6},
                                           half = {.latency_s = 1, .s_per_byte = 1e-6};
    const struct frs_transfer_jitters one = {.latency = 0.5, .rate = 0.5},
                                      two = {.latency = 0.3, .rate = 0.4}, none = {0};
    ck_assert_double_eq_tol(
        frs_transfer_share(&rate_only, &one, &(struct frs_transfer){1e6, exp(0.5)}), 0.841344746, 1e-9);
    ck_assert_double_eq_tol(
        frs_transfer_share(&half, &one, &(struct frs_transfer){1e6, 2 * exp(0.5 * sqrt(0.5))}), 0.841344746,
        1e-9);
    ck_assert_double_eq_tol(/* sqrt(0.3² + 0.4²) / 2 */
        frs_transfer_share(&half, &two, &(struct frs_transfer){1e6, 2 * exp(0.25)}), 0.841344746, 1e-9);
    ck_assert_double_eq(frs_transfer_share(&half, &none, &(struct frs_transfer){1e6, 1.9}), 0);
    ck_assert_double_eq(frs_transfer_share(&half, &none, &(struct frs_transfer){1e6, 2.1}), 1);
}
END_TEST

/* Deviations that are exactly the quantiles of a normal distribution, with sigma 0.1 where all is latency,
 * 0.5 where nothing is, and both combined in the middle; and those of transfers that are all alike, from
 * which the two cannot be distinguished. */
START_TEST(two_jitters_are_told_apart) {
    enum { EACH = 101 };
    struct frs_transfer_deviation deviations[3 * EACH];
    for (size_t i = 0; i < EACH; i++) {
        double z = sqrt(2) * 1.4 * ((double)i / (EACH - 1) - 0.5); /* uniform will do: one shape for all */
        for (size_t k = 0; k < 3; k++) {
            double share = (double)k / 2;
            deviations[3 * i + k] = (struct frs_transfer_deviation){
                .share = share, .log = z * hypot(0.1 * share, 0.5 * (1 - share))};
        }
    }
    struct frs_transfer_jitters jitters = frs_transfer_jitters(deviations, 3 * EACH, 0);
    ck_assert(jitters.told_apart);
    ck_assert_double_eq_tol(jitters.rate / jitters.latency, 5, 0.3);
    ck_assert_double_eq_tol(jitters.rate, 0.5 * sqrt(2) * 1.4 * 0.8 / 2.5631031, 0.02);
    for (size_t i = 0; i < 3 * EACH; i++)
        deviations[i].share = 0.3;
    jitters = frs_transfer_jitters(deviations, 3 * EACH, 0);
    ck_assert(!jitters.told_apart);
    ck_assert_double_eq_tol(jitters.rate, jitters.latency, 1e-12);
    ck_assert(isnan(frs_transfer_jitters(deviations, 5, 5).rate));
}
END_TEST

/* The middle 80 % of 0 … 10 are 1 … 9; of the normal distribution 2 · 1.2815516 sigma. */
START_TEST(spread_is_that_of_the_middle) {
    double values[] = {3, 0, 7, 10, 1, 9, 4, 2, 8, 6, 5};
    ck_assert_double_eq_tol(frs_transfer_sigma(values, 11, 0), 8 / 2.5631031, 1e-6);
    ck_assert_double_eq_tol(frs_transfer_sigma(values, 11, 2), 8 / 2.5631031 * sqrt(11.0 / 9), 1e-6);
    ck_assert(isnan(frs_transfer_sigma(values, 11, 11)));
    ck_assert_double_eq(values[10], 10);
    ck_assert_double_eq(frs_quantile_of_sorted(values, 11, 0.25), 2.5);
    ck_assert_double_eq(frs_median_of(values, 4), 1.5);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("transfer distribution");
    TCase *tests = tcase_create("by hand");
    tcase_add_test(tests, transfers_that_follow_a_distribution);
    tcase_add_test(tests, one_that_took_very_long);
    tcase_add_test(tests, sizes_that_are_alike);
    tcase_add_test(tests, shares_follow_the_normal);
    tcase_add_test(tests, two_jitters_are_told_apart);
    tcase_add_test(tests, spread_is_that_of_the_middle);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
