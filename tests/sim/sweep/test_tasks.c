/* Points packed into tasks, by hand. */
#include "sim/base/errors.h"
#include "sim/sweep/tasks.h"
#include "tests/sim/sweep/fixture.h"

/* Points 0 to 3 are of the slow network, 4 to 7 of the fast one; 0 and 4, 1 and 5, ... learn the same. */
static struct frs_sweep_plan *make_plan(void) {
    static const char *const sets[] = {"sweep.replicates=2"};
    static const char *const vary[] = {
        "network | slow: network.preset=3g | fast: network.preset=5g", "method.dim = 2, 4"};
    struct frs_sweep_request request = {
        .sections = frs_sections, .file = "s.cfg", .sets = sets, .n_sets = 1, .vary = vary, .n_vary = 2};
    struct frs_sweep_plan *plan;
    struct frs_errors found = {0};
    ck_assert_int_eq(frs_sweep_plan_build(&request, &plan, &found), FRS_OK);
    ck_assert_uint_eq(plan->n_points, 8);
    return plan;
}

/* "0 4 | 1 5 | w 2": the points of each task, as many w before them as waves that come before theirs. */
static void expect_tasks_of(struct frs_sweep_plan *plan, bool reuse, const double *point_s, double task_s,
    size_t at_once, const char *expected) {
    struct frs_schedule *schedule = frs_schedule_create(plan, "d", reuse);
    struct frs_tasks tasks = frs_tasks_pack(schedule, point_s, task_s, at_once);
    char text[256] = "";
    for (size_t i = 0; i < tasks.n; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s", i ? " |" : "");
        for (size_t wave = 0; wave < tasks.tasks[i].wave; wave++)
            snprintf(text + strlen(text), sizeof text - strlen(text), " w");
        for (size_t at = 0; at < tasks.tasks[i].n; at++)
            snprintf(text + strlen(text), sizeof text - strlen(text), " %zu", tasks.tasks[i].points[at]);
    }
    ck_assert_uint_eq(tasks.n_points, plan->n_points);
    ck_assert_str_eq(text + (*text == ' '), expected);
    frs_tasks_fini(&tasks);
    frs_schedule_destroy(schedule);
    frs_sweep_plan_destroy(plan);
}

static void expect_tasks(
    bool reuse, const double *point_s, double task_s, size_t at_once, const char *expected) {
    expect_tasks_of(make_plan(), reuse, point_s, task_s, at_once, expected);
}

START_TEST(points_fill_tasks) {
    static const double point_s[] = {1, 1, 1, 1, 3, 3, 3, 3};
    expect_tasks(true, NULL, 0, 1, "0 | 1 | 2 | 3 | w 4 | w 5 | w 6 | w 7");
    expect_tasks(false, NULL, 0, 1, "0 | 1 | 2 | 3 | 4 | 5 | 6 | 7");
    /* The order is 0 4 1 5 2 6 3 7: 1 and 3 seconds are four, and one more would be five. */
    expect_tasks(true, point_s, 4, 1, "0 4 | 1 5 | 2 6 | 3 7");
    expect_tasks(true, point_s, 4, 2, "0 1 4 5 | 2 3 6 7");
    expect_tasks(true, point_s, 1e9, 1, "0 1 2 3 4 5 6 7");
    /* A task of less than a point has one; cuts through what learns the same make the rest wait. */
    expect_tasks(true, point_s, 0.5, 1, "0 | 1 | 2 | 3 | w 4 | w 5 | w 6 | w 7");
    /* 0 4 1 | 5 2 | 6 3 | 7 */
    expect_tasks(true, point_s, 5, 1, "0 1 4 | w 2 5 | w 3 6 | w 7");
    /* Without reuse nothing belongs together: 0 1 2 3 | 4 | 5 ... */
    expect_tasks(false, point_s, 4, 1, "0 1 2 3 | 4 | 5 | 6 | 7");
}
END_TEST

/* Two cells of four replicates, points 0 to 3 and 4 to 7; the first two of a cell start at once. */
static void expect_ending(const double *point_s, double task_s, size_t at_once, const char *expected) {
    static const char *const sets[] = {"sweep.replicates=4", "sweep.stop_metric=simulated_s",
        "sweep.stop_width=1", "sweep.stop_min_replicates=2"};
    static const char *const vary[] = {"method.dim = 2, 4"};
    struct frs_sweep_request request = {
        .sections = frs_sections, .file = "s.cfg", .sets = sets, .n_sets = 4, .vary = vary, .n_vary = 1};
    struct frs_sweep_plan *plan;
    struct frs_errors found = {0};
    ck_assert_int_eq(frs_sweep_plan_build(&request, &plan, &found), FRS_OK);
    expect_tasks_of(plan, true, point_s, task_s, at_once, expected);
}

START_TEST(replicates_come_in_waves) {
    static const double point_s[] = {1, 1, 1, 1, 3, 3, 3, 3};
    expect_ending(NULL, 0, 1, "0 | 1 | 4 | 5 | w 2 | w 6 | w w 3 | w w 7");
    /* A cell is not cut where its replicates are in one wave: 4 seconds have the first one as a whole. The
     * second has no room for its first two, 6 seconds, and one replicate in each wave after. */
    expect_ending(point_s, 4, 1, "0 1 2 3 | 4 | 5 | w 6 | w w 7");
    /* Two at a time: its first two take 3 seconds, and with the third 6; 9 and 4 are more than 2 x 6. */
    expect_ending(point_s, 6, 2, "0 1 2 3 | 4 5 6 | w 7");
    expect_ending(point_s, 5, 2, "0 1 2 3 4 5 | w 6 | w w 7");
    expect_ending(point_s, 1e9, 1, "0 1 2 3 4 5 6 7");
    /* 0 to 2 are 3 seconds, and the next one has no room. */
    expect_ending(point_s, 3, 1, "0 1 2 | 4 | 5 | w 3 | w 6 | w w 7");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("tasks");
    TCase *tests = tcase_create("tasks");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, points_fill_tasks);
    tcase_add_test(tests, replicates_come_in_waves);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
