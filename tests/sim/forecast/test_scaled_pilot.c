/* What rounds of very many clients take, from rounds of few: by hand, and played. */
#include "sim/base/errors.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/setup/compose/compose.h"
#include "sim/forecast/scaled_pilot.h"
#include "tests/sim/run/fixture.h"

static struct frs_pilot_round rounds_of_16_s[] = {{.simulated_s = 16}, {.simulated_s = 32},
    {.simulated_s = 48}},
                              rounds_of_8_s[] = {{.simulated_s = 8}, {.simulated_s = 16}};

START_TEST(what_does_not_grow) {
    struct frs_scaled_pilot scaled = {
        64, {.rounds = rounds_of_8_s, .n = 2}, {.rounds = rounds_of_8_s, .n = 2}};
    ck_assert(frs_scaled_pilot_is_known(&scaled));
    ck_assert_double_eq(frs_scaled_pilot_growth(&scaled), 1);
    struct frs_extrapolation extrapolation = frs_scaled_pilot_outlook(&scaled, 5, INFINITY);
    ck_assert_double_eq(extrapolation.middle_s, 40);
    ck_assert_double_eq_tol(extrapolation.low_s, 40 / exp(0.03), 1e-9);
    ck_assert_double_eq_tol(extrapolation.high_s, 40 * exp(0.03), 1e-9);
    ck_assert_double_eq(extrapolation.n_rounds, 5);
}
END_TEST

START_TEST(what_grows_with_clients_is_scaled) {
    /* Twice as long for eight times as many: a power of 1/3. Eight times eight times as many: four times as
     * long, of whose logarithm .85 is expected, and .5 of it either way may be off. */
    struct frs_scaled_pilot scaled = {
        64, {.rounds = rounds_of_16_s, .n = 3}, {.rounds = rounds_of_8_s, .n = 2}};
    double growth = pow(4, 0.85), off = exp(0.03) * pow(4, 0.5);
    ck_assert_double_eq_tol(frs_scaled_pilot_growth(&scaled), growth, 1e-9);
    struct frs_extrapolation extrapolation = frs_scaled_pilot_outlook(&scaled, 10, INFINITY);
    ck_assert_double_eq_tol(extrapolation.middle_s, 160 * growth, 1e-9);
    ck_assert_double_eq_tol(extrapolation.low_s, 160 * growth / off, 1e-9);
    ck_assert_double_eq_tol(extrapolation.high_s, 160 * growth * off, 1e-9);
    /* Time that ends with the third round. */
    ck_assert_double_eq(frs_scaled_pilot_outlook(&scaled, 10, 2.5 * 16 * growth).n_rounds, 3);
}
END_TEST

START_TEST(too_few_rounds) {
    struct frs_scaled_pilot scaled = {
        64, {.rounds = rounds_of_16_s, .n = 1}, {.rounds = rounds_of_8_s, .n = 2}};
    ck_assert(!frs_scaled_pilot_is_known(&scaled));
}
END_TEST

START_TEST(a_server_link_that_all_share) {
    /* 800 clients of 1000 B/s share 10 kB/s: 800 downloads of n bytes take .08 n seconds, whichever clients
     * are selected. Those of 100 clients, one in eight, take as many seconds through an eighth of the
     * link. */
    struct frs_scenario *scenario;
    struct frs_setup setup;
    struct frs_errors errors = {0};
    write_text("s.cfg", "data = { synthetic = \"custom\"; users = 800; items = 50; interactions = 8000; };\n"
                        "evaluation = { negatives = 5; };\nmethod = { name = \"fedmf\"; dim = 4; };\n"
                        "training = { enabled = false; };\ndevices = { preset = \"ideal\"; };\n"
                        "network = { model = \"exact\"; preset = \"none\"; downlink = \"1000 B/s\"; uplink = "
                        "\"1000 B/s\"; latency = \"0 s\"; "
                        "server_downlink = \"10 kB/s\"; };\n"
                        "rounds = { count = 2; cohort = \"100 %\"; };\n");
    char *path = frs_format("%s/s.cfg", frs_folder);
    ck_assert_msg(frs_scenario_load(frs_sections, path, NULL, 0, &scenario, &errors) == FRS_OK, "%s",
        errors.n ? errors.lines[0] : "");
    ck_assert_msg(frs_compose(scenario, &setup, &errors) == FRS_OK, "%s", errors.lines[0]);
    struct frs_scaled_pilot scaled = frs_scaled_pilot_play(&setup, NULL, 100, 20);
    ck_assert_uint_eq(scaled.k, 8);
    ck_assert_uint_eq(scaled.rounds.n, 8);
    ck_assert_uint_eq(scaled.thinner.n, 32);
    /* A round is entered into the books when the next one opens: seven of 100, and 31 of 800 / 64, to the
     * nearest. */
    ck_assert_double_eq(scaled.rounds.rounds[7].participations, 700);
    ck_assert_double_eq(scaled.thinner.rounds[31].participations, 31 * 13);
    struct frs_pilot whole = frs_pilot_play(
        &(struct frs_pilot_request){.setup = &setup, .threads = 1, .most_rounds = 2, .ceiling_s = 20});
    struct frs_extrapolation extrapolation = frs_scaled_pilot_outlook(&scaled, 2, INFINITY);
    ck_assert_uint_eq(whole.n, 2);
    ck_assert_double_gt(whole.rounds[1].simulated_s, 2 * 0.08 * 800);
    ck_assert_double_ge(whole.rounds[1].simulated_s, extrapolation.low_s);
    ck_assert_double_le(whole.rounds[1].simulated_s, extrapolation.high_s);
    free(whole.rounds);
    frs_scaled_pilot_fini(&scaled);
    frs_setup_fini(&setup);
    frs_scenario_destroy(scenario);
    free(path);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("thinning");
    TCase *tests = tcase_create("scaled pilot");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, what_does_not_grow);
    tcase_add_test(tests, what_grows_with_clients_is_scaled);
    tcase_add_test(tests, too_few_rounds);
    tcase_add_test(tests, a_server_link_that_all_share);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
