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
    {"03.02.2001", DAY},
    {"3.2.2001 4:05", DAY + 14700},
    {"03.02.2001 04:05:06", DAY + 14706},
    {"03.02.2001, 04:05", DAY + 14700},
    {"29.02.2001", NAN},
    {"03.02.01", NAN},
    {"3/2/2001", NAN}, /* either */
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

/* Either way round, one way alone, and none. */
START_TEST(dates_with_slashes) {
    static const struct {
        const char *text;
        enum frs_slashed said;
        double day_first, month_first; /* NAN: refused */
    } slashed[] = {
        {"3/2/2001", FRS_SLASHED_EITHER, DAY, 983491200}, /* 2001-03-02, 27 days later */
        {"3/2/2001 4:05 AM", FRS_SLASHED_EITHER, DAY + 14700, 983491200 + 14700},
        {"3/2/2001 12:05 AM", FRS_SLASHED_EITHER, DAY + 300, 983491200 + 300},
        {"3/2/2001 12:05:06 pm", FRS_SLASHED_EITHER, DAY + 43506, 983491200 + 43506},
        {"13/2/2001", FRS_SLASHED_DAY_FIRST, DAY + 10 * 86400, NAN},
        {"2/13/2001", FRS_SLASHED_MONTH_FIRST, NAN, DAY + 10 * 86400},
        {"13/13/2001", FRS_SLASHED_NONE, NAN, NAN},
        {"3/2/2001 13:05 PM", FRS_SLASHED_NONE, NAN, NAN},
        {"3/2/2001 4:05 XM", FRS_SLASHED_NONE, NAN, NAN},
        {"3/2/01", FRS_SLASHED_NONE, NAN, NAN},
    };
    for (size_t i = 0; i < sizeof slashed / sizeof *slashed; i++) {
        const char *text = slashed[i].text;
        double day_first = NAN, month_first = NAN;
        ck_assert_int_eq(frs_date_slashed(text, strlen(text)), slashed[i].said);
        bool day = frs_date_read_slashed(text, strlen(text), FRS_SLASHED_DAY_FIRST, &day_first),
             month = frs_date_read_slashed(text, strlen(text), FRS_SLASHED_MONTH_FIRST, &month_first);
        ck_assert_int_eq(day, !isnan(slashed[i].day_first));
        ck_assert_int_eq(month, !isnan(slashed[i].month_first));
        if (day)
            ck_assert_double_eq(day_first, slashed[i].day_first);
        if (month)
            ck_assert_double_eq(month_first, slashed[i].month_first);
        if (day && month) {
            ck_assert_double_eq(frs_date_swapped(month_first), day_first);
            ck_assert_double_eq(frs_date_swapped(day_first), month_first);
        }
    }
}
END_TEST

START_TEST(times_of_the_day) {
    static const struct {
        const char *text;
        double seconds; /* NAN: refused */
    } clocks[] = {{"08:00", 28800}, {"8:00", 28800}, {"23:59:30", 86370}, {"24:00", 86400}, {"12:15 AM", 900},
        {"8", NAN}, {"25:00", NAN}, {"08:00x", NAN}};
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        double seconds = NAN;
        ck_assert_int_eq(
            frs_date_clock(clocks[i].text, strlen(clocks[i].text), &seconds), !isnan(clocks[i].seconds));
        if (!isnan(clocks[i].seconds))
            ck_assert_double_eq(seconds, clocks[i].seconds);
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
    tcase_add_test(tests, dates_with_slashes);
    tcase_add_test(tests, times_of_the_day);
    tcase_add_test(tests, dates_of_digits);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
