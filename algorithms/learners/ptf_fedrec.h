/* What the parts of the learner ptf_fedrec share: ptf_fedrec.c has its keys, tables and predictions,
 * ptf_client.c a participation, ptf_server.c the aggregation. */
#ifndef FRS_ALGORITHMS_LEARNERS_PTF_FEDREC_H
#define FRS_ALGORITHMS_LEARNERS_PTF_FEDREC_H

#include "algorithms/kernels/columns.h"
#include "algorithms/kernels/steps/perceptron.h"
#include "algorithms/learner.h"
#include "algorithms/models/client_rows.h"
#include "algorithms/models/epochs_params.h"
#include "algorithms/models/private_rows.h"
#include "algorithms/models/score_graph.h"
#include "sim/base/numbers/rng.h"

struct frs_ptf {
    struct frs_model base;
    size_t dim, sent;
    struct frs_perceptron_shape shape;
    struct frs_bce_mf_settings local;
    double init_sd, share_min, negatives_min, negatives_max, swap;
    bool draws_anew, keeps_scores, asks_server, asks_client;
    struct frs_score_graph graph; /* the server's */
    uint32_t trainings;           /* of it so far */
    float *arrived;               /* scores that have arrived for each item, in all rounds [n_items] */
    float **knowledge;            /* what each client is sent next [n_clients]: [sent × 2], or NULL */
    float *start;                 /* the item vectors that every client begins with [n_items × dim] */
    /* NULL when only timing is asked for. */
    float *users;                     /* [n_clients × dim] */
    float *networks;                  /* [n_clients × parameters], see perceptron.h */
    struct frs_kept_tables *rows;     /* the item vectors that a client has trained */
    struct frs_client_rows *received; /* the scores that it has received */
};

/* σ of a perceptron's score: never 0, which stands for no score. */
float frs_ptf_probability(float score);

/* Declares what clients are sent. */
void frs_ptf_declare_sent(struct frs_ptf *model);

/* Slots of struct frs_learner. */
void frs_ptf_train(
    const void *model, const struct frs_training *training, struct frs_arena *arena, struct frs_trained *out);
void frs_ptf_aggregate(void *model, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update);
double frs_ptf_aggregate_flop(const void *model, size_t n, double values);

#endif
