/* Values over time: by hand, what comes after the end, phases, clients of their own, and what is wrong with
 * files; read as the factors of clients. */
#include "tests/platforms/network_fixture.h"

#include <math.h>

static struct frs_client_trace clients;

static bool read_ended(struct frs_trace *trace, enum frs_trace_end ends, const char *text) {
    write_file("t.csv", text);
    bool ok = frs_client_trace_read("t.csv", ends, &clients, &errors);
    *trace = clients.series[0];
    return ok;
}

static bool read_text(struct frs_trace *trace, const char *text) {
    return read_ended(trace, FRS_TRACE_CLOSES, text);
}

static double value(
    const struct frs_trace *trace, uint64_t seed, uint32_t client, double t_s, double *until_s) {
    return frs_trace_value(trace, frs_trace_cycle_of(trace, client), seed, client, t_s, until_s);
}

static void expect_factor(
    const struct frs_trace *trace, uint32_t client, double t_s, double factor, double until_s) {
    double until;
    ck_assert_double_eq(value(trace, 1, client, t_s, &until), factor);
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
    frs_client_trace_fini(&clients);
}
END_TEST

/* The last factor is the first one of the next turn, so nothing changes at the seam itself. */
START_TEST(nothing_changes_at_the_seam) {
    struct frs_trace trace;
    ck_assert(read_text(&trace, "t_s,factor\n0,2\n10,1\n20,2\n30,2\n"));
    expect_factor(&trace, 0, 5, 2, 10);
    expect_factor(&trace, 0, 25, 2, 40);
    frs_client_trace_fini(&clients);
    ck_assert(read_text(&trace, "t_s,factor\n0,0.7\n10,0.7\n"));
    expect_factor(&trace, 0, 12345, 0.7, INFINITY);
    frs_client_trace_fini(&clients);
}
END_TEST

/* No cycle is too short to be counted on any time that can be reached. */
START_TEST(rounding_late_in_a_run_is_small) {
    struct frs_trace trace;
    ck_assert(read_text(&trace, "t_s,factor\n0,1\n0.01,0\n0.02,0.5\n0.03,1\n"));
    for (double t_s = 1; t_s < 1e300; t_s *= 10) {
        double until_s, factor = value(&trace, 1, 0, t_s, &until_s);
        ck_assert(until_s > t_s && (factor > 0 || until_s < INFINITY));
    }
    expect_factor(&trace, 0, 1e11, 1, INFINITY);
    frs_client_trace_fini(&clients);
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
                double factor = value(&trace, 1, client, t_s, &until_s);
                ck_assert(until_s > t_s && until_s < t_s + 0.41);
                ck_assert(last == 0 || factor == (last == 3 ? 1 : last + 1));
                last = factor;
                t_s = until_s;
            }
            ck_assert_double_eq_tol(t_s - starts[s], 700, 0.41);
        }
    frs_client_trace_fini(&clients);
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
        double factor = value(&trace, 5, client, 17, &until_s);
        on += factor == 1;
        ck_assert_double_eq(value(&trace, 5, client, 117, &until_s), factor);
    }
    ck_assert_double_eq_tol((double)on / N, 0.3, 4 * sqrt(0.21 / N));
    frs_client_trace_fini(&clients);
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
    frs_client_trace_fini(&clients);
}
END_TEST

#define ALLOWED                                                                                              \
    "allowed: t_s and factor, or t_s and down_Mbit_s, up_Mbit_s or both, in any unit of rates; and client "  \
    "or class"

START_TEST(malformed_traces_are_refused) {
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"time,factor\n", "t.csv:1: column 1: \"time\" is not known; " ALLOWED},
        {"factor\n", "t.csv:1: does not name the columns that are needed; " ALLOWED},
        {"t_s,client\n", "t.csv:1: does not name the columns that are needed; " ALLOWED},
        {"t_s,factor,up_Mbit_s\n", "t.csv:1: does not name the columns that are needed; " ALLOWED},
        {"t_s,up_Mbit_s,up_kB_s\n",
            "t.csv:1: column 3: \"up_kB_s\" says the same as column 2, \"up_Mbit_s\"; allowed: one of them"},
        {"0.0\t4.0\n", "t.csv:1: begins with numbers; the first line has to name the columns; " ALLOWED},
        {"t_s,up_B_s\n0,0.5\n1,0.5\n", "t.csv:2: column 2 (up_B_s): \"0.5\" is out of bounds; allowed: 0, or "
                                       "what comes to 1 to 1e+15 bytes/s"},
        {"t_s,factor\n", "t.csv: has no lines behind the first"},
        {"t_s,factor\n0,1\n", "t.csv:2: the trace ends here, but needs two lines at least"},
        {"t_s,factor\n1,1\n2,1\n", "t.csv:2: t_s 1: the first time has to be 0; allowed with "
                                   "network.trace_end = \"repeat\" or \"hold\": any"},
        {"t_s,factor\n0,1\n5,2\n5,1\n", "t.csv:4: t_s 5 does not rise: the one before is 5"},
        {"t_s,factor\n0,1\n5,-1\n", "t.csv:3: factor -1 is below 0"},
        {"t_s,factor\n0,1\n1e-9,1\n", "t.csv:3: t_s 1e-09 is less than 0.01 s after the one before, 0"},
        {"t_s,factor\n0,1\n2e9,1\n", "t.csv:3: t_s 2000000000 is above 1e+09 s"},
        {"t_s,factor\n0,1\n5,1e300\n5,1\n", "t.csv:3: factor 1e+300 is above 1e+06"},
        {"t_s,factor\n0,1\n5,inf\n", "t.csv:3: factor \"inf\" is not a number"},
        {"t_s,factor\n0,0\n5,0\n\n", "t.csv:3: the trace ends here, and its factor is always 0"},
        {"t_s,factor\n0,1\n5,0.5\n",
            "t.csv:3: the trace ends here and starts again, so this factor has to be the first one, 1; "
            "allowed with network.trace_end = \"repeat\" or \"hold\": any"},
        {"client,t_s,factor\n1,0,1\n# c\n2,0,1\n2,4,1\n",
            "t.csv:2: the trace ends here, but needs two lines at least"},
        {"client,t_s,factor\n2,0,1\n2,4,1\n1,0,1\n1,2,1\n",
            "t.csv:4: client 1 comes after client 2; clients have to ascend"},
        {"client,t_s,factor\n1.5,0,1\n",
            "t.csv:2: client \"1.5\" is not a client's number; allowed: an integer from 0 to 4294967294"},
        {"client,t_s,factor\n-1,0,1\n",
            "t.csv:2: client \"-1\" is not a client's number; allowed: an integer from 0 to 4294967294"},
        {"client,t_s,factor\n1,0,1\n1.0,5,1\n",
            "t.csv:3: client \"1.0\" is written as no number of line 2 is; allowed: one way"},
        {"client,t_s,factor\na,0,1\nA,5,1\n",
            "t.csv:3: client \"A\" is client \"a\" of line 2, written in another way; allowed: one way, "
            "or ids that differ in more than case, blanks and .0"},
        {"client,class,t_s,factor\n1,a,0,1\n", "t.csv:1: has columns client and class; allowed: one of them"},
    };
    struct frs_trace trace;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_msg(!read_text(&trace, cases[i].text), "accepted: %s", cases[i].text);
        expect_error(cases[i].error);
    }
}
END_TEST

START_TEST(a_trace_that_repeats_forgets_its_last_line) {
    struct frs_trace trace;
    ck_assert(read_ended(&trace, FRS_TRACE_REPEATS, "t_s,factor\n5,1\n15,0.5\n25,9\n"));
    expect_factor(&trace, 0, 0, 1, 10);
    expect_factor(&trace, 0, 10, 0.5, 20);
    expect_factor(&trace, 0, 20, 1, 30);
    expect_factor(&trace, 0, 39, 0.5, 40);
    frs_client_trace_fini(&clients);
    ck_assert(!read_ended(&trace, FRS_TRACE_REPEATS, "t_s,factor\n0,0\n10,1\n"));
    expect_error("t.csv:3: the trace ends here, and its factor is always 0");
}
END_TEST

START_TEST(a_trace_that_holds_keeps_its_last_line) {
    struct frs_trace trace;
    ck_assert(read_ended(
        &trace, FRS_TRACE_HOLDS, "t_s,factor\n1e9,1\n1000000010,0\n1000000020,0.5\n1000000030,0.5\n"));
    expect_factor(&trace, 0, 0, 1, 10);
    expect_factor(&trace, 0, 10, 0, 20);
    expect_factor(&trace, 0, 20, 0.5, INFINITY);
    expect_factor(&trace, 0, 1e12, 0.5, INFINITY);
    frs_client_trace_fini(&clients);
    ck_assert(read_ended(&trace, FRS_TRACE_HOLDS, "t_s,factor\n0,3\n"));
    expect_factor(&trace, 0, 7, 3, INFINITY);
    frs_client_trace_fini(&clients);
    ck_assert(!read_ended(&trace, FRS_TRACE_HOLDS, "t_s,factor\n0,1\n10,0\n"));
    expect_error("t.csv:3: the trace ends here, and its factor, which would hold for good, is 0");
}
END_TEST

/* 4 Mbit/s are 500,000 B/s. */
START_TEST(capacities_are_the_links) {
    static const char *const settings[] = {"trace", "t.csv", "trace_end", "hold", NULL};
    double until_s;
    write_file("t.csv", "t_s,down_Mbit_s,up_kB_s\n0,2,100\n10,4,50\n");
    struct frs_network network = network_of(settings, plain_distributions);
    struct frs_client_link link = frs_network_client(&network, 1, 3);
    ck_assert_double_eq(link.down_bytes_per_s, 500000);
    ck_assert_double_eq(link.up_bytes_per_s, 100000);
    ck_assert_double_eq(frs_network_marginals(&network, 0.1).down_bytes_per_s, 500000);
    ck_assert_double_eq(frs_network_factor(&network, false, 1, 3, 0, &until_s), 0.5);
    ck_assert_double_eq(until_s, 10);
    ck_assert_double_eq(frs_network_factor(&network, true, 1, 3, 0, &until_s), 1);
    ck_assert_double_eq(frs_network_factor(&network, true, 1, 3, 10, &until_s), 0.5);
    frs_network_fini(&network);
}
END_TEST

/* A client has one of two traces, with even chance, and keeps it. */
START_TEST(traces_are_drawn) {
    static const char *const settings[] = {
        "trace", "t.csv", "trace_end", "hold", "trace_clients", "random", NULL};
    enum { N = 20000 };
    size_t first = 0;
    write_file("t.csv", "client,t_s,up_Mbit_s\n7,0,8\n9,0,16\n");
    struct frs_network network = network_of(settings, plain_distributions);
    struct frs_values values = frs_values_of(frs_network_params, settings);
    ck_assert(frs_network_settle(&network, &values, 5, &errors));
    for (uint32_t client = 0; client < N; client++) {
        double up = frs_network_client(&network, 5, client).up_bytes_per_s;
        ck_assert(up == 1e6 || up == 2e6);
        first += up == 1e6;
    }
    ck_assert_double_eq_tol((double)first / N, 0.5, 4 * sqrt(0.25 / N));
    ck_assert_double_eq(frs_network_marginals(&network, 0.49).up_bytes_per_s, 1e6);
    ck_assert_double_eq(frs_network_marginals(&network, 0.51).up_bytes_per_s, 2e6);
    network.trace.drawn = false;
    ck_assert(!frs_network_settle(&network, &values, 10, &errors));
    expect_error(
        "test.trace: has the capacities of 2 clients, but there are 10; allowed: a trace for each, or "
        "network.trace_clients = \"random\"");
    frs_values_fini(&values);
    frs_network_fini(&network);
}
END_TEST

/* Texts are rows of the fleet by their ids, in whatever order; times may be dates. */
START_TEST(traces_are_found_by_the_ids_of_the_fleet) {
    static const char *const settings[] = {"trace", "t.csv", "trace_end", "hold", "fleet", "f.csv", NULL};
    write_file("f.csv", "client,latency_ms\nx,5\ny,6\nz,7\n");
    write_file("t.csv", "client,t,down_Mbps\nz,2001-02-03T00:00:00Z,8\nz,2001-02-03T00:00:10Z,4\nx,2001-02-"
                        "03,16\ny,2001-02-03,24\n");
    struct frs_network network = network_of(settings, plain_distributions);
    struct frs_values values = frs_values_of(frs_network_params, settings);
    double until_s;
    ck_assert(frs_network_settle(&network, &values, 3, &errors));
    ck_assert_double_eq(frs_network_client(&network, 5, 0).down_bytes_per_s, 2e6);
    ck_assert_double_eq(frs_network_client(&network, 5, 1).down_bytes_per_s, 3e6);
    ck_assert_double_eq(frs_network_client(&network, 5, 2).down_bytes_per_s, 1e6);
    ck_assert_double_eq(frs_network_factor(&network, false, 5, 2, 10, &until_s), 0.5);
    frs_network_fini(&network);
    write_file("t.csv", "client,t_s,factor\nq,0,1\n");
    network = network_of(settings, plain_distributions);
    ck_assert(!frs_network_settle(&network, &values, 3, &errors));
    expect_error(
        "test.trace: has a trace of client \"q\", which no fleet has; allowed: ids of network.fleet, or "
        "network.trace_clients = \"random\"");
    frs_network_fini(&network);
    write_file("t.csv", "client,t_s,factor\n0,0,1\n");
    network = network_of(settings, plain_distributions);
    ck_assert(!frs_network_settle(&network, &values, 3, &errors));
    expect_error(
        "test.trace: numbers its clients, and f.csv names them by texts; allowed: the same ids in both");
    frs_network_fini(&network);
    frs_values_fini(&values);
}
END_TEST

START_TEST(classes_have_traces) {
    static const char *const settings[] = {
        "trace", "t.csv", "trace_end", "hold", "trace_clients", "class", "fleet", "f.csv", NULL};
    write_file("f.csv", "class\nwifi\n4G\n4g\n");
    write_file("t.csv", "class,t_s,up_Mbit_s,down_Mbit_s\n4g,0,8,80\nWiFi,0,16,160\n");
    struct frs_network network = network_of(settings, plain_distributions);
    struct frs_values values = frs_values_of(frs_network_params, settings);
    ck_assert(frs_network_settle(&network, &values, 3, &errors));
    for (uint32_t client = 0; client < 3; client++) {
        ck_assert_double_eq(frs_network_client(&network, 5, client).up_bytes_per_s, client ? 1e6 : 2e6);
        ck_assert_double_eq(frs_network_client(&network, 5, client).down_bytes_per_s, client ? 1e7 : 2e7);
    }
    frs_network_fini(&network);
    write_file("t.csv", "class,t_s,up_Mbit_s\n4g,0,8\n");
    network = network_of(settings, plain_distributions);
    ck_assert(!frs_network_settle(&network, &values, 3, &errors));
    expect_error("test.trace: has the capacities of 1 of 2 classes; allowed: a trace for each");
    frs_network_fini(&network);
    write_file("t.csv", "class,t_s,up_Mbit_s\n5g,0,8\n");
    network = network_of(settings, plain_distributions);
    ck_assert(!frs_network_settle(&network, &values, 3, &errors));
    expect_error("test.trace: has a trace of class \"5g\", which no client's link has; allowed: classes of "
                 "network.classes or of the fleet");
    frs_network_fini(&network);
    frs_values_fini(&values);
    ck_assert(!network_read(&network, SETTINGS("trace", "t.csv", "trace_end", "hold"), plain_distributions));
    expect_error("network.trace_clients: is not \"class\", and the trace has a column class; allowed: "
                 "\"class\" with a column class, and no other file");
}
END_TEST

START_TEST(test_in_a_network) {
    static const char *const settings[] = {"trace", "t.csv", "trace_phase", "random", NULL};
    write_file("t.csv", "client,t_s,factor\n4,0,1\n4,10,0.5\n4,20,1\n");
    struct frs_network network = network_of(settings, plain_distributions);
    struct frs_values values = frs_values_of(frs_network_params, settings);
    double until_s;
    ck_assert(network.trace.series[0].random_phase);
    ck_assert_double_eq(frs_network_factor(&network, false, 1, 3, 0, &until_s), 1);
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
    tcase_add_test(tests, a_trace_that_repeats_forgets_its_last_line);
    tcase_add_test(tests, a_trace_that_holds_keeps_its_last_line);
    tcase_add_test(tests, capacities_are_the_links);
    tcase_add_test(tests, traces_are_drawn);
    tcase_add_test(tests, traces_are_found_by_the_ids_of_the_fleet);
    tcase_add_test(tests, classes_have_traces);
    tcase_add_test(tests, test_in_a_network);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
