/* Runs with lossy codecs: the same whatever the threads, and after an interruption; budgets of a codec; what
 * the summary says of compression.
 *
 * Labels: slow */
#include "algorithms/training/downlinks.h"
#include "tests/sim/run/fixture.h"

static const char base[] =
    "data = { synthetic = \"small\"; };\n"
    "method = { name = \"fedmf_update\"; };\n"
    "network = { preset = \"fieldguide\"; };\ndevices = { preset = \"fieldguide\"; };\n"
    "evaluation = { every = 4; };\n"
    "rounds = { count = 8; cohort = 20; };\n";

/* Every codec in both directions; what is private or kept by the server is part of the last. */
static const char *const codecs[] = {"--set codec.uplink=topk --set codec.downlink=topk",
    "--set codec.uplink=svd --set codec.downlink=svd",
    "--set codec.uplink=quantise --set codec.downlink=quantise",
    "--set codec.uplink=svd_quantised --set codec.downlink=svd_quantised",
    "--set codec.uplink=groups --set codec.uplink.kmeans=lloyd --set codec.downlink=adaptive_groups",
    "--set codec.uplink=groups --set codec.uplink.error_feedback=true --set codec.downlink=adaptive_groups "
    "--set codec.downlink.error_feedback=true",
    "--set codec.uplink=svd --set codec.downlink=adaptive_groups --set codec.downlink.error_feedback=true "
    "--set codec.downlink.server_table=exact --set method.catchup=ideal",
    "--set codec.uplink=groups --set codec.downlink=adaptive_groups --set codec.downlink.sets=3 --set "
    "codec.downlink.server_table=exact --set method.catchup=ideal --set adaptation=uniform",
    "--set method.name=fedmf --set codec.uplink=groups --set codec.uplink.of=values --set "
    "codec.downlink=groups",
    "--set method.name=fedmf --set codec.uplink=svd --set codec.downlink=quantise"};

enum { N_CODECS = sizeof codecs / sizeof *codecs, COHORT = FRS_TEST_CASES(20) };

static void setup(void) {
    folder_setup();
    write_text("s.cfg", base);
}

START_TEST(threads_do_not_matter) {
    char *one = frs_format("--set rounds.cohort=%d --threads 1 %s", COHORT, codecs[_i]);
    char *three = frs_format("--set rounds.cohort=%d --threads 3 %s", COHORT, codecs[_i]);
    run_scenario("s.cfg", "one", one);
    run_scenario("s.cfg", "three", three);
    ck_assert_int_eq(
        shell("cmp one/rounds.csv three/rounds.csv && cmp one/clients.csv three/clients.csv"), 0);
    free(one);
    free(three);
}
END_TEST

/* Groups are assigned 5 to 60 rows: uploads differ, and the mean budget of every client lies within. */
START_TEST(budgets_of_a_codec) {
    run_scenario("s.cfg", "out",
        "--set codec.uplink=groups --set codec.uplink.groups=60 --set adaptation=uniform "
        "--set adaptation.from=5 --set adaptation.redraw=false");
    json_t *summary = load_json("out", "summary.json");
    ck_assert_double_eq(json_path(summary, "adaptation", "largest_possible"), 60);
    ck_assert_double_ge(json_path(summary, "adaptation", "min"), 5);
    ck_assert_double_le(json_path(summary, "adaptation", "max"), 60);
    ck_assert_double_gt(json_path(summary, "adaptation", "max"), json_path(summary, "adaptation", "min"));
    json_decref(summary);
}
END_TEST

/* Sizes 50, 100 and 150: a budget below the smallest still gets that, one between two the lower. */
START_TEST(sets_by_budget) {
    struct frs_downlinks downlinks = {.n = 3, .sizes = {50, 100, 150}, .set_of = (uint8_t[]){1}};
    static const uint32_t budgets[] = {10, 50, 99, 100, 149, 150, 1000}, sets[] = {0, 0, 0, 1, 1, 2, 2};
    for (size_t i = 0; i < sizeof budgets / sizeof *budgets; i++) {
        frs_downlinks_grant(&downlinks, 0, budgets[i]);
        ck_assert_uint_eq(downlinks.set_of[0], sets[i]);
    }
}
END_TEST

/* Three groupings of 30, 60 and 90 of 300 rows of 32 values: once every row has been touched, who was
 * assigned more downloads more. */
START_TEST(sets_have_their_sizes) {
    run_scenario("s.cfg", "out",
        "--set codec.uplink=groups --set codec.uplink.groups=90 --set codec.downlink=adaptive_groups --set "
        "codec.downlink.groups=60 --set codec.downlink.alpha=0.5 --set codec.downlink.sets=3 --set "
        "codec.downlink.server_table=exact --set method.catchup=ideal --set adaptation=uniform --set "
        "adaptation.from=30 --set rounds.cohort=150");
    FILE *file = folder_open("out/events.ndjson", "r");
    struct event event;
    size_t seen[3] = {0};
    while (next_event(file, &event))
        for (size_t set = 0; event.round == 8 && set < 3; set++) {
            double groups = 30 * (double)(set + 1), centres = 4 * 32 * groups;
            /* Headers, the row set, and at most 300 indices of 7 bits. */
            seen[set] +=
                event.down_bytes > centres && event.down_bytes < centres + 24 + 12 + 9 + 38 + 263 + 1;
        }
    fclose(file);
    ck_assert(seen[0] > 20 && seen[1] > 20);
    ck_assert_uint_eq(seen[0] + seen[1] + seen[2], 150);
}
END_TEST

/* Rank 4 of 32 saves 87.5 % on paper, a little less on the wire; a client that missed rounds saves less
 * still. */
START_TEST(compression_saves_what_it_should) {
    static const char *const catchups[] = {"ideal", "cheapest"};
    double down[2];
    for (size_t i = 0; i < 2; i++) {
        char *options = frs_format("--set codec.uplink=svd --set codec.downlink=svd --set method.catchup=%s "
                                   "--set rounds.count=30",
            catchups[i]);
        run_scenario("s.cfg", catchups[i], options);
        json_t *summary = load_json(catchups[i], "summary.json");
        ck_assert_double_eq_tol(json_path(summary, "compression_rate", "paper_down"), 0.875, 1e-12);
        ck_assert_double_eq_tol(json_path(summary, "compression_rate", "paper_up"), 0.875, 1e-12);
        down[i] = json_path(summary, "compression_rate", "down");
        json_decref(summary);
        free(options);
    }
    ck_assert_double_lt(down[0], 0.875);
    ck_assert_double_gt(down[0], 0.8);
    ck_assert_double_lt(down[1], down[0]);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("compressed runs");
    TCase *tests = tcase_create("compressed runs");
    tcase_add_checked_fixture(tests, setup, folder_teardown);
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, threads_do_not_matter, 0, N_CODECS);
    tcase_add_test(tests, budgets_of_a_codec);
    tcase_add_test(tests, sets_by_budget);
    tcase_add_test(tests, sets_have_their_sizes);
    tcase_add_test(tests, compression_saves_what_it_should);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
