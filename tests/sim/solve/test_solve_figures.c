/* What the runs of a search say of its answer: bounds, steps, chances of error, and gaps, by hand. */
#include "sim/solve/solve_internal.h"
#include "tests/support.h"

#include <math.h>

enum { SETTINGS = 4, SEEDS = 2 };

static struct frs_metrics metrics[SETTINGS][SEEDS];
static struct frs_replicates cells[SETTINGS];
static struct frs_sweep_plan plan;
static struct frs_question question;
static struct solving s;
static size_t tried[SETTINGS], cell_of[SETTINGS];

/* Means of 10, 13, 12 and 10.5 s. Standard errors of the first two are 2 s; with one degree of freedom
 * Student's distribution is Cauchy's. */
static void setup(void) {
    static const double seconds[SETTINGS][SEEDS] = {{8, 12}, {11, 15}, {12, 12}, {7, 14}};
    question = (struct frs_question){.metric = (char *)(uintptr_t) "simulated_s",
        .n = SETTINGS,
        .bound = 12,
        .at_most = true,
        .wanted = FRS_LARGEST,
        .best = "simulated_s"};
    for (size_t i = 0; i < SETTINGS; i++) {
        tried[i] = cell_of[i] = i;
        for (size_t k = 0; k < SEEDS; k++) {
            frs_metrics_set(&metrics[i][k], "simulated_s", seconds[i][k]);
            frs_replicates_add(&cells[i], k, &metrics[i][k]);
        }
    }
    s = (struct solving){.question = &question,
        .tried = tried,
        .n_tried = SETTINGS,
        .cells = cell_of,
        .results = {.plan = &plan, .cells = cells}};
}

static void teardown(void) {
    for (size_t i = 0; i < SETTINGS; i++) {
        for (size_t k = 0; k < SEEDS; k++)
            frs_metrics_fini(&metrics[i][k]);
        frs_replicates_fini(&cells[i]);
    }
}

START_TEST(a_bound_that_is_met_exactly_is_kept) {
    ck_assert(frs_solve_is_good(&s, 0) && !frs_solve_is_good(&s, 1) && frs_solve_is_good(&s, 2));
    ck_assert_double_eq(frs_solve_distance(&s, 1), 1);
    question.at_most = false;
    ck_assert(!frs_solve_is_good(&s, 0) && frs_solve_is_good(&s, 1) && frs_solve_is_good(&s, 2));
}
END_TEST

/* Seed by seed 3 s more, both times; and 1 s less, then 2 s more, which says nothing. */
START_TEST(a_step_is_more_than_noise) {
    ck_assert_int_eq(frs_solve_step(&s, 0, 1), 1);
    ck_assert_int_eq(frs_solve_step(&s, 1, 0), -1);
    ck_assert_int_eq(frs_solve_step(&s, 0, 3), 0);
}
END_TEST

/* The first setting is below 12 s with a chance of 1/2 + atan(1)/π, the second with 1/2 - atan(1/2)/π. */
START_TEST(errors_by_hand) {
    double first = 0.5 + atan(1) / M_PI, second = 0.5 - atan(0.5) / M_PI;
    struct frs_found found = {.any = true, .by_halving = true, .setting = 0};
    ck_assert_double_eq_tol(frs_solve_error(&s, &found), 1 - first, 1e-12);
    found.has_next = true;
    found.next = 1;
    ck_assert_double_eq_tol(frs_solve_error(&s, &found), 1 - first + second, 1e-12);
    s.n_tried = 2; /* the second setting is larger, so that it would have been preferred */
    found.by_halving = false;
    ck_assert_double_eq_tol(frs_solve_error(&s, &found), 1 - first + second, 1e-12);
    question.wanted = FRS_SMALLEST;
    ck_assert_double_eq_tol(frs_solve_error(&s, &found), 1 - first, 1e-12);
    question.at_most = false;
    found = (struct frs_found){.any = true, .by_halving = true, .setting = 1};
    ck_assert_double_eq_tol(frs_solve_error(&s, &found), second, 1e-12);
}
END_TEST

/* Below the third setting the first keeps to the bound and the second does not; above it both have been run,
 * too, and the only one of those keeps to it. */
START_TEST(gaps_lie_on_the_other_side) {
    const struct frs_found found = {.any = true, .setting = 2};
    struct frs_solve_gaps gaps = frs_solve_gaps_of(&s, &found);
    ck_assert_uint_eq(gaps.n, 2);
    ck_assert_uint_eq(gaps.misses, 1);
    ck_assert(gaps.all);
    ck_assert_uint_eq(gaps.without, 0);
    question.wanted = FRS_SMALLEST;
    gaps = frs_solve_gaps_of(&s, &found);
    ck_assert_uint_eq(gaps.n, 1);
    ck_assert_uint_eq(gaps.misses, 0);
    ck_assert_uint_eq(gaps.without, 3);
    cell_of[3] = SIZE_MAX;
    gaps = frs_solve_gaps_of(&s, &found);
    ck_assert_uint_eq(gaps.n, 0);
    ck_assert(!gaps.all);
    ck_assert_uint_eq(gaps.without, SIZE_MAX);
}
END_TEST

/* The smallest time is best. */
START_TEST(the_best_time_is_the_smallest) {
    ck_assert(frs_solve_is_better(&s, 1, 0) && !frs_solve_is_better(&s, 0, 1));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("solve figures");
    TCase *tests = tcase_create("by hand");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, a_bound_that_is_met_exactly_is_kept);
    tcase_add_test(tests, a_step_is_more_than_noise);
    tcase_add_test(tests, errors_by_hand);
    tcase_add_test(tests, gaps_lie_on_the_other_side);
    tcase_add_test(tests, the_best_time_is_the_smallest);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
