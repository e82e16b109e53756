/* Baselines that predict ratings: steps by hand, and how the number of passes is chosen. */
#include "algorithms/non_federated/epochs.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/data/fixture.h"

#include <math.h>

static const uint32_t item[] = {0};
static const float five[] = {5};
static const struct frs_client_data client = {0, item, five, 1, item, 1};
static const struct frs_population tiny = {
    .n_clients = 1, .n_items = 1, .clients = &client, .rating_min = 1, .rating_max = 5, .seed = 5};

static double score_after(const char *name, const char *epochs) {
    const struct frs_non_federated_model *baseline = frs_non_federated_model_find(name);
    struct frs_values values = frs_values_of(baseline->plugin.params, SETTINGS("dim", "1", "epochs", epochs));
    void *model = baseline->fit(&values, &tiny, NULL);
    float score;
    baseline->score(model, 0, item, 1, &score);
    baseline->destroy(model);
    frs_values_fini(&values);
    return (double)score;
}

static double logistic(double x) {
    return 1 / (1 + exp(-x));
}

/* A rating of 5 is 1: ∂p = −2 (1 − σ) σ (1 − σ) q + .1 sign p, and Adam's first step is .01 against its sign;
 * biases of one user and one item have the norm |b|. */
START_TEST(pmf_first_step_by_hand) {
    bool biases = _i == 1;
    struct frs_rng rng = frs_rng_stream(5, FRS_RNG_SERVER, 0, 0, FRS_RNG_NON_FEDERATED);
    double p = .01 * frs_rng_normal(&rng), b = biases ? .01 * frs_rng_normal(&rng) : 0;
    double q = .01 * frs_rng_normal(&rng), c = biases ? .01 * frs_rng_normal(&rng) : 0;
    double y = logistic(p * q + b + c), delta = -2 * (1 - y) * y * (1 - y);
    const char *name = biases ? "pmf_biases" : "pmf";
    ck_assert_double_eq_tol(score_after(name, "1"),
        1 + 4 * logistic((p - copysign(.01, delta * q + copysign(.1, p))) *
                             (q - copysign(.01, delta * p + copysign(.1, q))) +
                         (biases ? b - copysign(.01, delta + copysign(.1, b)) + c -
                                       copysign(.01, delta + copysign(.1, c))
                                 : 0)),
        1e-5);
}
END_TEST

/* μ = 5, so that e = −q (p + y) at first: dim 1, one item, |N| = 1. */
START_TEST(svdpp_first_pass_by_hand) {
    struct frs_rng rng = frs_rng_stream(5, FRS_RNG_SERVER, 0, 0, FRS_RNG_NON_FEDERATED);
    double p = .1 * frs_rng_normal(&rng), q = .1 * frs_rng_normal(&rng), y = .1 * frs_rng_normal(&rng);
    double e = -q * (p + y);
    double stepped_p = p + .007 * (e * q - .015 * p), stepped_q = q + .007 * (e * (p + y) - .015 * q);
    double stepped_y = y + .007 * (e * q - .015 * y);
    ck_assert_double_eq_tol(
        score_after("svdpp", "1"), 5 + 2 * .007 * e + stepped_q * (stepped_p + stepped_y), 1e-5);
}
END_TEST

/* A model that predicts 3 after seven passes, and is wrong by a tenth for every pass more or less. */
struct counter {
    size_t n_ratings, passes;
};

static void *begin(const struct frs_values *values, const struct frs_population *population) {
    struct counter *counter = frs_alloc(1, sizeof *counter);
    (void)values;
    for (uint32_t u = 0; u < population->n_clients; u++)
        counter->n_ratings += population->clients[u].n;
    return counter;
}

static void pass(void *model, uint32_t epoch) {
    struct counter *counter = model;
    ck_assert_uint_eq(epoch, counter->passes);
    counter->passes++;
}

static void score(const void *model, uint32_t user, const uint32_t *items, size_t n, float *scores) {
    const struct counter *counter = model;
    (void)user;
    (void)items;
    for (size_t i = 0; i < n; i++)
        scores[i] = 3 + .1f * fabsf(7 - (float)counter->passes);
}

static const struct frs_iterative counting = {begin, pass, free, score};
static const struct frs_param params[] = {FRS_EPOCHS_PARAMS("100"), {.key = NULL}};

START_TEST(passes_are_chosen_on_held_out_ratings) {
    static const uint32_t items[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2};
    static const float threes[] = {3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    const struct frs_client_data clients[] = {
        {0, items, threes, 10, items, 10}, {1, items + 10, threes, 1, items + 10, 1}};
    const struct frs_population population = {
        .n_clients = 2, .n_items = 10, .clients = clients, .rating_min = 1, .rating_max = 5, .seed = 5};
    struct frs_values values = frs_values_of(params, SETTINGS("held_out", "0.2"));
    ck_assert_uint_eq(frs_epochs_choose(&counting, &values, &population, NULL), 7);
    struct counter *fitted = frs_epochs_fit(&counting, &values, &population, NULL);
    ck_assert_uint_eq(fitted->passes, 7);
    ck_assert_uint_eq(fitted->n_ratings, 11);
    free(fitted);
    frs_values_fini(&values);
    values = frs_values_of(params, SETTINGS("most_epochs", "4"));
    ck_assert_uint_eq(frs_epochs_choose(&counting, &values, &population, NULL), 4);
    frs_values_fini(&values);
    values = frs_values_of(params, SETTINGS("epochs", "12"));
    fitted = frs_epochs_fit(&counting, &values, &population, NULL);
    ck_assert_uint_eq(fitted->passes, 12);
    free(fitted);
    frs_values_fini(&values);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rating baselines");
    TCase *tests = tcase_create("rating baselines");
    tcase_add_loop_test(tests, pmf_first_step_by_hand, 0, 2);
    tcase_add_test(tests, svdpp_first_pass_by_hand);
    tcase_add_test(tests, passes_are_chosen_on_held_out_ratings);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
