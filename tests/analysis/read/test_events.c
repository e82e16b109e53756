/* Events of a run written by hand, line by line, and lines that are none. */
#include "analysis/read/events.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "tests/folder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct frs_records rounds;
static struct frs_events events;
static struct frs_event event;
static bool more;

/* Round 2 has two attempts, and the first of them selected no client. */
static void open_events(const char *lines) {
    const char *reason;
    ck_assert(mkdir("r", 0777) == 0 || access("r", F_OK) == 0);
    write_file("r/rounds.csv", "round,attempt\n1,0\n2,0\n2,1\n");
    write_file("r/events.ndjson", lines);
    enum frs_status status = frs_records_read("r/rounds.csv", &rounds, &errors);
    if (status == FRS_OK)
        status = frs_events_open(&events, "r", &rounds, &reason, &errors);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
    ck_assert_ptr_null(reason);
}

static void close_events(void) {
    frs_events_close(&events);
    frs_records_fini(&rounds);
}

static void next(void) {
    enum frs_status status = frs_events_next(&events, &event, &more, &errors);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
}

START_TEST(members_of_a_line_are_read) {
    open_events(
        "{\"client\":7,\"round\":1,\"attempt\":0,\"phase\":\"down\",\"t0_s\":0.5,\"t1_s\":1.25,"
        "\"bytes\":100,\"flop\":0,\"latency_s\":0.1,\"broke\":true,\"budget\":4}\n"
        "{\"client\":7,\"round\":1,\"attempt\":0,\"phase\":\"up\",\"t0_s\":2,\"t1_s\":3e1,\"bytes\":60,"
        "\"flop\":12.5,\"outcome\":\"dropped_up\",\"cause\":\"device\",\"staleness\":3}\n"
        "{\"client\":9,\"round\":2,\"attempt\":1,\"phase\":\"contact\",\"t0_s\":30,\"t1_s\":30,"
        "\"bytes\":0,\"flop\":0,\"outcome\":\"unavailable\"}\n");
    next();
    ck_assert(more && event.client == 7 && event.round == 1 && event.attempt == 0 && event.row == 0);
    ck_assert_str_eq(event.phase, "down");
    ck_assert(event.from_s == 0.5 && event.to_s == 1.25 && event.bytes == 100 && event.flop == 0);
    ck_assert(event.broke && event.budget == 4 && isnan(event.staleness) && !*event.outcome);
    ck_assert_double_eq(event.latency_s, 0.1);
    next();
    ck_assert(event.to_s == 30 && event.flop == 12.5 && !event.broke && isnan(event.budget));
    ck_assert(isnan(event.latency_s));
    ck_assert_str_eq(event.outcome, "dropped_up");
    ck_assert_str_eq(event.cause, "device");
    ck_assert_double_eq(event.staleness, 3);
    next();
    ck_assert(more && event.row == 2 && !*event.cause);
    next();
    ck_assert(!more);
    close_events();
}
END_TEST

#define HEAD "{\"client\":7,\"round\":1,\"attempt\":0"
#define LINE HEAD ",\"phase\":\"down\",\"t0_s\":0,\"t1_s\":1,\"bytes\":0,\"flop\":0"

static const struct {
    const char *lines, *why;
} wrong[] = {{"nothing\n", "is no event of this program"}, {LINE "}", "ends in the middle of a line"},
    {HEAD "}\n", "is no event of this program"},
    {"{\"client\":1.5,\"round\":1,\"attempt\":0\n", "is no event of this program"},
    {"{\"client\":7,\"round\":4,\"attempt\":0}\n",
        "is of a round that rounds.csv does not have, or has before"},
    {"{\"client\":7,\"round\":2,\"attempt\":2}\n",
        "is of a round that rounds.csv does not have, or has before"},
    {HEAD ",\"phase\":\"a\\\"b\",\"t0_s\":0,\"t1_s\":1,\"bytes\":0,\"flop\":0}\n",
        "is no event of this program"},
    {HEAD ",\"phase\":\"averyveryverylongnameofaphase\",\"t0_s\":0,\"t1_s\":1,\"bytes\":0,\"flop\":0}\n",
        "is no event of this program"},
    {HEAD ",\"phase\":\"up\",\"t0_s\":2,\"t1_s\":1,\"bytes\":0,\"flop\":0}\n", "is no event of this program"},
    {HEAD ",\"phase\":\"up\",\"t0_s\":0,\"t1_s\":1e999,\"bytes\":0,\"flop\":0}\n",
        "is no event of this program"},
    {LINE ",\"outcome\":\"<b>\"}\n", "is no event of this program"},
    {LINE ",\"budget\":\"much\"}\n", "is no event of this program"}};

START_TEST(wrong_lines_are_refused) {
    open_events(wrong[_i].lines);
    ck_assert_int_eq(frs_events_next(&events, &event, &more, &errors), FRS_ERR_INPUT);
    char *expected = frs_format("r/events.ndjson:1: %s", wrong[_i].why);
    expect_error(expected);
    free(expected);
    close_events();
}
END_TEST

/* What comes after a round is not of one before. */
START_TEST(rounds_come_in_order) {
    open_events(
        "{\"client\":7,\"round\":2,\"attempt\":0,\"phase\":\"down\",\"t0_s\":0,\"t1_s\":1,\"bytes\":0,"
        "\"flop\":0}\n" LINE "}\n");
    next();
    ck_assert_uint_eq(event.row, 1);
    ck_assert_int_eq(frs_events_next(&events, &event, &more, &errors), FRS_ERR_INPUT);
    expect_error("r/events.ndjson:2: is of a round that rounds.csv does not have, or has before");
    close_events();
}
END_TEST

/* A file without ends of lines would be taken into memory as a whole. */
START_TEST(test_line_without_end) {
    char *line = frs_alloc(FRS_INPUT_LINE_BYTES + 2, 1);
    memset(line, ' ', FRS_INPUT_LINE_BYTES + 1);
    open_events(line);
    ck_assert_int_eq(frs_events_next(&events, &event, &more, &errors), FRS_ERR_INPUT);
    expect_error("r/events.ndjson:1: is longer than 64 MiB");
    ck_assert_uint_le(events.size, 2 * FRS_INPUT_LINE_BYTES);
    close_events();
    free(line);
}
END_TEST

START_TEST(a_missing_file_is_told) {
    const char *reason;
    open_events("");
    close_events();
    unlink("r/events.ndjson");
    ck_assert_int_eq(frs_records_read("r/rounds.csv", &rounds, &errors), FRS_OK);
    ck_assert_int_eq(frs_events_open(&events, "r", &rounds, &reason, &errors), FRS_OK);
    ck_assert_ptr_nonnull(reason);
    close_events();
}
END_TEST

int main(void) {
    Suite *suite = suite_create("events");
    TCase *tests = tcase_create("events");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, members_of_a_line_are_read);
    tcase_add_loop_test(tests, wrong_lines_are_refused, 0, (int)(sizeof wrong / sizeof *wrong));
    tcase_add_test(tests, rounds_come_in_order);
    tcase_add_test(tests, test_line_without_end);
    tcase_add_test(tests, a_missing_file_is_told);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
