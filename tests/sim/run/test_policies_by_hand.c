/* Round policies of whole runs. Every client takes as long as it takes on links of its own, the same in every
 * round: from these durations, which a run that waits for all clients shows, the rounds of every policy
 * follow by hand. And properties that hold whatever the figures are.
 *
 * Labels: slow */
#include "sim/base/order.h"
#include "tests/sim/run/fixture.h"

enum { N_CLIENTS = 12, EPOCHS = 20 };

/* 247 items × 2 numbers × 4 bytes behind a header of 24 are 2000 bytes. */
static const char common[] =
    "seed = 3;\n"
    "data = { synthetic = \"custom\"; users = 12; items = 247; interactions = 400; activity_ceiling = 0.4; "
    "};\n"
    "evaluation = { negatives = 20; };\n"
    "method = { name = \"fedmf\"; dim = 2; epochs = 20; learning_rate = 0.1; early_stop = 0.0; };\n";

static const char links[] =
    "network = { model = \"exact\"; preset = \"none\"; latency = \"0 s\";"
    " downlink = { distribution = \"lognormal\"; median = \"200 B/s\"; sigma = 0.7; };"
    " uplink = { distribution = \"lognormal\"; median = \"100 B/s\"; sigma = 0.7; }; };\n";

static void write_scenario(const char *devices, const char *rounds, const char *rest) {
    char *text =
        frs_format("%s%sdevices = { %s };\nrounds = { %s };\n%s", common, links, devices, rounds, rest);
    write_text("s.cfg", text);
    free(text);
}

#define FIXED "compute = \"fixed\"; overhead = \"5 s\";"

/* Times of every client in the first round of a run that waits for all. */
static struct event natural[N_CLIENTS];
static double duration_s[N_CLIENTS];

static void learn_durations(const char *devices) {
    struct event event;
    write_scenario(devices, "count = 1; cohort = 12;", "");
    run_scenario("s.cfg", "natural", "");
    FILE *file = folder_open("natural/events.ndjson", "r");
    for (uint32_t client = 0; client < N_CLIENTS; client++) {
        ck_assert(next_event(file, &event));
        ck_assert_uint_eq(event.client, client);
        natural[client] = event;
        duration_s[client] = event.t[3];
    }
    fclose(file);
}

/* The k-th shortest, from 1. */
static double shortest(size_t k) {
    double sorted[N_CLIENTS];
    memcpy(sorted, duration_s, sizeof sorted);
    qsort(sorted, N_CLIENTS, sizeof *sorted, frs_compare_doubles);
    return sorted[k - 1];
}

static struct table run_policy(const char *rounds) {
    write_scenario(FIXED, rounds, "");
    run_scenario("s.cfg", "out", "--force");
    return table_load("out", "rounds.csv");
}

static void check_rounds(const struct table *table, size_t n, double length_s, double delivered, double cut) {
    ck_assert_uint_eq(table->n_rows, n);
    for (size_t i = 0; i < n; i++) {
        ck_assert_double_eq_tol(cell(table, i, "start_s"), (double)i * length_s, 1e-6);
        ck_assert_double_eq_tol(cell(table, i, "duration_s"), length_s, 1e-6);
        ck_assert_double_eq(cell(table, i, "delivered"), delivered);
        ck_assert_double_eq(cell(table, i, "cut"), cut);
    }
}

/* A deadline a little after the seventh client; the seventh of twelve; seven needed of twelve. */
START_TEST(rounds_that_cut_are_those_by_hand) {
    learn_durations(FIXED);
    double after_s = shortest(7) + 1e-3;
    char *rounds = frs_format(
        "count = 4; cohort = 12; policy = { name = \"deadline\"; after = \"%.15g s\"; };", after_s);
    struct table table = run_policy(rounds);
    check_rounds(&table, 4, after_s, 7, 5);
    table_fini(&table);
    free(rounds);
    /* 0.55 × 12 = 6.6 */
    table = run_policy("count = 4; cohort = 12; policy = { name = \"quantile\"; share = 0.55; };");
    check_rounds(&table, 4, shortest(7), 7, 5);
    table_fini(&table);
    table = run_policy("count = 4; cohort = 7; policy = { name = \"over_select\"; select = 12; };");
    check_rounds(&table, 4, shortest(7), 7, 5);
    table_fini(&table);
    /* 7 × 1.6 = 11.2: twelve as well. */
    table = run_policy("count = 4; cohort = 7; policy = { name = \"over_select\"; factor = 1.6; };");
    check_rounds(&table, 4, shortest(7), 7, 5);
    table_fini(&table);
    /* A little longer than it takes from the fifth to the seventh; and from the second to long after the
     * last.
     */
    rounds = frs_format(
        "count = 4; cohort = 12; policy = { name = \"quorum_then_wait\"; uploads = 5; then = \"%.15g s\"; };",
        after_s - shortest(5));
    table = run_policy(rounds);
    check_rounds(&table, 4, after_s, 7, 5);
    table_fini(&table);
    free(rounds);
    table = run_policy("count = 4; cohort = 12;"
                       " policy = { name = \"quorum_then_wait\"; uploads = \"10 %\"; then = \"1 d\"; };");
    check_rounds(&table, 4, shortest(12), 12, 0);
    table_fini(&table);
    /* Nothing has arrived after a millisecond. */
    table = run_policy(
        "count = 4; cohort = 12; policy = { name = \"deadline\"; after = \"1 ms\"; min_uploads = 7; };");
    check_rounds(&table, 4, shortest(7), 7, 5);
    table_fini(&table);
}
END_TEST

/* Every client that is not under way is selected. Per round: its clients, and what becomes of them. */
struct expected {
    double start_s, end_s, selected, delivered, late, used_late, cut;
};

static void expect_run_on(struct expected *rows, size_t n, double after_s, size_t late_rounds) {
    double busy_until_s[N_CLIENTS] = {0}, start_s = 0;
    size_t late_of[N_CLIENTS];
    memset(late_of, 0xff, sizeof late_of);
    for (size_t i = 0; i < n; i++) {
        struct expected *row = &rows[i];
        bool asked[N_CLIENTS];
        double longest_s = 0;
        *row = (struct expected){.start_s = start_s};
        for (size_t u = 0; u < N_CLIENTS; u++) {
            asked[u] = busy_until_s[u] <= start_s;
            row->selected += asked[u];
            if (asked[u]) {
                busy_until_s[u] = start_s + duration_s[u];
                longest_s = fmax(longest_s, duration_s[u]);
                late_of[u] = duration_s[u] > after_s ? i : SIZE_MAX;
                row->delivered += duration_s[u] <= after_s;
            }
        }
        row->end_s = start_s + fmin(longest_s, after_s);
        for (size_t u = 0; u < N_CLIENTS; u++) /* late ones that end in this round, or with the run */
            if (late_of[u] != SIZE_MAX && (busy_until_s[u] <= row->end_s || i + 1 == n)) {
                bool ends = busy_until_s[u] <= row->end_s;
                *(ends ? &rows[late_of[u]].late : &rows[late_of[u]].cut) += 1;
                rows[late_of[u]].used_late += ends && late_of[u] + late_rounds >= i;
                late_of[u] = SIZE_MAX;
            }
        start_s = row->end_s;
    }
}

/* None is used; those one round late; and those up to two, which are all. */
START_TEST(rounds_that_run_on_are_those_by_hand) {
    enum { N_ROUNDS = 8 };
    static const size_t late_rounds[] = {1, 1, 2};
    struct expected rows[N_ROUNDS];
    learn_durations(FIXED);
    double after_s = shortest(4) + 1e-3, late = 0, used = 0;
    expect_run_on(rows, N_ROUNDS, after_s, late_rounds[_i]);
    char *rounds = frs_format("count = 8; cohort = 12; stragglers = \"run_on\";"
                              " policy = { name = \"deadline\"; after = \"%.15g s\"; late = \"%s\"; };",
        after_s,
        _i == 2 ? "accept\"; late_rounds = 2; staleness = \"none"
        : _i    ? "accept"
                : "reject");
    struct table table = run_policy(rounds);
    ck_assert_uint_eq(table.n_rows, N_ROUNDS);
    for (size_t i = 0; i < N_ROUNDS; i++) {
        const struct expected *row = &rows[i];
        double unused = row->selected - row->delivered - (_i ? row->used_late : 0);
        ck_assert_double_eq_tol(cell(&table, i, "start_s"), row->start_s, 1e-6);
        ck_assert_double_eq_tol(cell(&table, i, "end_s"), row->end_s, 1e-6);
        ck_assert_double_eq(cell(&table, i, "selected"), row->selected);
        ck_assert_double_eq(cell(&table, i, "delivered"), row->delivered);
        ck_assert_double_eq(cell(&table, i, "late"), row->late);
        ck_assert_double_eq(cell(&table, i, "cut"), row->cut);
        /* A late upload's bytes belong to the round that asked for it, used or not. */
        ck_assert_double_eq(cell(&table, i, "up_bytes") >= 2000 * (row->delivered + row->late), 1);
        ck_assert_double_eq(cell(&table, i, "wasted_down_bytes") <= 2000 * unused, 1);
        ck_assert_int_eq(cell(&table, i, "wasted_up_bytes") > 0, unused > 0);
        late += row->late;
        used += row->used_late;
    }
    ck_assert_double_ge(late, 5);
    ck_assert_double_ge(used, 2);
    ck_assert_int_eq(used < late, _i < 2); /* none is later than two rounds */
    table_fini(&table);
    free(rounds);
}
END_TEST

/* All twelve are under way at any time, so that who has arrived is the one that is selected next: client u
 * arrives at the multiples of its duration, and every fifth arrival ends a row. */
START_TEST(asynchronous_rows_are_those_by_hand) {
    enum { N_ROWS = 10, K = 5, N = N_CLIENTS * N_ROWS * K };
    static double arrivals_s[N];
    learn_durations(FIXED);
    for (size_t u = 0, at = 0; u < N_CLIENTS; u++)
        for (size_t i = 1; i <= N / N_CLIENTS; i++)
            arrivals_s[at++] = (double)i * duration_s[u];
    qsort(arrivals_s, N, sizeof *arrivals_s, frs_compare_doubles);
    struct table table =
        run_policy("count = 10; cohort = 12; policy = { name = \"buffered_async\"; arrivals = 5; };");
    ck_assert_uint_eq(table.n_rows, N_ROWS);
    for (size_t i = 0; i < N_ROWS; i++) {
        ck_assert_double_eq_tol(cell(&table, i, "end_s"), arrivals_s[K * (i + 1) - 1], 1e-6);
        ck_assert_double_eq_tol(cell(&table, i, "start_s"), i ? arrivals_s[K * i - 1] : 0, 1e-6);
        ck_assert_double_eq(cell(&table, i, "delivered"), K);
        ck_assert_double_eq(cell(&table, i, "wasted_up_bytes") > 0, i + 1 == N_ROWS);
    }
    /* The last arrival ended the run; eleven were under way. */
    ck_assert_double_eq(cell(&table, N_ROWS - 1, "cut"), N_CLIENTS - 1);
    table_fini(&table);
}
END_TEST

/* Epochs are equally long where every sample takes the same time. Who computes at T goes on to the end of its
 * epoch; who still downloads trains one; who uploads or has arrived does not notice. */
START_TEST(partial_work_is_that_by_hand) {
    static const char per_sample[] = "compute = \"per_sample\"; per_sample = \"8 ms\";";
    static const char *const phases[] = {"down", "compute", "up"};
    learn_durations(per_sample);
    double middles[N_CLIENTS];
    for (size_t u = 0; u < N_CLIENTS; u++)
        middles[u] = natural[u].t[1] + 0.473 * (natural[u].t[2] - natural[u].t[1]);
    qsort(middles, N_CLIENTS, sizeof *middles, frs_compare_doubles);
    double after_s = middles[6];
    char *rounds = frs_format("count = 1; cohort = 12; policy = { name = \"partial_work\";"
                              " after = \"%.15g s\"; grace = \"1000 s\"; };",
        after_s);
    write_scenario(per_sample, rounds, "");
    run_scenario("s.cfg", "out", "");
    FILE *file = folder_open("out/events.ndjson", "r");
    size_t shortened = 0, untouched = 0, one = 0;
    for (size_t u = 0; u < N_CLIENTS; u++) {
        const double *t = natural[u].t;
        double epoch_s = (t[2] - t[1]) / EPOCHS, epochs = EPOCHS;
        if (t[1] >= after_s)
            epochs = 1;
        else if (t[2] > after_s)
            epochs = ceil((after_s - t[1]) / epoch_s);
        double times[] = {0, t[1], t[1] + epochs * epoch_s, t[1] + epochs * epoch_s + t[3] - t[2]};
        for (size_t i = 0; i < 3; i++) {
            json_t *line = next_line(file);
            ck_assert_str_eq(json_string_value(json_object_get(line, "phase")), phases[i]);
            ck_assert_double_eq_tol(json_of(line, "t0_s"), times[i], 1e-6);
            ck_assert_double_eq_tol(json_of(line, "t1_s"), times[i + 1], 1e-6);
            /* Epochs differ a little in what they cost. */
            if (i == 1)
                ck_assert_double_eq_tol(
                    json_of(line, "flop") / natural[u].flop, epochs / EPOCHS, 0.25 * epochs / EPOCHS);
            json_decref(line);
        }
        shortened += epochs > 1 && epochs < EPOCHS;
        untouched += epochs == EPOCHS;
        one += epochs == 1;
    }
    ck_assert_msg(shortened > 1 && untouched > 0 && one > 0, "%zu, %zu, %zu", shortened, untouched, one);
    fclose(file);
    free(rounds);
}
END_TEST

/* ---- void rounds ----------------------------------------------------------------------------- */

/* No upload can arrive within a millisecond: the first round is tried three times, which is what is kept. */
START_TEST(test_no_attempt_works) {
    write_scenario(FIXED,
        "count = 2; cohort = 12; policy = { name = \"deadline\"; after = \"1 ms\"; quorum = 0.5;"
        " max_attempts = 3; };",
        "");
    ck_assert_int_eq(run_program("run s.cfg --quiet --out out"), 1);
    ck_assert_msg(
        strstr(frs_said, "round 1: fewer than 6 uploads arrived in each of 3 attempts"), "%s", frs_said);
    struct table table = table_load("out", "rounds.csv");
    ck_assert_uint_eq(table.n_rows, 3);
    for (size_t i = 0; i < 3; i++) {
        ck_assert_double_eq(cell(&table, i, "round"), 1);
        ck_assert_double_eq(cell(&table, i, "attempt"), (double)i);
        ck_assert(!isnan(cell(&table, i, "lost")));
    }
    table_fini(&table);
}
END_TEST

/* Half of the uploads break off, and 10 of 12 have to arrive: rounds are repeated with other draws until they
 * do, or until the run gives up and keeps what it has. */
START_TEST(test_attempts_draw_anew) {
    size_t kept = 0, given_up = 0, repeated = 0;
    for (unsigned seed = 1; seed <= 12; seed++) {
        char *options = frs_format("--set seed=%u", seed);
        write_scenario(FIXED,
            "count = 3; cohort = 12; policy = { name = \"quantile\"; share = 1.0; quorum = 0.6;"
            " max_attempts = 4; };",
            "failures = { up = 0.5; };\n");
        int code = run_program("run s.cfg --quiet --force --out out %s", options);
        ck_assert_msg(code == 0 || (code == 1 && strstr(frs_said, "in each of 4 attempts")), "%s", frs_said);
        if (code == 0 || !strstr(frs_said, "round 1:")) {
            struct table table = table_load("out", "rounds.csv");
            for (size_t i = 0; i < table.n_rows; i++) {
                bool is_void = !isnan(cell(&table, i, "lost"));
                ck_assert_int_eq(cell(&table, i, "delivered") < 8, is_void);
                ck_assert_int_eq(
                    cell(&table, i, "wasted_down_bytes") == cell(&table, i, "down_bytes"), is_void);
                repeated += is_void;
            }
            table_fini(&table);
        }
        kept += code == 0;
        given_up += code == 1;
        free(options);
    }
    ck_assert(kept > 0 && given_up > 0 && repeated > 3);
}
END_TEST

/* ---- invariants ------------------------------------------------------------------------------ */

/* %s: a duration that is halved when bandwidths are doubled. */
static const char *const policies[] = {
    "policy = \"wait_all\";",
    "policy = { name = \"deadline\"; after = \"%s\"; };",
    "stragglers = \"run_on\"; policy = { name = \"deadline\"; after = \"%s\"; late = \"accept\"; };",
    "policy = { name = \"over_select\"; factor = 1.5; };",
    "stragglers = \"run_on\"; policy = { name = \"over_select\"; factor = 1.5; };",
    "policy = { name = \"quantile\"; share = 0.6; };",
    "stragglers = \"run_on\"; policy = { name = \"quantile\"; share = 0.6; };",
    ("stragglers = \"run_on\"; policy = { name = \"quorum_then_wait\"; uploads = 3; then = \"%s\";"
     " late = \"accept\"; late_rounds = 2; };"),
    "policy = { name = \"partial_work\"; after = \"%s\"; grace = \"%s\"; };",
    "policy = { name = \"buffered_async\"; arrivals = 3; };",
};
enum { N_POLICIES = 10 };

static void write_policy(size_t i, const char *devices, const char *duration, const char *rest) {
    char *policy = frs_format(strstr(policies[i], "%s") ? policies[i] : "%s", duration, duration);
    char *rounds = frs_format("count = 6; cohort = 6; %s", strstr(policies[i], "%s") ? policy : policies[i]);
    write_scenario(devices, rounds, rest);
    free(policy);
    free(rounds);
}

static void same_files(const char *a, const char *b) {
    static const char *const files[] = {"rounds.csv", "events.ndjson", "clients.csv"};
    for (size_t i = 0; i < 3; i++)
        ck_assert_msg(shell("cmp %s/%s %s/%s", a, files[i], b, files[i]) == 0, "%s differs", files[i]);
}

/* Failures that never strike are no failures. */
START_TEST(probability_zero_fails_none) {
    write_policy((size_t)_i, FIXED, "30 s", "");
    run_scenario("s.cfg", "without", "");
    run_scenario("s.cfg", "zero",
        "--set failures.down=0 --set failures.compute=0 --set failures.up=0 --set failures.connection_up=0 "
        "--set 'failures.device_mtbf=0 s'");
    same_files("without", "zero");
    run_scenario("s.cfg", "present", "--set availability.model=bernoulli --set availability.p=1");
    same_files("without", "present");
}
END_TEST

/* A client that can first be reached when the run is over might as well not be there. */
START_TEST(a_client_that_comes_too_late_changes_nothing) {
    static const char trace[] = "availability = { model = \"trace\"; file = \"sessions.csv\"; };\n"
                                "failures = { up = 0.1; compute = 0.1; };\n";
    FILE *file = folder_open("sessions.csv", "w");
    for (int client = 0; client < N_CLIENTS - 1; client++)
        fprintf(file, "%d,0,1000000\n", client);
    fclose(file);
    write_policy((size_t)_i, FIXED, "30 s", trace);
    run_scenario("s.cfg", "without", "");
    ck_assert_int_eq(shell("echo 11,900000,1000000 >>sessions.csv"), 0);
    run_scenario("s.cfg", "with", "");
    same_files("without", "with");
}
END_TEST

/* Twice the bandwidth, and half of what the policy waits: where there is nothing but transfers everything
 * takes half the time, and the same clients arrive. */
START_TEST(test_twice_the_bandwidth) {
    static const char shared[] =
        "failures = { up = 0.2; detect = \"0 s\"; };\nserver = { speed = \"unlimited\"; };\n";
    write_policy((size_t)_i, "compute = \"none\";", "30 s", shared);
    run_scenario("s.cfg", "once", "--set 'network.server_uplink=200 B/s'");
    write_policy((size_t)_i, "compute = \"none\";", "15 s", shared);
    run_scenario("s.cfg", "twice", "--set 'network.server_uplink=400 B/s' --set network.bandwidth_factor=2");
    struct table once = table_load("once", "rounds.csv"), twice = table_load("twice", "rounds.csv");
    ck_assert_uint_eq(once.n_rows, twice.n_rows);
    for (size_t i = 0; i < once.n_rows; i++) {
        /* Capacities are whole bytes a second, doubled or not. */
        ck_assert(close_to(cell(&once, i, "end_s"), 2 * cell(&twice, i, "end_s"), 0.02));
        ck_assert_double_eq(cell(&once, i, "delivered"), cell(&twice, i, "delivered"));
        ck_assert_double_eq(cell(&once, i, "selected"), cell(&twice, i, "selected"));
    }
    table_fini(&once);
    table_fini(&twice);
}
END_TEST

/* Round by round: a client that arrives in time also does so with more time. */
START_TEST(more_time_loses_no_arrival) {
    enum { N = 12 };
    double before[6] = {0}, sum = 0;
    for (int i = 0; i < N; i++) {
        char *rounds = frs_format(
            "count = 6; cohort = 8; policy = { name = \"deadline\"; after = \"%d s\"; };", 12 + 5 * i);
        write_scenario(FIXED, rounds, "failures = { up = 0.1; down = 0.1; };\n");
        run_scenario("s.cfg", "out", "--force");
        struct table table = table_load("out", "rounds.csv");
        for (size_t row = 0; row < 6; row++) {
            ck_assert_double_ge(cell(&table, row, "delivered"), before[row]);
            before[row] = cell(&table, row, "delivered");
        }
        if (i > 0 && i + 1 < N)
            sum += before[0];
        table_fini(&table);
        free(rounds);
    }
    ck_assert_double_gt(before[0], 4);
    ck_assert_double_lt(sum, (N - 2) * before[0]);
}
END_TEST

/* Methods that cannot do what a policy needs are refused by name; here a key without effect. */
START_TEST(methods_without_what_a_policy_needs_are_refused) {
    write_scenario(FIXED, "count = 2; policy = \"buffered_async\"; stragglers = \"run_on\";", "");
    ck_assert_int_eq(run_program("run s.cfg --quiet --out out"), 2);
    ck_assert_msg(strstr(frs_said, "rounds.stragglers"), "%s", frs_said);
    write_scenario(
        FIXED, "count = 2; policy = { name = \"deadline\"; after = \"1 s\"; late = \"accept\"; };", "");
    ck_assert_int_eq(run_program("run s.cfg --quiet --out out"), 2);
    ck_assert_msg(strstr(frs_said, "rounds.policy.late"), "%s", frs_said);
    write_scenario(FIXED, "count = 2; policy = \"deadline\";", "");
    ck_assert_int_eq(run_program("run s.cfg --quiet --out out"), 2);
    ck_assert_msg(strstr(frs_said, "rounds.policy.after") || strstr(frs_said, "after"), "%s", frs_said);
    write_scenario(FIXED, "count = 2; cohort = 6; policy = { name = \"over_select\"; select = 13; };", "");
    ck_assert_int_eq(run_program("run s.cfg --quiet --out out"), 2);
    ck_assert_msg(strstr(frs_said, "from rounds.cohort (6) to the number of clients (12)"), "%s", frs_said);
    write_scenario(FIXED,
        "count = 2; stragglers = \"run_on\"; policy = { name = \"deadline\"; after = \"1 s\"; staleness = "
        "\"none\"; };",
        "");
    ck_assert_int_eq(run_program("run s.cfg --quiet --out out"), 2);
    ck_assert_msg(strstr(frs_said, "rounds.policy.staleness: has no effect"), "%s", frs_said);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("policies by hand");
    TCase *tests = tcase_create("policies by hand");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, rounds_that_cut_are_those_by_hand);
    tcase_add_loop_test(tests, rounds_that_run_on_are_those_by_hand, 0, 3);
    tcase_add_test(tests, asynchronous_rows_are_those_by_hand);
    tcase_add_test(tests, partial_work_is_that_by_hand);
    tcase_add_test(tests, test_no_attempt_works);
    tcase_add_test(tests, test_attempts_draw_anew);
    tcase_add_loop_test(tests, probability_zero_fails_none, 0, N_POLICIES);
    tcase_add_loop_test(tests, a_client_that_comes_too_late_changes_nothing, 0, N_POLICIES);
    tcase_add_loop_test(tests, test_twice_the_bandwidth, 0, N_POLICIES);
    tcase_add_test(tests, more_time_loses_no_arrival);
    tcase_add_test(tests, methods_without_what_a_policy_needs_are_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
