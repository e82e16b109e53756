/* Which point comes next: replicates that end early, and points that learn the same. Results are planted,
 * nothing is run. */
#include "sim/base/errors.h"
#include "sim/sweep/schedule.h"
#include "tests/sim/sweep/fixture.h"

static struct frs_sweep_plan *plan_of(
    const char *const *sets, size_t n_sets, const char *const *vary, size_t n_vary) {
    struct frs_sweep_request request = {.sections = frs_sections,
        .file = "s.cfg",
        .sets = sets,
        .n_sets = n_sets,
        .vary = vary,
        .n_vary = n_vary};
    struct frs_sweep_plan *plan;
    struct frs_errors errors = {0};
    ck_assert_msg(
        frs_sweep_plan_build(&request, &plan, &errors) == FRS_OK, "%s", errors.n ? errors.lines[0] : "");
    return plan;
}

/* Puts what a finished run of a point would have left behind. */
static void plant(const struct frs_sweep_plan *plan, size_t point, double simulated_s, const char *status) {
    char *directory = frs_folder_point("d", point);
    ck_assert_int_eq(shell("mkdir -p d/points && cp -r real %s && cd %s && "
                           "sed -i 's/\"scenario_hash\": .*/\"scenario_hash\": \"%s\",/' manifest.json && "
                           "sed -i 's/\"status\": .*/\"status\": \"%s\",/; s/\"simulated_s\": "
                           ".*/\"simulated_s\": %.17g,/' summary.json",
                         directory, directory, plan->points[point].hash, status, simulated_s),
        0);
    free(directory);
}

#define EXPECT_COUNTS(schedule, done_, left_, skipped_)                                                      \
    do {                                                                                                     \
        struct frs_schedule_counts counts = frs_schedule_counts(schedule);                                   \
        ck_assert_uint_eq(counts.done, done_);                                                               \
        ck_assert_uint_eq(counts.left, left_);                                                               \
        ck_assert_uint_eq(counts.skipped, skipped_);                                                         \
    } while (0)

/* Ends a point with this result. */
static void end(
    struct frs_schedule *schedule, const struct frs_sweep_plan *plan, size_t point, double value) {
    plant(plan, point, value, "complete");
    frs_schedule_end(schedule, point, true);
}

static struct frs_sweep_plan *stopping_plan(void) {
    static const char *const sets[] = {"sweep.replicates=6", "sweep.stop_metric=simulated_s",
        "sweep.stop_width=1", "sweep.stop_min_replicates=2"};
    static const char *const vary[] = {"rounds.count = 1, 2"};
    return plan_of(sets, 4, vary, 1);
}

/* Points 0 to 5 are the first cell's. t(0.975, 1) = 12.7062, t(0.975, 2) = 4.30265: the interval of 1.0
 * and 1.1 is 2 × 12.7062 × 0.0707107 / √2 = 1.27 wide, that of 1.0, 1.1 and 1.05 2 × 4.30265 × 0.05 / √3 =
 * 0.248. */
START_TEST(test_replicates_end_early) {
    struct frs_sweep_plan *plan = stopping_plan();
    struct frs_schedule *schedule = frs_schedule_create(plan, "d", false);
    ck_assert_uint_eq(frs_schedule_next(schedule), 0);
    ck_assert_uint_eq(frs_schedule_next(schedule), 1);
    ck_assert_uint_eq(frs_schedule_next(schedule), 6);
    ck_assert_uint_eq(frs_schedule_next(schedule), 7);
    ck_assert_uint_eq(frs_schedule_next(schedule), SIZE_MAX);
    end(schedule, plan, 1, 1.1);
    ck_assert_uint_eq(frs_schedule_next(schedule), SIZE_MAX);
    end(schedule, plan, 0, 1.0);
    ck_assert_uint_eq(frs_schedule_next(schedule), 2);
    ck_assert_uint_eq(frs_schedule_next(schedule), SIZE_MAX);
    EXPECT_COUNTS(schedule, 2, 7, 0);
    end(schedule, plan, 2, 1.05);
    EXPECT_COUNTS(schedule, 3, 4, 3);
    /* All the same: known at once. */
    end(schedule, plan, 6, 5);
    end(schedule, plan, 7, 5);
    EXPECT_COUNTS(schedule, 5, 0, 7);
    ck_assert_uint_eq(frs_schedule_next(schedule), SIZE_MAX);
    frs_schedule_destroy(schedule);
    /* A later reader draws the same conclusion. */
    schedule = frs_schedule_create(plan, "d", false);
    EXPECT_COUNTS(schedule, 5, 0, 7);
    frs_schedule_destroy(schedule);
    frs_sweep_plan_destroy(plan);
}
END_TEST

START_TEST(test_failed_replicate_holds_its_cell) {
    struct frs_sweep_plan *plan = stopping_plan();
    struct frs_schedule *schedule = frs_schedule_create(plan, "d", false);
    size_t *left;
    for (size_t i = 0; i < 4; i++)
        frs_schedule_next(schedule);
    frs_schedule_end(schedule, 0, false);
    end(schedule, plan, 1, 1);
    frs_schedule_return(schedule, 6);
    ck_assert_uint_eq(frs_schedule_next(schedule), 6);
    ck_assert_uint_eq(frs_schedule_next(schedule), SIZE_MAX);
    ck_assert_uint_eq(frs_schedule_counts(schedule).failed, 1);
    ck_assert_uint_eq(frs_schedule_left(schedule, &left), 11);
    ck_assert_uint_eq(left[0], 0);
    ck_assert_uint_eq(left[1], 2);
    free(left);
    frs_schedule_destroy(schedule);
    frs_sweep_plan_destroy(plan);
}
END_TEST

START_TEST(test_points_that_are_given_up) {
    struct frs_sweep_plan *plan = stopping_plan();
    struct frs_schedule *schedule = frs_schedule_create(plan, "d", false);
    frs_schedule_give_up(schedule, 0);
    ck_assert_uint_eq(frs_schedule_next(schedule), 1);
    frs_schedule_give_up(schedule, 1); /* it is running */
    end(schedule, plan, 1, 1);
    ck_assert_uint_eq(frs_schedule_counts(schedule).failed, 1);
    ck_assert_uint_eq(frs_schedule_counts(schedule).done, 1);
    frs_schedule_destroy(schedule);
    frs_sweep_plan_destroy(plan);
}
END_TEST

/* Two learning keys: rounds.count 1 and 2; networks do not count. Point = 3 × network + ... */
START_TEST(test_leaders_go_first) {
    static const char *const vary[] = {"network.latency = 1 ms, 2 ms, 3 ms", "rounds.count = 1, 2"};
    struct frs_sweep_plan *plan = plan_of(NULL, 0, vary, 2);
    ck_assert_str_eq(plan->points[0].learning, plan->points[2].learning);
    ck_assert_str_ne(plan->points[0].learning, plan->points[1].learning);
    ck_assert_str_ne(plan->points[0].hash, plan->points[2].hash);
    struct frs_schedule *schedule = frs_schedule_create(plan, "d", true);
    ck_assert_uint_eq(frs_schedule_next(schedule), 0);
    ck_assert_uint_eq(frs_schedule_next(schedule), 1);
    ck_assert_uint_eq(frs_schedule_next(schedule), SIZE_MAX);
    end(schedule, plan, 1, 1);
    ck_assert_uint_eq(frs_schedule_next(schedule), 3);
    ck_assert_uint_eq(frs_schedule_next(schedule), 5);
    ck_assert_uint_eq(frs_schedule_next(schedule), SIZE_MAX);
    frs_schedule_end(schedule, 0, false); /* then another one leads */
    ck_assert_uint_eq(frs_schedule_next(schedule), 2);
    ck_assert_uint_eq(frs_schedule_next(schedule), SIZE_MAX);
    frs_schedule_destroy(schedule);
    schedule = frs_schedule_create(plan, "d", false);
    static const size_t all[] = {0, 2, 3, 4, 5, SIZE_MAX}; /* 1 has been planted */
    for (size_t i = 0; i < 6; i++)
        ck_assert_uint_eq(frs_schedule_next(schedule), all[i]);
    frs_schedule_destroy(schedule);
    frs_sweep_plan_destroy(plan);
}
END_TEST

/* Finished: complete or stranded, and of this plan. */
START_TEST(finished_points_are_complete_or_stranded) {
    static const char *const vary[] = {"rounds.count = 1, 2, 3, 4, 5"};
    struct frs_sweep_plan *plan = plan_of(NULL, 0, vary, 1);
    plant(plan, 0, 1, "complete");
    plant(plan, 1, 1, "stranded");
    plant(plan, 2, 1, "interrupted");
    strcpy(plan->points[3].hash, "another");
    plant(plan, 3, 1, "complete");
    strcpy(plan->points[3].hash, "this");
    static const bool expected[] = {true, true, false, false, false};
    for (size_t i = 0; i < 5; i++)
        ck_assert_int_eq(frs_folder_finished("d", plan, i), expected[i]);
    frs_sweep_plan_destroy(plan);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("schedule");
    TCase *tests = tcase_create("all");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, test_replicates_end_early);
    tcase_add_test(tests, test_failed_replicate_holds_its_cell);
    tcase_add_test(tests, test_points_that_are_given_up);
    tcase_add_test(tests, test_leaders_go_first);
    tcase_add_test(tests, finished_points_are_complete_or_stranded);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
