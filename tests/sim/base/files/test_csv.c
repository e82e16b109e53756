/* The one reader of CSV files: names, quotes, and where in the file a mistake is. */
#include "sim/base/decimal.h"
#include "sim/base/files/csv.h"
#include "sim/base/numbers/rng.h"
#include "tests/folder.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

START_TEST(fields_of_a_line) {
    struct frs_csv csv;
    write_file("t.csv", "# a comment\n\nname , \"a, b\",x\r\n\"say \"\"no\"\", twice\" , \" 1 \",2\n # "
                        "another\n\"\",,-3e2\n");
    ck_assert(frs_csv_open_any(&csv, "t.csv", &errors));
    ck_assert_uint_eq(csv.n_columns, 3);
    ck_assert_str_eq(csv.names[0], "name");
    ck_assert_str_eq(csv.names[1], "a, b");
    ck_assert(frs_csv_next(&csv, &errors));
    ck_assert_uint_eq(csv.line, 4);
    ck_assert_str_eq(csv.fields[0], "say \"no\", twice");
    ck_assert_str_eq(csv.fields[1], " 1 ");
    ck_assert_str_eq(csv.names[2], "x");
    double value;
    ck_assert(frs_csv_next(&csv, &errors));
    ck_assert_uint_eq(csv.line, 6);
    ck_assert_str_eq(csv.fields[0], "");
    ck_assert_str_eq(csv.fields[1], "");
    ck_assert(frs_csv_number(&csv, 2, "x", &value, &errors));
    ck_assert_double_eq(value, -300);
    ck_assert(!frs_csv_next(&csv, &errors));
    ck_assert(!csv.failed);
    frs_csv_close(&csv);
}
END_TEST

/* More columns than anybody thought of. */
START_TEST(many_columns_are_read) {
    struct frs_csv csv;
    char text[4096] = "";
    for (int line = 0; line < 2; line++)
        for (int i = 0; i < 100; i++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d%s", line ? "" : "c", i,
                i < 99 ? "," : "\n");
    write_file("t.csv", text);
    ck_assert(frs_csv_open_any(&csv, "t.csv", &errors));
    ck_assert_uint_eq(csv.n_columns, 100);
    ck_assert(frs_csv_next(&csv, &errors));
    ck_assert_str_eq(csv.names[99], "c99");
    ck_assert_str_eq(csv.fields[99], "99");
    frs_csv_close(&csv);
}
END_TEST

START_TEST(mistakes_are_refused_with_their_line) {
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "t.csv: is empty; the first line has to be the names of its columns"},
        {"a,b,a\n", "t.csv:1: names the column \"a\" twice"},
        {"a,b\n1\n", "t.csv:2: has another number of fields than 2"},
        {"a,b\n1,2,3\n", "t.csv:2: has another number of fields than 2"},
        {"a,b\n1,\"2\n", "t.csv:2: a quote is not closed on its line"},
        {"a,b\n\"1\" x,2\n", "t.csv:2: has something between a closing quote and the next comma"},
        {"\"a\n", "t.csv:1: a quote is not closed on its line"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_csv csv;
        write_file("t.csv", cases[i].text);
        if (frs_csv_open_any(&csv, "t.csv", &errors))
            while (frs_csv_next(&csv, &errors))
                continue;
        ck_assert(csv.failed);
        frs_csv_close(&csv);
        expect_error(cases[i].error);
    }
}
END_TEST

/* Reads a table of columns a and b and expects these numbers, or the error at its end. */
static void reads_table(const char *text, double a, double b, const char *layout, const char *error) {
    struct frs_csv csv;
    double value[2] = {0}, x, y;
    write_file("t.csv", text);
    ck_assert(frs_csv_open_table(&csv, "t.csv", &errors));
    ck_assert_uint_eq(csv.n_columns, 2);
    ck_assert_str_eq(csv.names[0], "a");
    ck_assert_str_eq(csv.names[1], "b");
    while (frs_csv_next(&csv, &errors)) {
        ck_assert(frs_csv_decimal(&csv, 0, &x));
        if (!frs_csv_number(&csv, 1, "b", &y, &errors))
            break;
        value[0] += x;
        value[1] += y;
    }
    ck_assert_int_eq(csv.failed, error != NULL);
    if (error) {
        expect_error(error);
    } else {
        ck_assert_str_eq(frs_csv_layout(&csv), layout);
        ck_assert_double_eq_tol(value[0], a, 1e-12);
        ck_assert_double_eq_tol(value[1], b, 1e-12);
    }
    frs_csv_close(&csv);
}

START_TEST(tables_of_spreadsheets) {
    reads_table("a;b\n1,5;2\n-0,25;,\n", 0, 0, "", "t.csv:3: b \",\" is not a number");
    reads_table("a;b\n1,5;2\n-0,25;40\n", 1.25, 42, "separated by semicolons, with decimal commas", NULL);
    reads_table("sep=;\r\n\"a\" ; b\r\n1.5;2\r\n", 1.5, 2, "separated by semicolons", NULL);
    reads_table("sep=,\na,b\n1.5,2\n", 1.5, 2, "", NULL);
    reads_table("a\tb\n1,5\t2,125\n", 1.5, 2.125, "separated by tabs, with decimal commas", NULL);
    reads_table("a,b\n\"1,5\",\"0,125\"\n", 1.5, 0.125, "with decimal commas", NULL);
    reads_table("a,b\n1.5,2\n", 1.5, 2, "", NULL);
    /* 1,234 is 1.234 beside 1,5, and alone it may be 1234. */
    reads_table("a;b\n1,234;1,5\n", 1.234, 1.5, "separated by semicolons, with decimal commas", NULL);
    reads_table("a;b\n7;1\n1,234;40,128\n", 0, 0, "",
        "t.csv:3: has a number with a comma that can stand before decimals or between thousands, as all "
        "commas "
        "of this file can; allowed: points before decimals, and nothing between thousands");
    reads_table("a;b\n1.25;1\n1,5;2\n", 0, 0, "",
        "t.csv:3: has a number with a comma, and line 2 one with a point; allowed: one of them before "
        "decimals, "
        "and nothing between thousands");
    reads_table("a;b\n1;1.234,5\n", 0, 0, "", "t.csv:2: b \"1.234,5\" is not a number");
}
END_TEST

/* What the program writes has commas between fields, whatever is in them. */
START_TEST(results_are_no_tables) {
    struct frs_csv csv;
    double value;
    write_file("t.csv", "a;b,\"c\"\n1;2,\"3,5\"\n");
    ck_assert(frs_csv_open_any(&csv, "t.csv", &errors));
    ck_assert_str_eq(csv.names[0], "a;b");
    ck_assert(frs_csv_next(&csv, &errors));
    ck_assert_str_eq(csv.fields[0], "1;2");
    ck_assert_str_eq(csv.fields[1], "3,5");
    ck_assert(!frs_csv_decimal(&csv, 1, &value));
    ck_assert_str_eq(frs_csv_layout(&csv), "");
    frs_csv_close(&csv);
}
END_TEST

START_TEST(only_numbers_are_numbers) {
    static const char *const others[] = {
        "", " ", "0x10", "nan", "inf", "-inf", "1e999", "5 s", "one", "-", "."};
    double value;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        ck_assert_msg(!frs_decimal_is(others[i], &value), "\"%s\"", others[i]);
    ck_assert(frs_decimal_is("-.5e1", &value));
    ck_assert_double_eq(value, -5);
}
END_TEST

/* Whatever way a number is read, it is the double nearest to its decimals. */
START_TEST(numbers_are_exact) {
    struct frs_rng rng = frs_rng_stream(1, 0, 0, 0, FRS_RNG_TEST);
    static const char *const cases[] = {"0", "7", "1.", "0.1", "00.30", "123456789012345", "1234567890.12345",
        "9007199254740993", "0.000000000000001", "999999999999999", "12345678901234567890.5"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases + 20000; i++) {
        char text[64];
        double value;
        if (i < sizeof cases / sizeof *cases)
            snprintf(text, sizeof text, "%s", cases[i]);
        else
            snprintf(text, sizeof text, "%.*f", (int)frs_rng_below(&rng, 14),
                frs_rng_unit(&rng) * pow(10, (int)frs_rng_below(&rng, 17)));
        ck_assert(frs_decimal_is(text, &value));
        ck_assert_msg(value == strtod(text, NULL), "%s", text);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("csv");
    TCase *tests = tcase_create("csv");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, fields_of_a_line);
    tcase_add_test(tests, many_columns_are_read);
    tcase_add_test(tests, mistakes_are_refused_with_their_line);
    tcase_add_test(tests, tables_of_spreadsheets);
    tcase_add_test(tests, results_are_no_tables);
    tcase_add_test(tests, only_numbers_are_numbers);
    tcase_add_test(tests, numbers_are_exact);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
