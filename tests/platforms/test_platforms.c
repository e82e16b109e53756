/* Platforms: what the distributions draw, how devices turn flops into time, and the file SimGrid reads. */
#include "platforms/devices/devices.h"
#include "platforms/networks/network.h"
#include "platforms/presets/presets.h"
#include "platforms/networks/slots.h"
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct frs_distribution_kind frs_distribution_constant[], frs_distribution_uniform[],
    frs_distribution_lognormal[];

enum { N = 20000 };

static const struct frs_distribution constant = {.distribution = frs_distribution_constant, .p = {42}};
static const struct frs_distribution uniform = {.distribution = frs_distribution_uniform, .p = {10, 30}};
static const struct frs_distribution lognormal = {
    .distribution = frs_distribution_lognormal, .p = {1000, 0.8}};

static double drawn(const struct frs_distribution *distribution, uint32_t client) {
    return frs_distribution_draw(distribution, 1, client, FRS_RNG_DOWNLINK);
}

START_TEST(constant_is_its_value) {
    for (uint32_t client = 0; client < 100; client++)
        ck_assert_double_eq(drawn(&constant, client), 42);
    ck_assert_double_eq(frs_distribution_median(&constant), 42);
}
END_TEST

/* Mean (a + b)/2 and variance (b − a)²/12; five standard errors. */
START_TEST(uniform_has_its_moments) {
    double sum = 0, squares = 0;
    for (uint32_t client = 0; client < N; client++) {
        double x = drawn(&uniform, client);
        ck_assert_double_ge(x, 10);
        ck_assert_double_lt(x, 30);
        sum += x;
        squares += (x - 20) * (x - 20);
    }
    ck_assert_double_eq_tol(sum / N, 20, 5 * sqrt(400 / 12.0 / N));
    ck_assert_double_eq_tol(squares / N, 400 / 12.0, 1.0);
    ck_assert_double_eq(frs_distribution_median(&uniform), 20);
}
END_TEST

/* The logarithms are normal: mean ln 1000, standard deviation 0.8, a share 0.1587 above one of it. */
START_TEST(lognormal_has_its_moments) {
    double sum = 0, squares = 0;
    size_t above = 0;
    for (uint32_t client = 0; client < N; client++) {
        double z = log(drawn(&lognormal, client) / 1000) / 0.8;
        sum += z;
        squares += z * z;
        above += z > 1;
    }
    ck_assert_double_eq_tol(sum / N, 0, 5 / sqrt(N));
    ck_assert_double_eq_tol(squares / N, 1, 5 * sqrt(2.0 / N));
    ck_assert_double_eq_tol((double)above / N, 0.15866, 5 * sqrt(0.1335 / N));
    ck_assert_double_eq(frs_distribution_median(&lognormal), 1000);
}
END_TEST

/* A client's bandwidth says nothing of its other properties, nor of another client or seed. */
START_TEST(test_streams_are_apart) {
    struct frs_network network = {.bandwidth_factor = 1,
        .direction_factors = {1, 1},
        .latency_factor = 1,
        .payload_share = 1,
        .distributions = {lognormal, lognormal, lognormal}};
    double products[4] = {0};
    for (uint32_t client = 0; client < N; client++) {
        struct frs_client_link link = frs_network_client(&network, 1, client);
        double down = log(link.down_bytes_per_s / 1000), up = log(link.up_bytes_per_s / 1000);
        products[0] += down * up;
        products[1] += down * log(link.latency_s / 1000);
        products[2] += down * log(drawn(&lognormal, client + 1) / 1000);
        products[3] += down * log(frs_network_client(&network, 2, client).down_bytes_per_s / 1000);
    }
    for (size_t i = 0; i < 4; i++)
        ck_assert_double_eq_tol(products[i] / N / 0.64, 0, 5 / sqrt(N));
    struct frs_client_link a = frs_network_client(&network, 7, 3), b = frs_network_client(&network, 7, 3);
    ck_assert(memcmp(&a, &b, sizeof a) == 0);
}
END_TEST

/* overhead + slowdown · flop / speed: 2 + 3 · 84 / 42 = 8. */
START_TEST(compute_time_by_hand) {
    struct frs_devices devices = {.compute = FRS_COMPUTE_FLOPS,
        .efficiency = 1,
        .own = {.speed = constant, .constants = {.slowdown = 3, .overhead_s = 2}}};
    ck_assert_double_eq(frs_devices_compute_s(&devices, 1, 0, (struct frs_spent){.flop = 84}), 8);
    ck_assert_double_eq(frs_devices_flop_per_s(&devices, 1, 0), 14);
    ck_assert_double_eq(frs_devices_compute_s(&devices, 1, 0, (struct frs_spent){.flop = 0}), 2);
    devices.compute = FRS_COMPUTE_FIXED;
    ck_assert_double_eq(frs_devices_compute_s(&devices, 1, 0, (struct frs_spent){.flop = 84}), 2);
    ck_assert_double_eq(frs_devices_flop_per_s(&devices, 1, 0), 0);
    devices = (struct frs_devices){.compute = FRS_COMPUTE_NONE};
    ck_assert_double_eq(frs_devices_compute_s(&devices, 1, 0, (struct frs_spent){.flop = 84}), 0);
}
END_TEST

static size_t count(const char *text, const char *what) {
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        n++;
    return n;
}

START_TEST(slots_are_written) {
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    ck_assert_int_eq(frs_slots_write(file, 3, INFINITY, INFINITY), 0);
    fclose(file);
    /* Two hosts, two links and their two connections a slot. */
    ck_assert_uint_eq(count(text, "<host id="), 6);
    ck_assert_uint_eq(count(text, "<link id="), 6);
    ck_assert_uint_eq(count(text, "<host_link id="), 6);
    ck_assert_ptr_nonnull(strstr(text, "<host_link id=\"c2\" up=\"u2\" down=\"d2\"/>"));
    ck_assert_ptr_nonnull(strstr(text, "<host_link id=\"s2\" up=\"d2\" down=\"u2\"/>"));
    free(text);
}
END_TEST

START_TEST(test_slots_on_a_full_disk) {
    FILE *full = fopen("/dev/full", "w");
    if (!full) {
        puts("SKIPPED test_slots_on_a_full_disk: there is no /dev/full");
        return;
    }
    ck_assert_int_eq(frs_slots_write(full, 1000, INFINITY, INFINITY), -1);
    fclose(full);
}
END_TEST

/* Every preset says where its figures come from, and every setting has a value. */
START_TEST(test_presets_have_sources) {
    const struct frs_preset *const *families[] = {frs_network_presets, frs_device_presets};
    for (size_t i = 0; i < 2; i++)
        for (const struct frs_preset *const *preset = families[i]; *preset; preset++) {
            ck_assert_ptr_nonnull((*preset)->plugin.source);
            ck_assert_ptr_nonnull((*preset)->plugin.summary);
            for (size_t j = 0; (*preset)->settings[j][0]; j++)
                ck_assert_ptr_nonnull((*preset)->settings[j][1]);
        }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("platforms");
    TCase *tests = tcase_create("platforms");
    tcase_add_test(tests, constant_is_its_value);
    tcase_add_test(tests, uniform_has_its_moments);
    tcase_add_test(tests, lognormal_has_its_moments);
    tcase_add_test(tests, test_streams_are_apart);
    tcase_add_test(tests, compute_time_by_hand);
    tcase_add_test(tests, slots_are_written);
    tcase_add_test(tests, test_slots_on_a_full_disk);
    tcase_add_test(tests, test_presets_have_sources);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
