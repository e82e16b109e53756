/* Metrics of a ranked list, for one held-out item of a user and for several of them.
 *
 * A user's held-out items and the candidates stand in one list, best score first. m is the number of held-out
 * items, hits(p) how many of them are among the first p places, rel(p) 1 where place p is one of them, else
 * 0.
 *
 *     HR@K        1 where hits(K) > 0, else 0
 *     Recall@K    hits(K) / m
 *     Precision@K hits(K) / K
 *     MRR@K       1 / the first place with rel = 1, or 0 where it is beyond K
 *     MAP@K       sum over p ≤ K of rel(p) hits(p) / p, divided by min(m, K)
 *     NDCG@K      sum over p ≤ K of rel(p) / log2(p + 1), divided by the sum over p ≤ min(m, K) of 1 / log2(p
 * + 1) AUC         share of the pairs of a held-out item and a candidate in which the held-out one is ahead
 *
 * A run's figures are means over users with a held-out item; of AUC over those with a candidate, too. These
 * are the definitions of RecBole (Zhao et al., CIKM 2021). */
#ifndef FRS_ALGORITHMS_METRICS_RANKING_H
#define FRS_ALGORITHMS_METRICS_RANKING_H

#include <stddef.h>

/* What becomes of a held-out item and candidates of the same score (evaluation.ties): */
enum frs_score_ties {
    FRS_SCORES_AGAINST, /* the held-out item is behind all of them */
    FRS_SCORES_MEAN,    /* every figure is its mean over all orders of equal scores */
    FRS_SCORES_RANDOM,  /* an order is drawn for each user */
};

/* Most cut-offs of one run. */
#define FRS_CUT_OFFS_MOST 8

/* How lists are judged. */
struct frs_list_rules {
    size_t n, k[FRS_CUT_OFFS_MOST]; /* cut-offs, 1 to FRS_CUT_OFFS_MOST of them; the first one is the run's */
    enum frs_score_ties ties;
};

/* The figures of a list up to one cut-off. */
struct frs_at_k {
    double hit, ndcg, recall, precision, mrr, map;
};

/* Where a held-out item is among the candidates, other held-out items left out: behind `above` of them, in
 * any order with `tied` others. */
struct frs_list_place {
    size_t above, tied;
};

/* The figures at cut-off `k` of a list with m ≥ 1 held-out items, whose places ascend by `above`, then by
 * `tied`. Where candidates are tied with a held-out item the figure is the mean over all orders of equal
 * scores (McSherry and Najork, ECIR 2008). Held-out items with the same place are tied with each other. */
struct frs_at_k frs_ranking_at(const struct frs_list_place *places, size_t m, size_t k);

/* AUC of that list with so many candidates, a tied one counting half. NaN where there is none. */
double frs_ranking_auc(const struct frs_list_place *places, size_t m, size_t n_candidates);

#endif
