/* Which lines of a file are interactions: data.csv_where, data.empty_ids, and double quotes that are part of
 * a text; columns that are not read are told. */
#include "algorithms/data/read_rows.h"
#include "tests/algorithms/data/fixture.h"

static enum frs_status try_read(
    const char *const *settings, const char *text, struct frs_rows *rows, struct frs_errors *errors) {
    struct frs_values values = section("data", frs_data_params, settings);
    enum frs_status status = frs_read_rows_of(&values, "file", text, strlen(text), rows, errors);
    frs_values_fini(&values);
    return status;
}

static struct frs_rows reads(const char *const *settings, const char *text, const char *notes) {
    struct frs_errors errors = {0};
    struct frs_rows rows;
    enum frs_status status = try_read(settings, text, &rows, &errors);
    frs_errors_print(&errors, stdout);
    ck_assert_int_eq(status, FRS_OK);
    ck_assert_str_eq(rows.notes ? rows.notes : "", notes);
    return rows;
}

static void refuses(const char *const *settings, const char *text, const char *message) {
    struct frs_errors errors = {0};
    struct frs_rows rows;
    ck_assert_int_eq(try_read(settings, text, &rows, &errors), FRS_ERR_INPUT);
    ck_assert_msg(strstr(errors.lines[0], message), "\"%s\" is not in: %s", message, errors.lines[0]);
    frs_errors_clear(&errors);
}

static const char events[] = "timestamp,visitor,event,item\n978300760,7,view,3\n978300761,7,cart,3\n"
                             "978300762,8,buy,4\n978300763,8,view,5\n";

START_TEST(lines_are_chosen_by_the_text_of_a_column) {
    struct frs_rows rows =
        reads(SETTINGS("csv_user", "visitor"), events, "; not used: event (view, cart, buy)");
    ck_assert_uint_eq(rows.n, 4);
    frs_rows_fini(&rows);
    rows = reads(SETTINGS("csv_user", "visitor", "csv_where", " event = buy , cart "), events,
        "; 2 of 4 lines are interactions, those with \" event = buy , cart \" (data.csv_where)");
    ck_assert_uint_eq(rows.n, 2);
    ck_assert_uint_eq(rows.n_items, 2);
    ck_assert_double_eq(rows.times[0], 978300761);
    frs_rows_fini(&rows);
    rows = reads(SETTINGS("csv_user", "visitor", "csv_where", "3=buy,bought"), events,
        "; no line has \"bought\" of data.csv_where; 1 of 4 lines are interactions, those with "
        "\"3=buy,bought\" (data.csv_where)");
    ck_assert_uint_eq(rows.n, 1);
    frs_rows_fini(&rows);
    rows = reads(SETTINGS("csv_where", "event=like"),
        "{\"user\": 1, \"item\": 2, \"event\": \"like\"}\n{\"user\": 1, \"item\": 3}\n",
        "; 1 of 2 lines are interactions, those with \"event=like\" (data.csv_where)");
    ck_assert_uint_eq(rows.n, 1);
    frs_rows_fini(&rows);
}
END_TEST

START_TEST(conditions_that_choose_nothing_are_refused) {
    refuses(SETTINGS("csv_where", "event=purchase"), events,
        "none of the 4 lines has event=purchase (data.csv_where); allowed, as far as the first lines show: "
        "view, cart, buy");
    refuses(SETTINGS("csv_where", "evnt=buy"), events,
        "file:1: the header has no column \"evnt\" (data.csv_where); allowed: timestamp, visitor, event, "
        "item");
    refuses(SETTINGS("csv_where", "9=buy"), events, "the header has no column \"9\" (data.csv_where)");
    refuses(SETTINGS("csv_where", "event=buy"), "1,2,buy\n1,3,buy\n",
        "file:1: there is no column \"event\" (data.csv_where); allowed: 1 to 3, as there is no header");
    refuses(SETTINGS("csv_where", "event"), events, "data.csv_where: \"event\" has no =; allowed: a column");
    refuses(SETTINGS("csv_where", "=buy"), events, "data.csv_where: \"=buy\" names no column");
}
END_TEST

/* Steam: hours are the value of "play", and 1 of "purchase". */
START_TEST(a_value_of_the_chosen_lines) {
    static const char steam[] = "15,\"The Elder Scrolls V Skyrim\",purchase,1.0,0\n"
                                "15,\"The Elder Scrolls V Skyrim\",play,273.0,0\n"
                                "53,\"Rome, Total War\",play,4.0,0\n";
    struct frs_rows rows = reads(SETTINGS("csv_where", "3 = play", "csv_value", "4"), steam,
        "; not used: column 5; 2 of 3 lines are interactions, those with \"3 = play\" (data.csv_where)");
    ck_assert_uint_eq(rows.n, 2);
    ck_assert_float_eq(rows.values[0], 273);
    ck_assert_float_eq(rows.values[1], 4);
    ck_assert_str_eq(rows.settings,
        "format = \"csv\"; csv_separator = \",\"; csv_header = false; csv_where = "
        "\"3 = play\"; csv_user = \"1\"; csv_item = \"2\"; csv_value = \"4\";");
    frs_rows_fini(&rows);
}
END_TEST

START_TEST(lines_without_an_id_are_refused_or_left_out) {
    static const char text[] = "user,item\n1,2\n,3\n1,\n2,3\n";
    refuses(NO_SETTINGS, text,
        "file:3: user id is empty (user id = user); every line needs one (data.empty_ids = \"leave_out\" "
        "leaves");
    struct frs_rows rows = reads(SETTINGS("empty_ids", "leave_out"), text,
        "; 2 lines without a user or item id left out (the first is line 3, data.empty_ids)");
    ck_assert_uint_eq(rows.n, 2);
    ck_assert_uint_eq(rows.n_users, 2);
    ck_assert_uint_eq(rows.n_items, 2);
    frs_rows_fini(&rows);
    rows = reads(SETTINGS("empty_ids", "leave_out"),
        "{\"user\": 1, \"item\": 2}\n{\"user\": null, \"item\": 3}\n",
        "; 1 line without a user or item id left out (line 2, data.empty_ids)");
    ck_assert_uint_eq(rows.n, 1);
    frs_rows_fini(&rows);
}
END_TEST

/* Reviews of Food.com; behind a tab a quote is more often part of a text. */
START_TEST(a_text_may_go_on_in_the_next_lines) {
    static const char text[] = "user,item,review,rating\n1,2,\"good,\r\n\r\nmade it twice\",4\n2,2,,5\n"
                               "2,3,\"a\nb\",1\n";
    struct frs_rows rows = reads(
        NO_SETTINGS, text, "; not used: review; 2 rows have a text over several lines (the first is line 2)");
    ck_assert_uint_eq(rows.n, 3);
    ck_assert_float_eq(rows.values[0], 4);
    ck_assert_float_eq(rows.values[2], 1);
    frs_rows_fini(&rows);
    refuses(NO_SETTINGS, "user,item,review\n1,2,\"good\n2,3,x\n", "file:2: a double quote is never closed");
    refuses(SETTINGS("csv_quotes", "true", "csv_separator", "tab"),
        "user\titem\treview\n1\t2\t\"good\n1\t3\tbad\"\n", "file:2: a double quote is never closed");
    /* A text that is longer than the buffer of lines. */
    size_t n = 3 << 19;
    char *large = frs_alloc(n + 100, 1);
    strcpy(large, "user,item,review,rating\n1,2,\"");
    memset(large + strlen(large), 'x', n);
    for (size_t i = 10000; i < n; i += 10000)
        large[i] = '\n';
    strcat(large, "\",4\n7,8,y,2\n");
    rows = reads(NO_SETTINGS, large, "; not used: review; 1 row has a text over several lines (line 2)");
    ck_assert_uint_eq(rows.n, 2);
    ck_assert_float_eq(rows.values[0], 4);
    frs_rows_fini(&rows);
    free(large);
}
END_TEST

/* Last.fm 360K, with an artist in Latin-1; Book-Crossing. */
START_TEST(quotes_may_be_part_of_a_text) {
    static const char lastfm[] = "u1\t\"weird al\" yankovic\t37\nu1\tdie \xe4rzte\t12\nu2\t12\" mix\t9\n";
    struct frs_rows rows = reads(NO_SETTINGS, lastfm, "");
    ck_assert_uint_eq(rows.n, 3);
    ck_assert_uint_eq(rows.n_items, 3);
    ck_assert_float_eq(rows.values[2], 9);
    frs_rows_fini(&rows);
    static const char unclosed[] = "u1\t\"weird al\t37\nu1\tb\t12\nu2\tc\t9\n";
    rows = reads(NO_SETTINGS, unclosed, "");
    ck_assert_uint_eq(rows.n, 3);
    ck_assert_ptr_nonnull(strstr(rows.settings, "csv_quotes = false"));
    frs_rows_fini(&rows);
    refuses(SETTINGS("csv_quotes", "true"), unclosed,
        "file:1: a double quote is never closed on this line; data.csv_quotes = false takes quotes as part");
    rows = reads(NO_SETTINGS, "user,item,comment\n1,2, \"not bad, not good\"\n", "; not used: comment");
    frs_rows_fini(&rows);
    rows = reads(NO_SETTINGS,
        "\"User-ID\";\"ISBN\";\"Book-Rating\"\n\"1\";\"0\\\"439\";\"5\"\n\"1\";\"\"\"55\"\"\";\"6\"\n", "");
    ck_assert_uint_eq(rows.n_items, 2);
    ck_assert_float_eq(rows.values[0], 5);
    frs_rows_fini(&rows);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("chosen_lines");
    TCase *tests = tcase_create("chosen_lines");
    tcase_add_test(tests, lines_are_chosen_by_the_text_of_a_column);
    tcase_add_test(tests, conditions_that_choose_nothing_are_refused);
    tcase_add_test(tests, a_value_of_the_chosen_lines);
    tcase_add_test(tests, lines_without_an_id_are_refused_or_left_out);
    tcase_add_test(tests, a_text_may_go_on_in_the_next_lines);
    tcase_add_test(tests, quotes_may_be_part_of_a_text);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
