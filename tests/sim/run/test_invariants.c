/* The books of a run, read by a stranger: over scenarios of every kind, the four files agree with each other
 * and every duration is the closed form of what clients.csv says. */
#include "tests/sim/run/fixture.h"

/* 15 digits are written; sums of a few thousand terms lose a little more. */
#define SAME 1e-9

static const char *const methods[] = {
    "name = \"fedmf\"; dim = 8; epochs = 2;",
    ("name = \"fedmf\"; dim = 5; epochs = 1; optimiser = \"sgd\"; learning_rate = 0.1;"
     " aggregation = \"per_item\";"),
    "name = \"fedrap\"; dim = 6; epochs = 2;",
    "name = \"fedrap\"; dim = 4; epochs = 2; variant = \"published_code\";",
    "name = \"fedncf\"; dim = 6; epochs = 2; layers = \"8,4\";",
    "name = \"gpfedrec\"; dim = 6; epochs = 2; layers = \"8\";",
    "name = \"colr\"; dim = 8; rank = 2; catchup = \"ideal\";",
    "name = \"colr\"; dim = 8; rank = 2; catchup = \"replay\";",
    "name = \"colr\"; dim = 8; rank = 3; catchup = \"replay\"; init = \"seed\";",
    "name = \"colr_ncf\"; dim = 6; rank = 2; layers = \"8\"; catchup = \"full\";",
    "name = \"colr\"; dim = 6; rank = 1; catchup = \"cheapest\"; variant = \"paper\";",
    "name = \"colr\"; dim = 8; rank = 4; catchup = \"cheapest\"; init = \"seed\";",
};

static const char *const networks[] = {
    "model = \"exact\"; preset = \"fieldguide\";",
    "model = \"exact\"; preset = \"ideal\";",
    "model = \"exact\"; downlink = \"6 Mbit/s\"; uplink = \"1 Mbit/s\"; latency = \"40 ms\";",
    "model = \"exact\"; downlink = { distribution = \"lognormal\"; median = \"1 MB/s\"; sigma = 1.0; };"
    " uplink = { distribution = \"uniform\"; low = \"20 kB/s\"; high = \"200 kB/s\"; };"
    " latency = { distribution = \"lognormal\"; median = \"50 ms\"; };",
    "model = \"exact\"; downlink = { distribution = \"uniform\"; low = \"1 Mbit/s\"; high = \"9 Mbit/s\"; };"
    " uplink = { distribution = \"lognormal\"; median = \"100 kB/s\"; };"
    " latency = { distribution = \"uniform\"; low = \"0 ms\"; high = \"200 ms\"; };",
    "model = \"lv08\"; downlink = \"6 Mbit/s\"; uplink = \"1 Mbit/s\"; latency = \"20 ms\";",
};

static const char *const devices[] = {
    "preset = \"fieldguide\";",
    ("compute = \"flops\"; overhead = \"2 s\"; slowdown = 3.0;"
     " speed = { distribution = \"lognormal\"; median = \"10 Mflop/s\"; };"),
    "compute = \"fixed\"; overhead = \"1500 ms\";",
    "preset = \"ideal\";",
};

static const char *const datas[] = {
    "synthetic = \"small\";",
    "synthetic = \"small\"; validation = \"train\";",
    "synthetic = \"small\"; split = \"ratio\"; validation_ratio = 0.1;",
    ("synthetic = \"custom\"; users = 60; items = 220; interactions = 1200; activity_ceiling = 0.5;"
     " order = \"random\";"),
};

static const char *const evaluations[] = {
    "every = 2;",
    "view = \"device\"; protocol = \"leaky\";",
    "candidates = \"full\"; k = 5;",
    "protocol = \"lookahead\"; negatives = 20; k = 3;",
};

static const char *const codecs[] = {"", "uplink = \"touched_rows\";", "downlink = \"touched_rows\";",
    "uplink = \"touched_rows\"; downlink = \"touched_rows\";"};

enum { N_SCENARIOS = 32 };

#define PICK(list, stride) list[(unsigned)(i * (stride) + i / 8) % (sizeof list / sizeof *list)]

/* Every scenario differs from its neighbours in everything; a fourth of them is timing only. */
static void write_scenario(unsigned i) {
    bool timing_only = i % 4 == 3;
    FILE *file = folder_open("s.cfg", "w");
    fprintf(file, "seed = %u;\ndata = { %s };\nmethod = { %s };\nnetwork = { %s };\n", i + 1, PICK(datas, 3),
        PICK(methods, 1), PICK(networks, 1));
    fprintf(file, "devices = { %s };\n", timing_only ? devices[2 + i / 4 % 2] : PICK(devices, 1));
    fprintf(file, "codec = { %s };\n", timing_only ? "" : PICK(codecs, 5));
    fprintf(file, "evaluation = { %s };\n", PICK(evaluations, 1));
    fprintf(file, "rounds = { count = %u; cohort = %s; };\n", 3 + i % 5, i % 3 ? "\"20 %\"" : "7");
    if (timing_only)
        fprintf(file, "training = { enabled = false; };\n");
    fclose(file);
}

static void agree(const char *what, double a, double b) {
    ck_assert_msg(close_to(a, b, SAME), "%s: %.15g and %.15g", what, a, b);
}

/* T = L_d + S_down/B_down + C + F/v + L_u + S_up/B_up, phase by phase. `bench` is what the devices charge on
 * top. */
static void check_event(
    const struct event *event, const struct table *clients, bool lv08, double overhead_s) {
    size_t row = event->client;
    double latency = cell(clients, row, "latency_s"), speed = cell(clients, row, "flop_per_s");
    double share = lv08 ? 0.97 : 1, start = (lv08 ? 13.01 : 1) * latency;
    double down = start + event->down_bytes / (share * cell(clients, row, "down_bytes_per_s"));
    double up = start + event->up_bytes / (share * cell(clients, row, "up_bytes_per_s"));
    double compute = overhead_s + (isnan(speed) ? 0 : event->flop / speed);
    /* Times are written with 15 digits, so differences of times are as exact as the times are large. */
    double slack = 1e-9 * (event->t[3] - event->t[0]) + 2e-15 * event->t[3];
    ck_assert_double_eq_tol(event->t[1] - event->t[0], down, slack);
    ck_assert_double_eq_tol(event->t[2] - event->t[1], compute, slack);
    ck_assert_double_eq_tol(event->t[3] - event->t[2], up, slack);
}

struct open_rows {
    bool lv08, training;
    double overhead_s;
    struct table rounds, clients;
    json_t *summary;
};

static double overhead_of(json_t *scenario) {
    const char *compute = json_string_value(json_object_get(scenario, "devices.compute"));
    if (strcmp(compute, "none") == 0)
        return 0;
    const char *text = json_string_value(json_object_get(scenario, "devices.overhead"));
    char *end;
    double value = strtod(text, &end);
    ck_assert_str_eq(end, " s");
    return value;
}

static struct open_rows open_books(void) {
    json_t *manifest = load_json("out", "manifest.json");
    json_t *scenario = json_object_get(manifest, "scenario");
    struct open_rows open_rows = {
        .lv08 = strcmp(json_string_value(json_object_get(scenario, "network.model")), "lv08") == 0,
        .overhead_s = overhead_of(scenario),
        .rounds = table_load("out", "rounds.csv"),
        .clients = table_load("out", "clients.csv"),
        .summary = load_json("out", "summary.json"),
    };
    open_rows.training = json_is_true(json_object_get(open_rows.summary, "training"));
    json_decref(manifest);
    return open_rows;
}

static void close_books(struct open_rows *open_rows) {
    table_fini(&open_rows->rounds);
    table_fini(&open_rows->clients);
    json_decref(open_rows->summary);
}

static void check_rounds(const struct open_rows *open_rows) {
    const struct table *rounds = &open_rows->rounds;
    double end_s = 0;
    for (size_t i = 0; i < rounds->n_rows; i++) {
        double path = 0;
        static const char *const parts[] = {"path_setup_s", "path_retry_s", "path_down_s", "path_compute_s",
            "path_up_s", "path_latency_s", "path_server_s", "path_wait_s"};
        for (size_t j = 0; j < sizeof parts / sizeof *parts; j++) {
            ck_assert_double_ge(cell(rounds, i, parts[j]), 0);
            path += cell(rounds, i, parts[j]);
        }
        ck_assert_double_eq(cell(rounds, i, "round"), (double)i + 1);
        agree("start of a round", cell(rounds, i, "start_s"), end_s);
        end_s = cell(rounds, i, "end_s");
        ck_assert_double_gt(cell(rounds, i, "duration_s"), 0);
        agree("duration", cell(rounds, i, "duration_s"), end_s - cell(rounds, i, "start_s"));
        agree("critical path", path, cell(rounds, i, "duration_s"));
        ck_assert_double_eq(cell(rounds, i, "selected"), cell(rounds, i, "delivered"));
        ck_assert_double_eq(cell(rounds, i, "wasted_down_bytes"), 0);
        ck_assert_double_eq(cell(rounds, i, "wasted_up_bytes"), 0);
        ck_assert_double_eq(cell(rounds, i, "wasted_flop"), 0);
        ck_assert_int_eq(cell(rounds, i, "flop") > 0, open_rows->training);
    }
    agree("simulated_s", json_path(open_rows->summary, "simulated_s", NULL), end_s);
    ck_assert_double_eq(json_path(open_rows->summary, "rounds", NULL), (double)rounds->n_rows);
}

static void check_totals(const struct open_rows *open_rows) {
    static const struct {
        const char *first, *second, *column, *client_column;
    } sums[] = {{"participations", NULL, "selected", "participations"},
        {"outcomes", "delivered", "delivered", "delivered"}, {"bytes", "down", "down_bytes", "down_bytes"},
        {"bytes", "up", "up_bytes", "up_bytes"}, {"nominal_bytes", "down", "nominal_down_bytes", NULL},
        {"nominal_bytes", "up", "nominal_up_bytes", NULL}, {"flop", NULL, "flop", "flop"},
        {"wasted_flop", NULL, "wasted_flop", NULL}, {"critical_path", "down_s", "path_down_s", NULL},
        {"critical_path", "compute_s", "path_compute_s", NULL}, {"critical_path", "up_s", "path_up_s", NULL},
        {"critical_path", "latency_s", "path_latency_s", NULL},
        {"critical_path", "server_s", "path_server_s", NULL},
        {"critical_path", "wait_s", "path_wait_s", NULL}};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++) {
        double total = json_path(open_rows->summary, sums[i].first, sums[i].second);
        agree(sums[i].column, total, column_sum(&open_rows->rounds, sums[i].column));
        if (sums[i].client_column)
            agree(sums[i].client_column, total, column_sum(&open_rows->clients, sums[i].client_column));
    }
    ck_assert_double_eq(json_path(open_rows->summary, "bytes", "wasted"), 0);
    ck_assert_double_ge(
        json_path(open_rows->summary, "bytes", "up"), json_path(open_rows->summary, "nominal_bytes", "up"));
}

struct sums {
    double n, down, up, flop, end_s, slowest;
    uint32_t last;
};

static void check_sums(const struct sums *sums, const struct table *rounds, size_t row) {
    agree("participations", sums->n, cell(rounds, row, "selected"));
    agree("bytes down", sums->down, cell(rounds, row, "down_bytes"));
    agree("bytes up", sums->up, cell(rounds, row, "up_bytes"));
    agree("flop", sums->flop, cell(rounds, row, "flop"));
    agree("end", sums->end_s, cell(rounds, row, "end_s"));
    ck_assert_double_eq(sums->slowest, cell(rounds, row, "critical_client"));
}

/* Rounds in order, clients ascending within them, every phase in closed form; the sums are those of
 * rounds.csv. */
static void check_events(const struct open_rows *open_rows) {
    FILE *file = folder_open("out/events.ndjson", "r");
    struct event event;
    struct sums sums = {0};
    size_t round = 0;
    while (next_event(file, &event)) {
        if (event.round != round) {
            ck_assert_uint_eq(event.round, round + 1);
            if (round > 0)
                check_sums(&sums, &open_rows->rounds, round - 1);
            sums = (struct sums){0};
            round = event.round;
        } else {
            ck_assert_uint_gt(event.client, sums.last);
        }
        check_event(&event, &open_rows->clients, open_rows->lv08, open_rows->overhead_s);
        ck_assert_double_eq(event.t[0], cell(&open_rows->rounds, round - 1, "start_s"));
        sums.last = event.client;
        sums.n++;
        sums.down += event.down_bytes;
        sums.up += event.up_bytes;
        sums.flop += event.flop;
        if (event.t[3] > sums.end_s) {
            sums.end_s = event.t[3];
            sums.slowest = event.client;
        }
    }
    ck_assert_uint_eq(round, open_rows->rounds.n_rows);
    check_sums(&sums, &open_rows->rounds, round - 1);
    fclose(file);
}

static bool begins(const char *name, const char *with) {
    return strncmp(name, with, strlen(with)) == 0;
}

static bool may_be_empty_for_a_client(const char *name) {
    static const char *const names[] = {"rank", "budget", "group", "edge", "flop_per_s", "mae", "rmse"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return strchr(name, '@') || strcmp(name, "auc") == 0 || strstr(name, "_class");
}

/* Which fields are empty: figures that were not asked for, and nothing else. */
static void check_empty_fields(const struct open_rows *open_rows) {
    const struct table *rounds = &open_rows->rounds;
    for (size_t i = 0; i < rounds->n_rows; i++) {
        bool quality = false; /* figures are the last columns, from hr on */
        for (size_t j = 0; j < rounds->n_columns; j++) {
            const char *name = rounds->names[j];
            quality |= begins(name, "hr@");
            bool last = i + 1 == rounds->n_rows && open_rows->training;
            bool empty = isnan(rounds->values[i * rounds->n_columns + j]);
            ck_assert_msg(
                quality || strcmp(name, "lost") == 0 || !empty, "round %zu: %s is empty", i + 1, name);
            if (last && (begins(name, "hr@") || begins(name, "ndcg@") || begins(name, "recall@") ||
                            begins(name, "map@") || strcmp(name, "participants_share") == 0))
                ck_assert_msg(!empty, "last round: %s is empty", name);
        }
        ck_assert(quality);
    }
    for (size_t i = 0; i < open_rows->clients.n_rows; i++)
        for (size_t j = 0; j < open_rows->clients.n_columns; j++) {
            const char *name = open_rows->clients.names[j];
            ck_assert_msg(!isnan(open_rows->clients.values[i * open_rows->clients.n_columns + j]) ||
                              may_be_empty_for_a_client(name),
                "client %zu: %s is empty", i, name);
        }
}

START_TEST(rows_and_events_add_up) {
    write_scenario((unsigned)_i);
    run_scenario("s.cfg", "out", "");
    struct open_rows open_rows = open_books();
    check_rounds(&open_rows);
    check_totals(&open_rows);
    check_events(&open_rows);
    check_empty_fields(&open_rows);
    ck_assert_str_eq(json_string_value(json_object_get(open_rows.summary, "status")), "complete");
    close_books(&open_rows);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("books of a run");
    TCase *tests = tcase_create("scenarios of every kind");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, rows_and_events_add_up, 0, N_SCENARIOS);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
