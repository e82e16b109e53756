/* Distributions: quantiles by hand, the built-in tables, CSV files and what is wrong with them, mixtures; the
 * normal distribution and the copula behind correlations. */
#include "platforms/data/tables.h"
#include "platforms/distributions/distribution.h"
#include "sim/base/settings/params.h"
#include "tests/folder.h"

#include <math.h>

#define SETTINGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const struct frs_plugin *find(const struct frs_plugin *const *plugins, const char *name) {
    for (; *plugins; plugins++)
        if (strcmp((*plugins)->name, name) == 0)
            return *plugins;
    ck_abort_msg("no distribution %s", name);
    return NULL;
}

static bool read_distribution(struct frs_distribution *distribution, const struct frs_plugin *const *plugins,
    const char *name, const char *const *settings) {
    const struct frs_plugin *plugin = find(plugins, name);
    struct frs_values values = frs_values_of(plugin->params, settings);
    bool ok = frs_distribution_read(plugin, &values, distribution, &errors);
    frs_values_fini(&values);
    return ok;
}

static struct frs_distribution distribution_of(
    const struct frs_plugin *const *plugins, const char *name, const char *const *settings) {
    struct frs_distribution distribution;
    ck_assert(read_distribution(&distribution, plugins, name, settings));
    expect_no_error();
    return distribution;
}

/* The rate distribution of a file with this text. */
static bool read_text_as_rates(struct frs_distribution *distribution, const char *text) {
    write_file("r.csv", text);
    return read_distribution(distribution, frs_rate_distributions, "empirical", SETTINGS("file", "r.csv"));
}

START_TEST(constant_is_its_value) {
    struct frs_distribution distribution =
        distribution_of(frs_rate_distributions, "constant", SETTINGS("value", "6 Mbit/s"));
    ck_assert_double_eq(frs_distribution_quantile(&distribution, 0.01), 750000);
    ck_assert_double_eq(frs_distribution_median(&distribution), 750000);
    ck_assert(!frs_distribution_varies(&distribution));
    ck_assert_double_eq(frs_distribution_draw(&distribution, 7, 3, FRS_RNG_DOWNLINK), 750000);
}
END_TEST

START_TEST(test_memory_is_unlimited_by_default) {
    struct frs_distribution distribution =
        distribution_of(frs_bytes_distributions, "constant", (const char *const[]){NULL});
    ck_assert(isinf(frs_distribution_median(&distribution)));
    distribution = distribution_of(frs_bytes_distributions, "constant", SETTINGS("value", "64 MiB"));
    ck_assert_double_eq(frs_distribution_median(&distribution), 67108864);
}
END_TEST

START_TEST(uniform_quantiles_are_linear) {
    struct frs_distribution distribution =
        distribution_of(frs_time_distributions, "uniform", SETTINGS("low", "10 ms", "high", "30 ms"));
    ck_assert_double_eq_tol(frs_distribution_quantile(&distribution, 0.25), 0.015, 1e-15);
    ck_assert_double_eq_tol(frs_distribution_median(&distribution), 0.020, 1e-15);
    ck_assert(frs_distribution_varies(&distribution));
    ck_assert(!read_distribution(
        &distribution, frs_time_distributions, "uniform", SETTINGS("low", "3 s", "high", "2 s")));
    expect_error("test.low: is above high; allowed: low at most high");
}
END_TEST

/* 84.134 % of a normal distribution lie below one standard deviation. */
START_TEST(lognormal_quantiles_by_hand) {
    struct frs_distribution distribution = distribution_of(
        frs_speed_distributions, "lognormal", SETTINGS("median", "2 Gflop/s", "sigma", "0.5"));
    ck_assert_double_eq(frs_distribution_median(&distribution), 2e9);
    ck_assert_double_eq_tol(
        frs_distribution_quantile(&distribution, 0.841344746068543), 2e9 * exp(0.5), 1e-2);
    ck_assert_double_eq_tol(
        frs_distribution_quantile(&distribution, 1 - 0.841344746068543), 2e9 * exp(-0.5), 1e-2);
}
END_TEST

/* Five standard deviations of e^5 each beyond a median at the edge are nothing that can be simulated. */
START_TEST(test_tails_stay_within_bounds) {
    struct frs_distribution distribution =
        distribution_of(frs_time_distributions, "lognormal", SETTINGS("median", "1e8 s", "sigma", "5"));
    ck_assert_double_eq(frs_distribution_quantile(&distribution, 1 - FRS_QUANTILE_LEAST), 1e9);
    distribution =
        distribution_of(frs_speed_distributions, "lognormal", SETTINGS("median", "10 flop/s", "sigma", "5"));
    ck_assert_double_eq(frs_distribution_quantile(&distribution, FRS_QUANTILE_LEAST), 1);
    distribution = distribution_of(frs_bytes_distributions, "constant", SETTINGS("value", "unlimited"));
    ck_assert(isinf(frs_distribution_median(&distribution)));
}
END_TEST

START_TEST(lognormal_draws_have_their_moments) {
    struct frs_distribution distribution =
        distribution_of(frs_rate_distributions, "lognormal", SETTINGS("median", "1 MB/s", "sigma", "0.8"));
    double sum = 0, squares = 0;
    enum { N = 20000 };
    for (uint32_t client = 0; client < N; client++) {
        double x = log(frs_distribution_draw(&distribution, 5, client, FRS_RNG_UPLINK) / 1e6);
        sum += x;
        squares += x * x;
    }
    ck_assert_double_eq_tol(sum / N, 0, 4 * 0.8 / sqrt(N));
    ck_assert_double_eq_tol(sqrt(squares / N), 0.8, 4 * 0.8 / sqrt(2.0 * N));
}
END_TEST

START_TEST(test_empirical_by_hand) {
    struct frs_distribution distribution;
    ck_assert(read_text_as_rates(&distribution,
        "# comment\nvalue,unit,share\n\n1,MB/s,0\r\n 3 , MB/s , 0.5 \n3,MB/s,0.75\n7,MB/s,1\n"));
    expect_no_error();
    ck_assert_double_eq_tol(frs_distribution_quantile(&distribution, 1e-12), 1e6, 1);
    ck_assert_double_eq_tol(frs_distribution_quantile(&distribution, 0.25), 2e6, 1e-6);
    ck_assert_double_eq(frs_distribution_quantile(&distribution, 0.5), 3e6);
    ck_assert_double_eq(frs_distribution_quantile(&distribution, 0.6), 3e6); /* a step */
    ck_assert_double_eq_tol(frs_distribution_quantile(&distribution, 0.875), 5e6, 1e-6);
    frs_distribution_fini(&distribution);
    /* Without unit in SI; a first share above 0 is a step at the first value. */
    ck_assert(read_text_as_rates(&distribution, "value,share\n100,0.4\n200,1\n"));
    ck_assert_double_eq(frs_distribution_quantile(&distribution, 0.39), 100);
    ck_assert_double_eq_tol(frs_distribution_quantile(&distribution, 0.7), 150, 1e-12);
    frs_distribution_fini(&distribution);
    /* One point: a constant. */
    ck_assert(read_text_as_rates(&distribution, "value,share\n100,1\n"));
    ck_assert_double_eq(frs_distribution_quantile(&distribution, 0.9), 100);
    ck_assert(!frs_distribution_varies(&distribution));
    frs_distribution_fini(&distribution);
}
END_TEST

START_TEST(malformed_files_are_refused) {
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "r.csv: is empty; the first line has to be value,share"},
        {"# only a comment\n", "r.csv: is empty; the first line has to be value,share"},
        {"1,0\n2,1\n",
            "r.csv:1: does not name the columns; the first line has to be value,share or value,unit,share"},
        {"value,shares\n",
            "r.csv:1: does not name the columns; the first line has to be value,share or value,unit,share"},
        {"value\n",
            "r.csv:1: does not name the columns; the first line has to be value,share or value,unit,share"},
        {"a,b,c,d,e,f,g,h,i,j\n",
            "r.csv:1: does not name the columns; the first line has to be value,share or value,unit,share"},
        {"value,share\n", "r.csv: has no values"},
        {"value,share\n5,0\n6\n", "r.csv:3: has another number of fields than 2"},
        {"value,share\n5,0,1\n", "r.csv:2: has another number of fields than 2"},
        {"value,share\n1,2,3,4,5,6,7,8,9,10\n", "r.csv:2: has another number of fields than 2"},
        {"value,share\n5,zero\n", "r.csv:2: share \"zero\" is not a number"},
        {"value,share\n,0\n", "r.csv:2: value \"\" is not a number"},
        {"value,share\nnan,0\n", "r.csv:2: value \"nan\" is not a number"},
        {"value,share\n0x10,0\n", "r.csv:2: value \"0x10\" is not a number"},
        {"value,share\n1e999,0\n", "r.csv:2: value \"1e999\" is not a number"},
        {"value,share\n5 MB/s,0\n", "r.csv:2: value \"5 MB/s\" is not a number"},
        {"value,unit,share\n5,ms,0\n", "r.csv:2: \"5 ms\" is not a number with a unit of bit/s, kbit/s, "
                                       "Mbit/s, Gbit/s, B/s, kB/s, MB/s, KiB/s, "
                                       "MiB/s"},
        {"value,share\n1e16,0\n", "r.csv:2: value 1e+16 is above 1e+15 bytes/s"},
        {"value,unit,share\n9e9,MB/s,0\n", "r.csv:2: \"9e9 MB/s\" is too large; the most is 1e+15 bytes/s"},
        {"value,share\n0.5,0\n", "r.csv:2: value 0.5 is below 1 bytes/s"},
        {"value,share\n5,-0.1\n", "r.csv:2: share -0.1 is not from 0 to 1"},
        {"value,share\n5,1.5\n", "r.csv:2: share 1.5 is not from 0 to 1"},
        {"value,share\n# c\n5,0.5\n6,0.5\n", "r.csv:4: share 0.5 does not rise: the one before is 0.5"},
        {"value,share\n5,0.5\n4,0.6\n", "r.csv:3: value 4 falls: the one before is 5"},
        {"value,share\n5,0.5\n6,0.9\n",
            "r.csv: ends before share 1: the last line has to be the largest value"},
    };
    struct frs_distribution distribution;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ck_assert_msg(!read_text_as_rates(&distribution, cases[i].text), "accepted: %s", cases[i].text);
        expect_error(cases[i].error);
    }
    ck_assert(
        !read_distribution(&distribution, frs_rate_distributions, "empirical", SETTINGS("file", "no.csv")));
    expect_error("test.file: no.csv: cannot be read: No such file or directory");
}
END_TEST

START_TEST(a_zero_byte_is_refused) {
    FILE *file = fopen("r.csv", "w");
    fwrite("value,share\n1\0,0\n", 1, 17, file);
    fclose(file);
    struct frs_distribution distribution;
    ck_assert(
        !read_distribution(&distribution, frs_rate_distributions, "empirical", SETTINGS("file", "r.csv")));
    expect_error("r.csv:2: has a zero byte; is this a text file?");
}
END_TEST

START_TEST(test_table_or_file) {
    static const char *const both[] = {"file", "r.csv", "table", "fedscale-bandwidth", NULL};
    struct frs_distribution distribution;
    ck_assert(!read_distribution(&distribution, frs_rate_distributions, "empirical", NULL));
    expect_error("test.distribution: \"empirical\" needs a table or a file, and only one of them");
    ck_assert(!read_distribution(&distribution, frs_rate_distributions, "empirical", both));
    expect_error("test.distribution: \"empirical\" needs a table or a file, and only one of them");
}
END_TEST

/* Lines of the published digitisation: 10 %, 50 %, 90 % and the ends. */
START_TEST(test_built_in_tables) {
    struct frs_distribution distribution =
        distribution_of(frs_rate_distributions, "empirical", SETTINGS("table", "fedscale-bandwidth"));
    ck_assert_double_eq_tol(frs_distribution_quantile(&distribution, 0.1), 1846e3 / 8, 1e-6);
    ck_assert_double_eq_tol(frs_distribution_median(&distribution), 6116e3 / 8, 1e-6);
    ck_assert_double_eq_tol(frs_distribution_quantile(&distribution, 0.9), 32421e3 / 8, 1e-6);
    ck_assert_double_eq_tol(frs_distribution_quantile(&distribution, 1 - 0x1p-53), 200160e3 / 8, 1e-3);
    frs_distribution_fini(&distribution);
    distribution =
        distribution_of(frs_time_distributions, "empirical", SETTINGS("table", "fedscale-compute"));
    ck_assert_double_eq_tol(frs_distribution_quantile(&distribution, 0.1), 0.02108, 1e-12);
    ck_assert_double_eq_tol(frs_distribution_median(&distribution), 0.04051, 1e-12);
    ck_assert_double_eq_tol(frs_distribution_quantile(&distribution, 0.9), 0.17425, 1e-12);
    frs_distribution_fini(&distribution);
    distribution = distribution_of(frs_rate_distributions, "empirical", SETTINGS("table", "flash-wifi-down"));
    ck_assert_double_eq_tol(frs_distribution_median(&distribution), 4317.6e3, 1e-6);
    frs_distribution_fini(&distribution);
    distribution = distribution_of(frs_rate_distributions, "empirical", SETTINGS("table", "flash-wifi-up"));
    ck_assert_double_eq_tol(frs_distribution_median(&distribution), 3285.7e3, 1e-6);
    frs_distribution_fini(&distribution);
    /* 11.13 Mbit/s; upwards 26.3/34.5 of 48.53. */
    distribution = distribution_of(frs_rate_distributions, "empirical", SETTINGS("table", "lumos-4g-down"));
    ck_assert_double_eq_tol(frs_distribution_median(&distribution), 11.13e6 / 8, 1e-6);
    frs_distribution_fini(&distribution);
    distribution = distribution_of(frs_rate_distributions, "empirical", SETTINGS("table", "lumos-wifi-up"));
    ck_assert_double_eq_tol(frs_distribution_median(&distribution), 48.53e6 / 8 * 26.3 / 34.5, 1e-6);
    frs_distribution_fini(&distribution);
}
END_TEST

START_TEST(test_tables_are_sound) {
    static const struct {
        const struct frs_plugin *const *plugins;
        enum frs_dimension dimension;
    } families[] = {{frs_time_distributions, FRS_TIME}, {frs_rate_distributions, FRS_RATE},
        {frs_speed_distributions, FRS_SPEED}, {frs_bytes_distributions, FRS_BYTES}};
    size_t n = 0;
    for (size_t f = 0; f < 4; f++) {
        const struct frs_param *param = find(families[f].plugins, "empirical")->params;
        ck_assert_str_eq(param->key, "table");
        for (size_t i = 1; param->choices[i]; i++, n++) {
            const struct frs_table *table = frs_table_find(param->choices[i]);
            ck_assert_ptr_nonnull(table);
            ck_assert_int_eq(table->dimension, families[f].dimension);
            ck_assert_uint_ge(table->n, 2);
            ck_assert(table->values[0] > 0);
            for (size_t v = 1; v < table->n; v++)
                ck_assert(table->values[v] >= table->values[v - 1]);
        }
    }
    ck_assert_uint_eq(n, 8);
    ck_assert_ptr_null(frs_table_find("none"));
}
END_TEST

START_TEST(test_by_class_alone) {
    struct frs_distribution distribution;
    ck_assert(!read_distribution(&distribution, frs_time_distributions, "by_class", NULL));
    expect_error(
        "test.distribution: \"by_class\" takes the value from a client's class, but no classes are given; "
        "allowed: another distribution, or classes");
}
END_TEST

/* Two uniform distributions side by side: 30 % on [0, 1], 70 % on [2, 4] seconds. */
START_TEST(mixture_quantiles_by_hand) {
    struct frs_distribution a =
        distribution_of(frs_time_distributions, "uniform", SETTINGS("low", "0 s", "high", "1 s"));
    struct frs_distribution b =
        distribution_of(frs_time_distributions, "uniform", SETTINGS("low", "2 s", "high", "4 s"));
    const struct frs_distribution *const distributions[] = {&a, &b};
    static const double shares[] = {0.3, 0.7};
    ck_assert_double_eq_tol(frs_distribution_mixed_quantile(distributions, shares, 2, 0.15), 0.5, 1e-9);
    ck_assert_double_eq_tol(frs_distribution_mixed_quantile(distributions, shares, 2, 0.65), 3, 1e-9);
    ck_assert_double_eq_tol(
        frs_distribution_mixed_quantile(distributions, shares, 2, 0.9), 2 + 2 * 6.0 / 7, 1e-9);
    ck_assert_double_eq(frs_distribution_mixed_quantile(distributions, (double[]){1}, 1, 0.25), 0.25);
}
END_TEST

/* Tabulated: Abramowitz and Stegun, table 26.1. */
START_TEST(normal_quantiles_are_as_tabulated) {
    ck_assert_double_eq(frs_normal_quantile(0.5), 0);
    ck_assert_double_eq_tol(frs_normal_quantile(0.975), 1.959963984540054, 1e-14);
    ck_assert_double_eq_tol(frs_normal_quantile(0.999), 3.090232306167813, 1e-13);
    ck_assert_double_eq_tol(frs_normal_quantile(1e-9), -5.997807015007687, 1e-13);
    for (double z = -8; z < 6; z += 0.01)
        ck_assert_double_eq_tol(frs_normal_quantile(frs_normal_share(z)), z, z > 4 ? 1e-7 : 1e-11);
}
END_TEST

START_TEST(test_draws_are_open_and_uniform) {
    double sum = 0, least = 1, most = 0;
    enum { N = 50000 };
    for (uint32_t client = 0; client < N; client++) {
        double u = frs_quantile_draw(1, client, FRS_RNG_TEST);
        ck_assert(u > 0 && u < 1);
        sum += u;
        least = fmin(least, u);
        most = fmax(most, u);
    }
    ck_assert_double_eq_tol(sum / N, 0.5, 4 / sqrt(12.0 * N));
    ck_assert(least < 1e-3 && most > 1 - 1e-3);
    ck_assert_double_eq(frs_quantile_draw(1, 9, FRS_RNG_TEST), frs_quantile_draw(1, 9, FRS_RNG_TEST));
    ck_assert_double_ne(frs_quantile_draw(1, 9, FRS_RNG_TEST), frs_quantile_draw(2, 9, FRS_RNG_TEST));
}
END_TEST

START_TEST(copula_has_its_correlation) {
    static const double correlations[] = {-0.9, -0.3, 0.5, 0.95};
    enum { N = 20000 };
    ck_assert_double_eq(frs_quantile_correlate(0.3, 0.8, 0), 0.3);
    ck_assert_double_eq(frs_quantile_correlate(0.3, 0.8, 1), 0.8);
    ck_assert_double_eq_tol(frs_quantile_correlate(0.3, 0.8, -1), 0.2, 1e-15);
    /* z = 0.6 · 1 + 0.8 · 0 */
    ck_assert_double_eq_tol(
        frs_quantile_correlate(0.5, frs_normal_share(1), 0.6), frs_normal_share(0.6), 1e-14);
    for (size_t c = 0; c < 4; c++) {
        double sum = 0, products = 0;
        for (uint32_t client = 0; client < N; client++) {
            double other = frs_quantile_draw(3, client, FRS_RNG_DOWNLINK);
            double own =
                frs_quantile_correlate(frs_quantile_draw(3, client, FRS_RNG_UPLINK), other, correlations[c]);
            ck_assert(own > 0 && own < 1);
            sum += own;
            products += (own - 0.5) * (other - 0.5);
        }
        ck_assert_double_eq_tol(sum / N, 0.5, 0.01);
        ck_assert_double_eq_tol(12 * products / N, 6 / M_PI * asin(correlations[c] / 2), 0.02);
    }
    /* The far ends stay inside. */
    double least = frs_quantile_correlate(FRS_QUANTILE_LEAST, FRS_QUANTILE_LEAST, 0.7);
    ck_assert(least > 0 && least < 1e-9);
    double most = frs_quantile_correlate(1 - FRS_QUANTILE_LEAST, 1 - FRS_QUANTILE_LEAST, 0.7);
    ck_assert(most < 1 && most > 1 - 1e-9);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("distribution");
    TCase *tests = tcase_create("distribution");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, constant_is_its_value);
    tcase_add_test(tests, test_memory_is_unlimited_by_default);
    tcase_add_test(tests, uniform_quantiles_are_linear);
    tcase_add_test(tests, lognormal_quantiles_by_hand);
    tcase_add_test(tests, test_tails_stay_within_bounds);
    tcase_add_test(tests, lognormal_draws_have_their_moments);
    tcase_add_test(tests, test_empirical_by_hand);
    tcase_add_test(tests, malformed_files_are_refused);
    tcase_add_test(tests, a_zero_byte_is_refused);
    tcase_add_test(tests, test_table_or_file);
    tcase_add_test(tests, test_built_in_tables);
    tcase_add_test(tests, test_tables_are_sound);
    tcase_add_test(tests, test_by_class_alone);
    tcase_add_test(tests, mixture_quantiles_by_hand);
    tcase_add_test(tests, normal_quantiles_are_as_tabulated);
    tcase_add_test(tests, test_draws_are_open_and_uniform);
    tcase_add_test(tests, copula_has_its_correlation);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
