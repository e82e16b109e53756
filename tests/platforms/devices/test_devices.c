/* Devices: time by each compute model, classes, correlation with the downlink, memory, energy; the server. */
#include "platforms/devices/devices.h"
#include "platforms/networks/network.h"
#include "platforms/networks/server.h"
#include "sim/base/settings/params.h"
#include "tests/folder.h"

#include <math.h>

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NOTHING ((const char *const[]){NULL})

enum { N = 20000 };

/* A distribution by name with its keys; NULL: the section's default. */
struct distribution_text {
    const char *name;
    const char *const *settings;
};

struct texts {
    const char *const *devices;
    struct distribution_text speed, per_sample, memory;
    const char *method;
};

static struct frs_values open_section(struct frs_distribution_section *section,
    const struct frs_plugin *const *plugins, const struct distribution_text *text, const char *initial) {
    const char *name = text->name ? text->name : initial;
    while (*plugins && strcmp((*plugins)->name, name) != 0)
        plugins++;
    ck_assert_ptr_nonnull(*plugins);
    section->plugin = *plugins;
    return frs_values_of((*plugins)->params, text->settings ? text->settings : NOTHING);
}

static const struct frs_plugin slow = {.name = "slow"}, fast = {.name = "fast"}, quick = {.name = "quick"};
static const struct frs_plugin *const methods[] = {&slow, &fast, &quick, NULL};

static bool devices_read(struct frs_devices *devices, const struct texts *texts) {
    struct frs_devices_sections sections = {0};
    struct frs_values values = frs_values_of(frs_devices_params, texts->devices ? texts->devices : NOTHING);
    struct frs_values speed =
        open_section(&sections.speed, frs_speed_distributions, &texts->speed, "by_class");
    struct frs_values per_sample =
        open_section(&sections.per_sample, frs_time_distributions, &texts->per_sample, "empirical");
    struct frs_values memory =
        open_section(&sections.memory, frs_bytes_distributions, &texts->memory, "constant");
    free(values.section);
    values.section = frs_strdup("devices");
    sections.devices = &values;
    sections.method = texts->method;
    sections.methods = methods;
    sections.speed.values = &speed;
    sections.per_sample.values = &per_sample;
    sections.memory.values = &memory;
    bool ok = frs_devices_read(devices, &sections, &errors);
    frs_values_fini(&values);
    frs_values_fini(&speed);
    frs_values_fini(&per_sample);
    frs_values_fini(&memory);
    return ok;
}

static struct frs_devices devices_of(const struct texts *texts) {
    struct frs_devices devices;
    bool ok = devices_read(&devices, texts);
    expect_no_error();
    ck_assert(ok);
    return devices;
}

#define TWO_GFLOPS                                                                                           \
    { "constant", SETTINGS("value", "2 Gflop/s") }
#define SPREAD                                                                                               \
    { "lognormal", SETTINGS("median", "1 Gflop/s") }

static const struct frs_spent spent = {.flop = 4e9, .samples = 1000, .cpu_s = 0.5};

/* 3 s + 7 · 4 Gflop / 2 Gflop/s, 3 s + 7 · 1000 · 2 ms, 3 s + 7 · 0.5 s, 3 s, nothing. */
START_TEST(compute_models_by_hand) {
    static const struct {
        const char *model;
        double expected_s;
        bool deterministic, needs_training;
    } cases[] = {{"flops", 17, true, true}, {"per_sample", 17, true, false}, {"measured", 6.5, false, true},
        {"fixed", 3, true, false}, {"none", 0, true, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_devices devices = devices_of(&(struct texts){
            .devices = SETTINGS("compute", cases[i].model, "overhead", "3 s", "slowdown", "7"),
            .speed = TWO_GFLOPS,
            .per_sample = {"constant", SETTINGS("value", "2 ms")}});
        ck_assert_double_eq_tol(frs_devices_compute_s(&devices, 1, 0, spent), cases[i].expected_s, 1e-12);
        ck_assert_int_eq(frs_devices_deterministic(&devices), cases[i].deterministic);
        ck_assert_int_eq(frs_devices_need_training(&devices), cases[i].needs_training);
        ck_assert_double_eq(frs_devices_flop_per_s(&devices, 1, 0), i == 0 ? 2e9 / 7 : 0);
        ck_assert_str_eq(frs_devices_class(&devices, 1, 0), "none");
        frs_devices_fini(&devices);
    }
}
END_TEST

/* It divides what a client computes, and not its overhead: 3 s + 7 · 4 Gflop / 2 Gflop/s / 4. */
START_TEST(speed_factor_leaves_overhead_alone) {
    static const char *const models[] = {"flops", "per_sample", "measured", "fixed"};
    static const double expected_s[] = {3 + 14.0 / 4, 3 + 14.0 / 4, 3 + 3.5 / 4, 3};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        struct frs_devices devices =
            devices_of(&(struct texts){.devices = SETTINGS("compute", models[i], "overhead", "3 s",
                                           "slowdown", "7", "speed_factor", "4"),
                .speed = TWO_GFLOPS,
                .per_sample = {"constant", SETTINGS("value", "2 ms")}});
        ck_assert_double_eq_tol(frs_devices_compute_s(&devices, 1, 0, spent), expected_s[i], 1e-12);
        frs_devices_fini(&devices);
    }
}
END_TEST

/* 3 s + 7 · (4 Gflop / (2 Gflop/s · 0.5) + 1000 · 1 ms) for the method that is named; 3 s + 7 · 4 Gflop / 2
 * Gflop/s for others; nothing is said of a third. */
START_TEST(efficiency_is_of_the_named_method) {
    struct texts texts = {.devices = SETTINGS("overhead", "3 s", "slowdown", "7", "efficiency",
                              "slow 0.5, others 1", "sample_time", "slow 1 ms, others 0 s"),
        .speed = TWO_GFLOPS,
        .method = "slow"};
    struct frs_devices devices = devices_of(&texts);
    ck_assert_double_eq_tol(frs_devices_compute_s(&devices, 1, 0, spent), 3 + 7 * (4 + 1), 1e-12);
    ck_assert_double_eq(frs_devices_flop_per_s(&devices, 1, 0), 1e9 / 7);
    frs_devices_fini(&devices);
    texts.method = "quick";
    devices = devices_of(&texts);
    ck_assert_double_eq_tol(frs_devices_compute_s(&devices, 1, 0, spent), 17, 1e-12);
    frs_devices_fini(&devices);
    texts.devices = SETTINGS("efficiency", "slow 0.5, fast 2");
    ck_assert(!devices_read(&devices, &texts));
    ck_assert_uint_eq(errors.n, 1);
    ck_assert_ptr_nonnull(strstr(errors.lines[0],
        "says nothing of method \"quick\"; allowed: a value for every method, or one for \"others\""));
    frs_errors_clear(&errors);
    texts.devices = SETTINGS("sample_time", "quik 1 ms, others 0 s");
    ck_assert(!devices_read(&devices, &texts));
    ck_assert_uint_eq(errors.n, 1);
    ck_assert_ptr_nonnull(strstr(errors.lines[0], "there is no method \"quik\""));
    frs_errors_clear(&errors);
}
END_TEST

/* A high quantile is a fast device: much speed, little time per sample. */
START_TEST(a_high_quantile_is_a_fast_device) {
    struct frs_devices by_speed = devices_of(&(struct texts){.speed = SPREAD});
    struct frs_devices by_sample = devices_of(&(struct texts){.devices = SETTINGS("compute", "per_sample"),
        .per_sample = {"empirical", SETTINGS("table", "fedscale-compute")}});
    for (uint32_t client = 0; client < 500; client++) {
        double u = frs_devices_quantile(&by_speed, 3, client);
        ck_assert(u > 0 && u < 1);
        ck_assert_double_eq(u, frs_devices_quantile(&by_sample, 3, client));
        ck_assert_double_eq_tol(
            frs_devices_flop_per_s(&by_speed, 3, client), 1e9 * exp(0.8 * frs_normal_quantile(u)), 1);
        ck_assert_double_eq_tol(
            frs_devices_compute_s(&by_sample, 3, client, (struct frs_spent){.samples = 1}),
            frs_distribution_quantile(&by_sample.per_sample, 1 - u), 1e-15);
    }
    frs_devices_fini(&by_speed);
    frs_devices_fini(&by_sample);
}
END_TEST

/* Mean 1 and variance exp(sigma²) − 1; a participation has its own, and devices without jitter or without
 * computing none. */
START_TEST(test_jitter_of_computing) {
    struct frs_devices devices =
        devices_of(&(struct texts){.devices = SETTINGS("jitter", "0.5"), .speed = SPREAD});
    struct frs_devices plain = devices_of(&(struct texts){.speed = SPREAD});
    double sum = 0, squares = 0;
    for (uint32_t round = 0; round < N; round++) {
        double factor = frs_devices_jitter(&devices, 4, 9, round, 0);
        sum += factor;
        squares += (factor - 1) * (factor - 1);
    }
    ck_assert_double_eq_tol(sum / N, 1, 4 * sqrt((exp(0.25) - 1) / N));
    ck_assert_double_eq_tol(squares / N, exp(0.25) - 1, 0.05);
    double first = frs_devices_jitter(&devices, 4, 9, 7, 0);
    ck_assert_double_eq(first, frs_devices_jitter(&devices, 4, 9, 7, 0));
    ck_assert_double_ne(first, frs_devices_jitter(&devices, 4, 9, 7, 1));
    ck_assert_double_ne(first, frs_devices_jitter(&devices, 4, 8, 7, 0));
    ck_assert_double_eq(frs_devices_jitter(&plain, 4, 9, 7, 0), 1);
    ck_assert_double_eq(
        frs_devices_compute_s(&devices, 4, 9, spent), frs_devices_compute_s(&plain, 4, 9, spent));
    frs_devices_fini(&devices);
    frs_devices_fini(&plain);
}
END_TEST

/* Spearman's correlation of two uniform columns is 12 times their covariance. */
START_TEST(speed_and_bandwidth_correlate) {
    static const struct {
        const char *text;
        double correlation;
    } cases[] = {{"0", 0}, {"0.6", 0.6}, {"-0.8", -0.8}};
    for (size_t i = 0; i < 3; i++) {
        struct frs_devices devices = devices_of(
            &(struct texts){.devices = SETTINGS("bandwidth_correlation", cases[i].text), .speed = SPREAD});
        double products = 0;
        for (uint32_t client = 0; client < N; client++)
            products += (frs_devices_quantile(&devices, 2, client) - 0.5) *
                        (frs_network_quantile(NULL, 2, client) - 0.5);
        ck_assert_double_eq_tol(12 * products / N, 6 / M_PI * asin(cases[i].correlation / 2), 0.02);
        frs_devices_fini(&devices);
    }
}
END_TEST

START_TEST(classes_have_their_shares) {
    struct frs_devices devices = devices_of(
        &(struct texts){.devices = SETTINGS("classes", "pc 20 %, phone-low 30 %, fieldguide 50 %")});
    size_t n[3] = {0};
    double last[3] = {0};
    ck_assert_str_eq(devices.classes.presets[0]->plugin.name, "phone-low");
    ck_assert_str_eq(devices.classes.presets[1]->plugin.name, "fieldguide");
    ck_assert_str_eq(devices.classes.presets[2]->plugin.name, "pc");
    for (uint32_t client = 0; client < N; client++) {
        const char *class = frs_devices_class(&devices, 6, client);
        size_t c = strcmp(class, "phone-low") == 0 ? 0 : strcmp(class, "fieldguide") == 0 ? 1 : 2;
        double speed = frs_devices_flop_per_s(&devices, 6, client);
        n[c]++;
        last[c] = fmax(last[c], frs_devices_quantile(&devices, 6, client));
        if (c == 1) { /* 20 Gflop/s, 7 times slower, 10 s of overhead, no limit of memory */
            ck_assert_double_eq(speed, 20e9 / 7);
            ck_assert_double_eq_tol(frs_devices_compute_s(&devices, 6, client, spent), 10 + 1.4, 1e-12);
            ck_assert(isinf(frs_devices_memory_bytes(&devices, 6, client)));
        } else {
            ck_assert_double_eq(frs_devices_compute_s(&devices, 6, client, spent), 4e9 / speed);
            ck_assert_double_eq(frs_devices_memory_bytes(&devices, 6, client), c == 0 ? 0x1p27 : 0x1p32);
        }
    }
    ck_assert(last[0] < 0.3 && last[1] < 0.8);
    ck_assert_double_eq_tol((double)n[0] / N, 0.3, 4 * sqrt(0.21 / N));
    ck_assert_double_eq_tol((double)n[1] / N, 0.5, 4 * sqrt(0.25 / N));
    ck_assert_double_eq_tol((double)n[2] / N, 0.2, 4 * sqrt(0.16 / N));
    frs_devices_fini(&devices);
}
END_TEST

START_TEST(test_explicit_keys_beat_classes) {
    struct frs_devices devices = devices_of(
        &(struct texts){.devices = SETTINGS("classes", "pc 50 %, fieldguide 50 %", "overhead", "1 s"),
            .speed = TWO_GFLOPS,
            .memory = {"uniform", SETTINGS("low", "1 MB", "high", "2 MB")}});
    for (uint32_t client = 0; client < 200; client++) {
        bool pc = strcmp(frs_devices_class(&devices, 1, client), "pc") == 0;
        ck_assert_double_eq_tol(
            frs_devices_compute_s(&devices, 1, client, spent), pc ? 1 + 2 : 1 + 14, 1e-12);
        double memory = frs_devices_memory_bytes(&devices, 1, client);
        ck_assert(memory >= 1e6 && memory <= 2e6);
    }
    frs_devices_fini(&devices);
}
END_TEST

START_TEST(wrong_settings_are_refused) {
    static const struct {
        const char *compute, *classes, *error;
    } cases[] = {
        {"flops", "phones 100 %", "devices.classes: \"phones\" is itself a mix of classes"},
        {"flops", "ideal 100 %", "devices.classes: \"ideal\" computes by \"none\" and so has no speed"},
        {"flops", "phone-lo 100 %",
            "devices.classes: \"phone-lo\" is not a class; did you mean \"phone-low\"?; allowed: ideal | "
            "fieldguide | fedscale | phone-low | phone-mid | phone-high | tablet | pc | phones | mixed | "
            "plain"},
        {"measured", "pc 100 %",
            "devices.classes: not possible with devices.compute = \"measured\", because a class gives a "
            "speed; allowed: devices.compute = \"flops\""},
        {"flops", "",
            "test.distribution: \"by_class\" takes the value from a client's class, but no classes are "
            "given; allowed: another distribution, or classes"},
        {"per_sample", "", "test.distribution: \"empirical\" needs a table or a file, and only one of them"},
    };
    struct frs_devices devices;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert(!devices_read(&devices,
            &(struct texts){.devices = SETTINGS("compute", cases[i].compute, "classes", cases[i].classes)}));
        expect_error(cases[i].error);
    }
}
END_TEST

START_TEST(test_memory_without_limit) {
    struct frs_devices devices = devices_of(&(struct texts){.speed = SPREAD});
    ck_assert(isinf(frs_devices_memory_bytes(&devices, 1, 0)));
    frs_devices_fini(&devices);
}
END_TEST

static double energy_j(
    const struct frs_devices *devices, enum frs_radio radio, struct frs_exertion exertion) {
    return frs_devices_energy_j(devices, 1, 0, radio, &exertion);
}

/* 2 W · 10 s + 1 W · 5 s + 1 µJ/B · 3 MB = 28 J, whatever the network. */
START_TEST(energy_by_hand) {
    const struct frs_exertion work = {.compute_s = 10, .radio_s = 5, .down_bytes = 2e6, .up_bytes = 1e6};
    struct frs_devices devices = devices_of(&(struct texts){
        .devices = SETTINGS("power_compute", "2 W", "power_radio", "1000 mW", "energy_per_byte", "1 uJ/B"),
        .speed = SPREAD});
    for (enum frs_radio radio = 0; radio < FRS_N_RADIOS; radio++)
        ck_assert_double_eq_tol(energy_j(&devices, radio, work), 28, 1e-12);
    ck_assert_double_eq(energy_j(&devices, FRS_RADIO_LTE, (struct frs_exertion){0}), 0);
    frs_devices_fini(&devices);
    /* By class: a PC's 25 W, and the user's radio. */
    devices = devices_of(&(struct texts){
        .devices = SETTINGS("classes", "pc 100 %", "power_radio", "1 W", "energy_per_byte", "0 J/B")});
    ck_assert_double_eq_tol(energy_j(&devices, FRS_RADIO_WIFI, work), 255, 1e-12);
    frs_devices_fini(&devices);
}
END_TEST

/* Three clients by hand, 10 s of computing each at 3 W, 5 s with a message under way, 2 MB down and 1 MB up:
 *   Wi-Fi           30 + 0.13286 · 5 + 16 · 0.13701 + 8 · 0.28317                  = 35.12182 J
 *   LTE, its tail   30 + 1.288 · 5 + 16 · 0.05197 + 8 · 0.43839 + 1.06 · 21.576    = 63.6492 J: the tail is
 *                   11.576 s after the upload, and the 10 s of computing before it
 *   both in turn    their sum: the radio is that of the participation, nothing of one is carried into the
 *                   next. */
START_TEST(radio_energy_by_hand) {
    struct frs_devices devices = devices_of(&(struct texts){.speed = SPREAD});
    struct frs_exertion work = {.compute_s = 10, .radio_s = 5, .down_bytes = 2e6, .up_bytes = 1e6};
    double wifi_j = energy_j(&devices, FRS_RADIO_WIFI, work);
    work.tail_s = 11.576 + 10;
    double lte_j = energy_j(&devices, FRS_RADIO_LTE, work);
    ck_assert_double_eq_tol(wifi_j, 35.12182, 1e-9);
    ck_assert_double_eq_tol(lte_j, 63.6492, 1e-9);
    work.tail_s = 0;
    double both_j = energy_j(&devices, FRS_RADIO_WIFI, work);
    work.tail_s = 11.576 + 10;
    both_j += energy_j(&devices, FRS_RADIO_LTE, work);
    ck_assert_double_eq_tol(both_j, 35.12182 + 63.6492, 1e-9);
    /* Nothing on top over a cable. */
    ck_assert_double_eq(energy_j(&devices, FRS_RADIO_FIXED, work), 30);
    /* One key alone leaves the other to the network. */
    frs_devices_fini(&devices);
    devices = devices_of(&(struct texts){.devices = SETTINGS("power_radio", "0 W"), .speed = SPREAD});
    work.tail_s = 0;
    ck_assert_double_eq_tol(energy_j(&devices, FRS_RADIO_WIFI, work), 35.12182 - 0.6643, 1e-9);
    frs_devices_fini(&devices);
}
END_TEST

static struct frs_server server_of(const char *const *settings) {
    struct frs_values values = frs_values_of(frs_server_params, settings);
    struct frs_server server;
    bool ok = frs_server_read(&server, &values, &errors);
    frs_values_fini(&values);
    expect_no_error();
    ck_assert(ok);
    return server;
}

START_TEST(server_time_by_hand) {
    struct frs_server server = server_of(NULL);
    ck_assert_double_eq(frs_server_aggregate_s(&server, 1e15, 3), 0);
    server = server_of(SETTINGS("speed", "10 Gflop/s", "overhead", "0.5 s"));
    ck_assert_double_eq(frs_server_aggregate_s(&server, 20e9, 3), 2.5);
    ck_assert_double_eq(frs_server_encode_s(&server, 20e9, 3), 2);
    ck_assert_double_eq(frs_server_aggregate_s(&server, 0, 3), 0.5);
}
END_TEST

/* 30 Gflop from 0 s: 20 by 2 s, none until 5 s, 10 in half a second; from 11 s, which is 1 s again: 10,
 * none, 20. With a second before: 10 by 2 s, 20 from 5 s to 6 s. */
START_TEST(test_server_whose_speed_varies) {
    write_file("server.csv", "t_s,speed_Gflop_s\n0,10\n2,0\n5,20\n10,10\n");
    struct frs_server server = server_of(SETTINGS("trace", "server.csv", "overhead", "1 s"));
    ck_assert_double_eq(server.flop_per_s, 20e9);
    ck_assert_double_eq_tol(frs_server_encode_s(&server, 30e9, 0), 5.5, 1e-12);
    ck_assert_double_eq_tol(frs_server_encode_s(&server, 30e9, 11), 5, 1e-12);
    ck_assert_double_eq(frs_server_encode_s(&server, 0, 3), 0);
    ck_assert_double_eq_tol(frs_server_aggregate_s(&server, 30e9, 0), 6, 1e-12);
    /* Where times are too coarse for the trace, the speed is its largest. */
    ck_assert_double_eq_tol(frs_server_encode_s(&server, 200e9, 1e14), 10, 0.1);
    frs_server_fini(&server);
}
END_TEST

START_TEST(test_wrong_server_traces) {
#define LINKS "t_s, down_bytes_per_s, up_bytes_per_s, speed_flop_per_s, or other units, such as down_Mbit_s"
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "t.csv: is empty; the first line has to be the names of its columns"},
        {"t_s,up_B_s\n", "t.csv: has no lines behind the first"},
        {"t_s,latency_s\n", "t.csv:1: column 2: \"latency_s\" is not known; allowed: " LINKS},
        {"t_s\n", "t.csv:1: has no column t_s, or no other; allowed: t_s and one of down_bytes_per_s, "
                  "up_bytes_per_s and speed_flop_per_s, or in other units"},
        {"up_B_s,down_B_s\n",
            "t.csv:1: has no column t_s, or no other; allowed: t_s and one of down_bytes_per_s, "
            "up_bytes_per_s and speed_flop_per_s, or in other units"},
        {"t_s,up_B_s,up_MB_s\n",
            "t.csv:1: column 3: \"up_MB_s\" says the same as column 2, \"up_B_s\"; allowed: one of them"},
        {"t_s,up_B_s\n1,5\n", "t.csv:2: t_s 1: the first time has to be 0"},
        {"t_s,up_B_s\n0,5\n", "t.csv:2: the trace ends here, but needs two lines at least"},
        {"t_s,up_B_s\n0,5\n2,0\n1,5\n", "t.csv:4: t_s 1 does not rise: the one before is 2"},
        {"t_s,up_B_s\n0,5\n2,6\n",
            "t.csv:3: the trace ends here and starts again, so this up_B_s has to be the first one, 5"},
        {"t_s,up_B_s\n0,0\n2,0\n", "t.csv:3: the trace ends here, and its up_B_s is always 0"},
        {"t_s,up_B_s\n0,-5\n", "t.csv:2: up_B_s -5 is below 0"},
        {"t_s,up_B_s\n0,nan\n", "t.csv:2: up_B_s \"nan\" is not a number"},
        {"t_s,up_GB_s\n0,1e9\n",
            "t.csv:2: column 2 (up_GB_s): \"1e9\" is out of bounds; allowed: 0, or what comes to 1 to 1e+15 "
            "bytes/s"},
        {"t_s,up_B_s\n0\n", "t.csv:2: has another number of fields than 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_server server;
        struct frs_values values = frs_values_of(frs_server_params, SETTINGS("trace", "t.csv"));
        write_file("t.csv", cases[i].text);
        ck_assert_msg(!frs_server_read(&server, &values, &errors), "%s", cases[i].text);
        frs_values_fini(&values);
        expect_error(cases[i].error);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("devices");
    TCase *tests = tcase_create("devices");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, compute_models_by_hand);
    tcase_add_test(tests, a_high_quantile_is_a_fast_device);
    tcase_add_test(tests, speed_factor_leaves_overhead_alone);
    tcase_add_test(tests, efficiency_is_of_the_named_method);
    tcase_add_test(tests, test_jitter_of_computing);
    tcase_add_test(tests, speed_and_bandwidth_correlate);
    tcase_add_test(tests, classes_have_their_shares);
    tcase_add_test(tests, test_explicit_keys_beat_classes);
    tcase_add_test(tests, wrong_settings_are_refused);
    tcase_add_test(tests, test_memory_without_limit);
    tcase_add_test(tests, energy_by_hand);
    tcase_add_test(tests, radio_energy_by_hand);
    tcase_add_test(tests, server_time_by_hand);
    tcase_add_test(tests, test_server_whose_speed_varies);
    tcase_add_test(tests, test_wrong_server_traces);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
