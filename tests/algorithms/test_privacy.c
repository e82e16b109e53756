/* Composition of the noise of many releases, against values worked out by hand or with 60 digits. */
#include "algorithms/privacy_accountant.h"
#include "tests/support.h"

#include <check.h>
#include <math.h>
#include <stddef.h>

static struct frs_guarantee gaussian(double z, double delta) {
    return (struct frs_guarantee){.noise = FRS_GAUSSIAN, .scale = z, .delta = delta};
}

/* z 1, once: δ(1) = Φ(−1/2) − e Φ(−3/2) = 0.3085375 − 2.7182818 · 0.0668072 = 0.1269367. Four releases with z
 * 2 are the same; and at δ(0) = 2Φ(1/2) − 1 = 0.3829249 nothing is lost beyond δ. */
START_TEST(gaussian_by_hand) {
    struct frs_guarantee once = gaussian(1, 0.12693673750664395), four = gaussian(2, 0.12693673750664395),
                         nothing = gaussian(1, 0.38292493);
    ck_assert_double_eq_tol(frs_privacy_loss(&once, 1).epsilon, 1, 1e-12);
    ck_assert_double_eq_tol(frs_privacy_loss(&four, 4).epsilon, 1, 1e-12);
    ck_assert_double_eq(frs_privacy_loss(&nothing, 1).epsilon, 0);
    ck_assert_double_eq(frs_privacy_loss(&once, 1).delta, 0.12693673750664395);
}
END_TEST

/* δ 1e-5, by bisection with 60 digits; z 1 for 3600 rounds is beyond e^ε in double precision. */
START_TEST(gaussian_far_out) {
    static const struct {
        double z;
        uint64_t releases;
        double epsilon;
    } cases[] = {{10, 1, 0.34066936468433}, {1, 1, 4.3771780956812}, {1, 50, 54.376639014986},
        {1, 100, 91.817289624664}, {1, 3600, 2054.927466373}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_guarantee guarantee = gaussian(cases[i].z, 1e-5);
        double found = frs_privacy_loss(&guarantee, cases[i].releases).epsilon;
        ck_assert_double_eq_tol(found, cases[i].epsilon, 1e-8 * cases[i].epsilon);
    }
}
END_TEST

/* Values within ±0.2, Laplace of scale 0.04 (RFRec): ε = 0.4/0.04 = 10 a value, 30 for three, 210 after seven
 * rounds. */
START_TEST(laplace_by_hand) {
    struct frs_guarantee guarantee = {.noise = FRS_LAPLACE, .local = true, .scale = 0.04 / 0.4, .values = 3};
    ck_assert_double_eq_tol(frs_privacy_loss(&guarantee, 1).epsilon, 30, 1e-12);
    ck_assert_double_eq_tol(frs_privacy_loss(&guarantee, 7).epsilon, 210, 1e-11);
    ck_assert_double_eq(frs_privacy_loss(&guarantee, 7).delta, 0);
}
END_TEST

START_TEST(none_and_nothing) {
    struct frs_guarantee unbounded = {.noise = FRS_LAPLACE, .values = 3}, none = {0};
    ck_assert(isinf(frs_privacy_loss(&unbounded, 1).epsilon));
    ck_assert(isinf(frs_privacy_loss(&none, 1).epsilon));
    ck_assert_double_eq(frs_privacy_loss(&none, 0).epsilon, 0);
    struct frs_guarantee guarantee = gaussian(1, 1e-5);
    ck_assert_double_eq(frs_privacy_loss(&guarantee, 0).epsilon, 0);
    ck_assert_double_eq(frs_privacy_loss(&guarantee, 0).delta, 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("privacy");
    TCase *tests = tcase_create("privacy");
    tcase_add_test(tests, gaussian_by_hand);
    tcase_add_test(tests, gaussian_far_out);
    tcase_add_test(tests, laplace_by_hand);
    tcase_add_test(tests, none_and_nothing);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
