/* The server's own time worked out by hand: the cost of an aggregation follows from the decoded rows,
 * whatever their messages weighed, and its overhead occurs once. */
#include "tests/sim/run/fixture.h"

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

/* Every row has changed: whatever crosses, 12 clients' whole tables are decoded, two operations a value.
 * The server sends a dense message, one operation a value. */
START_TEST(server_operations_of_whole_tables) {
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

/* Rows that a client has not touched are not sent. What touched_rows sends of the others is all of their
 * values; another codec sends something else of the same rows, in the first round, before anything lossy has
 * been learnt from. */
START_TEST(server_operations_of_touched_rows) {
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

static const char *const backends[] = {"calendar", "actors", "simgrid"};

/* The overhead alone: messages leave at once, and a round lasts 5 + 3 s. */
START_TEST(overhead_alone_delays_the_end) {
    char *options = frs_format("--set engine.backend=%s --set 'server.overhead=3 s'", backends[_i]);
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
        frs_format("--set engine.backend=%s --set 'server.overhead=3 s' --set 'server.speed=494 flop/s'"
                   " --set training.enabled=false --set training.messages=whole"
                   " --set codec.uplink=quantise",
            backends[_i]);
    struct table table = run(options);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_double_eq_tol(cell(&table, i, "duration_s"), 2 + 5 + 48 + 3, SLACK_S);
        ck_assert_double_eq_tol(cell(&table, i, "path_server_s"), 53, SLACK_S);
    }
    table_fini(&table);
    free(options);
}
END_TEST

/* No upload arrives: there is nothing to aggregate, and the clients' 5 s are all. */
START_TEST(nothing_arrived_is_nothing_to_aggregate) {
    struct table table = run("--set 'server.overhead=3 s' --set failures.up=1 --set failures.detect=0s");
    for (size_t i = 0; i < 2; i++) {
        ck_assert_double_eq_tol(cell(&table, i, "duration_s"), 5, SLACK_S);
        ck_assert_double_eq(cell(&table, i, "server_flop"), VALUES);
    }
    table_fini(&table);
}
END_TEST

/* Low-rank updates: A has 247 × 2 values for the table's 988. Adding A·B to the server's table takes four
 * operations of multiplying and one of adding for each of them, when uploads have been averaged. */
enum { FACTORS = 494, PRODUCT = 5 * VALUES };

static struct table run_colr(const char *options) {
    char *all = frs_format("--set method.name=colr --set method.rank=2 --set training.enabled=false "
                           "--set training.messages=whole %s",
        options);
    struct table table = run(all);
    free(all);
    return table;
}

/* Encoding in a round: the whole table where a client is sent it, the newest update where a client is sent
 * that, and older updates that no round has sent before. In turn, the rounds select these numbers of 12
 * clients. */
static const struct encoding_case {
    const char *catchup, *options;
    unsigned cohort, rounds;
    unsigned tables[5], updates[5]; /* of each round */
} encoding_cases[] = {
    {"full", "", 12, 2, {1, 1}, {0, 0}}, {"ideal", "", 12, 2, {0, 0}, {1, 1}},
    {"cheapest", "", 12, 2, {1, 0}, {0, 1}},
    {"replay", "--set method.init=seed", 12, 2, {0, 0}, {0, 1}}, /* there is nothing to replay at first */
    {"cheapest", "", 8, 2, {1, 1}, {0, 1}}, /* four new clients beside four of the first round */
    {"replay", "", 4, 5, {1, 1, 1, 0, 0},
        {0, 0, 0, 3, 1}}, /* three that no client was sent, the newest among them */
};
enum { N_ENCODING_CASES = sizeof encoding_cases / sizeof *encoding_cases };

START_TEST(test_only_what_is_sent_is_encoded) {
    const struct encoding_case *c = &encoding_cases[_i];
    char *options = frs_format("--set method.catchup=%s %s --set rounds.cohort=%u --set rounds.count=%u "
                               "--set rounds.selection=round_robin",
        c->catchup, c->options, c->cohort, c->rounds);
    struct table table = run_colr(options);
    for (size_t i = 0; i < c->rounds; i++)
        ck_assert_double_eq(cell(&table, i, "server_flop"),
            c->tables[i] * VALUES + c->updates[i] * FACTORS + c->cohort * 2.0 * FACTORS + PRODUCT);
    table_fini(&table);
    free(options);
}
END_TEST

/* What a codec of updates takes is charged with the updates alone: 7 operations a value. */
START_TEST(test_a_codec_of_updates) {
    static const char *const catchups[] = {"full", "ideal"};
    static const double encoded[] = {VALUES, 8 * FACTORS};
    char *options = frs_format("--set codec.downlink=quantise --set method.catchup=%s", catchups[_i]);
    struct table table = run_colr(options);
    ck_assert_double_eq(cell(&table, 1, "server_flop"), encoded[_i] + N_CLIENTS * 2.0 * FACTORS + PRODUCT);
    table_fini(&table);
    free(options);
}
END_TEST

/* Two clients at a time and three uploads for an aggregation: at 10 s there are four, and the one that is
 * left is aggregated at 15 s with two of the next round. Both rounds have a B of their own, so there are two
 * updates to add. */
START_TEST(test_uploads_of_two_rounds) {
    struct table table = run_colr("--set method.catchup=ideal --set rounds.policy=buffered_async "
                                  "--set rounds.policy.arrivals=3 --set rounds.cohort=2");
    ck_assert_double_eq_tol(cell(&table, 0, "end_s"), 10, SLACK_S);
    ck_assert_double_eq_tol(cell(&table, 1, "end_s"), 15, SLACK_S);
    for (size_t i = 0; i < 2; i++)
        ck_assert_double_eq(
            cell(&table, i, "server_flop"), FACTORS + 3 * 2.0 * FACTORS + (i + 1.0) * PRODUCT);
    table_fini(&table);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("server by hand");
    TCase *tests = tcase_create("server by hand");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, server_operations_of_whole_tables, 0, N_CODECS);
    tcase_add_loop_test(tests, server_operations_of_touched_rows, 0, N_CODECS);
    tcase_add_loop_test(tests, overhead_alone_delays_the_end, 0, 3);
    tcase_add_loop_test(tests, test_speed_and_overhead, 0, 3);
    tcase_add_test(tests, nothing_arrived_is_nothing_to_aggregate);
    tcase_add_loop_test(tests, test_only_what_is_sent_is_encoded, 0, N_ENCODING_CASES);
    tcase_add_loop_test(tests, test_a_codec_of_updates, 0, 2);
    tcase_add_test(tests, test_uploads_of_two_rounds);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
