/* Plans: numbering, seeds, what a point holds, and that a file gives back the very same scenarios. */
#include "sim/base/errors.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/setup/compose/compose.h"
#include "sim/scenario/hash.h"
#include "sim/sweep/plan.h"
#include "tests/sim/run/fixture.h"

static char before[4096];

static void setup(void) {
    folder_setup();
    ck_assert_ptr_nonnull(getcwd(before, sizeof before));
    ck_assert_int_eq(chdir(frs_folder), 0);
}

static void teardown(void) {
    ck_assert_int_eq(chdir(before), 0);
    folder_teardown();
}

static const char scenario[] =
    "seed = 7;\ndata = { synthetic = \"small\"; };\nmethod = { colr = { rank = 2; }; };\n"
    "network = { preset = \"mixed-mobile\"; };\n"
    "sweep = { vary = [ \"method.name = fedmf, colr\", \"net | mobile | plain: network.downlink=6 Mbit/s & "
    "network.uplink=1 Mbit/s\" ]; replicates = 3; baseline = \"net = mobile\"; target = \"hr@10 >= "
    "popularity + "
    "0.03\"; metrics = [ \"hr@10\", \"bytes.up\" ]; stop_metric = \"hr@10\"; stop_width = 0.02; };\n";

static struct frs_sweep_plan *build(void) {
    struct frs_errors errors = {0};
    struct frs_sweep_plan *plan;
    write_text("s.cfg", scenario);
    enum frs_status status = frs_sweep_plan_build(
        &(struct frs_sweep_request){.sections = frs_sections, .file = "s.cfg"}, &plan, &errors);
    ck_assert_msg(status == FRS_OK, "%s", errors.n ? errors.lines[0] : "");
    return plan;
}

START_TEST(test_numbers_and_seeds) {
    struct frs_sweep_plan *plan = build();
    ck_assert_uint_eq(plan->n_points, 12);
    ck_assert_str_eq(plan->name, "s");
    for (size_t i = 0; i < 12; i++) {
        ck_assert_uint_eq(plan->points[i].cell, i / 3);
        ck_assert_uint_eq(plan->points[i].replicate, i % 3 + 1);
        ck_assert_uint_eq(plan->points[i].seed, 7 + i % 3);
        for (size_t k = 0; k < i; k++)
            ck_assert_str_ne(plan->points[i].hash, plan->points[k].hash);
    }
    ck_assert_str_eq(frs_sweep_plan_setting(plan, 8, "seed"), "9");
    ck_assert_str_eq(frs_sweep_plan_setting(plan, 8, "method.name"), "colr");
    ck_assert_str_eq(frs_sweep_plan_setting(plan, 8, "method.rank"), "2");
    ck_assert_ptr_null(frs_sweep_plan_setting(plan, 0, "method.rank"));
    ck_assert_str_eq(frs_sweep_plan_setting(plan, 3, "network.downlink.value"), "750000 B/s");
    ck_assert_str_eq(frs_sweep_plan_setting(plan, 3, "data.synthetic"), "small");
    ck_assert_ptr_null(frs_sweep_plan_setting(plan, 3, "sweep.replicates"));
    char *text = frs_sweep_plan_describe(plan, 11);
    ck_assert_str_eq(text, "method.name = colr, net = plain, replicate 3");
    free(text);
    frs_sweep_plan_destroy(plan);
}
END_TEST

/* A setting is either common or listed at every point that has it. */
START_TEST(settings_are_common_or_of_each_point) {
    struct frs_sweep_plan *plan = build();
    ck_assert_uint_gt(plan->n_common, 50);
    for (size_t i = 0; i < plan->n_points; i++)
        for (size_t k = 0; k < plan->points[i].n_settings; k++)
            for (size_t c = 0; c < plan->n_common; c++)
                ck_assert_str_ne(plan->points[i].settings[k].key, plan->common[c].key);
    frs_sweep_plan_destroy(plan);
}
END_TEST

static void expect_same_texts(char *const *a, char *const *b) {
    for (; *a && *b; a++, b++)
        ck_assert_str_eq(*a, *b);
    ck_assert_ptr_eq(*a, *b);
}

START_TEST(test_file_and_back) {
    struct frs_sweep_plan *plan = build(), *read;
    struct frs_errors errors = {0};
    ck_assert_int_eq(frs_sweep_plan_write(plan, "plan.json", &errors), FRS_OK);
    ck_assert_int_eq(frs_sweep_plan_read("plan.json", &read, &errors), FRS_OK);
    ck_assert_int_eq(frs_sweep_plan_compare(read, plan, false, "plan.json", NULL, &errors), FRS_OK);
    ck_assert_str_eq(read->sweep.baseline, "net=mobile");
    ck_assert_str_eq(read->sweep.target.metric, "hr@10");
    ck_assert_str_eq(read->sweep.target.non_federated, "popularity");
    ck_assert_double_eq(read->sweep.target.bar, 0.03);
    ck_assert_str_eq(read->sweep.stop.metric, "hr@10");
    ck_assert_double_eq(read->sweep.stop.width, 0.02);
    ck_assert_uint_eq(read->sweep.stop.min_replicates, 3);
    expect_same_texts(read->sweep.metrics, plan->sweep.metrics);
    ck_assert_int_eq(read->sweep.axes.axes[0].role, FRS_ROLE_DESIGN);
    ck_assert_int_eq(read->sweep.axes.axes[1].role, FRS_ROLE_ENVIRONMENT);
    ck_assert_int_eq(frs_sweep_plan_write(read, "again.json", &errors), FRS_OK);
    ck_assert_int_eq(shell("cmp plan.json again.json"), 0);
    frs_sweep_plan_destroy(plan);
    frs_sweep_plan_destroy(read);
}
END_TEST

/* Plans of old versions do not say what an axis is; their keys do. Those of `method.name` are made to mix
 * both. */
START_TEST(test_plans_without_roles) {
    struct frs_sweep_plan *plan = build(), *read;
    struct frs_errors errors = {0};
    ck_assert_int_eq(frs_sweep_plan_write(plan, "plan.json", &errors), FRS_OK);
    ck_assert_int_eq(shell("sed -i '/\"role\"/d' plan.json"), 0);
    ck_assert_int_eq(frs_sweep_plan_read("plan.json", &read, &errors), FRS_OK);
    ck_assert_int_eq(read->sweep.axes.axes[0].role, FRS_ROLE_DESIGN);
    ck_assert_int_eq(read->sweep.axes.axes[1].role, FRS_ROLE_ENVIRONMENT);
    frs_sweep_plan_destroy(read);
    ck_assert_int_eq(shell("sed -i 's/^    \"method.name\"$/&, \"failures.up\"/' plan.json"), 0);
    ck_assert_int_eq(frs_sweep_plan_read("plan.json", &read, &errors), FRS_OK);
    ck_assert_int_eq(read->sweep.axes.axes[0].role, FRS_ROLE_ENVIRONMENT);
    frs_sweep_plan_destroy(read);
    frs_sweep_plan_destroy(plan);
}
END_TEST

/* What a class brings gives way to what is given, even if that is the default: whether it was is part of a
 * point. */
START_TEST(test_scenarios_from_the_file) {
    struct frs_sweep_plan *plan = build(), *read;
    struct frs_errors errors = {0};
    ck_assert_int_eq(frs_sweep_plan_write(plan, "plan.json", &errors), FRS_OK);
    ck_assert_int_eq(frs_sweep_plan_read("plan.json", &read, &errors), FRS_OK);
    for (size_t i = 0; i < read->n_points; i += 3) {
        struct frs_scenario *point;
        struct frs_setup run;
        char hash[FRS_DIGEST_TEXT];
        ck_assert_int_eq(
            frs_sweep_plan_scenario(frs_sections, read, i, "plan.json", &point, &errors), FRS_OK);
        ck_assert_str_eq(frs_scenario_hash(point, hash), plan->points[i].hash);
        ck_assert_str_eq(frs_scenario_training_hash(point, hash), plan->points[i].learning);
        ck_assert_msg(frs_compose(point, &run, &errors) == FRS_OK, "%s", errors.n ? errors.lines[0] : "");
        double a = frs_network_client(&run.network, run.training.seed, 0).down_bytes_per_s;
        double b = frs_network_client(&run.network, run.training.seed, 1).down_bytes_per_s;
        bool plain = i / 3 % 2 == 1;
        ck_assert_int_eq(a == 750000 && b == 750000, plain);
        frs_setup_fini(&run);
        frs_scenario_destroy(point);
    }
    frs_sweep_plan_destroy(plan);
    frs_sweep_plan_destroy(read);
}
END_TEST

/* A required key that only the axis gives; another required key that neither gives is reported in the
 * first cell. */
START_TEST(test_axes_give_what_the_file_lacks) {
    static const char *const vary[] = {"rounds.policy.after = 1 s, 2 s", "rounds.count = 2, 3",
        "how | early: rounds.policy.after=1 s | as it stands"};
    struct frs_errors errors = {0};
    struct frs_sweep_plan *plan;
    write_text("s.cfg", "data = { synthetic = \"small\"; };\nrounds = { policy = \"deadline\"; };\n");
    for (size_t i = 0; i < 3; i++) {
        struct frs_sweep_request request = {
            .sections = frs_sections, .file = "s.cfg", .vary = &vary[i], .n_vary = 1};
        enum frs_status status = frs_sweep_plan_build(&request, &plan, &errors);
        if (i > 0) {
            ck_assert_int_eq(status, FRS_ERR_INPUT);
            ck_assert_ptr_nonnull(strstr(errors.lines[0], "s.cfg: rounds.policy.after: has to be given; "));
            ck_assert_ptr_nonnull(
                strstr(errors.lines[0], i == 1 ? "(rounds.count = 2)" : "(how = as it stands)"));
            frs_errors_clear(&errors);
            continue;
        }
        ck_assert_msg(status == FRS_OK, "%s", errors.n ? errors.lines[0] : "");
        ck_assert_str_eq(frs_sweep_plan_setting(plan, 0, "rounds.policy.after"), "1 s");
        ck_assert_str_eq(frs_sweep_plan_setting(plan, 1, "rounds.policy.after"), "2 s");
        ck_assert_int_eq(frs_sweep_plan_check(plan, &request, 0, &errors), FRS_OK);
        frs_sweep_plan_destroy(plan);
    }
}
END_TEST

static void expect_unreadable(const char *command, const char *expected) {
    struct frs_sweep_plan *plan = build();
    struct frs_errors errors = {0};
    ck_assert_int_eq(frs_sweep_plan_write(plan, "plan.json", &errors), FRS_OK);
    frs_sweep_plan_destroy(plan);
    ck_assert_int_eq(shell("%s", command), 0);
    ck_assert_int_eq(frs_sweep_plan_read("plan.json", &plan, &errors), FRS_ERR_INPUT);
    ck_assert_ptr_null(plan);
    ck_assert_uint_eq(errors.n, 1);
    ck_assert_str_eq(errors.lines[0], expected);
    frs_errors_clear(&errors);
}

/* 40 axes of two levels, then 64 of them: 2^40 cells, and as many as overflow to none. */
static char *many_axes(size_t n_axes) {
    char *text = frs_strdup("");
    for (size_t i = 0; i < n_axes; i++) {
        char *longer = frs_format(
            "%s%s{\"name\": \"a%zu\", \"levels\": [\"0\", \"1\"], \"keys\": []}", text, i ? "," : "", i);
        free(text);
        text = longer;
    }
    return text;
}

START_TEST(test_more_cells_than_points) {
    static const size_t numbers[] = {40, 63, 64, 65};
    struct frs_sweep_plan *plan;
    struct frs_errors errors = {0};
    for (size_t i = 0; i < 4; i++) {
        char *axes = many_axes(numbers[i]);
        FILE *file = fopen("plan.json", "w");
        fprintf(file,
            "{\"format\": \"fedrecsim-plan-2\", \"name\": \"s\", \"version\": \"0\", \"axes\": [%s],"
            " \"replicates\": 1, \"metrics\": [], \"settings\": {}, \"points\": []}",
            axes);
        fclose(file);
        free(axes);
        ck_assert_int_eq(frs_sweep_plan_read("plan.json", &plan, &errors), FRS_ERR_INPUT);
        ck_assert_uint_eq(errors.n, 1);
        ck_assert_ptr_nonnull(strstr(errors.lines[0],
            numbers[i] < 64 ? "plan.json: has 0 points; with " : "plan.json: \"axes\" have too many cells"));
        frs_errors_clear(&errors);
    }
}
END_TEST

START_TEST(unreadable_plans_are_refused) {
    expect_unreadable("rm plan.json", "plan.json: cannot be read: No such file or directory");
    expect_unreadable(
        "sed -i s/plan-2/plan-3/ plan.json", "plan.json: is not a plan of the format fedrecsim-plan-2");
    expect_unreadable("echo '[1]' >plan.json", "plan.json: is not a JSON object");
    expect_unreadable("sed -i 's/\"replicates\": 3/\"replicates\": 4/' plan.json",
        "plan.json: has 12 points; with 4 cells and 4 replicates there have to be their product");
    expect_unreadable("sed -i 's/\"replicate\": 2/\"replicate\": 1/' plan.json",
        "plan.json: \"index\" is missing or wrong");
    expect_unreadable(
        "sed -i 's/\"hash\": \"[^\"]*\"/\"hash\": 3/' plan.json", "plan.json: \"hash\" has to be a text");
    expect_unreadable("sed -i 's/\"role\": \"design\"/\"role\": \"both\"/' plan.json",
        "plan.json: the \"role\" of axis \"method.name\" has to be \"design\" or \"environment\"");
    expect_unreadable("sed -i 's/\"levels\"/\"leves\"/' plan.json", "plan.json: \"levels\" has to be a list");
    expect_unreadable(
        "sed -i 's/\"learning\"/\"lerning\"/' plan.json", "plan.json: \"learning\" is missing or wrong");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("plan");
    TCase *tests = tcase_create("all");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_numbers_and_seeds);
    tcase_add_test(tests, settings_are_common_or_of_each_point);
    tcase_add_test(tests, test_file_and_back);
    tcase_add_test(tests, test_plans_without_roles);
    tcase_add_test(tests, test_scenarios_from_the_file);
    tcase_add_test(tests, test_axes_give_what_the_file_lacks);
    tcase_add_test(tests, unreadable_plans_are_refused);
    tcase_add_test(tests, test_more_cells_than_points);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
