/* Comparisons: Pareto fronts, ranks, and what is printed about runs whose figures were made up. */
#include "analysis/tables/compare.h"
#include "analysis/statistics/pareto.h"
#include "analysis/tables/network_robustness.h"
#include "tests/analysis/sweep_fixture.h"

/* (time, bytes): 0 and 1 are equal and on the front, 2 is beaten by both, 3 is on it, 4 is beaten by 3 in one
 * and equal in the other, 5 has a figure missing. */
START_TEST(dominated_entries_are_off_the_front) {
    const double values[] = {1, 4, 1, 4, 2, 4, 3, 1, 3, 2, NAN, 0};
    const bool expected[] = {true, true, false, true, false, false};
    bool on_front[6];
    frs_pareto_front(values, 6, 2, on_front);
    for (size_t i = 0; i < 6; i++)
        ck_assert_msg(on_front[i] == expected[i], "%zu", i);
    ck_assert(frs_pareto_dominates(values, values + 4, 2) && !frs_pareto_dominates(values, values + 2, 2));
    ck_assert(!frs_pareto_dominates(values + 6, values, 2) && !frs_pareto_dominates(values, values + 6, 2));
    ck_assert(frs_pareto_dominates(values + 6, values + 8, 2));
    ck_assert(!frs_pareto_dominates(values + 10, values, 2) && !frs_pareto_dominates(values, values + 10, 2));
    const double three[] = {1, 1, 1, 1, 1, 2, 2, 1, 0};
    frs_pareto_front(three, 3, 3, on_front);
    ck_assert(on_front[0] && !on_front[1] && on_front[2]);
}
END_TEST

START_TEST(ranks_share_ties) {
    const double values[] = {3, 1, NAN, 3, 5};
    const size_t smaller[] = {2, 1, 0, 2, 4}, larger[] = {2, 4, 0, 2, 1};
    size_t ranks[5];
    frs_ranks(values, 5, true, ranks);
    ck_assert_mem_eq(ranks, smaller, sizeof ranks);
    frs_ranks(values, 5, false, ranks);
    ck_assert_mem_eq(ranks, larger, sizeof ranks);
}
END_TEST

static struct frs_entries entries;

static void read_entries(const char *const *arguments, size_t n, const char *target) {
    enum frs_status status = frs_entries_read(arguments, n, target, &entries, &errors);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
}

static char *compare(const struct frs_compare_options *options) {
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    enum frs_status status = frs_compare(&entries, options, out, &errors);
    fclose(out);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
    return text;
}

/* HR@10 of 0.52 and 0.42; 180 s, and 93, 96 and 99 s; 6 MB and 1.5 MB. FedMF reaches 0.41 after two rounds in
 * two runs and after three in the third (120, 120 and 180 s); CoLR after three, and in one run never. */
START_TEST(test_cells_of_a_sweep) {
    static const char *const arguments[] = {"s:loss=none"};
    static const char expected[] =
        "With loss = none, fedmf reaches HR@10 0.41 after 2.3 min (0.9–3.8); it is not "
        "significantly different from colr (about 4 more replicates would decide it).\n\n"
        "Target: hr@10 ≥ 0.41 (test items, because there are no validation "
        "items). ± is half of the 95 % interval.\n"
        "\n"
        "| entry                   | n | hr@10         | simulated time, min | "
        "bytes, MB | wasted, B | time to target, min | bytes to target, MB |\n"
        "|-------------------------|---|---------------|---------------------|----"
        "-------|-----------|---------------------|---------------------|\n"
        "| loss=none, method=fedmf | 3 | 0.520 ± 0.050 | 3.00 ± 0            | "
        "6.000 ± 0 | 0 ± 0     | 2.3 ± 1.4           | 4.7 ± 2.9           |\n"
        "| loss=none, method=colr  | 3 | 0.420 ± 0.050 | 1.60 ± 0.12         | "
        "1.500 ± 0 | 0 ± 0     | 2/3 reached         | 2/3 reached         |\n"
        "\n"
        "**Differences to loss=none, method=fedmf**\n"
        "\n"
        "| entry                  | pairs | hr@10       | simulated time, s | "
        "bytes, MB  | wasted, B | time to target, s | bytes to target, B |\n"
        "|------------------------|-------|-------------|-------------------|-----"
        "-------|-----------|-------------------|--------------------|\n"
        "| loss=none, method=colr | 3     | -0.1000 ± 0 | -84.0 ± 7.5       | "
        "-4.500 ± 0 | 0 ± 0     | –                 | –                  |\n"
        "\n"
        "**Pareto front** of the means: time to target, bytes to target, hr@10\n"
        "\n"
        "- loss=none, method=fedmf is on it\n"
        "- loss=none, method=colr cannot be placed: it reaches the target in 2 of 3 runs\n";
    write_fake_sweep("s");
    read_entries(arguments, 1, "hr@10=0.41");
    char *text = compare(&(struct frs_compare_options){.csv = "c.csv"});
    ck_assert_str_eq(text, expected);
    free(text);
    text = read_file("c.csv");
    ck_assert_ptr_nonnull(strstr(text, "entry,metric,n,censored,mean,ci_low,ci_high,pairing,difference,"));
    ck_assert_ptr_nonnull(
        strstr(text, "\n\"loss=none, method=fedmf\",simulated_s,3,0,180,180,180,paired,0,0,0,1,,\"loss=none, "
                     "method=fedmf\"\n"));
    ck_assert_ptr_nonnull(strstr(text,
        "\n\"loss=none, method=colr\",time_to_target_s,3,1,,,,paired,,,,0,,\"loss=none, method=fedmf\"\n"));
    ck_assert_ptr_nonnull(
        strstr(text, "\n\"loss=none, method=colr\",bytes.sent,3,0,1500000,1500000,1500000,paired,-4500000,"));
    free(text);
    frs_entries_fini(&entries);
}
END_TEST

/* All entries reach the target: then the front is about the time and bytes to it. C takes as long as B and
 * ends where B does, but moves more bytes; A is slower and heavier, and ends higher. */
START_TEST(test_front_of_targets) {
    static const char *const arguments[] = {"a", "b/", "c"};
    const struct fake_run runs[] = {
        {.seed = 1, .hr = {0.5, 0.6}, .round_s = 10, .bytes = 1000, .popularity = 0.37},
        {.seed = 1, .hr = {0.4, 0.5}, .round_s = 4, .bytes = 100, .popularity = 0.37},
        {.seed = 1, .hr = {0.4, 0.5}, .round_s = 4, .bytes = 101, .popularity = 0.37}};
    for (size_t i = 0; i < 3; i++)
        write_fake_run((const char *const[]){"a", "b", "c"}[i], &runs[i]);
    read_entries(arguments, 3, NULL);
    ck_assert(frs_entries_any_reaches(&entries, (const size_t[]){0, 1, 2}, 3));
    static const char *const metrics[] = {"outcomes.delivered"};
    char *text = compare(&(struct frs_compare_options){.metrics = metrics, .n_metrics = 1});
    ck_assert_ptr_nonnull(
        strstr(text, "Target: hr@10 ≥ popularity + 0.03 (test items, because there are no validation items; "
                     "the default); --target names another."));
    ck_assert_ptr_nonnull(strstr(text, "| bytes to target, kB | outcomes.delivered |\n"));
    ck_assert_ptr_nonnull(
        strstr(text, "\n| b/    | 1 | 0.5000 ± – | 12 ± –            | 0.600 ± – | 0 ± –     | 8 ± –   "));
    ck_assert_ptr_nonnull(
        strstr(text, "**Pareto front** of the means: time to target, bytes to target, hr@10\n\n"
                     "- a is on it\n- b/ is on it\n- c is dominated by b/\n"));
    free(text);
    frs_entries_fini(&entries);
}
END_TEST

/* One run of another design that misses the target changes nothing for those that reach it: a and b are
 * compared by the time to the target (10 and 8 s), not by the whole runs. If no entry reaches it, the
 * whole runs decide. */
START_TEST(test_front_with_a_censored_run) {
    static const char *const three[] = {"a", "b", "c"}, *const nobody[] = {"c", "d"};
    const struct fake_run runs[] = {
        {.seed = 1, .hr = {0.5, 0.6}, .round_s = 10, .bytes = 1000, .popularity = 0.37},
        {.seed = 1, .hr = {0.4, 0.5}, .round_s = 4, .bytes = 100, .popularity = 0.37},
        {.seed = 1, .hr = {0.2, 0.3}, .round_s = 1, .bytes = 10, .popularity = 0.37},
        {.seed = 1, .hr = {0.2, 0.25}, .round_s = 2, .bytes = 20, .popularity = 0.37}};
    for (size_t i = 0; i < 4; i++)
        write_fake_run((const char *const[]){"a", "b", "c", "d"}[i], &runs[i]);
    read_entries(three, 3, NULL);
    ck_assert(frs_entries_any_reaches(&entries, (const size_t[]){0, 1, 2}, 3));
    ck_assert(!frs_entries_any_reaches(&entries, (const size_t[]){2}, 1));
    char *text = compare(&(struct frs_compare_options){0});
    ck_assert_msg(strstr(text, "**Pareto front** of the means: time to target, bytes to target, hr@10\n\n"
                               "- a is on it\n- b is on it\n"
                               "- c cannot be placed: it reaches the target in 0 of 1 runs\n"),
        "%s", text);
    free(text);
    frs_entries_fini(&entries);
    read_entries(nobody, 2, NULL);
    text = compare(&(struct frs_compare_options){0});
    ck_assert_msg(strstr(text, "**Pareto front** of the means: simulated time, bytes, hr@10\n\n"
                               "- c is on it\n- d is dominated by c\n"),
        "%s", text);
    free(text);
    frs_entries_fini(&entries);
}
END_TEST

/* The first entry has seeds 11 to 13, the run has 3: Welch's interval, which one run does not give. */
START_TEST(test_unpaired_and_warnings) {
    static const char *const arguments[] = {"s:loss=none,method=fedmf", "s:method=colr,loss=50 %, late", "r"};
    write_fake_sweep("s");
    write_fake_run("r", &(struct fake_run){.seed = 3,
                            .hr = {0.4, 0.5},
                            .round_s = 30,
                            .bytes = 1,
                            .protocol = "leaky",
                            .status = "interrupted",
                            .popularity = 0.4});
    read_entries(arguments, 3, NULL);
    char *text = compare(&(struct frs_compare_options){0});
    static const char start[] = "Warning: loss=50 %, late, method=colr: 1 of 3 runs are finished.\n"
                                "Warning: r was interrupted: it is compared as far as it went.\n"
                                "Warning: protocols differ: honest in loss=none, method=fedmf, leaky in "
                                "r.\n\nr reaches the HR@10 of popularity + 0.1 after 90 s; so "
                                "few replicates do not decide between it and ";
    ck_assert_msg(strncmp(text, start, strlen(start)) == 0, "%s", text);
    ck_assert_ptr_nonnull(strstr(text,
        "\n| r                            | unpaired | -0.0200 ± – | -90 ± –           | -6.000 ± – |"));
    ck_assert_ptr_nonnull(strstr(text, "| 6 B "));
    ck_assert_ptr_nonnull(strstr(text, "\nUnpaired: these runs do not have the seeds of the first entry;"));
    free(text);
    frs_entries_fini(&entries);
}
END_TEST

START_TEST(test_which_was_emulated) {
    static const char *const arguments[] = {"e", "r", "f"};
    struct fake_run run = {.seed = 3, .hr = {0.4, 0.5}, .round_s = 30, .bytes = 1, .popularity = 0.4};
    write_fake_run("r", &run);
    run.trusted = "true";
    write_fake_run("e", &run);
    run.trusted = "false";
    write_fake_run("f", &run);
    static const char *const expected[] = {
        "Warning: e: emulated over the kernel's TCP, with measured times.\n",
        "Warning: e: emulated over the kernel's TCP, with measured times; r: simulated.\n",
        "Warning: e, f: emulated over the kernel's TCP, with measured times, not all of which can be "
        "trusted; r: "
        "simulated.\n"};
    for (size_t n = 1; n <= 3; n++) {
        read_entries(arguments, n, NULL);
        char *text = compare(&(struct frs_compare_options){0});
        ck_assert_msg(strncmp(text, expected[n - 1], strlen(expected[n - 1])) == 0, "%s", text);
        free(text);
        frs_entries_fini(&entries);
    }
    read_entries(arguments + 1, 1, NULL);
    ck_assert_uint_eq(entries.n_warnings, 0);
    frs_entries_fini(&entries);
}
END_TEST

static void expect_refusal(const char *argument, const char *target, const char *line) {
    ck_assert_int_eq(frs_entries_read(&argument, 1, target, &entries, &errors), FRS_ERR_INPUT);
    expect_error(line);
}

START_TEST(folders_without_results_are_refused) {
    write_fake_sweep("s");
    ck_assert_int_eq(mkdir("empty", 0777), 0);
    expect_refusal("empty", NULL,
        "empty: is neither a run directory (no manifest.json) nor the folder of a sweep (no plan.json)");
    expect_refusal(
        "s:loss=all", NULL, "s: \"all\" does not start with a level of \"loss\"; allowed: none | 50 %, late");
    expect_refusal(
        "s:", NULL, "s: \"\" does not start with \"AXIS=\", an axis of the sweep; allowed: loss | method");
    expect_refusal("s", "hr@20=0.5", "s/points/0000/rounds.csv: has no column \"hr@20\"");
    static const char *const arguments[] = {"s"}, *const metrics[] = {"bytes.totl"};
    read_entries(arguments, 1, NULL);
    ck_assert_int_eq(frs_compare(&entries, &(struct frs_compare_options){.metrics = metrics, .n_metrics = 1},
                         stdout, &errors),
        FRS_ERR_INPUT);
    expect_error("--metric bytes.totl: no run has it (did you mean \"bytes.total\"?); points.csv of a sweep "
                 "lists what "
                 "there is");
    frs_entries_fini(&entries);
    ck_assert_int_eq(system("rm -r s/points/0*"), 0);
    expect_refusal("s/", NULL, "s/: has no finished run yet");
}
END_TEST

/* Two entries of three runs each, as they are and under one other network. */
static struct frs_metrics other[2][3];

static char *rank(const double values[2][3], bool left_out, size_t *turns) {
    struct frs_variant variants[2] = {{.name = "as it is"}, {.name = "lv08"}};
    struct frs_replicates runs[2] = {{0}, {0}},
                          own[2] = {entries.list[0].replicates, entries.list[1].replicates};
    char *no_reasons[2] = {NULL, NULL}, *reasons[2] = {NULL, left_out ? (char[]){"no such links"} : NULL};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < 3; k++) {
            frs_metrics_set(&other[i][k], "simulated_s", values[i][k]);
            if (!(left_out && i == 1))
                frs_replicates_add(&runs[i], 11 + k, &other[i][k]);
        }
    variants[0].entries = own;
    variants[0].reasons = no_reasons;
    variants[1].entries = runs;
    variants[1].reasons = reasons;
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    *turns = frs_ranking_print(&entries, variants, 2, "simulated_s", out);
    fclose(out);
    for (size_t i = 0; i < 2; i++) {
        frs_replicates_fini(&runs[i]);
        for (size_t k = 0; k < 3; k++)
            frs_metrics_fini(&other[i][k]);
    }
    return text;
}

/* As they are: FedMF 180 s, CoLR 93, 96 and 99 s, the difference 84 ± 4.303·3/√3 = 7.45 s. */
START_TEST(ranking_holds_under_each_network) {
    static const char *const arguments[] = {"s:loss=none"};
    static const char table[] =
        "\n**Ranking by simulated_s under other networks**, in min; smaller is better\n"
        "\n"
        "| entry                   | as it is       | lv08           |\n"
        "|-------------------------|----------------|----------------|\n"
        "| loss=none, method=fedmf | 2. 3.00 ± 0    | 1. 3.33 ± 0    |\n"
        "| loss=none, method=colr  | 1. 1.60 ± 0.12 | 2. 3.50 ± 0.41 |\n"
        "\n"
        "The ranking does not survive: 1 pair of entries changes the order.\n"
        "\n"
        "- lv08: loss=none, method=fedmf − loss=none, method=colr is -10.0 ± 24.8 s instead of "
        "+84.0 ± 7.5; undecided, because an interval contains 0 or is missing\n";
    size_t turns;
    write_fake_sweep("s");
    read_entries(arguments, 1, NULL);
    char *text = rank((const double[2][3]){{200, 200, 200}, {200, 210, 220}}, false, &turns);
    ck_assert_uint_eq(turns, 1);
    ck_assert_msg(strcmp(text, table) == 0, "%s", text);
    free(text);
    text = rank((const double[2][3]){{200, 200, 200}, {199, 200, 199}}, false, &turns);
    ck_assert_uint_eq(turns, 0);
    ck_assert_ptr_nonnull(strstr(text, "\nThe ranking survives: no pair of entries changes the order.\n"));
    free(text);
    text = rank((const double[2][3]){{200, 200, 200}, {300, 300, 300}}, true, &turns);
    ck_assert_uint_eq(turns, 0);
    ck_assert_ptr_nonnull(strstr(text, "\n- loss=none, method=colr is left out under lv08: no such links\n"));
    ck_assert_ptr_nonnull(strstr(text, "\nThe ranking survives as far as there are figures"));
    free(text);
    frs_entries_fini(&entries);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("compare");
    TCase *tests = tcase_create("compare");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, dominated_entries_are_off_the_front);
    tcase_add_test(tests, ranks_share_ties);
    tcase_add_test(tests, test_cells_of_a_sweep);
    tcase_add_test(tests, test_front_of_targets);
    tcase_add_test(tests, test_front_with_a_censored_run);
    tcase_add_test(tests, test_unpaired_and_warnings);
    tcase_add_test(tests, test_which_was_emulated);
    tcase_add_test(tests, folders_without_results_are_refused);
    tcase_add_test(tests, ranking_holds_under_each_network);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
