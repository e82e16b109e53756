/* What may be said of compared entries: by hand, and over 400 made-up sweeps whose truth is known. */
#include "analysis/ranking/beside_baseline.h"
#include "analysis/ranking/ranking.h"
#include "analysis/statistics/student_t.h"
#include "analysis/sentence/sentence.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RUNS = 10, MOST_ENTRIES = 6, MOST_CIRCUMSTANCES = 3 };

/* A page of up to 18 entries, with the metrics that the target has added. */
struct page {
    struct frs_metrics metrics[MOST_ENTRIES * MOST_CIRCUMSTANCES][MOST_RUNS];
    struct frs_replicates runs[MOST_ENTRIES * MOST_CIRCUMSTANCES];
    struct frs_target target;
    struct frs_ranking ranking;
};

static struct page *new_page(size_t n_entries, size_t n_environments) {
    struct page *page = frs_alloc(1, sizeof *page);
    page->target.target_spec = (struct frs_target_spec){.metric = frs_strdup("hr@10"), .bar = 0.5};
    page->ranking =
        (struct frs_ranking){.list = frs_alloc(n_entries * n_environments, sizeof *page->ranking.list),
            .n = n_entries * n_environments,
            .environments = frs_alloc(n_environments, sizeof *page->ranking.environments),
            .n_environments = n_environments,
            .target = &page->target,
            .quality = "hr@10"};
    for (size_t c = 0; c < n_environments; c++)
        page->ranking.environments[c] = n_environments > 1 ? frs_format("on net%zu", c) : frs_strdup("");
    for (size_t i = 0; i < page->ranking.n; i++)
        page->ranking.list[i] =
            (struct frs_ranked_entry){frs_format("m%zu", i % n_entries), i / n_entries, &page->runs[i]};
    return page;
}

static void free_page(struct page *page) {
    for (size_t i = 0; i < page->ranking.n; i++) {
        for (size_t k = 0; k < page->runs[i].n; k++)
            frs_metrics_fini(&page->metrics[i][k]);
        frs_replicates_fini(&page->runs[i]);
    }
    frs_ranking_fini(&page->ranking);
    frs_target_fini(&page->target);
    free(page);
}

/* A run of 60 rounds that reaches the target after `reached_s`, if that is within its `end_s`. */
static void add_run(
    struct page *page, size_t i, uint64_t seed, double reached_s, double end_s, double quality) {
    size_t k = page->runs[i].n;
    struct frs_metrics *metrics = &page->metrics[i][k];
    frs_metrics_set(metrics, "rounds", 60);
    frs_metrics_set(metrics, "simulated_s", end_s);
    frs_metrics_set(metrics, "hr@10", quality);
    frs_metrics_set(metrics, FRS_TARGET_TIME, reached_s <= end_s ? reached_s : INFINITY);
    frs_replicates_add(&page->runs[i], seed, metrics);
}

static void expect_sentence(const struct page *page, const char *expected) {
    struct frs_findings findings = frs_ranking_findings(&page->ranking);
    char *text = frs_sentence(&page->ranking, &findings);
    ck_assert_str_eq(text, expected);
    free(text);
    frs_findings_fini(&findings);
}

/* ---- by hand ---- */

/* Logarithms of 2, 2·e^0.1 and 2·e^-0.1 around ln 2: mean ln 2, sd 0.1, so 4.3027·0.1/√3 = 0.24841 at one
 * comparison: factors 2·e^±0.24841 = 1.5601 and 2.5640. */
START_TEST(test_two_by_hand) {
    struct page *page = new_page(2, 1);
    static const double factors[] = {2, 2.2103418361512953, 1.809674836071919};
    for (uint64_t k = 0; k < 3; k++) {
        add_run(page, 0, k, 600 * factors[k], 6000, 0.5);
        add_run(page, 1, k, 600, 6000, 0.5);
    }
    struct frs_findings findings = frs_ranking_findings(&page->ranking);
    ck_assert_uint_eq(findings.n_comparisons, 1);
    ck_assert_uint_eq(findings.decisions[0].leader, 1);
    ck_assert(findings.decisions[0].alone);
    ck_assert_int_eq(findings.places[1].standing, FRS_FIRST);
    ck_assert_int_eq(findings.places[0].standing, FRS_BEHIND);
    ck_assert_double_eq_tol(findings.places[0].mean, 2, 1e-12);
    ck_assert_double_eq_tol(findings.places[0].low, 1.5601, 1e-4);
    ck_assert_double_eq_tol(findings.places[0].high, 2.5640, 1e-4);
    frs_findings_fini(&findings);
    expect_sentence(page, "m1 reaches HR@10 0.5 after 10 min, 2.0 times (1.6–2.6) sooner than m0.");
    free_page(page);
}
END_TEST

/* The same, and popularity has HR@10 0.51: of the first and of what is tied with it that is said, of what is
 * behind it is not. On net1, where all is alike but popularity has 0.5, equal is no better; on net2 it has
 * 0.49, so that net2 has a sentence of its own. */
START_TEST(who_does_not_beat_popularity_is_named) {
    struct page *page = new_page(3, 3);
    static const double popularity[] = {0.51, 0.5, 0.49};
    for (size_t i = 0; i < 9; i++)
        for (uint64_t k = 0; k < 3; k++) {
            double reached_s[] = {600 + 3.0 * (double)k, 606 - 3.0 * (double)k, 6000};
            add_run(page, i, k, reached_s[i % 3], 9000, 0.5);
            frs_metrics_set(&page->metrics[i][k], "non_federated.popularity.hr@10", popularity[i / 3]);
        }
    struct frs_findings findings = frs_ranking_findings(&page->ranking);
    char *text = frs_sentence(&page->ranking, &findings);
    static const char told[] = "; in the end m0 (HR@10 0.500) and m1 (0.500) are no better than popularity "
                               "(0.510) on the test items. m0 "
                               "leads, too, on net1, but is not significantly ahead of all others, and is no "
                               "better in the end than what "
                               "needs no federation. On net2, m0 reaches HR@10 0.5";
    const char *found = strstr(text, told);
    ck_assert_msg(found && !strstr(found + strlen(told), "no better"), "%s", text);
    free(text);
    frs_findings_fini(&findings);
    free_page(page);
}
END_TEST

/* Of ratings, the RMSE of each item's mean is the bar: 0.9 does not beat it. */
START_TEST(ratings_stand_beside_the_means_of_items) {
    static char rmse[] = "rmse";
    struct page *page = new_page(2, 1);
    page->ranking.quality = rmse;
    page->ranking.lower = true;
    for (size_t i = 0; i < 2; i++)
        for (uint64_t k = 0; k < 3; k++) {
            add_run(page, i, k, INFINITY, 6000, 0.5);
            frs_metrics_set(&page->metrics[i][k], "rmse", i == 0 ? 0.9 : 0.8);
            frs_metrics_set(&page->metrics[i][k], "non_federated.item_mean.rmse", 0.9);
        }
    struct frs_beside_baseline first = frs_beside_baseline(&page->ranking, 0),
                               second = frs_beside_baseline(&page->ranking, 1);
    ck_assert_str_eq(first.baseline, "item_mean");
    ck_assert(frs_is_no_better(&first));
    ck_assert(second.better && !frs_is_no_better(&second));
    page->ranking.quality = "mae";
    struct frs_beside_baseline none = frs_beside_baseline(&page->ranking, 0);
    ck_assert(!none.baseline && !frs_is_no_better(&none));
    free_page(page);
}
END_TEST

/* Differences of 0.02, 0.00 and 0.01 in quality: mean 0.01, sd 0.01, interval ± 0.0248. To be told with a
 * chance of 80 % n has to satisfy 0.01 ≥ (t(0.975) + t(0.8)) 0.01/√n: for n = 10, (2.2622 + 0.8834)/3.1623 =
 * 0.9947, and for n = 9, (2.3060 + 0.8889)/3 = 1.0650. So 7 more than there are. No entry reaches the
 * target. */
START_TEST(test_undecided_by_hand) {
    struct page *page = new_page(2, 1);
    static const double better[] = {0.42, 0.40, 0.41};
    for (uint64_t k = 0; k < 3; k++) {
        add_run(page, 0, k, 9000, 6000, better[k]);
        add_run(page, 1, k, 9000, 6000, 0.40);
    }
    struct frs_findings findings = frs_ranking_findings(&page->ranking);
    ck_assert_int_eq(findings.decisions[0].measure, FRS_BY_QUALITY);
    ck_assert_uint_eq(findings.decisions[0].leader, 0);
    ck_assert(!findings.decisions[0].alone);
    ck_assert_int_eq(findings.places[1].standing, FRS_TIED);
    ck_assert_double_eq_tol(findings.places[1].mean, 0.01, 1e-12);
    ck_assert_double_eq_tol(findings.places[1].low, -0.0148, 1e-4);
    ck_assert_uint_eq(findings.places[1].more, 7);
    frs_findings_fini(&findings);
    expect_sentence(page,
        "no run reaches HR@10 0.5; m0 has HR@10 0.410 (0.385–0.435) after 60 rounds; it is not "
        "significantly different from m1 (about 7 more replicates would decide it).");
    free_page(page);
}
END_TEST

/* What has no grid and no spread is certain. The entry that sometimes reaches the target is never ahead. So
 * few runs of the one that never does say nothing: six against none have a chance of 1/C(12, 6) = 1/924, and
 * the level is 0.05/(2·3)/4 = 1/480, as not all others are behind; five, 1/252. */
static struct page *draw_censored(uint64_t n) {
    struct page *page = new_page(4, 1);
    for (uint64_t k = 0; k < n; k++) {
        add_run(page, 0, k, 900, 6000, 0.5);
        add_run(page, 1, k, 9000, 6000, 0.4);
        add_run(page, 2, k, k == 0 ? 300 : 9000, 1000 + 10 * (double)k, 0.4);
        add_run(page, 3, k, 1800, 6000, 0.5);
    }
    return page;
}

START_TEST(censored_leader_needs_enough_runs) {
    for (uint64_t n = 3; n <= 6; n++) {
        struct page *page = draw_censored(n);
        struct frs_findings findings = frs_ranking_findings(&page->ranking);
        ck_assert_uint_eq(findings.decisions[0].leader, 0);
        ck_assert(!findings.decisions[0].alone);
        ck_assert_int_eq(findings.places[1].standing, n == 6 ? FRS_SHORT : FRS_TIED);
        ck_assert_int_eq(findings.places[2].standing, FRS_TIED);
        ck_assert_uint_eq(findings.places[2].reached, 1);
        ck_assert_int_eq(findings.places[3].standing, FRS_BEHIND);
        ck_assert_double_eq_tol(findings.places[3].mean, 2, 1e-12);
        frs_findings_fini(&findings);
        free_page(page);
    }
}
END_TEST

/* One run of six misses the target, and counts with its end. Logarithms of the factors are ln 2 five times
 * and ln 2.2: mean 0.70903, sd 0.03891, so 2.5706 · 0.03891/√6 = 0.04083: 2.032, from 1.951 to 2.117, and
 * that is a lower bound. */
START_TEST(a_missed_target_makes_a_lower_bound) {
    struct page *page = new_page(2, 1);
    for (uint64_t k = 0; k < 6; k++) {
        add_run(page, 0, k, 600, 6000, 0.5);
        add_run(page, 1, k, k == 3 ? 9000 : 1200, k == 3 ? 1320 : 6000, 0.5);
    }
    struct frs_findings findings = frs_ranking_findings(&page->ranking);
    ck_assert_int_eq(findings.places[1].standing, FRS_BEHIND);
    ck_assert_uint_eq(findings.places[1].reached, 5);
    ck_assert_double_eq_tol(findings.places[1].mean, 2.0320, 1e-4);
    ck_assert_double_eq_tol(findings.places[1].low, 1.9507, 1e-4);
    ck_assert_double_eq_tol(findings.places[1].high, 2.1167, 1e-4);
    frs_findings_fini(&findings);
    expect_sentence(page,
        "m0 reaches HR@10 0.5 after 10 min, at least 2.0 times (2.0–2.1) sooner than m1, which reaches it in "
        "5 of 6 runs.");
    free_page(page);
}
END_TEST

/* Two of two against none of two: 1/6. With one comparison the level is 0.025, which four runs each (1/70)
 * satisfy and three (1/20) do not. */
START_TEST(test_never_reaching_by_chance) {
    for (uint64_t n = 2; n <= 4; n++) {
        struct page *page = new_page(2, 1);
        for (uint64_t k = 0; k < n; k++) {
            add_run(page, 0, k, 600, 6000, 0.5);
            add_run(page, 1, k, 9000, 6000, 0.4);
        }
        expect_sentence(
            page, n == 2 ? "m0 reaches HR@10 0.5 after 10 min; m1 does not reach it within 60 rounds, but so "
                           "few runs do not rule "
                           "out chance (about 2 more replicates would decide it)."
                  : n == 3 ? "m0 reaches HR@10 0.5 after 10 min; m1 does not reach it within 60 rounds, but "
                             "so few runs do not "
                             "rule out chance (about 1 more replicate would decide it)."
                           : "m0 reaches HR@10 0.5 after 10 min; m1 does not reach it within 60 rounds.");
        struct frs_findings findings = frs_ranking_findings(&page->ranking);
        ck_assert_int_eq(findings.decisions[0].alone, n == 4);
        frs_findings_fini(&findings);
        free_page(page);
    }
}
END_TEST

static void set_steps(struct page *page, const char *metric, double step) {
    for (size_t i = 0; i < page->ranking.n; i++)
        for (size_t k = 0; k < page->runs[i].n; k++)
            frs_metrics_set_step(&page->metrics[i][k], metric, step);
}

/* One of 50 users more in both replicates: 0.02 ± 12.706·√(2·0.02²/12/2), which is 0.02 ± 0.0734. No run
 * reaches the target. */
START_TEST(test_a_grid_by_hand) {
    struct page *page = new_page(2, 1);
    for (uint64_t k = 0; k < 2; k++) {
        add_run(page, 0, k, 9000, 6000, 0.42);
        add_run(page, 1, k, 9000, 6000, 0.40);
    }
    struct frs_findings findings = frs_ranking_findings(&page->ranking);
    ck_assert(findings.decisions[0].alone); /* without a grid */
    frs_findings_fini(&findings);
    set_steps(page, "hr@10", 0.02);
    findings = frs_ranking_findings(&page->ranking);
    ck_assert_int_eq(findings.places[1].standing, FRS_TIED);
    ck_assert_double_eq_tol(findings.places[1].low, 0.02 - 0.07336, 1e-4);
    ck_assert_double_eq_tol(findings.places[1].high, 0.02 + 0.07336, 1e-4);
    frs_findings_fini(&findings);
    free_page(page);
}
END_TEST

/* 600 and 700 s in both replicates, evaluated every 60 s: logarithms have steps of 0.1 and 0.0857, so ln(7/6)
 * = 0.1542 ± 12.706·√((0.1² + 0.0857²)/12/2) = 0.1542 ± 0.3416. */
START_TEST(test_a_grid_of_times_by_hand) {
    struct page *page = new_page(2, 1);
    for (uint64_t k = 0; k < 2; k++) {
        add_run(page, 0, k, 600, 6000, 0.5);
        add_run(page, 1, k, 700, 6000, 0.5);
    }
    set_steps(page, FRS_TARGET_TIME, 60);
    struct frs_findings findings = frs_ranking_findings(&page->ranking);
    ck_assert_int_eq(findings.places[1].standing, FRS_TIED);
    ck_assert_double_eq_tol(findings.places[1].mean, 7.0 / 6, 1e-12);
    ck_assert_double_eq_tol(log(findings.places[1].low), 0.1542 - 0.3416, 1e-3);
    frs_findings_fini(&findings);
    free_page(page);
}
END_TEST

START_TEST(one_replicate_decides_nothing) {
    struct page *page = new_page(2, 1);
    add_run(page, 0, 1, 600, 6000, 0.5);
    add_run(page, 1, 1, 1200, 6000, 0.5);
    expect_sentence(
        page, "m0 reaches HR@10 0.5 after 10 min; so few replicates do not decide between it and m1.");
    free_page(page);
}
END_TEST

/* Times of 9, 9, 9 and 33 min against 14 min each: a mean of 15 against 14, though (9³ · 33)^¼ = 12.45 is
 * less. The entry with the better mean of what the tables show leads; the other is not significantly
 * different from it. */
START_TEST(test_leader_has_the_mean_of_the_tables) {
    struct page *page = new_page(2, 1);
    for (uint64_t k = 0; k < 4; k++) {
        add_run(page, 0, k, k == 3 ? 1980 : 540, 6000, 0.5);
        add_run(page, 1, k, 840, 6000, 0.5);
    }
    struct frs_findings findings = frs_ranking_findings(&page->ranking);
    ck_assert_uint_eq(findings.decisions[0].leader, 1);
    ck_assert(!findings.decisions[0].alone);
    ck_assert_int_eq(findings.places[0].standing, FRS_TIED);
    ck_assert_double_eq_tol(findings.places[0].mean, 12.4533 / 14, 1e-4);
    frs_findings_fini(&findings);
    free_page(page);
}
END_TEST

START_TEST(order_turns_between_environments) {
    struct page *page = new_page(2, 2);
    for (uint64_t k = 0; k < 3; k++) {
        add_run(page, 0, k, 600, 6000, 0.5);
        add_run(page, 1, k, 1500, 6000, 0.5);
        add_run(page, 2, k, 60, 6000, 0.5);
        add_run(page, 3, k, 30, 6000, 0.5);
    }
    struct frs_findings findings = frs_ranking_findings(&page->ranking);
    ck_assert_uint_eq(findings.n_comparisons, 2);
    frs_findings_fini(&findings);
    expect_sentence(page,
        "On net0, m0 reaches HR@10 0.5 after 10 min, 2.5 times sooner than m1. On net1 the order is "
        "reversed: m1 reaches HR@10 0.5 after 30 s, 2.0 times sooner than m0.");
    free_page(page);
}
END_TEST

/* One that is ahead in the second environment by chance reverses nothing. */
START_TEST(only_what_is_decided_is_reversed) {
    struct page *page = new_page(2, 2);
    for (uint64_t k = 0; k < 3; k++) {
        add_run(page, 0, k, 600, 6000, 0.5);
        add_run(page, 1, k, 1500, 6000, 0.5);
        add_run(page, 2, k, k ? 60 : 40, 6000, 0.5);
        add_run(page, 3, k, k ? 40 : 60, 6000, 0.5);
    }
    struct frs_findings findings = frs_ranking_findings(&page->ranking);
    char *text = frs_sentence(&page->ranking, &findings);
    ck_assert_uint_eq(findings.decisions[1].leader, 3);
    ck_assert_msg(!strstr(text, "reversed"), "%s", text);
    free(text);
    frs_findings_fini(&findings);
    free_page(page);
}
END_TEST

/* Of four that are behind, and stand in another order, the nearest is named. */
START_TEST(the_nearest_of_many_is_named) {
    static const double reached_s[] = {4800, 600, 3600, 1200, 2400};
    struct page *page = new_page(5, 1);
    for (uint64_t k = 0; k < 3; k++)
        for (size_t i = 0; i < 5; i++)
            add_run(page, i, k, reached_s[i], 6000, 0.5);
    expect_sentence(page,
        "m1 reaches HR@10 0.5 after 10 min, 2.0 times sooner than m3, the nearest of 4 that are behind it.");
    free_page(page);
}
END_TEST

/* Quality that is best when small: 0.1 less, seed by seed. */
START_TEST(an_error_is_best_below_others) {
    struct page *page = new_page(2, 1);
    page->ranking.quality = "rmse";
    page->ranking.lower = true;
    frs_target_fini(&page->target);
    page->target = (struct frs_target){0};
    for (uint64_t k = 0; k < 3; k++)
        for (size_t i = 0; i < 2; i++) {
            add_run(page, i, k, 9000, 6000, 0.4);
            frs_metrics_set(&page->metrics[i][k], "rmse", i ? 1 : 0.9);
        }
    expect_sentence(page, "m0 has RMSE 0.9000 after 60 rounds, 0.10 below m1.");
    free_page(page);
}
END_TEST

/* One of four runs reaches the target. Both have 0.41 on average, ± 12.706 · 0.01, and are 0.02 apart either
 * way: equal means are not equal replicates, and no number of further ones tells what is the same. */
START_TEST(equal_means_are_not_equal_runs) {
    struct page *page = new_page(2, 1);
    for (uint64_t k = 0; k < 2; k++) {
        add_run(page, 0, k, k ? 9000 : 600, 6000, k ? 0.42 : 0.40);
        add_run(page, 1, k, 9000, 6000, k ? 0.40 : 0.42);
    }
    expect_sentence(page,
        "none reaches HR@10 0.5 in all of its runs (1 of 4 do); m0 has HR@10 0.41 (0.28–0.54) after 60 "
        "rounds; it is not significantly different from m1 (1000 more replicates would not decide it).");
    free_page(page);
}
END_TEST

/* m1, the nearer one, needs nine more replicates, and m2 four: nine decide both. */
START_TEST(the_number_that_decides_all_is_told) {
    struct page *page = new_page(3, 1);
    frs_target_fini(&page->target);
    page->target = (struct frs_target){0};
    for (size_t i = 0; i < 3; i++)
        add_run(page, i, 0, 9000, 6000, 0.42 - 0.01 * (double)i);
    struct frs_findings findings = frs_ranking_findings(&page->ranking);
    findings.places[1].more = 9;
    findings.places[2].more = 4;
    char *text = frs_sentence(&page->ranking, &findings);
    ck_assert_str_eq(text,
        "m0 has HR@10 0.4200 after 60 rounds; it is not significantly different from m1 and m2 "
        "(about 9 more replicates would decide it).");
    free(text);
    frs_findings_fini(&findings);
    free_page(page);
}
END_TEST

/* Where messages are compared, a run that misses the target has sent all it sent: 4000 bytes against 1000. */
START_TEST(a_missed_target_costs_all_that_was_sent) {
    struct page *page = new_page(2, 1);
    page->ranking.asked = FRS_ASK_BYTES;
    for (uint64_t k = 0; k < 3; k++)
        for (size_t i = 0; i < 2; i++) {
            add_run(page, i, k, i && k == 0 ? 9000 : 600, 6000, 0.5);
            frs_metrics_set(&page->metrics[i][k], FRS_TARGET_SENT, i && k == 0 ? INFINITY : 1000);
            frs_metrics_set(&page->metrics[i][k], "bytes.sent", 8000);
        }
    struct frs_findings findings = frs_ranking_findings(&page->ranking);
    ck_assert_int_eq(findings.decisions[0].measure, FRS_BY_BYTES);
    ck_assert_uint_eq(findings.decisions[0].leader, 0);
    ck_assert_double_eq_tol(findings.places[1].mean, 2, 1e-12); /* ∛8: one run of three */
    frs_findings_fini(&findings);
    free_page(page);
}
END_TEST

/* Two that are the same in every replicate, and others that were not run. */
START_TEST(test_same_and_absent) {
    struct page *page = new_page(3, 1);
    for (uint64_t k = 0; k < 3; k++) {
        add_run(page, 0, k, 600 + 60 * (double)k, 6000, 0.5);
        add_run(page, 1, k, 600 + 60 * (double)k, 6000, 0.5);
    }
    struct frs_findings findings = frs_ranking_findings(&page->ranking);
    ck_assert_uint_eq(findings.decisions[0].n, 2);
    ck_assert_int_eq(findings.places[2].standing, FRS_ABSENT);
    frs_findings_fini(&findings);
    expect_sentence(
        page, "m0 reaches HR@10 0.5 after 11.0 min (8.5–13.5); it is the same as m1 in every replicate.");
    free_page(page);
}
END_TEST

START_TEST(test_nothing_was_run) {
    struct page *page = new_page(2, 1);
    expect_sentence(page, "");
    free_page(page);
}
END_TEST

/* ---- 400 sweeps ---- */

enum { PAGES = 400 };

/* What is true of a page, in the score that is compared: the smaller, the better. */
struct truth {
    size_t n_entries, n_environments, n_runs;
    bool by_quality;
    double scores[MOST_ENTRIES * MOST_CIRCUMSTANCES];
};

/* Normal, or, for a third of the pages, with a long tail and mean 0: an exponential distribution. */
static double noise(struct frs_rng *rng, bool skewed) {
    return skewed ? frs_rng_exponential(rng) - 1 : frs_rng_normal(rng);
}

/* The common factor of a seed has sd 0.3, the factor of each run 0.1; in quality a tenth of that. In a
 * fifth of the environments the best entries are equal. Half of the pages that measure time have runs that
 * are too short for the slower half. */
static struct page *draw_page(uint32_t number, struct truth *truth) {
    struct frs_rng rng = frs_rng_stream(20260102, number, 0, 0, FRS_RNG_TEST);
    *truth =
        (struct truth){2 + frs_rng_below(&rng, MOST_ENTRIES - 1), 1 + frs_rng_below(&rng, MOST_CIRCUMSTANCES),
            2 + frs_rng_below(&rng, 7), frs_rng_below(&rng, 3) == 0, {0}};
    bool skewed = frs_rng_below(&rng, 3) == 0, cut = !truth->by_quality && frs_rng_below(&rng, 2);
    struct page *page = new_page(truth->n_entries, truth->n_environments);
    double width = exp(2 * frs_rng_normal(&rng));
    for (size_t c = 0; c < truth->n_environments; c++) {
        double shared[MOST_RUNS], *scores = truth->scores + c * truth->n_entries;
        bool equal = frs_rng_below(&rng, 5) == 0;
        for (size_t k = 0; k < truth->n_runs; k++)
            shared[k] = 0.3 * frs_rng_normal(&rng);
        for (size_t m = 0; m < truth->n_entries; m++)
            scores[m] = 0.2 * width * (equal && m < 2 ? -3 : frs_rng_normal(&rng));
        for (size_t m = 0; m < truth->n_entries; m++)
            for (size_t k = 0; k < truth->n_runs; k++) {
                double score = scores[m] + shared[k] + 0.1 * noise(&rng, skewed);
                double end_s = cut ? 1000 * exp(shared[k]) : 1e300;
                add_run(page, c * truth->n_entries + m, k, truth->by_quality ? INFINITY : 1000 * exp(score),
                    truth->by_quality ? 1 : end_s, 0.5 - 0.1 * score);
            }
    }
    return page;
}

/* Sums over all pages. */
struct tally {
    size_t wrong_pages, named, large, large_named, usual_large, usual_named;
};

/* Whether anything that is said of this environment is false. */
static bool errs(const struct truth *truth, const struct frs_findings *findings, size_t c) {
    const struct frs_decision *decision = &findings->decisions[c];
    for (size_t i = c * truth->n_entries; i < (c + 1) * truth->n_entries; i++) {
        bool is_better = i != decision->leader && truth->scores[i] <= truth->scores[decision->leader];
        if (is_better && (decision->alone || findings->places[i].standing == FRS_BEHIND))
            return true;
    }
    return false;
}

static size_t best_but(const struct truth *truth, size_t c, size_t without) {
    size_t best = SIZE_MAX;
    for (size_t i = c * truth->n_entries; i < (c + 1) * truth->n_entries; i++)
        if (i != without && (best == SIZE_MAX || truth->scores[i] < truth->scores[best]))
            best = i;
    return best;
}

/* How much better the best is than the next one, and how wide the interval between them: the page's, and that
 * of a single comparison. */
static void look(
    const struct truth *truth, const struct frs_findings *findings, size_t c, struct tally *tally) {
    const struct frs_decision *decision = &findings->decisions[c];
    size_t best = best_but(truth, c, SIZE_MAX), next = best_but(truth, c, best);
    const struct frs_place *place = &findings->places[decision->leader == best ? next : best];
    bool right = decision->alone && decision->leader == best;
    double difference = truth->scores[next] - truth->scores[best], width = (place->high - place->low) / 2;
    if (decision->measure == FRS_BY_QUALITY)
        difference *= 0.1;
    else
        width = log(place->high / place->low) / 2;
    tally->named += right;
    if (isfinite(width) && difference >= 2 * width) {
        tally->large++;
        tally->large_named += right;
    }
    double df = (double)(truth->n_runs - 1), scale = decision->measure == FRS_BY_QUALITY ? 0.01 : 0.1;
    if (difference >= 2 * frs_student_t_quantile(0.975, df) * scale * sqrt(2 / (double)truth->n_runs)) {
        tally->usual_large++;
        tally->usual_named += right;
    }
}

/* The sentence names who leads in the first environment. */
static void expect_named(const struct page *page, const struct frs_findings *findings) {
    char *text = frs_sentence(&page->ranking, findings);
    char *name = frs_format("%s ", page->ranking.list[findings->decisions[0].leader].name);
    ck_assert_ptr_nonnull(strstr(text, name));
    ck_assert_ptr_null(strstr(text, "nan"));
    ck_assert_ptr_null(strstr(text, "inf"));
    free(name);
    free(text);
}

START_TEST(test_400_sweeps) {
    struct tally tally = {0};
    for (uint32_t number = 0; number < PAGES; number++) {
        struct truth truth;
        struct page *page = draw_page(number, &truth);
        struct frs_findings findings = frs_ranking_findings(&page->ranking);
        bool wrong = false;
        for (size_t c = 0; c < truth.n_environments; c++) {
            wrong = wrong || errs(&truth, &findings, c);
            look(&truth, &findings, c, &tally);
        }
        tally.wrong_pages += wrong;
        expect_named(page, &findings);
        frs_findings_fini(&findings);
        free_page(page);
    }
    printf("400 pages, %zu with something wrong; of %zu differences of two half-widths of the page %zu are "
           "named, of %zu of two usual half-widths %zu\n",
        tally.wrong_pages, tally.large, tally.large_named, tally.usual_large, tally.usual_named);
    ck_assert_uint_le(tally.wrong_pages, PAGES / 20);
    ck_assert_uint_ge(tally.large, 100);
    ck_assert_uint_ge(tally.large_named * 100, tally.large * 80);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("ranking");
    TCase *tests = tcase_create("ranking");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, test_two_by_hand);
    tcase_add_test(tests, who_does_not_beat_popularity_is_named);
    tcase_add_test(tests, ratings_stand_beside_the_means_of_items);
    tcase_add_test(tests, test_undecided_by_hand);
    tcase_add_test(tests, censored_leader_needs_enough_runs);
    tcase_add_test(tests, test_never_reaching_by_chance);
    tcase_add_test(tests, a_missed_target_makes_a_lower_bound);
    tcase_add_test(tests, test_a_grid_by_hand);
    tcase_add_test(tests, test_a_grid_of_times_by_hand);
    tcase_add_test(tests, one_replicate_decides_nothing);
    tcase_add_test(tests, test_leader_has_the_mean_of_the_tables);
    tcase_add_test(tests, order_turns_between_environments);
    tcase_add_test(tests, only_what_is_decided_is_reversed);
    tcase_add_test(tests, the_nearest_of_many_is_named);
    tcase_add_test(tests, an_error_is_best_below_others);
    tcase_add_test(tests, equal_means_are_not_equal_runs);
    tcase_add_test(tests, the_number_that_decides_all_is_told);
    tcase_add_test(tests, a_missed_target_costs_all_that_was_sent);
    tcase_add_test(tests, test_same_and_absent);
    tcase_add_test(tests, test_nothing_was_run);
    tcase_add_test(tests, test_400_sweeps);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
