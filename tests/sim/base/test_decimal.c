/* Numbers as text: what printf writes, by another way. */
#include "sim/base/decimal.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void expect_real(double value) {
    char expected[64], text[FRS_DECIMAL_CHARS];
    int n = snprintf(expected, sizeof expected, "%.15g", value);
    ck_assert_uint_eq(frs_decimal_real(text, value), (size_t)n);
    ck_assert_str_eq(text, expected);
}

START_TEST(known_numbers_are_written) {
    char text[FRS_DECIMAL_CHARS];
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"}, {-0.0, "-0"}, {1, "1"}, {-17, "-17"}, {0.1, "0.1"}, {1.5, "1.5"}, {1e15, "1e+15"},
        {999999999999999, "999999999999999"}, {0.0001, "0.0001"}, {0.00001, "1e-05"}, {1e22, "1e+22"},
        {1.0 / 3, "0.333333333333333"}, {2e200 / 3, "6.66666666666667e+199"}, {-2.5e-7, "-2.5e-07"},
        {9.999999999999999e5, "1000000"}, {0.99999999999999999, "1"}, {INFINITY, "inf"}, {100.5, "100.5"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        frs_decimal_real(text, cases[i].value);
        ck_assert_str_eq(text, cases[i].text);
        expect_real(cases[i].value);
    }
    expect_real(NAN);
    expect_real(DBL_MAX);
    expect_real(-DBL_MIN);
    expect_real(DBL_TRUE_MIN);
}
END_TEST

/* Sixteen digits that end in a five, and their neighbours: where rounding is decided. */
START_TEST(halves_are_rounded_as_printf_does) {
    for (int power = -20; power <= 20; power++)
        for (int i = 0; i < 100; i++) {
            double value = (1234567890123405.0 + 10 * i) * pow(10, power);
            expect_real(value);
            expect_real(nextafter(value, INFINITY));
            expect_real(nextafter(value, 0));
        }
}
END_TEST

START_TEST(powers_of_ten) {
    for (int power = -320; power <= 308; power++) {
        double value = pow(10, power);
        expect_real(value);
        expect_real(nextafter(value, INFINITY));
        expect_real(nextafter(value, 0));
        expect_real(-value * 0.999999999999999);
    }
}
END_TEST

/* Any 64 bits, and numbers of the sizes that runs have. */
START_TEST(numbers_at_random) {
    struct frs_rng rng = frs_rng_stream(1, 2, 3, 4, FRS_RNG_TEST);
    for (int i = 0; i < 50000; i++) {
        double value;
        uint64_t bits = frs_rng_u64(&rng);
        memcpy(&value, &bits, sizeof value);
        expect_real(value);
        expect_real((frs_rng_unit(&rng) - 0.5) * pow(10, 40 * frs_rng_unit(&rng) - 16));
        expect_real(round(frs_rng_unit(&rng) * 1e6) / 1e3);
    }
}
END_TEST

START_TEST(counts_are_written) {
    static const uint64_t cases[] = {0, 7, 10, 99, 100, 4294967296, UINT64_MAX};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char expected[64], text[FRS_DECIMAL_CHARS];
        int n = snprintf(expected, sizeof expected, "%" PRIu64, cases[i]);
        ck_assert_uint_eq(frs_decimal_count(text, cases[i]), (size_t)n);
        ck_assert_str_eq(text, expected);
    }
}
END_TEST

static void expect_read(const char *text, unsigned factor, int power, double expected) {
    char *end;
    double value = frs_decimal_read(text, factor, power, &end);
    ck_assert_msg(value == expected && !*end, "\"%s\" * %u * 10^%d became %.17g, not %.17g", text, factor,
        power, value, expected);
}

/* The same quantity, however it is written, is the double next to it. */
START_TEST(read_and_scaled) {
    expect_read("50", 1, -3, 0.05);
    expect_read("50000", 1, -6, 0.05);
    expect_read("0.05", 1, 0, 0.05);
    expect_read("+5e1", 1, -3, 0.05);
    expect_read("-5E+1", 1, -3, -0.05);
    expect_read(".5", 60, 0, 30);
    expect_read("0.1", 3600, 0, 360);
    expect_read("1.1", 60, 0, 66);
    expect_read("33.3", 1, -2, 0.333);
    expect_read("7.", 86400, 0, 604800);
    expect_read("0", 60, -9, 0);
    expect_read("1e400", 1, -400, 1);
    expect_read("1e400", 1, 0, INFINITY);
    expect_read("1e99999999999999999999", 60, -3, INFINITY);
    expect_read("1e-99999999999999999999", 60, 3, 0);
    expect_read("123456789012345678901234567890", 1, -29, 1.2345678901234567890123456789);
    expect_read("0.000000000000000000000000000000000000000000000000000000001", 3600, 57, 3600);
}
END_TEST

START_TEST(read_at_random) {
    struct frs_rng rng = frs_rng_stream(1, 2, 3, 5, FRS_RNG_TEST);
    static const unsigned factors[] = {1, 60, 3600, 86400};
    for (int i = 0; i < 50000; i++) {
        char text[64], scaled[64];
        unsigned factor = factors[frs_rng_below(&rng, 4)];
        int power = (int)frs_rng_below(&rng, 40) - 20, decimals = (int)frs_rng_below(&rng, 20);
        uint64_t digits = frs_rng_u64(&rng) >> (20 + frs_rng_below(&rng, 43)); /* its product fits */
        snprintf(text, sizeof text, "%" PRIu64 "e%d", digits, -decimals);
        snprintf(scaled, sizeof scaled, "%" PRIu64 "e%d", digits * factor, power - decimals);
        expect_read(text, factor, power, strtod(scaled, NULL));
    }
}
END_TEST

/* What strtod takes besides decimal numbers. */
START_TEST(read_nothing_else) {
    static const char *const texts[] = {"", " 5", "x", "0x10", "inf", "-nan", ".", "-", "e5", "+e5", "--5"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char *end;
        frs_decimal_read(texts[i], 1, 0, &end);
        ck_assert_msg(end == texts[i], "\"%s\"", texts[i]);
    }
    char *end;
    ck_assert(frs_decimal_read("5e", 1, 0, &end) == 5);
    ck_assert_str_eq(end, "e");
    ck_assert(frs_decimal_read("1.5e3 s", 60, 0, &end) == 90000);
    ck_assert_str_eq(end, " s");
    ck_assert(frs_decimal_read("1.2.3", 1, 0, &end) == 1.2);
    ck_assert_str_eq(end, ".3");
}
END_TEST

START_TEST(one_number_and_nothing_else) {
    static const char *const numbers[] = {"0", "-0.5", "+5", ".5", "5.", "1e3", "-1E-3",
        "123456789012345678901234567890"},
                             *const others[] = {
                                 "", "5 ", " 5", "5x", "5e", "1e999", "0x10", "inf", "nan", "1.2.3", "-"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        double value = 7;
        ck_assert_msg(frs_decimal_is(numbers[i], &value), "\"%s\"", numbers[i]);
        ck_assert_msg(value == strtod(numbers[i], NULL), "\"%s\"", numbers[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        double value = 7;
        ck_assert_msg(!frs_decimal_is(others[i], &value) && value == 7, "\"%s\"", others[i]);
    }
}
END_TEST

START_TEST(into_a_file) {
    char *text = NULL;
    size_t n = 0;
    FILE *file = open_memstream(&text, &n);
    frs_put_text(file, "a=");
    frs_put_count(file, 12);
    frs_put_text(file, ";");
    frs_put_real(file, -0.25);
    fclose(file);
    ck_assert_str_eq(text, "a=12;-0.25");
    free(text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("decimal");
    TCase *tests = tcase_create("decimal");
    tcase_add_test(tests, known_numbers_are_written);
    tcase_add_test(tests, halves_are_rounded_as_printf_does);
    tcase_add_test(tests, powers_of_ten);
    tcase_add_test(tests, numbers_at_random);
    tcase_add_test(tests, counts_are_written);
    tcase_add_test(tests, read_and_scaled);
    tcase_add_test(tests, read_at_random);
    tcase_add_test(tests, read_nothing_else);
    tcase_add_test(tests, one_number_and_nothing_else);
    tcase_add_test(tests, into_a_file);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
