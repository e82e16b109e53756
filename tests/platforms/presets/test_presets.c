/* Presets: every preset composes into a run and passes the program's checks; its quantiles are those that
 * docs/networks.md prints.
 *
 * Labels: slow */
#include "platforms/presets/presets.h"
#include "actors/slow_start.h"
#include "sim/base/errors.h"
#include "sim/base/order.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/setup/compose/compose.h"
#include "tests/sim/run/fixture.h"

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
START_TEST(network_presets_have_documented_quantiles) {
    static const struct {
        const char *preset;
        double down[3], up[3], latency[3];
    } cases[] = {
        {"ideal", {8e6, 8e6, 8e6}, {8e6, 8e6, 8e6}, {0, 0, 0}},
        {"fieldguide", {6.29, 6.29, 6.29}, {2.1, 2.1, 2.1}, {0, 0, 0}},
        {"fedscale", {1.85, 6.12, 32.4}, {1.85, 6.12, 32.4}, {20.4, 30, 44.1}},
        {"flash-wifi", {26.2, 34.5, 72.7}, {16, 26.3, 46.8}, {8, 8, 8}},
        {"lumos-4g", {4.82, 11.1, 32.4}, {2.22, 5.14, 14.9}, {20.4, 30, 44.1}},
        {"lumos-wifi", {6.64, 48.5, 95.5}, {5.06, 37, 72.8}, {4.22, 8, 15.2}},
        {"3g", {1.08, 3, 8.36}, {0.359, 1, 2.79}, {44.9, 75, 125}},
        {"4g", {5.2, 14.5, 40.4}, {2.4, 6.7, 18.7}, {20.4, 30, 44.1}},
        {"5g", {66.4, 185, 516}, {8.43, 23.5, 65.5}, {9.53, 14, 20.6}},
        {"wifi", {12.4, 34.5, 96.2}, {9.43, 26.3, 73.3}, {4.22, 8, 15.2}},
        {"fibre", {114, 216, 410}, {60.6, 115, 218}, {3.4, 5, 7.34}},
        {"mixed-mobile", {4.49, 22.4, 116}, {1.86, 12.3, 51.1}, {5.71, 19.4, 50.6}},
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

/* What one client finds from message to message: a factor with mean 1 on rates and latencies, whose logarithm
 * has this sigma.
 *
 * FLASH: a coefficient of variation of 0.38 within phones, and sqrt(ln(1 + 0.38²)) = 0.367. Lumos: chunks
 * within sessions (tests/analysis/calibration/test_calibration.c, where the transfers are at hand). The
 * others: assumed. */
START_TEST(test_jitter_of_every_preset) {
    enum { ROUNDS = 4000 };
    static const struct {
        const char *preset;
        double rate, latency;
    } cases[] = {{"ideal", 0, 0}, {"fieldguide", 0, 0}, {"fedscale", 0.47, 0.52}, {"flash-wifi", 0.367, 0.18},
        {"lumos-4g", 0.47, 0.52}, {"lumos-wifi", 0.24, 0.18}, {"3g", 0.47, 0.52}, {"4g", 0.47, 0.52},
        {"5g", 0.47, 0.52}, {"wifi", 0.367, 0.18}, {"fibre", 0.1, 0.1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct composed run = compose(cases[i].preset, "ideal");
        const struct frs_network *network = &run.setup.network;
        struct frs_client_link own = frs_network_client(network, 1, 7);
        double sums[2] = {0}, squares[2] = {0}, mean = 0;
        for (uint32_t round = 0; round < ROUNDS; round++) {
            struct frs_transfer_links links = frs_network_transfer(network, 1, 7, round, 0);
            double factors[2] = {links.bytes_per_s[FRS_DIRECTION_UP] / own.up_bytes_per_s,
                own.latency_s > 0 ? links.latency_s[FRS_DIRECTION_UP] / own.latency_s : 1};
            for (size_t k = 0; k < 2; k++) {
                sums[k] += log(factors[k]);
                squares[k] += log(factors[k]) * log(factors[k]);
            }
            mean += factors[0] / ROUNDS;
        }
        double sigmas[2];
        for (size_t k = 0; k < 2; k++)
            sigmas[k] = sqrt(fmax(squares[k] / ROUNDS - (sums[k] / ROUNDS) * (sums[k] / ROUNDS), 0));
        /* A standard error of 1.1 % of a sigma and of 0.8 % of the mean; .37 stands for .367. */
        ck_assert_msg(fabs(sigmas[0] - cases[i].rate) <= 0.045 * cases[i].rate, "%s: jitter %g",
            cases[i].preset, sigmas[0]);
        ck_assert_msg(fabs(sigmas[1] - cases[i].latency) <= 0.035 * cases[i].latency, "%s: latency jitter %g",
            cases[i].preset, sigmas[1]);
        ck_assert_double_eq_tol(mean, 1, 0.03);
        end(&run);
    }
}
END_TEST

/* In a mix every client has the jitter of its class, unless the scenario says one for all. */
START_TEST(test_jitter_of_a_mix) {
    struct composed run = compose("mixed-mobile", "ideal");
    const struct frs_network *network = &run.setup.network;
    ck_assert_double_eq(frs_network_jitter(network, FRS_JITTER_RATE), 0.47);
    ck_assert_double_eq(frs_network_jitter(network, FRS_JITTER_LATENCY), 0.52);
    size_t n_met[2] = {0};
    for (uint32_t client = 0; client < 40; client++) {
        bool wifi = strcmp(frs_network_class(network, 1, client), "wifi") == 0;
        double sum = 0, squares = 0, own = frs_network_client(network, 1, client).down_bytes_per_s;
        for (uint32_t round = 0; round < 1000; round++) {
            double log_factor =
                log(frs_network_transfer(network, 1, client, round, 0).bytes_per_s[FRS_DIRECTION_DOWN] / own);
            sum += log_factor / 1000;
            squares += log_factor * log_factor / 1000;
        }
        ck_assert_double_eq_tol(sqrt(squares - sum * sum), wifi ? 0.37 : 0.47, 0.05);
        n_met[wifi]++;
    }
    ck_assert(n_met[0] > 5 && n_met[1] > 5);
    end(&run);
}
END_TEST

/* Mbit/s of one message of each of many clients, jitter included: the medians of tests that sources print.
 * Over all messages ln has a sigma of sqrt(0.8² + 0.47²) = 0.928: a tenth of 13 Mbit/s are below 13
 * exp(−1.2816 · 0.928) = 3.96, a tenth above 42.7. FLASH's are means of phones: under a log-normal
 * distribution a message in the middle finds exp(−0.37²/2) = 0.934 times 34.5 and 26.3. */
START_TEST(test_messages_of_presets) {
    enum { N = 40001 };
    static double rates[2][N];
    static const struct {
        const char *preset;
        double down[3], up[3]; /* at 10, 50 and 90 %; 0: its source does not tell */
    } cases[] = {
        {"4g", {3.96, 13, 42.7}, {1.83, 6, 19.7}},
        {"5g", {0, 166.13, 0}, {0, 21.08, 0}},
        {"fibre", {0, 216, 0}, {0, 216 * 45.74 / 85.73, 0}},
        {"wifi", {0, 32.2, 0}, {0, 24.6, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct composed run = compose(cases[i].preset, "ideal");
        for (uint32_t client = 0; client < N; client++) {
            struct frs_transfer_links links = frs_network_transfer(&run.setup.network, 1, client, 3, 0);
            for (enum frs_direction way = FRS_DIRECTION_DOWN; way <= FRS_DIRECTION_UP; way++)
                rates[way][client] = links.bytes_per_s[way] * 8e-6;
        }
        for (enum frs_direction way = FRS_DIRECTION_DOWN; way <= FRS_DIRECTION_UP; way++) {
            const double *expected = way == FRS_DIRECTION_DOWN ? cases[i].down : cases[i].up;
            qsort(rates[way], N, sizeof *rates[way], frs_compare_doubles);
            for (size_t k = 0; k < 3; k++) {
                double found = rates[way][(size_t)((N - 1) * (0.1 + 0.4 * (double)k))];
                ck_assert_msg(expected[k] == 0 || fabs(found / expected[k] - 1) <= 0.03,
                    "%s, %s at %g %%: %g instead of %g", cases[i].preset, way == 0 ? "down" : "up",
                    10 + 40 * (double)k, found, expected[k]);
            }
        }
        end(&run);
    }
}
END_TEST

/* What a session of Lumos got of chunks of about 1 MB, its median, latency and slow start included: 3.6, 8.2
 * and 17.6 Mbit/s at 10, 50 and 90 % of the sessions over 4G, 5.6, 29.1 and 58.2 over Wi-Fi, where none is
 * between 10 and 20. Under tcp the presets match that on a connection that is kept, to 15 %; where few
 * sessions are, to 30 %. */
START_TEST(test_chunks_of_lumos) {
    static const struct {
        const char *preset;
        double measured[3], tolerance[3];
    } cases[] = {{"lumos-4g", {3.6, 8.2, 17.6}, {0.15, 0.15, 0.15}},
        {"lumos-wifi", {5.6, 29.1, 58.2}, {0.15, 0.3, 0.15}}};
    for (size_t i = 0; i < 2; i++) {
        struct composed run = compose(cases[i].preset, "ideal");
        const struct frs_network *network = &run.setup.network;
        double sigma = frs_network_jitter(network, FRS_JITTER_RATE),
               latency_s = frs_network_marginals(network, 0.5).latency_s;
        for (size_t k = 0; k < 3; k++) {
            double b = frs_network_marginals(network, 0.1 + 0.4 * (double)k).down_bytes_per_s *
                       exp(-sigma * sigma / 2),
                   t_s = 2 * latency_s +
                         frs_slow_start_duration_s(1e6, b, 2 * latency_s, FRS_SLOW_START_PAIRED);
            ck_assert_msg(fabs(8 / t_s / cases[i].measured[k] - 1) <= cases[i].tolerance[k],
                "%s at %g %%: %g Mbit/s", cases[i].preset, 10 + 40 * (double)k, 8 / t_s);
        }
        end(&run);
    }
}
END_TEST

/* Whether its rates are those of lines or of applications, and how that is known. */
START_TEST(payload_shares_are_as_sources_say) {
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

/* Gflop/s of 20,000 clients in the middle, copied from docs/devices.md; 0: no speed. */
START_TEST(device_presets_have_documented_speeds) {
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
        qsort(speeds, N, sizeof *speeds, frs_compare_doubles);
        ck_assert_msg(fabs(speeds[N / 2] - cases[i].median) <= 0.05 * cases[i].median, "%s: %g",
            cases[i].preset, speeds[N / 2]);
        end(&run);
    }
    ck_assert_ptr_null(frs_device_presets[sizeof cases / sizeof *cases]);
}
END_TEST

/* A tenth, a half and nine tenths of FedScale's devices: 3 · 21.08, 3 · 40.51 and 3 · 174.25 ms a sample. */
START_TEST(fedscale_devices_have_their_quantiles) {
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
    tcase_add_test(tests, network_presets_have_documented_quantiles);
    tcase_add_test(tests, test_jitter_of_every_preset);
    tcase_add_test(tests, test_jitter_of_a_mix);
    tcase_add_test(tests, test_messages_of_presets);
    tcase_add_test(tests, test_chunks_of_lumos);
    tcase_add_test(tests, device_presets_have_documented_speeds);
    tcase_add_test(tests, payload_shares_are_as_sources_say);
    tcase_add_test(tests, fedscale_devices_have_their_quantiles);
    tcase_add_test(tests, test_the_program_checks_every_preset);
    tcase_add_test(tests, test_a_run_with_classes);
    tcase_add_test(tests, test_per_sample_and_measured_runs_take_time);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
