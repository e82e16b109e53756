/* Ranking: entries compared within their environments (multiple comparisons with the best), and what may
 * be said of them.
 *
 * A reader sees all statements of a page together, so errors are counted for the page. In an environment
 * with k entries the leader is the one with the best mean of its replicates. These statements are made:
 *   - the leader is first alone, where each other entry is behind it at the one-sided level x = 0.05 / (2
 *     Σ (k − 1)), the sum going over the page's environments: two-sided, 0.05 over the number of
 *     comparisons with a leader;
 *   - otherwise, single entries are behind the leader at the level x / k, and all others are tied with it.
 * Whichever entries are best and however many of them are equal, the chance that any of this is wrong is
 * at most 5 % a page. (Bonferroni: in an environment, a wrong entry can be called first only if it beats
 * the best one, or one as good, at level x; there are at most k such events. A wrong order among the
 * others is one of (k − 2) k events at level x / k. Together (2k − 2) x. Under Holm's procedure all pairs
 * would be tested at 0.05 / Σ k (k − 1) first.)
 *
 * Tests are Student's, of differences seed by seed where the seeds are the same, otherwise Welch's; times
 * are compared by their logarithms. So the intervals hold as far as these differences are normal.
 *
 * A value on a grid (hits of a whole number of users, the time or the bytes of an evaluation) varies by at
 * least as much as the grid implies (frs_stats_grid_variance): two or three such values are often equal by
 * chance, and are not certain although they have no spread. For logarithms the step is taken relative to
 * the value.
 *
 * A run that did not reach the target is censored: its time is longer than the run. An entry with such
 * runs is never called sooner than another one. For its distance to the leader the run's end replaces the
 * time, which makes the distance too small rather than too large. An entry that reached the target in none
 * of its runs has no times at all. It is behind if a split of the runs as uneven as this, independent of
 * the entries, has at most the level as its chance (frs_stats_chance_of_split). That chance is 1 / C(2n,
 * n) with n runs each, so two or three runs never decide it. */
#ifndef FRS_ANALYSIS_RANKING_RANKING_H
#define FRS_ANALYSIS_RANKING_RANKING_H

#include "analysis/target/target.h"
#include "analysis/statistics/replicates.h"

/* The chance of an error that a page may have. */
#define FRS_PAGE_ERROR 0.05

/* What is compared in an environment: the time to the target, if an entry reaches it in each of its runs;
 * otherwise the quality in the last round; without any, the time of the whole runs. */
enum frs_measure { FRS_BY_TARGET, FRS_BY_QUALITY, FRS_BY_TIME, FRS_BY_BYTES };

/* One measure for all environments instead: the time, or the bytes, to the target where an entry reaches
 * it in each of its runs, and of the whole runs otherwise; or the quality in the last round. */
enum frs_asked { FRS_ASK_NOTHING, FRS_ASK_TIME, FRS_ASK_BYTES, FRS_ASK_QUALITY };

struct frs_ranked_entry {
    char *name; /* "colr of rank 4" */
    size_t environment;
    const struct frs_replicates *runs; /* borrowed; without any, nothing is said of it */
};

struct frs_ranking {
    struct frs_ranked_entry *list; /* [n] */
    size_t n;
    char **environments; /* [n_environments] "on 4g with loss = 30 %"; "" where there is nothing to say */
    size_t n_environments;
    const struct frs_target *target; /* borrowed */
    const char *quality;             /* borrowed; NULL: none */
    bool lower;                      /* smaller quality is better */
    enum frs_asked asked;
    double error; /* that the page may make by these comparisons; 0: FRS_PAGE_ERROR */
};

/* Frees names, environments and the lists. */
void frs_ranking_fini(struct frs_ranking *ranking);

enum frs_standing {
    FRS_FIRST,  /* the leader of its environment, alone or not */
    FRS_BEHIND, /* behind it */
    FRS_TIED,   /* not significantly different from it */
    FRS_SHORT,  /* behind it: reached the target in none of its runs, and the leader in all of its own */
    FRS_ABSENT  /* no runs */
};

/* Numbers of replicates: an unknown one, and the largest one that is reported. */
#define FRS_REPLICATES_UNKNOWN SIZE_MAX
#define FRS_REPLICATES_MOST 1000u

/* The place of an entry. Its distance to the leader is how many times as long it takes, or by how much its
 * quality is worse; no distance is 1 or 0. The interval is the page's: it excludes "no distance" exactly
 * where the page says that the entry is behind. */
struct frs_place {
    enum frs_standing standing;
    size_t reached;         /* runs that reached the target */
    double mean, low, high; /* NaN: there is none; low and high need two replicates */
    size_t more; /* FRS_TIED: the number of further replicates of each entry that would decide it with a
                    chance of 80 %, if the difference and its spread are what they seem; FRS_REPLICATES_MOST
                    at most, FRS_REPLICATES_UNKNOWN with one replicate */
};

struct frs_decision {
    enum frs_measure measure;
    const char *metric; /* what it is measured by */
    size_t n;           /* entries with runs */
    size_t leader;      /* its number in the ranking; with n == 0: ranking->n */
    bool alone;         /* it is first, and no entry is tied with it */
    size_t more;        /* largest of the tied entries */
};

struct frs_findings {
    struct frs_decision *decisions; /* [n_environments] */
    struct frs_place *places;       /* [n] */
    size_t n_comparisons;           /* Σ (k − 1) */
};

/* Times and the target's are those that frs_target_apply has added to the runs' metrics. */
struct frs_findings frs_ranking_findings(const struct frs_ranking *ranking);
void frs_findings_fini(struct frs_findings *findings);

#endif
