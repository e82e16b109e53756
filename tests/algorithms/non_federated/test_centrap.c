/* CentRAP: a step of one sample and one of a batch by hand, and the memory that it takes. */
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/data/fixture.h"

#include <math.h>

static const uint32_t own[] = {0};
static const float ones[] = {1};
static const struct frs_client_data client = {0, own, ones, 1, own, 1};

static const struct frs_non_federated_model *centrap(void) {
    return frs_non_federated_model_find("centrap");
}

static double shrink(double x, double by) {
    return copysign(fmax(fabs(x) - by, 0), x);
}

/* d 1, one user, one item, no negatives. With s = u (d + c), e = σ(s) − 1 and λ, μ = tanh(1/10) of their
 * ends: u −= .01 e (d + c), d −= .1 (e u − 2 λ (d − c)), c −= .1 (e u + 2 λ (d − c)), c shrunk by .1 μ. */
START_TEST(step_by_hand) {
    int n_vanished = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct frs_population population = {.n_clients = 1, .n_items = 1, .clients = &client, .seed = seed};
        struct frs_rng common = frs_rng_stream(seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_NON_FEDERATED),
                       private = frs_rng_stream(seed, 0, 0, 3, FRS_RNG_NON_FEDERATED);
        float drawn_c, drawn_u, drawn_d;
        frs_rng_fill_normal(&common, &drawn_c, 1, 0.1);
        frs_rng_fill_normal(&common, &drawn_u, 1, 0.3);
        frs_rng_fill_normal(&private, &drawn_d, 1, 0.1);
        double u = (double)drawn_u, d = (double)drawn_d, c = (double)drawn_c, lambda = 0.5 * tanh(0.1),
               mu = 10 * tanh(0.1), e = 1 / (1 + exp(-u * (d + c))) - 1;
        double moved_u = u - 0.01 * e * (d + c), moved_d = d - 0.1 * (e * u - 2 * lambda * (d - c)),
               moved_c = shrink(c - 0.1 * (e * u + 2 * lambda * (d - c)), 0.1 * mu);
        n_vanished += moved_c == 0;
        struct frs_values values = frs_values_of(centrap()->plugin.params,
            SETTINGS("dim", "1", "epochs", "1", "lambda", "0.5", "mu", "10", "negatives", "0"));
        void *model = centrap()->fit(&values, &population, NULL);
        float score;
        centrap()->score(model, 0, own, 1, &score);
        ck_assert_double_eq_tol(score, moved_u * (moved_d + moved_c), 1e-6);
        centrap()->destroy(model);
        frs_values_fini(&values);
    }
    ck_assert_int_gt(n_vanished, 0);
    ck_assert_int_lt(n_vanished, 20);
}
END_TEST

/* d 1, one item, which two users have, in one batch: the slopes of both are taken from the values before it,
 * and c moves by their sum. λ is .4 tanh(.1), μ 0. */
START_TEST(batch_by_hand) {
    const struct frs_client_data clients[] = {{0, own, ones, 1, own, 1}, {1, own, ones, 1, own, 1}};
    struct frs_population population = {.n_clients = 2, .n_items = 1, .clients = clients, .seed = 4};
    struct frs_rng common = frs_rng_stream(4, FRS_RNG_SERVER, 0, 0, FRS_RNG_NON_FEDERATED);
    float drawn_c, u[2], d[2];
    double slopes_of_c = 0, moved_u[2], moved_d[2], lambda = 0.4 * tanh(0.1);
    frs_rng_fill_normal(&common, &drawn_c, 1, 0.5);
    frs_rng_fill_normal(&common, u, 2, 0.6);
    double c = (double)drawn_c;
    for (uint32_t user = 0; user < 2; user++) {
        struct frs_rng private = frs_rng_stream(4, user, 0, 3, FRS_RNG_NON_FEDERATED);
        frs_rng_fill_normal(&private, &d[user], 1, 0.5);
        double vector = (double)u[user], table = (double)d[user],
               e = 1 / (1 + exp(-vector * (table + c))) - 1;
        moved_u[user] = vector - 0.3 * e * (table + c);
        moved_d[user] = table - 0.2 * (e * vector - 2 * lambda * (table - c));
        slopes_of_c += e * vector - 2 * lambda * (c - table);
    }
    struct frs_values values = frs_values_of(centrap()->plugin.params,
        SETTINGS("dim", "1", "epochs", "1", "lambda", "0.4", "mu", "0", "negatives", "0", "learning_rate",
            "0.2", "user_learning_rate", "0.3", "init", "0.5", "user_init", "0.6", "batch", "2"));
    void *model = centrap()->fit(&values, &population, NULL);
    for (uint32_t user = 0; user < 2; user++) {
        float score;
        centrap()->score(model, user, own, 1, &score);
        ck_assert_double_eq_tol(score, moved_u[user] * (moved_d[user] + c - 0.2 * slopes_of_c), 1e-6);
    }
    centrap()->destroy(model);
    frs_values_fini(&values);
}
END_TEST

/* D has n · m · d values of 4 bytes: .2 GB and 2.9 GB for the two MovieLens sets at d 32. */
START_TEST(memory_is_that_of_all_tables) {
    static const uint32_t sizes[][2] = {{943, 1682}, {6040, 3706}};
    for (size_t i = 0; i < 2; i++) {
        struct frs_client_data *clients = frs_alloc(sizes[i][0], sizeof *clients);
        struct frs_population population = {
            .n_clients = sizes[i][0], .n_items = sizes[i][1], .clients = clients};
        struct frs_values values = frs_values_of(centrap()->plugin.params, NO_SETTINGS);
        double bytes = centrap()->memory_bytes(&values, &population),
               tables = 4.0 * sizes[i][0] * sizes[i][1] * 32;
        ck_assert_double_gt(bytes, tables);
        ck_assert_double_lt(bytes, 1.02 * tables);
        frs_values_fini(&values);
        free(clients);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("centrap");
    TCase *tests = tcase_create("centrap");
    tcase_add_test(tests, step_by_hand);
    tcase_add_test(tests, batch_by_hand);
    tcase_add_test(tests, memory_is_that_of_all_tables);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
