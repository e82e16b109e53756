/* PFedCLR's step 2 after the upload, in whole runs: its phase in every file, what it commits and when, and
 * what a run that ends makes of it. The times themselves are in tests/actors/test_post_upload.c. */
#include "tests/sim/run/fixture.h"

/* 247 items × 2 numbers × 4 bytes behind a header of 24 are 2000 bytes: 10 s down, 20 s up. */
static const char common[] = "seed = 3;\n"
                             "evaluation = { negatives = 20; };\n"
                             "method = { name = \"pfedclr\"; dim = 2; rank = 1; epochs = 5; };\n"
                             "network = { model = \"exact\"; preset = \"none\"; downlink = \"200 B/s\"; "
                             "uplink = \"100 B/s\"; latency = \"1 s\"; };\n"
                             "devices = { compute = \"flops\"; speed = \"1 kflop/s\"; };\n";

static const char mixed[] =
    "data = { synthetic = \"custom\"; users = 12; items = 247; interactions = 400; activity_ceiling = 0.4; "
    "};\n";

/* Twelve users with fourteen items each, so that all compute for about as long. */
static const char even[] = "data = { format = \"csv\"; path = \"even.csv\"; csv_time = \"3\"; };\n";

#define FLOP_PER_S 1000

enum { N_CLIENTS = 12 };

static void run(const char *out, const char *data, const char *rest, const char *options) {
    char *text = frs_format("%s%s%s", common, data, rest), *all = frs_format("--threads 1 %s", options);
    write_text("s.cfg", text);
    run_scenario("s.cfg", out, all);
    free(text);
    free(all);
}

static void setup(void) {
    folder_setup();
    FILE *file = folder_open("even.csv", "w");
    fputs("user,item,time\n", file);
    for (int user = 0; user < N_CLIENTS; user++)
        for (int i = 0; i < 14; i++)
            fprintf(file, "%d,%d,%d\n", user, (user * 37 + i * 11) % 247, i);
    fclose(file);
}

struct phase {
    char name[16], outcome[16], cause[16];
    double client, round, t0, t1, flop;
};

static void copy_text(char *to, json_t *line, const char *key) {
    const char *text = json_string_value(json_object_get(line, key));
    snprintf(to, 16, "%s", text ? text : "");
}

/* All lines of events.ndjson; returns their number. */
static size_t load_phases(const char *out, struct phase *phases, size_t max) {
    char *path = frs_format("%s/events.ndjson", out);
    FILE *file = folder_open(path, "r");
    size_t n = 0;
    for (json_t *line; (line = next_line(file)); json_decref(line)) {
        struct phase *phase = &phases[n++];
        ck_assert_uint_le(n, max);
        copy_text(phase->name, line, "phase");
        copy_text(phase->outcome, line, "outcome");
        copy_text(phase->cause, line, "cause");
        phase->client = json_of(line, "client");
        phase->round = json_of(line, "round");
        phase->t0 = json_of(line, "t0_s");
        phase->t1 = json_of(line, "t1_s");
        phase->flop = json_of(line, "flop");
    }
    fclose(file);
    free(path);
    return n;
}

enum { MAX_PHASES = 5 * N_CLIENTS * 10 };

/* One round with all clients: 1 + 10 down, compute for flop/1000, 1 + 20 up, and beside the upload the rest.
 * The slowest upload closes round and run; work that would end later is cut there. */
START_TEST(work_beside_the_upload_is_cut_at_the_end) {
    struct phase phases[MAX_PHASES];
    run("out", mixed, "rounds = { count = 1; cohort = 12; };\n", "");
    size_t n = load_phases("out", phases, MAX_PHASES), n_cut = 0;
    struct table rounds = table_load("out", "rounds.csv"), clients = table_load("out", "clients.csv");
    json_t *summary = load_json("out", "summary.json");
    double end_s = json_path(summary, "simulated_s", NULL), flop = 0, wasted = 0, slowest_s = 0;
    ck_assert_uint_eq(n, 4 * N_CLIENTS);
    for (size_t i = 0; i < n; i += 4) {
        const struct phase *down = &phases[i], *compute = down + 1, *up = down + 2, *post = down + 3;
        ck_assert_str_eq(post->name, "post");
        ck_assert_double_eq_tol(compute->t0, 11, 1e-9);
        ck_assert_double_eq_tol(compute->t1, 11 + compute->flop / FLOP_PER_S, 1e-9);
        ck_assert_double_eq_tol(up->t1, compute->t1 + 21, 1e-9);
        ck_assert_str_eq(up->outcome, "delivered");
        ck_assert_double_eq(post->t0, compute->t1);
        ck_assert_double_eq_tol(post->t1, post->t0 + post->flop / FLOP_PER_S, 1e-9);
        bool cut = strcmp(post->outcome, "cut") == 0;
        ck_assert_str_eq(post->outcome, cut ? "cut" : "ended");
        ck_assert_str_eq(post->cause, cut ? "end_of_run" : "");
        ck_assert(cut ? post->t1 == end_s : post->t1 <= end_s);
        ck_assert_double_eq_tol(cell(&clients, (size_t)post->client, "post_s"), post->t1 - post->t0, 1e-9);
        slowest_s = fmax(slowest_s, up->t1);
        flop += compute->flop + post->flop;
        wasted += cut ? post->flop : 0;
        n_cut += cut;
    }
    ck_assert_double_eq_tol(end_s, slowest_s, 1e-9);
    ck_assert_uint_gt(n_cut, 0);
    ck_assert_uint_lt(n_cut, N_CLIENTS);
    ck_assert_double_eq(json_path(summary, "post", "cut"), (double)n_cut);
    ck_assert_double_eq(json_path(summary, "post", "ended"), (double)(N_CLIENTS - n_cut));
    ck_assert_double_eq(cell(&rounds, 0, "post_lost"), (double)n_cut);
    ck_assert_double_eq_tol(json_path(summary, "flop", NULL), flop, 1e-9 * flop);
    ck_assert_double_eq_tol(json_path(summary, "wasted_flop", NULL), wasted, 1e-9 * flop);
    ck_assert_double_eq(json_path(summary, "bytes", "wasted"), 0);
    /* Who has not ended has committed nothing. */
    ck_assert_double_eq_tol(cell(&rounds, 0, "participants_share"), 1 - (double)n_cut / N_CLIENTS, 1e-12);
    json_decref(summary);
    table_fini(&rounds);
    table_fini(&clients);
}
END_TEST

/* A millisecond each way. */
#define FAST "--set network.uplink=2MB/s --set network.downlink=2MB/s --set network.latency=0s "

/* With all clients in every round, work after the upload queues what comes next and changes nothing in it:
 * the training equals that without computing time. Every engine backend writes the same files. */
START_TEST(queued_work_changes_no_training) {
    static const char rounds_text[] = "rounds = { count = 6; cohort = 12; };\n";
    struct phase phases[MAX_PHASES];
    run("slow", even, rounds_text, FAST);
    run("none", even, rounds_text, FAST "--set devices.compute=none");
    size_t n = load_phases("slow", phases, MAX_PHASES), n_queued = 0;
    for (size_t i = 0; i < n; i++) {
        if (strcmp(phases[i].name, "queue") != 0)
            continue;
        const struct phase *before = NULL;
        for (size_t j = 0; j < i; j++)
            if (phases[j].client == phases[i].client && strcmp(phases[j].name, "post") == 0)
                before = &phases[j];
        ck_assert_ptr_nonnull(before);
        ck_assert_double_eq(phases[i].round, before->round + 1);
        ck_assert_double_eq_tol(phases[i].t1, before->t1, 1e-9);
        ck_assert_str_eq(phases[i + 1].name, "compute");
        ck_assert_double_eq_tol(phases[i + 1].t0, before->t1, 1e-9);
        n_queued++;
    }
    ck_assert_uint_gt(n_queued, 50);
    struct table slow = table_load("slow", "rounds.csv"), none = table_load("none", "rounds.csv");
    ck_assert_double_eq(cell(&none, 5, "post_ended"), 12);
    for (size_t row = 0; row < 6; row++) {
        ck_assert_double_eq_tol(cell(&slow, row, "flop") + (row == 5 ? cell(&none, row, "flop") : 0),
            cell(&none, row, "flop") + (row == 5 ? cell(&slow, row, "flop") : 0), 1e-6);
        ck_assert_double_eq(cell(&slow, row, "up_bytes"), cell(&none, row, "up_bytes"));
    }
    table_fini(&slow);
    table_fini(&none);
}
END_TEST

/* Rounds that close before anybody's work ends: at the end of a round clients predict
 * with what they committed in the round before, so quality is that of instant devices, one round later. */
START_TEST(test_commits_a_round_later) {
    static const char rounds_text[] = "rounds = { count = 8; cohort = 12; };\n";
    run("slow", even, rounds_text, FAST);
    run("none", even, rounds_text, FAST "--set devices.compute=none");
    struct table slow = table_load("slow", "rounds.csv"), none = table_load("none", "rounds.csv");
    struct phase phases[MAX_PHASES];
    size_t n = load_phases("slow", phases, MAX_PHASES);
    bool all_later = true;
    for (size_t i = 0; i < n; i++)
        if (strcmp(phases[i].name, "post") == 0)
            all_later &= phases[i].t1 >= cell(&slow, (size_t)phases[i].round - 1, "end_s");
    for (size_t row = 1; row < 8 && all_later; row++) {
        ck_assert_double_eq(cell(&slow, row, "hr@10"), cell(&none, row - 1, "hr@10"));
        ck_assert_double_eq(cell(&slow, row, "ndcg@10"), cell(&none, row - 1, "ndcg@10"));
    }
    ck_assert(all_later);
    table_fini(&slow);
    table_fini(&none);
}
END_TEST

/* The same history with every engine backend, on any number of threads. */
START_TEST(test_players_and_threads) {
    static const char rest[] = "availability = { model = \"markov\"; on = \"120 s\"; off = \"30 s\"; };\n"
                               "failures = { device_mtbf = \"200 s\"; up = 0.1; connection_up = 0.1; "
                               "server_restarts = \"60 s\"; };\n"
                               "rounds = { count = 8; cohort = 8; };\n";
    static const char *const files[] = {"rounds.csv", "clients.csv", "events.ndjson"};
    run("actors", mixed, rest, "--set engine.backend=actors");
    run("calendar", mixed, rest, "--set engine.backend=calendar --threads 4");
    run("simgrid", mixed, rest, "--set engine.backend=simgrid");
    for (size_t i = 0; i < 3; i++)
        ck_assert_int_eq(shell("cmp actors/%s calendar/%s", files[i], files[i]), 0);
    struct table actors = table_load("actors", "rounds.csv"), simgrid = table_load("simgrid", "rounds.csv");
    static const char *const columns[] = {
        "end_s", "post_ended", "post_lost", "delivered", "up_bytes", "flop", "wasted_flop", "hr@10"};
    ck_assert_uint_eq(actors.n_rows, simgrid.n_rows);
    for (size_t row = 0; row < actors.n_rows; row++)
        for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
            double a = cell(&actors, row, columns[i]), b = cell(&simgrid, row, columns[i]);
            ck_assert_msg((isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fabs(a) + 2,
                "row %zu, %s: %g and %g", row, columns[i], a, b);
        }
    ck_assert_double_gt(column_sum(&actors, "post_lost"), 0);
    table_fini(&actors);
    table_fini(&simgrid);
}
END_TEST

/* A device that fails in step 2 has delivered all the same, and keeps the state it had. */
START_TEST(failing_after_the_upload_keeps_the_state) {
    run("out", mixed, "failures = { device_mtbf = \"40 s\"; };\nrounds = { count = 3; cohort = 12; };\n",
        FAST);
    struct phase phases[MAX_PHASES];
    size_t n = load_phases("out", phases, MAX_PHASES), n_delivered = 0, n_dropped = 0;
    json_t *summary = load_json("out", "summary.json");
    double wasted = 0;
    for (size_t i = 1; i < n; i++) {
        if (strcmp(phases[i].outcome, "dropped_post") != 0)
            continue;
        ck_assert_str_eq(phases[i].cause, "device");
        n_dropped++;
        n_delivered += strcmp(phases[i - 1].outcome, "delivered") == 0;
        wasted += phases[i].flop;
    }
    ck_assert_uint_gt(n_delivered, 0);
    json_t *waste =
        json_object_get(json_object_get(json_object_get(summary, "waste_by_cause"), "device"), "by_outcome");
    ck_assert_double_eq(json_path(waste, "post", "participations"), (double)n_dropped);
    ck_assert_double_eq_tol(json_path(waste, "post", "flop"), wasted, 1e-6);
    json_decref(summary);
}
END_TEST

/* A device predicts with the table that it has downloaded and the private state of the last work that has
 * ended: while step 2 of round 3 goes on, the table after round 2, whether that work is certain to end or (a
 * device may fail once in thirty years) not. Step 2 takes 14 to 15 s: longer than an upload, and less than
 * that and the next download. */
START_TEST(test_device_view_of_those_at_work) {
    static const char rest[] = "rounds = { count = 3; cohort = 6; };\n";
    run("certain", even, rest, "--set evaluation.view=device --set 'devices.speed=560 flop/s'");
    run("open", even, rest,
        "--set evaluation.view=device --set 'devices.speed=560 flop/s' --set 'failures.device_mtbf=270000 "
        "h'");
    json_t *certain = load_json("certain", "summary.json"), *open = load_json("open", "summary.json");
    ck_assert_double_eq_tol(
        json_path(certain, "metrics", "ndcg@10"), 0.366352, 1e-6); /* 0.365355 with older tables */
    ck_assert_double_eq(json_path(certain, "metrics", "ndcg@10"), json_path(open, "metrics", "ndcg@10"));
    json_decref(certain);
    json_decref(open);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("step 2 of PFedCLR");
    TCase *tests = tcase_create("after the upload");
    tcase_add_checked_fixture(tests, setup, folder_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, work_beside_the_upload_is_cut_at_the_end);
    tcase_add_test(tests, queued_work_changes_no_training);
    tcase_add_test(tests, test_commits_a_round_later);
    tcase_add_test(tests, test_players_and_threads);
    tcase_add_test(tests, failing_after_the_upload_keeps_the_state);
    tcase_add_test(tests, test_device_view_of_those_at_work);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
