/* Personal probabilities: three clients by hand, the mean and the rank correlation of 10,000, and both ends
 * of the spread. */
#include "platforms/distributions/personal.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>

enum { MANY = 10000 };

static double mean_of(const double *values, size_t n) {
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

/* κ = 2 and m = 1/2 is the uniform distribution: thirds of [0, 1] have the means 1/6, 1/2, 5/6. κ = 3 and m =
 * 1/3 is Beta(1, 2), with 1 − (1 − x)² below x: thirds end at x₁ = 1 − √(2/3) and x₂ = 1 − √(1/3); the mean
 * up to x is x² − 2x³/3, of which a third is 3 times the difference. */
START_TEST(three_clients_have_beta_means) {
    double uniform[3], beta[3];
    frs_personal_chances(0.5, 2, 3, uniform);
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(uniform[i], (2 * i + 1) / 6.0, 1e-14);
    frs_personal_chances(1.0 / 3, 3, 3, beta);
    double ends[4] = {0, 1 - sqrt(2.0 / 3), 1 - sqrt(1.0 / 3), 1};
    for (int i = 0; i < 3; i++) {
        double a = ends[i], b = ends[i + 1];
        ck_assert_double_eq_tol(beta[i], 3 * (b * b - 2 * b * b * b / 3 - a * a + 2 * a * a * a / 3), 1e-14);
    }
    ck_assert_double_eq_tol(mean_of(beta, 3), 1.0 / 3, 1e-15);
}
END_TEST

/* Seven places in three groups of 2, 2 and 3: the means of their places, whatever the spread. */
START_TEST(groups_have_the_means_of_their_places) {
    static const double concentrations[] = {0, .3, 2, 50};
    static const size_t first[] = {0, 2, 4, 7};
    double chances[7], groups[3];
    for (size_t i = 0; i < 4; i++)
        for (double mean = 0; mean <= 1; mean += .125) {
            frs_personal_chances(mean, concentrations[i], 7, chances);
            frs_personal_groups(mean, concentrations[i], 7, 3, groups);
            for (size_t g = 0; g < 3; g++) {
                double sum = 0;
                ck_assert_uint_eq(frs_personal_first(7, 3, g), first[g]);
                for (size_t place = first[g]; place < first[g + 1]; place++) {
                    sum += chances[place];
                    ck_assert_uint_eq(frs_personal_group(7, 3, place), g);
                }
                ck_assert_double_eq_tol(groups[g], sum / (double)(first[g + 1] - first[g]), 1e-12);
            }
        }
}
END_TEST

/* The slowest is lost most, or, the other way round, the fastest. */
START_TEST(three_clients_in_order) {
    const double burden[3] = {-300, -100, -200}; /* uplinks */
    uint32_t order[3];
    ck_assert(frs_personal_order(burden, 3, 1, 7, FRS_RNG_LOSS, order));
    ck_assert(order[0] == 0 && order[1] == 2 && order[2] == 1);
    ck_assert(frs_personal_order(burden, 3, -1, 7, FRS_RNG_LOSS, order));
    ck_assert(order[0] == 1 && order[1] == 2 && order[2] == 0);
    const double same[3] = {1, 1, 1};
    ck_assert(!frs_personal_order(same, 3, 1, 7, FRS_RNG_LOSS, order));
}
END_TEST

/* All clients are alike, or a share is always lost and the others never, and a client on the border in
 * part. */
START_TEST(ends_of_the_spread) {
    double chances[4];
    frs_personal_chances(0.375, 0, 4, chances);
    ck_assert(chances[0] == 0 && chances[1] == 0 && chances[2] == 0.5 && chances[3] == 1);
    frs_personal_chances(0.375, FRS_CONCENTRATION_MOST, 4, chances);
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq_tol(chances[i], 0.375, 0.01);
    ck_assert(chances[0] < chances[3]);
    for (int mean = 0; mean <= 1; mean++) {
        frs_personal_chances(mean, 2, 4, chances);
        for (int i = 0; i < 4; i++)
            ck_assert_double_eq(chances[i], mean);
    }
}
END_TEST

/* The mean to rounding, ascending within [0, 1], and the variance of Beta: m(1 − m)/(1 + κ). */
START_TEST(mean_and_spread) {
    static const double means[] = {0.001, 0.1, 0.3, 0.5, 0.9, 0.999},
                        concentrations[] = {0.01, 0.5, 2, 20, FRS_CONCENTRATION_MOST};
    double *chances = frs_alloc(MANY, sizeof *chances);
    for (size_t i = 0; i < sizeof means / sizeof *means; i++)
        for (size_t j = 0; j < sizeof concentrations / sizeof *concentrations; j++) {
            double m = means[i], squares = 0;
            frs_personal_chances(m, concentrations[j], MANY, chances);
            for (size_t k = 0; k < MANY; k++) {
                ck_assert(chances[k] >= 0 && chances[k] <= 1);
                ck_assert(k == 0 || chances[k] >= chances[k - 1] - 1e-9);
                squares += (chances[k] - m) * (chances[k] - m);
            }
            ck_assert_double_eq_tol(mean_of(chances, MANY), m, 1e-12);
            double variance = m * (1 - m) / (1 + concentrations[j]);
            ck_assert_msg(fabs(squares / MANY / variance - 1) < 0.01, "m %g, concentration %g: %g of %g", m,
                concentrations[j], squares / MANY, variance);
        }
    free(chances);
}
END_TEST

/* Spearman's correlation between burden and probability: of places, because both are without ties. Its
 * standard error is about (1 − ρ²)/√n. */
START_TEST(burdens_and_probabilities_correlate) {
    static const double correlations[] = {-1, -0.5, 0, 0.3, 0.6, 0.9, 1};
    double *burden = frs_alloc(MANY, sizeof *burden);
    uint32_t *order = frs_alloc(MANY, sizeof *order);
    for (uint32_t i = 0; i < MANY; i++) /* its own place, scattered over the clients */
        burden[i] = (double)(i * 7919u % MANY);
    for (size_t c = 0; c < sizeof correlations / sizeof *correlations; c++) {
        double squares = 0, n = MANY, rho = correlations[c];
        ck_assert(frs_personal_order(burden, MANY, rho, 3, FRS_RNG_LOSS, order));
        for (uint32_t place = 0; place < MANY; place++)
            squares += (burden[order[place]] - place) * (burden[order[place]] - place);
        double measured = 1 - 6 * squares / (n * (n * n - 1));
        ck_assert_msg(
            fabs(measured - rho) <= 4 * (1 - rho * rho) / sqrt(n) + 1e-12, "%g instead of %g", measured, rho);
    }
    free(burden);
    free(order);
}
END_TEST

/* Equal burdens are put in order by draws: no id comes first. */
START_TEST(equal_burdens_are_drawn_in_order) {
    double *burden = frs_alloc(MANY, sizeof *burden), early = 0;
    uint32_t *order = frs_alloc(MANY, sizeof *order);
    for (uint32_t i = 0; i < MANY; i++)
        burden[i] = i % 2;
    ck_assert(frs_personal_order(burden, MANY, 1, 5, FRS_RNG_LOSS, order));
    for (uint32_t place = 0; place < MANY; place++) {
        ck_assert_uint_eq(order[place] % 2, place >= MANY / 2);
        if (place < MANY / 4)
            early += order[place] < MANY / 2;
    }
    ck_assert_double_eq_tol(early / (MANY / 4), 0.5, 0.04);
    free(burden);
    free(order);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("personal");
    TCase *tests = tcase_create("personal");
    tcase_add_test(tests, three_clients_have_beta_means);
    tcase_add_test(tests, three_clients_in_order);
    tcase_add_test(tests, groups_have_the_means_of_their_places);
    tcase_add_test(tests, ends_of_the_spread);
    tcase_add_test(tests, mean_and_spread);
    tcase_add_test(tests, burdens_and_probabilities_correlate);
    tcase_add_test(tests, equal_burdens_are_drawn_in_order);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
