/* Dates of other people's files, by hand. */
#include "sim/base/date.h"
#include "tests/support.h"

#include <math.h>
#include <string.h>

/* 2001-02-03 is day 11356: 31 years of 365 days, 8 leap days, 33 days of 2001. */
#define DAY 981158400.0

static const struct {
    const char *text;
    double seconds; /* NAN: refused */
} cases[] = {
    {"1970-01-01", 0},
    {"2001-02-03", DAY},
    {"2001/02/03", DAY},
    {"2001-02-03T04:05:06Z", DAY + 14706},
    {"2001-02-03 04:05:06", DAY + 14706},
    {"2001-02-03T04:05:06.25Z", DAY + 14706.25},
    {"2001-02-03T04:05:06+02:00", DAY + 14706 - 7200},
    {"2001-02-03T04:05:06 -0130", DAY + 14706 + 5400},
    {"2001-02-03T04:05", DAY + 14700},
    {"2001-02-03+02:00", DAY - 7200},
    {"2001-02-03Z", DAY},
    {"2001-02-03 04:05:06 UTC", DAY + 14706},
    {"2001-02-03 04:05:06 GMT", DAY + 14706},
    {"Sat Feb 03 04:05:06 GMT 2001", DAY + 14706},
    {"2001-02-03T24:00:00Z", DAY + 86400},
    {"Sat Feb 03 04:05:06 +0000 2001", DAY + 14706},
    {"Sat Feb  3 04:05:06 2001", DAY + 14706},
    {"1969-12-31T23:59:59Z", -1},
    {"2000-02-29", 951782400},
    {"1900-02-29", NAN},
    {"2001-02-29", NAN},
    {"2001-13-01", NAN},
    {"2001-02-03T25:00:00Z", NAN},
    {"2001-02-03T24:00:01Z", NAN},
    {"2001-02-03T04:60:00Z", NAN},
    {"2001-02-03x", NAN},
    {"2001-02", NAN},
    {"981158400", NAN},
    {"", NAN},
};

START_TEST(dates_become_seconds) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double seconds = -7;
        bool read = frs_date_read(cases[i].text, strlen(cases[i].text), &seconds);
        ck_assert_msg(read == !isnan(cases[i].seconds), "\"%s\": %d", cases[i].text, read);
        ck_assert_msg(
            seconds == (read ? cases[i].seconds : -7), "\"%s\" became %.17g", cases[i].text, seconds);
    }
}
END_TEST

START_TEST(dates_of_digits) {
    static const struct {
        const char *text;
        double seconds; /* NAN: none */
    } digits[] = {{"20010203", DAY}, {"20010203040506", DAY + 14706}, {"20010229", NAN}, {"2001020", NAN},
        {"12340203", NAN}, {"20010203250000", NAN}, {"2001-2-3", NAN}};
    for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
        double seconds = -7;
        bool read = frs_date_of_digits(digits[i].text, strlen(digits[i].text), &seconds);
        ck_assert_msg(read == !isnan(digits[i].seconds), "\"%s\": %d", digits[i].text, read);
        ck_assert(seconds == (read ? digits[i].seconds : -7));
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("date");
    TCase *tests = tcase_create("date");
    tcase_add_test(tests, dates_become_seconds);
    tcase_add_test(tests, dates_of_digits);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
