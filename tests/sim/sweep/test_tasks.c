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

/* "0 4 | 1 5 | w 2": the points of each task, w before those of one that waits. */
static void expect_tasks(
    bool reuse, const double *point_s, double task_s, size_t at_once, const char *expected) {
    struct frs_sweep_plan *plan = make_plan();
    struct frs_schedule *schedule = frs_schedule_create(plan, "d", reuse);
    struct frs_tasks tasks = frs_tasks_pack(schedule, point_s, task_s, at_once);
    char text[256] = "";
    for (size_t i = 0; i < tasks.n; i++) {
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", i ? " |" : "",
            tasks.tasks[i].waits ? (i ? " w" : "w") : "");
        for (size_t at = 0; at < tasks.tasks[i].n; at++)
            snprintf(text + strlen(text), sizeof text - strlen(text), " %zu", tasks.tasks[i].points[at]);
    }
    ck_assert_uint_eq(tasks.n_points, 8);
    ck_assert_str_eq(text + (*text == ' '), expected);
    frs_tasks_fini(&tasks);
    frs_schedule_destroy(schedule);
    frs_sweep_plan_destroy(plan);
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

int main(void) {
    Suite *suite = suite_create("tasks");
    TCase *tests = tcase_create("tasks");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, points_fill_tasks);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
