/* Bandwidth over time: factors by hand, repetition, phases, clients of their own, and what is wrong with
 * files. */
#include "tests/platforms/network_fixture.h"

#include <math.h>

static bool read_text(struct frs_trace *trace, const char *text) {
    write_file("t.csv", text);
    return frs_trace_read("t.csv", trace, &errors);
}

static void expect_factor(
    const struct frs_trace *trace, uint32_t client, double t_s, double factor, double until_s) {
    double until;
    ck_assert_double_eq(frs_trace_factor(trace, 1, client, client, t_s, &until), factor);
    if (isinf(until_s))
        ck_assert(isinf(until));
    else
        ck_assert_double_eq_tol(until, until_s, 1e-9);
}

START_TEST(factors_hold_until_the_next) {
    struct frs_trace trace;
    ck_assert(read_text(&trace, "# day\nt_s,factor\n0,1\n10,0.5\n25,0\n30,0\n40,1\n"));
    expect_factor(&trace, 0, 0, 1, 10);
    expect_factor(&trace, 7, 9.5, 1, 10);
    expect_factor(&trace, 0, 10, 0.5, 25);
    expect_factor(&trace, 0, 25, 0, 40); /* two lines of the same factor are no change */
    expect_factor(&trace, 0, 33, 0, 40);
    expect_factor(&trace, 0, 40, 1, 50); /* from here it repeats */
    expect_factor(&trace, 0, 4000052, 0.5, 4000065);
    frs_trace_fini(&trace);
}
END_TEST

/* The last factor is the first one of the next turn, so nothing changes at the seam itself. */
START_TEST(nothing_changes_at_the_seam) {
    struct frs_trace trace;
    ck_assert(read_text(&trace, "t_s,factor\n0,2\n10,1\n20,2\n30,2\n"));
    expect_factor(&trace, 0, 5, 2, 10);
    expect_factor(&trace, 0, 25, 2, 40);
    frs_trace_fini(&trace);
    ck_assert(read_text(&trace, "t_s,factor\n0,0.7\n10,0.7\n"));
    expect_factor(&trace, 0, 12345, 0.7, INFINITY);
    frs_trace_fini(&trace);
}
END_TEST

/* No cycle is too short to be counted on any time that can be reached. */
START_TEST(rounding_late_in_a_run_is_small) {
    struct frs_trace trace;
    ck_assert(read_text(&trace, "t_s,factor\n0,1\n0.01,0\n0.02,0.5\n0.03,1\n"));
    for (double t_s = 1; t_s < 1e300; t_s *= 10) {
        double until_s, factor = frs_trace_factor(&trace, 1, 0, 0, t_s, &until_s);
        ck_assert(until_s > t_s && (factor > 0 || until_s < INFINITY));
    }
    expect_factor(&trace, 0, 1e11, 1, INFINITY);
    frs_trace_fini(&trace);
}
END_TEST

/* Walking from time to time meets every factor in order and always moves on, far out as well. */
START_TEST(a_walk_meets_every_factor) {
    struct frs_trace trace;
    ck_assert(read_text(&trace, "t_s,factor\n0,1\n0.1,2\n0.3,3\n0.7,1\n"));
    trace.random_phase = true;
    static const double starts[] = {0, 1e3, 1e6, 12345678.9};
    for (size_t s = 0; s < 4; s++)
        for (uint32_t client = 0; client < 20; client++) {
            double t_s = starts[s], until_s, last = 0;
            for (int i = 0; i < 3000; i++) {
                double factor = frs_trace_factor(&trace, 1, client, client, t_s, &until_s);
                ck_assert(until_s > t_s && until_s < t_s + 0.41);
                ck_assert(last == 0 || factor == (last == 3 ? 1 : last + 1));
                last = factor;
                t_s = until_s;
            }
            ck_assert_double_eq_tol(t_s - starts[s], 700, 0.41);
        }
    frs_trace_fini(&trace);
}
END_TEST

/* Phases are spread over the cycle, and a client keeps its own. */
START_TEST(random_phases_are_spread_and_kept) {
    struct frs_trace trace;
    enum { N = 20000 };
    size_t on = 0;
    double until_s;
    ck_assert(read_text(&trace, "t_s,factor\n0,1\n30,0\n100,1\n"));
    trace.random_phase = true;
    for (uint32_t client = 0; client < N; client++) {
        double factor = frs_trace_factor(&trace, 5, client, client, 17, &until_s);
        on += factor == 1;
        ck_assert_double_eq(frs_trace_factor(&trace, 5, client, client, 117, &until_s), factor);
    }
    ck_assert_double_eq_tol((double)on / N, 0.3, 4 * sqrt(0.21 / N));
    frs_trace_fini(&trace);
}
END_TEST

START_TEST(clients_have_their_own_factors) {
    struct frs_trace trace;
    ck_assert(read_text(&trace, "client,t_s,factor\n2,0,1\n2,10,0.5\n2,20,1\n5,0,0\n5,1,4\n5,2,0\n"));
    expect_factor(&trace, 2, 15, 0.5, 20);
    expect_factor(&trace, 5, 15.5, 4, 16);
    expect_factor(&trace, 5, 16, 0, 17);
    expect_factor(&trace, 0, 15, 1, INFINITY);
    expect_factor(&trace, 3, 15, 1, INFINITY);
    expect_factor(&trace, 6, 15, 1, INFINITY);
    frs_trace_fini(&trace);
}
END_TEST

START_TEST(malformed_traces_are_refused) {
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "t.csv: is empty; the first line has to be t_s,factor"},
        {"t,factor\n",
            "t.csv:1: does not name the columns; the first line has to be t_s,factor or client,t_s,factor"},
        {"t_s,factor\n", "t.csv: has no lines behind the first"},
        {"t_s,factor\n0,1\n", "t.csv:2: the trace ends here, but needs two lines at least"},
        {"t_s,factor\n1,1\n2,1\n", "t.csv:2: t_s 1: the first time has to be 0"},
        {"t_s,factor\n0,1\n5,2\n5,1\n", "t.csv:4: t_s 5 does not rise: the one before is 5"},
        {"t_s,factor\n0,1\n5,-1\n", "t.csv:3: factor -1 is below 0"},
        {"t_s,factor\n0,1\n1e-9,1\n", "t.csv:3: t_s 1e-09 is less than 0.01 s after the one before, 0"},
        {"t_s,factor\n0,1\n2e9,1\n", "t.csv:3: t_s 2000000000 is above 1e+09 s"},
        {"t_s,factor\n0,1\n5,1e300\n5,1\n", "t.csv:3: factor 1e+300 is above 1e+06"},
        {"t_s,factor\n0,1\n5,inf\n", "t.csv:3: factor \"inf\" is not a number"},
        {"t_s,factor\n0,0\n5,0\n\n", "t.csv:3: the trace ends here, and its factor is always 0"},
        {"t_s,factor\n0,1\n5,0.5\n",
            "t.csv:3: the trace ends here and starts again, so this factor has to be the first one, 1"},
        {"client,t_s,factor\n1,0,1\n# c\n2,0,1\n2,4,1\n",
            "t.csv:2: the trace ends here, but needs two lines at least"},
        {"client,t_s,factor\n2,0,1\n2,4,1\n1,0,1\n1,2,1\n",
            "t.csv:4: client 1 comes after client 2; clients have to ascend"},
        {"client,t_s,factor\n1.5,0,1\n", "t.csv:2: client \"1.5\" is not a client's number"},
        {"client,t_s,factor\n-1,0,1\n", "t.csv:2: client \"-1\" is not a client's number"},
    };
    struct frs_trace trace;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_msg(!read_text(&trace, cases[i].text), "accepted: %s", cases[i].text);
        expect_error(cases[i].error);
    }
}
END_TEST

START_TEST(test_in_a_network) {
    static const char *const settings[] = {"trace", "t.csv", "trace_phase", "random", NULL};
    write_file("t.csv", "client,t_s,factor\n4,0,1\n4,10,0.5\n4,20,1\n");
    struct frs_network network = network_of(settings, plain_distributions);
    struct frs_values values = frs_values_of(frs_network_params, settings);
    double until_s;
    ck_assert(network.trace.random_phase);
    ck_assert_double_eq(frs_network_factor(&network, 1, 3, 0, &until_s), 1);
    ck_assert(frs_network_settle(&network, &values, 5, &errors));
    ck_assert(!frs_network_settle(&network, &values, 4, &errors));
    expect_error("test.trace: has a trace of client 4, but clients are 0 to 3");
    frs_values_fini(&values);
    frs_network_fini(&network);
    ck_assert(!network_read(&network, SETTINGS("trace", "no.csv"), plain_distributions));
    expect_error("network.trace: no.csv: cannot be read: No such file or directory");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("network trace");
    TCase *tests = tcase_create("network trace");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, factors_hold_until_the_next);
    tcase_add_test(tests, nothing_changes_at_the_seam);
    tcase_add_test(tests, rounding_late_in_a_run_is_small);
    tcase_add_test(tests, a_walk_meets_every_factor);
    tcase_add_test(tests, random_phases_are_spread_and_kept);
    tcase_add_test(tests, clients_have_their_own_factors);
    tcase_add_test(tests, malformed_traces_are_refused);
    tcase_add_test(tests, test_in_a_network);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
