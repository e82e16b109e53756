/* NCF: a step by hand, what it learns, and which layers it takes. */
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/data/fixture.h"

#include <math.h>

static const uint32_t own[] = {0};
static const float ones[] = {1};
static const struct frs_client_data client = {0, own, ones, 1, own, 1};

static const struct frs_non_federated_model *ncf(void) {
    return frs_non_federated_model_find("ncf");
}

/* d 1, one hidden unit, one user, one item, no negatives. With the output e = σ(s) − 1 < 0 the first step of
 * Adam moves every value with a gradient by the rate, against the sign of the gradient: up where its factor
 * in s is positive. Where the hidden unit is off, only p, q, h and the last bias have one. */
static void step_by_hand(uint64_t seed, bool *on) {
    struct frs_population population = {.n_clients = 1, .n_items = 1, .clients = &client, .seed = seed};
    struct frs_rng rng = frs_rng_stream(seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_NON_FEDERATED);
    float user[2], item[2]; /* p, p' and q', q */
    frs_rng_fill_normal(&rng, user, 2, 0.5);
    frs_rng_fill_normal(&rng, item, 2, 0.5);
    double p = (double)user[0], p1 = (double)user[1], q1 = (double)item[0], q = (double)item[1],
           wide = sqrt(6.0 / 3), w1 = wide * (2 * frs_rng_unit(&rng) - 1),
           w2 = wide * (2 * frs_rng_unit(&rng) - 1), v = sqrt(3) * (2 * frs_rng_unit(&rng) - 1),
           h = sqrt(3) * (2 * frs_rng_unit(&rng) - 1), a = w1 * p1 + w2 * q1, rate = 0.01;
    *on = a > 0;
    double slope = *on ? rate : 0, side = copysign(slope, v), moved_p1 = p1 + side * copysign(1, w1),
           moved_q1 = q1 + side * copysign(1, w2), moved_w1 = w1 + side * copysign(1, p1),
           moved_w2 = w2 + side * copysign(1, q1), b = side;
    double hidden = fmax(moved_w1 * moved_p1 + moved_w2 * moved_q1 + b, 0), moved_v = v + slope;
    double expected = moved_v * hidden + rate +
                      (h + copysign(rate, p * q)) * (p + copysign(rate, h * q)) * (q + copysign(rate, h * p));
    struct frs_values values = frs_values_of(
        ncf()->plugin.params, SETTINGS("dim", "1", "layers", "1", "epochs", "1", "learning_rate", "0.01",
                                  "init", "0.5", "negatives", "0", "batch", "1"));
    void *model = ncf()->fit(&values, &population, NULL);
    float score;
    ncf()->score(model, 0, own, 1, &score);
    ck_assert_double_eq_tol(score, expected, 2e-5);
    ncf()->destroy(model);
    frs_values_fini(&values);
}

START_TEST(first_step_by_hand) {
    int n_on = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        bool on;
        step_by_hand(seed, &on);
        n_on += on;
    }
    ck_assert_int_gt(n_on, 0);
    ck_assert_int_lt(n_on, 10);
}
END_TEST

START_TEST(refuses_what_is_no_list_of_layers) {
    struct frs_errors errors = {0};
    struct frs_values values = frs_values_of(ncf()->plugin.params, SETTINGS("layers", "32,x"));
    ck_assert_int_ne(ncf()->check(&values, &errors), FRS_OK);
    ck_assert_uint_eq(errors.n, 1);
    ck_assert_ptr_nonnull(strstr(errors.lines[0], "is no list of layers"));
    frs_errors_clear(&errors);
    frs_values_fini(&values);
    values = frs_values_of(ncf()->plugin.params, SETTINGS("layers", "8, 4"));
    ck_assert_int_eq(ncf()->check(&values, &errors), FRS_OK);
    frs_values_fini(&values);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ncf");
    TCase *tests = tcase_create("ncf");
    tcase_add_test(tests, first_step_by_hand);
    tcase_add_test(tests, refuses_what_is_no_list_of_layers);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
