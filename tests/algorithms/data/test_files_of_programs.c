/* Files as spreadsheets, databases and pandas write them: words for no value, comments, decimal commas, dates
 * of a country, headings in several languages. */
#include "algorithms/data/read_rows.h"
#include "tests/algorithms/data/fixture.h"

static enum frs_status parse(
    const char *const *settings, const char *text, struct frs_rows *rows, struct frs_errors *errors) {
    struct frs_values values = section("data", frs_data_params, settings);
    enum frs_status status = frs_read_rows_of(&values, "file", text, strlen(text), rows, errors);
    frs_values_fini(&values);
    return status;
}

static struct frs_rows reads(const char *const *settings, const char *text, const char *note) {
    struct frs_errors errors = {0};
    struct frs_rows rows;
    enum frs_status status = parse(settings, text, &rows, &errors);
    frs_errors_print(&errors, stdout);
    ck_assert_int_eq(status, FRS_OK);
    if (note)
        ck_assert_msg(rows.notes && strstr(rows.notes, note), "\"%s\" is not in: %s", note, rows.notes);
    else
        ck_assert_msg(!rows.notes || !*rows.notes, "%s", rows.notes);
    return rows;
}

static void refuses(const char *const *settings, const char *text, const char *message) {
    struct frs_errors errors = {0};
    struct frs_rows rows;
    ck_assert_int_eq(parse(settings, text, &rows, &errors), FRS_ERR_INPUT);
    ck_assert_msg(strstr(errors.lines[0], message), "\"%s\" is not in: %s", message, errors.lines[0]);
    frs_errors_clear(&errors);
}

static void has_layout(const char *text, const char *columns) {
    struct frs_errors errors = {0};
    struct frs_rows rows;
    enum frs_status status = parse(NO_SETTINGS, text, &rows, &errors);
    frs_errors_print(&errors, stdout);
    ck_assert_int_eq(status, FRS_OK);
    ck_assert_msg(strstr(rows.layout, columns), "\"%s\" is not in: %s", columns, rows.layout);
    frs_rows_fini(&rows);
}

static const char *const absent[] = {
    "NaN", "nan", "NAN", "NULL", "Null", "null", "NA", "N/A", "n/a", "#N/A", "<NA>", "None", "NaT", "\\N"};
enum { N_ABSENT = sizeof absent / sizeof *absent };

START_TEST(words_for_no_value_are_no_ids) {
    char text[200], message[100];
    for (int i = 0; i < N_ABSENT; i++) {
        snprintf(text, sizeof text, "user,item,rating\n1,7,3\n%s,8,4\n2,%s,4\n2,7,1\n", absent[i], absent[i]);
        snprintf(message, sizeof message, "file:3: user id \"%s\" stands for no value (user id = user)",
            absent[i]);
        refuses(NO_SETTINGS, text, message);
        struct frs_rows rows = reads(SETTINGS("empty_ids", "leave_out"), text,
            "; 2 lines without a user or item id left out (the first is line 3, data.empty_ids)");
        ck_assert_uint_eq(rows.n, 2);
        ck_assert_uint_eq(rows.n_users, 2);
        frs_rows_fini(&rows);
        rows = reads(SETTINGS("empty_ids", "keep_words"), text, NULL);
        ck_assert_uint_eq(rows.n_users, 3);
        ck_assert_uint_eq(rows.n_items, 3);
        ck_assert_ptr_nonnull(strstr(rows.settings, " empty_ids = \"keep_words\";"));
        frs_rows_fini(&rows);
    }
    /* Names that only begin so. */
    struct frs_rows rows = reads(NO_SETTINGS, "user,item\nNaNa,NULLs\nNone1,n\nNam,No\n", NULL);
    ck_assert_uint_eq(rows.n_users, 3);
    frs_rows_fini(&rows);
}
END_TEST

START_TEST(lines_without_a_rating) {
    char text[200];
    for (int i = -1; i < N_ABSENT; i++) {
        snprintf(text, sizeof text, "user,item,rating\n1,7,3\n1,8,%s\n2,7,1\n", i < 0 ? "" : absent[i]);
        refuses(NO_SETTINGS, text,
            "is none; every line needs one (data.empty_ratings = \"leave_out\" leaves such");
        struct frs_rows rows = reads(SETTINGS("empty_ratings", "leave_out"), text,
            "; 1 line without a rating left out (line 3, data.empty_ratings)");
        ck_assert_uint_eq(rows.n, 2);
        ck_assert_ptr_nonnull(strstr(rows.settings, " empty_ratings = \"leave_out\";"));
        frs_rows_fini(&rows);
    }
}
END_TEST

START_TEST(blanks_of_every_kind_are_no_part_of_an_id) {
    struct frs_rows rows = reads(NO_SETTINGS,
        "user,item,rating\nu1,1,3\nu1\xc2\xa0,2,4\n\xe2\x80\x8bu1,3,4\nu2,\xe3\x80\x80"
        "1,5\n",
        NULL);
    ck_assert_uint_eq(rows.n_users, 2);
    ck_assert_uint_eq(rows.n_items, 3);
    frs_rows_fini(&rows);
}
END_TEST

START_TEST(comments_in_front_of_the_data) {
    struct frs_rows rows = reads(NO_SETTINGS,
        "% bip weighted\n% 4 2 2\n1 1 2\t1168799149\n1 2 3\t1114832633\n2 1 3\t1114832639\n",
        "; 2 lines of comments in front of the data are passed over (\"% 4 2 2\")");
    ck_assert_str_eq(
        rows.layout, "csv, blanks, 4 columns, 3 rows (user id = 1, item id = 2, rating = 3, time = 4)");
    ck_assert_double_eq(rows.times[2], 1114832639);
    frs_rows_fini(&rows);
    rows = reads(NO_SETTINGS,
        "# Directed graph: x.txt\n# Nodes: 3 Edges: 4\n# FromNodeId\tToNodeId\n0\t4\n0\t5\n",
        "; 3 lines of comments in front of the data are passed over (\"# FromNodeId ToNodeId\")");
    ck_assert_uint_eq(rows.n, 2);
    frs_rows_fini(&rows);
    /* The header itself, and numbers of lines that stay. */
    has_layout("# exported\n# user_id,item_id,stars\n1,2,5\n2,2,4\n",
        "(user id = user_id, item id = item_id, rating = stars)");
    refuses(NO_SETTINGS, "# one\n# two\n1,2,5\n2,4\n", "file:4: found 2 fields");
    /* What may be the data itself. */
    rows = reads(NO_SETTINGS, "#1,7\n#2,7\n", NULL);
    ck_assert_uint_eq(rows.n, 2);
    frs_rows_fini(&rows);
}
END_TEST

START_TEST(blanks_and_tabs_in_turn) {
    struct frs_rows rows = reads(NO_SETTINGS, "1 1 2\t1168799149\n1 2 3\t1114832633\n",
        "; both tabs and blanks stand between numbers: runs of them separate");
    ck_assert_uint_eq(rows.n_users, 1);
    frs_rows_fini(&rows);
    has_layout("1\tThe Matrix\n2\tThe Matrix\n", "csv, tab, 2 columns");
}
END_TEST

START_TEST(the_line_of_excel_says_the_separator) {
    has_layout(
        "sep=;\nuser;item;rating\n1;1;3\n1;2;4\n", "csv, semicolon, 3 columns, 2 rows (user id = user");
    has_layout("sep=,\r\nuser,item\r\na;b,1\r\n", "csv, comma, 2 columns, 1 rows");
}
END_TEST

START_TEST(decimal_commas) {
    struct frs_rows rows =
        reads(NO_SETTINGS, "user;item;rating\n1;1;3,5\n1;2;4\n2;1;-0,25\n", "; ratings have decimal commas");
    ck_assert_float_eq(rows.values[0], 3.5f);
    ck_assert_float_eq(rows.values[2], -0.25f);
    frs_rows_fini(&rows);
    rows = reads(NO_SETTINGS, "1;1;3,5\n1;2;4\n", "; ratings have decimal commas");
    ck_assert(rows.rated);
    frs_rows_fini(&rows);
    refuses(NO_SETTINGS, "user;item;rating\n1;1;3.5\n1;2;4,5\n",
        "file:3: has a number with a comma, and line 2 one with a point");
    refuses(NO_SETTINGS, "user;item;plays\n1;1;12\n1;2;1,250\n",
        "file:3: has a number with a comma that can stand before decimals or between thousands");
    refuses(NO_SETTINGS, "user;item;rating\n1;1;3,5,1\n", "rating \"3,5,1\" is not a finite number");
}
END_TEST

START_TEST(dates_of_a_country) {
    struct frs_rows rows =
        reads(NO_SETTINGS, "user;item;date\n1;1;29.06.2022 17:06\n1;2;8.1.2021 9:05:30\n", NULL);
    ck_assert_double_eq(rows.times[0], 1656522360);
    ck_assert_double_eq(rows.times[1], 1610096730);
    frs_rows_fini(&rows);
    /* The third line says that months are first. */
    rows = reads(NO_SETTINGS, "user,item,date\n1,1,1/2/2023 8:00 AM\n1,2,12/31/2022 12:30 PM\n",
        "; dates have the month first, as line 3 says");
    ck_assert_double_eq(rows.times[0], 1672646400);
    ck_assert_double_eq(rows.times[1], 1672489800);
    frs_rows_fini(&rows);
    /* Days first, which the first lines do not say: 2023-02-01 and 2022-12-31. */
    rows = reads(NO_SETTINGS, "user,item,date\n1,1,1/2/2023 8:00\n1,2,31/12/2022 12:30\n1,3,02/03/2024\n",
        "; dates have the day first, as line 3 says");
    ck_assert_double_eq(rows.times[0], 1675238400);
    ck_assert_double_eq(rows.times[1], 1672489800);
    ck_assert_double_eq(rows.times[2], 1709337600);
    frs_rows_fini(&rows);
    refuses(NO_SETTINGS, "user,item,date\n1,1,1/2/2023\n1,2,3/4/2023\n",
        "file:2: the time can have the day first or the month, and so can those of all lines; expected one "
        "of more");
    refuses(NO_SETTINGS, "user,item,date\n1,1,13/2/2023\n1,2,3/14/2023\n",
        "file:3: time \"3/14/2023\" has the month first, and line 2 has the day first");
    refuses(NO_SETTINGS, "user,item,date\n1,1,13/14/2023\n",
        "time \"13/14/2023\" is not a finite number and no date");
}
END_TEST

START_TEST(headings_say_the_user) {
    static const char *const users[] = {"learner_id", "listener", "member", "reviewerName", "author_id",
        "reader_id", "Kundennummer", "Kunde", "Nutzer-ID", "Benutzer", "Utilisateur", "Client", "Usuario",
        "ID usuario", "Cliente", "review_profilename", "\xe7\x94\xa8\xe6\x88\xb7"};
    static const char *const items[] = {"course_id", "song", "track", "film", "recipe", "hotel", "business",
        "Artikelnummer", "Produkt", "beer_beerid",
        ("Pel\xc3\xad"
         "cula"),
        "\xe5\x95\x86\xe5\x93\x81"};
    char text[200], columns[120];
    for (size_t u = 0; u < sizeof users / sizeof *users; u++)
        for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
            snprintf(text, sizeof text,
                "%s;%s;review/score;review/time\nP1;K1;3;1168799149\nP1;K2;4;1168799159\n", items[i],
                users[u]);
            snprintf(columns, sizeof columns,
                "(user id = %s, item id = %s, rating = review/score, time = review/time)", users[u],
                items[i]);
            has_layout(text, columns);
        }
    has_layout("CustomerID,StockCode,Quantity,InvoiceDate\n1,8A,6,2010-12-01\n", ", time = InvoiceDate)");
}
END_TEST

START_TEST(headings_that_say_nothing_are_told) {
    struct frs_rows rows = reads(NO_SETTINGS, "foo,movie\n1,7\n2,7\n",
        "; no heading says which column is the user: \"foo\" was taken (data.csv_user)");
    frs_rows_fini(&rows);
    rows = reads(NO_SETTINGS, "user,bar\n1,7\n2,7\n",
        "; no heading says which column is the item: \"bar\" was taken (data.csv_item)");
    frs_rows_fini(&rows);
    rows = reads(NO_SETTINGS, "foo,bar\n1,7\n2,7\n",
        "; no heading says which columns are the user and the item: \"foo\" and \"bar\" were taken "
        "(data.csv_user, "
        "data.csv_item)");
    frs_rows_fini(&rows);
    rows = reads(SETTINGS("csv_user", "foo", "csv_item", "bar"), "foo,bar\n1,7\n2,7\n", NULL);
    frs_rows_fini(&rows);
}
END_TEST

START_TEST(an_id_that_repeats_is_an_item) {
    has_layout(",Title,Id,User_id\n0,A,100,x\n1,A,101,x\n2,B,100,y\n", "(user id = User_id, item id = Id)");
    has_layout("Id,Title,User_id\n1,A,x\n2,A,x\n3,B,y\n", "(user id = User_id, item id = Title)");
}
END_TEST

START_TEST(columns_that_are_not_read_are_named) {
    struct frs_rows rows =
        reads(NO_SETTINGS, "u1,i1,play,a.b\nu2,i2,view,c.d\n", "; not used: column 3 (play, view), column 4");
    frs_rows_fini(&rows);
    rows = reads(NO_SETTINGS, ",user,item\n0,1,7\n1,1,8\n", "; not used: column 1 (0, 1)");
    frs_rows_fini(&rows);
}
END_TEST

START_TEST(a_last_line_of_sums_is_told) {
    struct frs_rows rows = reads(NO_SETTINGS, "user,item\nu1,1\nu2,1\nGrand Total,3\n",
        "; the last line has the user \"Grand Total\", as a line of sums: it counts as an interaction");
    frs_rows_fini(&rows);
}
END_TEST

START_TEST(a_matrix_has_a_column_an_item) {
    struct frs_rows rows = reads(NO_SETTINGS,
        "user_id,Toy Story (1995),\"Good, the Bad\",Heat (1995)\nu0,4.0,NaN,3.5\nu1,NaN,2.0,\nu2,5.0,,1.0\n",
        NULL);
    ck_assert_str_eq(rows.layout, "matrix, comma, an item a column, 4 columns, 5 rows");
    ck_assert_uint_eq(rows.n, 5);
    ck_assert_uint_eq(rows.n_users, 3);
    ck_assert_uint_eq(rows.n_items, 3);
    ck_assert_float_eq(rows.values[1], 3.5f);
    ck_assert_uint_eq(rows.users[1], rows.users[0]);
    ck_assert_float_eq(rows.values[2], 2);
    frs_rows_fini(&rows);
    refuses(SETTINGS("format", "matrix"), "user,A,B,C\n1,2,,3\n2,1\n",
        "file:3: found 2 fields; expected 4, as in the header");
    /* Without an empty cell it may be another table. */
    static const char full[] = "user,A,B,C,D\n1,2,0,3,4\n2,1,0,0,5\n";
    refuses(NO_SETTINGS, full,
        "file:1: this seems to be a matrix, a column an item; data.format = \"matrix\" reads");
    rows = reads(SETTINGS("format", "matrix"), full, NULL);
    ck_assert_uint_eq(rows.n, 8);
    frs_rows_fini(&rows);
    rows = reads(SETTINGS("csv_item", "B"), full, "; not used: A (2, 1), C (3, 0), D (4, 5)");
    ck_assert_uint_eq(rows.n, 2);
    frs_rows_fini(&rows);
    has_layout("user,item,a,b,c\n1,2,,3,\n2,1,3,,1\n",
        "csv, comma, 5 columns, 2 rows (user id = user, item id = item)");
}
END_TEST

START_TEST(a_header_that_occurs_again) {
    refuses(NO_SETTINGS, "user_id,item_id\nu1,i1\nuser_id,item_id\nu1,i2\n",
        "file:1: the header occurs again below, as where files were put together");
}
END_TEST

START_TEST(lists_of_items_with_ratings) {
    struct frs_rows rows = reads(NO_SETTINGS, "1 1:3 2:2 4:2\n2 3:3.5 6:1\nx 1:5\n", NULL);
    ck_assert_str_eq(rows.layout, "libsvm, blanks, a user a line, 6 rows");
    ck_assert_uint_eq(rows.n_users, 3);
    ck_assert_uint_eq(rows.n_items, 5);
    ck_assert_float_eq(rows.values[3], 3.5f);
    frs_rows_fini(&rows);
    rows = reads(SETTINGS("format", "libsvm"), "1 a:b:3 a:c:2\n", NULL); /* the last colon ends the item */
    ck_assert_uint_eq(rows.n_items, 2);
    ck_assert_float_eq(rows.values[0], 3);
    frs_rows_fini(&rows);
    refuses(SETTINGS("format", "libsvm"), "1 1:3 2\n",
        "file:1: found \"2\"; expected item:rating behind the user");
}
END_TEST

START_TEST(objects_of_python_and_fields_of_json) {
    refuses(
        NO_SETTINGS, "{u'user_id': u'a', u'item_id': 7}\n", "file:1: this is Python, not JSON: python3 -c");
    refuses(NO_SETTINGS, "{'user_id': 'a', 'item_id': 7}\n", "file:1: this is Python, not JSON: python3 -c");
    struct frs_rows rows = reads(NO_SETTINGS,
        "{\"user_id\":\"a\",\"book_id\":\"1\",\"is_read\":true,\"shelf\":\"a.b\"}\n"
        "{\"user_id\":\"b\",\"book_id\":\"1\",\"is_read\":false,\"shelf\":\"c.d\"}\n",
        "; not used: is_read (true, false), shelf");
    frs_rows_fini(&rows);
    rows = reads(SETTINGS("empty_ratings", "leave_out"),
        "{\"user\":\"a\",\"item\":\"1\",\"rating\":4}\n{\"user\":\"b\",\"item\":\"1\",\"rating\":null}\n",
        "; 1 line without a rating left out (line 2, data.empty_ratings)");
    ck_assert_uint_eq(rows.n, 1);
    frs_rows_fini(&rows);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("files_of_programs");
    TCase *tests = tcase_create("files_of_programs");
    tcase_add_test(tests, words_for_no_value_are_no_ids);
    tcase_add_test(tests, lines_without_a_rating);
    tcase_add_test(tests, blanks_of_every_kind_are_no_part_of_an_id);
    tcase_add_test(tests, comments_in_front_of_the_data);
    tcase_add_test(tests, blanks_and_tabs_in_turn);
    tcase_add_test(tests, the_line_of_excel_says_the_separator);
    tcase_add_test(tests, decimal_commas);
    tcase_add_test(tests, dates_of_a_country);
    tcase_add_test(tests, headings_say_the_user);
    tcase_add_test(tests, headings_that_say_nothing_are_told);
    tcase_add_test(tests, an_id_that_repeats_is_an_item);
    tcase_add_test(tests, columns_that_are_not_read_are_named);
    tcase_add_test(tests, a_last_line_of_sums_is_told);
    tcase_add_test(tests, a_matrix_has_a_column_an_item);
    tcase_add_test(tests, a_header_that_occurs_again);
    tcase_add_test(tests, lists_of_items_with_ratings);
    tcase_add_test(tests, objects_of_python_and_fields_of_json);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
