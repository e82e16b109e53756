/* The availability model of docs/adding-an-availability-model.md: shifts by hand, and times at which
 * it changes. */
#include "tests/platforms/availability_fixture.h"

extern const struct frs_availability_model frs_availability_shifts;

enum { SEED = 7, CLIENTS = 200 };

static void *create(const char *const *settings) {
    struct frs_values values = frs_values_of(frs_availability_shifts.plugin.params, settings);
    struct frs_errors errors = {0};
    void *state;
    ck_assert(frs_availability_shifts.create(&values, CLIENTS, SEED, &state, &errors));
    frs_values_fini(&values);
    return state;
}

static bool at(const void *state, uint32_t client, double t_s, double *until_s) {
    return frs_availability_shifts.at(state, client, 1, 0, t_s, until_s);
}

/* Shifts of 25 s in periods of 100 s; the first that begins after 0 does so at (1 - phase) * 100 s. */
START_TEST(shifts_by_hand) {
    void *state = create(SETTINGS("period", "100 s", "share", "0.25"));
    for (uint32_t client = 0; client < CLIENTS; client++) {
        struct frs_rng rng = frs_rng_stream(SEED, client, 0, 0, FRS_RNG_TIME_ZONE);
        double begin_s = (1 - frs_rng_unit(&rng)) * 100, until_s;
        ck_assert(!at(state, client, begin_s - 1, &until_s));
        ck_assert_double_eq_tol(until_s, begin_s, 1e-9);
        ck_assert(at(state, client, begin_s + 24, &until_s));
        ck_assert_double_eq_tol(until_s, begin_s + 25, 1e-9);
        ck_assert(!at(state, client, begin_s + 926, &until_s));
        ck_assert_double_eq_tol(until_s, begin_s + 1000, 1e-9);
    }
    frs_availability_shifts.destroy(state);
}
END_TEST

/* What it says of the time it named is the other answer, and is so for good over many periods. */
START_TEST(times_are_exact) {
    void *state = create(SETTINGS("period", "1.7 s", "share", "0.7"));
    for (uint32_t client = 0; client < CLIENTS; client++) {
        double t_s = 0, until_s, online_s = 0;
        bool online = at(state, client, t_s, &until_s);
        for (int change = 0; change < 400; change++) {
            ck_assert_double_gt(until_s, t_s);
            online_s += online ? until_s - t_s : 0;
            t_s = until_s;
            ck_assert(at(state, client, t_s, &until_s) == !online);
            online = !online;
        }
        ck_assert_double_eq_tol(online_s / t_s, 0.7, 0.005);
    }
    frs_availability_shifts.destroy(state);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("example of an availability model");
    TCase *tests = tcase_create("all");
    tcase_add_test(tests, shifts_by_hand);
    tcase_add_test(tests, times_are_exact);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
