/* Failures worked out by hand: a run in which the server restarts twice, an outage takes half of the clients
 * and a client dies in every phase; what dying does to a client's own model; and properties that hold
 * whatever the figures are. */
#include "tests/sim/run/fixture.h"

/* 247 items × 2 numbers × 4 bytes behind a header of 24 are 2000 bytes: 10 s down, 20 s up.
 * Alone on its links a client needs 1 + 10 down, 5 to compute, 1 + 20 up. */
static const char common[] =
    "seed = 3;\n"
    "data = { synthetic = \"custom\"; users = 12; items = 247; interactions = 400; activity_ceiling = 0.4; "
    "};\n"
    "evaluation = { negatives = 20; view = \"device\"; };\n"
    "method = { name = \"fedmf\"; dim = 2; epochs = 20; optimiser = \"adam\"; learning_rate = 0.1; };\n"
    "network = { model = \"exact\"; preset = \"none\"; downlink = \"200 B/s\"; uplink = \"100 B/s\"; latency "
    "= \"1 s\"; };\n"
    "devices = { compute = \"fixed\"; overhead = \"5 s\"; };\n";

#define LATENCY 1
#define MESSAGE 2000.0
#define DOWN_RATE 200
#define UP_RATE 100

enum { N_CLIENTS = 12 };

static void write_scenario(const char *rest) {
    char *text = frs_format("%s%s", common, rest);
    write_text("s.cfg", text);
    free(text);
}

/* ---- a day in the life ---------------------------------------------------------------------------------
 *
 *    0       round 1. Client 2 is offline: the server waits for it until 3
 *    6.0525  client 1 leaves in mid-download
 *    8       the server restarts; ten downloads are cut
 *   20       round 1 again. Clients 1 and 2 are offline
 *   25.5025  client 3 leaves in mid-download
 *   33.5     client 4 leaves half-way through computing, which lasts from 31 to 36
 *   36.25    client 5 leaves before the first byte of its upload, due at 37
 *   47.505   client 6 leaves in mid-upload; the server learns of it 15 s later
 *   57       the others have delivered
 *   62.505   round 1 is closed; round 2. Clients 1, 3, 4, 5 and 6 are offline for good, 2 has come
 *   70.0075  an outage takes clients 0, 2, 4, 6, 8, 10 until 80
 *   99.505   clients 7, 9 and 11 have delivered; round 3
 *  130.26    client 9 leaves in mid-upload; the server would learn of it at 145.26
 *  136.505   the others have delivered
 *  140       the server restarts before it has aggregated them
 *  152       round 3 again
 *  189       the end */
static const char sessions[] =
    "0,0,1000\n1,0,6.0525\n2,50,1000\n3,0,25.5025\n4,0,33.5\n5,0,36.25\n6,0,47.505\n7,0,1000\n8,0,1000\n"
    "9,0,130.26\n10,0,1000\n11,0,1000\n";

static const char life[] =
    "training = { enabled = false; };\n"
    "availability = { model = \"trace\"; file = \"sessions.csv\"; "
    "outages = \"region 1 of 2 from 70.0075 s to 80 s\"; };\n"
    "failures = { server_restarts = \"140 s, 8 s\"; restart = \"12 s\"; detect = \"15 s\"; };\n"
    "rounds = { count = 3; cohort = 12; \n"
    "  selection = { sees_availability = false; contact_timeout = \"3 s\"; }; };\n";

/* One letter per client: Delivered, cut by the Restart, Unavailable, dropped Going down, in Computing, going
 * uP. */
static const struct {
    double round, attempt, lost, restart_s, start_s, end_s;
    const char *outcomes;
    double death_s[N_CLIENTS]; /* of G, C and P */
} rows[] = {
    {1, 0, 1, 0, 0, 8, "RGURRRRRRRRR", {[1] = 6.0525}},
    {1, 1, NAN, 12, 20, 62.505, "DUUGCPPDDDDD", {[3] = 25.5025, [4] = 33.5, [5] = 36.25, [6] = 47.505}},
    {2, 0, NAN, 0, 62.505, 99.505, "GUGUUUUDGDGD",
        {[0] = 70.0075, [2] = 70.0075, [8] = 70.0075, [10] = 70.0075}},
    {3, 0, 1, 0, 99.505, 140, "DUDUUUUDDPDD", {[9] = 130.26}},
    {3, 1, NAN, 12, 152, 189, "DUDUUUUDDUDD", {0}},
};
enum { N_ROWS = 5 };

struct known_outcome {
    const char *outcome, *cause, *last_phase;
    double ended_s, down_bytes, up_bytes;
};

/* Whole bytes that cross from a time on, after the latency. */
static double crossed(double from_s, double to_s, double rate) {
    double bytes = floor((to_s - from_s - LATENCY) * rate);
    return bytes > 0 ? fmin(bytes, MESSAGE) : 0;
}

static struct known_outcome known_outcome_of(char letter, double start_s, double death_s, double end_s) {
    switch (letter) {
    case 'D':
        return (struct known_outcome){"delivered", NULL, "up", start_s + 37, MESSAGE, MESSAGE};
    case 'R':
        return (struct known_outcome){
            "cut", "server_restart", "down", end_s, crossed(start_s, end_s, DOWN_RATE), 0};
    case 'U':
        return (struct known_outcome){"unavailable", "offline", "contact", start_s + 3, 0, 0};
    case 'G':
        return (struct known_outcome){
            "dropped_down", "offline", "down", death_s, crossed(start_s, death_s, DOWN_RATE), 0};
    case 'C':
        return (struct known_outcome){"dropped_compute", "offline", "compute", death_s, MESSAGE, 0};
    default:
        return (struct known_outcome){
            "dropped_up", "offline", "up", death_s, MESSAGE, crossed(start_s + 16, death_s, UP_RATE)};
    }
}

static void same_text(json_t *line, const char *key, const char *hand) {
    const char *text = json_string_value(json_object_get(line, key));
    ck_assert_msg(hand ? text && strcmp(text, hand) == 0 : !text, "%s: %s instead of %s", key,
        text ? text : "none", hand ? hand : "none");
}

/* Reads the lines of one participation. `SimGrid`'s count of a broken message may miss a byte. */
static void check_outcome(FILE *file, size_t row, uint32_t client, double slack_bytes) {
    static const char *const phases[] = {"down", "compute", "up"};
    const double starts[] = {rows[row].start_s, rows[row].start_s + 11, rows[row].start_s + 16};
    struct known_outcome known_outcome = known_outcome_of(
        rows[row].outcomes[client], rows[row].start_s, rows[row].death_s[client], rows[row].end_s);
    if (!isnan(rows[row].lost) && rows[row].outcomes[client] == 'D')
        known_outcome.cause = "server_restart"; /* delivered in vain */
    double down_bytes = 0, up_bytes = 0;
    for (size_t i = 0; i < 3; i++) {
        json_t *line = next_line(file);
        bool last = strcmp(known_outcome.last_phase, "contact") == 0 ||
                    strcmp(known_outcome.last_phase, phases[i]) == 0;
        ck_assert_double_eq(json_of(line, "client"), client);
        ck_assert_double_eq(json_of(line, "round"), rows[row].round);
        ck_assert_double_eq(json_of(line, "attempt"), rows[row].attempt);
        same_text(line, "phase", last ? known_outcome.last_phase : phases[i]);
        ck_assert_double_eq_tol(json_of(line, "t0_s"), starts[i], 1e-9);
        *(i == 2 ? &up_bytes : &down_bytes) += json_of(line, "bytes");
        same_text(line, "outcome", last ? known_outcome.outcome : NULL);
        same_text(line, "cause", last ? known_outcome.cause : NULL);
        ck_assert_double_eq_tol(json_of(line, "t1_s"), last ? known_outcome.ended_s : starts[i + 1], 1e-9);
        json_decref(line);
        if (last)
            break;
    }
    ck_assert_double_eq_tol(down_bytes, known_outcome.down_bytes, slack_bytes);
    ck_assert_double_eq_tol(up_bytes, known_outcome.up_bytes, slack_bytes);
}

static double count(const char *outcomes, char letter) {
    double n = 0;
    for (size_t i = 0; outcomes[i]; i++)
        n += outcomes[i] == letter;
    return n;
}

static void check_row(const struct table *table, size_t row) {
    const char *outcomes = rows[row].outcomes;
    bool lost = !isnan(rows[row].lost);
    double delivered = count(outcomes, 'D');
    ck_assert_double_eq(cell(table, row, "round"), rows[row].round);
    ck_assert_double_eq(cell(table, row, "attempt"), rows[row].attempt);
    ck_assert_int_eq(!isnan(cell(table, row, "lost")), lost);
    ck_assert_double_eq_tol(cell(table, row, "idle_s"), 0, 1e-9);
    ck_assert_double_eq_tol(cell(table, row, "restart_s"), rows[row].restart_s, 1e-9);
    ck_assert_double_eq_tol(cell(table, row, "start_s"), rows[row].start_s, 1e-9);
    ck_assert_double_eq_tol(cell(table, row, "end_s"), rows[row].end_s, 1e-9);
    ck_assert_double_eq(cell(table, row, "selected"), N_CLIENTS);
    ck_assert_double_eq(cell(table, row, "delivered"), delivered);
    ck_assert_double_eq(cell(table, row, "cut"), count(outcomes, 'R'));
    ck_assert_double_eq(cell(table, row, "unavailable"), count(outcomes, 'U'));
    ck_assert_double_eq(cell(table, row, "dropped_down"), count(outcomes, 'G'));
    ck_assert_double_eq(cell(table, row, "dropped_compute"), count(outcomes, 'C'));
    ck_assert_double_eq(cell(table, row, "dropped_up"), count(outcomes, 'P'));
    /* What was delivered to a server that then restarts is wasted as well. */
    double used = lost ? 0 : delivered * MESSAGE;
    ck_assert_double_eq(cell(table, row, "down_bytes") - cell(table, row, "wasted_down_bytes"), used);
    ck_assert_double_eq(cell(table, row, "up_bytes") - cell(table, row, "wasted_up_bytes"), used);
}

/* A client that was not reachable in a lost round is not lost as well. */
static void check_clients(void) {
    struct table clients = table_load("out", "clients.csv");
    for (size_t client = 0; client < N_CLIENTS; client++) {
        double delivered = 0, unavailable = 0;
        for (size_t row = 0; row < N_ROWS; row++) {
            delivered += isnan(rows[row].lost) && rows[row].outcomes[client] == 'D';
            unavailable += rows[row].outcomes[client] == 'U';
        }
        ck_assert_double_eq(cell(&clients, client, "participations"), N_ROWS);
        ck_assert_double_eq(cell(&clients, client, "delivered"), delivered);
        ck_assert_double_eq(cell(&clients, client, "unavailable"), unavailable);
        ck_assert_double_eq(cell(&clients, client, "lost"), N_ROWS - delivered - unavailable);
    }
    table_fini(&clients);
}

static const char *const backends[] = {"calendar", "actors", "simgrid"};

START_TEST(outcomes_are_those_by_hand) {
    char *options = frs_format("--set engine.backend=%s", backends[_i]);
    write_text("sessions.csv", sessions);
    write_scenario(life);
    run_scenario("s.cfg", "out", options);
    struct table table = table_load("out", "rounds.csv");
    FILE *file = folder_open("out/events.ndjson", "r");
    ck_assert_uint_eq(table.n_rows, N_ROWS);
    for (size_t row = 0; row < N_ROWS; row++) {
        check_row(&table, row);
        for (uint32_t client = 0; client < N_CLIENTS; client++)
            check_outcome(file, row, client, _i == 2 ? 1.5 : 0.5);
    }
    check_clients();
    ck_assert_ptr_null(next_line(file));
    fclose(file);
    table_fini(&table);
    free(options);
}
END_TEST

/* ---- a client's own model -------------------------------------------------------------------- */

/* Rank of the held-out item on every device, after a round in which the sessions of even and of odd clients
 * end at these times. */
static void ranks_after(const char *out, double even_s, double odd_s, double ranks[N_CLIENTS]) {
    FILE *file = folder_open("sessions.csv", "w");
    for (uint32_t client = 0; client < N_CLIENTS; client++)
        if ((client % 2 ? odd_s : even_s) > 0)
            fprintf(file, "%u,0,%g\n", client, client % 2 ? odd_s : even_s);
    fprintf(file, "0,1000000,1000001\n"); /* long after the round: the file is not empty */
    fclose(file);
    run_scenario("s.cfg", out, "");
    struct table clients = table_load(out, "clients.csv");
    for (uint32_t client = 0; client < N_CLIENTS; client++)
        ranks[client] = cell(&clients, client, "rank");
    table_fini(&clients);
}

static size_t n_different(const double *a, const double *b) {
    size_t n = 0;
    for (size_t i = 0; i < N_CLIENTS; i++)
        n += a[i] != b[i];
    return n;
}

/* A client that dies computing (11 to 16) is left with what it had; one that dies uploading keeps what it has
 * learnt, though the server never sees it. */
START_TEST(failed_clients_keep_what_they_committed) {
    double never[N_CLIENTS], computing[N_CLIENTS], uploading[N_CLIENTS], delivering[N_CLIENTS],
        both[N_CLIENTS];
    write_scenario("availability = { model = \"trace\"; file = \"sessions.csv\"; };\n"
                   "rounds = { count = 1; cohort = 12; selection = { sees_availability = false; }; };\n");
    ranks_after("never", 0, 0, never);
    ranks_after("computing", 15.9, 15.9, computing);
    ranks_after("uploading", 16.1, 36.9, uploading);
    ranks_after("delivering", 1000, 1000, delivering);
    ranks_after("both", 15.9, 20, both);
    ck_assert_uint_eq(n_different(computing, never), 0);
    ck_assert_uint_eq(n_different(uploading, delivering), 0);
    ck_assert_uint_gt(n_different(computing, uploading), N_CLIENTS / 2);
    for (size_t i = 0; i < N_CLIENTS; i++)
        ck_assert_double_eq(both[i], i % 2 ? uploading[i] : computing[i]);
}
END_TEST

/* ---- invariants ------------------------------------------------------------------------------ */

static void same_files(const char *a, const char *b) {
    static const char *const files[] = {"rounds.csv", "events.ndjson", "clients.csv"};
    for (size_t i = 0; i < 3; i++)
        ck_assert_msg(shell("cmp %s/%s %s/%s", a, files[i], b, files[i]) == 0, "%s differs", files[i]);
}

/* Failures that never strike are no failures. */
START_TEST(probability_zero_fails_none) {
    write_scenario("rounds = { count = 3; cohort = 8; };\n");
    run_scenario("s.cfg", "without", "");
    run_scenario("s.cfg", "zero",
        "--set failures.down=0 --set failures.compute=0 --set failures.up=0 --set failures.connection_down=0 "
        "--set failures.connection_up=0 --set 'failures.device_mtbf=0 s' --set 'failures.connection_mtbf=0 "
        "s'");
    same_files("without", "zero");
    run_scenario("s.cfg", "present", "--set availability.model=bernoulli --set availability.p=1");
    same_files("without", "present");
}
END_TEST

static const char drawn[] =
    " downlink = { distribution = \"lognormal\"; median = \"%d %s\"; };"
    " uplink = { distribution = \"lognormal\"; median = \"%d %s\"; }; latency = \"1 s\";";
static const char shared[] = " downlink = \"%d %s\"; uplink = \"%d %s\"; latency = \"0 s\";"
                             " server_downlink = \"%d B/s\"; server_uplink = \"%d B/s\";";

/* The common scenario on other links and devices. */
static void write_links(const char *name, const char *links, const char *rest) {
    const char *network = strstr(common, "network =");
    char *text = frs_format("%.*snetwork = { model = \"exact\"; preset = \"none\";%s };\n%s",
        (int)(network - common), common, links, rest);
    write_text(name, text);
    free(text);
}

/* On private links no client depends on another one, as long as the round does not wait for it. */
START_TEST(an_absent_client_changes_no_other) {
    write_text("all.csv", "0,0,1000000\n1,0,1000000\n2,0,1000000\n3,0,1000000\n4,0,1000000\n5,0,1000000\n"
                          "6,0,1000000\n7,0,1000000\n8,0,1000000\n9,0,1000000\n10,0,1000000\n11,0,1000000\n");
    char *links = frs_format(drawn, 200, "B/s", 100, "B/s");
    write_links("s.cfg", links,
        "devices = { compute = \"fixed\"; overhead = \"5 s\"; };\n"
        "training = { enabled = false; };\navailability = { model = \"trace\"; file = \"sessions.csv\"; };\n"
        "rounds = { count = 4; cohort = 12; selection = { sees_availability = false; contact_timeout = \"1 "
        "s\"; };"
        " };\n");
    free(links);
    ck_assert_int_eq(shell("cp all.csv sessions.csv"), 0);
    run_scenario("s.cfg", "with", "");
    struct table table = table_load("with", "rounds.csv");
    int absent = (int)cell(&table, 0, "critical_client") == 5 ? 6 : 5;
    table_fini(&table);
    ck_assert_int_eq(shell("grep -v '^%d,' all.csv >sessions.csv", absent), 0);
    run_scenario("s.cfg", "without", "");
    ck_assert_int_eq(
        shell("for run in with without; do grep -v '\"client\":%d,' $run/events.ndjson >$run.others; "
              "done; cmp with.others without.others && test $(wc -l <with.others) = 132",
            absent),
        0);
    ck_assert_int_eq(
        shell("test $(grep -c '\"client\":%d,.*unavailable' without/events.ndjson) = 4", absent), 0);
}
END_TEST

static void check_half(const char *file, const char *const *columns, double slack) {
    struct table once = table_load("once", file), twice = table_load("twice", file);
    ck_assert_uint_eq(once.n_rows, twice.n_rows);
    for (; *columns; columns++) {
        ck_assert_double_gt(column_sum(&once, *columns), 0);
        for (size_t i = 0; i < once.n_rows; i++)
            ck_assert_msg(close_to(cell(&once, i, *columns), 2 * cell(&twice, i, *columns), slack),
                "%s, row %zu: %.15g is not half of %.15g", *columns, i + 1, cell(&twice, i, *columns),
                cell(&once, i, *columns));
    }
    table_fini(&once);
    table_fini(&twice);
}

static const char broken[] =
    "failures = { down = 0.2; connection_up = 0.3; retry = { times = 0; }; detect = \"0 s\"; };\n"
    "rounds = { count = 4; cohort = 10; };\n";

/* Twice the bandwidth is half the time of every transfer; drawn capacities are whole bytes/s. */
START_TEST(test_twice_the_bandwidth) {
    char *rest = frs_format("devices = { compute = \"fixed\"; overhead = \"5 s\"; };\n%s", broken);
    char *once = frs_format(drawn, 20, "MB/s", 10, "MB/s"),
         *twice = frs_format(drawn, 40, "MB/s", 20, "MB/s");
    write_links("once.cfg", once, rest);
    write_links("twice.cfg", twice, rest);
    run_scenario("once.cfg", "once", "");
    run_scenario("twice.cfg", "twice", "");
    check_half("clients.csv", (const char *const[]){"down_s", "up_s", NULL}, 1e-6);
    free(once);
    free(twice);
    free(rest);
}
END_TEST

/* Where there is nothing but transfers it is half of everything, contention among messages of different
 * lengths and broken ones included. */
START_TEST(twice_the_rates_take_half_the_time) {
    char *rest =
        frs_format("devices = { compute = \"none\"; };\ncodec = { uplink = \"touched_rows\"; };\n%s", broken);
    char *once = frs_format(shared, 200, "B/s", 100, "B/s", 900, 300),
         *twice = frs_format(shared, 400, "B/s", 200, "B/s", 1800, 600);
    write_links("once.cfg", once, rest);
    write_links("twice.cfg", twice, rest);
    run_scenario("once.cfg", "once", "");
    run_scenario("twice.cfg", "twice", "");
    check_half("clients.csv", (const char *const[]){"down_s", "up_s", NULL}, 1e-12);
    check_half("rounds.csv", (const char *const[]){"end_s", "duration_s", NULL}, 1e-12);
    free(once);
    free(twice);
    free(rest);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("failures by hand");
    TCase *tests = tcase_create("failures by hand");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, outcomes_are_those_by_hand, 0, 3);
    tcase_add_test(tests, failed_clients_keep_what_they_committed);
    tcase_add_test(tests, probability_zero_fails_none);
    tcase_add_test(tests, an_absent_client_changes_no_other);
    tcase_add_test(tests, test_twice_the_bandwidth);
    tcase_add_test(tests, twice_the_rates_take_half_the_time);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
