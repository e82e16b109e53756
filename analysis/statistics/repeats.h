/* Repeats: what it takes to reach a target where some runs end without, and how sure a bound on that is.
 *
 * Source: the expected running time of Hansen, Auger, Finck and Ros 2009, "Real-parameter black-box
 * optimization benchmarking 2009: experimental setup". A run that ended without the target is followed by
 * another one, until one reaches it. On average that takes what all runs spent, up to the target or to
 * their end, divided by the number of runs that reached it:
 *
 *   E = (sum over reached runs of x + sum over missed runs of w) / reached = mean of x + (1 − p) / p ·
 *   mean of w
 *
 * where x is the figure of a run that reached the target, w the same figure of a whole run without it, and
 * p the share that reaches it. Without misses that is the mean; where no run reaches the target it is
 * INFINITY. */
#ifndef FRS_ANALYSIS_STATISTICS_REPEATS_H
#define FRS_ANALYSIS_STATISTICS_REPEATS_H

#include "analysis/statistics/replicates.h"

struct frs_repeats {
    struct frs_estimate
        estimate; /* n counts misses too; with them the interval is that of the ratio, by linearisation */
    size_t missed;
};

/* The estimate of any metric: the mean, if no run can miss the metric. */
struct frs_repeats frs_repeats_of(const struct frs_replicates *runs, const char *metric);

/* The chance that E is at most `bound`, from replicates like these. It uses Student's distribution for the
 * mean of x. If a run missed the target, or `may_miss` says that runs like these do, it also uses
 * Beta(reached + 1/2, missed + 1/2) for p (Jeffreys' prior); replicates without a miss then leave room for
 * some. NaN with fewer than two replicates. */
double frs_repeats_chance(const struct frs_replicates *runs, const char *metric, double bound, bool may_miss);

/* The chance that E of `a` is below that of `b`, seed by seed; 0 where they are equal for each seed. NaN
 * with fewer than two common seeds. */
double frs_repeats_chance_below(
    const struct frs_replicates *a, const struct frs_replicates *b, const char *metric);

/* The chance that another one of runs [n] is better than number `best`; `larger`: E is better when large.
 * It is computed seed by seed for all settings at once, so that what other settings share is not counted
 * twice, as it would be in a sum over pairs. Draws from Student's distribution of all differences to the
 * best, with the same numbers in every call. Never below the largest chance of a pair, nor above their
 * sum. NaN with fewer than two replicates. */
double frs_repeats_chance_of_better(
    const struct frs_replicates *const *runs, size_t n, const char *metric, bool larger, size_t best);

#endif
