/* Loading as a whole: settings, files, public data sets. */
#include "tests/algorithms/data/fixture.h"

/* Three users with four ratings each; user 30 is the only one with an item 900. */
static const char ratings[] = "10,1,4\n10,2,0\n10,3,2\n10,4,5\n20,1,1\n20,2,5\n20,3,3\n20,4,2\n"
                              "30,4,1\n30,3,2\n30,900,3\n30,1,4\n";
#define FILMTRUST(path, ...)                                                                                 \
    SETTINGS("format", "filmtrust", "path", path, "min_interactions", "3", __VA_ARGS__)

START_TEST(a_small_file) {
    char *path = write_file(ratings, sizeof ratings - 1);
    struct frs_data *data = load(FILMTRUST(path, "order", "file"), SETTINGS("negatives", "1"), 1);
    ck_assert_uint_eq(data->population.n_clients, 3);
    ck_assert_uint_eq(data->population.n_items, 5);
    ck_assert_uint_eq(data->n_interactions, 11); /* a rating of 0 is no interaction */
    ck_assert(!data->has_time);
    ck_assert_str_eq(data->order, "file");
    ck_assert_uint_eq(data->test.items[2], 0);       /* user 30: item 1 */
    ck_assert_uint_eq(data->validation.items[2], 4); /* and item 900 */
    ck_assert_ptr_nonnull(strstr(data->description, "filmtrust: 3 users, 5 items, 11 interactions"));
    ck_assert_ptr_nonnull(strstr(data->description, "1 rows without positive value ignored"));
    frs_data_destroy(data);
    remove_file(path);
}
END_TEST

static struct frs_data *load_times(const char *rows) {
    char *path = write_file(rows, strlen(rows));
    struct frs_data *data = load(SETTINGS("format", "csv", "path", path, "csv_user", "user", "csv_item",
                                     "item", "csv_time", "ts", "min_interactions", "3"),
        SETTINGS("candidates", "full"), 1);
    remove_file(path);
    return data;
}

/* The rows of each user in the same disorder. Of the days alone, user 1's last two tie, user 2's the two
 * before the last, and user 3's none. */
START_TEST(dates_order_interactions_as_seconds_do) {
    struct frs_data *seconds = load_times("user,item,ts\n1,7,978301846\n1,8,978307199\n1,9,978220800\n1,6,5\n"
                                          "2,7,978307200\n2,6,978301846\n2,9,978301845\n2,8,5\n"
                                          "3,9,978307200\n3,8,978220799\n3,6,978220800\n3,7,5\n"),
                    *dates = load_times(
                        "user,item,ts\n1,7,2000-12-31T22:30:46Z\n1,8,2000-12-31T23:59:59Z\n"
                        "1,9,2000-12-31T00:00:00Z\n1,6,1970-01-01T00:00:05Z\n2,7,2001-01-01T00:00:00Z\n"
                        "2,6,2000-12-31T23:30:46+01:00\n2,9,2000-12-31T22:30:45Z\n2,8,1970-01-01T00:00:05Z\n"
                        "3,9,2001-01-01T00:00:00Z\n3,8,2000-12-30T23:59:59Z\n3,6,2000-12-31T00:00:00Z\n"
                        "3,7,1970-01-01T00:00:05Z\n"),
                    *days = load_times("user,item,ts\n1,7,2000-12-31\n1,8,2000-12-31\n1,9,2000-12-30\n"
                                       "1,6,1970-01-01\n2,7,2001-01-01\n2,6,2000-12-31\n2,9,2000-12-31\n"
                                       "2,8,1970-01-01\n3,9,2001-01-01\n3,8,2000-12-30\n3,6,2000-12-31\n"
                                       "3,7,1970-01-01\n");
    const uint32_t newest[] = {8, 7, 9}; /* items are numbered by their names: 6, 7, 8, 9 */
    for (uint32_t user = 0; user < 3; user++) {
        ck_assert_uint_eq(seconds->test.items[user] + 6, newest[user]);
        ck_assert_uint_eq(dates->test.items[user], seconds->test.items[user]);
        ck_assert_uint_eq(dates->validation.items[user], seconds->validation.items[user]);
    }
    ck_assert_uint_eq(dates->n_ties_test, 0);
    ck_assert_uint_eq(dates->n_ties_validation, 0);
    ck_assert_uint_eq(days->n_ties_test, 1);
    ck_assert_uint_eq(days->n_ties_validation, 2);
    ck_assert_ptr_nonnull(
        strstr(days->description, "order: time; 1 users' newest tie, the later row counts"));
    frs_data_destroy(seconds);
    frs_data_destroy(dates);
    frs_data_destroy(days);
}
END_TEST

START_TEST(explicit_ratings_are_loaded) {
    char *path = write_file(ratings, sizeof ratings - 1);
    struct frs_data *data =
        load(FILMTRUST(path, "feedback", "explicit", "split", "ratio", "test_ratio", "0.25"), NO_SETTINGS, 1);
    ck_assert_uint_eq(data->n_interactions, 12);
    ck_assert(data->explicit_feedback);
    ck_assert_str_eq(data->order, "random split");
    ck_assert_uint_eq(data->n_negatives, 0);
    ck_assert_uint_eq(data->test.start[3], 3);
    ck_assert_uint_eq(data->validation.start[3], 0);
    ck_assert_uint_eq(data->clients[0].n, 3);
    frs_data_destroy(data);
    remove_file(path);
}
END_TEST

START_TEST(files_that_cannot_be_read) {
    load_fails(SETTINGS("format", "lastfm"), NO_SETTINGS, "data.path: is missing");
    load_fails(SETTINGS("format", "lastfm", "path", "/nowhere/at/all"), NO_SETTINGS,
        "/nowhere/at/all: cannot be read: No such file");
    load_fails(SETTINGS("format", "lastfm", "path", "/"), NO_SETTINGS, "/: cannot be read: is a folder");
    char *path = write_file("", 0);
    load_fails(SETTINGS("format", "lastfm", "path", path), NO_SETTINGS, ": is empty");
    remove_file(path);
}
END_TEST

START_TEST(the_data_folder_is_expanded) {
    char *path = write_file(ratings, sizeof ratings - 1);
    char *slash = strrchr(path, '/'),
         *old = getenv("FEDRECSIM_DATA") ? frs_strdup(getenv("FEDRECSIM_DATA")) : NULL;
    char *setting = frs_format("$FEDRECSIM_DATA%s", slash), *folder = frs_strdup(path);
    folder[slash - path] = '\0';
    setenv("FEDRECSIM_DATA", folder, 1);
    frs_data_destroy(load(FILMTRUST(setting, "order", "item_id"), SETTINGS("negatives", "1"), 1));
    unsetenv("FEDRECSIM_DATA");
    load_fails(FILMTRUST(setting, "order", "item_id"), NO_SETTINGS, "FEDRECSIM_DATA, which is not set");
    if (old)
        setenv("FEDRECSIM_DATA", old, 1);
    free(old);
    free(setting);
    free(folder);
    remove_file(path);
}
END_TEST

START_TEST(settings_that_do_not_fit) {
    char *path = write_file(ratings, sizeof ratings - 1);
    load_fails(FILMTRUST(path, "order", "time"), NO_SETTINGS, "data.order: this data has no time");
    load_fails(
        SETTINGS("format", "filmtrust", "path", path), NO_SETTINGS, "no user has 10 or more interactions");
    load_fails(SETTINGS("format", "filmtrust", "path", path, "min_interactions", "2"), NO_SETTINGS,
        "data.min_interactions: 2 is too few for leave-one-out, which needs 3");
    load_fails(FILMTRUST(path, "order", "file"), NO_SETTINGS,
        "clients have too few items without interaction to draw 99 from (client ");
    load_fails(SETTINGS("format", "lastfm", "path", path, "feedback", "explicit"), NO_SETTINGS,
        "data.feedback: lastfm");
    load_fails(SETTINGS("format", "csv", "path", path, "feedback", "explicit"), NO_SETTINGS,
        "data.feedback: explicit needs ratings");
    remove_file(path);
}
END_TEST

/* What is read decides what "has no effect here". */
static void check_read(const char *const *settings, const char *key, bool expected) {
    struct frs_values data = frs_values_of(frs_data_params, settings);
    struct frs_values evaluation = frs_values_of(frs_evaluation_params, NULL);
    struct frs_errors errors = {0};
    struct frs_data *out;
    ck_assert_int_eq(frs_data_load(&data, &evaluation, 1, &out, &errors), FRS_OK);
    const struct frs_value *value = frs_values_find(&data, key);
    if (!value)
        value = frs_values_find(&evaluation, key);
    ck_assert_msg(value->read == expected, "%s is %sread", key, value->read ? "" : "not ");
    frs_data_destroy(out);
    frs_values_fini(&data);
    frs_values_fini(&evaluation);
}

START_TEST(keys_are_read_when_they_matter) {
    check_read(SETTINGS("synthetic", "small"), "users", false);
    check_read(SETTINGS("synthetic", "small"), "path", false);
    check_read(SETTINGS("synthetic", "small"), "csv_user", false);
    check_read(SETTINGS("synthetic", "small"), "test_ratio", false);
    check_read(SETTINGS("synthetic", "small"), "order", true);
    check_read(SETTINGS("synthetic", "small"), "negatives", true);
    check_read(SETTINGS("synthetic", "small", "split", "ratio"), "order", false);
    check_read(SETTINGS("synthetic", "small", "split", "ratio"), "validation", false);
    check_read(SETTINGS("synthetic", "small", "split", "ratio"), "test_ratio", true);
    check_read(SETTINGS("synthetic", "small", "feedback", "explicit"), "negatives", false);
    check_read(SETTINGS("synthetic", "small", "feedback", "explicit"), "protocol", false);
    check_read(SETTINGS("synthetic", "custom"), "taste_focus", true);
}
END_TEST

/* A scenario that names a file beside generated data. */
START_TEST(a_path_beside_generated_data_has_no_effect) {
    struct frs_values data = frs_values_of(
        frs_data_params, SETTINGS("format", "synthetic", "synthetic", "small", "path", "ratings.csv"));
    struct frs_values evaluation = frs_values_of(frs_evaluation_params, NULL);
    struct frs_errors errors = {0};
    struct frs_data *out;
    ck_assert_int_eq(frs_data_load(&data, &evaluation, 1, &out, &errors), FRS_OK);
    ck_assert_str_eq(frs_values_find(&data, "path")->idle,
        "has no effect here: it is read where data.format is "
        "auto, or a format of files");
    ck_assert(!frs_values_find(&data, "path")->read);
    frs_data_destroy(out);
    frs_values_fini(&data);
    frs_values_fini(&evaluation);
}
END_TEST

static void check_size(const char *name, const char *file, const char *format, uint32_t users, uint32_t items,
    size_t interactions, const char *described) {
    char *path = frs_test_data_file(name, file);
    if (!path)
        return;
    struct frs_data *data = load(SETTINGS("format", format, "path", path), NO_SETTINGS, 1);
    ck_assert_uint_eq(data->population.n_clients, users);
    ck_assert_uint_eq(data->population.n_items, items);
    ck_assert_uint_eq(data->n_interactions, interactions);
    ck_assert_msg(strstr(data->description, described), "\"%s\" is not in: %s", described, data->description);
    frs_data_destroy(data);
    free(path);
}

START_TEST(public_data_sets) {
    check_size("load_movielens_100k", "ml-100k/u.data", "movielens-100k", 943, 1682, 100000,
        "order: time; 415 users' newest tie");
    check_size("load_movielens_1m", "ml-1m/ratings.dat", "movielens-1m", 6040, 3706, 1000209, "order: time");
    /* 33,372 rows, of which 3 repeat a pair */
    check_size("load_filmtrust", "filmtrust/ratings.txt", "filmtrust", 1002, 2042, 33369, "3 repeated pairs");
    check_size("load_lastfm", "lastfm-2k/user_artists.dat", "lastfm", 1874, 17612, 92780, "order: random");
}
END_TEST

/* Both directions of file order and a draw, as the description and the counts say. */
START_TEST(movielens_100k_says_how_ties_went) {
    char *path = frs_test_data_file("movielens_100k_ties", "ml-100k/u.data");
    if (!path)
        return;
    static const struct {
        const char *ties, *described;
    } known[] = {{"later", "415 users' newest tie, the later row counts"},
        {"earlier", "415 users' newest tie, the earlier row counts"},
        {"random", "415 users' newest tie, one of them is drawn"}};
    for (int i = 0; i < 3; i++) {
        struct frs_data *data =
            load(SETTINGS("format", "movielens-100k", "path", path, "ties", known[i].ties), NO_SETTINGS, 1);
        ck_assert_ptr_nonnull(strstr(data->description, known[i].described));
        ck_assert_str_eq(data->ties, known[i].ties);
        ck_assert_uint_eq(data->n_ties_test, 415);
        ck_assert_uint_ge(data->n_ties_validation, 415);
        frs_data_destroy(data);
    }
    free(path);
}
END_TEST

/* The choice of the newest item decides the figures of data without time: HR@10 of popularity on FilmTrust
 * is .671 by item id and .911 by file order. */
START_TEST(filmtrust_shows_that_order_matters) {
    char *path = frs_test_data_file("filmtrust_orders", "filmtrust/ratings.txt");
    if (!path)
        return;
    static const struct {
        const char *order;
        double hit;
    } known[] = {{"item_id", .671}, {"file", .911}};
    for (int i = 0; i < 2; i++) {
        struct frs_data *data =
            load(SETTINGS("format", "filmtrust", "path", path, "order", known[i].order), NO_SETTINGS, 1);
        ck_assert_double_eq_tol(quality_of("popularity", data, false).hit, known[i].hit, 0.02);
        frs_data_destroy(data);
    }
    free(path);
}
END_TEST

START_TEST(lastfm_has_its_known_popularity) {
    char *path = frs_test_data_file("lastfm_popularity", "lastfm-2k/user_artists.dat");
    if (!path)
        return;
    struct frs_data *data = load(SETTINGS("format", "lastfm", "path", path), NO_SETTINGS, 1);
    struct quality quality = quality_of("popularity", data, false);
    ck_assert_double_eq_tol(quality.hit, 0.657, 0.03);
    ck_assert_double_eq_tol(quality.ndcg, 0.455, 0.03);
    frs_data_destroy(data);
    free(path);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("data");
    TCase *tests = tcase_create("data");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_small_file);
    tcase_add_test(tests, dates_order_interactions_as_seconds_do);
    tcase_add_test(tests, explicit_ratings_are_loaded);
    tcase_add_test(tests, files_that_cannot_be_read);
    tcase_add_test(tests, the_data_folder_is_expanded);
    tcase_add_test(tests, settings_that_do_not_fit);
    tcase_add_test(tests, keys_are_read_when_they_matter);
    tcase_add_test(tests, a_path_beside_generated_data_has_no_effect);
    tcase_add_test(tests, public_data_sets);
    tcase_add_test(tests, movielens_100k_says_how_ties_went);
    tcase_add_test(tests, filmtrust_shows_that_order_matters);
    tcase_add_test(tests, lastfm_has_its_known_popularity);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
