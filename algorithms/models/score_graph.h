/* A LightGCN whose data are scores: a model that a server trains on what clients have told it of some items
 * (PTF-FedRec).
 *
 *   F = (E + P E + … + P^K E) / (K + 1),   P_ui = y_ui / √(Σ_j y_uj Σ_v y_vi),   score(u, i) = σ(f_u · f_i)
 *
 * The edges are the scores y of one round, which are also what the model is to predict: binary cross-entropy,
 * mean over a batch, Adam, whose moments stay from round to round. Nodes without an edge keep E / (K + 1). */
#ifndef FRS_ALGORITHMS_MODELS_SCORE_GRAPH_H
#define FRS_ALGORITHMS_MODELS_SCORE_GRAPH_H

#include "sim/base/arena.h"

#include <stdint.h>

struct frs_rng;

/* Tables are [n_users + n_items × pitch], users first, the pitch being dim up to whole lanes (columns.h),
 * with zeros behind dim. */
struct frs_score_graph {
    size_t n_users, n_items, dim, pitch, layers, batch;
    uint32_t epochs;
    double rate;
    float *nodes, *averaged, *m, *v; /* E, F, and the moments of E */
    uint32_t steps;                  /* of Adam so far */
};

/* What has arrived: n scores, of ascending users. */
struct frs_scores {
    size_t n;
    uint32_t *users, *items; /* [n] */
    float *values;           /* [n] within 0 … 1 */
};

/* Trains for `epochs` passes over the scores, whose order it draws, and leaves F over their graph. Without
 * scores nothing changes. */
void frs_score_graph_train(struct frs_score_graph *model, const struct frs_scores *scores,
    struct frs_rng *rng, struct frs_arena *arena);

/* F of a model without edges. */
void frs_score_graph_begin(struct frs_score_graph *model);

/* σ(f_u · f_i) of n items. */
void frs_score_graph_predict(
    const struct frs_score_graph *model, uint32_t user, const uint32_t *items, size_t n, float *scores);

/* Operations of training on n scores: the graph 8 n; a mean over the graph K (4 d n + 2 d N) + d N for N
 * nodes, twice in each of the S steps and once at the end; a step's loss (6 d + 7) of each sample; Adam 14 d
 * N. */
double frs_score_graph_flop(const struct frs_score_graph *model, double n);

#endif
