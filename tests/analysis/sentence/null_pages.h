/* Made-up pages on which no entry is better than another, so that every such statement is false: 3 entries
 * under each of 3 environments. A seed makes all entries of an environment better or worse by the same
 * amount, and each run adds a part of its own with a standard deviation of 1. Values lie on a grid, like
 * hits of a whole number of users and times of evaluations. */
#ifndef FRS_TESTS_ANALYSIS_SENTENCE_NULL_PAGES_H
#define FRS_TESTS_ANALYSIS_SENTENCE_NULL_PAGES_H

#include "analysis/ranking/ranking.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NULL_ENTRIES = 3, NULL_CIRCUMSTANCES = 3, NULL_CELLS = 9, NULL_MOST_RUNS = 5 };

/* What the runs of a page are like. */
struct null_distribution {
    const char *name;
    size_t n_runs;
    double grid;    /* in standard deviations of a run's own part; 0: none */
    double reached; /* share of the runs that reach the target before their end; 0: quality is compared */
    bool lasts; /* runs that do not reach it never would: the others reach it all at about the same time */
    bool own_seeds; /* no two entries have seeds in common */
};

static const struct null_distribution null_distributions[] = {
    {"ties, grid of sd/25, 2 runs", 2, 1 / 25.0, 0, false, false},
    {"ties, grid of sd/3.6, 2 runs", 2, 1 / 3.6, 0, false, false},
    {"ties, grid of sd/2, 2 runs", 2, 1 / 2.0, 0, false, false},
    {"ties, grid of sd/25, 3 runs", 3, 1 / 25.0, 0, false, false},
    {"ties, grid of sd/3.6, 3 runs", 3, 1 / 3.6, 0, false, false},
    {"ties, grid of sd/2, 3 runs", 3, 1 / 2.0, 0, false, false},
    {"few replicates, 2 runs", 2, 0, 0, false, false},
    {"few replicates, 3 runs", 3, 0, 0, false, false},
    {"times, half censored, 2 runs", 2, 1 / 10.0, 0.5, false, false},
    {"times, half censored, 3 runs", 3, 1 / 10.0, 0.5, false, false},
    {"half never reach it, 2 runs", 2, 1 / 2.0, 0.5, true, false},
    {"half never reach it, 3 runs", 3, 1 / 2.0, 0.5, true, false},
    /* Further ones, with a fifth of the pages. */
    {"ties, grid of 2 sd, 2 runs", 2, 2, 0, false, false},
    {"ties, grid of 2 sd, 3 runs", 3, 2, 0, false, false},
    {"ties, grid of sd/3.6, 2 runs, other seeds", 2, 1 / 3.6, 0, false, true},
    {"ties, grid of sd/2, 2 runs, other seeds", 2, 1 / 2.0, 0, false, true},
    {"ties, grid of sd/2, 3 runs, other seeds", 3, 1 / 2.0, 0, false, true},
    {"few replicates, 2 runs, other seeds", 2, 0, 0, false, true},
    {"few replicates, 3 runs, other seeds", 3, 0, 0, false, true},
    {"times on a grid of sd/2, 2 runs", 2, 1 / 2.0, 1, false, false},
    {"times on a grid of sd/2, 3 runs", 3, 1 / 2.0, 1, false, false},
    {"times, half censored, 5 runs", 5, 1 / 10.0, 0.5, false, false},
    {"times, a fifth censored, 3 runs", 3, 1 / 10.0, 0.8, false, false},
    {"times, half censored, 3 runs, other seeds", 3, 1 / 10.0, 0.5, false, true},
    {"half never reach it, 5 runs", 5, 1 / 2.0, 0.5, true, false},
    {"a fifth never reaches it, 5 runs", 5, 1 / 2.0, 0.8, true, false},
};
enum {
    NULL_DISTRIBUTIONS = sizeof null_distributions / sizeof *null_distributions,
    NULL_FURTHER_DISTRIBUTIONS = 12
};

/* A page that is used again and again. */
struct null_page {
    struct frs_metrics metrics[NULL_CELLS][NULL_MOST_RUNS];
    struct frs_replicates runs[NULL_CELLS];
    struct frs_ranked_entry list[NULL_CELLS];
    char *environments[NULL_CIRCUMSTANCES];
    struct frs_target target;
    struct frs_ranking ranking;
};

static inline void begin_null_page(struct null_page *page, const struct null_distribution *distribution) {
    static char names[NULL_CIRCUMSTANCES][2] = {"a", "b", "c"}, metric[] = "hr@10";
    *page = (struct null_page){
        .target.target_spec = {.metric = distribution->reached > 0 ? metric : NULL, .bar = 0.5}};
    for (size_t i = 0; i < NULL_CELLS; i++) {
        page->list[i] = (struct frs_ranked_entry){names[i % 3], i / NULL_ENTRIES, &page->runs[i]};
        for (size_t k = 0; k < distribution->n_runs; k++)
            frs_replicates_add(
                &page->runs[i], distribution->own_seeds ? 100 * i + k : k, &page->metrics[i][k]);
    }
    for (size_t c = 0; c < NULL_CIRCUMSTANCES; c++)
        page->environments[c] = names[c];
    page->ranking = (struct frs_ranking){.list = page->list,
        .n = NULL_CELLS,
        .environments = page->environments,
        .n_environments = NULL_CIRCUMSTANCES,
        .target = &page->target,
        .quality = metric};
}

static inline void end_null_page(struct null_page *page) {
    for (size_t i = 0; i < NULL_CELLS; i++) {
        for (size_t k = 0; k < NULL_MOST_RUNS; k++)
            frs_metrics_fini(&page->metrics[i][k]);
        frs_replicates_fini(&page->runs[i]);
    }
}

static inline double on_grid(double value, double grid) {
    return grid > 0 ? grid * ceil(value / grid) : value;
}

static inline void draw_quality(struct frs_metrics *run, const struct null_distribution *distribution,
    double shared, struct frs_rng *rng) {
    frs_metrics_set(run, "simulated_s", 1);
    frs_metrics_set(run, "hr@10", on_grid(shared + frs_rng_normal(rng), distribution->grid));
    frs_metrics_set_step(run, "hr@10", distribution->grid);
}

/* The quantiles of a normal distribution of variance 1.25 (what is shared has a standard deviation of 1/2)
 * that shares of .5 and .8 of the runs stay below. */
static inline double end_of(const struct null_distribution *distribution) {
    return distribution->reached == 1 ? 1e9 : distribution->reached > 0.5 ? 0.8416 * sqrt(1.25) : 0;
}

/* Times around 100 s, with a standard deviation of 5 s, or of 0.25 s where the runs that reach the target do
 * so at one time. Evaluations are a grid apart. Runs end after 100 s (or so that a fifth of them does not
 * reach the target), and the ones that never would much later. */
static inline void draw_time(struct frs_metrics *run, const struct null_distribution *distribution,
    double shared, struct frs_rng *rng) {
    double own = frs_rng_normal(rng), unit_s = distribution->lasts ? 0.25 : 5,
           end_s = 100 + unit_s * end_of(distribution);
    double time_s = 100 + unit_s * on_grid(0.5 * shared + own, distribution->grid);
    bool reaches = time_s <= end_s;
    if (distribution->lasts) {
        reaches = frs_rng_unit(rng) < distribution->reached;
        end_s = 1000 + 0.1 * frs_rng_normal(rng);
    }
    frs_metrics_set(run, "simulated_s", end_s);
    frs_metrics_set(run, "hr@10", 0.5);
    frs_metrics_set(run, FRS_TARGET_TIME, reaches ? time_s : INFINITY);
    frs_metrics_set_step(run, FRS_TARGET_TIME, unit_s * distribution->grid);
}

static inline bool says_anything(const struct frs_findings *findings) {
    for (size_t c = 0; c < NULL_CIRCUMSTANCES; c++)
        if (findings->decisions[c].alone)
            return true;
    for (size_t i = 0; i < NULL_CELLS; i++)
        if (findings->places[i].standing == FRS_BEHIND || findings->places[i].standing == FRS_SHORT)
            return true;
    return false;
}

/* How many of n pages say anything. */
static inline size_t count_wrong_pages(uint32_t number, size_t n) {
    const struct null_distribution *distribution = &null_distributions[number];
    struct null_page page;
    size_t wrong = 0;
    begin_null_page(&page, distribution);
    for (size_t k = 0; k < n; k++) {
        struct frs_rng rng = frs_rng_stream(20261126, number, (uint32_t)k, 0, FRS_RNG_TEST);
        for (size_t c = 0; c < NULL_CIRCUMSTANCES; c++) {
            double shared[NULL_MOST_RUNS];
            for (size_t r = 0; r < distribution->n_runs; r++)
                shared[r] = frs_rng_normal(&rng);
            for (size_t i = c * NULL_ENTRIES; i < (c + 1) * NULL_ENTRIES; i++)
                for (size_t r = 0; r < distribution->n_runs; r++) {
                    double own = distribution->own_seeds ? 0 : shared[r];
                    if (distribution->reached > 0)
                        draw_time(&page.metrics[i][r], distribution, own, &rng);
                    else
                        draw_quality(&page.metrics[i][r], distribution, own, &rng);
                }
        }
        struct frs_findings findings = frs_ranking_findings(&page.ranking);
        wrong += says_anything(&findings);
        frs_findings_fini(&findings);
    }
    end_null_page(&page);
    return wrong;
}

/* n pages of the first distributions, and n/5 of the further ones. The wrong pages may be 5 % plus twice the
 * standard error. */
static inline void expect_few_wrong_pages(size_t n) {
    bool good = true;
    for (uint32_t i = 0; i < NULL_DISTRIBUTIONS; i++) {
        size_t own = i < NULL_FURTHER_DISTRIBUTIONS ? n : n / 5;
        double share = (double)count_wrong_pages(i, own) / (double)own;
        printf("%-45s %5.2f %% of %zu pages say something\n", null_distributions[i].name, 100 * share, own);
        fflush(stdout);
        good = good && share <= 0.05 + 2 * sqrt(0.05 * 0.95 / (double)own);
    }
    ck_assert_msg(good, "more than 5 %% of the pages of a kind say something");
}

#endif
