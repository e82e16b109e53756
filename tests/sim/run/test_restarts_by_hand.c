/* Restarts of the server worked out by hand, in the files of a run: even where nothing is under way, time
 * is lost, and it has a part of its own. */
#include "tests/sim/run/fixture.h"

/* 247 items × 2 numbers are 494 values: 2 s of encoding, and 2000 bytes behind a header: 10 s down, 20 s up.
 * A participation lasts 1 + 10 + 5 + 1 + 20 s. Two operations for each of 3 · 494 values that arrive: 12 s.
 */
static const char common[] =
    "seed = 3;\n"
    "data = { synthetic = \"custom\"; users = 3; items = 247; interactions = 280; activity_ceiling = 0.4; "
    "};\n"
    "evaluation = { negatives = 20; };\n"
    "training = { enabled = false; };\n"
    "method = { name = \"fedmf\"; dim = 2; };\n"
    "network = { model = \"exact\"; preset = \"none\"; downlink = \"200 B/s\"; uplink = \"100 B/s\"; latency "
    "= \"1 s\"; };\n"
    "devices = { compute = \"fixed\"; overhead = \"5 s\"; };\n"
    "server = { speed = \"247 flop/s\"; };\n";

enum { N_CLIENTS = 3, N_BACKENDS = 3, N_POLICIES = 2 };

static const char *const backends[] = {"calendar", "actors", "simgrid"};
static const char *const policies[] = {"\"wait_all\"", "{ name = \"buffered_async\"; arrivals = 3; }"};

/* A loop test over backends and policies. */
static struct table run(int i, const char *rest) {
    char *text = frs_format(
        "%srounds = { count = 1; cohort = 3; policy = %s; };\n%s", common, policies[i / N_BACKENDS], rest);
    char *options = frs_format("--set engine.backend=%s", backends[i % N_BACKENDS]);
    write_text("s.cfg", text);
    run_scenario("s.cfg", "out", options);
    free(text);
    free(options);
    return table_load("out", "rounds.csv");
}

static void check_row(const struct table *table, size_t row, bool lost, const double times[4]) {
    static const char *const columns[] = {"idle_s", "restart_s", "start_s", "end_s"};
    ck_assert_int_eq(!isnan(cell(table, row, "lost")), lost);
    for (size_t i = 0; i < 4; i++)
        ck_assert_msg(fabs(cell(table, row, columns[i]) - times[i]) < 1e-9, "row %zu, %s: %.15g", row,
            columns[i], cell(table, row, columns[i]));
}

static void check_line(FILE *file, const char *phase, double from_s, double to_s, const char *outcome) {
    json_t *line = next_line(file), *named = json_object_get(line, "outcome");
    ck_assert_str_eq(json_string_value(json_object_get(line, "phase")), phase);
    ck_assert_double_eq_tol(json_of(line, "t0_s"), from_s, 1e-9);
    ck_assert_double_eq_tol(json_of(line, "t1_s"), to_s, 1e-9);
    ck_assert_int_eq(named != NULL, outcome != NULL);
    if (outcome)
        ck_assert_str_eq(json_string_value(named), outcome);
    if (outcome && strcmp(outcome, "cut") == 0)
        ck_assert_str_eq(json_string_value(json_object_get(line, "cause")), "server_restart");
    json_decref(line);
}

static void check_delivery(FILE *file, double start_s) {
    check_line(file, "encode", start_s, start_s + 2, NULL);
    check_line(file, "down", start_s + 2, start_s + 13, NULL);
    check_line(file, "compute", start_s + 13, start_s + 18, NULL);
    check_line(file, "up", start_s + 18, start_s + 39, "delivered");
}

/* The restart at 1 strikes before anything has left the server. */
START_TEST(restart_strikes_before_messages_leave) {
    struct table table = run(_i, "failures = { server_restarts = \"1 s\"; restart = \"1 min\"; };\n");
    ck_assert_uint_eq(table.n_rows, 2);
    check_row(&table, 0, true, (const double[]){0, 0, 0, 1});
    check_row(&table, 1, false, (const double[]){0, 60, 61, 112});
    ck_assert_double_eq(cell(&table, 0, "cut"), 3);
    ck_assert_double_eq_tol(cell(&table, 0, "path_server_s"), 1, 1e-9);
    ck_assert_double_eq_tol(cell(&table, 1, "path_server_s"), 14, 1e-9);
    ck_assert_double_eq(cell(&table, 0, "server_flop"), 494);
    FILE *file = folder_open("out/events.ndjson", "r");
    for (size_t i = 0; i < N_CLIENTS; i++)
        check_line(file, "encode", 0, 1, "cut");
    for (size_t i = 0; i < N_CLIENTS; i++)
        check_delivery(file, 61);
    ck_assert_ptr_null(next_line(file));
    fclose(file);
    table_fini(&table);
}
END_TEST

/* No client can be reached before 100. */
START_TEST(restart_while_none_can_be_reached) {
    write_text("sessions.csv", "0,100,1000\n1,100,1000\n2,100,1000\n");
    struct table table = run(_i, "availability = { model = \"trace\"; file = \"sessions.csv\"; };\n"
                                 "failures = { server_restarts = \"99 s\"; restart = \"1 min\"; };\n");
    ck_assert_uint_eq(table.n_rows, 1);
    check_row(&table, 0, false, (const double[]){99, 60, 159, 210});
    json_t *summary = load_json("out", "summary.json");
    ck_assert_double_eq_tol(json_path(summary, "idle_s", NULL), 99, 1e-9);
    ck_assert_double_eq_tol(json_path(summary, "restart_s", NULL), 60, 1e-9);
    json_decref(summary);
    table_fini(&table);
}
END_TEST

/* Down from 1 to 61, when the third strikes; the second finds the server down already. Up again at 121,
 * asleep until 150; the round ends at 201, before the fourth. */
START_TEST(test_one_after_the_other) {
    write_text("sessions.csv", "0,0,100\n1,0,100\n2,0,100\n0,150,1000\n1,150,1000\n2,150,1000\n");
    struct table table =
        run(_i, "availability = { model = \"trace\"; file = \"sessions.csv\"; };\n"
                "failures = { server_restarts = \"1 s, 30 s, 61 s, 202 s\"; restart = \"1 min\"; };\n");
    ck_assert_uint_eq(table.n_rows, 2);
    check_row(&table, 0, true, (const double[]){0, 0, 0, 1});
    check_row(&table, 1, false, (const double[]){29, 120, 150, 201});
    ck_assert_double_eq(cell(&table, 1, "attempt"), _i < N_BACKENDS ? 2 : 1);
    table_fini(&table);
}
END_TEST

/* The uploads arrive at 39, and so does the restart, which wins: they are delivered, and lost with their
 * round. */
START_TEST(test_at_the_last_arrival) {
    struct table table = run(_i, "failures = { server_restarts = \"39 s\"; restart = \"1 min\"; };\n");
    ck_assert_uint_eq(table.n_rows, 2);
    check_row(&table, 0, true, (const double[]){0, 0, 0, 39});
    check_row(&table, 1, false, (const double[]){0, 60, 99, 150});
    ck_assert_double_eq(cell(&table, 0, "wasted_up_bytes"), cell(&table, 0, "up_bytes"));
    ck_assert_double_eq(cell(&table, 0, "cut"), 0);
    FILE *file = folder_open("out/events.ndjson", "r");
    for (size_t i = 0; i < N_CLIENTS; i++)
        check_delivery(file, 0);
    for (size_t i = 0; i < N_CLIENTS; i++)
        check_delivery(file, 99);
    fclose(file);
    table_fini(&table);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("restarts by hand");
    TCase *tests = tcase_create("restarts by hand");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, restart_strikes_before_messages_leave, 0, N_BACKENDS * N_POLICIES);
    tcase_add_loop_test(tests, restart_while_none_can_be_reached, 0, N_BACKENDS * N_POLICIES);
    tcase_add_loop_test(tests, test_one_after_the_other, 0, N_BACKENDS * N_POLICIES);
    tcase_add_loop_test(tests, test_at_the_last_arrival, 0, N_BACKENDS * N_POLICIES);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
