/* Partial work: what a participation is charged, how long it computes and what it uploads are of the same
 * epochs, whenever it turns out how many these are. */
#include "tests/sim/run/fixture.h"

enum { N_CLIENTS = 200 };

/* Epochs differ in length, since training stops early: some clients have ended the epoch they were thought to
 * be in, and go on to the next, which may be the last. */
static const char scenario[] =
    "seed = 1;\n"
    "data = { synthetic = \"small\"; };\n"
    "method = { name = \"fedmf\"; dim = 16; epochs = 2; optimiser = \"adam\"; learning_rate = 0.01; "
    "aggregation = \"data_size\"; init_sd = 1; user_init = \"shared\"; };\n"
    "network = { model = \"exact\"; preset = \"none\"; downlink = \"1 MB/s\"; uplink = \"1 MB/s\"; latency = "
    "\"0 s\"; };\n"
    "devices = { compute = \"flops\"; speed = { distribution = \"lognormal\"; median = \"20 kflop/s\"; "
    "sigma = 0.7; }; };\n"
    "rounds = { count = 20; cohort = 100; policy = { name = \"partial_work\"; after = \"8 s\"; "
    "grace = \"600 s\"; }; };\n";

static const char *const backends[] = {"calendar", "actors", "simgrid"};

/* Alone with its device a client computes for flops / speed, to the rounding of a time. */
START_TEST(test_time_of_what_was_computed) {
    char *options = frs_format("--set engine.backend=%s", backends[_i]);
    double speed[N_CLIENTS];
    struct event event;
    write_text("s.cfg", scenario);
    run_scenario("s.cfg", "out", options);
    struct table clients = table_load("out", "clients.csv");
    ck_assert_uint_le(clients.n_rows, N_CLIENTS);
    for (size_t u = 0; u < clients.n_rows; u++)
        speed[u] = cell(&clients, u, "flop_per_s");
    FILE *file = folder_open("out/events.ndjson", "r");
    size_t n = 0;
    for (; next_event(file, &event); n++) {
        double hand_s = event.flop / speed[event.client];
        ck_assert_msg(fabs(event.t[2] - event.t[1] - hand_s) < 2e-10,
            "client %u computes %.15g s in round %u, and is charged %.15g s", event.client,
            event.t[2] - event.t[1], event.round, hand_s);
        if (event.client == 111 && event.round == 14) /* ends its first epoch 0.47 s before the time */
            ck_assert_double_eq_tol(event.t[2] - event.t[1], 16.1075424861, 1e-9);
    }
    ck_assert_uint_eq(n, 2000);
    fclose(file);
    table_fini(&clients);
    free(options);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("partial work");
    TCase *tests = tcase_create("partial work");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, test_time_of_what_was_computed, 0, 3);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
