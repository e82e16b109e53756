/* Expectations: what they hold for, which clause is told, and what is refused. */
#include "analysis/expect/expect.h"
#include "analysis/expect/amount.h"
#include "sim/base/errors.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* hr@10 is 0.5 after 3600 s and 2 GB; the target was not reached, and nothing is known of energy. */
static double figure(const void *context, const char *metric) {
    static const struct {
        const char *name;
        double value;
    } figures[] = {{"hr@10", 0.5}, {"simulated_s", 3600}, {"bytes.total", 2e9},
        {"time_to_target_s", INFINITY}, {"groups.device_class.a (old) < b.hr@10", 0.25},
        {"bottleneck.change_percent", -24}, {"outcomes.cut", 12}, {"outcomes.cut_share", 0.08}};
    (void)context;
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (strcmp(figures[i].name, metric) == 0)
            return figures[i].value;
    return NAN;
}

static bool holds(const char *text, struct frs_errors *errors) {
    struct frs_expectation *expectation;
    enum frs_status status = frs_expectation_parse(text, "10", &expectation, errors);
    ck_assert_msg(status == FRS_OK, "%s: %s", text, errors->n ? errors->lines[0] : "");
    bool result = frs_expectation_holds(expectation, NULL, figure, NULL, errors);
    frs_expectation_destroy(expectation);
    return result;
}

START_TEST(test_kept) {
    static const char *const kept[] = {"hr@10 >= 0.5", "hr@10>=50%", "hr@10 == 0.5 && simulated_s <= 1 h",
        "bytes.total <= 2 GB", "simulated_s < 3601", "hr@10 > 0.6 || simulated_s <= 60 min",
        "hr@10 > 0.6 && hr@10 > 0.7 || hr@10 < 0.6", "hr@10 < 0.6 || hr@10 > 0.6 && hr@10 > 0.7",
        "(hr@10 > 0.4 || hr@10 > 0.6) && simulated_s != 3599 s", "  ( ( hr@10 >= 0.5 ) )  ",
        "time_to_target_s > 1 d", "modelled.energy_j <= 5 kJ || hr@10 < 1",
        "bottleneck.change_percent < -20 %", "outcomes.cut < 10 % && outcomes.cut > 10",
        "\"groups.device_class.a (old) < b.hr@10\" >= 0.2"};
    struct frs_errors errors = {0};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        ck_assert_msg(holds(kept[i], &errors) && errors.n == 0, "%s", kept[i]);
}
END_TEST

START_TEST(test_missed) {
    static const struct {
        const char *text, *lines[2];
    } cases[] = {{"hr@10 > 0.5", {"--expect: hr@10 > 0.5 does not hold: hr@10 is 0.5"}},
        {"hr@10 >= 0.5 && simulated_s <= 30 min",
            {"--expect: simulated_s <= 30 min does not hold: simulated_s is 3600 s (60.00 min)"}},
        {"hr@10 >= 0.6 || bytes.total < 2 GB",
            {"--expect: hr@10 >= 0.6 does not hold: hr@10 is 0.5",
                "--expect: bytes.total < 2 GB does not hold: bytes.total is 2e+09 B (2.00 GB)"}},
        {"time_to_target_s <= 1 d",
            {"--expect: time_to_target_s <= 1 d does not hold: time_to_target_s is not reached"}},
        {"modelled.energy_j <= 5 kJ",
            {"--expect: modelled.energy_j <= 5 kJ does not hold: modelled.energy_j is not there"}},
        {"modelled.energy_j != 5",
            {"--expect: modelled.energy_j != 5 does not hold: modelled.energy_j is not there"}},
        {"(hr@10 > 0.9 && hr@10 > 0.8) || (hr@10 > 0.4 && simulated_s < 1 s)",
            {"--expect: hr@10 > 0.9 does not hold: hr@10 is 0.5",
                "--expect: hr@10 > 0.8 does not hold: hr@10 is 0.5"}}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_errors errors = {0};
        ck_assert_msg(!holds(cases[i].text, &errors), "%s", cases[i].text);
        for (size_t k = 0; k < 2 && cases[i].lines[k]; k++) {
            ck_assert_uint_gt(errors.n, k);
            ck_assert_str_eq(errors.lines[k], cases[i].lines[k]);
        }
        frs_errors_clear(&errors);
    }
}
END_TEST

START_TEST(test_refused) {
#define ALLOWED                                                                                              \
    "; allowed: METRIC <= AMOUNT, with <=, >=, <, >, == or !=, joined by && and || and grouped by ( )"
    static const struct {
        const char *text, *line;
    } cases[] = {{"", "--expect : expected a metric, found the end" ALLOWED},
        {"hr@10", "--expect hr@10: expected a comparison behind hr@10, found the end" ALLOWED},
        {"hr@10 = 0.5", "--expect hr@10 = 0.5: expected a comparison behind hr@10, found \"= 0.5\"" ALLOWED},
        {"(hr@10 > 0", "--expect (hr@10 > 0: expected ), found the end" ALLOWED},
        {"hr@10 > 0)", "--expect hr@10 > 0): expected &&, || or the end, found \")\"" ALLOWED},
        {"hr@10 > 0 &&", "--expect hr@10 > 0 &&: expected a metric, found the end" ALLOWED},
        {"\"hr@10 > 0", "--expect \"hr@10 > 0: a name in quotes has no end, found \"\"hr@10 > 0\"" ALLOWED},
        {"hr@1O > 0", "--expect: \"hr@1O\" is not a figure; did you mean \"hr@10\"?; allowed: names as in "
                      "summary.json, "
                      "such as hr@10, simulated_s or bytes.down"},
        {"hr@20 > 0", "--expect: \"hr@20\" is not a figure; did you mean \"hr@10\"?; allowed: names as in "
                      "summary.json, "
                      "such as hr@10, simulated_s or bytes.down"},
        {"rounds < 5 %", "--expect: \"5 %\" is no amount of rounds; allowed: plain numbers"},
        {"flop < 5 %", "--expect: \"5 %\" is no amount of flop; allowed: plain numbers"},
        {"simulated_s < 5 GB", NULL}, {"hr@10 >= ", NULL}, {"hr@10 >= 0.5 and simulated_s < 1 h", NULL},
        {"hr@10 >= nan", NULL}, {"codec=topk hr@10 >= 0.5", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_errors errors = {0};
        struct frs_expectation *expectation;
        ck_assert_msg(frs_expectation_parse(cases[i].text, "10", &expectation, &errors) == FRS_ERR_INPUT,
            "%s", cases[i].text);
        ck_assert_ptr_null(expectation);
        ck_assert_uint_eq(errors.n, 1);
        if (cases[i].line)
            ck_assert_str_eq(errors.lines[0], cases[i].line);
        frs_errors_clear(&errors);
    }
}
END_TEST

START_TEST(test_depth_is_bounded) {
    char text[2000];
    struct frs_errors errors = {0};
    struct frs_expectation *expectation;
    memset(text, '(', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ck_assert_int_eq(frs_expectation_parse(text, NULL, &expectation, &errors), FRS_ERR_INPUT);
    ck_assert_uint_eq(errors.n, 1);
    frs_errors_clear(&errors);
}
END_TEST

static void check_where(const char *text, const char *where) {
    struct frs_errors errors = {0};
    struct frs_expectation *expectation;
    ck_assert_int_eq(frs_expectation_parse(text, NULL, &expectation, &errors), FRS_OK);
    ck_assert_pstr_eq(frs_expectation_where(expectation), where);
    frs_expectation_destroy(expectation);
}

START_TEST(test_where) {
    check_where("hr@10 >= 0.5", NULL);
    check_where("codec=topk, loss=0.1 : hr@10 >= 0.5", "codec=topk, loss=0.1");
    check_where("file=a:b: hr@10 >= 0.5", "file=a:b");
    check_where("\"groups.device_class.a: b.hr@10\" >= 0.5", NULL);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("expect");
    TCase *cases = tcase_create("expect");
    tcase_add_test(cases, test_kept);
    tcase_add_test(cases, test_missed);
    tcase_add_test(cases, test_refused);
    tcase_add_test(cases, test_depth_is_bounded);
    tcase_add_test(cases, test_where);
    suite_add_tcase(suite, cases);
    return frs_test_run(suite);
}
