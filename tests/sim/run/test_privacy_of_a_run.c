/* What a run tells about its noise: counted over the rounds whose aggregate a client's upload was part of. */
#include "algorithms/privacy_accountant.h"
#include "tests/sim/run/fixture.h"

static const char scenario[] =
    "data = { synthetic = \"small\"; };\n"
    "method = { name = \"fedrap\"; dim = 4; epochs = 1; dp_clip = 0.1; dp_noise = 2.0; dp_delta = 0.001; };\n"
    "network = { downlink = \"6 Mbit/s\"; uplink = \"1 Mbit/s\"; latency = \"40 ms\"; };\n"
    "devices = { preset = \"ideal\"; };\n"
    "failures = { up = 0.3; };\n"
    "rounds = { count = 9; cohort = 80; selection = \"no_repeat\"; };\n";

START_TEST(composed_over_what_was_aggregated) {
    static const struct frs_guarantee guarantee = {.noise = FRS_GAUSSIAN, .scale = 2, .delta = 0.001};
    write_text("s.cfg", scenario);
    run_scenario("s.cfg", "out", "--set output.events=false");
    struct table clients = table_load("out", "clients.csv");
    json_t *summary = load_json("out", "summary.json"), *told = json_object_get(summary, "privacy_guarantee");
    double most = 0, epsilon = 0;
    for (size_t i = 0; i < clients.n_rows; i++) {
        double delivered = cell(&clients, i, "delivered");
        most = fmax(most, delivered);
        epsilon += frs_privacy_loss(&guarantee, (uint64_t)delivered).epsilon / (double)clients.n_rows;
    }
    ck_assert(most >= 3 && most <= 5);
    ck_assert_double_lt(column_sum(&clients, "delivered"), column_sum(&clients, "participations"));
    ck_assert_str_eq(json_string_value(json_object_get(told, "noise")), "gaussian");
    ck_assert_str_eq(json_string_value(json_object_get(told, "added_by")), "server");
    ck_assert_double_eq(json_of(told, "delta"), 0.001);
    ck_assert_double_eq(json_of(told, "rounds_max"), most);
    ck_assert_double_eq_tol(json_of(told, "epsilon_mean"), epsilon, 1e-9);
    ck_assert_double_eq_tol(
        json_of(told, "epsilon_per_round"), frs_privacy_loss(&guarantee, 1).epsilon, 1e-9);
    ck_assert_double_eq_tol(
        json_of(told, "epsilon_max"), frs_privacy_loss(&guarantee, (uint64_t)most).epsilon, 1e-9);
    json_decref(summary);
    table_fini(&clients);
}
END_TEST

/* On the terminal, and nothing at all without noise. */
START_TEST(said_where_there_is_noise) {
    write_text("s.cfg", scenario);
    ck_assert_int_eq(run_program("run s.cfg --out noisy"), 0);
    ck_assert_ptr_nonnull(strstr(frs_said, "gaussian noise of the server: epsilon "));
    ck_assert_int_eq(
        run_program("run s.cfg --out plain --set method.dp_noise=0 --set method.dp_delta=1e-5"), 2);
    ck_assert_ptr_nonnull(strstr(frs_said, "method.dp_delta: has no effect here"));
    shell("sed -i 's/dp_noise = 2.0; dp_delta = 0.001;//' s.cfg");
    ck_assert_int_eq(run_program("run s.cfg --out plain"), 0);
    ck_assert_ptr_null(strstr(frs_said, "epsilon"));
    json_t *summary = load_json("plain", "summary.json");
    ck_assert_ptr_null(json_object_get(summary, "privacy_guarantee"));
    json_decref(summary);
}
END_TEST

/* RFRec: values within ±0.2, noise of 0.04, so ε 10 a value and 10 · 100 · 4 a table.
 * PFedCLR clips nothing. */
START_TEST(noise_of_clients) {
    static const char links[] =
        "network = { preset = \"fieldguide\"; }; devices = { preset = \"ideal\"; };\n";
    FILE *file = folder_open("r.cfg", "w");
    fprintf(file,
        "data = { synthetic = \"custom\"; users = 40; items = 100; interactions = 1000; feedback = "
        "\"explicit\"; "
        "split = \"ratio\"; };\n"
        "method = { name = \"rfrec\"; dim = 4; clipping = \"initial\"; clip = 0.2; laplace = 0.04; };\n"
        "rounds = { count = 3; cohort = 40; };\n%s",
        links);
    fclose(file);
    ck_assert_msg(run_program("run r.cfg --out rating") == 0, "%s", frs_said);
    json_t *summary = load_json("rating", "summary.json"),
           *told = json_object_get(summary, "privacy_guarantee"),
           *manifest = load_json("rating", "manifest.json");
    double items = json_of(json_object_get(manifest, "data"), "items");
    ck_assert_str_eq(json_string_value(json_object_get(told, "added_by")), "client");
    ck_assert_double_eq_tol(json_of(told, "epsilon_per_value"), 10, 1e-6);
    ck_assert_double_eq_tol(json_of(told, "epsilon_per_round"), 40 * items, 1e-3);
    ck_assert_double_eq_tol(json_of(told, "epsilon_max"), 3 * 40 * items, 1e-2);
    json_decref(summary);
    json_decref(manifest);
    ck_assert_int_eq(run_program("run r.cfg --out told --set rounds.selection=utility"), 2);
    ck_assert_ptr_nonnull(strstr(frs_said, "rounds.selection.name: uploads then report training losses"));
    file = folder_open("p.cfg", "w");
    fprintf(file,
        "data = { synthetic = \"small\"; }; method = { name = \"pfedclr\"; dim = 4; epochs = 1; laplace = "
        "0.1; };\n"
        "rounds = { count = 2; cohort = 20; };\n%s",
        links);
    fclose(file);
    ck_assert_msg(run_program("run p.cfg --out unbounded") == 0, "%s", frs_said);
    ck_assert_ptr_nonnull(strstr(frs_said, "laplace noise of the client guarantees nothing"));
}
END_TEST

/* Under masks the server has sums alone. In cohorts of four every one of them is of fewer than five clients,
 * in cohorts of eight some are; the terminal says as much as the summary (the count itself by hand:
 * tests/algorithms/training/test_leakage.c). */
START_TEST(sums_of_few_clients) {
    write_text("m.cfg",
        "data = { synthetic = \"small\"; };\n"
        "method = { name = \"fedmf_update\"; dim = 4; epochs = 1; aggregation = \"uniform\"; };\n"
        "privacy = ( { name = \"pairwise_masks\"; bits = 18; range = 2.0; neighbours = \"all\"; } );\n"
        "network = { preset = \"fieldguide\"; }; devices = { preset = \"ideal\"; };\n"
        "rounds = { count = 2; cohort = 4; };\n");
    ck_assert_msg(run_program("run m.cfg --out four") == 0, "%s", frs_said);
    ck_assert_ptr_nonnull(strstr(frs_said, "sums alone; 100 % of them of fewer than 5 clients each"));
    json_t *summary = load_json("four", "summary.json");
    ck_assert_double_eq(json_of(json_object_get(summary, "server_sees"), "sums_of_few"), 1);
    json_decref(summary);
    ck_assert_msg(run_program("run m.cfg --out eight --set rounds.cohort=8") == 0, "%s", frs_said);
    summary = load_json("eight", "summary.json");
    double share = json_of(json_object_get(summary, "server_sees"), "sums_of_few");
    char *line = frs_format("sums alone; %.3g %% of them of fewer than 5 clients each", 100 * share);
    ck_assert(share > 0 && share < 1);
    ck_assert_msg(strstr(frs_said, line), "not \"%s\" but %s", line, frs_said);
    json_decref(summary);
    free(line);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("privacy of a run");
    TCase *tests = tcase_create("privacy of a run");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, composed_over_what_was_aggregated);
    tcase_add_test(tests, said_where_there_is_noise);
    tcase_add_test(tests, noise_of_clients);
    tcase_add_test(tests, sums_of_few_clients);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
