/* Which settings decide what a quality means; entries that differ in one of them are compared with a
 * warning. */
#include "analysis/read/quality_settings.h"
#include "analysis/entries/entries.h"
#include "algorithms/data/data.h"
#include "tests/analysis/fixture.h"

#include <string.h>

/* Every key that there is has been considered: a new one decides what is measured until this test says
 * otherwise. */
START_TEST(every_key_has_been_considered) {
    static const char *const yes[] = {"data.feedback", "data.clients", "data.split", "data.test_ratio",
        "data.validation_ratio", "data.test_from", "data.validation_from", "data.test_path",
        "data.validation_path", "data.validation", "data.order", "data.ties", "evaluation.protocol",
        "evaluation.candidates", "evaluation.negatives", "evaluation.negatives_path", "evaluation.k",
        "evaluation.ties", "evaluation.view"};
    const struct frs_param *const params[] = {frs_data_params, frs_evaluation_params};
    size_t n = 0;
    for (size_t section = 0; section < 2; section++)
        for (const struct frs_param *param = params[section]; param->key; param++) {
            char *key = frs_format("%s.%s", section ? "evaluation" : "data", param->key);
            bool expected = false;
            for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
                expected = expected || strcmp(yes[i], key) == 0;
            ck_assert_msg(frs_setting_defines_quality(key) == expected, "%s", key);
            n += expected;
            free(key);
        }
    ck_assert_uint_eq(n, sizeof yes / sizeof *yes);
    static const char *const no[] = {
        "evaluation.centralised_mf.negatives", "method.name", "network.model", "databases.split"};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        ck_assert_msg(!frs_setting_defines_quality(no[i]), "%s", no[i]);
}
END_TEST

static const char *const names[] = {"a", "b", "c"};

/* Reads n runs with these settings and this "data", and checks the warnings. */
static void expect_warnings(const char *const *settings, const char *const *data, size_t n,
    const char *const *lines, size_t n_lines) {
    struct frs_entries entries;
    for (size_t i = 0; i < n; i++)
        write_fake_run(names[i], &(struct fake_run){.seed = 1,
                                     .hr = {0.4, 0.5},
                                     .round_s = 4,
                                     .bytes = 1,
                                     .popularity = 0.3,
                                     .settings = settings[i],
                                     .data = data ? data[i] : NULL});
    ck_assert_int_eq(frs_entries_read(names, n, NULL, &entries, &errors), FRS_OK);
    for (size_t i = 0; i < entries.n_warnings && i < n_lines; i++)
        ck_assert_str_eq(entries.warnings[i], lines[i]);
    ck_assert_uint_eq(entries.n_warnings, n_lines);
    frs_entries_fini(&entries);
}

START_TEST(each_quality_setting_is_told) {
    static const char *const settings[] = {
        "\"data.split\": \"leave-one-out\", \"data.validation\": \"hold_out\", \"data.order\": \"auto\", "
        "\"data.ties\": \"later\", \"evaluation.candidates\": \"sampled\", \"evaluation.negatives\": \"99\", "
        "\"evaluation.view\": \"server\", \"evaluation.every\": \"1\"",
        "\"data.split\": \"leave-one-out\", \"data.validation\": \"train\", \"data.order\": \"random\", "
        "\"data.ties\": \"random\", \"evaluation.candidates\": \"sampled\", \"evaluation.negatives\": "
        "\"49\", "
        "\"evaluation.view\": \"device\", \"evaluation.every\": \"10\""};
    static const char *const lines[] = {"values of data.validation differ: hold_out in a, train in b",
        "values of data.order differ: auto in a, random in b",
        "values of data.ties differ: later in a, random in b",
        "values of evaluation.negatives differ: 99 in a, 49 in b",
        "values of evaluation.view differ: server in a, device in b"};
    expect_warnings(settings, NULL, 2, lines, 5);
}
END_TEST

/* The order that "auto" stands for is that of the data; ties that no held-out interaction has decide
 * nothing. */
START_TEST(test_what_it_comes_to) {
    static const char *const settings[] = {"\"data.order\": \"auto\", \"data.ties\": \"later\"",
        "\"data.order\": \"time\", \"data.ties\": \"earlier\"",
        "\"data.order\": \"random\", \"data.ties\": \"later\""};
    static const char *const data[] = {"\"order\": \"time\", \"users_tied_at_test\": 0",
        "\"order\": \"time\", \"users_tied_at_test\": 0", "\"order\": \"random\""};
    static const char *const lines[] = {"values of data.order differ: time in a, random in c"};
    expect_warnings(settings, data, 3, lines, 1);
}
END_TEST

START_TEST(test_ties_that_are_met) {
    static const char *const settings[] = {"\"data.ties\": \"later\"", "\"data.ties\": \"earlier\""};
    static const char *const data[] = {
        "\"order\": \"time\", \"users_tied_at_test\": 3", "\"order\": \"time\", \"users_tied_at_test\": 3"};
    static const char *const lines[] = {"values of data.ties differ: later in a, earlier in b"};
    expect_warnings(settings, data, 2, lines, 1);
}
END_TEST

/* What has no effect in one of the runs is compared among the others only. */
START_TEST(test_what_has_no_effect) {
    static const char *const settings[] = {
        "\"data.split\": \"ratio\", \"data.test_ratio\": \"0.2\", \"data.ties\": \"later\", "
        "\"evaluation.candidates\": \"full\", \"evaluation.negatives\": \"99\"",
        "\"data.split\": \"leave-one-out\", \"data.test_ratio\": \"0.5\", \"data.ties\": \"random\", "
        "\"evaluation.candidates\": \"sampled\", \"evaluation.negatives\": \"10\"",
        "\"data.split\": \"leave-one-out\", \"data.test_ratio\": \"0.3\", \"data.ties\": \"random\", "
        "\"evaluation.candidates\": \"sampled\", \"evaluation.negatives\": \"20\""};
    static const char *const lines[] = {"values of data.split differ: ratio in a, leave-one-out in b",
        "values of evaluation.negatives differ: 10 in b, 20 in c"};
    expect_warnings(settings, NULL, 3, lines, 2);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("quality_settings");
    TCase *tests = tcase_create("quality_settings");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, every_key_has_been_considered);
    tcase_add_test(tests, each_quality_setting_is_told);
    tcase_add_test(tests, test_what_it_comes_to);
    tcase_add_test(tests, test_ties_that_are_met);
    tcase_add_test(tests, test_what_has_no_effect);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
