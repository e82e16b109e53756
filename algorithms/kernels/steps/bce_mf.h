/* Local training of a matrix factorisation under binary cross-entropy: the inner loop of FedMF and related
 * methods.
 *
 * Score of item i:  s_i = p · (f_i + t_i) + b,  label y,  loss = mean over a batch of BCE(σ(s), y)
 *   FedMF:    t_i = q_i trainable, no frozen part f, no bias b
 *   CoLR:     t_i = P a_i with a_i trainable (rank r), P = B frozen [dim × rank], f_i = q_i frozen
 *   PFedCLR:  step 1 is FedMF with p frozen (user_rate 0), step 2 CoLR with P = Bᵀ trained, too
 *   PFedRec:  FedMF with a bias; in a batch p and b move first, then the rows by gradients computed anew
 *
 * The gradient of a row is one scalar times a vector (∂t_i = c_i p, ∂a_i = c_i Pᵀp, with c_i = Σ over its
 * occurrences of σ − y). So scalars per row are accumulated, and never gradient vectors. Tables are local:
 * they hold only the rows of this participation, and a batch processes the rows it has, not all of them
 * (Adam: lazy_adam.h).
 *
 * Counted flops are one for each addition, multiplication, division, root and exponential of the method as
 * it is written, whatever the implementation saves. Per batch with b distinct rows, of s rows seen so far
 * in this participation, d = dim, e = the length of t_i or a_i, and n values trained beside the rows (d of
 * p, d·e of P, 1 of the bias): scores 2·e·b (+ 2·d·b frozen + 2·d·e for Pᵀp), sigmoid and coefficient 6·b,
 * both twice when p and rows alternate; Σ c t: 2·e·b and Σ c f: 2·d·b, where something is trained by them
 * (+ 2·d·e for P Σ c t); SGD: 2·e·b + 2·n (weight decay: 2·e·b more), Adam: 14·e·s + 14·n; proximal term:
 * 3·e·b more. Decay of f_i + P a_i as a whole: another 2·e·b, under Adam, too, and 2·d·e once for every
 * row. */
#ifndef FRS_ALGORITHMS_BCE_MF_H
#define FRS_ALGORITHMS_BCE_MF_H

#include "algorithms/samples.h"

#include <stdbool.h>

enum frs_optimiser { FRS_SGD, FRS_ADAM };

/* What a step of SGD is multiplied with. */
enum frs_sgd_scaling {
    FRS_ROW_MEAN, /* a row moves by its rate × mean gradient over its occurrences, p by its rate × batch mean
                   */
    FRS_BATCH_MEAN, /* both by the gradient of the batch mean */
    FRS_SUM,        /* both by the summed gradient */
};

struct frs_bce_mf_settings {
    double epochs; /* may be a share of one (frs_extent_of) */
    size_t steps;  /* > 0: so many batches in place of epochs */
    size_t limit;  /* passes at most; 0: no limit */
    size_t batch;
    enum frs_optimiser optimiser;
    enum frs_sgd_scaling scaling; /* SGD only */
    float item_rate;
    float user_rate;    /* of p and the bias; 0: they are frozen */
    float project_rate; /* of P, when it is trained */
    bool alternates;    /* p and bias move first, then the rows by gradients at the new p and bias */
    float weight_decay; /* added to the gradient of p and of the rows in the batch */
    float proximal; /* μ: μ (t_i − received) is added to the gradient of the rows in the batch; 0: nothing */
    float gradient_scale; /* of the trainable rows: CoLR's √(r/d), else 1 */
    /* > 0, with factors: weight decay acts on f_i + P a_i as a whole, so that its gradient in a_i is
     * weight_decay · Pᵀ(f_i + P a_i), times gradient_scale; PᵀP is this number times the unit matrix. 0:
     * weight decay acts on the trained a_i. */
    float whole_decay;
    float early_stop; /* stop after an epoch whose mean loss changed by less than this share; 0: never */
};

/* Rows lie at [i · pitch], the pitch being dim up to whole lanes (lanes.h), zeros behind dim; all of this is
 * aligned to 64 bytes. */
struct frs_bce_mf {
    size_t dim, n_rows;
    float *p;            /* [pitch], zeros behind dim; trained in place */
    const float *frozen; /* f [n_rows × pitch], or NULL */
    const uint32_t
        *frozen_ids;       /* with factors: f_i is this row of a table `frozen` [· × pitch]; NULL: row i */
    float *rows;           /* t [n_rows × pitch], trained in place; NULL: there are factors */
    const float *received; /* the rows towards which the proximal term draws [n_rows × pitch]; NULL without
                              it, and with factors */
    /* Where t_i = P a_i; goes with `frozen`. */
    size_t rank, stride;    /* stride: n_rows up to whole lanes */
    float *factors;         /* a, dimension-major [rank × stride], zeros behind n_rows, trained in place */
    const float *project;   /* P [dim × rank] */
    float *trained_project; /* the memory of `project` where that is trained in place, too; else NULL */
    float *bias;            /* one, trained in place; NULL: none */
};

struct frs_bce_mf_result {
    size_t epochs;     /* run; one that was begun counts */
    size_t samples;    /* gone through, in all of them */
    double first_loss; /* mean loss of the first epoch */
    double loss;       /* mean loss of the last epoch */
    double flop;
};

/* How far training goes through n samples. */
struct frs_extent frs_bce_mf_extent(const struct frs_bce_mf_settings *settings, size_t n);

/* Trains for settings->epochs or steps. Sample order is drawn from `shuffle`; `samples` is permuted. Adam
 * starts from fresh state; rows that no batch has touched yet stay exactly where they are, as in a dense
 * Adam. Denormals are flushed while it runs. Scores are clamped to ±80. A score that is not a number, or a
 * result that is not finite, makes the loss not finite. */
struct frs_bce_mf_result frs_bce_mf_train(struct frs_bce_mf *model, struct frs_samples *samples,
    const struct frs_bce_mf_settings *settings, struct frs_rng *shuffle, struct frs_arena *arena);

#endif
