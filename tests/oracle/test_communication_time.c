/* Labels: slow
 * Communication time against what is published and against the closed form. */
#include "tests/sim/run/fixture.h"

#define FLOATS_OF(codec, key, value)                                                                         \
    "--set method=fedmf_update --set codec.uplink=" codec " --set codec.downlink=" codec                     \
    " --set codec.uplink." key "=" value " --set codec.downlink." key "=" value

/* CoLR, table 2, communication minutes: 1000 rounds of 60 clients, tables of 3706 × 64. Real messages take
 * longer where the paper leaves something out: SVD's second factor, and 512 bytes that say which rows. For
 * TopK it counts the places, 2.51 · k minutes. All 1000 rounds of the smallest messages run with `ctest -L
 * long`; other cases run 20, scaled by 50. */
#ifndef MANY_ROUNDS
#define MANY_ROUNDS 20
#endif

static const struct {
    const char *options, *nominal, *real;
    int rounds;
} table2[] = {{"", "80.43", "80.43", 20},
    {"--set method=colr --set method.rank=1", "1.26", "1.26", MANY_ROUNDS},
    {"--set method=colr --set method.rank=2", "2.51", "2.52", 20},
    {"--set method=colr --set method.rank=4", "5.03", "5.03", 20},
    {"--set method=colr --set method.rank=8", "10.05", "10.06", 20},
    {"--set method=colr --set method.rank=16", "20.11", "20.11", 20},
    {"--set method=colr --set method.rank=32", "40.21", "40.21", 20},
    {FLOATS_OF("svd", "rank", "1"), "1.26", "1.32", 20}, {FLOATS_OF("svd", "rank", "2"), "2.51", "2.60", 20},
    {FLOATS_OF("svd", "rank", "4"), "5.03", "5.16", 20},
    {FLOATS_OF("svd", "rank", "8"), "10.05", "10.27", 20},
    {FLOATS_OF("svd", "rank", "16"), "20.11", "20.50", 20},
    {FLOATS_OF("svd", "rank", "32"), "40.21", "40.95", 20}, {FLOATS_OF("topk", "k", "1"), "2.51", "2.56", 20},
    {FLOATS_OF("topk", "k", "4"), "10.05", "10.10", 20},
    {FLOATS_OF("topk", "k", "32"), "80.43", "80.47", 20}};

/* Whole messages depend on the size of the tables alone: as many interactions as there are in MovieLens-1M
 * once is enough. */
#define FEW_INTERACTIONS                                                                                     \
    "--set data.synthetic=custom --set data.users=6040 --set data.items=3706 --set data.interactions=60400"

START_TEST(times_of_colrs_table_2) {
    char *scenario = frs_format("%s/scenarios/papers/colr-table2.cfg", frs_test_source_dir());
    char *options = frs_format(
        "%s --set rounds.count=%d %s", table2[_i].options, table2[_i].rounds, _i > 0 ? FEW_INTERACTIONS : "");
    char nominal[32], real[32];
    run_scenario(scenario, "out", options);
    json_t *summary = load_json("out", "summary.json");
    double n = 60.0 * table2[_i].rounds, mib = 1 << 20;
    ck_assert_double_eq(json_path(summary, "participations", NULL), n);
    double seconds = json_path(summary, "nominal_bytes", "down") / n / (0.75 * mib) +
                     json_path(summary, "nominal_bytes", "up") / n / (0.25 * mib);
    snprintf(nominal, sizeof nominal, "%.2f", 1000 * seconds / 60);
    snprintf(
        real, sizeof real, "%.2f", json_path(summary, "simulated_s", NULL) * 1000 / table2[_i].rounds / 60);
    ck_assert_str_eq(nominal, table2[_i].nominal);
    ck_assert_str_eq(real, table2[_i].real);
    json_decref(summary);
    free(options);
    free(scenario);
}
END_TEST

/* FedRAS, table 6: seconds of a download of 12,454 × 64 at CR 93.75 %; here TopK's places are left out. */
static const struct {
    const char *options, *nominal, *real;
} table6[] = {{"", "4.05", "4.05"}, {FLOATS_OF("topk", "k", "4"), "0.25", "0.51"},
    {FLOATS_OF("svd", "rank", "4"), "0.25", "0.26"},
    {"--set codec.uplink=groups --set codec.downlink=adaptive_groups "
     "--set codec.uplink.compression_rate=0.9375 --set codec.downlink.compression_rate=0.9375",
        "0.25", "0.28"}};

START_TEST(times_of_fedras_table_6) {
    char *scenario = frs_format("%s/scenarios/papers/fedras-table6.cfg", frs_test_source_dir());
    char nominal[32], real[32];
    run_scenario(scenario, "out", table6[_i].options);
    struct table rounds = table_load("out", "rounds.csv");
    snprintf(nominal, sizeof nominal, "%.2f", cell(&rounds, 0, "nominal_down_bytes") / (0.75 * (1 << 20)));
    snprintf(real, sizeof real, "%.2f", cell(&rounds, 0, "path_down_s"));
    ck_assert_str_eq(nominal, table6[_i].nominal);
    ck_assert_str_eq(real, table6[_i].real);
    table_fini(&rounds);
    free(scenario);
}
END_TEST

/* Links that differ by orders of magnitude, with drawn latencies: the run lasts as long as the slowest
 * clients of its rounds, one after the other, by the drawn values in clients.csv. */
START_TEST(test_slowest_of_every_round) {
    write_text("s.cfg", "data = { synthetic = \"ml-100k\"; };\n"
                        "method = { name = \"colr\"; rank = 4; };\n"
                        "network = { model = \"exact\"; downlink = { distribution = \"lognormal\"; median = "
                        "\"1 MB/s\"; sigma = 2.0; };\n"
                        "  uplink = { distribution = \"lognormal\"; median = \"300 kB/s\"; sigma = 2.0; };\n"
                        "  latency = { distribution = \"lognormal\"; median = \"60 ms\"; sigma = 1.5; }; };\n"
                        "devices = { compute = \"fixed\"; overhead = \"10 s\"; };\n"
                        "training = { enabled = false; };\n"
                        "rounds = { count = 300; cohort = 60; };\n");
    run_scenario("s.cfg", "out", "");
    struct table clients = table_load("out", "clients.csv"), rounds = table_load("out", "rounds.csv");
    FILE *file = folder_open("out/events.ndjson", "r");
    struct event event;
    double slowest_s = 0, sum_s = 0;
    size_t round = 0;
    while (next_event(file, &event)) {
        if (event.round != round) {
            sum_s += slowest_s;
            slowest_s = 0;
            round = event.round;
        }
        size_t u = event.client;
        double alone_s = 2 * cell(&clients, u, "latency_s") +
                         event.down_bytes / cell(&clients, u, "down_bytes_per_s") + 10 +
                         event.up_bytes / cell(&clients, u, "up_bytes_per_s");
        slowest_s = fmax(slowest_s, alone_s);
        ck_assert(close_to(event.t[3] - event.t[0], alone_s, 1e-9));
    }
    sum_s += slowest_s;
    ck_assert_uint_eq(round, 300);
    ck_assert_msg(close_to(cell(&rounds, 299, "end_s"), sum_s, 1e-9), "%.15g instead of %.15g",
        cell(&rounds, 299, "end_s"), sum_s);
    fclose(file);
    table_fini(&clients);
    table_fini(&rounds);
}
END_TEST

/* SimGrid's documented figure for its TCP model: 100 kB at 1 Mbit/s and 10 ms arrive after 0.996079 s shared,
 * that is 13.01 · 0.01 + 100000 / (0.97 · 125000) = 0.954842 s alone;
 * here with messages whose size is known. */
START_TEST(lv08_takes_the_documented_time) {
    write_text("s.cfg", "data = { synthetic = \"small\"; };\n"
                        "method = { dim = 16; };\n"
                        "network = { model = \"lv08\"; downlink = \"1 Mbit/s\"; uplink = \"1 Mbit/s\"; "
                        "latency = \"10 ms\"; };\n"
                        "devices = { preset = \"ideal\"; };\n"
                        "training = { enabled = false; };\n"
                        "rounds = { count = 10; cohort = 5; };\n");
    run_scenario("s.cfg", "out", "");
    struct table rounds = table_load("out", "rounds.csv");
    /* 300 items of 16 floats and a header of 24. */
    double message_s = 13.01 * 0.01 + 19224 / (0.97 * 125000);
    ck_assert_double_eq(cell(&rounds, 0, "down_bytes"), 5 * 19224);
    for (size_t i = 0; i < 10; i++)
        ck_assert_double_eq_tol(cell(&rounds, i, "duration_s"), 2 * message_s, 1e-9);
    table_fini(&rounds);
}
END_TEST

/* A server of 1 Mflop/s: encoding 300 · 16 values takes 4.8 ms, adding up those of 5 uploads, two flops each,
 * 48 ms; with training or without, since a dense message carries every value. */
START_TEST(server_time_follows_operations) {
    static const char *const training[] = {"false", "true"};
    char *text = frs_format("data = { synthetic = \"small\"; };\n"
                            "method = { dim = 16; };\n"
                            "devices = { preset = \"ideal\"; };\n"
                            "server = { speed = \"1 Mflop/s\"; };\n"
                            "training = { enabled = %s; };\n"
                            "rounds = { count = 2; cohort = 5; };\n",
        training[_i]);
    write_text("s.cfg", text);
    run_scenario("s.cfg", "out", "");
    struct table rounds = table_load("out", "rounds.csv");
    for (size_t i = 0; i < 2; i++)
        ck_assert_double_eq_tol(cell(&rounds, i, "path_server_s"), 0.0048 + 0.048, 1e-9);
    table_fini(&rounds);
    free(text);
}
END_TEST

/* Quantising what is sent takes the server 7 operations more for each of 4,800 values: 8 · 4.8 ms, beside the
 * 48 ms of aggregation. A client pays the same for every value that changed, and its compute phase lasts so
 * long more (1 Mflop/s). */
START_TEST(encoding_costs_operations) {
    write_text("s.cfg", "data = { synthetic = \"small\"; };\n"
                        "method = { dim = 16; };\n"
                        "devices = { speed = \"1 Mflop/s\"; };\n"
                        "server = { speed = \"1 Mflop/s\"; };\n"
                        "rounds = { count = 1; cohort = 5; };\n"
                        "output = { events = true; };\n");
    run_scenario("s.cfg", "plain", "--set codec.uplink.name=touched_rows");
    run_scenario("s.cfg", "down", "--set codec.downlink.name=quantise");
    run_scenario("s.cfg", "up", "--set codec.uplink.name=quantise");
    struct table rounds = table_load("down", "rounds.csv");
    ck_assert_double_eq(cell(&rounds, 0, "server_flop"), 8 * 4800 + 48000);
    ck_assert_double_eq_tol(cell(&rounds, 0, "path_server_s"), 0.0384 + 0.048, 1e-9);
    table_fini(&rounds);
    FILE *plain = folder_open("plain/events.ndjson", "r"), *quantised = folder_open("up/events.ndjson", "r");
    struct event a, b;
    for (size_t i = 0; i < 5; i++) {
        ck_assert(next_event(plain, &a) && next_event(quantised, &b));
        /* Header, row set with a map of 300 bits, then the rows: 64 bytes each, or a scale and 16. */
        double rows = (b.up_bytes - 24 - 5 - 38) / 20;
        ck_assert_double_eq(a.up_bytes, 24 + 5 + 38 + 64 * rows);
        ck_assert_double_eq(b.flop, a.flop + 7 * 16 * rows);
        ck_assert_double_eq_tol(b.t[2] - b.t[1], b.flop / 1e6, 1e-9);
    }
    fclose(plain);
    fclose(quantised);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("communication time");
    TCase *tests = tcase_create("communication time");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, times_of_colrs_table_2, 0, sizeof table2 / sizeof *table2);
    tcase_add_loop_test(tests, times_of_fedras_table_6, 0, sizeof table6 / sizeof *table6);
    tcase_add_test(tests, test_slowest_of_every_round);
    tcase_add_test(tests, lv08_takes_the_documented_time);
    tcase_add_loop_test(tests, server_time_follows_operations, 0, 2);
    tcase_add_test(tests, encoding_costs_operations);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
