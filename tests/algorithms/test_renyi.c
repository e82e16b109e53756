/* Rényi accounting: published vectors, and integrals of this file's own. */
#include "algorithms/renyi.h"
#include "algorithms/privacy_accountant.h"
#include "tests/support.h"

#include <math.h>
#include <stddef.h>

static struct frs_renyi_release gaussian(double z, int kind, double rate) {
    return (struct frs_renyi_release){
        .noise = FRS_RENYI_GAUSSIAN, .scale = z, .values = 1, .sampling = {.kind = kind, .rate = rate}};
}

/* dp_accounting, rdp_privacy_accountant_test.py: q 0.01, σ 2.5, 50 steps. Two editions of it are about; in
 * one the numbers between integers are upper bounds, by 3 % at order 1.5, in the other they are the
 * integral's: 6.5007e-04 and 1.0854e-03. */
START_TEST(bernoulli_sampling_gives_known_values) {
    static const struct {
        double order, divergence;
    } cases[] = {{1.5, 6.70579741e-4}, {2.5, 1.08548710e-3}, {5, 2.18075656e-3}, {50, 2.38460375e-2},
        {100, 167.416308}};
    struct frs_renyi_release release = gaussian(2.5, FRS_SAMPLED_BERNOULLI, 0.01);
    ck_assert_double_eq_tol(50 * frs_renyi_divergence(&release, 1.5) / 6.5007e-4, 1, 1e-4);
    ck_assert_double_eq_tol(50 * frs_renyi_divergence(&release, 2.5) / 1.0854e-3, 1, 1e-4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double found = 50 * frs_renyi_divergence(&release, cases[i].order);
        ck_assert_double_eq_tol(found, cases[i].divergence, 1e-4 * fmax(1, cases[i].divergence));
        ck_assert_double_le(found, cases[i].divergence * (1 + 1e-6));
        if (cases[i].order == floor(cases[i].order))
            ck_assert_double_eq_tol(found / cases[i].divergence, 1, 1e-6);
    }
}
END_TEST

/* Opacus, accountants_test.py, whose orders are a few others: σ 1.5, q 0.04, 2,250 steps, δ 1e-5. */
START_TEST(bernoulli_epsilon_is_opacus) {
    struct frs_renyi_release release = gaussian(1.5, FRS_SAMPLED_BERNOULLI, 0.04);
    ck_assert_double_eq_tol(frs_renyi_epsilon(&release, 2250, 1e-5), 7.32911117143, 1e-4);
}
END_TEST

/* Two of our own: ρ(α) integrated by the trapezoidal rule, 200,000 steps over ±40 z, and the least ε of
 * the orders 1.1, 1.2 … 20: at 5.2 and at 3. */
START_TEST(bernoulli_epsilon_by_integration) {
    struct frs_guarantee g = {
        .noise = FRS_GAUSSIAN, .scale = 1.2, .delta = 1e-5, .sampling = {FRS_SAMPLED_BERNOULLI, 0.1}};
    ck_assert_double_eq_tol(frs_privacy_account(&g, 30, 30).sampled, 3.412532369334591, 1e-6);
    g = (struct frs_guarantee){
        .noise = FRS_GAUSSIAN, .scale = 0.8, .delta = 1e-6, .sampling = {FRS_SAMPLED_BERNOULLI, 0.05}};
    ck_assert_double_eq_tol(frs_privacy_account(&g, 200, 200).sampled, 9.905257248333342, 1e-6);
}
END_TEST

/* σ 4.530877117 keeps ε 1 at δ 1e-6 by Rényi's way; the exact loss of the same noise is below that. */
START_TEST(one_release_keeps_its_epsilon) {
    struct frs_renyi_release release = gaussian(4.530877117, FRS_NOT_SAMPLED, 0);
    struct frs_guarantee exact = {.noise = FRS_GAUSSIAN, .scale = 4.530877117, .delta = 1e-6};
    ck_assert_double_eq_tol(frs_renyi_epsilon(&release, 1, 1e-6), 1, 1e-4);
    ck_assert_double_lt(frs_privacy_loss(&exact, 1).epsilon, 1);
}
END_TEST

static double normal(double x, double mean, double sd) {
    double y = (x - mean) / sd;
    return exp(-y * y / 2) / (sd * sqrt(2 * M_PI));
}

/* ∫ p(x)^α q(x)^{1−α} by the trapezoidal rule, which for such integrands errs less than any power of its
 * step. */
static double divergence_by_integration(double (*p)(double x, const double *with),
    double (*q)(double x, const double *with), const double *with, double order, double from, double to,
    size_t steps) {
    double sum = 0, step = (to - from) / (double)steps;
    for (size_t i = 0; i <= steps; i++) {
        double x = from + step * (double)i;
        sum +=
            (i == 0 || i == steps ? 0.5 : 1) * exp(order * log(p(x, with)) + (1 - order) * log(q(x, with)));
    }
    return log(sum * step) / (order - 1);
}

/* With {z, q}: the sum where one client is there with probability q, and where it is not. */
static double sampled_density(double x, const double *with) {
    return (1 - with[1]) * normal(x, 0, with[0]) + with[1] * normal(x, 1, with[0]);
}

static double plain_density(double x, const double *with) {
    return normal(x, 0, with[0]);
}

/* With {b}. */
static double laplace_shifted(double x, const double *with) {
    return exp(-fabs(x - 1) / with[0]) / (2 * with[0]);
}

static double laplace_density(double x, const double *with) {
    return exp(-fabs(x) / with[0]) / (2 * with[0]);
}

START_TEST(bernoulli_by_integration) {
    static const struct {
        double z, q, order;
    } cases[] = {{1.1, 0.02, 3.7}, {0.8, 0.3, 1.25}, {4, 0.1, 12}, {2, 0.5, 2}, {2.5, 0.01, 1.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double with[] = {cases[i].z, cases[i].q};
        struct frs_renyi_release release = gaussian(cases[i].z, FRS_SAMPLED_BERNOULLI, cases[i].q);
        double expected = divergence_by_integration(
            sampled_density, plain_density, with, cases[i].order, -30 * cases[i].z, 30 * cases[i].z, 200000);
        ck_assert_double_eq_tol(frs_renyi_divergence(&release, cases[i].order) / expected, 1, 1e-8);
    }
}
END_TEST

/* The density has a corner at 0 and at 1: an even number of steps on each side of both. */
START_TEST(laplace_by_integration) {
    static const struct { double b, order; } cases[] = {{1, 2}, {0.5, 1.5}, {3, 8}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_renyi_release release = {.noise = FRS_RENYI_LAPLACE, .scale = cases[i].b, .values = 1};
        double expected = divergence_by_integration(
            laplace_shifted, laplace_density, &cases[i].b, cases[i].order, -100, 101, 2010000);
        ck_assert_double_eq_tol(frs_renyi_divergence(&release, cases[i].order) / expected, 1, 1e-6);
        release.values = 7;
        ck_assert_double_eq_tol(frs_renyi_divergence(&release, cases[i].order) / expected, 7, 1e-5);
    }
}
END_TEST

/* By hand at α = 2: ln(1 + γ² min(4(e^ρ − 1), 2e^ρ)), ρ = 1/z². For z 2 that is 4(e^¼ − 1) = 1.136102, and
 * with γ ½ ln 1.284025 = 0.25 = ρ itself, at which the bound ends. */
START_TEST(fixed_cohorts_are_bounded_by_hand) {
    struct frs_renyi_release release = gaussian(2, FRS_SAMPLED_FIXED, 0.1);
    ck_assert_double_eq_tol(frs_renyi_divergence(&release, 2), log(1 + 0.01 * 1.136101667), 1e-9);
    release.sampling.rate = 0.5;
    ck_assert_double_eq_tol(frs_renyi_divergence(&release, 2), 0.25, 1e-9);
    release.sampling.rate = 1;
    ck_assert_double_eq(frs_renyi_divergence(&release, 2), 0.25);
    release.sampling.rate = 0.01;
    ck_assert(isinf(frs_renyi_divergence(&release, 2.5)));
    for (double order = 2; order < 40; order++)
        ck_assert_double_le(frs_renyi_divergence(&release, order), order / 8);
}
END_TEST

/* A client that is selected in a hundredth of 100 rounds loses far less privacy than one that is in all of
 * them, and not less than one that is in none. */
START_TEST(sampling_amplifies_privacy) {
    struct frs_renyi_release all = gaussian(2, FRS_NOT_SAMPLED, 0),
                             some = gaussian(2, FRS_SAMPLED_FIXED, 0.01);
    double whole = frs_renyi_epsilon(&all, 100, 1e-5), part = frs_renyi_epsilon(&some, 100, 1e-5);
    ck_assert_double_gt(whole, 30);
    ck_assert(part > 0.1 && part < 2);
    ck_assert_double_eq(frs_renyi_epsilon(&some, 0, 1e-5), 0);
}
END_TEST

/* By hand: one value at ε₀ ½, 4 releases, δ 1e-6: ½ √(8 ln 10⁶) + 2 (e^½ − 1) = 5.25652 + 1.29744. */
START_TEST(accounts_of_laplace) {
    struct frs_guarantee g = {.noise = FRS_LAPLACE, .local = true, .scale = 2, .values = 1, .delta = 1e-6};
    struct frs_privacy_account account = frs_privacy_account(&g, 4, 10);
    ck_assert_double_eq_tol(account.sum, 2, 1e-12);
    ck_assert_double_eq_tol(account.advanced, 0.5 * sqrt(8 * log(1e6)) + 2 * expm1(0.5), 1e-9);
    ck_assert_double_eq_tol(account.epsilon, 2, 1e-12);
    ck_assert_double_eq(account.delta, 0);
    ck_assert(isinf(account.exact) && isinf(account.sampled));
    account = frs_privacy_account(&g, 4000, 10000);
    ck_assert_double_lt(account.renyi, account.advanced);
    ck_assert_double_lt(account.epsilon, account.sum);
    ck_assert_double_eq(account.delta, 1e-6);
    g.delta = 0;
    account = frs_privacy_account(&g, 4000, 10000);
    ck_assert_double_eq(account.epsilon, 2000);
}
END_TEST

/* The exact loss of a Gaussian is never above Rényi's; what sampling proves counts where it is less. */
START_TEST(accounts_of_gaussian) {
    struct frs_guarantee g = {.noise = FRS_GAUSSIAN, .scale = 3, .delta = 1e-5};
    struct frs_privacy_account account = frs_privacy_account(&g, 10, 1000);
    ck_assert_double_lt(account.exact, account.renyi);
    ck_assert_double_eq(account.epsilon, account.exact);
    g.sampling = (struct frs_sampling){FRS_SAMPLED_FIXED, 0.01};
    account = frs_privacy_account(&g, 1000, 1000);
    ck_assert_double_lt(account.sampled, account.exact);
    ck_assert_double_eq(account.epsilon, account.sampled);
    ck_assert_double_eq(frs_privacy_account(&g, 0, 1000).epsilon, 0);
}
END_TEST

/* The noise that keeps a target keeps it, and a hundredth less does not. */
START_TEST(noise_for_a_target) {
    struct frs_guarantee guarantees[] = {
        {.noise = FRS_GAUSSIAN, .delta = 1e-5},
        {.noise = FRS_GAUSSIAN, .delta = 1e-5, .sampling = {FRS_SAMPLED_FIXED, 0.05}},
        {.noise = FRS_LAPLACE, .values = 1},
        {.noise = FRS_LAPLACE, .values = 30, .delta = 1e-5},
    };
    for (size_t i = 0; i < sizeof guarantees / sizeof *guarantees; i++) {
        double scale = frs_privacy_scale(&guarantees[i], 20, 100, 3);
        guarantees[i].scale = scale;
        ck_assert_double_le(frs_privacy_account(&guarantees[i], 20, 100).epsilon, 3 + 1e-9);
        guarantees[i].scale = 0.99 * scale;
        ck_assert_double_gt(frs_privacy_account(&guarantees[i], 20, 100).epsilon, 3);
    }
    ck_assert(isnan(frs_privacy_scale(&guarantees[2], 20, 100, 1e-12)));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("renyi");
    TCase *tests = tcase_create("renyi");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, bernoulli_sampling_gives_known_values);
    tcase_add_test(tests, bernoulli_epsilon_is_opacus);
    tcase_add_test(tests, bernoulli_epsilon_by_integration);
    tcase_add_test(tests, one_release_keeps_its_epsilon);
    tcase_add_test(tests, bernoulli_by_integration);
    tcase_add_test(tests, laplace_by_integration);
    tcase_add_test(tests, fixed_cohorts_are_bounded_by_hand);
    tcase_add_test(tests, sampling_amplifies_privacy);
    tcase_add_test(tests, accounts_of_laplace);
    tcase_add_test(tests, accounts_of_gaussian);
    tcase_add_test(tests, noise_for_a_target);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
