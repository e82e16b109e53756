/* Whole runs of RFRec and RFRecF: what crosses the network in which round, clients that go on alone, the stop
 * rule, divergence.
 *
 * Labels: slow */
#include "tests/sim/run/fixture.h"

enum { N_ROUNDS = 12 };

static const char base[] = "data = { synthetic = \"custom\"; users = 60; items = 120; interactions = 1500; "
                           "feedback = \"explicit\"; split = \"ratio\"; };\n"
                           "method = { name = \"rfrec\"; dim = 4; };\n"
                           "network = { preset = \"4g\"; };\ndevices = { preset = \"phones\"; };\n"
                           "evaluation = { every = 5; };\n"
                           "rounds = { count = 12; cohort = \"100 %\"; };\n";

static void setup(void) {
    folder_setup();
    write_text("s.cfg", base);
}

static double summary_of(const char *out, const char *first, const char *second) {
    json_t *summary = load_json(out, "summary.json");
    double value = json_path(summary, first, second);
    json_decref(summary);
    return value;
}

START_TEST(rfrec_communicates_twice_a_round) {
    run_scenario("s.cfg", "out", "");
    ck_assert_double_eq(summary_of("out", "communications", "in_rounds"), 2 * N_ROUNDS);
    ck_assert_double_eq(summary_of("out", "communications", "for_evaluation"), 0);
}
END_TEST

/* Rounds have a download, an upload, both never, or neither; what has none has no bytes, and no time. */
START_TEST(rfrecf_communicates_when_the_coin_turns) {
    static const char *const backends[] = {"actors", "calendar", "simgrid"};
    char *options = frs_format("--set method.name=rfrecf --seed 3 --set engine.backend=%s", backends[_i]);
    run_scenario("s.cfg", "out", options);
    struct table rounds = table_load("out", "rounds.csv");
    double n = 0, neither = 0;
    for (size_t row = 0; row < rounds.n_rows; row++) {
        double down = cell(&rounds, row, "down_bytes"), up = cell(&rounds, row, "up_bytes");
        double lasted_s = cell(&rounds, row, "end_s") - cell(&rounds, row, "start_s");
        bool last = row + 1 == rounds.n_rows;
        ck_assert(last || !(down > 0 && up > 0));
        n += (down > 0) + (up > 0);
        neither += down + up == 0;
        ck_assert(down + up == 0 || lasted_s > 0);
        ck_assert_int_eq(cell(&rounds, row, "path_down_s") > 0, down > 0);
        ck_assert_int_eq(cell(&rounds, row, "path_up_s") > 0, up > 0);
    }
    ck_assert_double_gt(neither, 0);
    ck_assert_double_eq(n, summary_of("out", "communications", "in_rounds") +
                               summary_of("out", "communications", "for_evaluation"));
    table_fini(&rounds);
    free(options);
}
END_TEST

/* The same from two threads, from a checkpoint's journal, and from SimGrid's actors or one calendar. */
static void check_repeats(const char *course) {
    static const char *const how[] = {"--set engine.backend=calendar", "--threads 2", "--cache cache"};
    char *first = frs_format("%s --threads 1 --cache cache", course);
    run_scenario("s.cfg", "first", first);
    free(first);
    for (size_t i = 0; i < sizeof how / sizeof *how; i++) {
        char *again = frs_format("--force %s %s", course, how[i]);
        run_scenario("s.cfg", "again", again);
        ck_assert_int_eq(
            shell("cmp first/rounds.csv again/rounds.csv && cmp first/clients.csv again/clients.csv"), 0);
        ck_assert_double_gt(summary_of("again", "alone", "steps"), 0);
        ck_assert_double_eq(summary_of("again", "alone", "flop"), summary_of("first", "alone", "flop"));
        free(again);
    }
}

#define LOSSES                                                                                               \
    "--set method.name=rfrecf --set 'rounds.cohort=50 %' --set failures.connection_down=0.2 "                \
    "--set failures.up=0.2"

START_TEST(runs_are_the_same_again) {
    check_repeats(LOSSES);
}
END_TEST

/* 60 clients, 12 rounds. Clients that are not selected go on, and so do those that lose the connection
 * while downloading, but not those whose device fails. `exact` has nothing to do without a new table, and
 * the key is an error there. */
START_TEST(who_goes_on_alone) {
    const char *local = "--set method.local_step=gradient";
    char *half = frs_format("%s --set 'rounds.cohort=50 %%'", local);
    char *idle = frs_format("%s --set 'rounds.cohort=50 %%' --set method.absent=idle", local);
    char *cut = frs_format("%s --set failures.connection_down=0.5 --set failures.retry.times=0", local);
    char *dead = frs_format("%s --set failures.down=0.5", local);
    run_scenario("s.cfg", "half", half);
    json_t *summary = load_json("half", "summary.json");
    double n = 0;
    struct table clients = table_load("half", "clients.csv");
    n = (double)clients.n_rows;
    table_fini(&clients);
    ck_assert_double_eq(
        json_path(summary, "alone", "steps"), N_ROUNDS * n - json_of(summary, "participations"));
    json_decref(summary);
    run_scenario("s.cfg", "idle", idle);
    ck_assert_double_eq(summary_of("idle", "alone", "steps"), 0);
    run_scenario("s.cfg", "cut", cut);
    ck_assert_double_eq(summary_of("cut", "alone", "steps"), summary_of("cut", "outcomes", "dropped_down"));
    ck_assert_double_gt(summary_of("cut", "alone", "steps"), 0);
    run_scenario("s.cfg", "dead", dead);
    ck_assert_double_eq(summary_of("dead", "alone", "steps"), 0);
    ck_assert_double_gt(summary_of("dead", "outcomes", "dropped_down"), 0);
    ck_assert_int_eq(run_program("run s.cfg --out no --set method.absent=idle"), 2);
    ck_assert_ptr_nonnull(strstr(frs_said, "absent"));
    free(half);
    free(idle);
    free(cut);
    free(dead);
}
END_TEST

START_TEST(stop_rule_ends_the_run) {
    run_scenario("s.cfg", "out", "--set rounds.stop_tolerance=0.002 --set rounds.count=400");
    json_t *summary = load_json("out", "summary.json"), *stop = json_object_get(summary, "stop");
    ck_assert(json_is_true(json_object_get(stop, "converged")));
    double round = json_of(stop, "round");
    ck_assert(round > 10 && round < 400);
    ck_assert_double_eq(json_path(summary, "communications", "in_rounds"), 2 * round);
    ck_assert_str_eq(json_string_value(json_object_get(summary, "status")), "complete");
    json_decref(summary);
    char *later =
        frs_format("--set rounds.stop_tolerance=0.002 --set rounds.count=400 --set rounds.stop_min_rounds=%g",
            round + 7);
    run_scenario("s.cfg", "later", later);
    summary = load_json("later", "summary.json");
    ck_assert_double_eq(json_path(summary, "stop", "round"), round + 7);
    json_decref(summary);
    free(later);
}
END_TEST

/* The upload of an exact step follows from data and table, so it can be made again: with lossy codecs,
 * with lost clients, and where a run goes on from a journal. Other steps are refused. */
START_TEST(uploads_are_made_again) {
    static const char *const how[] = {"",
        "--set codec.uplink=quantise --threads 2 --set method.clipping=zero",
        "--set failures.up=0.3 --set rounds.cohort=27"};
    char *kept = frs_format(/* without any journal, too */
        "%s --set rounds.count=10 --set training.uploads=kept --set output.checkpoint_interval=unlimited",
        how[_i]);
    char *again = frs_format("%s --set training.uploads=again --set rounds.count=10 --cache cache", how[_i]);
    char *longer = frs_format("%s --set rounds.count=15", again);
    run_scenario("s.cfg", "kept", kept);
    run_scenario("s.cfg", "again", again);
    ck_assert_int_eq(
        shell("cmp kept/rounds.csv again/rounds.csv && cmp kept/clients.csv again/clients.csv"), 0);
    run_scenario("s.cfg", "longer", longer);
    ck_assert_int_eq(
        shell("head -11 longer/rounds.csv | cut -d, -f1-20 > a && cut -d, -f1-20 again/rounds.csv "
              "| cmp - a"),
        0);
    free(kept);
    free(again);
    free(longer);
    ck_assert_int_eq(
        run_program("run s.cfg --out no --set training.uploads=again --set method.local_step=gradient"), 2);
    ck_assert_ptr_nonnull(strstr(frs_said, "training.uploads"));
}
END_TEST

/* As printed, the gradient step diverges: one clear line, exit code 1, no run directory. */
START_TEST(printed_step_diverges_and_is_told) {
    int code =
        run_program("run s.cfg --quiet --out out --set method.local_step=literal --set rounds.count=100");
    ck_assert_int_eq(code, 1);
    ck_assert_ptr_nonnull(strstr(frs_said, "has diverged"));
    const char *line = strstr(frs_said, "fedrecsim: "); /* sanitizers may have a word of their own */
    ck_assert_ptr_nonnull(line);
    ck_assert_ptr_null(strstr(line + 1, "fedrecsim: "));
    ck_assert_int_ne(shell("test -e out"), 0);
}
END_TEST

START_TEST(asynchronous_is_refused) {
    ck_assert_int_eq(run_program("run s.cfg --out out --set rounds.policy=buffered_async"), 2);
    ck_assert_ptr_nonnull(strstr(frs_said, "older version"));
}
END_TEST

/* The prediction of check, given the time to play all rounds, covers rounds with and without messages; it
 * knows the coin, and how long each client computes. */
START_TEST(rounds_are_as_predicted) {
    static const char *const methods[] = {"rfrec", "rfrecf"};
    const char *equal = "--set network.preset=fieldguide --set devices.preset=plain --set rounds.count=60";
    char *options = frs_format("--set method.name=%s %s", methods[_i], equal);
    char unit[8] = "";
    double predicted_s = 0;
    ck_assert_int_eq(run_program("check s.cfg --patience '1 min' %s", options), 0);
    const char *line = strstr(frs_said, "  the run      60 rounds, ");
    ck_assert_msg(
        line && sscanf(line, "  the run      60 rounds, %lf %7s simulated", &predicted_s, unit) == 2, "%s",
        frs_said);
    predicted_s *= strcmp(unit, "ms") == 0 ? 1e-3 : 1;
    run_scenario("s.cfg", "out", options);
    double simulated_s = summary_of("out", "simulated_s", NULL);
    ck_assert_msg(fabs(predicted_s - simulated_s) <= 0.01 * simulated_s, "%s: %g s predicted, %g s simulated",
        methods[_i], predicted_s, simulated_s);
    free(options);
}
END_TEST

/* Errors by class of device: of one class those of all, and of several on both sides of them. */
START_TEST(groups_have_errors) {
    run_scenario("s.cfg", "all", "--set rounds.count=5 --set network.preset=mixed-mobile");
    json_t *summary = load_json("all", "summary.json"), *groups = json_object_get(summary, "groups"), *group;
    double rmse = json_path(summary, "metrics", "rmse"), low = INFINITY, high = 0;
    const char *name;
    json_object_foreach(json_object_get(groups, "device_class"), name, group) {
        low = fmin(low, json_of(group, "rmse"));
        high = fmax(high, json_of(group, "rmse"));
        ck_assert_ptr_null(json_object_get(group, "hr@10"));
    }
    ck_assert_msg(low < rmse && rmse < high, "%g is not between %g and %g", rmse, low, high);
    ck_assert_uint_eq(json_object_size(json_object_get(groups, "network_class")), 4);
    json_decref(summary);
    run_scenario("s.cfg", "one", "--set rounds.count=5 --set 'network.classes=4g 100 %'");
    summary = load_json("one", "summary.json");
    group = json_object_get(json_object_get(json_object_get(summary, "groups"), "network_class"), "4g");
    ck_assert(close_to(json_of(group, "rmse"), json_path(summary, "metrics", "rmse"), 1e-12));
    ck_assert(close_to(json_of(group, "mae"), json_path(summary, "metrics", "mae"), 1e-12));
    json_decref(summary);
}
END_TEST

/* A run without rounds tells why it ended, too. */
START_TEST(asynchronous_run_tells_why_it_ended) {
    run_scenario("s.cfg", "out",
        "--set method.name=fedmf_ratings --set rounds.policy=buffered_async --set rounds.stop_tolerance=0.9 "
        "--set rounds.stop_min_rounds=3");
    ck_assert_double_eq(summary_of("out", "stop", "round"), 3);
}
END_TEST

#define PUBLISHED "--set method.variant=published_code --set data.clients=15 "

static double cells_of(const char *out, const char *column) {
    struct table clients = table_load(out, "clients.csv");
    double sum = 0;
    for (size_t row = 0; row < clients.n_rows; row++)
        sum += cell(&clients, row, column);
    table_fini(&clients);
    return sum;
}

/* 60 users behind 15 clients: all train and are evaluated, baselines do not know clients, and one table
 * crosses for each client. */
START_TEST(several_users_a_client) {
    run_scenario("s.cfg", "users", "--set evaluation.non_federated=item_mean");
    run_scenario("s.cfg", "out", PUBLISHED "--set evaluation.non_federated=item_mean");
    struct table clients = table_load("out", "clients.csv");
    ck_assert_uint_eq(clients.n_rows, 15);
    table_fini(&clients);
    ck_assert_double_eq(cells_of("out", "train_items"), cells_of("users", "train_items"));
    json_t *users = load_json("users", "summary.json"), *out = load_json("out", "summary.json");
    json_t *a = json_object_get(users, "non_federated"), *b = json_object_get(out, "non_federated");
    ck_assert_double_eq(json_path(b, "item_mean", "rmse"), json_path(a, "item_mean", "rmse"));
    ck_assert_double_eq(json_of(out, "participations"), N_ROUNDS * 15);
    ck_assert_double_eq(json_path(out, "nominal_bytes", "up"), json_path(users, "nominal_bytes", "down") / 4);
    ck_assert_double_eq(json_path(out, "nominal_bytes", "up"), json_path(out, "nominal_bytes", "down"));
    ck_assert_double_eq(
        json_path(out, "bytes", "up") - json_path(out, "nominal_bytes", "up"), N_ROUNDS * 15 * 24);
    ck_assert_double_eq(json_path(out, "metrics", "participants_share"), 1);
    ck_assert_double_lt(json_path(out, "metrics", "rmse"), json_path(out, "initial_metrics", "rmse"));
    json_decref(users);
    json_decref(out);
    int code = run_program("run s.cfg --quiet --out no --set method.name=fcf --set data.clients=15");
    ck_assert_int_eq(code, 2);
    ck_assert_ptr_nonnull(strstr(frs_said, "data.clients: a client of method \"fcf\" is one user"));
}
END_TEST

START_TEST(published_code_repeats) {
    check_repeats(PUBLISHED LOSSES);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rfrec runs");
    TCase *tests = tcase_create("rfrec runs");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, setup, folder_teardown);
    tcase_add_test(tests, rfrec_communicates_twice_a_round);
    tcase_add_loop_test(tests, rfrecf_communicates_when_the_coin_turns, 0, 3);
    tcase_add_test(tests, runs_are_the_same_again);
    tcase_add_test(tests, who_goes_on_alone);
    tcase_add_loop_test(tests, uploads_are_made_again, 0, 3);
    tcase_add_test(tests, stop_rule_ends_the_run);
    tcase_add_test(tests, groups_have_errors);
    tcase_add_test(tests, asynchronous_run_tells_why_it_ended);
    tcase_add_loop_test(tests, rounds_are_as_predicted, 0, 2);
    tcase_add_test(tests, printed_step_diverges_and_is_told);
    tcase_add_test(tests, asynchronous_is_refused);
    tcase_add_test(tests, several_users_a_client);
    tcase_add_test(tests, published_code_repeats);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
