/* Data files: what is read, and what is refused with which words. */
#include "sim/base/numbers/rng.h"
#include "algorithms/data/interactions.h"
#include "algorithms/data/read_rows.h"
#include "algorithms/data/settings.h"
#include "tests/algorithms/data/fixture.h"

static enum frs_status parse(const char *const *settings, const char *text, size_t n, struct frs_rows *rows,
    struct frs_errors *errors) {
    struct frs_values values = frs_values_of(frs_data_params, settings);
    enum frs_status status = frs_read_rows_of(&values, "file", text, n, rows, errors);
    frs_values_fini(&values);
    return status;
}

static struct frs_rows parses(const char *const *settings, const char *text) {
    struct frs_errors errors = {0};
    struct frs_rows rows = {0};
    enum frs_status status = parse(settings, text, strlen(text), &rows, &errors);
    frs_errors_print(&errors, stdout);
    ck_assert_int_eq(status, FRS_OK);
    return rows;
}

static void refuses_bytes(const char *const *settings, const char *text, size_t n, const char *message) {
    struct frs_errors errors = {0};
    struct frs_rows rows = {0};
    ck_assert_int_eq(parse(settings, text, n, &rows, &errors), FRS_ERR_INPUT);
    ck_assert_uint_eq(rows.n, 0);
    ck_assert_msg(strstr(errors.lines[0], message), "\"%s\" is not in: %s", message, errors.lines[0]);
    frs_errors_clear(&errors);
}

static void refuses(const char *const *settings, const char *text, const char *message) {
    refuses_bytes(settings, text, strlen(text), message);
}

#define ML_100K SETTINGS("format", "movielens-100k")
#define CSV SETTINGS("format", "csv", "csv_header", "false", "csv_value", "3")

START_TEST(movielens_100k_is_parsed) {
    struct frs_rows rows = parses(ML_100K, "196\t242\t3\t881250949\n22\t51\t1\t881250950\n");
    ck_assert_uint_eq(rows.n, 2);
    ck_assert_uint_eq(rows.n_users, 2);
    ck_assert_uint_eq(rows.users[0], 1); /* dense ids follow the numbers, not the file */
    ck_assert_uint_eq(rows.users[1], 0);
    ck_assert_uint_eq(rows.items[0], 1);
    ck_assert_float_eq(rows.values[0], 3);
    ck_assert_double_eq(rows.times[1], 881250950);
    frs_rows_fini(&rows);
}
END_TEST

START_TEST(other_formats_are_parsed) {
    struct frs_rows rows =
        parses(SETTINGS("format", "movielens-1m"), "1::1193::5::978300760\n1::661::3::978302109");
    ck_assert_uint_eq(rows.n, 2);
    ck_assert_uint_eq(rows.items[0], 1);
    frs_rows_fini(&rows);
    rows = parses(SETTINGS("format", "filmtrust"), "1,1,2\n1,2,3.5\n");
    ck_assert_float_eq(rows.values[1], 3.5f);
    ck_assert_ptr_null(rows.times);
    frs_rows_fini(&rows);
    static const char *const lastfm[] = {
        "2\t51\t13883\r\n2\t52\t11690\r\n", "userID\tartistID\tweight\r\n2\t51\t13883\r\n2\t52\t11690\r\n"};
    for (int header = 0; header < 2; header++) {
        rows = parses(SETTINGS("format", "lastfm"), lastfm[header]);
        ck_assert_uint_eq(rows.n, 2);
        ck_assert_float_eq(rows.values[0], 13883);
        frs_rows_fini(&rows);
    }
}
END_TEST

START_TEST(line_ends_blank_lines_and_marks) {
    static const char *const texts[] = {"1\t2\t3\t4\n5\t6\t3\t8\n", "1\t2\t3\t4\r\n5\t6\t3\t8\r\n",
        "1\t2\t3\t4\n5\t6\t3\t8", "\xef\xbb\xbf\n1\t2\t3\t4\n \n\n5\t6\t3\t8\n\n\n",
        " 1 \t2\t3 \t4\n5\t6\t3\t8\r"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct frs_rows rows = parses(ML_100K, texts[i]);
        ck_assert_uint_eq(rows.n, 2);
        ck_assert_double_eq(rows.times[1], 8);
        frs_rows_fini(&rows);
    }
}
END_TEST

START_TEST(malformed_rows_are_named) {
    refuses(ML_100K, "1\t2\t3\t4\n1\t2\t3\n", "file:2: found 3 fields; expected 4, separated by tab");
    refuses(ML_100K, "1\t2\t3\t4\t5\n", "file:1: found 5 fields; expected 4");
    refuses(ML_100K, "1,2,3,4\n", "file:1: found 1 field; expected 4, separated by tab");
    refuses(ML_100K, "\n\nx\t2\t3\t4\n", "file:3: user id \"x\" is not an integer");
    refuses(ML_100K, "1\t\t3\t4\n", "file:1: item id is empty (item id = 2); every line");
    refuses(
        ML_100K, "1\t2\tgood\t4\n", "rating \"good\" is not a finite number; expected a number from 0 to 5");
    refuses(ML_100K, "1\t2\t7\t4\n", "rating \"7\" is out of range; expected a number from 0 to 5");
    refuses(ML_100K, "1\t2\t-1\t4\n", "rating \"-1\" is out of range");
    refuses(ML_100K, "1\t2\t3\tMonday\n", "time \"Monday\" is not a finite number");
    refuses(SETTINGS("format", "lastfm"), "1\t2\t-5\n", "expected a number of at least 0");
    static const char *const not_finite[] = {
        "nan", "NaN", "inf", "-inf", "1e999", "0x10", "1e39", "", "-", ".", "1.2.3"};
    for (size_t i = 0; i < sizeof not_finite / sizeof *not_finite; i++) {
        char row[64];
        snprintf(row, sizeof row, "1,2,%s\n", not_finite[i]);
        refuses(CSV, row, "file:1: rating");
    }
}
END_TEST

START_TEST(hostile_bytes_are_refused) {
    static const char nul[] = "1\t2\t3\t4\n1\t2\0\t3\t4\n";
    refuses_bytes(ML_100K, nul, sizeof nul - 1, "file:2: item id \"2?\" is not an integer");
    static const char nul_in_text[] = "a\0b,2,3\n";
    refuses_bytes(CSV, nul_in_text, sizeof nul_in_text - 1, "file:1: user id \"a?b\" contains a NUL byte");
    refuses(ML_100K, "\x1b[31m\t2\t3\t4\n", "user id \"?[31m\" is not an integer");
    size_t n = 1 << 20;
    char *huge = frs_alloc(n + 1, 1);
    memset(huge, '9', n);
    refuses_bytes(ML_100K, huge, n, "file:1: found 1 field");
    memset(huge, '\t', n);
    huge[0] = '1';
    refuses_bytes(ML_100K, huge, n, "fields; expected 4");
    memset(huge, 'x', n);
    memcpy(huge + n - 5, ",1,2\n", 5); /* an id of a megabyte is odd but well formed */
    struct frs_rows rows = parses(CSV, huge);
    ck_assert_uint_eq(rows.n, 1);
    frs_rows_fini(&rows);
    memset(huge, ' ', n);
    refuses_bytes(ML_100K, huge, n, "without an interaction");
    free(huge);
}
END_TEST

START_TEST(large_and_negative_ids) {
    struct frs_rows rows = parses(CSV, "99999999999,-5,1\n-3,123456789012345678,1\n4294967297,0,1\n1,10,1\n");
    ck_assert_uint_eq(rows.n_users, 4);
    static const uint32_t users[] = {3, 0, 2, 1}, expected_items[] = {0, 3, 1, 2};
    ck_assert_mem_eq(rows.users, users, sizeof users);
    ck_assert_mem_eq(rows.items, expected_items, sizeof expected_items);
    frs_rows_fini(&rows);
}
END_TEST

START_TEST(text_ids_come_after_numbers_in_byte_order) {
    struct frs_rows rows = parses(CSV, "b,9,1\na,10,1\nab,x,1\n7,007,1\n");
    static const uint32_t users[] = {3, 1, 2, 0}, expected_items[] = {0, 1, 3, 2};
    ck_assert_mem_eq(rows.users, users, sizeof users);
    ck_assert_mem_eq(rows.items, expected_items, sizeof expected_items);
    frs_rows_fini(&rows);
}
END_TEST

START_TEST(csv_columns_by_name_and_position) {
    const char *text = "when,\"movie, title\",who,stars\n5,\"Heat, part 2\",ann,4\n6.5,Up,bob,3\n";
    struct frs_rows rows = parses(SETTINGS("format", "csv", "csv_user", "who", "csv_item", "movie, title",
                                      "csv_value", "4", "csv_time", "when"),
        text);
    ck_assert_uint_eq(rows.n, 2);
    ck_assert_uint_eq(rows.items[0], 0);
    ck_assert_uint_eq(rows.users[1], 1);
    ck_assert_float_eq(rows.values[0], 4);
    ck_assert_double_eq(rows.times[1], 6.5);
    frs_rows_fini(&rows);
    rows = parses(SETTINGS("format", "csv", "csv_separator", "tab"), "u\ti\textra\n1\t2\t\n3\t4\tx\t \t\n");
    ck_assert_uint_eq(rows.n, 2);
    ck_assert_float_eq(rows.values[0], 1);
    ck_assert_ptr_null(rows.times);
    frs_rows_fini(&rows);
}
END_TEST

START_TEST(csv_mistakes_are_refused) {
    refuses(SETTINGS("format", "csv", "csv_user", "who"), "user,item\n1,2\n",
        "file:1: the header has no column \"who\" (for the user id); allowed: user, item");
    refuses(SETTINGS("format", "csv"), "1,2\n3,4\n",
        "file:1: the header has numbers alone, like a line of data; allowed: names of columns, or "
        "data.csv_header = false");
    refuses(SETTINGS("format", "csv", "csv_user", "who", "csv_header", "false"), "1,2\n",
        "csv_user: \"who\" is a name, but data.csv_header is false");
    refuses(SETTINGS("format", "csv", "csv_item", "0"), "1,2\n", "positions go from 1");
    refuses(SETTINGS("format", "csv", "csv_item", ""), "1,2\n", "must name a column");
    refuses(SETTINGS("format", "csv", "csv_separator", ""), "1,2\n", "csv_separator: must be");
    refuses(SETTINGS("format", "csv"), "a,b\n1\n",
        "file:2: found 1 field; expected at least 2, separated by , (data.csv_separator)");
    refuses(SETTINGS("format", "csv"), "a,b\n\"1,2\n", "file:2: a double quote is never closed");
    refuses(SETTINGS("format", "csv"), "\"a,b\n1,2\n", "file:1: a double quote is never closed");
    refuses(SETTINGS("format", "csv"), "a,b\n", "without an interaction");
}
END_TEST

START_TEST(stops_after_five_mistakes) {
    struct frs_errors errors = {0};
    struct frs_rows rows;
    const char *text = "x\nx\nx\nx\nx\nx\nx\nx\n";
    ck_assert_int_eq(parse(ML_100K, text, strlen(text), &rows, &errors), FRS_ERR_INPUT);
    ck_assert_uint_eq(errors.n, 6);
    ck_assert_ptr_nonnull(strstr(errors.lines[5], "too many errors"));
    frs_errors_clear(&errors);
}
END_TEST

START_TEST(numbers_read_exactly) {
    struct frs_rows rows =
        parses(CSV, "1,1,3.5\n1,2,0.1\n1,3,1e2\n1,4,-2.25\n1,5,+4\n1,6,.5\n1,7,16777217\n");
    static const float expected[] = {3.5f, 0.1f, 100, -2.25f, 4, 0.5f, 16777216};
    ck_assert_mem_eq(rows.values, expected, sizeof expected);
    frs_rows_fini(&rows);
}
END_TEST

/* Deterministic noise, and mutations of a good file: never a crash, and either rows or a line that says why
 * not. */
START_TEST(damaged_data_are_read_or_refused) {
    static const char good[] = "196\t242\t3\t881250949\n186\t302\t3\t891717742\r\n22\t377\t1\t878887116\n";
    static const char alphabet[] = "0123456789\t\t\t\n\n\r,:;\"-.eE x\xef\0";
    const char *const *settings[] = {ML_100K, SETTINGS("format", "movielens-1m"),
        SETTINGS("format", "filmtrust"), SETTINGS("format", "lastfm"), SETTINGS("format", "csv"), CSV};
    struct frs_rng rng = frs_rng_stream(1, 0, 0, 0, FRS_RNG_TEST);
    for (int round = 0; round < 3000; round++) {
        char text[sizeof good];
        size_t n = frs_rng_below(&rng, sizeof good - 1) + 1;
        memcpy(text, good, sizeof good);
        uint32_t changes = frs_rng_below(&rng, 4) ? frs_rng_below(&rng, 4) + 1 : (uint32_t)n;
        for (uint32_t i = 0; i < changes; i++)
            text[frs_rng_below(&rng, (uint32_t)n)] = alphabet[frs_rng_below(&rng, sizeof alphabet - 1)];
        char *exact = frs_alloc(n, 1); /* so that a sanitizer sees reads behind the end */
        memcpy(exact, text, n);
        struct frs_errors errors = {0};
        struct frs_rows rows = {0};
        enum frs_status status = parse(settings[frs_rng_below(&rng, 6)], exact, n, &rows, &errors);
        ck_assert(status == FRS_OK ? rows.n > 0 && errors.n == 0 : rows.n == 0 && errors.n > 0);
        frs_rows_fini(&rows);
        frs_errors_clear(&errors);
        free(exact);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("formats");
    TCase *tests = tcase_create("formats");
    tcase_add_test(tests, movielens_100k_is_parsed);
    tcase_add_test(tests, other_formats_are_parsed);
    tcase_add_test(tests, line_ends_blank_lines_and_marks);
    tcase_add_test(tests, malformed_rows_are_named);
    tcase_add_test(tests, hostile_bytes_are_refused);
    tcase_add_test(tests, large_and_negative_ids);
    tcase_add_test(tests, text_ids_come_after_numbers_in_byte_order);
    tcase_add_test(tests, csv_columns_by_name_and_position);
    tcase_add_test(tests, csv_mistakes_are_refused);
    tcase_add_test(tests, stops_after_five_mistakes);
    tcase_add_test(tests, numbers_read_exactly);
    tcase_add_test(tests, damaged_data_are_read_or_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
