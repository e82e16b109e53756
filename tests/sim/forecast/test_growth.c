/* What clients keep between participations, predicted from two or three of them: by hand, and against what
 * models really keep after ten, and after sixty. */
#include "sim/base/errors.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/forecast/growth.h"
#include "sim/setup/compose/compose.h"
#include "tests/sim/run/fixture.h"

START_TEST(growth_is_extrapolated_by_hand) {
    /* 100, 60 more, 30 more, then half as much again each time: 220 in the end. */
    struct frs_growth growth = {.other_bytes = {100, 60, 30}, .most_other_bytes = INFINITY};
    ck_assert_double_eq(frs_growth_client_bytes(&growth, 1), 100);
    ck_assert_double_eq(frs_growth_client_bytes(&growth, 2), 160);
    ck_assert_double_eq(frs_growth_client_bytes(&growth, 3), 190);
    ck_assert_double_eq(frs_growth_client_bytes(&growth, 4), 205);
    ck_assert_double_eq_tol(frs_growth_client_bytes(&growth, 60), 220, 1e-9);
    ck_assert_double_eq(frs_growth_bytes(&growth, 1, 8, 4, 8), 8 * 205.0);
    /* Half of eight clients in each of two rounds: six take part, four of eight once and two twice. */
    double mean = frs_growth_client_bytes(&growth, 4.0 / 3);
    ck_assert_double_eq_tol(frs_growth_bytes(&growth, 1, 8, 2, 4), 6 * mean, 1e-9);
    ck_assert_double_eq(frs_growth_bytes(&growth, 1, 8, 0, 4), 0);
    /* Two clients that stand for all. */
    const struct frs_growth two[] = {{.other_bytes = {100, 60, 30}, .most_other_bytes = INFINITY},
        {.other_bytes = {10}, .most_other_bytes = 10}};
    ck_assert_double_eq(frs_growth_bytes(two, 2, 8, 4, 8), 4 * 205.0 + 4 * 10.0);
    /* As much every time. */
    growth = (struct frs_growth){.other_bytes = {10, 5, 5}, .most_other_bytes = 70};
    ck_assert_double_eq(frs_growth_client_bytes(&growth, 11), 60);
    ck_assert_double_eq(frs_growth_client_bytes(&growth, 20), 70);
    /* A vector, which replaces the last one. */
    growth = (struct frs_growth){.other_bytes = {64}, .most_other_bytes = 64};
    ck_assert_double_eq(frs_growth_bytes(&growth, 1, 1000, 100, 10), 64000 * (1 - pow(0.99, 100)));
}
END_TEST

/* Rows that are met by chance, whatever a third participation happens to meet. */
START_TEST(rows_by_hand) {
    /* 40 of 200, and a quarter of the others each time: 120 of 160 are left, then 90. */
    struct frs_growth growth = {
        .met_bytes = {40, 40}, .most_met_bytes = 200, .other_bytes = {7}, .most_other_bytes = 7};
    ck_assert_double_eq(frs_growth_client_bytes(&growth, 1), 47);
    ck_assert_double_eq(frs_growth_client_bytes(&growth, 2), 87);
    ck_assert_double_eq(frs_growth_client_bytes(&growth, 3), 117);
    ck_assert_double_eq_tol(frs_growth_client_bytes(&growth, 1000), 207, 1e-9);
    /* All of them at once, or no new ones. */
    growth = (struct frs_growth){.met_bytes = {200}, .most_met_bytes = 200};
    ck_assert_double_eq(frs_growth_client_bytes(&growth, 50), 200);
    growth = (struct frs_growth){.met_bytes = {40}, .most_met_bytes = 200};
    ck_assert_double_eq(frs_growth_client_bytes(&growth, 50), 40);
}
END_TEST

static const char *const methods[] = {"name = \"fedrap\"; variant = \"published_code\";",
    "name = \"pfedclr\";", "name = \"pfedclr\"; ablation = \"cf\";", "name = \"pfedrec\";",
    ("name = \"fedmf_update\"; dim = 16; };"
     " codec = { uplink = { name = \"topk\"; k = 1; error_feedback = true; };")};

static double bytes_of(const struct frs_setup *setup, struct frs_feedback *feedback) {
    struct frs_buffer bytes = {0};
    struct frs_archive archive = {.out = &bytes};
    frs_model_archive(setup->training.model, &archive);
    if (feedback)
        frs_feedback_archive(feedback, &archive);
    double n = (double)bytes.n;
    frs_buffer_fini(&bytes);
    return n;
}

enum { N_CLIENTS = 60, N_ROUNDS = 10 };

/* What ten rounds of all clients add. */
static double add_rounds(const struct frs_setup *setup, struct frs_client_update_order order) {
    struct frs_feedback *feedback = frs_training_feedback(&setup->training);
    struct frs_client_update_bench bench = {0};
    struct frs_client_update work = {0};
    double before_bytes = bytes_of(setup, feedback);
    order.feedback = feedback;
    for (; work.round < N_ROUNDS; work.round++)
        for (work.client = 0; work.client < N_CLIENTS; work.client++) {
            frs_client_update_run(&work, &setup->training, &order, &bench);
            frs_model_receive(setup->training.model, work.client, order.tables, work.round);
            frs_model_commit(setup->training.model, work.client, work.private_state, work.private_bytes);
            if (feedback)
                frs_feedback_commit(feedback, work.client, &work.residual);
        }
    double added_bytes = bytes_of(setup, feedback) - before_bytes;
    frs_client_update_fini(&work);
    frs_client_update_bench_fini(&bench);
    frs_feedback_destroy(feedback);
    return added_bytes;
}

static void load(const char *method, struct frs_scenario **scenario, struct frs_setup *setup) {
    struct frs_errors errors = {0};
    char *text =
        frs_format("seed = 3;\ndata = { synthetic = \"custom\"; users = %d; items = 400; interactions = "
                   "1200; };\nevaluation = { negatives = 10; };\nnetwork = { preset = \"fieldguide\"; };\n"
                   "devices = { preset = \"fieldguide\"; };\nmethod = { %s };\n",
            N_CLIENTS, method);
    write_text("s.cfg", text);
    char *path = frs_format("%s/s.cfg", frs_folder);
    enum frs_status status = frs_scenario_load(frs_sections, path, NULL, 0, scenario, &errors);
    if (status == FRS_OK)
        status = frs_compose(*scenario, setup, &errors);
    ck_assert_msg(status == FRS_OK, "%s", errors.n ? errors.lines[0] : "");
    free(text);
    free(path);
}

static double predict(const struct frs_setup *setup, struct frs_client_update_order order) {
    uint32_t clients[N_CLIENTS];
    for (uint32_t i = 0; i < N_CLIENTS; i++)
        clients[i] = i;
    struct frs_growth growths[N_CLIENTS];
    frs_growth_try(setup, order, clients, N_CLIENTS, growths);
    return frs_growth_bytes(growths, N_CLIENTS, N_CLIENTS, N_ROUNDS, N_CLIENTS);
}

static double bytes_by(
    double (*way)(const struct frs_setup *setup, struct frs_client_update_order order), const char *method) {
    struct frs_scenario *scenario;
    struct frs_setup setup;
    load(method, &scenario, &setup);
    struct frs_tables tables = frs_model_tables(setup.training.model);
    uint64_t round_seed =
        setup.training.learner->round_seed ? setup.training.learner->round_seed(setup.training.model, 0) : 0;
    double bytes = way(
        &setup, (struct frs_client_update_order){.tables = &tables, .round_seed = round_seed, .sends = true});
    frs_setup_fini(&setup);
    frs_scenario_destroy(scenario);
    return bytes;
}

START_TEST(kept_bytes_are_as_predicted) {
    double kept = bytes_by(add_rounds, methods[_i]), predicted = bytes_by(predict, methods[_i]);
    ck_assert_double_gt(kept, 0);
    ck_assert_msg(fabs(predicted - kept) <= 0.1 * kept, "%s: %.0f bytes predicted, %.0f kept", methods[_i],
        predicted, kept);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("growth");
    TCase *tests = tcase_create("growth");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, growth_is_extrapolated_by_hand);
    tcase_add_test(tests, rows_by_hand);
    tcase_add_loop_test(tests, kept_bytes_are_as_predicted, 0, sizeof methods / sizeof *methods);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
