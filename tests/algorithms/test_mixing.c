/* The weights of gossip averaging: by hand, and that rows and columns add up to 1. */
#include "algorithms/mixing.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <string.h>

/* Three clients in a row: the one in the middle has two neighbours, each of the others has one. */
START_TEST(three_in_a_row_by_hand) {
    const uint32_t ends[] = {1, 1}, middle[] = {2};
    double weights[3];
    frs_mixing_row(FRS_MIXING_METROPOLIS, 1, middle, weights);
    ck_assert_double_eq_tol(weights[0], 2 / 3.0, 1e-15);
    ck_assert_double_eq_tol(weights[1], 1 / 3.0, 1e-15);
    frs_mixing_row(FRS_MIXING_UNIFORM, 1, middle, weights);
    ck_assert_double_eq(weights[0], .5);
    ck_assert_double_eq(weights[1], .5);
    for (int mixing = 0; mixing < 2; mixing++) {
        frs_mixing_row((enum frs_mixing)mixing, 2, ends, weights);
        for (int i = 0; i < 3; i++)
            ck_assert_double_eq_tol(weights[i], 1 / 3.0, 1e-15);
    }
    const bool came[] = {false, true};
    frs_mixing_renormalise(2, came, weights);
    ck_assert_double_eq_tol(weights[0], .5, 1e-15);
    ck_assert_double_eq(weights[1], 0);
    ck_assert_double_eq_tol(weights[2], .5, 1e-15);
}
END_TEST

/* A client without neighbours keeps its model, and so does one that hears nothing. */
START_TEST(alone) {
    const uint32_t one[] = {4};
    const bool none[] = {false};
    double weights[2];
    frs_mixing_row(FRS_MIXING_METROPOLIS, 0, NULL, weights);
    ck_assert_double_eq(weights[0], 1);
    frs_mixing_row(FRS_MIXING_UNIFORM, 0, NULL, weights);
    ck_assert_double_eq(weights[0], 1);
    frs_mixing_row(FRS_MIXING_METROPOLIS, 1, one, weights);
    ck_assert_double_eq_tol(weights[1], .2, 1e-15);
    frs_mixing_renormalise(1, none, weights);
    ck_assert_double_eq(weights[0], 1);
    ck_assert_double_eq(weights[1], 0);
}
END_TEST

enum { N = 30 };

static void add_row(const bool edges[N][N], const uint32_t *degree, int i, double *columns) {
    uint32_t degrees[N], of[N];
    double weights[N + 1], sum = 0;
    size_t d = 0;
    for (uint32_t j = 0; j < N; j++)
        if (edges[i][j]) {
            degrees[d] = degree[j];
            of[d++] = j;
        }
    frs_mixing_row(FRS_MIXING_METROPOLIS, d, degrees, weights);
    for (size_t k = 0; k <= d; k++) {
        ck_assert(weights[k] > 0);
        sum += weights[k];
        columns[k ? (int)of[k - 1] : i] += weights[k];
    }
    ck_assert_double_eq_tol(sum, 1, 1e-14);
}

START_TEST(metropolis_is_doubly_stochastic) {
    for (uint32_t seed = 0; seed < FRS_TEST_CASES(200); seed++) {
        struct frs_rng rng = frs_rng_stream(seed, 0, 0, 0, FRS_RNG_TEST);
        bool edges[N][N] = {0};
        uint32_t degree[N] = {0};
        double columns[N] = {0}, share = frs_rng_unit(&rng);
        for (int i = 0; i < N; i++)
            for (int j = i + 1; j < N; j++) {
                edges[i][j] = edges[j][i] = frs_rng_unit(&rng) < share;
                degree[i] += edges[i][j];
                degree[j] += edges[i][j];
            }
        for (int i = 0; i < N; i++)
            add_row((const bool(*)[N])edges, degree, i, columns);
        for (int i = 0; i < N; i++)
            ck_assert_double_eq_tol(columns[i], 1, 1e-13);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("mixing");
    TCase *tests = tcase_create("mixing");
    tcase_add_test(tests, three_in_a_row_by_hand);
    tcase_add_test(tests, alone);
    tcase_add_test(tests, metropolis_is_doubly_stochastic);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
