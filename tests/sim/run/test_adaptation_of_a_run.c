/* Budgets and selections in whole runs: what is assigned, charged, predicted and told, by hand. */
#include "tests/sim/run/fixture.h"

/* 300 items of the small data set; d 16, rank 8. A download is the whole table, an upload 4 · 300 · r_u. */
enum { HEADER = 24, ROW = 4 * 300, DOWN = HEADER + ROW * 16 };

static const char scolr[] = "data = { synthetic = \"small\"; };\n"
                            "method = { name = \"scolr\"; rank = 8; dim = 16; catchup = \"full\"; };\n"
                            "training = { enabled = false; };\n"
                            "devices = { compute = \"none\"; };\n"
                            "rounds = { count = 6; cohort = 20; };\n";

static void write_scenario(const char *rest) {
    char *text = frs_format("%s%s", scolr, rest);
    write_text("s.cfg", text);
    free(text);
}

static json_t *next_json(FILE *file) {
    char text[4096];
    return fgets(text, sizeof text, file) ? json_loads(text, 0, NULL) : NULL;
}

static json_t *adaptation_of(const char *out, json_t **summary) {
    *summary = load_json(out, "summary.json");
    json_t *adaptation = json_object_get(*summary, "adaptation");
    ck_assert_ptr_nonnull(adaptation);
    return adaptation;
}

static const char private_links[] =
    "network = { model = \"exact\"; downlink = \"10 kB/s\"; uplink = \"2 kB/s\"; latency = \"0 s\"; };\n"
    "observations = { prior_downlink = \"10 kB/s\"; prior_uplink = \"2 kB/s\"; "
    "prior_compute = \"0 s\"; };\n";

/* Every client gets 3 columns. As the prior is the truth, every prediction is exact, from the first round
 * on. */
START_TEST(fixed_budgets_are_predicted_exactly) {
    char *rest = frs_format("%sadaptation = { name = \"fixed\"; budget = 3; };\n", private_links);
    json_t *summary;
    write_scenario(rest);
    run_scenario("s.cfg", "out", "");
    json_t *adaptation = adaptation_of("out", &summary);
    double duration_s = DOWN / 1e4 + (HEADER + 3 * ROW) / 2e3;
    ck_assert_double_eq(json_path(summary, "bytes", "up"), 120.0 * (HEADER + 3 * ROW));
    ck_assert_double_eq(json_path(summary, "nominal_bytes", "up"), 120.0 * 3 * ROW);
    ck_assert_double_eq(json_path(summary, "bytes", "down"), 120.0 * DOWN);
    ck_assert_double_eq_tol(json_of(summary, "simulated_s"), 6 * duration_s, 1e-9);
    ck_assert_double_eq(json_of(adaptation, "mean"), 3);
    ck_assert_double_eq(json_path(adaptation, "participations", "3"), 120);
    FILE *file = folder_open("out/events.ndjson", "r");
    json_t *first = next_json(file);
    ck_assert_double_eq(json_of(first, "budget"), 3);
    ck_assert_double_eq_tol(json_of(first, "predicted_s"), duration_s, 1e-9);
    json_decref(first);
    fclose(file);
    ck_assert_double_eq(json_of(adaptation, "up_bytes_saved"), 120.0 * 5 * ROW);
    ck_assert_double_eq_tol(json_of(adaptation, "mean_predicted_s"), duration_s, 1e-9);
    ck_assert_double_eq_tol(json_of(adaptation, "mean_actual_s"), duration_s, 1e-9);
    ck_assert_double_le(json_of(adaptation, "mean_error_s"), 1e-9);
    struct table clients = table_load("out", "clients.csv");
    for (size_t i = 0; i < clients.n_rows; i++)
        if (cell(&clients, i, "participations") > 0)
            ck_assert_double_eq(cell(&clients, i, "budget"), 3);
        else
            ck_assert(isnan(cell(&clients, i, "budget")));
    table_fini(&clients);
    json_decref(summary);
    free(rest);
}
END_TEST

/* Of 200 clients every fourth has an uplink of 1 kB/s, and the others have 4 kB/s. All 8 columns take 1.9224
 * s down and 2.406 s up: in time for 5 s. The slow ones would take 11.5464 s, so the server stops waiting for
 * them at 5 s. All are predicted 1.9224 s and 1.203 s by the prior. */
START_TEST(test_those_that_are_cut) {
    enum { CLIENTS = 200, SLOW = 50, FAST = 150 };
    const double down_s = DOWN / 1e4, up_s = (HEADER + 8 * ROW) / 4e3, predicted_s = down_s + up_s / 2;
    FILE *fleet = folder_open("fleet.csv", "w");
    fputs("class,up_kB_s\n", fleet);
    for (size_t i = 0; i < CLIENTS; i++)
        fputs(i % 4 == 0 ? "far,1\n" : "near,4\n", fleet);
    fclose(fleet);
    write_scenario("network = { model = \"exact\"; downlink = \"10 kB/s\"; fleet = "
                   "\"fleet.csv\"; fleet_assignment = \"rows\"; latency = \"0 s\"; };\n"
                   "observations = { prior_downlink = \"10 kB/s\"; prior_uplink = \"8 kB/s\"; "
                   "prior_compute = \"0 s\"; };\nadaptation = \"fixed\";\n");
    run_scenario("s.cfg", "out",
        "--set rounds.count=1 --set rounds.cohort=200 --set rounds.policy=deadline --set "
        "rounds.policy.after=5s");
    json_t *summary, *adaptation = adaptation_of("out", &summary);
    json_t *arrived = json_object_get(adaptation, "of_arrived"), *cut = json_object_get(adaptation, "of_cut");
    ck_assert_double_eq(json_of(summary, "clients_selected"), CLIENTS);
    ck_assert_double_eq(json_of(summary, "clients_never_delivered"), SLOW);
    ck_assert_double_eq(json_of(adaptation, "assigned"), CLIENTS);
    ck_assert_double_eq(json_of(adaptation, "in_time"), FAST);
    ck_assert_double_eq(json_of(adaptation, "cut"), SLOW);
    ck_assert_double_eq(json_of(adaptation, "late"), 0);
    ck_assert_double_eq(json_of(adaptation, "lost"), 0);
    ck_assert_double_eq(json_of(adaptation, "in_time_share"), 0.75);
    ck_assert_double_eq(json_of(arrived, "participations"), FAST);
    ck_assert_double_eq_tol(json_of(arrived, "mean_predicted_s"), predicted_s, 1e-9);
    ck_assert_double_eq_tol(json_of(arrived, "mean_actual_s"), down_s + up_s, 1e-9);
    ck_assert_double_eq_tol(json_of(arrived, "mean_error_s"), up_s / 2, 1e-9);
    ck_assert_double_eq(json_of(cut, "participations"), SLOW);
    ck_assert_double_eq_tol(json_of(cut, "mean_predicted_s"), predicted_s, 1e-9);
    ck_assert_double_eq_tol(json_of(cut, "mean_waited_s"), 5, 1e-9);
    ck_assert_double_eq_tol(json_of(cut, "mean_error_s"), 5 - predicted_s, 1e-9);
    ck_assert_double_eq_tol(json_of(adaptation, "mean_predicted_s"), predicted_s, 1e-9);
    ck_assert_double_eq_tol(json_of(adaptation, "mean_actual_s"), 0.75 * (down_s + up_s) + 0.25 * 5, 1e-9);
    ck_assert_double_eq_tol(
        json_of(adaptation, "mean_error_s"), 0.75 * up_s / 2 + 0.25 * (5 - predicted_s), 1e-9);
    static const struct {
        const char *by, *name;
        double clients, in_time;
    } groups[] = {{"network_class", "far", SLOW, 0}, {"network_class", "near", FAST, FAST},
        {"uplink_quartile", "1", 50, 0}, {"uplink_quartile", "2", 50, 50}, {"uplink_quartile", "4", 50, 50}};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        json_t *group = json_object_get(json_object_get(adaptation, groups[i].by), groups[i].name);
        ck_assert_double_eq(json_of(group, "clients"), groups[i].clients);
        ck_assert_double_eq(json_of(group, "assigned"), groups[i].clients);
        ck_assert_double_eq(json_of(group, "mean"), 8);
        ck_assert_double_eq(json_of(group, "in_time"), groups[i].in_time);
        ck_assert_double_eq(json_of(group, "in_time_share"), groups[i].in_time / groups[i].clients);
        ck_assert_double_eq(json_of(group, "never_delivered"), groups[i].clients - groups[i].in_time);
    }
    ck_assert_ptr_null(json_object_get(adaptation, "device_class"));
    json_decref(summary);
}
END_TEST

/* Clients with very different uplinks. A client that has been measured gets the largest budget that fits 3 s
 * with its own links, and keeps the target if any budget does. */
START_TEST(deadline_budgets_keep_the_target) {
    json_t *summary;
    write_scenario("network = { model = \"exact\"; downlink = \"20 kB/s\"; uplink = { distribution = "
                   "\"uniform\"; low = \"500 B/s\"; high "
                   "= \"5 kB/s\"; }; latency = \"100 ms\"; };\n"
                   "adaptation = { name = \"deadline\"; target = \"3 s\"; };\n");
    run_scenario("s.cfg", "out", "--set rounds.count=30 --set rounds.cohort=100");
    struct table clients = table_load("out", "clients.csv");
    FILE *file = folder_open("out/events.ndjson", "r");
    size_t *seen = frs_alloc(clients.n_rows, sizeof *seen), checked = 0;
    struct event event;
    while (next_event(file, &event)) {
        double rate = cell(&clients, event.client, "up_bytes_per_s");
        double budget = (event.up_bytes - HEADER) / ROW, fits = 0;
        for (double b = 1; b <= 8; b++)
            if (0.2 + DOWN / 2e4 + (HEADER + b * ROW) / rate <= 3 - 1e-9)
                fits = b;
        ck_assert(budget >= 1 && budget <= 8 && budget == floor(budget));
        if (seen[event.client]++ > 0) {
            ck_assert_double_eq(budget, fits > 0 ? fits : 1);
            ck_assert(event.t[3] - event.t[0] <= 3 + 1e-9 || fits == 0);
            checked++;
        }
    }
    ck_assert_uint_gt(checked, 2000);
    json_t *adaptation = adaptation_of("out", &summary);
    ck_assert_double_gt(json_of(adaptation, "up_bytes_saved"), 0);
    json_decref(summary);
    fclose(file);
    free(seen);
    table_fini(&clients);
}
END_TEST

/* With training, under a codec whose sizes depend on what was learnt: the runs are deterministic, and what a
 * client sends grows with its budget. */
START_TEST(uploads_grow_with_their_budget) {
    write_text("s.cfg", "data = { synthetic = \"small\"; };\n"
                        "method = { name = \"scolr\"; rank = 8; dim = 16; };\n"
                        "codec = { uplink = \"touched_rows\"; };\n"
                        "network = { preset = \"mixed-mobile\"; };\ndevices = { preset = \"phones\"; };\n"
                        "failures = { up = 0.2; };\n"
                        "rounds = { count = 6; cohort = 20; selection = \"utility\"; };\n"
                        "adaptation = \"uniform\";\n");
    run_scenario("s.cfg", "one", "--threads 1");
    run_scenario("s.cfg", "two", "--threads 2");
    ck_assert_int_eq(shell("cmp one/rounds.csv two/rounds.csv && cmp one/events.ndjson two/events.ndjson && "
                           "cmp one/clients.csv two/clients.csv"),
        0);
    json_t *summary, *adaptation = adaptation_of("one", &summary), *assigned;
    const char *key;
    double times = 0;
    json_object_foreach(json_object_get(adaptation, "participations"), key, assigned) times +=
        json_number_value(assigned);
    ck_assert_double_eq(times, 120);
    ck_assert_double_gt(json_of(adaptation, "mean"), 3.5);
    ck_assert_double_lt(json_of(adaptation, "mean"), 5.5);
    json_decref(summary);
}
END_TEST

/* Uploads of groups, whose codec is the one that FedRAS has for downloads: without an adaptation all 60
 * groups, and with a budget no more than that many. A client that has changed more rows than groups sends a
 * row set of 43 bytes, an index for each row and the centres. */
START_TEST(test_adaptive_groups_up) {
    write_text("s.cfg",
        "data = { synthetic = \"small\"; };\nmethod = { name = \"fedmf_update\"; dim = 8; };\n"
        "network = { preset = \"fieldguide\"; };\ndevices = { preset = \"fieldguide\"; };\n"
        "codec = { uplink = { name = \"adaptive_groups\"; groups = 60; }; };\n"
        "rounds = { count = 3; cohort = 20; };\n");
    run_scenario("s.cfg", "all", "");
    run_scenario("s.cfg", "same", "--set adaptation.budget=60");
    run_scenario("s.cfg", "ten", "--set adaptation.budget=10");
    run_scenario("s.cfg", "drawn", "--set adaptation=uniform");
    ck_assert_int_eq(shell("cmp all/rounds.csv same/rounds.csv && cmp all/clients.csv same/clients.csv"), 0);
    json_t *all, *ten, *drawn, *adaptation = adaptation_of("all", &all);
    ck_assert_double_eq(json_of(adaptation, "mean"), 60);
    adaptation = adaptation_of("ten", &ten);
    ck_assert_double_eq(json_of(adaptation, "mean"), 10);
    double most = 60 * (HEADER + 43 + 4 + 150 + 4 * 10 * 8);
    ck_assert_double_le(json_path(ten, "bytes", "up"), most);
    ck_assert_double_gt(json_path(all, "bytes", "up"), 2 * most);
    adaptation = adaptation_of("drawn", &drawn);
    ck_assert_double_gt(json_of(adaptation, "mean"), 20);
    ck_assert_double_lt(json_of(adaptation, "mean"), 40);
    ck_assert_double_lt(json_path(drawn, "bytes", "up"), json_path(all, "bytes", "up"));
    ck_assert_int_eq(run_program("run s.cfg --quiet --out more --set adaptation.budget=61"), 2);
    json_decref(all);
    json_decref(ten);
    json_decref(drawn);
}
END_TEST

/* A loss that selection asks for costs four bytes an upload, and nothing else changes about them. */
START_TEST(a_reported_loss_costs_four_bytes) {
    write_text("s.cfg", "data = { synthetic = \"small\"; };\nnetwork = { preset = \"fieldguide\"; };\n"
                        "devices = { preset = \"fieldguide\"; };\nrounds = { count = 2; cohort = 5; };\n");
    run_scenario("s.cfg", "uniform", "");
    run_scenario("s.cfg", "utility", "--set rounds.selection.name=utility");
    json_t *uniform = load_json("uniform", "summary.json"), *utility = load_json("utility", "summary.json");
    ck_assert_double_eq(json_path(utility, "bytes", "up"), json_path(uniform, "bytes", "up") + 10 * 4);
    ck_assert_double_eq(json_path(utility, "nominal_bytes", "up"), json_path(uniform, "nominal_bytes", "up"));
    ck_assert_ptr_null(json_object_get(uniform, "adaptation"));
    json_decref(uniform);
    json_decref(utility);
}
END_TEST

/* One client at a time and no exploring: the first round asks any client, and every other round the one that
 * is measured. Its utility is the largest there is, 1; its age adds √(0.1 ln R / L), with ln 2 = 0.6931 and
 * ln 3 on the line from ln 2 to ln 4. */
START_TEST(test_what_utility_goes_by) {
    const double worths[] = {0, 1 + sqrt(0.1 * log(2) / 1), 1 + sqrt(0.1 * 1.5 * log(2) / 2)};
    write_text("s.cfg",
        "data = { synthetic = \"small\"; };\nnetwork = { model = \"exact\"; preset = \"ideal\"; };\n"
        "devices = { compute = \"fixed\"; overhead = \"1 s\"; };\n"
        "rounds = { count = 3; cohort = 1; selection = { name = \"utility\"; explore = 0; "
        "explore_min = 0; }; };\n");
    run_scenario("s.cfg", "out", "");
    FILE *file = folder_open("out/events.ndjson", "r");
    double loss = INFINITY;
    for (size_t round = 0; round < 3; round++) {
        json_t *first = next_json(file), *compute = next_json(file), *up = next_json(file);
        ck_assert_str_eq(json_string_value(json_object_get(up, "outcome")), "delivered");
        ck_assert_int_eq(json_object_get(first, "worth") != NULL, round > 0);
        if (round > 0)
            ck_assert_double_eq_tol(json_of(first, "worth"), worths[round], 1e-9);
        ck_assert_ptr_null(json_object_get(compute, "loss"));
        ck_assert_double_lt(json_of(up, "loss"), loss);
        loss = json_of(up, "loss");
        ck_assert_double_gt(loss, 0);
        json_decref(first);
        json_decref(compute);
        json_decref(up);
    }
    fclose(file);
}
END_TEST

/* Rows of a table of three devices, two clients of each in every cohort of six. */
START_TEST(test_groups_that_are_asked) {
    write_text("devices.csv", "class,speed_Mflop_s\nold,1\nnew,2\nnew,3\n");
    write_text("s.cfg",
        "data = { synthetic = \"small\"; };\nnetwork = { model = \"exact\"; preset = \"ideal\"; };\n"
        "devices = { fleet = \"devices.csv\"; fleet_assignment = \"in_turn\"; };\n"
        "rounds = { count = 4; cohort = 6; selection = \"by_device\"; };\n");
    run_scenario("s.cfg", "out", "");
    struct table clients = table_load("out", "clients.csv");
    for (size_t i = 0; i < clients.n_rows; i++)
        ck_assert_double_eq(cell(&clients, i, "group"), (double)(i % 3));
    FILE *file = folder_open("out/events.ndjson", "r");
    size_t asked[4][3] = {0}, n = 0;
    for (json_t *line; (line = next_json(file)); json_decref(line)) {
        if (!json_object_get(line, "group"))
            continue;
        size_t round = (size_t)json_of(line, "round") - 1, group = (size_t)json_of(line, "group");
        ck_assert_uint_eq(group, (size_t)json_of(line, "client") % 3);
        asked[round][group]++;
        n++;
    }
    ck_assert_uint_eq(n, 24);
    for (size_t i = 0; i < 12; i++)
        ck_assert_uint_eq(asked[i / 3][i % 3], 2);
    fclose(file);
    table_fini(&clients);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("adaptation of a run");
    TCase *tests = tcase_create("adaptation of a run");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, fixed_budgets_are_predicted_exactly);
    tcase_add_test(tests, test_those_that_are_cut);
    tcase_add_test(tests, deadline_budgets_keep_the_target);
    tcase_add_test(tests, uploads_grow_with_their_budget);
    tcase_add_test(tests, test_adaptive_groups_up);
    tcase_add_test(tests, a_reported_loss_costs_four_bytes);
    tcase_add_test(tests, test_what_utility_goes_by);
    tcase_add_test(tests, test_groups_that_are_asked);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
