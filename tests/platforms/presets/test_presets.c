/* Presets: every one composes into a run and is checked by the program; its quantiles are those
 * docs/networks.md prints. */
#include "platforms/presets/presets.h"
#include "sim/cli/sections.h"
#include "sim/run/setup/compose.h"
#include "tests/run/fixture.h"

#define DATA "data = { synthetic = \"small\"; }; rounds = { count = 2; };"

/* A composed run with a network and devices; ended with end(). */
struct composed {
    struct frs_scenario *scenario;
    struct frs_setup setup;
};

static struct composed compose(const char *network, const char *devices) {
    struct composed run;
    struct frs_errors errors = {0};
    char *path = frs_format("%s/s.cfg", frs_folder);
    char *text = frs_format(
        DATA " network = { preset = \"%s\"; }; devices = { preset = \"%s\"; };\n", network, devices);
    write_text("s.cfg", text);
    enum frs_status status = frs_scenario_load(frs_sections, path, NULL, 0, &run.scenario, &errors);
    ck_assert_msg(status == FRS_OK, "%s, %s: %s", network, devices, errors.n ? errors.lines[0] : "");
    status = frs_compose(run.scenario, &run.setup, &errors);
    ck_assert_msg(status == FRS_OK, "%s, %s: %s", network, devices, errors.n ? errors.lines[0] : "");
    free(path);
    free(text);
    return run;
}

static void end(struct composed *run) {
    frs_setup_fini(&run->setup);
    frs_scenario_destroy(run->scenario);
}

/* To the three digits of the table. */
static void expect(const char *preset, const char *what, double value, double printed) {
    ck_assert_msg(
        fabs(value - printed) <= 0.006 * printed, "%s: %s is %g instead of %g", preset, what, value, printed);
}

/* Mbit/s and ms at 10, 50 and 90 %, copied from docs/networks.md. */
START_TEST(test_networks) {
    static const struct {
        const char *preset;
        double down[3], up[3], latency[3];
    } cases[] = {
        {"ideal", {8e6, 8e6, 8e6}, {8e6, 8e6, 8e6}, {0, 0, 0}},
        {"fieldguide", {6.29, 6.29, 6.29}, {2.1, 2.1, 2.1}, {0, 0, 0}},
        {"fedscale", {1.85, 6.12, 32.4}, {1.85, 6.12, 32.4}, {20.4, 30, 44.1}},
        {"flash-wifi", {26.2, 34.5, 72.7}, {16, 26.3, 46.8}, {8, 8, 8}},
        {"3g", {1.08, 3, 8.36}, {0.359, 1, 2.79}, {44.9, 75, 125}},
        {"4g", {4.66, 13, 36.2}, {2.15, 6, 16.7}, {20.4, 30, 44.1}},
        {"5g", {59.5, 166, 463}, {7.53, 21, 58.5}, {9.53, 14, 20.6}},
        {"wifi", {18.6, 34.5, 63.8}, {10.7, 26.3, 64.5}, {4.22, 8, 15.2}},
        {"fibre", {114, 216, 410}, {60.6, 115, 218}, {3.4, 5, 7.34}},
        {"mixed-mobile", {4.28, 23.9, 81.7}, {1.74, 12, 46.8}, {5.71, 19.4, 50.6}},
    };
    static const double quantiles[] = {0.1, 0.5, 0.9};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_str_eq(frs_network_presets[i]->plugin.name, cases[i].preset);
        struct composed run = compose(cases[i].preset, "ideal");
        for (size_t q = 0; q < 3; q++) {
            struct frs_client_link link = frs_network_marginals(&run.setup.network, quantiles[q]);
            expect(cases[i].preset, "down", link.down_bytes_per_s * 8e-6, cases[i].down[q]);
            expect(cases[i].preset, "up", link.up_bytes_per_s * 8e-6, cases[i].up[q]);
            expect(cases[i].preset, "latency", link.latency_s * 1e3, cases[i].latency[q]);
        }
        end(&run);
    }
    ck_assert_ptr_null(frs_network_presets[sizeof cases / sizeof *cases]);
}
END_TEST

/* Whether its rates are those of lines or of applications, and how that is known. */
START_TEST(test_payload_shares) {
    for (const struct frs_preset *const *preset = frs_network_presets; *preset; preset++) {
        const char *share = frs_preset_setting(*preset, "network.payload_share");
        ck_assert_msg(share, "%s has no payload_share", (*preset)->plugin.name);
        char *says = frs_format("payload_share %s", share);
        ck_assert_msg(
            strstr((*preset)->plugin.source, says), "%s does not say why %s", (*preset)->plugin.name, says);
        free(says);
    }
}
END_TEST

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Gflop/s of 20,000 clients in the middle, copied from docs/networks.md; 0: no speed. */
START_TEST(test_devices) {
    enum { N = 20001 };
    static double speeds[N];
    static const struct {
        const char *preset;
        double median;
    } cases[] = {{"ideal", 0}, {"fieldguide", 2.86}, {"fedscale", 0}, {"phone-low", 0.5}, {"phone-mid", 1.5},
        {"phone-high", 4}, {"tablet", 2.5}, {"pc", 10}, {"phones", 1.3}, {"mixed", 1.8}, {"plain", 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_str_eq(frs_device_presets[i]->plugin.name, cases[i].preset);
        struct composed run = compose("ideal", cases[i].preset);
        for (uint32_t client = 0; client < N; client++)
            speeds[client] = frs_devices_flop_per_s(&run.setup.devices, 1, client) * 1e-9;
        qsort(speeds, N, sizeof *speeds, ascending);
        ck_assert_msg(fabs(speeds[N / 2] - cases[i].median) <= 0.05 * cases[i].median, "%s: %g",
            cases[i].preset, speeds[N / 2]);
        end(&run);
    }
    ck_assert_ptr_null(frs_device_presets[sizeof cases / sizeof *cases]);
}
END_TEST

/* A tenth, a half and nine tenths of FedScale's devices: 3 · 21.08, 3 · 40.51 and 3 · 174.25 ms a sample. */
START_TEST(test_fedscale_devices) {
    struct composed run = compose("fedscale", "fedscale");
    const struct frs_devices *devices = &run.setup.devices;
    struct frs_spent one = {.samples = 1};
    size_t below[3] = {0};
    enum { N = 20000 };
    for (uint32_t client = 0; client < N; client++) {
        double t_s = frs_devices_compute_s(devices, 1, client, one);
        struct frs_client_link link = frs_network_client(&run.setup.network, 1, client);
        ck_assert_double_eq(link.down_bytes_per_s, link.up_bytes_per_s);
        below[0] += t_s < 3 * 0.0211;
        below[1] += t_s < 3 * 0.04051;
        below[2] += t_s < 3 * 0.17425;
    }
    /* 11.5 % are below 21.1 ms: the table has 21.08 at 11.5 % and 22.07 at 12 %. */
    ck_assert_double_eq_tol((double)below[0] / N, 0.115, 0.01);
    ck_assert_double_eq_tol((double)below[1] / N, 0.5, 0.015);
    ck_assert_double_eq_tol((double)below[2] / N, 0.9, 0.01);
    end(&run);
}
END_TEST

START_TEST(test_the_program_checks_every_preset) {
    write_text("s.cfg", DATA "\n");
    for (const struct frs_preset *const *preset = frs_network_presets; *preset; preset++)
        ck_assert_msg(run_program("check s.cfg --patience '10 ms' --set network.preset=%s",
                          (*preset)->plugin.name) == 0,
            "%s: %s", (*preset)->plugin.name, frs_said);
    for (const struct frs_preset *const *preset = frs_device_presets; *preset; preset++)
        ck_assert_msg(run_program("check s.cfg --patience '10 ms' --set devices.preset=%s",
                          (*preset)->plugin.name) == 0,
            "%s: %s", (*preset)->plugin.name, frs_said);
}
END_TEST

/* Classes, a file and a trace from the command line; and a run that needs them. */
START_TEST(test_a_run_with_classes) {
    write_text("s.cfg",
        DATA " network = { classes = \"4g 50 %, wifi 50 %\"; }; devices = { preset = \"phones\"; "
             "bandwidth_correlation = 0.5; };\n");
    run_scenario("s.cfg", "out", "");
    struct table clients = table_load("out", "clients.csv");
    for (size_t row = 0; row < clients.n_rows; row++) {
        ck_assert(cell(&clients, row, "latency_s") > 0);
        ck_assert(cell(&clients, row, "flop_per_s") > 1e8 && cell(&clients, row, "flop_per_s") < 1e10);
    }
    table_fini(&clients);
}
END_TEST

START_TEST(test_per_sample_and_measured_runs_take_time) {
    write_text("s.cfg", DATA " network = { preset = \"ideal\"; };\n");
    run_scenario("s.cfg", "a", "--set devices.preset=fedscale");
    run_scenario("s.cfg", "b", "--set devices.compute=measured --set devices.overhead='0 s'");
    run_scenario("s.cfg", "c", "--set devices.preset=ideal");
    json_t *per_sample = load_json("a", "summary.json"), *measured = load_json("b", "summary.json"),
           *none = load_json("c", "summary.json");
    ck_assert(json_path(per_sample, "simulated_s", NULL) > 1);
    ck_assert(json_path(measured, "simulated_s", NULL) > 1e-6);
    ck_assert(json_path(none, "simulated_s", NULL) < 1e-6);
    json_decref(per_sample);
    json_decref(measured);
    json_decref(none);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("presets");
    TCase *tests = tcase_create("presets");
    tcase_set_timeout(tests, 120);
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_add_test(tests, test_networks);
    tcase_add_test(tests, test_devices);
    tcase_add_test(tests, test_payload_shares);
    tcase_add_test(tests, test_fedscale_devices);
    tcase_add_test(tests, test_the_program_checks_every_preset);
    tcase_add_test(tests, test_a_run_with_classes);
    tcase_add_test(tests, test_per_sample_and_measured_runs_take_time);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
