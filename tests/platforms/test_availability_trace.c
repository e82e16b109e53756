/* Sessions from a file: by hand, by brute force, and what is refused with which words. */
#include "platforms/availability/sessions.h"
#include "tests/platforms/availability_fixture.h"

#include <sys/mman.h>

static struct frs_reachability trace(const char *text, const char *clients, const char *period) {
    char *path = write_file(text);
    struct frs_reachability r = reachability_of(
        "trace", SETTINGS("file", path, "clients", clients, "period", period), NULL, NULL, 100, 1);
    unlink(path);
    free(path);
    return r;
}

static void expect(
    const struct frs_reachability *r, uint32_t client, double t_s, bool online, double until_s) {
    double said_s;
    ck_assert_msg(frs_reachable(r, client, 0, 0, t_s, &said_s) == online, "client %u at %g", client, t_s);
    ck_assert_msg(said_s == until_s, "client %u at %g: until %g, not %g", client, t_s, said_s, until_s);
}

/* Client 3 in disorder, with overlapping and touching sessions: [10, 30), [40, 60), [100, 101). */
START_TEST(disordered_sessions_by_hand) {
    struct frs_reachability r =
        trace("\xef\xbb\xbf# made up\nclient,start_s,end_s\n3,100,101\r\n\n3,20,30\n 3 , 10,25\n"
              "3,50,60\n3,40,50\n3,42,43\n7,0,5.5",
            "exact", "0 s");
    expect(&r, 3, 0, false, 10);
    expect(&r, 3, nextafter(10, 0), false, 10);
    expect(&r, 3, 10, true, 30);
    expect(&r, 3, 24, true, 30);
    expect(&r, 3, 30, false, 40);
    expect(&r, 3, 45, true, 60);
    expect(&r, 3, 60, false, 100);
    expect(&r, 3, 100.5, true, 101);
    expect(&r, 3, 101, false, INFINITY);
    expect(&r, 7, 0, true, 5.5);
    expect(&r, 7, 6, false, INFINITY);
    static const uint32_t unknown[] = {0, 2, 4, 6, 8, UINT32_MAX - 1};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        expect(&r, unknown[i], 4, false, INFINITY);
    ck_assert_double_eq(frs_reachable_next_s(&r, 3, 0, 0, 61), 100);
    ck_assert_double_eq(frs_reachable_next_s(&r, 3, 0, 0, 41), 41);
    ck_assert(isinf(frs_reachable_next_s(&r, 3, 0, 0, 101)));
    ck_assert_double_eq(frs_reachable_next_any_s(&r, 0, 0, 6), 10);
    ck_assert_double_eq(frs_reachable_next_any_s(&r, 0, 0, 5), 5);
    ck_assert(isinf(frs_reachable_next_any_s(&r, 0, 0, 200)));
    frs_reachability_fini(&r);
}
END_TEST

START_TEST(clients_round_and_round) {
    struct frs_reachability r = trace("9,0,10\n4,20,30\n1000000,40,50\n", "cycle", "0 s");
    for (uint32_t client = 0; client < 9; client += 3) {
        expect(&r, client, 25, true, 30);      /* 4 */
        expect(&r, client + 1, 5, true, 10);   /* 9 */
        expect(&r, client + 2, 30, false, 40); /* 1000000 */
    }
    frs_reachability_fini(&r);
}
END_TEST

/* As a spreadsheet writes them. */
START_TEST(semicolons_and_decimal_commas_are_read) {
    struct frs_reachability r = trace("client;start_s;end_s\n0;0,5;10,25\n1;2;3,5\n", "exact", "0 s");
    expect(&r, 0, 0.25, false, 0.5);
    expect(&r, 0, 1, true, 10.25);
    expect(&r, 1, 3, true, 3.5);
    frs_reachability_fini(&r);
    r = trace("0;0,5;10,25\n", "exact", "0 s");
    expect(&r, 0, 1, true, 10.25);
    frs_reachability_fini(&r);
}
END_TEST

/* Period 100: [90, 100) goes on as [0, 5) of the next; client 1 is there for the whole period. */
START_TEST(times_of_the_day) {
    struct frs_reachability r = trace("client,start,end\n3,08:00,10:30\n3,22:00,24:00\n", "exact", "86400 s");
    expect(&r, 3, 0, false, 28800);
    expect(&r, 3, 28800, true, 37800);
    expect(&r, 3, 37800, false, 79200);
    frs_reachability_fini(&r);
}
END_TEST

START_TEST(a_period_repeats_its_sessions) {
    struct frs_reachability r =
        trace("0,0,5\n0,50,60\n0,90,100\n1,0,40\n1,40,100\n2,99,100\n", "exact", "100 s");
    expect(&r, 0, 0, true, 5);
    expect(&r, 0, 5, false, 50);
    expect(&r, 0, 60, false, 90);
    expect(&r, 0, 95, true, 105);
    expect(&r, 0, 100, true, 105);
    expect(&r, 0, 105, false, 150);
    expect(&r, 0, 1e6 + 99, true, 1e6 + 105);
    expect(&r, 1, 0, true, INFINITY);
    expect(&r, 1, 12345, true, INFINITY);
    expect(&r, 2, 100, false, 199);
    expect(&r, 2, 199.5, true, 200);
    expect(&r, 5, 10, false, INFINITY);
    frs_reachability_fini(&r);
}
END_TEST

/* Periods and times that binary fractions cannot hold: `until` is still exactly the change. */
START_TEST(repeated_with_rounding) {
    struct frs_reachability r =
        trace("0,0,0.1\n0,0.3,0.6\n0,0.7,0.7999999999999\n1,0.1,0.9\n", "exact", "900 ms");
    for (uint32_t client = 0; client < 2; client++) {
        static const double starts[] = {0, 1e3, 123456.789, 1e7};
        for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
            double t_s = starts[i], until_s, later_s;
            for (int change = 0; change < 1000; change++) {
                bool online = frs_reachable(&r, client, 0, 0, t_s, &until_s);
                ck_assert_double_gt(until_s, t_s);
                ck_assert(frs_reachable(&r, client, 0, 0, nextafter(until_s, 0), &later_s) == online);
                ck_assert(frs_reachable(&r, client, 0, 0, until_s, &later_s) != online);
                t_s = until_s;
            }
        }
    }
    frs_reachability_fini(&r);
}
END_TEST

/* Random sessions on a grid of whole seconds against a table of every second. */
START_TEST(by_brute_force) {
    enum { SECONDS = 60, CLIENTS = 4 };
    struct frs_rng rng = frs_rng_stream(2, 0, 0, 0, FRS_RNG_TEST);
    for (int round = 0; round < 300; round++) {
        bool table[CLIENTS][SECONDS + 1] = {{false}}, repeats = round % 2;
        char text[1024] = "client,start_s,end_s\n";
        for (uint32_t row = frs_rng_below(&rng, 12) + 1; row > 0; row--) {
            uint32_t client = frs_rng_below(&rng, CLIENTS), start = frs_rng_below(&rng, SECONDS);
            uint32_t end = start + 1 + frs_rng_below(&rng, 20);
            end = end > SECONDS ? SECONDS : end;
            snprintf(text + strlen(text), sizeof text - strlen(text), "%u,%u,%u\n", client, start, end);
            for (uint32_t second = start; second < end; second++)
                table[client][second] = true;
        }
        struct frs_reachability r = trace(text, "exact", repeats ? "60 s" : "0 s");
        for (uint32_t client = 0; client < CLIENTS; client++)
            for (uint32_t t = 0; t < 3 * SECONDS; t++) {
#define ONLINE(at) (repeats ? table[client][(at) % SECONDS] : (at) < SECONDS && table[client][at])
                uint32_t until = t;
                while (until < t + 2 * SECONDS && ONLINE(until) == ONLINE(t))
                    until++;
                expect(&r, client, t + 0.5, ONLINE(t), until == t + 2 * SECONDS ? INFINITY : until);
            }
        frs_reachability_fini(&r);
    }
}
END_TEST

/* A file in memory. */
static const char *file_of(const char *text, size_t n) {
    static char path[64];
    static int file = -1;
    if (file < 0)
        file = memfd_create("sessions.csv", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    ck_assert(ftruncate(file, 0) == 0 && pwrite(file, text, n, 0) == (ssize_t)n);
    return path;
}

static bool load(struct frs_sessions *sessions, const char *text, size_t n, const char *begin,
    double latest_s, struct frs_errors *errors) {
    struct frs_sessions_format format = {.begin = begin, .latest_s = latest_s};
    return frs_sessions_load(sessions, file_of(text, n), &format, errors);
}

static void refuses(const char *text, size_t n, double latest_s, const char *message) {
    struct frs_sessions sessions;
    struct frs_errors errors = {0};
    ck_assert(!load(&sessions, text, n, "", latest_s, &errors));
    ck_assert_ptr_null(sessions.list);
    ck_assert_msg(strstr(errors.lines[0], message), "\"%s\" is not in: %s", message, errors.lines[0]);
    frs_errors_clear(&errors);
}

START_TEST(malformed_traces_are_refused) {
#define REFUSES(text, message) refuses(text, sizeof text - 1, 100, message)
    REFUSES("", "is empty");
    REFUSES("client,start_s,end_s\n# nothing\n\n", "holds no session; expected lines client,start_s,end_s");
    REFUSES(
        "client,begin,end\n1,2,3\n", ":1: column 2: \"begin\" is not known; allowed: client,start_s,end_s");
    REFUSES("client,start_s\n1,2\n", ":1: has no column end; allowed: client,start_s,end_s");
    REFUSES("client,start,start_s,end\n1,2,3\n", "\"start_s\" says the same as column 2, \"start\"");
    REFUSES("1,2,3\nclient,start_s,end_s\n", ":2: start \"start_s\" is not a time");
    REFUSES("client,start_s,end_s\nclient,start_s,end_s\n1,2,3\n", ":2: ");
    REFUSES("1,2,3\n\n1,2\n", ":3: has another number of fields than 3");
    REFUSES("1,2,3\n1,2,3,4\n", ":2: has another number of fields than 3");
    REFUSES("1,2,3,4\n", ":1: has 4 fields; allowed: client,start_s,end_s");
    REFUSES("1:2:3\n", ":1: has 1 field; allowed: client,start_s,end_s");
    REFUSES("1,2,3 s\n", "end \"3 s\" is not a time; allowed: a number of seconds, a time of the day such as "
                         "08:00, or a date such as "
                         "2001-01-31T22:30:45Z");
    REFUSES("device,from,to\n1,2,3\n",
        ":1: start \"from\" is not a time; allowed: a number of seconds, a time of the day such as 08:00, or "
        "a date such as "
        "2001-01-31T22:30:45Z; a first line of names has client,start_s,end_s");
    REFUSES("1,nan,3\n", "is not a time");
    REFUSES("1,2,inf\n", "is not a time");
    REFUSES("1,2,1e999\n", "is not a time");
    REFUSES(
        "1,2001-02-03,3\n", "end \"3\" is a number, and times before it are none; allowed: one of the two");
    REFUSES("-1,2,3\n", "client \"-1\" is not a client's number; allowed: an integer from 0 to 4294967294");
    REFUSES("1.5,2,3\n", "client \"1.5\" is not a client's number");
    REFUSES("4294967295,2,3\n", "is not a client's number");
    REFUSES("7,2,3\n7.0,4,5\n", ":2: client \"7.0\" is written as no number of line 1 is; allowed: one way");
    REFUSES("a,2,3\nB,2,3\nb,4,5\n", ":3: client \"b\" is client \"B\" of line 2, written in another way");
    REFUSES("a 1,2,3\na1,2,3\n", "client \"a1\" is client \"a 1\" of line 1");
    REFUSES("a,2,3\n7,2,3\n7.0,4,5\n", "client \"7.0\" is client \"7\" of line 2");
    REFUSES("a,2,3\n,2,3\n", ":2: client is empty; allowed: its id");
    REFUSES("1;0,5;3.5\n", ":1: has a number with a comma, and line 1 one with a point");
    REFUSES("client,active,inactive\n1,2,3\n",
        "has the layout of fedscale; allowed: what `fedrecsim import fedscale ");
    REFUSES("1,-2,3\n", "starts before 0 s");
    REFUSES("1,3,3\n", "has an end that is not after its start");
    REFUSES("1,4,3\n", "has an end that is not after its start");
    REFUSES("1,4,4.0001\n", ":1: is a session of less than 1 ms");
    REFUSES("1,4,100.5\n", ":1: ends after the period");
    REFUSES("1,2\0,3\n", "has a zero byte; is this a text file?");
    refuses_availability("trace", NULL, NULL, "test.file: is missing");
    refuses_availability(
        "trace", SETTINGS("file", "/nowhere/at/all.csv"), NULL, "/nowhere/at/all.csv: cannot be read");
    refuses_availability("trace", SETTINGS("file", "/"), NULL, "/: cannot be");
    refuses_availability("trace", SETTINGS("file", "x", "period", "1 ns"), NULL,
        "test.period: is too short; allowed: 0 s, or at least 0.001 s");
    struct frs_sessions sessions;
    struct frs_errors errors = {0};
    refuses("1,0,2e9\n", 8, INFINITY, ":1: ends after 1e9 s");
    const char *many = "x,x,x\nx,x\nx,x,x\nx,x,x\nx,x,x\nx,x,x\nx,x,x\n";
    ck_assert(!load(&sessions, many, strlen(many), "", 1, &errors));
    ck_assert_uint_eq(errors.n, 5);
    frs_errors_clear(&errors);
}
END_TEST

/* One trace in several notations: [10, 30) of the first client and [20, 25.5) of the second. */
START_TEST(notations_of_one_trace) {
    static const struct {
        const char *text, *begin;
        double first_s; /* start of the first session, in s of the run */
    } files[] = {
        {"client,start_s,end_s\na,10,30\nb,20,25.5\n", "", 10},
        {"end,client,start\n30,a,10\n25.5,b,20\n", "", 10},
        {"client,start_ms,end_ms\na,10000,30000\nb,20000,25500\n", "", 10},
        {"client,start,end\na,2001-02-03T00:00:10Z,2001-02-03T00:00:30Z\n"
         "b,2001-02-03 00:00:20,2001-02-03T00:00:25.5Z\n",
            "", 0},
        {"client,start,end\na,2001-02-03T02:00:10+02:00,2001-02-03T00:00:30Z\n"
         "b,2001-02-03 00:00:20,2001-02-03T00:00:25.5Z\n",
            "2001-02-03", 10},
        {"client,start,end\na,1600000010,1600000030\nb,1600000020,1600000025.5\n", "1600000000", 10},
        {"client,start,end\na,1600000010000,1600000030000\nb,1600000020000,1600000025500\n", "", 0},
        {"client,start,end\na,1600000010000000,1600000030000000\nb,1600000020000000,1600000025500000\n",
            "2020-09-13T12:26:40Z", 10},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct frs_sessions sessions;
        struct frs_errors errors = {0};
        ck_assert_msg(
            load(&sessions, files[i].text, strlen(files[i].text), files[i].begin, INFINITY, &errors),
            "%zu: %s", i, errors.n ? errors.lines[0] : "");
        ck_assert_uint_eq(sessions.n_clients, 2);
        ck_assert_str_eq(sessions.ids.texts[0], "a");
        ck_assert_double_eq(sessions.list[0].start_s, files[i].first_s);
        ck_assert_double_eq(sessions.list[0].end_s, files[i].first_s + 20);
        ck_assert_double_eq(sessions.list[1].start_s, files[i].first_s + 10);
        ck_assert_double_eq(sessions.list[1].end_s, files[i].first_s + 15.5);
        frs_sessions_fini(&sessions);
    }
}
END_TEST

/* The run begins at 15 s: [10, 12) is gone, and 5 s of [10, 30) are. */
START_TEST(a_run_begins_within_a_trace) {
    static const char text[] = "0,10,30\n1,10,12\n2,40,50\n";
    struct frs_sessions sessions;
    struct frs_errors errors = {0};
    ck_assert(load(&sessions, text, sizeof text - 1, "15", INFINITY, &errors));
    ck_assert_uint_eq(sessions.n_clients, 2);
    ck_assert_uint_eq(sessions.n_before, 1);
    ck_assert_double_eq(sessions.list[0].start_s, 0);
    ck_assert_double_eq(sessions.list[0].end_s, 15);
    ck_assert_double_eq(sessions.list[1].start_s, 25);
    frs_sessions_fini(&sessions);
    ck_assert(!load(&sessions, text, sizeof text - 1, "60", INFINITY, &errors));
    ck_assert_msg(
        strstr(errors.lines[0], "holds no session behind availability.begin"), "%s", errors.lines[0]);
    frs_errors_clear(&errors);
    ck_assert(!load(&sessions, text, sizeof text - 1, "2001-02-03", INFINITY, &errors));
    ck_assert_msg(strstr(errors.lines[0], "is a date, but the times of"), "%s", errors.lines[0]);
    frs_errors_clear(&errors);
}
END_TEST

/* Mutations of a good file: never a crash, and either sessions or a line that says why not. */
START_TEST(damaged_traces_are_read_or_refused) {
    static const char good[] = "client,start_s,end_s\n0,1.5,20\r\n1,0,1e1\n0,10,30\n4294967294,7,8\n";
    static const char alphabet[] = "0123456789,,,\n\n\r#.-+eE x\xef\0";
    struct frs_rng rng = frs_rng_stream(3, 0, 0, 0, FRS_RNG_TEST);
    for (int round = 0; round < 3000; round++) {
        size_t n = frs_rng_below(&rng, sizeof good - 1) + 1;
        char text[sizeof good];
        memcpy(text, good, n);
        for (uint32_t i = frs_rng_below(&rng, 5); i > 0; i--)
            text[frs_rng_below(&rng, (uint32_t)n)] = alphabet[frs_rng_below(&rng, sizeof alphabet - 1)];
        struct frs_sessions sessions;
        struct frs_errors errors = {0};
        bool read = load(&sessions, text, n, "", INFINITY, &errors);
        ck_assert(read ? sessions.n_clients > 0 && errors.n == 0 : !sessions.list && errors.n > 0);
        for (size_t c = 0; c < sessions.n_clients; c++) {
            ck_assert(c == 0 || sessions.clients[c] > sessions.clients[c - 1]);
            ck_assert_uint_gt(sessions.first[c + 1], sessions.first[c]);
            for (size_t i = sessions.first[c] + 1; i < sessions.first[c + 1]; i++)
                ck_assert_double_gt(sessions.list[i].start_s, sessions.list[i - 1].end_s);
        }
        frs_sessions_fini(&sessions);
        frs_errors_clear(&errors);
    }
}
END_TEST

/* The clients of a file against those of the run. */
static void settles(const char *text, uint32_t n, const struct frs_client_ids *ids, bool may_lack,
    const char *error, const char *note) {
    struct frs_reachability r = trace(text, "exact", "100 s");
    struct frs_values values = availability_values("trace", NULL, NULL);
    struct frs_errors errors = {0};
    struct frs_file_clients clients = {
        .n = n, .fleet = ids ? "fleet.csv" : NULL, .ids = ids, .may_lack = may_lack};
    bool settled = frs_reachability_settle(&r, &values, &clients, &errors);
    ck_assert_msg(settled == !error, "%s: %s", text, errors.n ? errors.lines[0] : "settled");
    if (error)
        ck_assert_msg(strstr(errors.lines[0], error), "\"%s\" is not in: %s", error, errors.lines[0]);
    char *said = frs_reachability_note(&r);
    if (note)
        ck_assert_msg(strstr(said, note), "\"%s\" is not in: %s", note, said);
    free(said);
    frs_errors_clear(&errors);
    frs_values_fini(&values);
    frs_reachability_fini(&r);
}

START_TEST(clients_of_the_file_are_those_of_the_run) {
    struct frs_client_ids ids = {.are_texts = true};
    struct frs_csv csv;
    struct frs_errors errors = {0};
    static const char fleet[] = "client\nb\nc\na\n";
    uint32_t number;
    ck_assert(frs_csv_open_any(&csv, file_of(fleet, sizeof fleet - 1), &errors));
    while (frs_csv_next(&csv, &errors))
        ck_assert(frs_client_ids_read(&ids, &csv, 0, &number, &errors));
    frs_csv_close(&csv);
    settles("0,1,2\n1,1,2\n", 2, NULL, false, NULL, ": 2 clients");
    settles("0,1,2\n", 2, NULL, false, NULL, "99 of the run's 100 have no session");
    settles("1,1,2\n2,1,2\n", 2, NULL, false,
        "has sessions of client 2, but clients are 0 to 1; ids that begin at 1", NULL);
    settles("0,1,2\n7,1,2\n", 2, NULL, false,
        "has sessions of client 7, but clients are 0 to 1; allowed: availability.clients", NULL);
    settles("7,1,2\n", 2, NULL, true, NULL, NULL);
    settles("a,1,2\n", 3, NULL, false, "names its clients by texts, and the run has clients 0 to 2", NULL);
    settles("a,1,2\nb,3,4\n", 3, &ids, false, NULL, "98 of the run's 100");
    settles("a,1,2\nz,3,4\n", 3, &ids, false,
        "has sessions of client \"z\", which fleet.csv does not have (1 of 2)", NULL);
    settles("a,1,2\nz,3,4\n", 3, &ids, true, NULL, "1 others are none of the fleet's");
    settles("A,1,2\n", 3, &ids, true, "has sessions of client \"A\"", NULL);
    settles("0,1,2\n", 3, &ids, false, "numbers its clients, and fleet.csv names them by texts", NULL);
    struct frs_reachability r = trace("a,1,2\nb,3,4\n", "exact", "0 s");
    struct frs_values values = availability_values("trace", NULL, NULL);
    struct frs_file_clients clients = {.n = 3, .fleet = "fleet.csv", .ids = &ids};
    ck_assert(frs_reachability_settle(&r, &values, &clients, &errors));
    expect(&r, 0, 3, true, 4); /* b is the first row of the fleet, a the third */
    expect(&r, 1, 3, false, INFINITY);
    expect(&r, 2, 1, true, 2);
    frs_reachability_fini(&r);
    frs_values_fini(&values);
    frs_client_ids_fini(&ids);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("availability_trace");
    TCase *tests = tcase_create("availability_trace");
    tcase_add_test(tests, disordered_sessions_by_hand);
    tcase_add_test(tests, clients_round_and_round);
    tcase_add_test(tests, semicolons_and_decimal_commas_are_read);
    tcase_add_test(tests, times_of_the_day);
    tcase_add_test(tests, a_period_repeats_its_sessions);
    tcase_add_test(tests, repeated_with_rounding);
    tcase_add_test(tests, by_brute_force);
    tcase_add_test(tests, malformed_traces_are_refused);
    tcase_add_test(tests, notations_of_one_trace);
    tcase_add_test(tests, a_run_begins_within_a_trace);
    tcase_add_test(tests, clients_of_the_file_are_those_of_the_run);
    tcase_add_test(tests, damaged_traces_are_read_or_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
