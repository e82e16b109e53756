/* The server's own time worked out by hand: what an aggregation costs follows from the rows that were decoded,
 * whatever their messages weighed, and its overhead comes once. */
#include "tests/run/fixture.h"

/* 247 items × 4 numbers are 988 values. A participation lasts 5 s. */
static const char common[] = "seed = 3;\n"
                             "data = { synthetic = \"custom\"; users = 12; items = 247; interactions = 400; "
                             "activity_ceiling = 0.4; };\n"
                             "evaluation = { negatives = 20; };\n"
                             "method = { name = \"fedmf_update\"; dim = 4; catchup = \"ideal\"; };\n"
                             "network = { model = \"exact\"; preset = \"ideal\"; };\n"
                             "devices = { compute = \"fixed\"; overhead = \"5 s\"; };\n"
                             "rounds = { count = 2; cohort = 12; };\n";

enum { N_CLIENTS = 12, VALUES = 988 };

#define SLACK_S 1e-7 /* of messages, at 1 TB/s */

static struct table run(const char *options) {
    write_text("s.cfg", common);
    run_scenario("s.cfg", "out", options);
    struct table table = table_load("out", "rounds.csv");
    shell("rm -rf out");
    return table;
}

static const char *const codecs[] = {
    "dense", "quantise", "svd --set codec.uplink.rank=2", "topk", "svd_quantised --set codec.uplink.rank=2"};
enum { N_CODECS = 5 };

/* Every row has changed: 12 clients' whole tables come out of whatever crosses, two operations a value; what the
 * server sends is dense, one operation a value. */
START_TEST(test_whole_messages) {
    char *options = frs_format("--set training.enabled=false --set training.messages=whole "
                               "--set codec.uplink=%s",
        codecs[_i]);
    struct table table = run(options);
    for (size_t i = 0; i < 2; i++)
        ck_assert_double_eq(cell(&table, i, "server_flop"), VALUES + N_CLIENTS * 2 * VALUES);
    table_fini(&table);
    free(options);
}
END_TEST

/* Rows that a client has not touched are not sent. What touched_rows sends of the others is all of their values;
 * another codec sends something else of the same rows, in the first round, before anything lossy has been
 * learnt from. */
START_TEST(test_touched_rows) {
    struct table touched = run("--set codec.uplink=touched_rows");
    double values = cell(&touched, 0, "nominal_up_bytes") / 4;
    ck_assert(values > 0 && values < N_CLIENTS * VALUES && fmod(values, 4) == 0);
    ck_assert_double_eq(cell(&touched, 0, "server_flop"), VALUES + 2 * values);
    char *options = frs_format("--cache=cache --set codec.uplink=%s", codecs[_i]);
    for (int time = 0; time < 2; time++) { /* the second one is recalled */
        struct table table = run(options);
        ck_assert_double_eq(
            cell(&table, 0, "server_flop"), VALUES + 2 * (_i == 0 ? N_CLIENTS * VALUES : values));
        table_fini(&table);
    }
    table_fini(&touched);
    free(options);
}
END_TEST

static const char *const players[] = {"calendar", "actors", "simgrid"};

/* The overhead alone: messages leave at once, and a round lasts 5 + 3 s. */
START_TEST(test_overhead) {
    char *options = frs_format("--set engine.player=%s --set 'server.overhead=3 s'", players[_i]);
    struct table table = run(options);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_double_eq_tol(cell(&table, i, "start_s"), 8 * (double)i, SLACK_S);
        ck_assert_double_eq_tol(cell(&table, i, "end_s"), 8 * (double)i + 8, SLACK_S);
        ck_assert_double_eq_tol(cell(&table, i, "path_server_s"), 3, SLACK_S);
    }
    table_fini(&table);
    free(options);
}
END_TEST

/* 988 operations of encoding and 2 · 12 · 988 of aggregating at 494 a second: 2 s and 48 s. */
START_TEST(test_speed_and_overhead) {
    char *options =
        frs_format("--set engine.player=%s --set 'server.overhead=3 s' --set 'server.speed=494 flop/s'"
                   " --set training.enabled=false --set training.messages=whole"
                   " --set codec.uplink=quantise",
            players[_i]);
    struct table table = run(options);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_double_eq_tol(cell(&table, i, "duration_s"), 2 + 5 + 48 + 3, SLACK_S);
        ck_assert_double_eq_tol(cell(&table, i, "path_server_s"), 53, SLACK_S);
    }
    table_fini(&table);
    free(options);
}
END_TEST

/* Nobody gets anything through: there is nothing to aggregate, and the clients' 5 s are all. */
START_TEST(test_nothing_arrives) {
    struct table table = run("--set 'server.overhead=3 s' --set failures.up=1 --set failures.detect=0s");
    for (size_t i = 0; i < 2; i++) {
        ck_assert_double_eq_tol(cell(&table, i, "duration_s"), 5, SLACK_S);
        ck_assert_double_eq(cell(&table, i, "server_flop"), VALUES);
    }
    table_fini(&table);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("server by hand");
    TCase *tests = tcase_create("server by hand");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, test_whole_messages, 0, N_CODECS);
    tcase_add_loop_test(tests, test_touched_rows, 0, N_CODECS);
    tcase_add_loop_test(tests, test_overhead, 0, 3);
    tcase_add_loop_test(tests, test_speed_and_overhead, 0, 3);
    tcase_add_test(tests, test_nothing_arrives);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
