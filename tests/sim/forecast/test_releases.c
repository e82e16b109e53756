/* How often the client takes part that takes part most: by hand, and against draws. */
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/forecast/releases.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>

START_TEST(what_was_played_is_known) {
    const uint32_t counts[] = {0, 2, 5, 1};
    struct frs_release_counts all = frs_release_counts(counts, 4, 9);
    ck_assert_double_eq(all.most, 5);
    ck_assert_double_eq(all.mean, 2);
    ck_assert_double_eq(all.variance, 3.5);
    ck_assert_uint_eq(all.n_clients[5], 1);
    ck_assert_double_eq(frs_releases_most(&all, 1, 9), 5);
    ck_assert_double_ge(frs_releases_most(&all, 1, 10), 5);
}
END_TEST

/* Rounds in which one client in so many was selected, so that all of the count is still to come. Poisson of
 * mean 4, one client: P(X > 4) = .371 is below ln 2, and so is P(X > 3) = .567, but not P(X > 2) = .762.
 * Binomial, 4 of 16 with p = 1/4, 1,000 clients: .00164 of them are expected beyond 9, 1.64 in all, and .285
 * beyond 10.
 */
START_TEST(largest_counts_by_hand) {
    struct frs_release_counts counts = {
        .rounds = 1, .mean = 0.04, .variance = 0.04, .width = 1, .n_clients = {1}};
    ck_assert_double_eq(frs_releases_most(&counts, 2, 50), 3);
    counts = (struct frs_release_counts){
        .rounds = 1, .mean = 0.25, .variance = 0.1875, .width = 1, .n_clients = {1000}};
    ck_assert_double_eq(frs_releases_most(&counts, 1.6, 10), 10);
}
END_TEST

/* 300 clients, of which chance draws 30 in each of 200 rounds, all with the same rate or half of them with
 * three times that rate. Counted after 40 rounds, the predicted largest count is within 15 % of the one
 * after 200, on average over 50 runs, if the rates are equal. It is up to 30 % larger if they differ,
 * because two rates have no tail, while the assumed distribution of rates has one. */
START_TEST(predicted_counts_agree_with_draws) {
    enum { CLIENTS = 300, RUNS = 50, FIRST = 40, ROUNDS = 200 };
    for (int unequal = 0; unequal < 2; unequal++) {
        double ratio = 0;
        for (int run = 0; run < RUNS; run++) {
            struct frs_rng rng = frs_rng_stream(1, (uint32_t)(unequal * RUNS + run), 0, 0, FRS_RNG_TEST);
            uint32_t n[CLIENTS] = {0};
            double predicted = 0, most = 0;
            for (int round = 1; round <= ROUNDS; round++) {
                for (int i = 0; i < CLIENTS; i++)
                    n[i] += frs_rng_unit(&rng) < (!unequal ? 0.1 : i % 2 ? 0.15 : 0.05);
                if (round != FIRST)
                    continue;
                struct frs_release_counts counts = frs_release_counts(n, CLIENTS, round);
                predicted = frs_releases_most(&counts, 1, ROUNDS);
            }
            for (int i = 0; i < CLIENTS; i++)
                most = fmax(most, n[i]);
            ratio += predicted / most / RUNS;
        }
        ck_assert_double_ge(ratio, 0.85);
        ck_assert_double_le(ratio, unequal ? 1.3 : 1.15);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("releases");
    TCase *tests = tcase_create("releases");
    tcase_add_test(tests, what_was_played_is_known);
    tcase_add_test(tests, largest_counts_by_hand);
    tcase_add_test(tests, predicted_counts_agree_with_draws);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
