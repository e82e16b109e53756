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

START_TEST(nothing_fails_by_default) {
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
START_TEST(each_probability_strikes_its_phase) {
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

START_TEST(probability_one_always_fails) {
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
START_TEST(failures_by_rate_are_exponential) {
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

START_TEST(restarts_are_sorted_and_found) {
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
        ck_assert_ptr_nonnull(strstr(errors.lines[0], "is not a time after the start"));
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

/* Where a phase lasts as long as the time that probabilities refer to, the same phases fail as without
 * `per`; where it lasts half as long, 1 − √(1 − p) of them do; and a larger probability only makes
 * failures earlier. */
START_TEST(exposure_scales_probabilities) {
    struct frs_failures by_phase =
        failures_of(SETTINGS("up", "0.3", "connection_up", "0.2", "compute", "1"), false);
    struct frs_failures by_hour =
        failures_of(SETTINGS("up", "0.3", "connection_up", "0.2", "compute", "1", "per", "1 h"), false);
    struct frs_failures more =
        failures_of(SETTINGS("up", "0.6", "connection_up", "0.2", "compute", "1", "per", "1 h"), false);
    ck_assert(!frs_failures_have_rates(&by_phase) && frs_failures_have_rates(&by_hour));
    double halves = 0;
    for (uint32_t client = 0; client < N; client++) {
        struct frs_phase_failure phase = frs_failures_plan(&by_phase, 1, client, 3, 0).phase[FRS_FAILS_UP];
        struct frs_failure_plan hour = frs_failures_plan(&by_hour, 1, client, 3, 0);
        struct frs_phase_failure up = hour.phase[FRS_FAILS_UP],
                                 later = frs_failures_plan(&more, 1, client, 3, 0).phase[FRS_FAILS_UP];
        bool within = fmin(up.exposed_device_after_s, up.exposed_connection_after_s) < HOUR_S;
        ck_assert(isnan(up.fraction) && up.kind == FRS_FAILURE_NONE);
        ck_assert(within == (phase.kind != FRS_FAILURE_NONE));
        halves += up.exposed_device_after_s < HOUR_S / 2;
        ck_assert(later.exposed_device_after_s <= up.exposed_device_after_s);
        ck_assert_double_eq(later.exposed_connection_after_s, up.exposed_connection_after_s);
        ck_assert_double_eq(hour.phase[FRS_FAILS_COMPUTE].exposed_device_after_s, 0);
        ck_assert(isinf(hour.phase[FRS_FAILS_COMPUTE].exposed_connection_after_s));
        ck_assert(isinf(hour.phase[FRS_FAILS_POST].exposed_device_after_s));
    }
    ck_share(halves / N, 1 - sqrt(0.7), N);
    frs_failures_fini(&by_phase);
    frs_failures_fini(&by_hour);
    frs_failures_fini(&more);
}
END_TEST

/* Three clients whose uplinks are 300, 100 and 200: at a mean of 1/2 and uniform spread the slowest is lost 5
 * times in 6, the fastest once in 6. */
START_TEST(three_clients_follow) {
    struct frs_failures f = failures_of(
        SETTINGS("up", "0.5", "follows", "uplink", "compute", "0.2", "concentration", "2"), false);
    const double burden[3] = {-300, -100, -200}, hand[3] = {1 / 6.0, 5 / 6.0, 1 / 2.0};
    ck_assert(f.follows == FRS_FOLLOWS_UPLINK && f.correlation == 1 && f.concentration == 2);
    ck_assert(frs_failures_follow(&f, burden, 3, 9));
    double compute = 0;
    for (uint32_t client = 0; client < 3; client++) {
        double failed = 0, computing = f.personal_device[FRS_FAILS_COMPUTE][client];
        ck_assert_double_eq_tol(f.personal_device[FRS_FAILS_UP][client], hand[client], 1e-14);
        ck_assert_double_eq_tol(
            frs_failures_loss(&f, client, NULL), 1 - (1 - hand[client]) * (1 - computing), 1e-14);
        for (uint32_t round = 0; round < N; round++)
            failed += frs_failures_plan(&f, 1, client, round, 0).phase[FRS_FAILS_UP].kind != FRS_FAILURE_NONE;
        ck_share(failed / N, hand[client], N);
        compute += computing / 3;
    }
    ck_assert_double_eq_tol(compute, 0.2, 1e-14);
    ck_assert_ptr_null(f.personal_connection[FRS_FAILS_UP]);
    ck_assert_uint_eq(frs_failures_place(&f, 1), 2);
    frs_failures_fini(&f);
}
END_TEST

/* By hand: chances of 0.2 and 0.5 per 10 s in phases of 10 and 20 s, a connection that lives 100 s on
 * average. */
START_TEST(loss_of_a_participation) {
    const double seconds[FRS_FAILURE_PHASES] = {10, 7, 20, 0};
    struct frs_failures f =
        failures_of(SETTINGS("down", "0.2", "up", "0.5", "per", "10 s", "connection_mtbf", "100 s"), false);
    ck_assert_double_eq_tol(
        frs_failures_loss(&f, 0, seconds), 1 - 0.8 * 0.25 * exp(-10 / 100.0 - 20 / 100.0), 1e-15);
    ck_assert_double_eq_tol(frs_failures_loss(&f, 0, NULL), 1 - 0.8 * 0.5, 1e-15);
    frs_failures_fini(&f);
}
END_TEST

/* Two classes of devices, by parity of ids. */
static size_t parity(const void *platform, uint64_t seed, uint32_t client) {
    (void)platform, (void)seed;
    return client % 2;
}

static struct frs_classes two_classes(void) {
    static const struct frs_preset slow = {.plugin = {.name = "slow"}}, fast = {.plugin = {.name = "fast"}},
                                   gone = {.plugin = {.name = "gone"}};
    return (struct frs_classes){
        .n = 2, .presets = {&slow, &fast}, .shares = {0.5, 0.5}, .n_empty = 1, .empty = {&gone}};
}

START_TEST(classes_have_their_own_failures) {
    struct frs_classes classes = two_classes();
    struct frs_strata strata = {
        .seed = 1, .sorts = {[FRS_BY_DEVICE] = {.classes = &classes, .class_of = parity}}};
    struct frs_values values = frs_values_of(
        frs_failures_params, SETTINGS("up", "slow 40 %, fast 0.1, gone 1", "device_mtbf",
                                 "fast 2 h, others 10 s", "compute", "0.2", "follows", "speed"));
    struct frs_failures f;
    struct frs_errors errors = {0};
    ck_assert(frs_failures_read(&f, &values, &strata, false, &errors));
    ck_assert_uint_eq(f.kinds.n, 2);
    const double mtbf_s[2] = {10, 2 * HOUR_S}, up[2] = {0.4, 0.1};
    for (uint32_t kind = 0; kind < 2; kind++) {
        double failed = 0, life_s = 0;
        for (uint32_t i = 0; i < N; i++) {
            struct frs_phase_failure phase = frs_failures_plan(&f, 1, 2 * i + kind, 3, 0).phase[FRS_FAILS_UP];
            failed += phase.kind != FRS_FAILURE_NONE;
            life_s += phase.device_after_s / N;
        }
        ck_share(failed / N, up[kind], N);
        ck_assert_double_le(fabs(life_s / mtbf_s[kind] - 1), 4 / sqrt(N));
        ck_assert_double_eq(f.hazards[kind].device[FRS_FAILS_COMPUTE], 0.2);
    }
    /* Each class keeps its own mean: of four clients the slower of two. */
    const double burden[4] = {4, 3, 2, 1};
    ck_assert(frs_failures_follow(&f, burden, 4, 1));
    const double *own = f.personal_device[FRS_FAILS_UP];
    ck_assert(own[0] > own[2] && own[1] > own[3]);
    ck_assert_double_eq_tol(own[0] + own[2], 0.8, 1e-14);
    ck_assert_double_eq_tol(own[1] + own[3], 0.2, 1e-14);
    frs_failures_fini(&f);
    frs_values_fini(&values);
}
END_TEST

START_TEST(unknown_classes_are_refused) {
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"slo 10 %, others 5 %",
            "test.up: \"slo\" is not a class of this scenario; allowed: slow | fast | others"},
        {"slow 10 %", "test.up: says nothing of class \"fast\"; allowed: a value for every class of "
                      "devices.classes, or one for \"others\""},
    };
    struct frs_classes classes = two_classes();
    struct frs_strata strata = {
        .seed = 1, .sorts = {[FRS_BY_DEVICE] = {.classes = &classes, .class_of = parity}}};
    struct frs_failures f;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_values values = frs_values_of(frs_failures_params, SETTINGS("up", cases[i].text));
        struct frs_errors errors = {0};
        ck_assert(!frs_failures_read(&f, &values, &strata, false, &errors));
        ck_assert_uint_eq(errors.n, 1);
        ck_assert_str_eq(errors.lines[0], cases[i].message);
        frs_errors_clear(&errors);
        ck_assert(!frs_failures_read(&f, &values, NULL, false, &errors));
        ck_assert_ptr_nonnull(strstr(errors.lines[0], "clients have no classes here"));
        frs_errors_clear(&errors);
        frs_values_fini(&values);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("failures");
    TCase *tests = tcase_create("failures");
    tcase_add_test(tests, nothing_fails_by_default);
    tcase_add_test(tests, each_probability_strikes_its_phase);
    tcase_add_test(tests, probability_one_always_fails);
    tcase_add_test(tests, common_random_numbers);
    tcase_add_test(tests, one_stream_per_participation);
    tcase_add_test(tests, failures_by_rate_are_exponential);
    tcase_add_test(tests, restarts_are_sorted_and_found);
    tcase_add_test(tests, what_is_read);
    tcase_add_test(tests, exposure_scales_probabilities);
    tcase_add_test(tests, three_clients_follow);
    tcase_add_test(tests, loss_of_a_participation);
    tcase_add_test(tests, classes_have_their_own_failures);
    tcase_add_test(tests, unknown_classes_are_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
