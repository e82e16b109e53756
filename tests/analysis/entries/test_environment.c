/* Two methods on two networks, made up so that a network would win against a method: what is compared with
 * what. */
#include "analysis/entries/environment.h"
#include "analysis/tables/collect.h"
#include "analysis/tables/compare.h"
#include "analysis/tables/network_robustness.h"
#include "tests/analysis/fixture.h"

/* network.preset {3g, fibre} × method.name {fedmf, colr}, two replicates. FedMF has 0.38 after two rounds of
 * 60 or 10 s and 0.50 after three, CoLR 0.41 and 0.45 in half the time; the second seed 0.01 more. Rounds
 * move 2 kB. */
static void write_sweep_plan(const char *roles[2], const char *more) {
    static const char *const labels[4] = {
        "\"3g\", \"fedmf\"", "\"3g\", \"colr\"", "\"fibre\", \"fedmf\"", "\"fibre\", \"colr\""};
    FILE *file = fopen("s/plan.json", "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file,
        "{\"format\": \"fedrecsim-plan-2\", \"name\": \"study\", \"version\": \"0\",\n\"axes\": ["
        "{\"name\": \"network.preset\", %s\"levels\": [\"3g\", \"fibre\"], \"keys\": [\"network.preset\"]},"
        "{\"name\": \"method.name\", %s\"levels\": [\"fedmf\", \"colr\"], \"keys\": [\"method.name\"]}],\n"
        "\"replicates\": 2, %s, \"early_stop\": null, \"settings\": {}, \"points\": [",
        roles[0], roles[1], more);
    for (size_t i = 0; i < 8; i++)
        fprintf(file,
            "%s\n{\"index\": %zu, \"cell\": %zu, \"levels\": [%s], \"replicate\": %zu, \"seed\": %zu,"
            " \"hash\": \"h%zu\", \"settings\": {}}",
            i ? "," : "", i, i / 2, labels[i / 2], i % 2 + 1, 11 + i % 2, i);
    fputs("]}\n", file);
    ck_assert_int_eq(fclose(file), 0);
}

static const char *no_roles[2] = {"", ""}; /* as an old version wrote it */
#define REACHABLE                                                                                            \
    "\"target\": {\"metric\": \"hr@10\", \"comparison\": \">=\", \"non_federated\": null, \"value\": 0.4}"
#define TOO_HIGH                                                                                             \
    "\"target\": {\"metric\": \"hr@10\", \"comparison\": \">=\", \"non_federated\": null, \"value\": 0.9}"

static void write_sweep(void) {
    ck_assert_int_eq(mkdir("s", 0777), 0);
    ck_assert_int_eq(mkdir("s/points", 0777), 0);
    write_sweep_plan(no_roles, "\"metrics\": [], \"baseline\": 0, " REACHABLE);
    for (size_t i = 0; i < 8; i++) {
        bool colr = i / 2 % 2, fibre = i / 4;
        double more = i % 2 ? 0.01 : 0;
        char *path = frs_format("s/points/%04zu", i), *hash = frs_format("h%zu", i);
        write_fake_run(path, &(struct fake_run){.seed = 11 + i % 2,
                                 .hr = {(colr ? 0.41 : 0.38) + more, (colr ? 0.45 : 0.50) + more},
                                 .round_s = (fibre ? 10 : 60) / (colr ? 2.0 : 1.0),
                                 .popularity = 0.3,
                                 .bytes = 1000,
                                 .hash = hash});
        free(path);
        free(hash);
    }
}

static char *collect(const struct frs_collect_options *options) {
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    enum frs_status status = frs_collect("s", options, out, NULL, &errors);
    fclose(out);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
    return text;
}

#define START                                                                                                \
    "# study\n\nOn 3g, colr reaches HR@10 0.4 after 1.0 min (0.0–3.6); it is not significantly different " \
    "from fedmf (about "                                                                                     \
    "2 more replicates would decide it). colr leads, too, on "                                               \
    "fibre, but is not significantly ahead of all others.\n"                                                 \
    "\n8 of 8 points finished: 4 cells, 2 replicates.\n"
#define CONVENTIONS                                                                                          \
    "± is half of the 95 % interval of the mean (Student's t over the replicates).\n"                       \
    "Design factors: method.name. Environments: network.preset.\n"                                           \
    "Differences are to method.name=fedmf under the same environments, seed by seed.\n"

/* Evaluations of fedmf are 60 s apart, and the first one of colr, by which it reaches the target, is 60 s
 * after its start: 12.706·60/√24 = 155.6 s = 2.59 min; a ratio of 1/3 with 155.6·√(1 + 1/9)/180 = 0.911. By
 * logarithms steps are 1/3 and 1, and ln 3 is 5.1 times √((1/9 + 1)/24), less than t(0.9875; 1) = 25.5.
 * 12.706·0.01/2 = 0.0635; 180 and 60 s, 30 and 10 s: a third on either network; six rounds' kB against four.
 */
START_TEST(tables_compare_within_an_environment) {
    static const char expected[] =
        START "Target: hr@10 ≥ 0.4 (test items, because there are no validation items). \"3 of 5\" means "
              "that so many runs reached it.\n" CONVENTIONS "\n**hr@10**\n\n"
              "| network.preset | method.name = fedmf | colr          |\n"
              "|----------------|---------------------|---------------|\n"
              "| 3g             | 0.505 ± 0.064       | 0.455 ± 0.064 |\n"
              "| fibre          | 0.505 ± 0.064       | 0.455 ± 0.064 |\n"
              "| *popularity*   | 0.300 ± 0           | 0.300 ± 0     |\n"
              "\n**hr@10, difference to method.name=fedmf**\n\n"
              "| network.preset | method.name = fedmf | colr         |\n"
              "|----------------|---------------------|--------------|\n"
              "| 3g             |                     | -0.05000 ± 0 |\n"
              "| fibre          |                     | -0.05000 ± 0 |\n"
              "\n**time_to_target_s, in min**\n\n"
              "| network.preset | method.name = fedmf | colr        |\n"
              "|----------------|---------------------|-------------|\n"
              "| 3g             | 3.00 ± 2.59         | 1.00 ± 2.59 |\n"
              "| fibre          | 0.50 ± 0.43         | 0.17 ± 0.43 |\n"
              "\n**time_to_target_s, ratio to method.name=fedmf**\n\n"
              "| network.preset | method.name = fedmf | colr        |\n"
              "|----------------|---------------------|-------------|\n"
              "| 3g             |                     | 0.33 ± 0.91 |\n"
              "| fibre          |                     | 0.33 ± 0.91 |\n"
              "\n**sent_bytes_to_target, in kB**\n\n"
              "| network.preset | method.name = fedmf | colr       |\n"
              "|----------------|---------------------|------------|\n"
              "| 3g             | 6.0 ± 5.2           | 4.0 ± 10.4 |\n"
              "| fibre          | 6.0 ± 5.2           | 4.0 ± 10.4 |\n";
    write_sweep();
    char *text = collect(NULL);
    ck_assert_str_eq(text, expected);
    free(text);
    text = read_file("s/differences.csv");
    ck_assert_ptr_nonnull(strstr(text, "\n1,3g,colr,0,hr@10,2,-0.0"));
    ck_assert_ptr_nonnull(strstr(text, "\n3,fibre,colr,2,hr@10,2,-0.0"));
    ck_assert(!strstr(text, "\n2,fibre,fedmf,"));
    free(text);
}
END_TEST

/* How many tables have this title. */
static size_t count(const char *text, const char *what) {
    size_t n = 0;
    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

START_TEST(roles_follow_keys_in_old_plans) {
    write_sweep();
    write_sweep_plan(no_roles, "\"metrics\": [], \"baseline\": null, " TOO_HIGH);
    char *text = collect(NULL);
    ck_assert_ptr_nonnull(
        strstr(text, "\nNo run reached the target: time and bytes are those of the whole runs.\n"));
    ck_assert_uint_eq(count(text, "\n**"), 5);
    ck_assert_ptr_nonnull(strstr(text, "\n**simulated_s, in min**\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n**simulated_s, ratio to method.name=fedmf**\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n**bytes.sent, in kB**\n"));
    free(text);
    /* FedMF reaches 0.5, CoLR does not: no ratio, and that is said. */
    text = collect(&(struct frs_collect_options){.target = "hr@10=0.5"});
    ck_assert_ptr_nonnull(strstr(text, "| 0 of 2 |"));
    ck_assert_ptr_nonnull(
        strstr(text, "\n**time_to_target_s, ratio to method.name=fedmf**: none, because on one side "
                     "or the other a run did not get there.\n"));
    free(text);
}
END_TEST

START_TEST(all_tables_are_printed_on_demand) {
    write_sweep();
    char *text = collect(&(struct frs_collect_options){.all = true});
    static const char *const more[] = {"**simulated_s, in ", "**simulated_s, difference to ",
        "**simulated_s, ratio to ", "**round_s, in ", "**bytes.down, in ", "**bytes.up, ratio to ",
        "**bytes.wasted, in ", "**rounds_to_target**", "**time_to_target_s, difference to ",
        "**sent_bytes_to_target, ratio to "};
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        ck_assert_msg(count(text, more[i]) == 1, "%s: %zu", more[i], count(text, more[i]));
    ck_assert_uint_eq(count(text, "**hr@10**"), 1);
    ck_assert_uint_eq(count(text, "**time_to_target_s, ratio to "), 1);
    free(text);
    write_sweep_plan(no_roles, "\"metrics\": [\"round_s\"], \"baseline\": null, \"target\": null");
    text = collect(NULL);
    ck_assert_uint_eq(count(text, "**round_s, in "), 1);
    ck_assert_uint_eq(count(text, "**hr@10"), 0);
    free(text);
    text = collect(&(struct frs_collect_options){.all = true});
    ck_assert_uint_eq(count(text, "**round_s, in "), 1);
    ck_assert_uint_eq(count(text, "**hr@10**"), 1);
    free(text);
}
END_TEST

/* No design factor: values only, until an option names what to compare with. */
START_TEST(without_design_factor_nothing_is_compared) {
    static const char *roles[2] = {"", "\"role\": \"environment\", "};
    write_sweep();
    write_sweep_plan(roles, "\"metrics\": [], \"baseline\": null, " REACHABLE);
    char *text = collect(NULL);
    ck_assert_ptr_nonnull(
        strstr(text, "\nEnvironments: network.preset, method.name. No axis is a design factor, so "
                     "nothing is compared; a baseline names what to compare with.\n"));
    ck_assert_uint_eq(count(text, "\n**"), 3);
    free(text);
    text = collect(&(struct frs_collect_options){.baseline = "network.preset=3g"});
    ck_assert_ptr_nonnull(strstr(text, "\nDifferences are to network.preset=3g, seed by seed.\n"));
    ck_assert_uint_eq(count(text, "\n**"), 5);
    free(text);
    roles[0] = "\"role\": \"neither\", ";
    write_sweep_plan(roles, "\"metrics\": []");
    ck_assert_int_eq(frs_collect("s", NULL, NULL, NULL, &errors), FRS_ERR_INPUT);
    expect_error(
        "s/plan.json: the \"role\" of axis \"network.preset\" has to be \"design\" or \"environment\"");
}
END_TEST

/* ---- compare ---- */

static struct frs_entries entries;

static void read_entries(const char *const *arguments, size_t n) {
    enum frs_status status = frs_entries_read(arguments, n, NULL, &entries, &errors);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
}

static void group(const char *within, const char *across) {
    const struct frs_grouping grouping = {&within, within != NULL, &across, across != NULL};
    ck_assert_int_eq(frs_environments_find(&entries, &grouping, &errors), FRS_OK);
    expect_no_error();
}

static char *compare(const char *baseline) {
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    enum frs_status status = frs_compare(
        &entries, &(struct frs_compare_options){.baseline = baseline, .csv = "c.csv"}, out, &errors);
    fclose(out);
    expect_no_error();
    ck_assert_int_eq(status, FRS_OK);
    return text;
}

#define FEDMF_3G "network.preset=3g, method.name=fedmf"
#define COLR_3G "network.preset=3g, method.name=colr"
#define FEDMF_FIBRE "network.preset=fibre, method.name=fedmf"
#define COLR_FIBRE "network.preset=fibre, method.name=colr"

/* On one network each method is better in something. On fibre FedMF is better than anything on 3G. */
START_TEST(test_no_network_against_a_method) {
    static const char *const arguments[] = {"s"};
    write_sweep();
    write_sweep_plan(no_roles, "\"metrics\": [], \"baseline\": 0, " TOO_HIGH);
    read_entries(arguments, 1);
    char *text = compare(NULL);
    ck_assert_ptr_nonnull(
        strstr(text, "\nCompared within each environment: they differ in network.preset. --across "
                     "network.preset compares across them.\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n## network.preset=3g\n\n| entry "));
    ck_assert_ptr_nonnull(strstr(text, "\n## network.preset=fibre\n\n| entry "));
    ck_assert_uint_eq(count(text, " is on it\n"), 4);
    ck_assert_uint_eq(count(text, " is dominated by "), 0);
    ck_assert_uint_eq(count(text, "\n**Differences to " FEDMF_3G "**\n"), 1);
    ck_assert_uint_eq(count(text, "\n**Differences to " FEDMF_FIBRE "**\n"), 1);
    free(text);
    text = read_file("c.csv");
    ck_assert_ptr_nonnull(strstr(text, ",on_front,environment,baseline\n"));
    ck_assert_ptr_nonnull(strstr(text,
        "\n\"" COLR_FIBRE
        "\",bytes.sent,2,0,6000,6000,6000,paired,0,0,0,1,network.preset=fibre,\"" FEDMF_FIBRE "\"\n"));
    free(text);
    frs_entries_fini(&entries);
}
END_TEST

START_TEST(test_within_and_across) {
    static const char *const arguments[] = {"s"};
    write_sweep();
    write_sweep_plan(no_roles, "\"metrics\": [], \"baseline\": 0, " TOO_HIGH);
    read_entries(arguments, 1);
    group(NULL, "network.preset");
    char *text = compare(NULL);
    ck_assert_uint_eq(entries.n_environments, 1);
    ck_assert_uint_eq(count(text, "\n**Differences to " FEDMF_3G "**\n"), 1);
    ck_assert_ptr_nonnull(strstr(text, "\n- " COLR_3G " is dominated by " FEDMF_FIBRE "; " COLR_FIBRE "\n"));
    free(text);
    group("method.name", "network.preset");
    text = compare(NULL);
    ck_assert_ptr_nonnull(strstr(text, "\n## method.name=colr\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n- " COLR_3G " is dominated by " COLR_FIBRE "\n"));
    free(text);
    group("method.name", NULL);
    text = compare(NULL);
    ck_assert_uint_eq(entries.n_environments, 4);
    ck_assert_ptr_nonnull(
        strstr(text, "\nNothing is ranked, because every entry has an environment of its own: they "
                     "differ in network.preset, method.name. --across network.preset --across "
                     "method.name compares across them, --baseline ENTRY with one of them.\n"));
    ck_assert_uint_eq(count(text, "**Differences") + count(text, "**Pareto"), 0);
    free(text);
    const char *name = "network";
    ck_assert_int_eq(
        frs_environments_find(&entries, &(struct frs_grouping){&name, 1, NULL, 0}, &errors), FRS_ERR_INPUT);
    expect_error("--within network: is no axis of the sweep; allowed: network.preset | method.name");
    name = "method.name";
    ck_assert_int_eq(
        frs_environments_find(&entries, &(struct frs_grouping){&name, 1, &name, 1}, &errors), FRS_ERR_INPUT);
    expect_error("--across method.name: is also --within; allowed: one of them");
    frs_entries_fini(&entries);
}
END_TEST

START_TEST(test_a_baseline_by_name) {
    static const char *const arguments[] = {"s"};
    write_sweep();
    write_sweep_plan(no_roles, "\"metrics\": [], \"baseline\": 0, " TOO_HIGH);
    read_entries(arguments, 1);
    char *text = compare(COLR_3G);
    ck_assert_uint_eq(count(text, "\n**Differences to " COLR_3G "**\n"), 2);
    ck_assert_ptr_nonnull(strstr(text, "| " FEDMF_3G " | 2     | +0.05000 ± 0 |"));
    ck_assert_ptr_nonnull(strstr(text, "| " COLR_FIBRE "  | 2     | 0 ± 0        |"));
    ck_assert_uint_eq(count(text, " is dominated by "), 0);
    free(text);
    ck_assert_int_eq(
        frs_compare(&entries, &(struct frs_compare_options){.baseline = "colr"}, stdout, &errors),
        FRS_ERR_INPUT);
    expect_error(
        "--baseline colr: is no entry; allowed: " FEDMF_3G " | " COLR_3G " | " FEDMF_FIBRE " | " COLR_FIBRE);
    frs_entries_fini(&entries);
}
END_TEST

/* Runs are together where their settings are, whatever seeds, files and choices they have. */
START_TEST(runs_of_one_environment_are_together) {
    static const char *const arguments[] = {"a", "b", "c"};
    static const char *const settings[] = {"\"method.name\": \"fedmf\", \"network.uplink.median\": \"1\", "
                                           "\"network.jitter\": \"0\", \"file\": \"x\"",
        "\"method.name\": \"colr\", \"network.uplink.median\": \"2\", \"network.jitter\": \"0.5\", \"file\": "
        "\"y\"",
        "\"method.name\": \"colr\", \"network.uplink.median\": \"1\", \"network.jitter\": \"0\", \"file\": "
        "\"y\""};
    for (size_t i = 0; i < 3; i++)
        write_fake_run(arguments[i], &(struct fake_run){.seed = i + 1,
                                         .hr = {0.4, 0.5},
                                         .round_s = i == 1 ? 1 : 10,
                                         .bytes = 1000,
                                         .popularity = 0.3,
                                         .settings = settings[i]});
    read_entries(arguments, 3);
    char *text = compare(NULL);
    ck_assert_ptr_nonnull(
        strstr(text, "\nCompared within each environment: they differ in network.uplink.median, "
                     "network.jitter. --across network compares across them.\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n## network.uplink.median=1\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n**Differences to a**\n"));
    ck_assert_uint_eq(count(text, "**Differences"), 1);
    ck_assert_uint_eq(count(text, " is dominated by "), 0);
    free(text);
    group(NULL, "network.uplink.median");
    ck_assert_uint_eq(entries.n_environments, 2);
    ck_assert_str_eq(entries.separators, "network.jitter");
    group(NULL, "network");
    text = compare(NULL);
    ck_assert_ptr_nonnull(strstr(text, "\n- a is dominated by b\n- c is dominated by b\n"));
    free(text);
    group("method", NULL);
    ck_assert_uint_eq(entries.n_environments, 3);
    const char *name = "netwrk";
    ck_assert_int_eq(
        frs_environments_find(&entries, &(struct frs_grouping){NULL, 0, &name, 1}, &errors), FRS_ERR_INPUT);
    expect_error("--across netwrk: is no axis and no setting of a run; allowed: a setting or section as in "
                 "manifest.json, such as network.model or network");
    frs_entries_fini(&entries);
}
END_TEST

/* ---- rankings ---- */

/* Under the other network everything on 3G takes a tenth, so that it passes what is on fibre: no pair turns
 * round. */
START_TEST(ranking_is_within_an_environment) {
    static const char *const arguments[] = {"s"};
    static const double other_s[4] = {18, 9, 30, 15};
    struct frs_metrics metrics[4] = {{0}};
    struct frs_replicates own[4], runs[4] = {{0}};
    char *reasons[4] = {0};
    struct frs_variant variants[2] = {{"as it is", own, reasons}, {"lv08", runs, reasons}};
    char *text = NULL;
    size_t n = 0;
    write_sweep();
    read_entries(arguments, 1);
    for (size_t i = 0; i < 4; i++) {
        own[i] = entries.list[i].replicates;
        frs_metrics_set(&metrics[i], "simulated_s", other_s[i]);
        frs_replicates_add(&runs[i], 11, &metrics[i]);
        frs_replicates_add(&runs[i], 12, &metrics[i]);
    }
    FILE *out = open_memstream(&text, &n);
    ck_assert_uint_eq(frs_ranking_print(&entries, variants, 2, "simulated_s", out), 0);
    fclose(out);
    ck_assert_ptr_nonnull(
        strstr(text, "\n**Ranking by simulated_s under other networks**, within each environment"));
    ck_assert_ptr_nonnull(strstr(text, "\n| network.preset=fibre | " FEDMF_FIBRE " | 2. 0.500 ± 0"));
    ck_assert_ptr_nonnull(strstr(text, "\nThe ranking survives: no pair of entries changes the order.\n"));
    free(text);
    group(NULL, "network.preset");
    out = open_memstream(&text, &n);
    ck_assert_uint_eq(frs_ranking_print(&entries, variants, 2, "simulated_s", out), 3);
    fclose(out);
    free(text);
    group("method.name", NULL);
    out = open_memstream(&text, &n);
    ck_assert_uint_eq(frs_ranking_print(&entries, variants, 2, "simulated_s", out), 0);
    fclose(out);
    ck_assert_ptr_nonnull(
        strstr(text, "\nThere is nothing to rank: every entry has an environment of its own.\n"));
    free(text);
    for (size_t i = 0; i < 4; i++) {
        frs_metrics_fini(&metrics[i]);
        frs_replicates_fini(&runs[i]);
    }
    frs_entries_fini(&entries);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("environments");
    TCase *tests = tcase_create("environments");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, tables_compare_within_an_environment);
    tcase_add_test(tests, roles_follow_keys_in_old_plans);
    tcase_add_test(tests, all_tables_are_printed_on_demand);
    tcase_add_test(tests, without_design_factor_nothing_is_compared);
    tcase_add_test(tests, test_no_network_against_a_method);
    tcase_add_test(tests, test_within_and_across);
    tcase_add_test(tests, test_a_baseline_by_name);
    tcase_add_test(tests, runs_of_one_environment_are_together);
    tcase_add_test(tests, ranking_is_within_an_environment);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
