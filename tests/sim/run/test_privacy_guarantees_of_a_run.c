/* Labels: slow
 *
 * Privacy guarantees of a whole run: what a target asks of the noise, and what is claimed and told. */
#include "tests/sim/run/privacy_fixture.h"

/* A target chooses the noise: all rounds of the worst client together keep it, and chance alone lets sampling
 * count. */
START_TEST(a_target_chooses_the_noise) {
    check_runs("fedmf", "aggregation = \"uniform\";",
        CLIP ", { name = \"gaussian\"; at = \"server\"; epsilon = 3.0; }", "");
    ck_assert_double_le(summary_of("out", "privacy_guarantee", "epsilon_max"), 3 + 1e-6);
    ck_assert_double_eq(summary_of("out", "privacy_guarantee", "sampling_rate"), 0.1);
    double sampled = summary_of("out", "privacy_guarantee", "noise_scale");
    check_runs("fedmf", "aggregation = \"uniform\";",
        CLIP ", { name = \"gaussian\"; at = \"server\"; epsilon = 3.0; }",
        "--set rounds.selection=round_robin");
    ck_assert(isnan(summary_of("out", "privacy_guarantee", "sampling_rate")));
    ck_assert_double_gt(summary_of("out", "privacy_guarantee", "noise_scale"), sampled);
    check_runs(
        "fedmf", "", "{ name = \"clip\"; norm = \"l1\"; }, { name = \"laplace\"; epsilon = 3.0; }", "");
    double most = summary_of("out", "privacy_guarantee", "rounds_max");
    ck_assert_double_eq_tol(summary_of("out", "privacy_guarantee", "epsilon_max"), 3 * most / 4, 1e-6);
    check_runs(
        "fedmf", "", CLIP ", { name = \"gaussian\"; epsilon = 3.0; participations = 1; delta = 1e-6; }", "");
    ck_assert_double_eq_tol(summary_of("out", "privacy_guarantee", "epsilon_per_round"), 3, 1e-6);
}
END_TEST

/* Clients that take part more often than an epsilon was to be kept for have lost more, and that is said;
 * `check` predicts it. */
START_TEST(missed_targets_are_told) {
    static const char missed[] = CLIP ", { name = \"gaussian\"; epsilon = 3.0; participations = 1; }";
    check_runs("fedmf", "", missed, "");
    struct table clients = table_load("out", "clients.csv");
    unsigned beyond = 0;
    double most = 0;
    for (size_t i = 0; i < clients.n_rows; i++) {
        beyond += cell(&clients, i, "delivered") > 1;
        most = fmax(most, cell(&clients, i, "delivered"));
    }
    ck_assert_uint_gt(beyond, 0);
    ck_assert_double_eq(summary_of("out", "privacy_guarantee", "clients_beyond"), beyond);
    ck_assert_double_eq(summary_of("out", "privacy_guarantee", "epsilon_requested"), 3);
    ck_assert_double_eq(summary_of("out", "privacy_guarantee", "rounds_requested"), 1);
    char *line = frs_format("epsilon 3 was to be kept over 1 participation: %u of %zu clients took part more "
                            "often, and lost up to %.4g\n",
        beyond, clients.n_rows, summary_of("out", "privacy_guarantee", "epsilon_max"));
    ck_assert_msg(strstr(frs_said, line) != NULL, "%s: %s", line, frs_said);
    line[strlen(line) - 1] = '\0';
    char *page = read_text("out/report.html");
    ck_assert_ptr_nonnull(strstr(page, line));
    free(page);
    free(line);
    table_fini(&clients);
    ck_assert_int_eq(run_program("check s.cfg"), 0);
    line = frs_format(
        "\n  privacy      gaussian noise of the client: epsilon 3 a round, %.4g after the %.0f of the "
        "client that takes part most, which misses epsilon 3, kept over 1 (delta 1e-05",
        summary_of("out", "privacy_guarantee", "epsilon_max"), most);
    ck_assert_msg(strstr(frs_said, line) != NULL, "%s: %s", line, frs_said);
    free(line);
    check_runs("fedmf", "", CLIP ", { name = \"gaussian\"; epsilon = 3.0; }", "");
    ck_assert_double_eq(summary_of("out", "privacy_guarantee", "clients_beyond"), 0);
    ck_assert_ptr_null(strstr(frs_said, "was to be kept"));
    ck_assert_int_eq(run_program("check s.cfg"), 0);
    ck_assert_ptr_null(strstr(frs_said, "misses"));
}
END_TEST

/* Who takes part when is itself a hint at data where they decide it, and no noise hides that. */
START_TEST(schedules_that_follow_data) {
    static const struct {
        const char *option, *reason;
    } cases[] = {{"", NULL}, {"--set rounds.selection=round_robin", NULL},
        {"--set rounds.selection=data_size", "the selection goes by how much data clients have"},
        {"--set rounds.policy=over_select",
            "the policy goes by who is first, and clients with more data take longer"},
        {"--set rounds.policy=over_select --set devices.compute=none", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_runs("fedmf", "", LOCAL, cases[i].option);
        const char *although =
            strstr(frs_said, "; who takes part in which round is taken as given, although ");
        ck_assert_msg(!although == !cases[i].reason, "%s: %s", cases[i].option, frs_said);
        ck_assert(!although || strstr(although, cases[i].reason));
    }
}
END_TEST

/* Where every client takes part in all 40 rounds all have the same epsilon, which is not the sum of 40 times
 * 0.1. */
START_TEST(means_count_as_the_worst_does) {
    check_runs("fedmf", "",
        "{ name = \"clip\"; norm = \"l1\"; }, { name = \"laplace\"; scale = 20.0; delta = 1e-5; }",
        "--set rounds.count=40 --set rounds.cohort=200");
    double worst = summary_of("out", "privacy_guarantee", "epsilon_max");
    ck_assert_double_lt(worst, 3.5);
    ck_assert_double_eq_tol(summary_of("out", "privacy_guarantee", "epsilon_mean"), worst, 1e-9);
}
END_TEST

/* By default a client that is slow in an exchange of masks is cut, and a round with too many of them
 * abandoned: then chance alone does not decide which clients are aggregated. */
START_TEST(patience_and_sampling) {
    static const char masks[] =
        CLIP ", { name = \"pairwise_masks\"; %s }, { name = \"gaussian\"; at = \"server\"; noise = 1.0; }";
    static const char *const patience[] = {"", "patience = \"unlimited\";"};
    for (size_t i = 0; i < 2; i++) {
        char *mechanisms = frs_format(masks, patience[i]);
        check_runs("fedmf_update", "aggregation = \"uniform\";", mechanisms, "");
        double rate = summary_of("out", "privacy_guarantee", "sampling_rate");
        ck_assert(i == 0 ? isnan(rate) : fabs(rate - 0.1) < 1e-12);
        if (i == 1) { /* cohorts left to chance may be too small, and are void then */
            check_runs(
                "fedmf_update", "aggregation = \"uniform\";", mechanisms, "--set rounds.selection=bernoulli");
            ck_assert(isnan(summary_of("out", "privacy_guarantee", "sampling_rate")));
        }
        free(mechanisms);
    }
}
END_TEST

/* Cohorts of 1 of 200 on average, of which chance leaves about every third empty: its row has no client, no
 * time and nothing new. One of 30 is never empty in four rounds (.85^199 = 9e-15), so that sampling counts,
 * and z is told in the one clip that presence is worth. */
START_TEST(left_to_chance) {
    static const char alone[] =
        "--set rounds.selection=bernoulli --set rounds.cohort=1 --set rounds.count=30 "
        "--set evaluation.every=1";
    write_scenario("fedmf", "aggregation = \"uniform\";", "");
    run_scenario("s.cfg", "out", alone);
    struct table rounds = table_load("out", "rounds.csv");
    size_t empty = 0;
    ck_assert_uint_eq(rounds.n_rows, 30);
    for (size_t i = 1; i < rounds.n_rows; i++) {
        if (cell(&rounds, i, "selected") > 0)
            continue;
        empty++;
        ck_assert_double_eq(cell(&rounds, i, "duration_s"), 0);
        ck_assert_double_eq(cell(&rounds, i, "down_bytes"), 0);
        ck_assert_double_eq(cell(&rounds, i, "hr@10"), cell(&rounds, i - 1, "hr@10"));
        ck_assert_double_eq(cell(&rounds, i, "ndcg@10"), cell(&rounds, i - 1, "ndcg@10"));
    }
    ck_assert(empty >= 3 && empty <= 20);
    table_fini(&rounds);
    check_runs("fedmf", "aggregation = \"uniform\";", CENTRAL, alone);
    ck_assert(isnan(summary_of("out", "privacy_guarantee", "sampling_rate")));
    check_runs("fedmf", "aggregation = \"uniform\";", CENTRAL,
        "--set rounds.selection=bernoulli --set rounds.cohort=30");
    ck_assert_double_eq(summary_of("out", "privacy_guarantee", "sampling_rate"), 0.15);
    ck_assert_ptr_nonnull(strstr(frs_said, "whether one client's data are there"));
    /* The rate that is counted by is the one that is selected by, whatever rounds.cohort expects. */
    double of_30 = summary_of("out", "privacy_guarantee", "epsilon_max");
    check_runs("fedmf", "aggregation = \"uniform\";", CENTRAL,
        "--set rounds.selection=bernoulli --set rounds.cohort=40");
    double of_40 = summary_of("out", "privacy_guarantee", "epsilon_max");
    check_runs("fedmf", "aggregation = \"uniform\";", CENTRAL,
        "--set rounds.selection=bernoulli --set rounds.cohort=30 --set rounds.selection.probability=0.2");
    ck_assert_double_eq(summary_of("out", "privacy_guarantee", "sampling_rate"), 0.2);
    ck_assert_double_eq(summary_of("out", "privacy_guarantee", "epsilon_max"), of_40);
    ck_assert_double_gt(of_40, of_30);
    /* With clients offline sampling counts for nothing. */
    check_runs("fedmf", "aggregation = \"uniform\";", CENTRAL,
        "--set rounds.selection=bernoulli --set rounds.cohort=30 --set rounds.selection.probability=0.2 "
        "--set availability.model=bernoulli --set availability.p=0.9");
    ck_assert(isnan(summary_of("out", "privacy_guarantee", "sampling_rate")));
    check_refused("fedmf", "", "", "--set rounds.selection=bernoulli --set rounds.policy=over_select",
        "leaves to chance how many clients are selected");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("privacy guarantees of a run");
    TCase *tests = tcase_create("privacy guarantees of a run");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_target_chooses_the_noise);
    tcase_add_test(tests, missed_targets_are_told);
    tcase_add_test(tests, schedules_that_follow_data);
    tcase_add_test(tests, means_count_as_the_worst_does);
    tcase_add_test(tests, patience_and_sampling);
    tcase_add_test(tests, left_to_chance);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
