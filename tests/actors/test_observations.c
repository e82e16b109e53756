/* What the server remembers of its clients, and predicts from it, by hand. */
#include "actors/observations.h"
#include "tests/support.h"

static const struct frs_observations_settings settings = {.weight = 0.25,
    .prior = {.latency_s = 0.5,
        .down_s_per_byte = 1e-3,
        .up_s_per_byte = 4e-3,
        .compute_s_per_work = 2,
        .size_share = 1}};

static struct frs_observation observation(uint32_t client, double up_s) {
    return (struct frs_observation){.client = client,
        .samples = 12,
        .loss = 0.5,
        .duration_s = 10,
        .latency_s = 0.1,
        .down_s = 2,
        .down_bytes = 1000,
        .compute_s = 3,
        .work = 0.5,
        .up_s = up_s,
        .up_bytes = 50,
        .foreseen_up_bytes = 200};
}

/* A first observation is taken as it is, later ones with their weight. */
START_TEST(moving_averages) {
    struct frs_observations *o = frs_observations_create(3, &settings);
    struct frs_observation seen = observation(1, 5);
    frs_observations_add(o, &seen);
    struct frs_pace pace = frs_observations_pace(o, 1);
    ck_assert_double_eq_tol(pace.latency_s, 0.1, 1e-15);
    ck_assert_double_eq_tol(pace.down_bytes, 1000, 1e-12);
    ck_assert_double_eq_tol(pace.down_s_per_byte, 2e-3, 1e-15);
    ck_assert_double_eq_tol(pace.up_s_per_byte, 0.1, 1e-15);
    ck_assert_double_eq_tol(pace.compute_s_per_work, 6, 1e-15);
    ck_assert_double_eq_tol(pace.size_share, 0.25, 1e-15);
    seen = observation(1, 25);
    seen.loss = 0.25;
    frs_observations_add(o, &seen);
    pace = frs_observations_pace(o, 1);
    ck_assert_double_eq_tol(pace.up_s_per_byte, 0.75 * 0.1 + 0.25 * 0.5, 1e-15);
    ck_assert_double_eq(frs_observations_client(o, 1)->loss, 0.25);
    ck_assert_uint_eq(frs_observations_client(o, 1)->measured, 2);
    frs_observations_destroy(o);
}
END_TEST

/* Of a client never measured: the prior, then the mean of those that were. */
START_TEST(unmeasured_clients) {
    struct frs_observations *o = frs_observations_create(3, &settings);
    ck_assert_double_eq(frs_observations_pace(o, 0).up_s_per_byte, 4e-3);
    struct frs_observation seen = observation(1, 5);
    frs_observations_add(o, &seen);
    seen = observation(2, 15);
    frs_observations_add(o, &seen);
    ck_assert_double_eq_tol(frs_observations_pace(o, 0).up_s_per_byte, 0.2, 1e-15);
    seen = observation(2, 35); /* 0.75 · 0.3 + 0.25 · 0.7 = 0.4 */
    frs_observations_add(o, &seen);
    ck_assert_double_eq_tol(frs_observations_mean_pace(o).up_s_per_byte, 0.25, 1e-15);
    frs_observations_destroy(o);
}
END_TEST

START_TEST(asking) {
    struct frs_observations *o = frs_observations_create(3, &settings);
    frs_observations_asked(o, 2, 4);
    frs_observations_asked(o, 2, 9);
    ck_assert_uint_eq(frs_observations_client(o, 2)->asked, 2);
    ck_assert_uint_eq(frs_observations_client(o, 2)->last_round, 9);
    ck_assert_uint_eq(frs_observations_client(o, 2)->measured, 0);
    ck_assert_uint_eq(frs_observations_client(o, 0)->asked, 0);
    frs_observations_destroy(o);
}
END_TEST

/* The prediction for what was observed is what was observed; a link without limit takes no time. */
START_TEST(predictions) {
    struct frs_observations *o = frs_observations_create(1, &settings);
    struct frs_observation seen = observation(0, 5);
    frs_observations_add(o, &seen);
    struct frs_pace pace = frs_observations_pace(o, 0);
    ck_assert_double_eq_tol(frs_pace_duration_s(&pace, 0.5, 200), 0.1 + 2 + 3 + 5, 1e-12);
    ck_assert_double_eq_tol(frs_pace_duration_s(&pace, 1, 400), 0.1 + 2 + 6 + 10, 1e-12);
    pace.up_s_per_byte = 0;
    ck_assert_double_eq_tol(frs_pace_duration_s(&pace, 0, 1e12), 0.1 + 2, 1e-12);
    frs_observations_destroy(o);
}
END_TEST

START_TEST(defaults) {
    struct frs_values values = frs_values_of(frs_observations_params, NULL);
    struct frs_observations_settings read = frs_observations_read(&values);
    ck_assert_double_eq_tol(read.weight, 0.3, 1e-15);
    ck_assert_double_eq_tol(1 / read.prior.down_s_per_byte, 0.75 * 1048576, 1e-6);
    ck_assert_double_eq_tol(1 / read.prior.up_s_per_byte, 0.25 * 1048576, 1e-6);
    ck_assert_double_eq(read.prior.compute_s_per_work, 0.1);
    ck_assert_double_eq(read.prior.size_share, 1);
    frs_values_fini(&values);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("observations");
    TCase *tests = tcase_create("observations");
    tcase_add_test(tests, moving_averages);
    tcase_add_test(tests, unmeasured_clients);
    tcase_add_test(tests, asking);
    tcase_add_test(tests, predictions);
    tcase_add_test(tests, defaults);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
