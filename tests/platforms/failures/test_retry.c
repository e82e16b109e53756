/* Retries: what befalls a message that is tried again, and when the keys matter. */
#include "tests/platforms/availability_fixture.h"
#include "platforms/failures/retry.h"

enum { N = 20000 };

static struct frs_failures failures_of(const char *const *settings) {
    struct frs_values values = frs_values_of(frs_failures_params, settings);
    struct frs_failures failures;
    struct frs_errors errors = {0};
    bool good = frs_failures_read(&failures, &values, NULL, false, &errors);
    frs_errors_print(&errors, stdout);
    ck_assert(good);
    frs_values_fini(&values);
    return failures;
}

/* Every try fails with the probability of its phase, independent of the tries before. */
START_TEST(each_try_is_drawn) {
    struct frs_failures f =
        failures_of(SETTINGS("down", "0.1", "connection_down", "0.4", "connection_up", "0.2"));
    for (size_t n = 1; n <= 3; n++) {
        double down = 0, up = 0, both = 0;
        for (uint32_t client = 0; client < N; client++) {
            struct frs_phase_failure first = frs_failures_plan(&f, 1, client, 3, 2).phase[FRS_FAILS_DOWN],
                                     again = frs_failures_again(&f, 1, client, 3, 2, FRS_FAILS_DOWN, n);
            down += again.kind != FRS_FAILURE_NONE;
            both += first.kind != FRS_FAILURE_NONE && again.kind != FRS_FAILURE_NONE;
            up += frs_failures_again(&f, 1, client, 3, 2, FRS_FAILS_UP, n).kind == FRS_FAILURE_CONNECTION;
            ck_assert(again.kind == FRS_FAILURE_NONE || again.fraction != first.fraction);
        }
        ck_share(down / N, 0.46, N);
        ck_share(both / N, 0.46 * 0.46, N);
        ck_share(up / N, 0.2, N);
    }
    frs_failures_fini(&f);
}
END_TEST

/* With an exposure a try fails an exponential time after its first byte, which it draws anew. */
START_TEST(each_try_is_exposed) {
    struct frs_failures f = failures_of(SETTINGS("connection_up", "0.2", "per", "10 s"));
    double within = 0, both = 0;
    for (uint32_t client = 0; client < N; client++) {
        struct frs_phase_failure first = frs_failures_plan(&f, 1, client, 3, 2).phase[FRS_FAILS_UP],
                                 again = frs_failures_again(&f, 1, client, 3, 2, FRS_FAILS_UP, 1);
        ck_assert_int_eq(again.kind, FRS_FAILURE_NONE);
        within += again.exposed_connection_after_s < 10;
        both += first.exposed_connection_after_s < 10 && again.exposed_connection_after_s < 10;
    }
    ck_share(within / N, 0.2, N);
    ck_share(both / N, 0.2 * 0.2, N);
    frs_failures_fini(&f);
}
END_TEST

/* By seed, client, round, attempt and try. */
START_TEST(one_stream_per_participation) {
    struct frs_failures f = failures_of(SETTINGS("connection_mtbf", "1 h"));
    double base = frs_failures_again(&f, 1, 2, 3, 4, FRS_FAILS_UP, 2).connection_after_s;
    ck_assert_double_eq(frs_failures_again(&f, 1, 2, 3, 4, FRS_FAILS_UP, 2).connection_after_s, base);
    ck_assert_double_ne(frs_failures_again(&f, 0, 2, 3, 4, FRS_FAILS_UP, 2).connection_after_s, base);
    ck_assert_double_ne(frs_failures_again(&f, 1, 0, 3, 4, FRS_FAILS_UP, 2).connection_after_s, base);
    ck_assert_double_ne(frs_failures_again(&f, 1, 2, 0, 4, FRS_FAILS_UP, 2).connection_after_s, base);
    ck_assert_double_ne(frs_failures_again(&f, 1, 2, 3, 0, FRS_FAILS_UP, 2).connection_after_s, base);
    ck_assert_double_ne(frs_failures_again(&f, 1, 2, 3, 4, FRS_FAILS_UP, 1).connection_after_s, base);
    ck_assert_double_ne(frs_failures_again(&f, 1, 2, 3, 4, FRS_FAILS_DOWN, 2).connection_after_s, base);
    frs_failures_fini(&f);
}
END_TEST

/* Keys have an effect where a connection can break, or a 0 that says it cannot is one point of a series. */
START_TEST(what_is_read) {
    static const struct {
        const char *failures[3], *retry[3];
        bool times, after, backoff;
    } cases[] = {
        {{NULL}, {NULL}, false, false, false},
        {{"up", "0.1", NULL}, {NULL}, false, false, false},
        {{"connection_up", "0.1", NULL}, {NULL}, true, false, false},
        {{"connection_mtbf", "1 h", NULL}, {"times", "5", NULL}, true, true, true},
        {{"connection_down", "0", NULL}, {"times", "3", NULL}, true, true, true},
        {{"connection_down", "0.1", NULL}, {"times", "1", NULL}, true, true, false},
        {{"connection_down", "0.1", NULL}, {"times", "0", NULL}, true, true, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_values failures = frs_values_of(frs_failures_params, cases[i].failures),
                          values = frs_values_of(frs_retry_params, cases[i].retry);
        struct frs_failures f = failures_of(cases[i].failures);
        struct frs_retry retry = frs_retry_read(&values, &failures, &f, false);
        ck_assert_uint_eq(retry.times, cases[i].retry[0] ? *cases[i].retry[1] - '0' : 0);
        ck_assert(frs_values_find(&values, "times")->read == cases[i].times);
        ck_assert(frs_values_find(&values, "after")->read == cases[i].after);
        ck_assert(frs_values_find(&values, "resume")->read == cases[i].after);
        ck_assert(frs_values_find(&values, "backoff")->read == cases[i].backoff);
        ck_assert(frs_values_find(&values, "longest")->read == cases[i].backoff);
        frs_failures_fini(&f);
        frs_values_fini(&failures);
        frs_values_fini(&values);
    }
}
END_TEST

static struct frs_retry retry_of(const char *const *settings) {
    struct frs_values failures = frs_values_of(frs_failures_params, SETTINGS("connection_up", "0.1")),
                      values = frs_values_of(frs_retry_params, settings);
    struct frs_failures f = failures_of(SETTINGS("connection_up", "0.1"));
    struct frs_retry retry = frs_retry_read(&values, &failures, &f, false);
    frs_failures_fini(&f);
    frs_values_fini(&failures);
    frs_values_fini(&values);
    return retry;
}

/* A client on a phone does not try again; one that is told to waits as Flower does. */
START_TEST(default_retries_are_none) {
    ck_assert_uint_eq(retry_of(NULL).times, 0);
    struct frs_retry retry = retry_of(SETTINGS("times", "100", "longest", "20 s"));
    ck_assert_uint_eq(retry.times, 100);
    ck_assert_double_eq(retry.after_s, 1);
    ck_assert_double_eq(retry.backoff, 2);
    ck_assert_double_eq(retry.longest_s, 20);
    ck_assert_double_eq(retry_of(SETTINGS("times", "2")).longest_s, 0);
    ck_assert(!retry.resumes);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("retry");
    TCase *tests = tcase_create("retry");
    tcase_add_test(tests, each_try_is_drawn);
    tcase_add_test(tests, each_try_is_exposed);
    tcase_add_test(tests, one_stream_per_participation);
    tcase_add_test(tests, what_is_read);
    tcase_add_test(tests, default_retries_are_none);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
