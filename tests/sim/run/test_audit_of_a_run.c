/* A run can be audited from its files alone: every time of a message follows from its line of events.ndjson,
 * whatever jitter and traces made of the client's link, and the staleness of an update from the times. */
#include "tests/sim/run/audit.h"

static const char base[] = "data = { synthetic = \"small\"; };\n"
                           "method = { name = \"fedmf\"; dim = 8; };\n"
                           "training = { enabled = false; };\n"
                           "devices = { compute = \"fixed\"; overhead = \"3 s\"; };\n";

static const char *const networks[] = {
    "network = { model = \"exact\"; downlink = \"20 kB/s\"; uplink = \"5 kB/s\"; latency = \"40 ms\"; jitter "
    "= 0.4;"
    " latency_jitter = 0.5; };\n",
    "network = { model = \"exact\"; downlink = \"20 kB/s\"; uplink = \"5 kB/s\"; latency = \"1 s\"; jitter = "
    "0.4;"
    " trace = \"trace.csv\"; };\n",
    ("network = { model = \"lv08\"; downlink = \"20 kB/s\"; uplink = \"20 kB/s\"; latency = \"40 ms\";"
     " jitter = 0.4; };\n"),
};
enum { JITTER, TRACE, LV08, N_NETWORKS };

static void write_run(const char *network, const char *rounds) {
    char *text = frs_format("%s%s%s", base, network, rounds);
    write_text("s.cfg", text);
    free(text);
}

/* Latency, and then bytes as fast as the link is; under LV08 13.01 latencies and 97 % of the capacity. */
static void check_message(json_t *line, bool lv08) {
    double highest, t0_s = json_of(line, "t0_s"), t1_s = json_of(line, "t1_s"),
                    bytes = json_of(line, "bytes");
    if (lv08) {
        double rate = json_of(line, "capacity_bytes_per_s");
        ck_assert_double_eq_tol(
            t1_s - t0_s, 13.01 * json_of(line, "latency_s") + bytes / (0.97 * rate), 1e-9 * t1_s);
        return;
    }
    double carried = audit_carried(line, &highest);
    ck_assert_double_eq_tol(carried, bytes, 1e-9 * (bytes + highest * t1_s));
}

START_TEST(times_of_messages_follow_from_their_lines) {
    /* 100 %, 25 %, nothing at all, 50 %. */
    write_text("trace.csv", "t_s,factor\n0,1\n5,0.25\n9,0\n11,0.5\n16,1\n");
    write_run(networks[_i], "rounds = { count = 3; cohort = 15; };\n");
    run_scenario("s.cfg", "out", "");
    FILE *file = folder_open("out/events.ndjson", "r");
    size_t n = 0, n_traced = 0;
    double least = INFINITY, most = 0;
    for (json_t *line; (line = next_line(file)) != NULL; json_decref(line)) {
        const char *phase = json_string_value(json_object_get(line, "phase"));
        json_t *capacity = json_object_get(line, "capacity_bytes_per_s");
        ck_assert_int_eq(capacity != NULL, strcmp(phase, "compute") != 0);
        if (!capacity)
            continue;
        ck_assert_int_eq(json_is_array(capacity), _i == TRACE);
        check_message(line, _i == LV08);
        double from_s, to_s, rate = audit_capacity(line, 0, &from_s, &to_s);
        least = fmin(least, rate);
        most = fmax(most, rate);
        n_traced += json_array_size(capacity) > 1;
        n++;
    }
    ck_assert_uint_eq(n, 2 * 3 * 15);
    ck_assert_double_gt(most, 5 * least);
    ck_assert(_i != TRACE || n_traced > 30);
    fclose(file);
}
END_TEST

/* Versions that were made between the time at which a client was selected and its row. */
static double versions_between(const struct table *rounds, double asked_s, double row) {
    double n = row - 1;
    for (size_t i = 0; i < rounds->n_rows && cell(rounds, i, "end_s") <= asked_s; i++)
        n--;
    return n;
}

START_TEST(staleness_follows_from_times) {
    write_run(networks[JITTER],
        "rounds = { count = 20; cohort = 15; policy = { name = \"buffered_async\"; arrivals = 4; }; };\n");
    run_scenario("s.cfg", "out", "");
    struct table rounds = table_load("out", "rounds.csv");
    json_t *summary = load_json("out", "summary.json");
    FILE *file = folder_open("out/events.ndjson", "r");
    double asked_s = NAN, sum = 0, n = 0, stale = 0;
    for (json_t *line; (line = next_line(file)) != NULL; json_decref(line)) {
        json_t *staleness = json_object_get(line, "staleness");
        if (strcmp(json_string_value(json_object_get(line, "phase")), "down") == 0)
            asked_s = json_of(line, "t0_s");
        if (!json_object_get(line, "outcome") || json_object_get(line, "cause"))
            continue;
        double hand = versions_between(&rounds, asked_s, json_of(line, "round"));
        ck_assert_double_eq(staleness ? json_number_value(staleness) : 0, hand);
        sum += hand;
        stale += hand > 0;
        n++;
    }
    ck_assert_double_eq(n, 20 * 4);
    ck_assert_double_gt(stale, n / 2);
    ck_assert_double_eq_tol(json_path(summary, "mean_staleness", NULL), sum / n, 1e-12);
    json_decref(summary);
    table_fini(&rounds);
    fclose(file);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("audit of a run");
    TCase *tests = tcase_create("from its files alone");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, times_of_messages_follow_from_their_lines, 0, N_NETWORKS);
    tcase_add_test(tests, staleness_follows_from_times);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
