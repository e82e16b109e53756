/* Interaction files as they circulate: each layout is recognised and read, and says the same as another one
 * with the same interactions; what is damaged or ambiguous is refused or told. */
#include "algorithms/data/read_rows.h"
#include "tests/algorithms/data/fixture.h"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#define GUESSED NO_SETTINGS

static enum frs_status try_read(const char *const *settings, const char *text, size_t n,
    struct frs_rows *rows, struct frs_errors *errors) {
    struct frs_values values = section("data", frs_data_params, settings);
    enum frs_status status = frs_read_rows_of(&values, "file", text, n, rows, errors);
    frs_values_fini(&values);
    return status;
}

static struct frs_rows reads_bytes(const char *const *settings, const char *text, size_t n) {
    struct frs_errors errors = {0};
    struct frs_rows rows;
    enum frs_status status = try_read(settings, text, n, &rows, &errors);
    frs_errors_print(&errors, stdout);
    ck_assert_int_eq(status, FRS_OK);
    return rows;
}

static struct frs_rows reads(const char *const *settings, const char *text) {
    return reads_bytes(settings, text, strlen(text));
}

static void refuses_bytes(const char *const *settings, const char *text, size_t n, const char *message) {
    struct frs_errors errors = {0};
    struct frs_rows rows;
    ck_assert_int_eq(try_read(settings, text, n, &rows, &errors), FRS_ERR_INPUT);
    ck_assert_ptr_null(rows.users);
    ck_assert_uint_ge(errors.n, 1);
    ck_assert_msg(strstr(errors.lines[0], message), "\"%s\" is not in: %s", message, errors.lines[0]);
    for (const char *at = errors.lines[0]; *at; at++)
        ck_assert_msg((unsigned char)*at >= ' ', "a control character in: %s", errors.lines[0]);
    frs_errors_clear(&errors);
}

static void refuses(const char *const *settings, const char *text, const char *message) {
    refuses_bytes(settings, text, strlen(text), message);
}

static void is_layout(const struct frs_rows *rows, const char *layout) {
    ck_assert_str_eq(rows->layout, layout);
}

/* user 3: items 5 (rating 4) and 7 (2); user 8: item 5 (1). Times 978300760, 978300761 and 978300762. */
static void is_the_example(struct frs_rows *rows, bool rated, bool timed) {
    static const uint32_t users[] = {0, 0, 1}, items[] = {0, 1, 0};
    static const float ratings[] = {4, 2, 1}, ones[] = {1, 1, 1};
    ck_assert_uint_eq(rows->n, 3);
    ck_assert_uint_eq(rows->n_users, 2);
    ck_assert_uint_eq(rows->n_items, 2);
    ck_assert_mem_eq(rows->users, users, sizeof users);
    ck_assert_mem_eq(rows->items, items, sizeof items);
    ck_assert_mem_eq(rows->values, rated ? ratings : ones, sizeof ratings);
    ck_assert_int_eq(rows->rated, rated);
    ck_assert_int_eq(rows->times != NULL, timed);
    for (int i = 0; timed && i < 3; i++)
        ck_assert_double_eq(rows->times[i], 978300760 + i);
    frs_rows_fini(rows);
}

START_TEST(every_layout_says_the_same) {
    static const struct {
        const char *text, *layout;
        bool rated, timed;
    } files[] = {
        {"user_id:token\titem_id:token\trating:float\ttimestamp:"
         "float\n3\t5\t4\t978300760\n3\t7\t2\t978300761\n"
         "8\t5\t1\t978300762\n",
            "recbole, tab, 4 columns, 3 rows (user id = user_id:token, item id = item_id:token, rating = "
            "rating:float, time = timestamp:float)",
            true, true},
        {"item_id:token\tuser_id:token\n5\t3\n7\t3\n5\t8\n",
            "recbole, tab, 2 columns, 3 rows (user id = user_id:token, item id = item_id:token)", false,
            false},
        {"3 5 7\n8 5\n", "lists, blanks, a user a line, 3 rows", false, false},
        {"3 5 7 \n5\n8 5\n9", "lists, blanks, a user a line, 3 rows", false, false},
        {"{\"reviewerID\": \"3\", \"asin\": \"5\", \"overall\": 4.0, \"unixReviewTime\": 978300760, "
         "\"verified\": "
         "true}\n{\"asin\": \"7\", \"reviewerID\": \"3\", \"overall\": 2.0, \"unixReviewTime\": 978300761}\n"
         "{\"reviewerID\": \"8\", \"asin\": \"5\", \"overall\": 1.0, \"unixReviewTime\": 978300762}\n",
            "json, an object a line, 3 rows (user id = reviewerID, item id = asin, rating = overall, time = "
            "unixReviewTime)",
            true, true},
        {"{\"user_id\":\"3\",\"business_id\":\"5\",\"stars\":4,\"date\":\"2000-12-31 22:12:40\"}\n"
         "{\"user_id\":\"3\",\"business_id\":\"7\",\"stars\":2,\"date\":\"2000-12-31 22:12:41\"}\n"
         "{\"user_id\":\"8\",\"business_id\":\"5\",\"stars\":1,\"date\":\"2000-12-31 22:12:42\"}\n",
            "json, an object a line, 3 rows (user id = user_id, item id = business_id, rating = stars, time "
            "= "
            "date)",
            true, true},
        {"3 5 4\n3 7 2\n8 5 1\n", "csv, blanks, 3 columns, 3 rows (user id = 1, item id = 2, rating = 3)",
            true, false},
        {"3\t2000-12-31T22:12:40Z\t30.2\t-97.7\t5\n3\t2000-12-31T22:12:41Z\t30.2\t-97.8\t7\n"
         "8\t2000-12-31T22:12:42Z\t30.1\t-97.7\t5\n",
            "gowalla, tab, 5 columns, 3 rows (user id = 1, item id = 5, time = 2)", false, true},
        {"userID\tmovieID\trating\tdate_day\tdate_month\tdate_year\tdate_hour\tdate_minute\tdate_second\n"
         "3\t5\t4\t31\t12\t2000\t22\t12\t40\n3\t7\t2\t31\t12\t2000\t22\t12\t41\n8\t5\t1\t31\t12\t2000\t22\t12"
         "\t42\n",
            "hetrec, tab, 9 columns, 3 rows (user id = userID, item id = movieID, rating = rating, time = "
            "date_year)",
            true, true},
        {"userID\tmovieID\trating\ttimestamp\n3\t5\t4\t978300760000\n3\t7\t2\t978300761000\n8\t5\t1\t97830076"
         "2000\n",
            "hetrec, tab, 4 columns, 3 rows (user id = userID, item id = movieID, rating = rating, time = "
            "timestamp)",
            true, true},
        {"3::5::4::978300760\n3::7::2::978300761\n8::5::1::978300762\n",
            "movielens-1m, ::, 4 columns, 3 rows (user id = 1, item id = 2, rating = 3, time = 4)", true,
            true},
        {"3\t5\t4\t978300760\n3\t7\t2\t978300761\n8\t5\t1\t978300762\n",
            "movielens-100k, tab, 4 columns, 3 rows (user id = 1, item id = 2, rating = 3, time = 4)", true,
            true},
        {"userId,movieId,rating,timestamp\n3,5,4.0,978300760\n3,7,2.0,978300761\n8,5,1.0,978300762\n",
            "csv, comma, 4 columns, 3 rows (user id = userId, item id = movieId, rating = rating, time = "
            "timestamp)",
            true, true},
        {"\"Time\";\"User-ID\";\"ISBN\";\"Book-Rating\"\n\"2000-12-31T23:12:40+01:00\";\"3\";\"5\";\"4\"\n"
         "\"2000-12-31T23:12:41+01:00\";\"3\";\"7\";\"2\"\n\"2000-12-31T23:12:42+01:00\";\"8\";\"5\";\"1\"\n",
            "csv, semicolon, 4 columns, 3 rows (user id = User-ID, item id = ISBN, rating = Book-Rating, "
            "time = "
            "Time)",
            true, true},
        {"5:\n3,4,2000-12-31T22:12:40Z\n7:\n3,2,2000-12-31T22:12:41Z\n5:\n8,1,2000-12-31T22:12:42Z\n",
            "netflix, comma, an item a block, 3 rows", true, true},
        {"3|5|4|978300760000000\n3|7|2|978300761000000\n8|5|1|978300762000000\n",
            "csv, bar, 4 columns, 3 rows (user id = 1, item id = 2, rating = 3, time = 4)", true, true},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct frs_rows rows = reads(GUESSED, files[i].text);
        is_layout(&rows, files[i].layout);
        is_the_example(&rows, files[i].rated, files[i].timed);
    }
}
END_TEST

/* Lists whose first lines have three numbers, and ratings of which one line is short. */
START_TEST(lists_are_told_from_ratings) {
    char text[512] = "";
    for (int user = 1; user <= 20; user++)
        sprintf(text + strlen(text), "%d %d %d\n", user, user + 5, user + 6);
    struct frs_rows rows = reads(GUESSED, text);
    is_layout(&rows, "lists, blanks, a user a line, 40 rows");
    frs_rows_fini(&rows);
    rows = reads(GUESSED, "8 5 7\n3 5 7\n4 1 2 3 4\n");
    is_layout(&rows, "lists, blanks, a user a line, 8 rows");
    frs_rows_fini(&rows);
    rows = reads(GUESSED, "3 5 4\n4 7 2\n5 5 1\n");
    is_layout(&rows, "csv, blanks, 3 columns, 3 rows (user id = 1, item id = 2, rating = 3)");
    frs_rows_fini(&rows);
    refuses(GUESSED, "3 5 4\n3 7\n4 5 1\n3 2 2\n", "file:2: found 2 fields; expected 3");
}
END_TEST

START_TEST(formats_are_asked_for_by_name) {
    struct frs_rows rows = reads(SETTINGS("format", "filmtrust"), "3 5 4\n3 7 2\n8 5 1\n");
    is_layout(&rows, "filmtrust");
    is_the_example(&rows, true, false);
    rows = reads(SETTINGS("format", "filmtrust"), "3\t5\t4\n3\t7\t2\n8\t5\t1\n");
    is_the_example(&rows, true, false);
    rows =
        reads(SETTINGS("format", "csv", "csv_separator", "blanks", "csv_header", "false", "csv_value", "3"),
            "3   5 \t4\n  3 7  2\n8 5 1  \n");
    is_the_example(&rows, true, false);
    rows = reads(SETTINGS("format", "json", "csv_user", "who", "csv_item", "what"),
        "{\"who\": 3, \"what\": 5}\n{\"who\": 3, \"what\": 7}\n{\"who\": 8, \"what\": 5}\n");
    is_the_example(&rows, false, false);
    refuses(
        SETTINGS("format", "recbole"), "user\titem\n1\t2\n", "file:1: the header of an atomic file types");
    refuses(SETTINGS("format", "recbole"),
        "session_id:token\titem_id_list:token_seq\titem_id:token\n1\t2 3\t4\n", "a column holds sequences");
    rows =
        reads(GUESSED, "user_id:token\titem_id:token\treview:token_seq\n3\t5\tgood one\n3\t7\tbad\n8\t5\t\n");
    is_the_example(&rows, false, false);
    refuses(SETTINGS("format", "json"), "3,5\n", "file:1: is no JSON object");
    refuses(SETTINGS("format", "json"), "{\"a\": 1}\n",
        "file:1: no field of this object is known as the user id; name it in data.csv_user");
    refuses(SETTINGS("format", "json"), "{\"user_id\": 1, \"item_id\": 2}\n{\"user_id\": 1}\n",
        "file:2: \"item_id\" (the item id) is missing");
}
END_TEST

START_TEST(a_matrix_of_ratings) {
    char text[1024] = "";
    size_t n = 0;
    static const char *const begins[] = {"2,-3.5,99,8.25", "1,99,-10,99"};
    for (int user = 0; user < 2; user++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%s", begins[user]);
        for (int joke = 4; joke <= 25; joke++)
            n += (size_t)snprintf(text + n, sizeof text - n, ",99");
        n += (size_t)snprintf(text + n, sizeof text - n, "\n");
    }
    struct frs_rows rows = reads(GUESSED, text);
    is_layout(&rows, "jester, comma, 26 columns, 3 rows");
    ck_assert_uint_eq(rows.n, 3);
    static const float values[] = {-3.5f, 8.25f, -10};
    static const uint32_t users[] = {0, 0, 1}, items[] = {0, 2, 1}; /* jokes 1, 3 and 2 */
    ck_assert_mem_eq(rows.values, values, sizeof values);
    ck_assert_mem_eq(rows.users, users, sizeof users);
    ck_assert_mem_eq(rows.items, items, sizeof items);
    ck_assert_str_eq(rows.first_item, "1");
    frs_rows_fini(&rows);
    text[0] = '3';
    refuses(SETTINGS("format", "jester"), text, "file:1: the line begins with \"3\" and has 2 ratings");
}
END_TEST

static size_t pack(int how, const char *text, size_t n, char *packed, size_t room) {
    if (how == 0) {
        z_stream stream = {0};
        ck_assert_int_eq(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
        stream.next_in = (unsigned char *)(size_t)text;
        stream.avail_in = (unsigned)n;
        stream.next_out = (unsigned char *)packed;
        stream.avail_out = (unsigned)room;
        ck_assert_int_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
        size_t size = stream.total_out;
        deflateEnd(&stream);
        return size;
    }
    if (how == 1)
        return ZSTD_compress(packed, room, text, n, 3);
    size_t size = 0;
    ck_assert_int_eq(lzma_easy_buffer_encode(
                         6, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text, n, (uint8_t *)packed, &size, room),
        LZMA_OK);
    return size;
}

START_TEST(compression_changes_nothing) {
    static const char text[] = "3::5::4::978300760\n3::7::2::978300761\n8::5::1::978300762\n";
    char packed[2048];
    for (int how = 0; how < 3; how++) {
        size_t n = pack(how, text, sizeof text - 1, packed, sizeof packed);
        struct frs_rows rows = reads_bytes(GUESSED, packed, n);
        is_the_example(&rows, true, true);
        refuses_bytes(GUESSED, packed, n - 5, "in the middle of what is compressed");
        packed[n / 2] ^= 0x55;
        struct frs_errors errors = {0};
        if (try_read(GUESSED, packed, n, &rows, &errors) == FRS_OK)
            frs_rows_fini(&rows);
        frs_errors_clear(&errors);
        /* Two members, one behind the other, are one file. */
        n = pack(how, text, 19, packed, sizeof packed);
        n += pack(how, text + 19, sizeof text - 20, packed + n, sizeof packed - n);
        rows = reads_bytes(GUESSED, packed, n);
        is_the_example(&rows, true, true);
    }
}
END_TEST

START_TEST(other_bytes_are_named) {
    static const char utf16[] = "\xff\xfeu\0,\0i\0\n\0", no_mark[] = "u\0s\0e\0r\0,\0i\0\n\0";
    refuses_bytes(GUESSED, utf16, sizeof utf16 - 1, "file: is UTF-16; write it as UTF-8");
    refuses_bytes(GUESSED, no_mark, sizeof no_mark - 1, "file: is UTF-16; write it as UTF-8");
    refuses(GUESSED, "user,item\r1,2\r3,4\r", "file: has lines that end in CR alone");
    refuses(GUESSED, "PK\x03\x04xx", "file: is a zip archive");
    char tar[512] = "ratings.csv"; /* the header of its first file */
    memcpy(tar + 257, "ustar", 6);
    refuses_bytes(GUESSED, tar, sizeof tar, "file: is a tar archive; unpack it first");
    refuses(GUESSED, "review/userId: A1\nreview/score: 5.0\n", "file:1: this is a text of blocks");
    refuses(
        GUESSED, "1\tU7\t11/11/2019 9:05:58 AM\tN5 N6\tN7-1 N8-0\n", "file:1: this is a log of impressions");
    refuses(SETTINGS("format", "netflix"), "3,4,2000-12-31\n", "file:1: expected the number of an item");
    refuses(SETTINGS("format", "netflix"), "1:\n3,4\n", "file:2: expected \"user,rating,date\"");
    refuses(GUESSED, "BZh91AY", "file: is compressed with bzip2");
    refuses(SETTINGS("format", "csv"), "{\"user\": 1, \"item\": 2}\n",
        "file:1: this is JSON, one object a line, and no table of fields; data.format = \"json\" reads it");
    refuses(SETTINGS("format", "csv"), "[{\"user\": 1}]\n", "file:1: this is one JSON array");
    refuses(SETTINGS("format", "csv"), "<!DOCTYPE html>\n", "file:1: this is a page of HTML");
    refuses(GUESSED, "", "file: is empty");
}
END_TEST

#define TIMED SETTINGS("format", "csv", "csv_header", "false", "csv_time", "3")

static void is_time(const char *written, double expected) {
    char line[128];
    snprintf(line, sizeof line, "1,2,%s\n", written);
    struct frs_rows rows = reads(TIMED, line);
    ck_assert_double_eq(rows.times[0], expected);
    frs_rows_fini(&rows);
}

START_TEST(times_of_all_kinds) {
    is_time("978301845", 978301845);
    is_time("978301845.5", 978301845.5);
    is_time("978301845123", 978301845.123);
    is_time("978301845123456", 978301845.123456);
    is_time("20", 20);
    is_time("1970-01-01", 0);
    is_time("2000-02-29", 951782400);
    is_time("2000-12-31T22:30:45Z", 978301845);
    is_time("2000-12-31 22:30:45", 978301845);
    is_time("2000-12-31T22:30:45.25Z", 978301845.25);
    is_time("2001-01-01T00:30:45+02:00", 978301845);
    is_time("2000-12-31 17:30:45 -0500", 978301845);
    is_time("2000/12/31 22:30", 978301800);
    is_time("Sun Dec 31 22:30:45 +0000 2000", 978301845);
    is_time("Sun Dec 31 22:30:45 2000", 978301845);
    static const char *const no_times[] = {"2001-02-29", "2000-13-01", "31.13.2000", "2000-12-31T25:00:00",
        "yesterday", "", "2000-12-31T", "nan"};
    for (size_t i = 0; i < sizeof no_times / sizeof *no_times; i++) {
        char line[64];
        snprintf(line, sizeof line, "1,2,%s\n", no_times[i]);
        refuses(TIMED, line, "is not a finite number and no date; expected a number of seconds");
    }
    refuses(TIMED, "1,2,5\n1,3,2000-12-31\n", "file:2: time \"2000-12-31\" is a date, and the lines before");
    struct frs_rows rows = reads(TIMED, "1,2,978301845000\n1,3,978301846000\n");
    ck_assert_str_eq(rows.notes, "; times in ms");
    frs_rows_fini(&rows);
}
END_TEST

#define WITH_HEADER SETTINGS("format", "csv")
#define NO_HEADER SETTINGS("format", "csv", "csv_header", "false")

START_TEST(lines_are_as_long_as_the_first_one) {
    refuses(WITH_HEADER, "user,title\n1,Up\n1,Heat, part 2\n",
        "file:3: found 3 fields; expected 2, separated by , (data.csv_separator), as in the header");
    refuses(NO_HEADER, "1,2,3\n1,2,3,4\n", "file:2: found 4 fields; expected 3");
    refuses(NO_HEADER, "1,2,3\n1,2\n", "file:2: found 2 fields; expected 3");
    struct frs_rows rows = reads(WITH_HEADER, "user,item\n1,2,,\n3,4,\n");
    ck_assert_uint_eq(rows.n, 2);
    frs_rows_fini(&rows);
}
END_TEST

START_TEST(a_head_that_is_data) {
    refuses(SETTINGS("format", "csv", "csv_value", "3", "csv_time", "4"),
        "A2EF,B001,5.0,978480000\nA3GH,B001,4.0,978480001\n",
        "file:1: the header has \"5.0\" for the rating, like a line of data");
    refuses(WITH_HEADER, "A2EF,B001\nA3GH,B002\nA2EF,B003\n",
        "file:1: the header has \"A2EF\", and so have lines of data as their user id");
    struct frs_rows rows = reads(GUESSED, "A2EF,B001,5.0,978480000\nA3GH,B001,4.0,978480001\n");
    ck_assert_uint_eq(rows.n, 2);
    frs_rows_fini(&rows);
}
END_TEST

START_TEST(ids_that_are_almost_alike_are_told) {
    struct frs_rows rows = reads(NO_HEADER, "7,a\n7.0,b\n8,A\n8,c d\n8,\"c  d\"\n007,e\n");
    ck_assert_str_eq(rows.notes, "; 2 user ids are written almost like another (\"7\" and \"7.0\"), kept "
                                 "apart; 2 item ids are written "
                                 "almost like another (\"a\" and \"A\"), kept apart");
    frs_rows_fini(&rows);
    rows = reads(NO_HEADER, "7,a\n8,b\n");
    ck_assert_ptr_null(rows.notes);
    frs_rows_fini(&rows);
}
END_TEST

/* 30 users with 12 of 40 items each, times of all rows different. */
static char *example(const uint32_t *order, const char *format, const char *head) {
    char *text = frs_alloc(1 << 16, 1);
    size_t n = (size_t)sprintf(text, "%s", head);
    for (int i = 0; i < 360; i++) {
        int row = (int)order[i], user = row / 12, item = (user * 7 + row % 12 * 3) % 40;
        n +=
            (size_t)sprintf(text + n, format, user + 1, item + 1, 1 + (user + item) % 5, 978300000 + row * 7);
    }
    return text;
}

static char *hash_of(char *text, const char *const *settings) {
    char *path = write_file(text, strlen(text)), *hash;
    const char *all[16];
    size_t n = 0;
    while (settings[n]) {
        all[n] = settings[n];
        n++;
    }
    all[n++] = "path";
    all[n++] = path;
    all[n] = NULL;
    struct frs_data *data = load(all, SETTINGS("negatives", "10"), 1);
    hash = frs_format("%s %u %u", data->hash, data->test.items[0], data->test.items[29]);
    frs_data_destroy(data);
    remove_file(path);
    free(text);
    return hash;
}

START_TEST(neither_order_nor_format_changes_the_data) {
    uint32_t order[360], shuffled[360];
    for (uint32_t i = 0; i < 360; i++) {
        order[i] = i;
        shuffled[i] = (i * 77 + 5) % 360;
    }
    char *expected = hash_of(example(order, "%d\t%d\t%d\t%d\n", ""), GUESSED);
    char *found[] = {
        hash_of(example(shuffled, "%d\t%d\t%d\t%d\n", ""), GUESSED),
        hash_of(example(shuffled, "%d::%d::%d::%d\n", ""), GUESSED),
        hash_of(example(shuffled, "%d,%d,%d,%d\n", "user,item,rating,ts\n"), GUESSED),
        hash_of(example(order, "%d\t%d\t%d\t%d000\n",
                    "user_id:token\titem_id:token\trating:float\ttimestamp:float\n"),
            GUESSED),
        hash_of(example(order, "{\"user_id\": %d, \"item_id\": \"%d\", \"stars\": %d, \"time\": %d}\n", ""),
            GUESSED),
        hash_of(example(shuffled, "%d %d  %d %d\n", ""),
            SETTINGS("format", "csv", "csv_separator", "blanks", "csv_header", "false", "csv_value", "3",
                "csv_time", "4")),
    };
    for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
        ck_assert_str_eq(found[i], expected);
        free(found[i]);
    }
    free(expected);
}
END_TEST

static bool is_noted(const struct frs_data *data, const char *text) {
    for (size_t i = 0; i < data->n_notes; i++)
        if (strstr(data->notes[i].text, text))
            return true;
    return false;
}

START_TEST(a_split_that_is_given) {
    char *training = write_file("1 10 11 12\n2 10 12 13\n3 11\n", 27),
         *test = write_file("1 13\n2 11 14\n4 10\n", 18);
    struct frs_data *data = load(SETTINGS("path", training, "test_path", test, "min_interactions", "1"),
        SETTINGS("candidates", "full"), 1);
    /* User 4 has nothing to be trained on and is left out; items 10 to 14 are 0 to 4. */
    ck_assert_uint_eq(data->population.n_clients, 3);
    ck_assert_uint_eq(data->population.n_items, 5);
    ck_assert_str_eq(data->order, "given split");
    ck_assert_uint_eq(data->clients[0].n, 3);
    ck_assert_uint_eq(data->clients[2].n, 1);
    static const size_t starts[] = {0, 1, 3, 3};
    static const uint32_t items[] = {3, 1, 4};
    ck_assert_mem_eq(data->test.start, starts, sizeof starts);
    ck_assert_mem_eq(data->test.items, items, sizeof items);
    ck_assert_msg(is_noted(data, "1 of 3 test interactions have an item without a training interaction"),
        "the item that only the test file has is not noted");
    char *hash = frs_strdup(data->hash);
    frs_data_destroy(data);
    /* The same interactions, one of them in the other part. */
    char *other_training = write_file("1 10 11 12\n2 10 12 13\n3 11\n2 11\n", 32),
         *other_test = write_file("1 13\n2 14\n4 10\n", 15);
    data = load(
        SETTINGS("path", other_training, "test_path", other_test, "min_interactions", "1", "format", "lists"),
        SETTINGS("candidates", "full"), 1);
    ck_assert_uint_eq(data->n_interactions, 10);
    ck_assert_str_ne(data->hash, hash);
    frs_data_destroy(data);
    free(hash);
    remove_file(other_training);
    remove_file(other_test);
    load_fails(SETTINGS("path", training, "test_path", test, "split", "ratio"), NO_SETTINGS,
        "data.split: data.test_path gives the split");
    load_fails(SETTINGS("path", training, "split", "given"), NO_SETTINGS,
        "data.split: given needs a file with the test interactions");
    load_fails(SETTINGS("path", training, "validation_path", test), NO_SETTINGS, "needs data.test_path");
    remove_file(training);
    remove_file(test);
}
END_TEST

/* Users 1 and 2 with items 10 to 14, of which the test file has 13 and 11. */
START_TEST(negatives_that_are_given) {
    char *training = write_file("1 10 11\n2 10 12\n3 14\n", 21), *test = write_file("1 13\n2 11\n3 10\n", 15);
    static const struct {
        const char *text, *message;
    } files[] = {
        {"(1,13)\t12\t14\n(2,11)\t14\t13\n(3,10)\t11\t12\n", NULL},
        {"3 11 12\n1 12 14\n2 14 13\n", NULL},
        {"(1,13)\t12\t14\n(2,11)\t14\t13\n", ": has no line for 1 of 3 clients"},
        {"(1,12)\t12\t14\n", ":1: \"(1,12)\" is not the test item of its user"},
        {"(1,13)\t12\t14\n(2,11)\t14\n", ":2: found 1 negatives; expected a user and 2 items"},
        {"(1,13)\t12\t11\n", ":1: \"11\" is an item with which the user interacted"},
        {"(1,13)\t12\t12\n", ":1: \"12\" stands twice"},
        {"(1,13)\t12\t99\n", ":1: \"99\" is no item of the data"},
        {"(7,13)\t12\t14\n", ":1: \"7\" is no user of the data"},
        {"1 12 14\n1 12 14\n", ":2: \"1\" is a user that a line before has"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char *negatives = write_file(files[i].text, strlen(files[i].text));
        const char *const *settings =
            SETTINGS("path", training, "test_path", test, "min_interactions", "1", "format", "lists");
        if (files[i].message) {
            load_fails(settings, SETTINGS("negatives_path", negatives), files[i].message);
        } else {
            struct frs_data *data = load(settings, SETTINGS("negatives_path", negatives), 1);
            static const uint32_t expected[] = {2, 4, 4, 3, 1, 2}; /* item 10 is 0 */
            ck_assert_uint_eq(data->n_negatives, 2);
            ck_assert_mem_eq(data->negatives, expected, sizeof expected);
            ck_assert_uint_eq(data->n_inputs, 3);
            frs_data_destroy(data);
        }
        remove_file(negatives);
    }
    load_fails(SETTINGS("synthetic", "small"), SETTINGS("negatives_path", training),
        "evaluation.negatives_path: needs data from a file");
    remove_file(training);
    remove_file(test);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("circulating_formats");
    TCase *tests = tcase_create("circulating_formats");
    tcase_add_test(tests, every_layout_says_the_same);
    tcase_add_test(tests, lists_are_told_from_ratings);
    tcase_add_test(tests, formats_are_asked_for_by_name);
    tcase_add_test(tests, a_matrix_of_ratings);
    tcase_add_test(tests, compression_changes_nothing);
    tcase_add_test(tests, other_bytes_are_named);
    tcase_add_test(tests, times_of_all_kinds);
    tcase_add_test(tests, lines_are_as_long_as_the_first_one);
    tcase_add_test(tests, a_head_that_is_data);
    tcase_add_test(tests, ids_that_are_almost_alike_are_told);
    tcase_add_test(tests, neither_order_nor_format_changes_the_data);
    tcase_add_test(tests, a_split_that_is_given);
    tcase_add_test(tests, negatives_that_are_given);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
