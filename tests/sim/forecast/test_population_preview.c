/* The clients that check shows before any run, and the phases of one participation: by hand, and against what
 * a run writes into clients.csv. */
#include "sim/base/errors.h"
#include "sim/base/settings/units.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/forecast/population_preview.h"
#include "sim/setup/compose/compose.h"
#include "tests/sim/run/fixture.h"

START_TEST(quantiles_by_hand) {
    /* The first, the fifth and the ninth of ten values are exceeded by 90, 50 and 10 %. */
    double ten[] = {7, 1, 10, 3, 2, 9, 8, 4, 6, 5}, three[] = {30, 10, 20}, one[] = {5}, q[3];
    frs_population_preview_quantiles(ten, 10, q);
    ck_assert_double_eq(q[0], 1);
    ck_assert_double_eq(q[1], 5);
    ck_assert_double_eq(q[2], 9);
    frs_population_preview_quantiles(three, 3, q);
    ck_assert_double_eq(q[0], 10);
    ck_assert_double_eq(q[1], 20);
    ck_assert_double_eq(q[2], 30);
    frs_population_preview_quantiles(one, 1, q);
    ck_assert_double_eq(q[0], 5);
    ck_assert_double_eq(q[2], 5);
}
END_TEST

static const char rest[] =
    "seed = 3;\ndata = { synthetic = \"custom\"; users = 40; items = 100; interactions = 800; };\n"
    "evaluation = { negatives = 10; };\nmethod = { name = \"fedmf\"; dim = 4; epochs = 1; };\n"
    "rounds = { count = 5; cohort = 10; };\n";

static void write_scenario(const char *more) {
    char *text = frs_format("%s%s", rest, more);
    write_text("s.cfg", text);
    free(text);
}

static void load(struct frs_scenario **scenario, struct frs_setup *setup) {
    struct frs_errors errors = {0};
    char *path = frs_format("%s/s.cfg", frs_folder);
    enum frs_status status = frs_scenario_load(frs_sections, path, NULL, 0, scenario, &errors);
    if (status == FRS_OK)
        status = frs_compose(*scenario, setup, &errors);
    ck_assert_msg(status == FRS_OK, "%s", errors.n ? errors.lines[0] : "");
    free(path);
}

START_TEST(one_participation_by_hand) {
    /* 3000 bytes at 1000 B/s, 2 s of computing and an upload of whole messages at 500 B/s, 0.25 s before each
     * message. */
    struct frs_scenario *scenario;
    struct frs_setup setup;
    write_scenario("training = { enabled = false; messages = \"whole\"; };\n"
                   "network = { model = \"exact\"; downlink = \"1000 B/s\"; uplink = \"500 B/s\"; latency = "
                   "\"250 ms\"; };\n"
                   "devices = { compute = \"fixed\"; overhead = \"2 s\"; };\n");
    load(&scenario, &setup);
    struct frs_closed_form_time time = frs_population_preview_participation(&setup, NULL, 7, 3000);
    /* A table of 100 × 4 floats, and what stands before it: as much in every message of this kind. */
    double up_bytes = time.up_s * 500;
    ck_assert_double_ge(up_bytes, 1600);
    ck_assert_double_le(up_bytes, 1600 + 64);
    ck_assert_uint_eq(time.client, 7);
    ck_assert_double_eq(time.latency_s, 0.25);
    ck_assert_double_eq(time.down_s, 3);
    ck_assert_double_eq(time.compute_s, 2);
    ck_assert_double_eq(time.up_latency_s, 0.25);
    ck_assert_double_eq(time.post_s, 0);
    ck_assert_double_eq_tol(time.whole_s, 5.5 + up_bytes / 500, 1e-12);
    frs_setup_fini(&setup);
    frs_scenario_destroy(scenario);
}
END_TEST

/* The figures of a line, behind its name. */
static void figures(const char *name, enum frs_dimension dimension, double q[3]) {
    char *line = frs_format("\n    %s ", name), word[64];
    const char *at = strstr(frs_said, line);
    ck_assert_msg(at, "check does not say \"%s\": %s", name, frs_said);
    at += strlen(line);
    for (int i = 0; i < 3; i++) {
        at += strspn(at, " ");
        size_t n = strcspn(at, " ");
        n += 1 + strcspn(at + n + 1, " \n");
        snprintf(word, sizeof word, "%.*s", (int)n, at);
        ck_assert_msg(frs_units_parse(word, dimension, &q[i]) == FRS_OK, "%s: \"%s\"", name, word);
        at += n;
    }
    free(line);
}

/* `sign` -1: less is better, and the worst are the largest values. */
static void check_column(const struct table *clients, const char *column, double sign, const double q[3]) {
    double *values = frs_alloc(clients->n_rows, sizeof *values), expected[3];
    for (size_t i = 0; i < clients->n_rows; i++)
        values[i] = sign * cell(clients, i, column);
    frs_population_preview_quantiles(values, clients->n_rows, expected);
    for (int i = 0; i < 3; i++)
        expected[i] *= sign;
    for (int i = 0; i < 3; i++) /* printed with two decimals */
        ck_assert_msg(
            fabs(q[i] - expected[i]) <= 0.006 * expected[i], "%s: %g, printed %g", column, expected[i], q[i]);
    free(values);
}

START_TEST(what_a_run_finds) {
    double q[3];
    write_scenario("network = { preset = \"4g\"; };\ndevices = { preset = \"phones\"; };\n");
    ck_assert_int_eq(run_program("check s.cfg"), 0);
    char *said = frs_strdup(frs_said);
    run_scenario("s.cfg", "out", "");
    struct table clients = table_load("out", "clients.csv");
    snprintf(frs_said, sizeof frs_said, "%s", said);
    figures("downlink", FRS_RATE, q);
    check_column(&clients, "down_bytes_per_s", 1, q);
    figures("uplink", FRS_RATE, q);
    check_column(&clients, "up_bytes_per_s", 1, q);
    figures("latency", FRS_TIME, q);
    check_column(&clients, "latency_s", -1, q);
    figures("speed", FRS_SPEED, q);
    check_column(&clients, "flop_per_s", 1, q);
    /* One convention for all columns: the first one is of the clients that a round waits for. */
    figures("in all", FRS_TIME, q);
    ck_assert(q[0] > q[1] && q[1] > q[2]);
    ck_assert_ptr_nonnull(
        strstr(frs_said, "one participation      slowest 10 %         median   fastest 10 %"));
    table_fini(&clients);
    free(said);
}
END_TEST

START_TEST(constant_links_cost_everybody_the_same) {
    double q[3], whole[3];
    write_scenario("network = { model = \"exact\"; downlink = \"2 kB/s\"; uplink = \"1 kB/s\"; latency = "
                   "\"500 ms\"; };\n"
                   "devices = { compute = \"fixed\"; overhead = \"4 s\"; };\n");
    ck_assert_int_eq(run_program("check s.cfg"), 0);
    figures("computing", FRS_TIME, q);
    ck_assert_double_eq(q[0], 4);
    ck_assert_double_eq(q[2], 4);
    figures("in all", FRS_TIME, whole);
    ck_assert_double_eq(whole[0], whole[2]);
    double sum_s = 4 + 2 * 0.5;
    figures("download", FRS_TIME, q);
    sum_s += q[1];
    figures("upload", FRS_TIME, q);
    sum_s += q[1];
    ck_assert_double_eq_tol(whole[1], sum_s, 0.02);
    /* No client is lost and none waits: a round takes as long as a participation, and a run five times
     * that. */
    run_scenario("s.cfg", "out", "");
    json_t *summary = load_json("out", "summary.json");
    ck_assert_double_eq_tol(json_path(summary, "simulated_s", NULL), 5 * whole[1], 0.05);
    json_decref(summary);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("preview");
    TCase *tests = tcase_create("clients before a run");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_add_test(tests, quantiles_by_hand);
    tcase_add_test(tests, one_participation_by_hand);
    tcase_add_test(tests, what_a_run_finds);
    tcase_add_test(tests, constant_links_cost_everybody_the_same);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
