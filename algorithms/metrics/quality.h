/* Quality: what one evaluation found. */
#ifndef FRS_ALGORITHMS_METRICS_QUALITY_H
#define FRS_ALGORITHMS_METRICS_QUALITY_H

#include "algorithms/metrics/ranking.h"

#include <stdbool.h>
#include <stddef.h>

/* Means over users with held-out items where items are ranked, over held-out interactions where ratings are
 * predicted (explicit feedback). Figures that do not apply are NaN and are left out of the outputs. */
struct frs_scores {
    size_t n;                              /* users, or interactions: what the means are over */
    size_t not_finite;                     /* ranked items whose score is not a number: they come last */
    struct frs_at_k at[FRS_CUT_OFFS_MOST]; /* [cut-offs of the run] */
    double auc;
    double mae, rmse;
};

/* n is 0 and no figure is known. */
struct frs_scores frs_no_scores(void);

/* HR at the first cut-off: the figure by which runs are compared, where they rank. */
double frs_scores_hit(const struct frs_scores *scores);

/* A figure by its name, as it is written. */
struct frs_score_figure {
    char name[32]; /* "hr@10", "auc", "rmse" */
    double value;
    bool predicts; /* of predicted ratings */
};

#define FRS_FIGURES_MOST (6 * FRS_CUT_OFFS_MOST + 3)

/* Fills in all figures in the order of their columns and returns their number. */
size_t frs_scores_figures(const struct frs_scores *scores, const struct frs_list_rules *ranking,
    struct frs_score_figure figures[FRS_FIGURES_MOST]);

/* Classes of groups by their members: 1, 2, 3 to 4, 5 to 8, 9 to 16, more. */
#define FRS_GROUP_SIZES 6

/* Of updates and of the item table (algorithms/training/structure.h); NaN: not measured. */
struct frs_structure_figures {
    double components_90, components_99, groups, cosine_rows, cosine_groups;
    double of_size[FRS_GROUP_SIZES]; /* groups a round of that many members */
    double zero, above_tenth, above_hundredth;
};

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
    double
        consensus_distance; /* of clients' models from their mean, where there is no server; NaN: there is */
    double clipped;         /* under pairwise masks: share of values that were outside of their range */
    struct frs_structure_figures structure;
};

#endif
