/* Server Adam: the server's side of methods whose clients send gradients (FCF, Ammad-ud-din et al. 2019,
 * equations 7 and 8). The gradients of a round are summed, the decay of the table is added, and the server
 * takes one step of Adam (Kingma & Ba 2015, algorithm 1; β1 .9, β2 .999, ε 1e-8). It is the step of the
 * server optimiser "adam" (optimisers/adam.h) with bias corrections, over the negative of that sum.
 *
 * A row without a gradient in this round rests, and so do its moments and its decay, so that a round costs
 * only the touched rows. If all clients take part, that is the dense optimiser, except for items without a
 * rating. */
#ifndef FRS_ALGORITHMS_SERVER_ADAM_H
#define FRS_ALGORITHMS_SERVER_ADAM_H

#include "algorithms/learner.h"

struct frs_server_adam {
    struct frs_model *model; /* whose moments these are */
    size_t n_rows, dim;
    double rate;
    double decay;  /* added to the gradient of a row: decay · row */
    float *m, *v;  /* [n_rows × dim], unnormalised as in kernels/adam.h */
    uint32_t step; /* so far */
};

/* Entry of a learner's parameter table. */
#define FRS_SERVER_ADAM_PARAM(rate_default)                                                                  \
    {                                                                                                        \
        .key = "server_learning_rate", .type = FRS_REAL, .initial = rate_default, .min = 0, .max = 1e3,      \
        .help = "step size of the server's Adam over the summed gradients"                                   \
    }

#define FRS_SERVER_ADAM_OWN_STEP                                                                             \
    "it sends gradients, for which the server has an Adam of its own (method.server_learning_rate); "        \
    "allowed: none, without rate"

/* Declares the moments. The caller counts the steps (frs_model_counter). */
struct frs_server_adam frs_server_adam_begin(
    struct frs_model *model, size_t n_rows, size_t dim, double rate, double decay);

/* One step of `table` by the sum of the contributions' part `part`. */
void frs_server_adam_step(struct frs_server_adam *adam, const struct frs_contribution *contributions,
    size_t n, size_t part, struct frs_arena *arena, float *table);

/* Operations of a step that sums `values` uploaded numbers, if every row is stepped: 2 for each number,
 * and 14 for each number of the table. */
double frs_server_adam_flop(const struct frs_server_adam *adam, double values);

#endif
