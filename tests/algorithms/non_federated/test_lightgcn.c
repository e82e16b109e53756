/* LightGCN: a step of pairs and one of samples by hand, and the graph's averages. */
#include "algorithms/kernels/interaction_graph.h"
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/data/fixture.h"

#include <math.h>

static const uint32_t own[] = {0}, both[] = {0, 1};
static const float ones[] = {1, 1};

static const struct frs_non_federated_model *lightgcn(void) {
    return frs_non_federated_model_find("lightgcn");
}

/* Users 0 {0, 1} and 1 {0}; item 2 has no user. Degrees: users 2, 1; items 2, 1, 0. With one layer
 *   u0: (e + i0/2 + i1/√2)/2, u1: (e + i0/√2)/2, i0: (e + u0/2 + u1/√2)/2, i1: (e + u0/√2)/2, i2: e/2. */
START_TEST(averages_by_hand) {
    const uint32_t *items[] = {both, own};
    const size_t n[] = {2, 1};
    struct frs_interaction_graph graph = frs_interaction_graph_create(2, 3, items, n, 16);
    float *x = frs_alloc_aligned(5 * 16, sizeof *x), *y = frs_alloc_aligned(5 * 16, sizeof *y);
    const float values[] = {1, 2, 4, 8, 16};
    for (size_t node = 0; node < 5; node++)
        x[node * 16 + 7] = values[node];
    frs_interaction_graph_mean(&graph, 1, x, y);
    double root = sqrt(2);
    const double expected[] = {(1 + 4 / 2.0 + 8 / root) / 2, (2 + 4 / root) / 2, (4 + 1 / 2.0 + 2 / root) / 2,
        (8 + 1 / root) / 2, 8};
    for (size_t node = 0; node < 5; node++) {
        ck_assert_double_eq_tol(y[node * 16 + 7], expected[node], 1e-6);
        ck_assert_float_eq(y[node * 16 + 6], 0);
    }
    frs_interaction_graph_mean(&graph, 0, x, y);
    ck_assert_mem_eq(x, y, 5 * 16 * sizeof *x);
    free(x);
    free(y);
    frs_interaction_graph_fini(&graph);
}
END_TEST

/* d 1, one layer, one user with item 0; item 1 is its only negative, and has no edge:
 *   f_u = f_i = (u + i)/2, f_j = j/2, s = f_u f_i − f_u f_j.
 * The loss falls with s, so the first step of Adam moves each value by the rate along the sign of
 *   ∂s/∂u = ∂s/∂i = (f_i + f_u − f_j)/2, ∂s/∂j = −f_u/2. */
START_TEST(first_step_by_hand) {
    const struct frs_client_data client = {0, own, ones, 1, own, 1};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct frs_population population = {.n_clients = 1, .n_items = 2, .clients = &client, .seed = seed};
        struct frs_rng rng = frs_rng_stream(seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_NON_FEDERATED);
        float drawn[3];
        for (size_t node = 0; node < 3; node++)
            frs_rng_fill_normal(&rng, drawn + node, 1, 0.5);
        double u = (double)drawn[0], i = (double)drawn[1], j = (double)drawn[2], f = (u + i) / 2, rate = 0.01,
               step = copysign(rate, 2 * f - j / 2);
        double moved_f = (u + i + 2 * step) / 2, moved_j = j + copysign(rate, -f);
        struct frs_values values = frs_values_of(
            lightgcn()->plugin.params, SETTINGS("dim", "1", "layers", "1", "epochs", "1", "learning_rate",
                                           "0.01", "init", "0.5", "l2", "0", "batch", "8"));
        void *model = lightgcn()->fit(&values, &population, NULL);
        float scores[2];
        lightgcn()->score(model, 0, both, 2, scores);
        ck_assert_double_eq_tol(scores[0], moved_f * moved_f, 1e-5);
        ck_assert_double_eq_tol(scores[1], moved_f * moved_j / 2, 1e-5);
        lightgcn()->destroy(model);
        frs_values_fini(&values);
    }
}
END_TEST

/* The same user and items with single samples, one of item 0 and one of item 1:
 *   loss = (−log σ(f_u f_i) − log(1 − σ(f_u f_j)))/2 + l2/2 (2u² + i² + j²)/2,
 * so that with a = σ(f_u f_i) − 1 and b = σ(f_u f_j)
 *   ∂/∂u = (2 a f + b f_j)/4 + l2 u, ∂/∂i = (2 a f + b f_j)/4 + l2 i/2, ∂/∂j = b f/4 + l2 j/2.
 * The decay is such that it turns some of the signs, and not all. */
START_TEST(first_step_of_samples_by_hand) {
    const struct frs_client_data client = {0, own, ones, 1, own, 1};
    int n_turned = 0, n_kept = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct frs_population population = {.n_clients = 1, .n_items = 2, .clients = &client, .seed = seed};
        struct frs_rng rng = frs_rng_stream(seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_NON_FEDERATED);
        float drawn[3];
        for (size_t node = 0; node < 3; node++)
            frs_rng_fill_normal(&rng, drawn + node, 1, 0.5);
        double u = (double)drawn[0], i = (double)drawn[1], j = (double)drawn[2], f = (u + i) / 2, rate = 0.01,
               l2 = 0.2, a = 1 / (1 + exp(-f * f)) - 1, b = 1 / (1 + exp(-f * j / 2)),
               both_ends = (2 * a * f + b * j / 2) / 4;
        double slopes[] = {both_ends + l2 * u, both_ends + l2 * i / 2, b * f / 4 + l2 * j / 2},
               without[] = {both_ends, both_ends, b * f / 4};
        for (size_t node = 0; node < 3; node++)
            *(signbit(slopes[node]) == signbit(without[node]) ? &n_kept : &n_turned) += 1;
        double moved_u = u - copysign(rate, slopes[0]), moved_i = i - copysign(rate, slopes[1]),
               moved_j = j - copysign(rate, slopes[2]), moved_f = (moved_u + moved_i) / 2;
        struct frs_values values = frs_values_of(lightgcn()->plugin.params,
            SETTINGS("dim", "1", "layers", "1", "loss", "bce", "negatives", "1", "epochs", "1",
                "learning_rate", "0.01", "init", "0.5", "l2", "0.2"));
        void *model = lightgcn()->fit(&values, &population, NULL);
        float scores[2];
        lightgcn()->score(model, 0, both, 2, scores);
        ck_assert_double_eq_tol(scores[0], moved_f * moved_f, 1e-5);
        ck_assert_double_eq_tol(scores[1], moved_f * moved_j / 2, 1e-5);
        lightgcn()->destroy(model);
        frs_values_fini(&values);
    }
    ck_assert_int_gt(n_turned, 0);
    ck_assert_int_gt(n_kept, 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("lightgcn");
    TCase *tests = tcase_create("lightgcn");
    tcase_add_test(tests, averages_by_hand);
    tcase_add_test(tests, first_step_by_hand);
    tcase_add_test(tests, first_step_of_samples_by_hand);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
