/* What a file without names of columns is taken for, by the rules of guessed_values.h and time_scale.h:
 * values that are no ratings, times that do not fit the others. */
#include "algorithms/data/read_rows.h"
#include "tests/algorithms/data/fixture.h"

#define GUESSED NO_SETTINGS

static struct frs_rows reads(const char *const *settings, const char *text) {
    struct frs_values values = section("data", frs_data_params, settings);
    struct frs_errors errors = {0};
    struct frs_rows rows;
    enum frs_status status = frs_read_rows_of(&values, "file", text, strlen(text), &rows, &errors);
    frs_values_fini(&values);
    frs_errors_print(&errors, stdout);
    ck_assert_int_eq(status, FRS_OK);
    return rows;
}

static void tells(const struct frs_rows *rows, const char *text) {
    ck_assert_msg(rows->notes && strstr(rows->notes, text), "\"%s\" is not in: %s", text, rows->notes);
}

/* UserBehavior of Taobao: user, item, category, behaviour, time; one time of these is negative. */
START_TEST(categories_are_no_ratings) {
    static const char text[] = "1,2268318,2520377,pv,1511544070\n1,2333346,2520771,buy,1511561733\n"
                               "1,2576651,149192,pv,-1511572885\n2,3830808,4181361,cart,1511593493\n"
                               "2,4365585,2520377,pv,1511596146\n";
    struct frs_rows rows = reads(GUESSED, text);
    ck_assert_uint_eq(rows.n, 5);
    ck_assert(!rows.rated);
    for (int i = 0; i < 5; i++)
        ck_assert_float_eq(rows.values[i], 1);
    ck_assert_str_eq(rows.layout, "csv, comma, 5 columns, 5 rows (user id = 1, item id = 2, time = 5)");
    ck_assert_str_eq(rows.settings, "format = \"csv\"; csv_separator = \",\"; csv_header = false; csv_user = "
                                    "\"1\"; csv_item = \"2\"; csv_time = \"5\";");
    tells(&rows, "; column 3 is not taken for a rating: 4 distinct values up to 4,181,361 (data.csv_value = "
                 "\"3\" takes it)");
    tells(&rows, "; 1 row has a time that is not from 1973 to 2286 (line 3), kept as it is");
    ck_assert_double_eq(rows.times[2], -1511572885);
    frs_rows_fini(&rows);
    rows = reads(SETTINGS("csv_value", "3"), text);
    ck_assert(rows.rated);
    ck_assert_float_eq(rows.values[1], 2520771);
    frs_rows_fini(&rows);
}
END_TEST

START_TEST(ratings_are_from_minus_100_to_100) {
    static const struct {
        const char *text;
        bool rated;
    } files[] = {{"1,2,0.5\n1,3,100\n2,3,-100\n", true}, {"1,2,100.5\n1,3,1\n", false},
        {"1,2,5\n1,3,-101\n", false}, {"a\tb\t3\na\tc\t9667\n", false}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct frs_rows rows = reads(GUESSED, files[i].text);
        ck_assert_int_eq(rows.rated, files[i].rated);
        ck_assert_int_eq(rows.notes && strstr(rows.notes, "not taken for a rating"), !files[i].rated);
        frs_rows_fini(&rows);
    }
}
END_TEST

START_TEST(what_cannot_be_read_names_the_key) {
    static const char *const texts[] = {
        "1,2,5,978300760\n1,3,x,978300761\n1,4,3,978300762\n", "1,2,5,978300760\n1,3,4,\n1,4,3,978300762\n"};
    for (int i = 0; i < 2; i++) {
        struct frs_values values = section("data", frs_data_params, GUESSED);
        struct frs_errors errors = {0};
        struct frs_rows rows;
        enum frs_status status =
            frs_read_rows_of(&values, "file", texts[i], strlen(texts[i]), &rows, &errors);
        frs_values_fini(&values);
        if (i == 0) { /* a column with a text is none of ratings */
            ck_assert_int_eq(status, FRS_OK);
            ck_assert(!rows.rated);
            frs_rows_fini(&rows);
        } else {
            ck_assert_int_eq(status, FRS_ERR_INPUT);
            ck_assert_ptr_nonnull(strstr(errors.lines[0], "file:2: time \"\" is not a finite number"));
            ck_assert_ptr_nonnull(strstr(errors.lines[0], "(data.csv_time = \"\" reads the file without"));
            frs_errors_clear(&errors);
        }
    }
}
END_TEST

/* An item number of nine digits is no time where another column is. */
START_TEST(the_time_is_the_column_of_usual_times) {
    struct frs_rows rows = reads(GUESSED, "1,2,520377123,pv,1511544070\n1,3,520771234,pv,1511561733\n");
    ck_assert_double_eq(rows.times[0], 1511544070);
    frs_rows_fini(&rows);
    rows = reads(GUESSED, "1,2,4,120377123\n1,3,5,120771234\n");
    ck_assert_double_eq(rows.times[0], 120377123);
    frs_rows_fini(&rows);
}
END_TEST

/* Ciao: user, product, category, rating, helpfulness, day. */
START_TEST(one_of_several_columns_of_numbers_is_no_rating_beyond_10) {
    struct frs_rows rows = reads(GUESSED, "3 5 28 4 2 11\n3 7 1 2 3 10\n8 5 6 1 0 9\n");
    ck_assert(!rows.rated);
    tells(&rows, "; column 3 is not taken for a rating: it has numbers up to 28, and 3 further columns have "
                 "numbers (data.csv_value names the one of ratings)");
    frs_rows_fini(&rows);
    rows = reads(SETTINGS("csv_value", "4"), "3 5 28 4 2 11\n3 7 1 2 3 10\n8 5 6 1 0 9\n");
    ck_assert_float_eq(rows.values[0], 4);
    frs_rows_fini(&rows);
}
END_TEST

START_TEST(numbers_of_lines_are_no_users) {
    char text[512] = "";
    for (int line = 0; line < 12; line++)
        sprintf(text + strlen(text), "%d,%d,%d,5\n", line, line % 3, line % 4);
    struct frs_rows rows = reads(GUESSED, text);
    ck_assert_uint_eq(rows.n_users, 3);
    ck_assert_uint_eq(rows.n_items, 4);
    ck_assert(rows.rated);
    tells(&rows, "; column 1 counts the lines and is not the user");
    frs_rows_fini(&rows);
    rows = reads(GUESSED, "id,who,what\n1,7,8\n2,7,9\n"); /* the first names that are left */
    ck_assert_str_eq(rows.layout, "csv, comma, 3 columns, 2 rows (user id = who, item id = what)");
    frs_rows_fini(&rows);
}
END_TEST

START_TEST(files_of_amazon_may_have_the_item_first) {
    struct frs_rows rows = reads(GUESSED, "B00005N7P0,AH2IFH762VY5U,5.0,1005177600\n"
                                          "0123456789,AOSFI0JEYU4XM,4.0,1004486400\n");
    ck_assert_str_eq(
        rows.layout, "csv, comma, 4 columns, 2 rows (user id = 2, item id = 1, rating = 3, time = 4)");
    frs_rows_fini(&rows);
    rows = reads(GUESSED, "AH2IFH762VY5U,B00005N7P0,5.0,1005177600\n");
    ck_assert_str_eq(
        rows.layout, "csv, comma, 4 columns, 1 rows (user id = 1, item id = 2, rating = 3, time = 4)");
    frs_rows_fini(&rows);
}
END_TEST

#define TIMED SETTINGS("format", "csv", "csv_header", "false", "csv_time", "3")

START_TEST(each_unit_of_a_column_is_brought_to_seconds) {
    struct frs_rows rows =
        reads(TIMED, "1,2,978301845\n1,3,978301846000\n1,4,978301847\n1,5,978301848000000\n"
                     "1,6,978301849\n1,7,0\n1,8,978301851\n");
    static const double times[] = {978301845, 978301846, 978301847, 978301848, 978301849, 0, 978301851};
    ck_assert_mem_eq(rows.times, times, sizeof times);
    ck_assert_str_eq(rows.notes,
        "; times in s, 1 row in ms (line 2), 1 row in µs (line 4), all brought to s; 1 row has a time that "
        "is not from 1973 to 2286 (line 6), kept as it is");
    frs_rows_fini(&rows);
    /* In the unit of most. */
    rows = reads(TIMED, "1,2,978301845000\n1,3,-5000\n1,4,978301847000\n1,5,0\n1,6,978301847000\n");
    ck_assert_double_eq(rows.times[1], -5);
    ck_assert_str_eq(rows.notes, "; times in ms; 2 rows have a time that is not from 1973 to 2286 (the first "
                                 "in line 2), kept as they are");
    frs_rows_fini(&rows);
    /* Numbers of another kind are not touched. */
    rows = reads(TIMED, "1,2,1\n1,3,2\n1,4,978301847000\n");
    ck_assert_double_eq(rows.times[2], 978301847000);
    ck_assert_str_eq(rows.notes, "");
    frs_rows_fini(&rows);
}
END_TEST

START_TEST(dates_of_digits_are_dates) {
    struct frs_rows rows = reads(GUESSED, "1,2,5,20110324\n1,3,4,20110325\n1,4,4,0\n");
    ck_assert_str_eq(
        rows.layout, "csv, comma, 4 columns, 3 rows (user id = 1, item id = 2, rating = 3, time = 4)");
    static const double times[] = {1300924800, 1301011200, 0}; /* 15,057 days, and one more */
    ck_assert_mem_eq(rows.times, times, sizeof times);
    ck_assert_str_eq(rows.notes,
        "; times are dates such as 20110324; 1 row has a time that is no such date (line 3), kept as it is");
    frs_rows_fini(&rows);
    rows = reads(TIMED, "1,2,20110324000001\n1,3,20110325235960\n");
    ck_assert_double_eq(rows.times[0], 1300924801);
    ck_assert_double_eq(rows.times[1], 1301097600);
    frs_rows_fini(&rows);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("guessed_columns");
    TCase *tests = tcase_create("guessed_columns");
    tcase_add_test(tests, categories_are_no_ratings);
    tcase_add_test(tests, ratings_are_from_minus_100_to_100);
    tcase_add_test(tests, what_cannot_be_read_names_the_key);
    tcase_add_test(tests, the_time_is_the_column_of_usual_times);
    tcase_add_test(tests, one_of_several_columns_of_numbers_is_no_rating_beyond_10);
    tcase_add_test(tests, numbers_of_lines_are_no_users);
    tcase_add_test(tests, files_of_amazon_may_have_the_item_first);
    tcase_add_test(tests, each_unit_of_a_column_is_brought_to_seconds);
    tcase_add_test(tests, dates_of_digits_are_dates);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
