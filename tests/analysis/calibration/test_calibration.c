/* Calibration: samples from known distributions give back these distributions, and intervals of 80 % hold
 * 80 %. Also its results on measurements, where these are available. */
#include "analysis/calibration/against.h"
#include "analysis/calibration/rounds.h"
#include "analysis/calibration/transfers.h"
#include "platforms/data/tables.h"
#include "platforms/presets/presets.h"
#include "sim/base/memory.h"
#include "platforms/distributions/quantile.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/order.h"
#include "tests/folder.h"

#include <math.h>

enum { CLIENTS = 100, TRANSFERS = 60 };

static double lognormal(struct frs_rng *rng, double median, double sigma) {
    return median * exp(sigma * frs_normal_quantile(frs_rng_unit(rng)));
}

static void read_log(struct frs_log *log, const char *path, const struct frs_log_options *options) {
    enum frs_status status = frs_log_read(log, path, options, &errors);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
}

/* 1 MB/s and 50 ms in the median, each with a sigma of 0.5 over clients and of these from transfer to
 * transfer; sizes from 1 kB, which is all latency, to 500 kB, which is all capacity. */
static void make_transfers(double latency_jitter, double jitter) {
    struct frs_rng rng = frs_rng_stream(1, 0, 0, 0, FRS_RNG_TEST);
    FILE *file = fopen("log.csv", "w");
    fputs("session,size_kB,other,duration_ms\n", file);
    for (int client = 0; client < CLIENTS; client++) {
        double bytes_per_s = lognormal(&rng, 1e6, 0.5), latency_s = lognormal(&rng, 0.05, 0.5);
        for (int i = 0; i < TRANSFERS; i++) {
            double bytes = 1e3 + 5e5 * frs_rng_unit(&rng) * frs_rng_unit(&rng),
                   duration_s = lognormal(&rng, latency_s, latency_jitter) +
                                lognormal(&rng, bytes / bytes_per_s, jitter);
            fprintf(file, "c%d,%.9g,x,%.9g\n", client, bytes / 1e3, duration_s * 1e3);
        }
    }
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(known_distributions_are_recovered) {
    make_transfers(0.3, 0.3);
    struct frs_log log;
    read_log(&log, "log.csv", &(struct frs_log_options){0});
    ck_assert(!log.of_rounds);
    ck_assert_uint_eq(log.n_clients, CLIENTS);
    ck_assert_uint_eq(log.n, CLIENTS * TRANSFERS);
    struct frs_links links;
    size_t all[CLIENTS];
    for (size_t i = 0; i < CLIENTS; i++)
        all[i] = i;
    frs_links_fit(&links, &log, FRS_LOG_DOWN);
    ck_assert(links.jitters.told_apart);
    ck_assert_double_eq_tol(links.jitters.rate, 0.3, 0.03);
    ck_assert_double_eq_tol(links.jitters.latency, 0.3, 0.05);
    ck_assert_uint_ge(links.n_told_apart, 95);
    struct frs_links_distributions distributions = frs_links_distributions(&links, all, CLIENTS);
    ck_assert_double_eq_tol(log10(distributions.bytes_per_s), 6, 0.1);
    ck_assert_double_eq_tol(distributions.rate_sigma, 0.5, 0.12);
    ck_assert_double_eq_tol(log10(distributions.latency_s), log10(0.05), 0.1);
    ck_assert_double_eq_tol(distributions.latency_sigma, 0.5, 0.15);
    for (enum frs_unseen unseen = 0; unseen <= FRS_UNSEEN_DISTRIBUTIONS; unseen++) {
        struct frs_links_errors found = frs_links_held_out(&links, &log, 0, unseen);
        ck_assert_uint_eq(found.n_transfers, CLIENTS * TRANSFERS);
        ck_assert_double_eq_tol(found.within, 0.8, 0.03);
        ck_assert_uint_eq(found.group, 20);
        ck_assert_double_eq_tol(found.slowest_within, 0.8, 0.1);
        ck_assert_double_lt(found.second_half, found.second_half_least_squares * 1.02);
    }
    frs_links_fini(&links);
    frs_log_fini(&log);
}
END_TEST

/* Latencies that vary little with capacities that vary much, and the reverse. A single jitter for both
 * would predict small messages too slow and large ones too fast, or the reverse, and be right only on
 * average. */
START_TEST(two_jitters_beat_one) {
    for (int turned = 0; turned < 2; turned++) {
        double latency = turned ? 0.5 : 0.1, rate = turned ? 0.1 : 0.5;
        make_transfers(latency, rate);
        struct frs_log log;
        struct frs_links links;
        read_log(&log, "log.csv", &(struct frs_log_options){0});
        frs_links_fit(&links, &log, FRS_LOG_DOWN);
        ck_assert(links.jitters.told_apart);
        ck_assert_double_eq_tol(links.jitters.latency, latency, 0.03 + 0.1 * latency);
        ck_assert_double_eq_tol(links.jitters.rate, rate, 0.03 + 0.1 * rate);
        for (enum frs_unseen unseen = 0; unseen <= FRS_UNSEEN_DISTRIBUTIONS; unseen++) {
            struct frs_links_errors found = frs_links_held_out(&links, &log, 0, unseen);
            size_t n = 0;
            ck_assert_uint_eq(found.n_sizes, 3);
            for (size_t i = 0; i < 3; i++) {
                n += found.sizes[i].n;
                ck_assert_double_eq_tol(found.sizes[i].within, 0.8, 0.06);
                ck_assert(i == 0 || found.sizes[i].least > found.sizes[i - 1].most);
            }
            ck_assert_uint_eq(n, found.n_transfers);
        }
        frs_links_fini(&links);
        frs_log_fini(&log);
    }
}
END_TEST

/* Client a takes 1, 2, 3 s, client b 10 s in each of two rounds: medians 2 and 10; deviations log 1/2, 0, log
 * 3/2, 0, 0, whose middle 80 % go from 0.6 log 1/2 to 0.6 log 3/2, two of five having been fitted. */
START_TEST(rounds_by_hand) {
    write_file("log.csv", "round,client,duration_s\n1,a,1\n1,b,10\n2,a,2\n3,a,3\n3,b,10\n");
    struct frs_log log;
    read_log(&log, "log.csv", &(struct frs_log_options){0});
    ck_assert(log.of_rounds);
    struct frs_round_times times;
    frs_round_times_fit(&times, &log, 0, 3);
    ck_assert_double_eq(times.median_s[0], 2);
    ck_assert_double_eq(times.median_s[1], 10);
    ck_assert_double_eq_tol(times.sigma, 0.6 * (log10(3) / log10(M_E)) / 2.5631031 * sqrt(5.0 / 3), 1e-6);
    frs_round_times_fini(&times);
    frs_log_fini(&log);
}
END_TEST

/* Twenty rounds each of two clients that have nothing in common, and of two that have all in common. */
START_TEST(rounds_that_depend) {
    for (int together = 0; together < 2; together++) {
        struct frs_rng rng = frs_rng_stream(2, 0, 0, 0, FRS_RNG_TEST);
        FILE *file = fopen("log.csv", "w");
        fputs("round,client,duration_s\n", file);
        for (int round = 0; round < 400; round++) {
            double a_s = lognormal(&rng, 1, 0.2), b_s = lognormal(&rng, 1, 0.2);
            fprintf(file, "%d,a,%.9g\n%d,b,%.9g\n", round, a_s, round, together ? a_s : b_s);
        }
        ck_assert_int_eq(fclose(file), 0);
        struct frs_log log;
        read_log(&log, "log.csv", &(struct frs_log_options){0});
        struct frs_round_errors found = frs_rounds_held_out(&log);
        ck_assert_uint_eq(found.n_rounds, 200);
        ck_assert_double_eq(found.clients, 2);
        if (together) {
            ck_assert_double_gt(found.correlation, 0.95);
            ck_assert_double_gt(found.predicted_s, found.slowest_s * 1.05);
        } else {
            ck_assert_double_lt(fabs(found.correlation), found.chance * 1.5);
            ck_assert_double_eq_tol(found.predicted_s / found.slowest_s, 1, 0.07);
            ck_assert_double_eq_tol(found.within, 0.8, 0.1);
        }
        frs_log_fini(&log);
    }
}
END_TEST

/* ---- measurements ---------------------------------------------------------------------------- */

static const char *const by_access[] = {"class=access"};

/* Transfers over Wi-Fi and 4G (Lumos, INFOCOM 2022). Fitted on the first half of a session, the error of
 * the second is at most 1.1 times that of least squares. For sessions that were not fitted, intervals of
 * 80 % hold 75 to 85 % of the transfers and of the slowest of 20. */
START_TEST(measured_transfers_are_predicted) {
    char *path = frs_test_data_file("measured_transfers", "lumos/transfers.csv");
    static const char *const classes[] = {"4g", "wifi"};
    for (size_t i = 0; path && i < 2; i++) {
        struct frs_log log;
        struct frs_links links;
        read_log(
            &log, path, &(struct frs_log_options){.columns = by_access, .n_columns = 1, .only = classes[i]});
        frs_links_fit(&links, &log, FRS_LOG_DOWN);
        struct frs_links_errors found = frs_links_held_out(&links, &log, 0, FRS_UNSEEN_ROWS);
        ck_assert_double_le(found.second_half, 1.1 * found.second_half_least_squares);
        ck_assert_double_eq_tol(found.within, 0.8, 0.05);
        ck_assert_uint_eq(found.group, 20);
        ck_assert_double_eq_tol(found.slowest_within, 0.8, 0.05);
        frs_links_fini(&links);
        frs_log_fini(&log);
    }
    free(path);
}
END_TEST

/* The tables and jitters of presets lumos-4g and lumos-wifi equal the calibration of the sessions whose
 * server was not limited to 5 Mbit/s: capacities at 0, 2.5, 5 … 100 %, to the four digits of the tables. */
START_TEST(presets_are_what_calibration_makes) {
    char *path = frs_test_data_file("measured_presets", "lumos/transfers.csv");
    static const char *const columns[] = {"class=access+server_limit"};
    static const struct {
        const char *class, *table, *preset;
        size_t n;
    } cases[] = {
        {"4g-50M", "lumos-4g-down", "lumos-4g", 84}, {"wifi-50M", "lumos-wifi-down", "lumos-wifi", 182}};
    for (size_t i = 0; path && i < 2; i++) {
        struct frs_log log;
        struct frs_links links;
        read_log(&log, path,
            &(struct frs_log_options){.columns = columns, .n_columns = 1, .only = cases[i].class});
        frs_links_fit(&links, &log, FRS_LOG_DOWN);
        size_t n = log.n_clients;
        ck_assert_uint_eq(n, cases[i].n);
        double *capacities = frs_alloc(n, sizeof *capacities), sigma = links.jitters.rate;
        for (size_t k = 0; k < n; k++)
            capacities[k] = exp(sigma * sigma / 2) / links.distributions[k].s_per_byte;
        qsort(capacities, n, sizeof *capacities, frs_compare_doubles);
        const struct frs_table *table = frs_table_find(cases[i].table);
        ck_assert_uint_eq(table->n, 41);
        for (size_t k = 0; k < table->n; k++) {
            double place = (double)k / 40 * (double)(n - 1);
            size_t below = (size_t)place, above = below + 1 < n ? below + 1 : below;
            double quantile =
                capacities[below] + (place - (double)below) * (capacities[above] - capacities[below]);
            ck_assert_double_eq_tol(table->values[k] * table->unit / quantile, 1, 1e-3);
        }
        const struct frs_preset *const *preset = frs_network_presets;
        while (strcmp((*preset)->plugin.name, cases[i].preset) != 0)
            preset++;
        ck_assert_double_eq_tol(strtod(frs_preset_setting(*preset, "network.jitter"), NULL), sigma, 0.005);
        ck_assert_double_eq_tol(strtod(frs_preset_setting(*preset, "network.latency_jitter"), NULL),
            links.jitters.latency, 0.005);
        free(capacities);
        frs_links_fini(&links);
        frs_log_fini(&log);
    }
    free(path);
}
END_TEST

/* Rounds of deployments: the slowest of three in the second 50 rounds is predicted within 5 %, and
 * intervals of 80 % hold 70 to 90 %. Simulators run their clients on one machine: calibration finds and
 * reports this correlation, and predicts the slowest too slow. */
START_TEST(measured_rounds_are_predicted) {
    static const char *const columns[] = {"client=cid", "duration_s=latency"};
    static const struct {
        const char *name;
        bool deployed;
    } files[] = {{"fl-rounds/standard_deployment.csv", true}, {"fl-rounds/constrained_resources.csv", true},
        {"fl-rounds/floto.csv", true}, {"fl-rounds/simulation-rw.csv", false},
        {"fl-rounds/simulation-public.csv", false}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *path = frs_test_data_file("measured_rounds", files[i].name);
        if (!path)
            break;
        struct frs_log log;
        read_log(&log, path, &(struct frs_log_options){.columns = columns, .n_columns = 2});
        struct frs_round_errors found = frs_rounds_held_out(&log);
        free(path);
        ck_assert_uint_eq(found.n_rounds, 50);
        ck_assert_double_eq(found.clients, 3);
        ck_assert_double_eq_tol(found.within, 0.8, 0.1);
        if (files[i].deployed)
            ck_assert_double_eq_tol(found.predicted_s / found.slowest_s, 1, 0.05);
        else
            ck_assert_double_gt(found.correlation, found.chance);
        frs_log_fini(&log);
    }
}
END_TEST

/* Rounds of one, two and five clients: two in the median. Medians of 1, 2 and 4 s have their quantiles of 10
 * and 90 % 1.6 ln 2 apart: a sigma of 1.6 ln 2 / 2.563103 · √(3/2), and of single rounds 0.4. */
START_TEST(cohorts_and_spread_by_hand) {
    static const size_t rounds[] = {0, 1, 1, 2, 2, 2, 2, 2}, clients[] = {0, 0, 1, 0, 1, 2, 3, 4};
    struct frs_log_row rows[8];
    for (size_t i = 0; i < 8; i++)
        rows[i] = (struct frs_log_row){.round = rounds[i], .client = clients[i], .duration_s = 1};
    const struct frs_log log = {.of_rounds = true, .rows = rows, .n = 8, .n_clients = 5, .n_rounds = 3};
    struct frs_round_cohorts cohorts = frs_round_cohorts(&log);
    ck_assert_uint_eq(cohorts.n, 2);
    ck_assert_uint_eq(cohorts.least, 1);
    ck_assert_uint_eq(cohorts.most, 5);
    double medians[] = {1, 2, 4}, between = 1.6 * 0.6931471805599453 / 2.5631031310892 * sqrt(1.5);
    const struct frs_round_times times = {.median_s = medians, .n_clients = 3, .sigma = 0.4};
    ck_assert_double_eq_tol(frs_round_spread(&times), hypot(between, 0.4), 1e-9);
}
END_TEST

/* Four logged rounds, each with its slowest line first: 5, 6, 7 and 8 s. Of ten rounds of a run two take 5.5
 * s and the others 9 s: three of the four lie between their shares of 10 and 90 %. Chance allows 80 %
 * less 1.96 · √(.16 (1/4 + 1/10)). */
START_TEST(rounds_beside_a_log) {
    struct frs_log_row rows[8];
    double run_s[10] = {5.5, 5.5, 9, 9, 9, 9, 9, 9, 9, 9};
    for (size_t i = 0; i < 8; i++)
        rows[i] = (struct frs_log_row){.round = i / 2, .duration_s = i % 2 ? 2 : 5 + (double)(i / 2)};
    const struct frs_log log = {.of_rounds = true, .rows = rows, .n = 8, .n_clients = 1, .n_rounds = 4};
    struct frs_rounds_beside beside = frs_rounds_beside(&log, run_s, 10);
    ck_assert_double_eq_tol(beside.logged_s[0], 5.3, 1e-12);
    ck_assert_double_eq_tol(beside.logged_s[1], 6.5, 1e-12);
    ck_assert_double_eq_tol(beside.logged_s[2], 7.7, 1e-12);
    ck_assert_double_eq_tol(beside.within, 0.75, 1e-12);
    ck_assert_double_eq_tol(beside.low, 0.8 - 1.96 * sqrt(0.16 * 0.35), 1e-12);
    ck_assert_double_eq(beside.high, 1);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("calibration");
    TCase *known = tcase_create("known distributions"), *measured = tcase_create("measurements");
    tcase_add_checked_fixture(known, fixture_setup, fixture_teardown);
    tcase_add_test(known, known_distributions_are_recovered);
    tcase_add_test(known, two_jitters_beat_one);
    tcase_add_test(known, rounds_by_hand);
    tcase_add_test(known, cohorts_and_spread_by_hand);
    tcase_add_test(known, rounds_beside_a_log);
    tcase_add_test(known, rounds_that_depend);
    suite_add_tcase(suite, known);
    tcase_set_timeout(measured, 60);
    tcase_add_test(measured, measured_transfers_are_predicted);
    tcase_add_test(measured, presets_are_what_calibration_makes);
    tcase_add_test(measured, measured_rounds_are_predicted);
    suite_add_tcase(suite, measured);
    return frs_test_run(suite);
}
