/* Labels: slow */
/* How often 95 % intervals contain the true value: Student's interval of a mean, and of a paired
 * difference and a ratio of paired means, by simulation. Prints the table that docs/findings.md quotes.
 *
 * Normal values have exactly 95 %. Log-normal ones (sigma 1, skewness 6.2) are far more skewed than any
 * replicates of a run have been here, and show the effect. */
#include "analysis/statistics/intervals.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { REPETITIONS = 20000, MOST = 20 };

typedef double (*distribution)(struct frs_rng *rng);

static double normal(struct frs_rng *rng) {
    return frs_rng_normal(rng);
}

/* Mean exp(1/2). */
static double lognormal(struct frs_rng *rng) {
    return exp(frs_rng_normal(rng));
}

static bool contains(const struct frs_estimate *estimate, double value) {
    return fabs(estimate->mean - value) <= estimate->half_width;
}

struct coverage {
    double mean, paired, unpaired, ratio; /* in percent */
    double width_ratio;                   /* mean width, unpaired over paired */
};

/* Times of two variants: both have the seed's factor, which varies by a fifth, and one of their own; b is
 * twice a. */
static bool ratio_is_covered(distribution draw, size_t n, struct frs_rng *rng) {
    double a[MOST], b[MOST];
    for (size_t i = 0; i < n; i++) {
        double shared = 10 + 2 * draw(rng);
        a[i] = shared + draw(rng);
        b[i] = 2 * (shared + draw(rng));
    }
    struct frs_estimate ratio = frs_stats_ratio(a, b, n);
    return contains(&ratio, 0.5);
}

/* Pairs share a part of their value, like variants that run with the same seed, and each has a part of its
 * own; the true difference is 0.25. */
static struct coverage measure(distribution draw, double mean, size_t n, uint32_t stream) {
    size_t hits = 0, paired_hits = 0, unpaired_hits = 0, ratio_hits = 0;
    double widths = 0, paired_widths = 0;
    for (uint32_t repetition = 0; repetition < REPETITIONS; repetition++) {
        struct frs_rng rng = frs_rng_stream(20260101, stream, repetition, 0, FRS_RNG_TEST);
        double a[MOST], b[MOST];
        for (size_t i = 0; i < n; i++)
            a[i] = draw(&rng);
        struct frs_estimate estimate = frs_stats_interval(a, n);
        hits += contains(&estimate, mean);
        for (size_t i = 0; i < n; i++) {
            double shared = 2 * draw(&rng);
            a[i] = shared + draw(&rng) + 0.25;
            b[i] = shared + draw(&rng);
        }
        struct frs_estimate paired = frs_stats_paired(a, b, n),
                            unpaired = frs_stats_unpaired(a, n, 0, b, n, 0);
        paired_hits += contains(&paired, 0.25);
        unpaired_hits += contains(&unpaired, 0.25);
        paired_widths += paired.half_width;
        ratio_hits += ratio_is_covered(draw, n, &rng);
        widths += unpaired.half_width;
    }
    const double percent = 100.0 / REPETITIONS;
    return (struct coverage){percent * (double)hits, percent * (double)paired_hits,
        percent * (double)unpaired_hits, percent * (double)ratio_hits, widths / paired_widths};
}

/* 20,000 repetitions know a coverage of 95 % to ±0.3 points. */
START_TEST(intervals_cover_as_often_as_stated) {
    static const size_t sizes[] = {3, 5, 10, 20};
    const struct {
        const char *name;
        distribution draw;
        double mean;
    } distributions[] = {{"normal", normal, 0}, {"log-normal", lognormal, exp(0.5)}};
    printf("| values | n | mean | paired difference | unpaired difference | ratio | width unpaired / paired "
           "|\n");
    printf("|---|---|---|---|---|---|---|\n");
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t i = 0; i < 4; i++) {
            struct coverage c = measure(distributions[k].draw, distributions[k].mean, sizes[i], 10 * k + i);
            printf("| %s | %zu | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f |\n", distributions[k].name,
                sizes[i], c.mean, c.paired, c.unpaired, c.ratio, c.width_ratio);
            if (k == 0) {
                ck_assert(c.mean > 93 && c.mean < 97);
                ck_assert(c.paired > 93 && c.paired < 97);
                ck_assert(c.ratio > 93 && c.ratio < 97);
            }
        }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("coverage");
    TCase *tests = tcase_create("coverage");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, intervals_cover_as_often_as_stated);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
