/* Regions that are cut off at random times: how often, for how long, and each by itself. */
#include "tests/platforms/availability_fixture.h"

static struct frs_random_outages outages_of(const char *text) {
    struct frs_values values = frs_values_of(frs_availability_params, SETTINGS("random_outages", text));
    struct frs_random_outages outages;
    struct frs_errors errors = {0};
    ck_assert(frs_random_outages_read(&outages, &values, 3, &errors));
    frs_values_fini(&values);
    return outages;
}

START_TEST(regions_go_together) {
    struct frs_random_outages outages = outages_of("4 regions every 2 d for 1 h");
    ck_assert(outages.regions == 4 && outages.every_s == 2 * DAY_S && outages.for_s == HOUR_S);
    for (double t_s = 0; t_s < 100 * DAY_S; t_s += HOUR_S) {
        double of_region_s, until_s;
        for (uint32_t client = 0; client < 12; client++) {
            bool up = frs_random_outages_at(&outages, client, t_s, &until_s);
            ck_assert(up == frs_random_outages_at(&outages, client % 4, t_s, &of_region_s));
            ck_assert(until_s == of_region_s && until_s > t_s);
        }
    }
    double until_s;
    outages = outages_of("");
    ck_assert(outages.regions == 0 && frs_random_outages_at(&outages, 1, 5, &until_s) && isinf(until_s));
}
END_TEST

/* 10⁵ regions: a share 1/(2·24 + 1) is cut off at any time; the rest of an outage and of a gap are
 * exponential. */
START_TEST(shares_and_lengths) {
    enum { REGIONS = 100000 };
    struct frs_random_outages outages = outages_of("100000 regions every 2 d for 1 h");
    static const double times_s[] = {0, HOUR_S, 30 * DAY_S};
    for (size_t i = 0; i < 3; i++) {
        double n[2] = {0}, sum[2] = {0}, until_s;
        for (uint32_t region = 0; region < REGIONS; region++) {
            bool up = frs_random_outages_at(&outages, region, times_s[i], &until_s);
            n[up]++;
            sum[up] += until_s - times_s[i];
        }
        ck_share(n[0] / REGIONS, 1 / 49.0, REGIONS);
        ck_assert_double_le(fabs(sum[0] / n[0] / HOUR_S - 1), 4 / sqrt(n[0]));
        ck_assert_double_le(fabs(sum[1] / n[1] / (2 * DAY_S) - 1), 4 / sqrt(n[1]));
    }
}
END_TEST

/* On top of a model and of listed outages: both ends are real changes. */
START_TEST(agree_with_all_else) {
    struct frs_values values = availability_values(
        "markov", SETTINGS("on", "2 h", "off", "1 h"), "all from 1 h to 3 h; region 1 of 2 from 5 h to 20 h");
    char reason[64];
    ck_assert_int_eq(frs_value_set(frs_values_find(&values, "random_outages"), "3 regions every 4 h for 1 h",
                         reason, sizeof reason),
        FRS_OK);
    struct frs_values failures = frs_values_of(frs_failures_params, SETTINGS("absent_share", "0.2"));
    struct frs_reachability r;
    struct frs_errors errors = {0};
    ck_assert(frs_reachability_init(&r, plugin_of("markov"), &values, &failures, NULL, 50, 1, &errors));
    ck_assert(frs_reachability_can_end(&r) && !frs_reachability_is_trivial(&r));
    int never = 0;
    for (uint32_t client = 0; client < 50; client++) {
        double t_s = 0, until_s, later_s;
        for (int changes = 0; changes < 40; changes++, t_s = until_s) {
            bool online = frs_reachable(&r, client, 0, 0, t_s, &until_s);
            never += changes == 0 && isinf(until_s);
            if (isinf(until_s))
                break;
            ck_assert_double_gt(until_s, t_s);
            ck_assert(frs_reachable(&r, client, 0, 0, until_s, &later_s) != online);
            ck_assert(frs_reachable(&r, client, 0, 0, nextafter(until_s, 0), &later_s) == online);
            ck_assert(!online || !(t_s >= HOUR_S && t_s < 3 * HOUR_S));
        }
    }
    ck_assert_int_ge(never, 3); /* of the ten that never come */
    frs_reachability_fini(&r);
    frs_values_fini(&values);
    frs_values_fini(&failures);
}
END_TEST

START_TEST(texts_that_make_no_sense_are_refused) {
    static const char *const texts[] = {"4 regions", "4 every 2 d for 1 h", "0 regions every 2 d for 1 h",
        "4 regions every 2 d for 0 s", "4 regions every day for 1 h", "2 region every 2 d for 1 h",
        "4 regions for 1 h every 2 d", "4 regions every 2 d for 1 h now"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct frs_values values =
            frs_values_of(frs_availability_params, SETTINGS("random_outages", texts[i]));
        struct frs_random_outages outages;
        struct frs_errors errors = {0};
        ck_assert(!frs_random_outages_read(&outages, &values, 3, &errors));
        ck_assert(strstr(errors.lines[0], "is not understood"));
        frs_errors_clear(&errors);
        frs_values_fini(&values);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("random_outages");
    TCase *tests = tcase_create("random_outages");
    tcase_add_test(tests, regions_go_together);
    tcase_add_test(tests, shares_and_lengths);
    tcase_add_test(tests, agree_with_all_else);
    tcase_add_test(tests, texts_that_make_no_sense_are_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
