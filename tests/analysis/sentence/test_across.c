/* Runs that differ in their networks, side by side: what a change does, in the words in which it was set. */
#include "analysis/entries/environment.h"
#include "analysis/sentence/differences.h"
#include "analysis/sentence/sentence.h"
#include "tests/analysis/fixture.h"

#define UPLINK(value) "\"method.name\": \"fedmf\", \"network.uplink.median\": \"" value " B/s\""

static void expect_text(char *text, const char *expected) {
    ck_assert_str_eq(text, expected);
    free(text);
}

static void read_entries(struct frs_entries *entries, const char *const *names, size_t n) {
    enum frs_status status = frs_entries_read(names, n, NULL, entries, &errors);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
}

/* The target, popularity + 0.03 = 0.43, is reached in the third round: after 30 s and 24 s. */
static struct fake_run run_of(uint64_t seed, double round_s, const char *settings, const char *set) {
    return (struct fake_run){.seed = seed,
        .hr = {0.2, 0.5},
        .round_s = round_s,
        .popularity = 0.4,
        .bytes = 1000,
        .settings = settings,
        .set = set};
}

START_TEST(test_one_setting) {
    static const char *const names[] = {"slow", "fast"};
    struct fake_run slow = run_of(1, 10, UPLINK("375000"), NULL),
                    fast = run_of(1, 8, UPLINK("3750000"), "\"network.uplink.median\": \"30 Mbit/s\"");
    struct frs_entries entries;
    write_fake_run("slow", &slow);
    write_fake_run("fast", &fast);
    read_entries(&entries, names, 2);
    ck_assert_uint_eq(entries.n_environments, 2);
    ck_assert(frs_environments_are_apart(&entries));
    expect_text(frs_sentence_across(&entries), "Uplink 3 → 30 Mbit/s: target after 24 s instead of 30 s (−20 "
                                               "%), same bytes (6 kB), same HR@10; one seed.");
    struct frs_differences differences = frs_differences_of(&entries);
    expect_text(frs_differences_label(&differences, 0), "uplink 3 Mbit/s");
    expect_text(frs_differences_label(&differences, 1), "uplink 30 Mbit/s");
    frs_differences_fini(&differences);
    frs_environments_join(&entries);
    ck_assert_uint_eq(entries.n_environments, 1);
    ck_assert(!frs_environments_are_apart(&entries));
    frs_entries_fini(&entries);
}
END_TEST

/* A preset stands for everything that it sets; a file that does not name it has it by default. Three
 * rounds of 25 s: the run of 4g reaches 0.35 at most, and sends twice as much. */
START_TEST(test_a_preset) {
    static const char *const names[] = {"plain", "4g"};
    struct fake_run plain = run_of(1, 10, UPLINK("375000"), NULL),
                    other = run_of(1, 25, UPLINK("837500"), "\"network.preset\": \"4g\"");
    other.hr[1] = 0.35;
    other.bytes = 1500;
    struct frs_entries entries;
    write_fake_run("plain", &plain);
    write_fake_run("4g", &other);
    read_entries(&entries, names, 2);
    expect_text(frs_sentence_across(&entries),
        "Network as in the file → 4g: target reached in 0 of 1 runs instead of 1 of 1, "
        "HR@10 0.3500 instead of 0.5000, now no better than popularity (0.4000); one seed.");
    frs_entries_fini(&entries);
}
END_TEST

/* Runs f1, f2, ... take four fifths of the time of s1, s2, ..., with the same seeds; names[2 n_seeds]. */
static void write_pairs(const char *const *names, size_t n_seeds) {
    static const double slow_s[] = {30, 31, 29, 30, 31, 29, 30, 31};
    for (size_t k = 0; k < n_seeds; k++) {
        struct fake_run slow = run_of(k + 1, slow_s[k] / 3, UPLINK("375000"), NULL),
                        fast = run_of(k + 1, 0.8 * slow_s[k] / 3, UPLINK("3750000"),
                            "\"network.uplink.median\": \"30 Mbit/s\"");
        write_fake_run(names[2 * k], &slow);
        write_fake_run(names[2 * k + 1], &fast);
    }
}

/* Runs that differ in the seed alone are replicates. Evaluations are 10 s and 8 s apart, so that times have a
 * standard deviation of 10/√12 = 2.89 s at least: 4.3027 · 2.89 s / √3 = 7.2 s, and four fifths of it. With
 * three seeds a fifth is within that, with eight it is not. */
START_TEST(test_seeds_are_pooled) {
    static const char *const names[] = {
        "s1", "f1", "s2", "f2", "s3", "f3", "s4", "f4", "s5", "f5", "s6", "f6", "s7", "f7", "s8", "f8"};
    struct frs_entries entries;
    write_pairs(names, 8);
    read_entries(&entries, names, 6);
    ck_assert_uint_eq(entries.n, 2);
    ck_assert_uint_eq(entries.list[0].n, 3);
    ck_assert_str_eq(entries.list[0].name, "s1 (3 seeds)");
    expect_text(frs_entry_runs_text(&entries.list[1]), "f1, f2 and f3");
    char *text = frs_sentence_across(&entries);
    ck_assert_msg(
        strstr(text, "Uplink 3 → 30 Mbit/s: target after 24.0 s (18.3–29.7) instead of 30.0 s (22.8–37.2) "
                     "(−20 %), same bytes (6 kB), same HR@10; not decided (about ") == text &&
            strstr(text, " more replicates would); 3 seeds each."),
        "%s", text);
    free(text);
    frs_entries_fini(&entries);
    read_entries(&entries, names, 16);
    text = frs_sentence_across(&entries);
    ck_assert_msg(
        strstr(text, " (−20 %), same bytes (6 kB), same HR@10; decided; 8 seeds each."), "%s", text);
    free(text);
    frs_entries_fini(&entries);
}
END_TEST

/* The same seed twice, another choice, an unfinished run: no replicates. */
START_TEST(test_what_is_not_pooled) {
    static const char *const names[] = {"a", "b", "c", "d"};
    struct fake_run first = run_of(1, 10, UPLINK("375000"), NULL), again = first,
                    interrupted = run_of(2, 10, UPLINK("375000"), NULL),
                    other = run_of(
                        3, 10, "\"method.name\": \"colr\", \"network.uplink.median\": \"375000 B/s\"", NULL);
    interrupted.status = "interrupted";
    struct frs_entries entries;
    write_fake_run("a", &first);
    write_fake_run("b", &again);
    write_fake_run("c", &interrupted);
    write_fake_run("d", &other);
    read_entries(&entries, names, 4);
    ck_assert_uint_eq(entries.n, 4);
    ck_assert_uint_eq(entries.n_environments, 1);
    ck_assert(!frs_environments_are_apart(&entries));
    frs_entries_fini(&entries);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("across");
    TCase *tests = tcase_create("across");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, test_one_setting);
    tcase_add_test(tests, test_a_preset);
    tcase_add_test(tests, test_seeds_are_pooled);
    tcase_add_test(tests, test_what_is_not_pooled);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
