/* Defaults that decide, for several runs: which share under which environment and of which design, and
 * cohorts that were smaller than wanted. */
#include "analysis/sentence/deciding_settings.h"
#include "tests/analysis/fixture.h"

#define LOSS(value) "\"failures.up\": \"" value "\""
#define NOTICING "is the server noticing lost clients, 30 s by default (failures.detect)"
#define DETECT(share)                                                                                        \
    "{\"key\": \"failures.detect\", \"time_share\": " share ", \"what\": \"" NOTICING "\", \"text\": \"…\"}"
#define CONNECTING "is opening a new connection (network.connection)"
#define CONNECTION(time, bytes)                                                                              \
    "{\"key\": \"network.connection\", " time "\"bytes_share\": " bytes ", \"what\": \"" CONNECTING "\"}"
#define DECIDED(list) "\"decided_by\": [" list "]"
#define COHORT(mean) "\"cohort\": {\"requested\": 30, \"mean\": " mean "}"

static struct fake_run run_of(uint64_t seed, const char *settings, const char *summary) {
    return (struct fake_run){.seed = seed,
        .hr = {0.2, 0.5},
        .round_s = 10,
        .popularity = 0.4,
        .bytes = 1000,
        .settings = settings,
        .summary = summary};
}

static void write_run(const char *name, uint64_t seed, const char *settings, const char *summary) {
    struct fake_run run = run_of(seed, settings, summary);
    write_fake_run(name, &run);
}

static struct frs_decided_by decided_of(const char *const *names, size_t n, struct frs_entries *entries) {
    enum frs_status status = frs_entries_read(names, n, NULL, entries, &errors);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
    return frs_decided_by_of(entries);
}

static void expect_lines(const char *const *names, size_t n, const char *const *lines, size_t n_lines) {
    struct frs_entries entries;
    struct frs_decided_by decided = decided_of(names, n, &entries);
    for (size_t i = 0; i < n_lines && i < decided.n; i++)
        ck_assert_str_eq(decided.lines[i], lines[i]);
    ck_assert_uint_eq(decided.n, n_lines);
    frs_decided_by_fini(&decided);
    frs_entries_fini(&entries);
}

/* Two seeds of a design are its mean: (0.9 + 0.96) / 2; what one of two runs has alone is not told. */
START_TEST(shares_are_means_of_designs) {
    static const char *const names[] = {"a1", "a2", "b"}, *const lines[] = {
                                                              "For a1 (2 seeds): 93 % of the time " NOTICING
                                                              "."};
    write_run(
        "a1", 1, "\"method.name\": \"a\", " LOSS("0.3"), DECIDED(DETECT("0.9") ", " CONNECTION("", "0.2")));
    write_run("a2", 2, "\"method.name\": \"a\", " LOSS("0.3"), DECIDED(DETECT("0.96")));
    write_run("b", 1, "\"method.name\": \"b\", " LOSS("0.3"), NULL);
    expect_lines(names, 3, lines, 1);
}
END_TEST

/* What two of three seeds say is the mean of these two. */
START_TEST(shares_are_means_of_who_says_them) {
    static const char *const names[] = {"a1", "a2", "a3"}, *const lines[] = {
                                                               "93 % of the time " NOTICING "."};
    write_run("a1", 1, LOSS("0.3"), DECIDED(DETECT("0.9")));
    write_run("a2", 2, LOSS("0.3"), DECIDED(DETECT("0.96")));
    write_run("a3", 3, LOSS("0.3"), NULL);
    expect_lines(names, 3, lines, 1);
}
END_TEST

/* Of environments that are told apart, each has its own; the largest share is first. */
START_TEST(environments_have_their_own) {
    static const char
        *const names[] = {"a0", "b0", "a3", "b3"},
               *const lines[] = {"Under failures.up=0.3: 97–98 % of the time " NOTICING ".",
                   "Under failures.up=0 for a0: 31 % of the time and under failures.up=0 for a0: 43 %, "
                   "under failures.up=0.3: 12–20 % of the bytes " CONNECTING "."};
    write_run(
        "a0", 1, "\"method.name\": \"a\", " LOSS("0"), DECIDED(CONNECTION("\"time_share\": 0.31, ", "0.43")));
    write_run("b0", 1, "\"method.name\": \"b\", " LOSS("0"), NULL);
    write_run(
        "a3", 1, "\"method.name\": \"a\", " LOSS("0.3"), DECIDED(DETECT("0.97") ", " CONNECTION("", "0.2")));
    write_run(
        "b3", 1, "\"method.name\": \"b\", " LOSS("0.3"), DECIDED(DETECT("0.98") ", " CONNECTION("", "0.12")));
    expect_lines(names, 4, lines, 2);
}
END_TEST

/* What has no share is told once, whatever the environments. */
START_TEST(who_is_missing_is_told_once) {
    static const char *const names[] = {"a0", "a3"},
                             *const lines[] = {"Under failures.up=0.3: 97 % of the time " NOTICING ".",
                                 "Clients with rare tastes are online least (availability.concentration)."};
    static const char follows[] =
        "{\"key\": \"availability.concentration\", \"what\": \"clients with rare tastes are "
        "online least (availability.concentration)\", \"text\": \"…\"}";
    char *first = frs_format(DECIDED("%s"), follows),
         *second = frs_format(DECIDED("%s, %s"), DETECT("0.97"), follows);
    write_run("a0", 1, "\"method.name\": \"a\", " LOSS("0"), first);
    write_run("a3", 1, "\"method.name\": \"a\", " LOSS("0.3"), second);
    expect_lines(names, 2, lines, 2);
    free(first);
    free(second);
}
END_TEST

/* What is much the same everywhere is told once, and a share that leaves something is not 100 %. */
START_TEST(what_is_alike_is_told_at_once) {
    static const char *const names[] = {"a0", "a3"},
                             *const lines[] = {
                                 "Under all 2 environments: 98–99.8 % of the time " NOTICING "."};
    write_run("a0", 1, "\"method.name\": \"a\", " LOSS("0"), DECIDED(DETECT("0.98")));
    write_run("a3", 1, "\"method.name\": \"a\", " LOSS("0.3"), DECIDED(DETECT("0.998")));
    expect_lines(names, 2, lines, 1);
}
END_TEST

/* Five environments of six: 12 to 70 %. */
START_TEST(many_environments_are_counted) {
    static const char *const names[] = {"r0", "r1", "r2", "r3", "r4", "r5"},
                             *const lines[] = {
                                 "Under 5 of 6 environments: 12–70 % of the time " NOTICING "."};
    write_run("r0", 1, LOSS("0"), NULL);
    write_run("r1", 1, LOSS("0.1"), DECIDED(DETECT("0.12")));
    write_run("r2", 1, LOSS("0.2"), DECIDED(DETECT("0.3")));
    write_run("r3", 1, LOSS("0.3"), DECIDED(DETECT("0.4")));
    write_run("r4", 1, LOSS("0.4"), DECIDED(DETECT("0.5")));
    write_run("r5", 1, LOSS("0.5"), DECIDED(DETECT("0.7")));
    expect_lines(names, 6, lines, 1);
}
END_TEST

/* 3 of 30 clients; nine tenths of them are nearly all. Calls in vain are counted. */
START_TEST(small_cohorts_and_calls_in_vain) {
    static const char *const names[] = {"a", "b"},
                             *const lines[] = {
                                 "For b: 80 % of the time is waiting "
                                 "(rounds.selection.contact_timeout): 7,184 of 9,000 calls reached "
                                 "no client.",
                                 "For b: 10 % of the clients that a round asks for were in it, on average."};
    struct fake_run b = run_of(1, "\"method.name\": \"b\"",
        DECIDED("{\"key\": \"rounds.selection.contact_timeout\", \"time_share\": 0.8, \"what\": \"is waiting "
                "(rounds.selection.contact_timeout)\"}") ", \"participations\": 9000, " COHORT("3"));
    b.unavailable = 7184;
    write_run("a", 1, "\"method.name\": \"a\"", COHORT("27.5"));
    write_fake_run("b", &b);
    expect_lines(names, 2, lines, 2);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("decided_by");
    TCase *tests = tcase_create("decided_by");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, shares_are_means_of_designs);
    tcase_add_test(tests, shares_are_means_of_who_says_them);
    tcase_add_test(tests, environments_have_their_own);
    tcase_add_test(tests, who_is_missing_is_told_once);
    tcase_add_test(tests, what_is_alike_is_told_at_once);
    tcase_add_test(tests, many_environments_are_counted);
    tcase_add_test(tests, small_cohorts_and_calls_in_vain);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
