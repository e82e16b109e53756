/* Three clients with drawn links, from a data file of the test's own to the run directory: every time of
 * several rounds is recomputed from the drawn values, and what the program adds to them (bytes per message)
 * is known by hand. */
#include "tests/sim/run/fixture.h"

/* Three users, nine items, times ascending within a user. */
static const char interactions[] = "user,item,time\n"
                                   "a,1,1\na,2,2\na,3,3\na,4,4\n"
                                   "b,5,1\nb,6,2\nb,7,3\n"
                                   "c,8,1\nc,9,2\nc,1,3\nc,2,4\nc,3,5\n";

static const char data[] =
    "data = { format = \"csv\"; path = \"data.csv\"; csv_time = \"time\"; min_interactions = 3; };\n"
    "evaluation = { candidates = \"full\"; k = 3; };\n"
    "network = { model = \"exact\";\n"
    "  downlink = { distribution = \"lognormal\"; median = \"2 kB/s\"; sigma = 1.0; };\n"
    "  uplink = { distribution = \"uniform\"; low = \"100 B/s\"; high = \"900 B/s\"; };\n"
    "  latency = { distribution = \"lognormal\"; median = \"300 ms\"; sigma = 1.0; };\n"
    "};\n"
    "devices = { overhead = \"250 ms\"; slowdown = 2.0;\n"
    "  speed = { distribution = \"uniform\"; low = \"1000 flop/s\"; high = \"9000 flop/s\"; }; };\n";

/* 9 items × 4 numbers × 4 bytes behind a header of 24. */
enum { MESSAGE_BYTES = 9 * 4 * 4 + 24, N_ROUNDS = 5 };

static void setup(void) {
    folder_setup();
    write_text("data.csv", interactions);
}

static void write_scenario(const char *rest) {
    char *text = frs_format("%s%s", data, rest);
    write_text("s.cfg", text);
    free(text);
}

/* Each phase of `client` in a round that starts at `start_s`, by the closed form. */
static void hand(const struct table *clients, size_t client, double start_s, double flop, double t[4]) {
    double latency = cell(clients, client, "latency_s");
    t[0] = start_s;
    t[1] = t[0] + latency + MESSAGE_BYTES / cell(clients, client, "down_bytes_per_s");
    t[2] = t[1] + 0.25 + flop / cell(clients, client, "flop_per_s");
    t[3] = t[2] + latency + MESSAGE_BYTES / cell(clients, client, "up_bytes_per_s");
}

START_TEST(every_time_is_that_of_the_run) {
    write_scenario("method = { dim = 4; epochs = 2; };\nrounds = { count = 5; cohort = 3; };\n");
    run_scenario("s.cfg", "out", "");
    struct table clients = table_load("out", "clients.csv"), rounds = table_load("out", "rounds.csv");
    FILE *file = folder_open("out/events.ndjson", "r");
    ck_assert_uint_eq(clients.n_rows, 3);
    ck_assert_uint_eq(rounds.n_rows, N_ROUNDS);
    /* The newest and the second newest of every user are held out. */
    ck_assert_double_eq(cell(&clients, 0, "train_items"), 2);
    ck_assert_double_eq(cell(&clients, 1, "train_items"), 1);
    ck_assert_double_eq(cell(&clients, 2, "train_items"), 3);
    double start_s = 0;
    for (size_t round = 0; round < N_ROUNDS; round++) {
        double slowest_s = 0, path[3] = {0};
        size_t critical = 0;
        for (size_t client = 0; client < 3; client++) {
            struct event event;
            double t[4];
            ck_assert(next_event(file, &event));
            ck_assert_uint_eq(event.client, client);
            ck_assert_double_eq(event.down_bytes, MESSAGE_BYTES);
            ck_assert_double_eq(event.up_bytes, MESSAGE_BYTES);
            hand(&clients, client, start_s, event.flop, t);
            for (size_t i = 0; i < 4; i++)
                ck_assert_double_eq_tol(event.t[i], t[i], 1e-9);
            if (t[3] > slowest_s) {
                slowest_s = t[3];
                critical = client;
                path[0] = t[1] - t[0] - cell(&clients, client, "latency_s");
                path[1] = t[2] - t[1];
                path[2] = t[3] - t[2] - cell(&clients, client, "latency_s");
            }
        }
        ck_assert_double_eq_tol(cell(&rounds, round, "end_s"), slowest_s, 1e-9);
        ck_assert_double_eq(cell(&rounds, round, "critical_client"), (double)critical);
        ck_assert_double_eq_tol(cell(&rounds, round, "path_down_s"), path[0], 1e-9);
        ck_assert_double_eq_tol(cell(&rounds, round, "path_compute_s"), path[1], 1e-9);
        ck_assert_double_eq_tol(cell(&rounds, round, "path_up_s"), path[2], 1e-9);
        ck_assert_double_eq_tol(
            cell(&rounds, round, "path_latency_s"), 2 * cell(&clients, critical, "latency_s"), 1e-9);
        start_s = slowest_s;
    }
    fclose(file);
    table_fini(&clients);
    table_fini(&rounds);
}
END_TEST

/* Catching up, by hand. One client a round; CoLR of rank 1 on 9 items, d = 4: an update is 9 · 4 bytes, the
 * table 9 · 16. Headers: 24 per message; every section that is not the only one has its own, which the totals
 * must cover. A client that takes part knows all updates published before: under replay its bytes grow with
 * the rounds it missed. */
START_TEST(test_missed_rounds_cost) {
    write_scenario(
        "method = { name = \"colr\"; rank = 1; dim = 4; };\nrounds = { count = 12; cohort = 1; };\n");
    run_scenario("s.cfg", "ideal", "--set method.catchup=ideal");
    run_scenario("s.cfg", "replay", "--set method.catchup=replay");
    run_scenario("s.cfg", "full", "--set method.catchup=full");
    run_scenario("s.cfg", "cheapest", "--set method.catchup=cheapest");
    FILE *files[] = {folder_open("ideal/events.ndjson", "r"), folder_open("replay/events.ndjson", "r"),
        folder_open("full/events.ndjson", "r"), folder_open("cheapest/events.ndjson", "r")};
    double held[3] = {-1, -1, -1};
    for (uint32_t round = 1; round <= 12; round++) {
        struct event e[4];
        for (size_t i = 0; i < 4; i++) {
            ck_assert(next_event(files[i], &e[i]));
            ck_assert_uint_eq(e[i].round, round);
            ck_assert_uint_eq(e[i].client, e[0].client);
        }
        double *version = &held[e[0].client], now = round - 1.0;
        double update = 9 * 4, table = 9 * 16;
        /* ideal: one update, whatever was missed, even by a new client. */
        ck_assert_double_ge(e[0].down_bytes, update);
        ck_assert_double_le(e[0].down_bytes, update + 48);
        /* replay: the table at first contact, then what was missed, each with a little header of its own. */
        double missed = *version < 0 ? table : (now - *version) * update;
        double n_sections = *version < 0 ? 1 : now - *version;
        ck_assert_double_ge(e[1].down_bytes, missed);
        ck_assert_double_le(e[1].down_bytes, missed + 24 + 16 * n_sections);
        ck_assert_double_ge(e[2].down_bytes, table);
        ck_assert_double_le(e[2].down_bytes, table + 48);
        ck_assert_double_eq(e[3].down_bytes, fmin(e[1].down_bytes, e[2].down_bytes));
        *version = now;
    }
    for (size_t i = 0; i < 4; i++)
        fclose(files[i]);
}
END_TEST

START_TEST(no_timeline_without_a_run) {
    ck_assert_int_eq(shell("mkdir folder"), 0);
    ck_assert_int_eq(run_program("timeline folder"), 2);
    ck_assert_str_eq(frs_said, "fedrecsim: folder: is not a run directory: it has no manifest.json\n");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("timeline of a run");
    TCase *tests = tcase_create("three clients");
    tcase_add_checked_fixture(tests, setup, folder_teardown);
    tcase_add_test(tests, every_time_is_that_of_the_run);
    tcase_add_test(tests, test_missed_rounds_cost);
    tcase_add_test(tests, no_timeline_without_a_run);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
