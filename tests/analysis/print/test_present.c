/* Replicates, and figures as people read them: values and texts worked out by hand. */
#include "analysis/print/present.h"
#include "analysis/print/setting_text.h"
#include "analysis/statistics/replicates.h"
#include "tests/analysis/fixture.h"

static struct frs_estimate estimate(double mean, double half_width) {
    return (struct frs_estimate){.n = 5, .mean = mean, .half_width = half_width};
}

static void expect_text(char *text, const char *expected) {
    ck_assert_str_eq(text, expected);
    free(text);
}

/* The median of the half widths is 0.0083: four decimals for all. */
START_TEST(quality_has_decimals_of_its_interval) {
    const struct frs_estimate all[] = {
        estimate(0.57012, 0.0083), estimate(0.4, 0.0004), estimate(0.42, 0.0191)};
    struct frs_style style = frs_style_of("hr@10", all, 3);
    ck_assert_str_eq(style.unit, "");
    ck_assert_int_eq(style.decimals, 4);
    expect_text(frs_present(&style, &all[0], false), "0.5701 ± 0.0083");
    expect_text(frs_present(&style, &all[0], true), "+0.5701 ± 0.0083");
    struct frs_estimate tiny = estimate(0.4, 0.000012), exact = estimate(-0.25, 0), one = estimate(0.4, NAN);
    expect_text(frs_present(&style, &tiny, false), "0.400000 ± 0.000012");
    expect_text(frs_present(&style, &exact, true), "-0.2500 ± 0");
    expect_text(frs_present(&style, &one, false), "0.4000 ± –");
    one.mean = NAN;
    expect_text(frs_present(&style, &one, false), "–");
}
END_TEST

START_TEST(units_suit_the_figure) {
    const struct {
        const char *metric;
        double mean, half_width;
        const char *unit, *text;
    } rows[] = {{"simulated_s", 5940, 858, "min", "99 ± 14"}, {"round_s", 29.71, 4.28, "s", "29.7 ± 4.3"},
        {"round_s", 4.7e-7, NAN, "µs", "0.4700 ± –"}, {"simulated_s", 7200, 36, "h", "2.000 ± 0.010"},
        {"simulated_s", 119, 1, "s", "119.0 ± 1.0"}, {"simulated_s", 0, 0, "s", "0 ± 0"},
        {"time_to_target_s", 172800, 8640, "d", "2.00 ± 0.10"}, {"bytes.down", 16191e6, 0, "GB", "16.19 ± 0"},
        {"bytes_to_target", 861, 20, "B", "861 ± 20"}, {"steady.down_bytes", 861e3, 20e3, "kB", "861 ± 20"},
        {"nominal_bytes.up", 5e6, 0, "MB", "5 ± 0"}, {"flop", 8.67e9, 0.05e9, "Gflop", "8.670 ± 0.050"},
        {"modelled.energy_j", 1500, 100, "kJ", "1.50 ± 0.10"},
        {"steady.down_share", 0.25, 0.01, "", "0.250 ± 0.010"},
        {"outcomes.delivered", 12000, 40, "", "12000 ± 40"},
        {"bytes.wasted_share", 0.25, 0.01, "", "0.250 ± 0.010"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct frs_estimate e = estimate(rows[i].mean, rows[i].half_width);
        struct frs_style style = frs_style_of(rows[i].metric, &e, 1);
        ck_assert_msg(strcmp(style.unit, rows[i].unit) == 0, "%s %g: %s", rows[i].metric, e.mean, style.unit);
        expect_text(frs_present(&style, &e, false), rows[i].text);
    }
}
END_TEST

/* Half widths from 0.001 to 1.5 s: seconds as the median mean has, and decimals of its own for each. */
START_TEST(wide_ranges_have_decimals_of_their_own) {
    const struct frs_estimate all[] = {estimate(0.0847, 0.001), estimate(189.4, 1.5), estimate(1.21176, 0),
        estimate(95, 0), estimate(47.476959, 0.000038), estimate(0.25, 1e-15)};
    const char *const texts[] = {
        "0.0847 ± 0.0010", "189.4 ± 1.5", "1.212 ± 0", "95 ± 0", "47.477 ± 4e-05", "0.2500 ± 0"};
    struct frs_style style = frs_style_of("steady.round_s", all, 6);
    ck_assert_str_eq(style.unit, "s");
    for (size_t i = 0; i < 6; i++)
        expect_text(frs_present(&style, &all[i], false), texts[i]);
    expect_text(frs_present_value(&style, 0.0123456), "0.01235");
}
END_TEST

/* Two times of some seconds beside two of some minutes: in minutes both would be 0.2 ± 0.1. */
START_TEST(figures_keep_their_digits) {
    const struct frs_estimate all[] = {estimate(13.3437, 5.037), estimate(14.983, 7.0793),
        estimate(694.87, 239.82), estimate(889.66, 430.28), estimate(772.2, 293), estimate(935.8, 228.6)};
    const char *const texts[] = {"13.3 ± 5.0 s", "15.0 ± 7.1 s", "11.6 ± 4.0 min", "14.8 ± 7.2 min",
        "12.9 ± 4.9 min", "15.6 ± 3.8 min"};
    struct frs_style style = frs_style_of("time_to_target_s", all, 6);
    ck_assert(style.mixed);
    ck_assert_str_eq(style.unit, "");
    for (size_t i = 0; i < 6; i++)
        expect_text(frs_present(&style, &all[i], false), texts[i]);
    expect_text(frs_present_value(&style, 90), "90 s");
    struct frs_estimate none = estimate(NAN, NAN);
    expect_text(frs_present(&style, &none, false), "–");
    const struct frs_estimate alike[] = {estimate(694.87, 239.82), estimate(130, 60)};
    ck_assert_str_eq(frs_style_of("time_to_target_s", alike, 2).unit, "min");
}
END_TEST

START_TEST(settings_have_units_of_scenarios) {
    expect_text(frs_setting_text("375000 B/s"), "3 Mbit/s");
    expect_text(frs_setting_text("837500 B/s"), "6.7 Mbit/s");
    expect_text(frs_setting_text("8000 B/s"), "64 kbit/s");
    expect_text(frs_setting_text("0.04 s"), "40 ms");
    expect_text(frs_setting_text("86400 s"), "1 d");
    expect_text(frs_setting_text("90 s"), "1.5 min");
    expect_text(frs_setting_text("0 s"), "0 s");
    expect_text(frs_setting_text("1234567 B/s"), "9.876536 Mbit/s");
    expect_text(frs_setting_text("unlimited"), "unlimited");
    expect_text(frs_setting_text("33 %"), "33 %");
    expect_text(frs_setting_text("two s"), "two s");
}
END_TEST

/* Widths count characters, not bytes; a bar does not end a cell. */
START_TEST(widths_count_characters) {
    struct frs_text_table grid = {.n_columns = 2};
    const char *const cells[] = {"loss", "hr", "a|b", "0.5 ± 0.1", "none", "–"};
    for (size_t i = 0; i < 6; i++)
        frs_text_table_add(&grid, cells[i]);
    FILE *out = fopen("grid.md", "w");
    frs_text_table_print(&grid, out);
    fclose(out);
    frs_text_table_fini(&grid);
    expect_text(read_file("grid.md"), "| loss | hr        |\n|------|-----------|\n| a\\|b | 0.5 ± 0.1 |\n"
                                      "| none | –         |\n");
}
END_TEST

static struct frs_metrics metrics[8];
static size_t n_metrics;

static void add(struct frs_replicates *replicates, uint64_t seed, double value) {
    frs_metrics_set(&metrics[n_metrics], "x", value);
    frs_replicates_add(replicates, seed, &metrics[n_metrics++]);
}

static void clear(struct frs_replicates *a, struct frs_replicates *b) {
    while (n_metrics > 0)
        frs_metrics_fini(&metrics[--n_metrics]);
    frs_replicates_fini(a);
    frs_replicates_fini(b);
}

/* a − b by seed: 1, 2, 3, while seed 9 has no partner. */
START_TEST(pairs_are_matched_by_seed) {
    struct frs_replicates a = {0}, b = {0};
    const uint64_t seeds_a[] = {1, 9, 2, 3}, seeds_b[] = {3, 2, 1};
    const double values_a[] = {11, 100, 22, 33}, values_b[] = {30, 20, 10};
    for (size_t i = 0; i < 4; i++)
        add(&a, seeds_a[i], values_a[i]);
    for (size_t i = 0; i < 3; i++)
        add(&b, seeds_b[i], values_b[i]);
    struct frs_contrast contrast = frs_replicates_contrast(&a, &b, "x");
    ck_assert_uint_eq(contrast.paired.n, 3);
    ck_assert_double_eq(contrast.paired.mean, 2);
    ck_assert_double_eq(contrast.paired.sd, 1);
    ck_assert_uint_eq(contrast.unpaired.n, 3);
    ck_assert_double_eq(contrast.unpaired.mean, 41.5 - 20);
    ck_assert_double_eq(contrast.ratio.mean, 66.0 / 60);
    ck_assert_double_eq(
        frs_contrast_width_ratio(&contrast), contrast.unpaired.half_width / contrast.paired.half_width);
    ck_assert(!frs_replicates_match(&a, &b));
    ck_assert(frs_replicates_match(&b, &b));
    ck_assert_uint_eq(frs_replicates_contrast(&a, &b, "y").paired.n, 0);
    clear(&a, &b);
}
END_TEST

START_TEST(test_censored_runs_have_no_mean) {
    struct frs_replicates a = {0}, b = {0};
    add(&a, 1, 5);
    add(&a, 2, INFINITY);
    add(&a, 3, NAN);
    add(&b, 1, 4);
    add(&b, 2, 6);
    struct frs_figure figure = frs_replicates_figure(&a, "x");
    ck_assert_uint_eq(figure.estimate.n, 2);
    ck_assert_uint_eq(figure.censored, 1);
    ck_assert(isnan(figure.estimate.mean) && isnan(figure.estimate.half_width));
    struct frs_contrast contrast = frs_replicates_contrast(&a, &b, "x");
    ck_assert_uint_eq(contrast.censored, 1);
    ck_assert_uint_eq(contrast.paired.n, 2);
    ck_assert(isnan(contrast.paired.mean) && isnan(contrast.unpaired.mean) && isnan(contrast.ratio.mean));
    clear(&a, &b);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("present");
    TCase *tests = tcase_create("present");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, quality_has_decimals_of_its_interval);
    tcase_add_test(tests, units_suit_the_figure);
    tcase_add_test(tests, wide_ranges_have_decimals_of_their_own);
    tcase_add_test(tests, figures_keep_their_digits);
    tcase_add_test(tests, settings_have_units_of_scenarios);
    tcase_add_test(tests, widths_count_characters);
    tcase_add_test(tests, pairs_are_matched_by_seed);
    tcase_add_test(tests, test_censored_runs_have_no_mean);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
