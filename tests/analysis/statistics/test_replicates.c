/* Replicates: who is compared with whom. */
#include "analysis/statistics/replicates.h"
#include "tests/support.h"

#include <math.h>

enum { MOST = 4 };

struct side {
    struct frs_metrics metrics[MOST];
    struct frs_replicates replicates;
};

static void add(struct side *side, uint64_t seed, double hr) {
    struct frs_metrics *metrics = &side->metrics[side->replicates.n];
    frs_metrics_set(metrics, "hr@10", hr);
    frs_replicates_add(&side->replicates, seed, metrics);
}

static void fini(struct side *side) {
    for (size_t i = 0; i < MOST; i++)
        frs_metrics_fini(&side->metrics[i]);
    frs_replicates_fini(&side->replicates);
}

/* Seed 7 occurs twice: the first of one side is paired with the first of the other, 5 − 1 and 9 − 3; seed
 * 8 with seed 8, 4 − 2. A third run with seed 7 has no partner. */
START_TEST(test_a_seed_twice) {
    struct side a = {0}, b = {0};
    add(&a, 7, 5);
    add(&a, 7, 9);
    add(&a, 8, 4);
    add(&b, 7, 1);
    add(&b, 8, 2);
    add(&b, 7, 3);
    for (int more = 0; more < 2; more++) {
        struct frs_contrast contrast = frs_replicates_contrast(&a.replicates, &b.replicates, "hr@10");
        ck_assert_uint_eq(contrast.paired.n, 3);
        ck_assert_double_eq_tol(contrast.paired.mean, (4 + 6 + 2) / 3.0, 1e-15);
        ck_assert_double_eq_tol(contrast.paired.sd, 2, 1e-15);
        ck_assert_double_eq_tol(contrast.ratio.mean, 18.0 / 6, 1e-15);
        ck_assert_int_eq(frs_replicates_match(&a.replicates, &b.replicates), more == 0);
        ck_assert_int_eq(frs_replicates_match(&b.replicates, &a.replicates), more == 0);
        if (more == 0)
            add(&a, 7, 100);
    }
    fini(&a);
    fini(&b);
}
END_TEST

/* A run that missed its target has no amount: no mean is made of the others, and it is counted. */
START_TEST(a_missed_run_leaves_no_mean) {
    struct side a = {0}, b = {0};
    for (uint64_t seed = 0; seed < 3; seed++) {
        add(&a, seed, seed == 1 ? INFINITY : 5);
        add(&b, seed, 4);
    }
    struct frs_figure figure = frs_replicates_figure(&a.replicates, "hr@10");
    ck_assert_uint_eq(figure.censored, 1);
    ck_assert_uint_eq(figure.estimate.n, 3);
    ck_assert_double_nan(figure.estimate.mean);
    struct frs_contrast contrast = frs_replicates_contrast(&a.replicates, &b.replicates, "hr@10");
    ck_assert_uint_eq(contrast.censored, 1);
    ck_assert_double_nan(contrast.paired.mean);
    ck_assert_double_nan(contrast.ratio.mean);
    fini(&a);
    fini(&b);
}
END_TEST

static void add_step(struct side *side, uint64_t seed, double hr, double step) {
    add(side, seed, hr);
    frs_metrics_set_step(&side->metrics[side->replicates.n - 1], "hr@10", step);
}

/* One of 50 users more in both replicates, by chance: 0.02 ± 12.706·√(2·0.02²/12/2) = 0.02 ± 0.1037; each
 * side ± 0.0519. Without a grid there is no spread; runs that are equal seed by seed differ by 0. */
START_TEST(a_grid_widens_intervals) {
    struct side a = {0}, b = {0}, c = {0};
    for (uint64_t seed = 1; seed <= 2; seed++) {
        add_step(&a, seed, 0.52, 0.02);
        add_step(&b, seed, 0.50, 0.02);
        add(&c, seed, 0.50);
    }
    struct frs_contrast contrast = frs_replicates_contrast(&a.replicates, &b.replicates, "hr@10");
    ck_assert_double_eq_tol(contrast.paired.mean, 0.02, 1e-12);
    ck_assert(contrast.paired.sd == 0);
    ck_assert_double_eq_tol(contrast.paired.half_width, 12.706204736432095 * 0.02 / sqrt(12), 1e-9);
    ck_assert_double_eq_tol(contrast.unpaired.half_width, contrast.paired.half_width, 1e-9);
    ck_assert_double_eq_tol(frs_replicates_figure(&a.replicates, "hr@10").estimate.half_width,
        12.706204736432095 * 0.02 / sqrt(24), 1e-9);
    contrast = frs_replicates_contrast(&c.replicates, &c.replicates, "hr@10");
    ck_assert(contrast.paired.half_width == 0 && contrast.unpaired.half_width == 0);
    contrast = frs_replicates_contrast(&b.replicates, &c.replicates, "hr@10");
    ck_assert(contrast.paired.mean == 0 && contrast.paired.half_width == 0 && contrast.ratio.half_width == 0);
    fini(&a);
    fini(&b);
    fini(&c);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("replicates");
    TCase *tests = tcase_create("pairs");
    tcase_add_test(tests, test_a_seed_twice);
    tcase_add_test(tests, a_missed_run_leaves_no_mean);
    tcase_add_test(tests, a_grid_widens_intervals);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
