/* Plans of which check simulates a few hours. At the remaining hours devices have other states, other
 * numbers of them are online, and other clients rest; the result has to be in the range nevertheless.
 * Without the part of the forecast that each plan tests, its figure is out of the range.
 *
 * Labels: slow */
#include "tests/sim/run/fixture.h"

#define COMMON                                                                                               \
    "training = { enabled = false; };\noutput = { events = false; report = false; what_if = \"none\"; };\n"  \
    "method = { name = \"fedmf\"; dim = 8; };\n"
#define DATA(users)                                                                                          \
    "data = { synthetic = \"custom\"; users = " users "; items = 100; interactions = 3000; "                 \
    "activity_ceiling = 0.4; };\n"
#define DAYTIME                                                                                              \
    "0.9,0.9,0.9,0.9,0.9,0.8,0.7,0.6,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.5,0.6,0.6,0.7,0.7,0.8,0.8,0.9,0.9"

static const struct plan {
    const char *name, *patience, *text, *figure;
} plans[] = {
    {"devices that are in use by day compute for longer", "10 ms",
        DATA(
            "100") "network = { preset = \"4g\"; by_state = { wifi = \"wifi\"; on_change = \"break\"; }; };\n"
                   "devices = { compute = \"fixed\"; overhead = \"49 s\"; in_use = 0.2; };\n"
                   "availability = { model = \"states\"; start = \"13 h\"; };\n"
                   "rounds = { count = 233; cohort = 17; every = \"2 min\"; window = \"20:00-08:00\"; "
                   "cool_down = \"30 min\"; eligible = \"any\"; };\n",
        "modelled.energy_j"},
    {"more bytes are metered by day", "10 ms",
        DATA(
            "100") "network = { preset = \"mixed-mobile\"; by_state = { on_change = \"go_on\"; }; };\n"
                   "devices = { compute = \"fixed\"; overhead = \"82 s\"; };\n"
                   "costs = { metered_per_gb = 5.0; };\n"
                   "availability = { model = \"states\"; start = \"23 h\"; wifi_session = \"96 min\"; "
                   "in_use_session = \"9 min\"; };\n"
                   "rounds = { count = 206; cohort = 15; every = \"2 min\"; cool_down = \"30 min\"; eligible "
                   "= \"any\"; };\n",
        "costs.total"},
    {"at night rounds wait for no client", "10 ms",
        DATA(
            "80") "network = { preset = \"4g\"; by_state = { wifi = \"wifi\"; on_change = \"go_on\"; }; };\n"
                  "devices = { compute = \"fixed\"; overhead = \"25 s\"; in_use = 0.5; };\n"
                  "availability = { model = \"states\"; start = \"10 h\"; online = \"" DAYTIME "\"; };\n"
                  "rounds = { count = 165; cohort = 8; every = \"5 min\"; cool_down = \"30 min\"; eligible = "
                  "\"any\"; };\n",
        "simulated_s"},
    {"rounds of two days were simulated in a few hours", "35 ms",
        DATA("191") "network = { preset = \"wifi\"; by_state = { metered = \"4g\"; on_change = \"go_on\"; }; "
                    "};\n"
                    "devices = { compute = \"fixed\"; overhead = \"5 s\"; };\n"
                    "availability = { model = \"states\"; start = \"14 h\"; online = \"" DAYTIME "\"; };\n"
                    "rounds = { count = 60; cohort = 42; eligible = \"wifi, idle\"; per_day = 2; };\n",
        "simulated_s"},
    {"clients come back from their rests one by one", "15 ms",
        DATA("198") "network = { preset = \"wifi\"; by_state = { metered_factor = 0.2; on_change = "
                    "\"go_on\"; }; };\n"
                    "devices = { compute = \"fixed\"; overhead = \"5 s\"; };\n"
                    "availability = { model = \"states\"; wifi_session = \"58 min\"; in_use_session = \"12 "
                    "min\"; };\n"
                    "rounds = { count = 500; cohort = 12; eligible = \"any\"; policy = { name = "
                    "\"over_select\"; }; cool_down = \"509 min\"; };\n",
        "cohort"},
};

/* "a.b" of an object. */
static json_t *at(json_t *object, const char *name) {
    const char *dot = strchr(name, '.');
    char *first = frs_format("%.*s", dot ? (int)(dot - name) : (int)strlen(name), name);
    json_t *value = json_object_get(object, first);
    free(first);
    ck_assert_msg(value, "no %s", name);
    return dot ? at(value, dot + 1) : value;
}

static double mean_cohort(void) {
    struct table rounds = table_load("run", "rounds.csv");
    double mean =
        (column_sum(&rounds, "selected") - column_sum(&rounds, "unavailable")) / (double)rounds.n_rows;
    table_fini(&rounds);
    return mean;
}

START_TEST(hours_that_were_not_simulated_are_in_the_range) {
    const struct plan *plan = &plans[_i];
    char *text = frs_format("%s%s", COMMON, plan->text);
    write_text("s.cfg", text);
    free(text);
    int code =
        shell("\"$FRS_BUILD_DIR\"/fedrecsim check s.cfg --json --patience '%s' </dev/null >told.json 2>said",
            plan->patience);
    ck_assert_msg(code == 0, "check: %s", read_text("said"));
    run_scenario("s.cfg", "run", "");
    json_t *told = load_json(".", "told.json"), *run = load_json("run", "summary.json");
    ck_assert_double_lt(
        json_of(at(told, "rounds"), "simulated_beforehand"), fmin(80, json_of(run, "rounds")));
    json_t *range = at(told, strcmp(plan->figure, "modelled.energy_j") == 0 ? "energy_j" : plan->figure);
    double is =
               strcmp(plan->figure, "cohort") == 0 ? mean_cohort() : json_number_value(at(run, plan->figure)),
           low = json_of(range, "low"), high = json_of(range, "high");
    ck_assert_msg(is >= low && is <= high, "%s: %s is %g, not between %g and %g", plan->name, plan->figure,
        is, low, high);
    json_decref(told);
    json_decref(run);
}
END_TEST

/* All rounds are simulated, and the first ones have smaller messages than the last: the mean client moves
 * what it will, to the byte, connecting included. */
START_TEST(connecting_is_that_of_all_rounds) {
    write_text("s.cfg",
        "data = { synthetic = \"custom\"; users = 130; items = 121; interactions = 1950; activity_ceiling = "
        "0.4; };\n"
        "evaluation = { negatives = 20; every = 100; };\noutput = { report = false; what_if = \"none\"; };\n"
        "method = { name = \"scolr\"; dim = 18; rank = 5; };\n"
        "network = { preset = \"wifi\"; };\n"
        "rounds = { count = 42; cohort = 5; };\ncaps = { period = \"30 d\"; bytes = \"10 MB\"; };\n");
    ck_assert_int_eq(
        shell("\"$FRS_BUILD_DIR\"/fedrecsim check s.cfg --json </dev/null >told.json 2>said"), 0);
    run_scenario("s.cfg", "run", "");
    json_t *told = load_json(".", "told.json"), *run = load_json("run", "summary.json");
    double bytes = json_path(run, "bytes", "down") + json_path(run, "bytes", "up") +
                   json_path(run, "bytes", "setup_down") + json_path(run, "bytes", "setup_up");
    ck_assert_double_eq_tol(
        json_of(at(told, "per_client.average_bytes"), "expected"), bytes / 130, 1e-9 * bytes);
    json_decref(told);
    json_decref(run);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("hours unseen");
    TCase *tests = tcase_create("hours unseen");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_add_loop_test(
        tests, hours_that_were_not_simulated_are_in_the_range, 0, (int)(sizeof plans / sizeof *plans));
    tcase_add_test(tests, connecting_is_that_of_all_rounds);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
