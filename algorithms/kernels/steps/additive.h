/* Local training of an additive factorisation: the inner loop of FedRAP (Li et al. 2024, equation 3).
 *
 *   score  s_j = w · (c_j + d_j) + b
 *   loss   BCE(σ(s), y) − λ Σ min((d_j − c_j)², bound²) + μ · sparsity(c_j)
 *
 * with c_j of the shared table, d_j of the client's own, and one vector w per client: its user vector, or
 * the weights of its score head. Distance and sparsity are taken over the rows of the batch. Sums over a
 * batch count each of its rows once. Means count a row as often as it occurs and divide by samples and
 * columns, as mean-squared and mean-absolute errors of looked-up rows do.
 *
 * Tables are local (only rows of this participation), row-major, with rows padded by zeros to whole lanes
 * (columns.h).
 *
 * Counted flops: per batch with b distinct rows of dim d, of s rows of this participation: scores and ∂w
 * 3·d·b each, sigmoid and coefficient 6·b, steps of either table 2·d·b, the distance 5·d·b (λ > 0), the
 * sparsity 3·d·b (μ > 0), weight decay d·s for either table, w 4·d. */
#ifndef FRS_ALGORITHMS_ADDITIVE_H
#define FRS_ALGORITHMS_ADDITIVE_H

#include "algorithms/samples.h"

#include <stdbool.h>

enum frs_sparsity {
    FRS_SPARSITY_SUBGRADIENT, /* μ‖c‖₁ by steps along its subgradient: never exactly zero */
    FRS_SPARSITY_PROXIMAL, /* μ‖c‖₁ by soft thresholding after the step (equation 13): exact zeros */
    FRS_SPARSITY_SQUARED,  /* μ‖c‖² by gradient steps */
};

struct frs_additive_settings {
    double epochs; /* may be a share of one (frs_extent_of) */
    size_t steps;  /* > 0: so many batches in place of epochs */
    size_t limit;  /* passes at most; 0: no limit */
    size_t batch;
    bool mean;      /* all three terms are means over the batch, otherwise sums */
    bool saturates; /* the gradient is that of a BCE computed after a sigmoid in single precision: (σ − y) ·
                       min(1, σ(1 − σ)·10¹²) */
    bool has_offset; /* b is trained with w; otherwise it stays */
    bool trains_shared, trains_own;
    enum frs_sparsity sparsity;
    float item_rate, vector_rate;
    float rate_decay;   /* both rates are multiplied with it after every batch */
    float weight_decay; /* of everything that is trained, touched by the batch or not */
    float lambda, mu, bound;
    float early_stop; /* training stops after an epoch in which the mean loss over all epochs so far changed
                         by less than this share; 0: never */
};

struct frs_additive {
    size_t dim, stride; /* columns; floats per row and in w: dim up to whole lanes */
    size_t n_rows;
    float *shared, *own; /* [n_rows × stride], aligned to 64 bytes, trained in place */
    float *w;            /* [stride], trained in place */
    float offset;        /* b */
};

struct frs_additive_result {
    size_t epochs;  /* one that was begun counts */
    size_t samples; /* gone through, in all of them */
    double loss;    /* mean over the last epoch; not finite: diverged */
    double kept;    /* what weight decay alone has left of every value of the tables */
    double flop;
};

/* Sample order is drawn from `shuffle`; `samples` is permuted. */
struct frs_additive_result frs_additive_train(struct frs_additive *model, struct frs_samples *samples,
    const struct frs_additive_settings *settings, struct frs_rng *shuffle, struct frs_arena *arena);

#endif
