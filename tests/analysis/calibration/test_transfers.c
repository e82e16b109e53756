/* Distributions of a class by hand, from the distributions of its clients. */
#include "analysis/calibration/transfers.h"
#include "tests/support.h"

#include <math.h>

/* Rates 1, 2, 4, 8 and 16 MB/s: the median is 4 MB/s, and the middle 80 % of their logarithms lie between
 * places .4 and 3.6, 3.2 ln 2 apart. A normal distribution's lie 2 · 1.28155 sigmas apart; one parameter was
 * fitted to the five values, hence √(5/4). */
static const struct frs_transfer_distribution distributions[] = {
    {0.1, 1e-6, true}, {0, 0.5e-6, true}, {0.2, 0.25e-6, true}, {0, 0.125e-6, true}, {0.4, 0.0625e-6, true}};

static struct frs_links_distributions distributions_of(const size_t *clients, size_t n) {
    struct frs_links links = {
        .distributions = (struct frs_transfer_distribution *)distributions, .n_clients = 5};
    return frs_links_distributions(&links, clients, n);
}

/* Three of five have a latency, .1, .2 and .4 s: its middle 80 % lie between places .2 and 1.8, 1.6 ln 2
 * apart, hence √(3/2). */
START_TEST(latency_of_a_majority) {
    static const size_t all[] = {0, 1, 2, 3, 4};
    struct frs_links_distributions found = distributions_of(all, 5);
    ck_assert_double_eq_tol(found.bytes_per_s, 4e6, 1);
    ck_assert_double_eq_tol(found.rate_sigma, 3.2 * log(2) / (2 * 1.2815516) * sqrt(5. / 4), 1e-6);
    ck_assert_double_eq_tol(found.latency_s, 0.2, 1e-9);
    ck_assert_double_eq_tol(found.latency_sigma, 1.6 * log(2) / (2 * 1.2815516) * sqrt(3. / 2), 1e-6);
}
END_TEST

/* Two of four clients have a latency, and one of three: no majority of the class has one, so the distribution
 * has none. */
START_TEST(no_latency_from_half_of_the_clients_or_fewer) {
    static const size_t half[] = {0, 1, 2, 3}, fewer[] = {0, 1, 3}, one[] = {0};
    struct frs_links_distributions found = distributions_of(half, 4);
    ck_assert_double_eq_tol(found.bytes_per_s, sqrt(8) * 1e6, 1);
    ck_assert_double_eq(found.latency_s, 0);
    ck_assert_double_eq(found.latency_sigma, 0);
    found = distributions_of(fewer, 3);
    ck_assert_double_eq(found.latency_s, 0);
    ck_assert_double_eq(found.latency_sigma, 0);
    found = distributions_of(one, 1); /* and one client has no spread */
    ck_assert_double_eq_tol(found.latency_s, 0.1, 1e-9);
    ck_assert_double_eq(found.latency_sigma, 0);
    ck_assert_double_eq(found.rate_sigma, 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("transfers");
    TCase *tests = tcase_create("transfers");
    tcase_add_test(tests, latency_of_a_majority);
    tcase_add_test(tests, no_latency_from_half_of_the_clients_or_fewer);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
