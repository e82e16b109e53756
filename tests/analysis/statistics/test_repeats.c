/* Labels: slow
 *
 * Repeats: the mean of runs that may miss their target, by hand, and whether chances are what happens. */
#include "analysis/statistics/repeats.h"
#include "analysis/statistics/student_t.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <math.h>
#include <string.h>

enum { MOST = 5 };

struct side {
    struct frs_metrics metrics[MOST];
    struct frs_replicates runs;
};

static void add(struct side *side, double reached_s, double whole_s) {
    struct frs_metrics *metrics = &side->metrics[side->runs.n];
    frs_metrics_set(metrics, "time_to_target_s", reached_s);
    frs_metrics_set(metrics, "simulated_s", whole_s);
    frs_replicates_add(&side->runs, side->runs.n, metrics);
}

static void fini(struct side *side) {
    for (size_t i = 0; i < MOST; i++)
        frs_metrics_fini(&side->metrics[i]);
    frs_replicates_fini(&side->runs);
}

static double chance(const struct side *side, double bound_s, bool may_miss) {
    return frs_repeats_chance(&side->runs, "time_to_target_s", bound_s, may_miss);
}

/* 50 and 60 s, and 100 s in vain: 210 s for two that reached it. What a run says: (50 − 105) · 3/2, (60 −
 * 105) · 3/2, 100 · 3/2. */
START_TEST(test_a_miss_costs_its_whole_run) {
    struct side side = {0};
    add(&side, 50, 200);
    add(&side, 60, 200);
    add(&side, INFINITY, 100);
    struct frs_repeats repeats = frs_repeats_of(&side.runs, "time_to_target_s");
    ck_assert_double_eq_tol(repeats.estimate.mean, 105, 1e-12);
    ck_assert_uint_eq(repeats.estimate.n, 3);
    ck_assert_uint_eq(repeats.missed, 1);
    double sd = sqrt((82.5 * 82.5 + 67.5 * 67.5 + 150.0 * 150) / 2);
    ck_assert_double_eq_tol(
        repeats.estimate.half_width, sd / sqrt(3) * frs_student_t_quantile(0.975, 2), 1e-9);
    fini(&side);
}
END_TEST

/* No run that missed takes part in nothing: of a figure that cannot be missed it is Student's, as it was. */
START_TEST(without_misses_it_is_students) {
    struct side side = {0};
    add(&side, 50, 200);
    add(&side, 60, 200);
    add(&side, 70, 200);
    struct frs_repeats repeats = frs_repeats_of(&side.runs, "time_to_target_s");
    ck_assert_double_eq(repeats.estimate.mean, 60);
    ck_assert_uint_eq(repeats.missed, 0);
    ck_assert_double_eq_tol(chance(&side, 65, false), frs_student_t_cdf(5 / (10 / sqrt(3)), 2), 1e-12);
    ck_assert_double_eq_tol(frs_repeats_chance(&side.runs, "simulated_s", 199, true), 0, 1e-12);
    ck_assert_double_lt(chance(&side, 65, true), chance(&side, 65, false));
    struct side one = {0};
    add(&one, 50, 200);
    ck_assert_double_nan(chance(&one, 65, false));
    fini(&one);
    fini(&side);
}
END_TEST

/* With runs of 100 s the bound needs p ≥ 1/2: two misses have the density cos⁴ of θ, of which (3π/32 − 1/4) /
 * (3π/16) lies beyond π/4; two runs that reached it at once the density sin⁴. */
START_TEST(test_chances_by_hand) {
    double beyond = (3 * M_PI / 32 - 0.25) / (3 * M_PI / 16);
    struct side missed = {0}, reached = {0}, none = {0};
    for (int i = 0; i < 2; i++) {
        add(&missed, INFINITY, 100);
        add(&reached, 50, 100);
        add(&none, NAN, 100);
    }
    ck_assert_double_infinite(frs_repeats_of(&missed.runs, "time_to_target_s").estimate.mean);
    ck_assert_double_eq_tol(chance(&missed, 100, false), beyond, 1e-3);
    ck_assert_double_eq_tol(chance(&reached, 150, true), 1 - beyond, 1e-3);
    ck_assert_double_eq(chance(&reached, 150, false), 1);
    ck_assert_double_nan(chance(&none, 150, false));
    fini(&missed);
    fini(&reached);
    fini(&none);
}
END_TEST

/* Two hit rates that are equal by chance, on a grid of 0.01: the variance of a value is at least 0.01² / 12.
 */
START_TEST(test_equal_by_chance) {
    struct frs_metrics metrics[2] = {{0}, {0}};
    struct frs_replicates runs = {0};
    for (int i = 0; i < 2; i++) {
        frs_metrics_set(&metrics[i], "hr@10", 0.45);
        frs_replicates_add(&runs, (uint64_t)i, &metrics[i]);
    }
    ck_assert_double_eq(frs_repeats_chance(&runs, "hr@10", 0.451, false), 1);
    for (int i = 0; i < 2; i++)
        frs_metrics_set_step(&metrics[i], "hr@10", 0.01);
    ck_assert_double_eq_tol(frs_repeats_chance(&runs, "hr@10", 0.451, false),
        frs_student_t_cdf(0.001 / (0.01 / sqrt(24)), 1), 1e-9);
    frs_replicates_fini(&runs);
    for (int i = 0; i < 2; i++)
        frs_metrics_fini(&metrics[i]);
}
END_TEST

START_TEST(test_which_is_below) {
    struct side a = {0}, b = {0}, c = {0};
    for (int i = 0; i < 4; i++) {
        add(&a, 50 + i, 100);
        add(&b, 54 + 2 * i, 100);
        add(&c, i ? 54 + 2 * i : INFINITY, 100);
    }
    /* The differences are −4, −5, −6 and −7. */
    double error = sqrt(5.0 / 3) / 2;
    ck_assert_double_eq_tol(frs_repeats_chance_below(&a.runs, &b.runs, "time_to_target_s"),
        frs_student_t_cdf(5.5 / error, 3), 1e-12);
    ck_assert_double_eq(frs_repeats_chance_below(&a.runs, &a.runs, "time_to_target_s"), 0);
    double missed = frs_repeats_chance_below(&a.runs, &c.runs, "time_to_target_s");
    ck_assert(missed > 0.5 && missed < 1);
    ck_assert_double_eq_tol(
        frs_repeats_chance_below(&c.runs, &a.runs, "time_to_target_s"), 1 - missed, 1e-12);
    fini(&a);
    fini(&b);
    fini(&c);
}
END_TEST

/* p is drawn from its prior, and times are normal around a mean with a far wider spread. Of the bounds
 * that are said to hold with a chance of 5 to 15 %, 10 % hold, and so on. */
START_TEST(test_chances_are_what_happens) {
    double stated[10] = {0}, held[10] = {0}, n[10] = {0};
    for (uint32_t k = 0; k < 3000; k++) {
        struct frs_rng rng = frs_rng_stream(20260105, k, 0, 0, FRS_RNG_TEST);
        double angle = M_PI_2 * frs_rng_unit(&rng), p = sin(angle) * sin(angle);
        double mean = 200 * frs_rng_unit(&rng), e = mean + (1 - p) / p * 100;
        struct side side = {0};
        for (int i = 0; i < MOST; i++) {
            double x = mean + 5 * frs_rng_normal(&rng);
            add(&side, frs_rng_unit(&rng) < p ? x : INFINITY, 100);
        }
        double said = chance(&side, 120, true);
        size_t bin = said < 1 ? (size_t)(10 * said) : 9;
        stated[bin] += said;
        held[bin] += e <= 120;
        n[bin]++;
        fini(&side);
    }
    for (int i = 0; i < 10; i++)
        if (n[i] >= 100)
            ck_assert_double_eq_tol(stated[i] / n[i], held[i] / n[i], 3 * 0.5 / sqrt(n[i]) + 0.02);
}
END_TEST

/* For two settings it is the chance of the pair, within the error of so many draws. For three settings
 * that are equal seed by seed except for the best, it is the chance of one; the sum would be three times
 * as much. In other cases it is in between. */
START_TEST(test_chance_of_better) {
    static const double best[] = {10, 12, 11, 14, 13}, other[] = {11, 11, 13, 15, 13},
                        third[] = {13, 12, 12, 13, 14};
    struct side a = {0}, b = {0}, c = {0};
    for (int i = 0; i < MOST; i++) {
        add(&a, best[i], 100);
        add(&b, other[i], 100);
        add(&c, third[i], 100);
    }
    const struct frs_replicates *pair[] = {&b.runs, &a.runs}, *same[] = {&a.runs, &b.runs, &b.runs, &b.runs},
                                *three[] = {&a.runs, &b.runs, &c.runs};
    double of_b = frs_repeats_chance_below(&b.runs, &a.runs, "time_to_target_s"),
           of_c = frs_repeats_chance_below(&c.runs, &a.runs, "time_to_target_s");
    ck_assert(of_b > 0.05 && of_b < 0.3);
    ck_assert_double_eq_tol(frs_repeats_chance_of_better(pair, 2, "time_to_target_s", false, 1), of_b, 0.02);
    ck_assert_double_eq_tol(frs_repeats_chance_of_better(same, 4, "time_to_target_s", false, 0), of_b, 0.02);
    double any = frs_repeats_chance_of_better(three, 3, "time_to_target_s", false, 0);
    ck_assert(any >= fmax(of_b, of_c) && any <= of_b + of_c);
    /* The other way round the best is that of the largest mean. */
    double larger = frs_repeats_chance_of_better(pair, 2, "time_to_target_s", true, 0);
    ck_assert_double_eq_tol(larger, of_b, 0.02);
    fini(&a);
    fini(&b);
    fini(&c);
}
END_TEST

/* Four settings with true means as widely spread as their noise, and with a common part per seed: how
 * often another one is better than the setting with the least mean, and the stated chance. */
START_TEST(test_the_best_as_often_as_stated) {
    double stated = 0, wrong = 0, n = 300;
    for (uint32_t k = 0; k < n; k++) {
        struct frs_rng rng = frs_rng_stream(20260106, k, 0, 0, FRS_RNG_TEST);
        struct side sides[4];
        const struct frs_replicates *runs[4];
        double means[4], common[MOST];
        size_t best = 0, least = 0;
        memset(sides, 0, sizeof sides);
        for (int i = 0; i < MOST; i++)
            common[i] = 3 * frs_rng_normal(&rng);
        for (size_t j = 0; j < 4; j++) {
            means[j] = 50 + 2 * frs_rng_normal(&rng);
            for (int i = 0; i < MOST; i++)
                add(&sides[j], means[j] + common[i] + 2 * frs_rng_normal(&rng), 100);
            runs[j] = &sides[j].runs;
            least = means[j] < means[least] ? j : least;
            best = frs_repeats_of(runs[j], "time_to_target_s").estimate.mean <
                           frs_repeats_of(runs[best], "time_to_target_s").estimate.mean
                       ? j
                       : best;
        }
        stated += frs_repeats_chance_of_better(runs, 4, "time_to_target_s", false, best) / n;
        wrong += (best != least) / n;
        for (size_t j = 0; j < 4; j++)
            fini(&sides[j]);
    }
    ck_assert_double_eq_tol(stated, wrong, 0.08);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("repeats");
    TCase *tests = tcase_create("repeats");
    tcase_add_test(tests, test_a_miss_costs_its_whole_run);
    tcase_add_test(tests, without_misses_it_is_students);
    tcase_add_test(tests, test_chances_by_hand);
    tcase_add_test(tests, test_equal_by_chance);
    tcase_add_test(tests, test_which_is_below);
    tcase_add_test(tests, test_chances_are_what_happens);
    tcase_add_test(tests, test_chance_of_better);
    tcase_add_test(tests, test_the_best_as_often_as_stated);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
