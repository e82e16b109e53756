/* A trace of a run written by hand: slices, flows and counters; which rounds; what does not fit or is
 * damaged. */
#include "analysis/timeline/timeline.h"
#include "analysis/read/files.h"
#include "tests/folder.h"

#include <jansson.h>
#include <sys/stat.h>

static const char rounds_csv[] = "round,attempt,start_s,end_s,selected,delivered,hr@10\n"
                                 "1,0,0,4,2,1,\n"
                                 "2,0,4,6,1,1,0.5\n"
                                 "3,0,6,7,0,0,0.5\n";

/* Client 7 downloads, computes and uploads in round 1; client 9 is lost while it downloads. In round 2 client
 * 7 again. */
static const char events[] =
    "{\"client\":7,\"round\":1,\"attempt\":0,\"phase\":\"down\",\"t0_s\":0,\"t1_s\":1,\"bytes\":100,\"flop\":"
    "0}\n"
    "{\"client\":7,\"round\":1,\"attempt\":0,\"phase\":\"compute\",\"t0_s\":1,\"t1_s\":3,\"bytes\":0,"
    "\"flop\":50}\n"
    "{\"client\":7,\"round\":1,\"attempt\":0,\"phase\":\"up\",\"t0_s\":3,\"t1_s\":4,\"bytes\":60,\"flop\":0,"
    "\"outcome\":\"delivered\"}\n"
    "{\"client\":9,\"round\":1,\"attempt\":0,\"phase\":\"down\",\"t0_s\":0,\"t1_s\":2,\"bytes\":40,\"flop\":"
    "0,"
    "\"outcome\":\"dropped_down\",\"cause\":\"device\"}\n"
    "{\"client\":7,\"round\":2,\"attempt\":0,\"phase\":\"down\",\"t0_s\":4,\"t1_s\":5,\"bytes\":100,\"flop\":"
    "0,"
    "\"outcome\":\"delivered\"}\n";

static void write_run(const char *lines) {
    ck_assert(mkdir("r", 0777) == 0 || access("r", F_OK) == 0);
    write_file("r/manifest.json", "{\"program\": \"fedrecsim\", \"scenario_hash\": \"abc\"}\n");
    write_file("r/rounds.csv", rounds_csv);
    write_file("r/events.ndjson", lines);
}

static struct frs_timeline_held held;

static json_t *trace(unsigned long first, unsigned long last) {
    const struct frs_timeline what = {first, last, FRS_TIMELINE_MOST_BYTES};
    enum frs_status status = frs_timeline_write("r", &what, &held, &errors);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
    json_t *root = json_load_file("r/timeline.json", 0, NULL);
    ck_assert_ptr_nonnull(root);
    return root;
}

/* How many events have this phase letter and, unless NULL, this name. */
static size_t count(const json_t *root, const char *letter, const char *name) {
    size_t n = 0, i;
    json_t *event;
    json_array_foreach(json_object_get(root, "traceEvents"), i, event) n +=
        strcmp(json_string_value(json_object_get(event, "ph")), letter) == 0 &&
        (!name || strcmp(json_string_value(json_object_get(event, "name")), name) == 0);
    return n;
}

static const json_t *first(const json_t *root, const char *letter, const char *name) {
    size_t i;
    json_t *event;
    json_array_foreach(json_object_get(root, "traceEvents"), i,
        event) if (strcmp(json_string_value(json_object_get(event, "ph")), letter) == 0 &&
                   strcmp(json_string_value(json_object_get(event, "name")), name) == 0) return event;
    ck_abort_msg("no %s %s", letter, name);
    return NULL;
}

static double number(const json_t *event, const char *key) {
    const json_t *value = json_object_get(event, key);
    ck_assert(json_is_number(value));
    return json_number_value(value);
}

START_TEST(trace_has_all_rounds) {
    write_run(events);
    json_t *root = trace(0, 0);
    ck_assert_uint_eq(count(root, "X", NULL), 3 + 5);
    ck_assert_uint_eq(count(root, "X", "round 3"), 1);
    ck_assert_uint_eq(count(root, "M", "thread_name"), 3); /* the rounds and two clients */
    ck_assert_uint_eq(count(root, "s", "download"), 3);
    ck_assert_uint_eq(count(root, "f", "download"), 3);
    ck_assert_uint_eq(count(root, "s", "upload"), 1);
    const json_t *round = first(root, "X", "round 2"), *up = first(root, "X", "up");
    ck_assert_double_eq(number(round, "ts"), 4e6);
    ck_assert_double_eq(number(round, "dur"), 2e6);
    ck_assert_double_eq(number(json_object_get(round, "args"), "hr@10"), 0.5);
    ck_assert_double_eq(number(up, "ts"), 3e6);
    ck_assert_double_eq(number(json_object_get(up, "args"), "bytes"), 60);
    ck_assert_str_eq(json_string_value(json_object_get(json_object_get(up, "args"), "outcome")), "delivered");
    /* At 0 s two download; then at 1, 2, 3, 4 and 5 s something changes. */
    ck_assert_uint_eq(count(root, "C", "participations"), 6);
    ck_assert_double_eq(
        number(json_object_get(first(root, "C", "participations"), "args"), "downloading"), 2);
    ck_assert(held.first == 1 && held.last == 3 && held.rounds == 3 && !held.cut);
    ck_assert_double_eq(number(json_object_get(root, "metadata"), "last_round"), 3);
    json_decref(root);
}
END_TEST

START_TEST(trace_has_the_rounds_wanted) {
    write_run(events);
    json_t *root = trace(2, 2);
    ck_assert_uint_eq(count(root, "X", NULL), 2);
    ck_assert(held.first == 2 && held.last == 2 && held.rounds == 3 && !held.cut);
    json_decref(root);
    const struct frs_timeline beyond = {3, 4, FRS_TIMELINE_MOST_BYTES};
    ck_assert_int_eq(frs_timeline_write("r", &beyond, &held, &errors), FRS_ERR_INPUT);
    expect_error("--rounds 3-4: r has 3 rounds; allowed: those");
}
END_TEST

/* Round 1 alone fits into 10 kB less the frame and its counters; one byte does not hold any. */
START_TEST(trace_keeps_within_its_size) {
    write_run(events);
    size_t most = 0;
    for (size_t bytes = 4000; most == 0 && bytes < 12000; bytes += 100) {
        const struct frs_timeline what = {0, 0, bytes};
        if (frs_timeline_write("r", &what, &held, &errors) == FRS_OK)
            most = bytes;
        frs_errors_clear(&errors);
    }
    ck_assert(held.cut && held.first == 1 && held.last == 1);
    ck_assert_uint_le(held.bytes, most);
    const struct frs_timeline none = {0, 0, 1};
    ck_assert_int_eq(frs_timeline_write("r", &none, &held, &errors), FRS_ERR_INPUT);
    expect_error("r/timeline.json: not a single round fits into 0 MB");
}
END_TEST

/* Two participations of one client that overlap get a track each. */
START_TEST(overlapping_participations_have_tracks) {
    write_run("{\"client\":7,\"round\":1,\"attempt\":0,\"phase\":\"post\",\"t0_s\":0,\"t1_s\":5,\"bytes\":0,"
              "\"flop\":0}\n"
              "{\"client\":7,\"round\":2,\"attempt\":0,\"phase\":\"down\",\"t0_s\":4,\"t1_s\":6,\"bytes\":9,"
              "\"flop\":0}\n");
    json_t *root = trace(0, 0);
    ck_assert_uint_eq(count(root, "M", "thread_name"), 3);
    ck_assert_double_ne(number(first(root, "X", "post"), "tid"), number(first(root, "X", "down"), "tid"));
    json_decref(root);
}
END_TEST

static void expect_refused(const char *lines, const char *error) {
    const struct frs_timeline what = {0, 0, FRS_TIMELINE_MOST_BYTES};
    write_run(lines);
    unlink("r/timeline.json");
    ck_assert_int_eq(frs_timeline_write("r", &what, &held, &errors), FRS_ERR_INPUT);
    expect_error(error);
    ck_assert(access("r/timeline.json", F_OK) != 0);
}

START_TEST(damaged_events_are_refused) {
    expect_refused("{\"client\":7,\"round\":1,", "r/events.ndjson:1: ends in the middle of a line");
    expect_refused("nothing\n", "r/events.ndjson:1: is no event of this program");
    expect_refused("{\"client\":7,\"round\":8,\"attempt\":0}\n",
        "r/events.ndjson:1: is of a round that rounds.csv does not have, or has before");
    expect_refused("{\"client\":-7,\"round\":1,\"attempt\":0,\"phase\":\"up\",\"t0_s\":0,\"t1_s\":1}\n",
        "r/events.ndjson:1: is no event of this program");
    unlink("r/events.ndjson");
    const struct frs_timeline what = {0, 0, FRS_TIMELINE_MOST_BYTES};
    ck_assert_int_eq(frs_timeline_write("r", &what, &held, &errors), FRS_ERR_INPUT);
    ck_assert_ptr_nonnull(strstr(errors.lines[0], "; a run writes it with output.events = true"));
    frs_errors_clear(&errors);
    write_run(events);
    write_file("r/timeline.json", "mine\n");
    ck_assert_int_eq(frs_timeline_write("r", &what, &held, &errors), FRS_ERR_INPUT);
    expect_error("r/timeline.json is in the way: it is no timeline of this program");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("timeline");
    TCase *tests = tcase_create("timeline");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, trace_has_all_rounds);
    tcase_add_test(tests, trace_has_the_rounds_wanted);
    tcase_add_test(tests, trace_keeps_within_its_size);
    tcase_add_test(tests, overlapping_participations_have_tracks);
    tcase_add_test(tests, damaged_events_are_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
