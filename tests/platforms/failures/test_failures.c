/* Failures: plans per participation, restarts of the server. */
#include "tests/platforms/availability_fixture.h"

enum { N = 20000 };

static struct frs_failures failures_of(const char *const *settings, bool clients_vanish) {
    struct frs_values values = frs_values_of(frs_failures_params, settings);
    struct frs_failures failures;
    struct frs_errors errors = {0};
    bool good = frs_failures_read(&failures, &values, NULL, clients_vanish, &errors);
    frs_errors_print(&errors, stdout);
    ck_assert(good);
    frs_values_fini(&values);
    return failures;
}

START_TEST(nothing_fails) {
    struct frs_failures f = failures_of(NULL, false);
    ck_assert(!frs_failures_can_strike(&f));
    ck_assert(isinf(frs_failures_next_restart_s(&f, 0)));
    struct frs_failure_plan plan = frs_failures_plan(&f, 1, 2, 3, 0);
    for (int i = 0; i < FRS_FAILURE_PHASES; i++) {
        ck_assert(isnan(plan.phase[i].fraction));
        ck_assert_int_eq(plan.phase[i].kind, FRS_FAILURE_NONE);
        ck_assert(isinf(plan.phase[i].device_after_s) && isinf(plan.phase[i].connection_after_s));
    }
    frs_failures_fini(&f);
}
END_TEST

/* Each probability in its own phase and kind, independent of the others; fractions are uniform. */
START_TEST(probabilities) {
    struct frs_failures f = failures_of(SETTINGS("down", "0.1", "compute", "0.3", "up", "0.2",
                                            "connection_down", "0.4", "connection_up", "0.5"),
        false);
    ck_assert(frs_failures_can_strike(&f));
    static const double device[] = {0.1, 0.3, 0.2, 0}, connection[] = {0.4, 0, 0.5, 0};
    for (int i = 0; i < FRS_FAILURE_PHASES; i++) {
        double failed = 0, by_device = 0, early = 0;
        for (uint32_t client = 0; client < N; client++) {
            struct frs_phase_failure phase = frs_failures_plan(&f, 1, client, 3, 0).phase[i];
            ck_assert(isnan(phase.fraction) == (phase.kind == FRS_FAILURE_NONE));
            failed += phase.kind != FRS_FAILURE_NONE;
            by_device += phase.kind == FRS_FAILURE_DEVICE;
            early += phase.fraction < 0.25;
            ck_assert(!(phase.fraction < 0) && !(phase.fraction >= 1));
        }
        double both = device[i] * connection[i];
        ck_share(failed / N, device[i] + connection[i] - both, N);
        ck_share(by_device / N, device[i] - both / 2, N); /* of two the earlier counts */
        /* Uniform fractions; of two the smaller, which is below 1/4 with probability 1 − (3/4)². */
        ck_share(early / N, (device[i] + connection[i] - 2 * both) / 4 + both * 7 / 16, N);
    }
    frs_failures_fini(&f);
}
END_TEST

START_TEST(certain_failure) {
    struct frs_failures f = failures_of(SETTINGS("up", "1"), false);
    for (uint32_t client = 0; client < 1000; client++) {
        struct frs_failure_plan plan = frs_failures_plan(&f, 1, client, 0, 0);
        ck_assert_int_eq(plan.phase[FRS_FAILS_UP].kind, FRS_FAILURE_DEVICE);
        ck_assert_int_eq(plan.phase[FRS_FAILS_DOWN].kind, FRS_FAILURE_NONE);
    }
    frs_failures_fini(&f);
}
END_TEST

/* Raising a probability keeps every failure, with its fraction, and adds some; other phases do not move. */
START_TEST(common_random_numbers) {
    static const char *const levels[] = {"0", "0.1", "0.5", "0.9", "1"};
    int failed[5] = {0};
    for (uint32_t client = 0; client < 2000; client++) {
        struct frs_failure_plan before = {0};
        for (int level = 0; level < 5; level++) {
            struct frs_failures f =
                failures_of(SETTINGS("up", levels[level], "compute", "0.3", "device_mtbf", "1 h"), false);
            struct frs_failure_plan now = frs_failures_plan(&f, 7, client, 2, 1);
            failed[level] += now.phase[FRS_FAILS_UP].kind != FRS_FAILURE_NONE;
            if (level > 0) {
                if (before.phase[FRS_FAILS_UP].kind != FRS_FAILURE_NONE)
                    ck_assert_double_eq(
                        now.phase[FRS_FAILS_UP].fraction, before.phase[FRS_FAILS_UP].fraction);
                ck_assert_int_eq(now.phase[FRS_FAILS_COMPUTE].kind, before.phase[FRS_FAILS_COMPUTE].kind);
                for (int i = 0; i < FRS_FAILURE_PHASES; i++)
                    ck_assert_double_eq(now.phase[i].device_after_s, before.phase[i].device_after_s);
            }
            before = now;
            frs_failures_fini(&f);
        }
    }
    ck_assert(failed[0] == 0 && failed[4] == 2000 && failed[1] < failed[2] && failed[2] < failed[3]);
}
END_TEST

/* Seed, client, round and attempt all name another plan; the same names the same. */
START_TEST(one_stream_per_participation) {
    struct frs_failures f = failures_of(SETTINGS("device_mtbf", "1 h"), false);
    double base = frs_failures_plan(&f, 1, 2, 3, 4).phase[0].device_after_s;
    ck_assert_double_eq(frs_failures_plan(&f, 1, 2, 3, 4).phase[0].device_after_s, base);
    ck_assert_double_ne(frs_failures_plan(&f, 0, 2, 3, 4).phase[0].device_after_s, base);
    ck_assert_double_ne(frs_failures_plan(&f, 1, 0, 3, 4).phase[0].device_after_s, base);
    ck_assert_double_ne(frs_failures_plan(&f, 1, 2, 0, 4).phase[0].device_after_s, base);
    ck_assert_double_ne(frs_failures_plan(&f, 1, 2, 3, 0).phase[0].device_after_s, base);
    frs_failures_fini(&f);
}
END_TEST

/* Exponential from the start of each phase; connections fail only while they carry a message. */
START_TEST(rates) {
    struct frs_failures f = failures_of(SETTINGS("device_mtbf", "2 h", "connection_mtbf", "30 min"), false);
    ck_assert(frs_failures_can_strike(&f));
    for (int i = 0; i < FRS_FAILURE_PHASES; i++) {
        bool transfer = i == FRS_FAILS_DOWN || i == FRS_FAILS_UP;
        double device_s = 0, connection_s = 0, late = 0;
        for (uint32_t client = 0; client < N; client++) {
            struct frs_phase_failure phase = frs_failures_plan(&f, 1, client, 3, 0).phase[i];
            ck_assert_int_eq(phase.kind, FRS_FAILURE_NONE);
            device_s += phase.device_after_s;
            late += phase.device_after_s > 4 * HOUR_S;
            connection_s += transfer ? phase.connection_after_s : 0;
            ck_assert(transfer || isinf(phase.connection_after_s));
        }
        ck_assert_double_le(fabs(device_s / N / (2 * HOUR_S) - 1), 4 / sqrt(N));
        ck_share(late / N, exp(-2), N);
        if (transfer)
            ck_assert_double_le(fabs(connection_s / N / (HOUR_S / 2) - 1), 4 / sqrt(N));
    }
    frs_failures_fini(&f);
}
END_TEST

START_TEST(server_restarts) {
    struct frs_failures f =
        failures_of(SETTINGS("server_restarts", " 5 h, 2 h,90 min ", "restart", "10 s"), false);
    ck_assert(!frs_failures_can_strike(&f));
    ck_assert_double_eq(f.restart_s, 10);
    ck_assert_double_eq(frs_failures_next_restart_s(&f, 0), 5400);
    ck_assert_double_eq(frs_failures_next_restart_s(&f, 5400), 7200);
    ck_assert_double_eq(frs_failures_next_restart_s(&f, 7199), 7200);
    ck_assert_double_eq(frs_failures_next_restart_s(&f, 7200), 18000);
    ck_assert(isinf(frs_failures_next_restart_s(&f, 18000)));
    frs_failures_fini(&f);
    static const char *const wrong[] = {"5", "0 s", "-1 h", "2 h,", "2 h;3 h", "soon"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct frs_values values = frs_values_of(frs_failures_params, SETTINGS("server_restarts", wrong[i]));
        struct frs_errors errors = {0};
        ck_assert(!frs_failures_read(&f, &values, NULL, false, &errors));
        ck_assert_uint_eq(errors.n, 1);
        ck_assert_ptr_nonnull(strstr(errors.lines[0], "test.server_restarts: \""));
        ck_assert_ptr_nonnull(strstr(errors.lines[0], "is not a date after the start"));
        frs_errors_clear(&errors);
        frs_values_fini(&values);
    }
}
END_TEST

/* Keys count as read, and so as having an effect, exactly when they matter. */
START_TEST(what_is_read) {
    static const struct {
        const char *settings[5];
        bool vanish, detect, restart;
    } cases[] = {
        {{NULL}, false, false, false},
        {{NULL}, true, true, false},
        {{"up", "0.1", NULL}, false, true, false},
        {{"up", "0", NULL}, false, true, false}, /* one point of a series */
        {{"connection_mtbf", "1 h", NULL}, false, true, false},
        {{"server_restarts", "1 h", NULL}, false, false, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_values values = frs_values_of(frs_failures_params, cases[i].settings);
        struct frs_failures f;
        struct frs_errors errors = {0};
        ck_assert(frs_failures_read(&f, &values, NULL, cases[i].vanish, &errors));
        ck_assert(frs_values_find(&values, "detect")->read == cases[i].detect);
        ck_assert(frs_values_find(&values, "restart")->read == cases[i].restart);
        frs_failures_fini(&f);
        frs_values_fini(&values);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("failures");
    TCase *tests = tcase_create("failures");
    tcase_add_test(tests, nothing_fails);
    tcase_add_test(tests, probabilities);
    tcase_add_test(tests, certain_failure);
    tcase_add_test(tests, common_random_numbers);
    tcase_add_test(tests, one_stream_per_participation);
    tcase_add_test(tests, rates);
    tcase_add_test(tests, server_restarts);
    tcase_add_test(tests, what_is_read);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
