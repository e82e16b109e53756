/* Quality: what one evaluation found. */
#ifndef FRS_ALGORITHMS_METRICS_QUALITY_H
#define FRS_ALGORITHMS_METRICS_QUALITY_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Means over all held-out interactions. Ratings are predicted under explicit feedback, items ranked
 * otherwise; fields that do not apply are NaN and are left out of the outputs. */
struct frs_scores {
    size_t n;          /* held-out interactions */
    size_t not_finite; /* of these, ranked items whose score is not a number: they come last */
    double hit, ndcg;
    double mae, rmse;
};

/* Nothing was found. */
#define FRS_NO_SCORES                                                                                        \
    { .hit = NAN, .ndcg = NAN, .mae = NAN, .rmse = NAN }

struct frs_quality {
    struct frs_scores test;
    struct frs_scores validation;    /* n == 0: nothing was held out for it */
    struct frs_scores participants;  /* test, over clients that have trained at least once */
    double participants_share;       /* share of clients that have trained at least once */
    double client_loss, server_loss; /* of information, mean over the rounds so far; NaN: not measured */
    /* Means, likewise, of what an honest-but-curious server learns from an upload
     * (algorithms/training/leakage.h): the items it reads, and the share of the client's interactions it
     * finds. Where it sees only sums: the share of the items touched in a round that few clients touched. */
    double items_read, interactions_found, sums_of_few;
    double clipped; /* under pairwise masks: share of values that were outside of their range */
};

#endif
