/* When rounds open, worked out by hand: every participation takes 10 s, and messages take no time. */
#include "tests/sim/run/fixture.h"

#define SCENARIO                                                                                             \
    "data = { synthetic = \"custom\"; users = 6; items = 30; interactions = 36; min_interactions = 3; };\n"  \
    "method = { name = \"fedmf\"; dim = 4; };\n"                                                             \
    "training = { enabled = false; };\n"                                                                     \
    "network = { preset = \"ideal\"; };\n"                                                                   \
    "devices = { compute = \"fixed\"; overhead = \"10 s\"; };\n"                                             \
    "output = { what_if = \"none\"; report = false; };\n"                                                    \
    "evaluation = { non_federated = [ ]; };\n"

/* Rounds of a run: when each began, and with how many clients. */
struct opened {
    double start_s;
    int n;
};

static void expect_rounds(const char *out, const struct opened *hand, size_t n) {
    struct table rounds = table_load(out, "rounds.csv");
    ck_assert_uint_eq(rounds.n_rows, n);
    for (size_t i = 0; i < n; i++) {
        ck_assert_double_eq_tol(cell(&rounds, i, "start_s"), hand[i].start_s, 1e-6);
        ck_assert_int_eq((int)cell(&rounds, i, "selected"), hand[i].n);
    }
    table_fini(&rounds);
}

#define EXPECT_ROUNDS(out, ...)                                                                              \
    expect_rounds(out, (const struct opened[]){__VA_ARGS__},                                                 \
        sizeof((const struct opened[]){__VA_ARGS__}) / sizeof(struct opened))

static void write_scenario(const char *more) {
    char *text = frs_format("%s%s", SCENARIO, more);
    write_text("s.cfg", text);
    free(text);
}

static void write_plan(const char *rounds) {
    char *text = frs_format("rounds = { %s };\n", rounds);
    write_scenario(text);
    free(text);
}

START_TEST(rounds_open_at_multiples) {
    write_plan("count = 3; cohort = 2; every = \"1 min\";");
    run_scenario("s.cfg", "a", "");
    EXPECT_ROUNDS("a", {0, 2}, {60, 2}, {120, 2});
    /* the last one closes at 10 s, 18 s, 26 s: the multiples that follow */
    run_scenario("s.cfg", "b", "--set 'rounds.every=8 s'");
    EXPECT_ROUNDS("b", {0, 2}, {16, 2}, {32, 2});
    /* a round that closes just before a multiple is followed at it */
    run_scenario("s.cfg", "c", "--set 'rounds.every=10.0000001 s'");
    EXPECT_ROUNDS("c", {0, 2}, {10, 2}, {20, 2});
}
END_TEST

/* A run that starts at 21:59:45: the window opens after 15 s, and the last round of the night may end after
 * it has closed. */
START_TEST(windows_rule_openings) {
    write_plan("count = 4; cohort = 2; start = \"79185 s\"; window = \"22:00-22:01\"; every = \"25 s\";");
    run_scenario("s.cfg", "a", "");
    EXPECT_ROUNDS("a", {25, 2}, {50, 2}, {86425, 2}, {86450, 2});
    /* over midnight: 23:59:50 is within the window, which closes at 0:00:25 and opens at 23:59 again */
    run_scenario("s.cfg", "b",
        "--set 'rounds.start=86390 s' --set rounds.window=23:59-00:01 --set 'rounds.every=0 s' "
        "--set rounds.count=9");
    EXPECT_ROUNDS("b", {0, 2}, {10, 2}, {20, 2}, {30, 2}, {40, 2}, {50, 2}, {60, 2}, {86350, 2}, {86360, 2});
}
END_TEST

/* Two of six clients at a time: each rests for 25 s after it has been known to have ended. */
START_TEST(clients_cool_down) {
    write_plan("count = 6; cohort = 2; cool_down = \"25 s\"; selection = { name = \"round_robin\"; };");
    run_scenario("s.cfg", "a", "");
    /* those of round 1 end at 10 and may be asked again at 35 */
    EXPECT_ROUNDS("a", {0, 2}, {10, 2}, {20, 2}, {35, 2}, {45, 2}, {55, 2});
    run_scenario("s.cfg", "b", "--set 'rounds.cool_down=20 s'");
    EXPECT_ROUNDS("b", {0, 2}, {10, 2}, {20, 2}, {30, 2}, {40, 2}, {50, 2});
    /* four are eligible: as many as there are are asked, unless more are wanted */
    run_scenario("s.cfg", "c", "--set rounds.cohort=4");
    EXPECT_ROUNDS("c", {0, 4}, {10, 2}, {35, 4}, {45, 2}, {70, 4}, {80, 2});
    run_scenario("s.cfg", "d", "--set rounds.cohort=4 --set rounds.selection.at_least=4");
    EXPECT_ROUNDS("d", {0, 4}, {35, 4}, {70, 4}, {105, 4}, {140, 4}, {175, 4});
}
END_TEST

/* Twice a day each: nine rounds of four of six clients are 36 participations, twelve a day. */
START_TEST(participations_a_day_are_limited) {
    write_plan("count = 9; cohort = 4; per_day = 2; start = \"86350 s\"; selection = { name = "
               "\"round_robin\"; };");
    run_scenario("s.cfg", "a", "");
    EXPECT_ROUNDS(
        "a", {0, 4}, {10, 4}, {20, 4}, {50, 4}, {60, 4}, {70, 4}, {86450, 4}, {86460, 4}, {86470, 4});
}
END_TEST

/* Six clients that are always there, all of them asked: 86,400 s / (T + c) participations a day, T = 10 s;
 * the first of them begins with the day. */
START_TEST(participations_a_day_under_cool_down) {
    static const struct { double rest_s, per_day; } cases[] = {{50, 0}, {170, 0}, {1790, 0}, {50, 100}};
    write_plan("count = 100000; cohort = 6; stop_time = \"86395 s\";");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double hand = ceil(86400 / (10.000000006 + cases[i].rest_s));
        if (cases[i].per_day > 0) /* and one more, after midnight, with which the run ends */
            hand = fmin(hand, cases[i].per_day + 1);
        char *options = frs_format("--force --set 'rounds.cool_down=%g s' --set rounds.per_day=%g",
            cases[i].rest_s, cases[i].per_day);
        run_scenario("s.cfg", "day", options);
        struct table clients = table_load("day", "clients.csv");
        for (size_t client = 0; client < clients.n_rows; client++)
            ck_assert_double_eq_tol(cell(&clients, client, "participations"), hand, 1.1);
        table_fini(&clients);
        free(options);
    }
}
END_TEST

/* Client 0 is there all the time, 1 from 5 s, 2 from 20 s to 1000 s, 3 from 100 s. */
static void write_trace(void) {
    write_text("t.csv", "client,start_s,end_s\n0,0,100000\n1,5,100000\n2,20,1000\n3,100,100000\n");
}

#define TRACE "availability = { model = \"trace\"; file = \"t.csv\"; };\n"

START_TEST(rounds_wait_for_clients) {
    write_trace();
    write_scenario(TRACE "rounds = { count = 3; cohort = 3; selection = { at_least = 1; }; };\n");
    run_scenario("s.cfg", "one", "");
    EXPECT_ROUNDS("one", {0, 1}, {10, 2}, {20, 3});
    run_scenario("s.cfg", "two", "--set rounds.selection.at_least=2");
    EXPECT_ROUNDS("two", {5, 2}, {15, 2}, {25, 3});
    run_scenario("s.cfg", "share", "--set 'rounds.selection.at_least=60 %'");
    EXPECT_ROUNDS("share", {5, 2}, {15, 2}, {25, 3});
    run_scenario("s.cfg", "all", "--set 'rounds.selection.at_least=100 %'");
    EXPECT_ROUNDS("all", {20, 3}, {30, 3}, {40, 3});
    /* more than are asked */
    run_scenario("s.cfg", "more", "--set rounds.selection.at_least=4");
    EXPECT_ROUNDS("more", {100, 3}, {110, 3}, {120, 3});
    /* by default: half of the four that are online at once from 100 s */
    run_scenario("s.cfg", "auto", "--set rounds.selection.at_least=auto");
    EXPECT_ROUNDS("auto", {5, 2}, {15, 2}, {25, 3});
    /* buffered_async begins with so many, and goes on with one after the other */
    run_scenario("s.cfg", "async",
        "--set rounds.policy=buffered_async --set rounds.policy.arrivals=1 --set "
        "rounds.selection.at_least=3");
    struct table rounds = table_load("async", "rounds.csv");
    ck_assert_double_eq_tol(cell(&rounds, 0, "start_s"), 20, 1e-6);
    table_fini(&rounds);
}
END_TEST

START_TEST(waiting_ends) {
    write_trace();
    write_scenario(TRACE "rounds = { count = 2; cohort = 3; selection = { at_least = 4; wait = \"12 s\"; "
                         "minimum = 2; }; };\n");
    /* 2 are there after 12 s; the next round waits from 22 s on, and has 3 after 34 s */
    run_scenario("s.cfg", "a", "");
    EXPECT_ROUNDS("a", {12, 2}, {34, 3});
    /* after 4 s there is but one: the round waits on, for the second */
    run_scenario("s.cfg", "b", "--set 'rounds.selection.wait=4 s'");
    EXPECT_ROUNDS("b", {5, 2}, {19, 2});
}
END_TEST

/* The window from 0:00 to 0:01 shuts before anything has become of the first round. On the next day it waits
 * 55 s again, although two are there from the tenth second on. */
START_TEST(waiting_begins_again_with_the_window) {
    write_text("t.csv", "client,start_s,end_s\n0,0,50\n2,3600,90000\n3,86410,90000\n");
    write_scenario(TRACE "rounds = { count = 1; cohort = 4; window = \"0:00-0:01\"; "
                         "selection = { at_least = 3; wait = \"55 s\"; minimum = 2; }; };\n");
    run_scenario("s.cfg", "a", "");
    EXPECT_ROUNDS("a", {86455, 2});
}
END_TEST

/* Clients 4 and 5 have no session: five are never there at once. What the run has is kept: nothing, or the
 * rounds it closed. */
START_TEST(rounds_that_do_not_open_end_the_run) {
    write_trace();
    write_scenario(TRACE "rounds = { count = 5; cohort = 3; selection = { at_least = 5; }; };\n");
    shell("sed -i 's/100000/100000000/' t.csv");
    ck_assert_int_eq(run_program("run s.cfg --quiet --out never"), 1);
    ck_assert_ptr_nonnull(strstr(frs_said,
        "round 1: 5 clients were not eligible at once within 30 days (rounds.selection.at_least): at most 4 "
        "were; nothing was written"));
    ck_assert_int_ne(shell("test -e never"), 0);
    /* 2 leaves at 1000 s, so that a fourth is there no more for a later round */
    ck_assert_int_eq(run_program("run s.cfg --quiet --out some --set rounds.selection.at_least=4 --set "
                                 "'rounds.every=2000 s'"),
        1);
    ck_assert_ptr_nonnull(strstr(frs_said,
        "round 2: 4 clients were not eligible at once within 30 days (rounds.selection.at_least): at most 3 "
        "were; the rounds closed so far were kept"));
    json_t *summary = load_json("some", "summary.json");
    ck_assert_str_eq(json_string_value(json_object_get(summary, "status")), "stranded");
    json_decref(summary);
    EXPECT_ROUNDS("some", {100, 3});
}
END_TEST

/* Of 6 clients half are online on average: half of those is 1, and a cohort of 1 no more than that. */
START_TEST(check_says_how_many_rounds_wait_for) {
    static const struct {
        const char *more, *line;
    } cases[] = {{"rounds = { cohort = 4; };\navailability = { model = \"always\"; };\n", NULL},
        {"rounds = { cohort = 4; selection = { at_least = 3; }; };\n",
            "\n  opens        when 3 clients are eligible, of 4 wanted\n"},
        {"rounds = { cohort = 4; };\navailability = { model = \"markov\"; on = \"1 h\"; off = \"1 h\"; };\n",
            "\n  opens        when 1 client is eligible, of 4 wanted: below the cohort, half of the 3 that "
            "are "
            "online at once in an average day (the default of rounds.selection.at_least)\n"},
        {"rounds = { cohort = 4; };\navailability = { model = \"markov\"; on = \"5 h\"; off = \"1 h\"; };\n"
         "failures = { mean_lifetime = \"30 d\"; };\n",
            "\n  opens        when 1 client is eligible, of 4 wanted: clients leave for good, so that more "
            "may "
            "never come (the default of rounds.selection.at_least)\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_scenario(cases[i].more);
        ck_assert_int_eq(run_program("check s.cfg"), 0);
        ck_assert_msg(cases[i].line ? strstr(frs_said, cases[i].line) != NULL : !strstr(frs_said, "  opens "),
            "%s", frs_said);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("openings by hand");
    TCase *all = tcase_create("openings by hand");
    tcase_add_checked_fixture(all, folder_setup, folder_teardown);
    tcase_set_timeout(all, 60);
    tcase_add_test(all, rounds_open_at_multiples);
    tcase_add_test(all, windows_rule_openings);
    tcase_add_test(all, clients_cool_down);
    tcase_add_test(all, participations_a_day_are_limited);
    tcase_add_test(all, participations_a_day_under_cool_down);
    tcase_add_test(all, rounds_wait_for_clients);
    tcase_add_test(all, waiting_ends);
    tcase_add_test(all, waiting_begins_again_with_the_window);
    tcase_add_test(all, rounds_that_do_not_open_end_the_run);
    tcase_add_test(all, check_says_how_many_rounds_wait_for);
    suite_add_tcase(suite, all);
    return frs_test_run(suite);
}
