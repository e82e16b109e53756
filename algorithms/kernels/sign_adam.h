/* Local training of item rows alone by Adam whose ε is relative: step 1 of PFedCLR (algorithms.md, section
 * 8).
 *
 * Score of item i:  s_i = p · q_i with p frozen, label y,  loss = mean over a batch of BCE(σ(s), y)
 *
 * The gradient of q_i is one scalar g times p, so the moments of its element k are M p_k and V p_k² with
 * scalars M and V of the row, and Adam's step is rate · M / (√V + ε / |p_k|) · sign(p_k). With ε taken
 * relative to |p_k| the step is the same number for all elements but for its sign: after any number of steps
 * q_i has moved by shift_i · sign(p), its score by shift_i · Σ |p_k|. Everything is done with scalars per
 * row.
 *
 * Counted flops: per batch with b distinct rows, of s rows seen so far: sigmoid and coefficient 6·b, Adam
 * 14·s, scores 2·s. */
#ifndef FRS_ALGORITHMS_SIGN_ADAM_H
#define FRS_ALGORITHMS_SIGN_ADAM_H

#include "algorithms/kernels/bce_mf.h"

struct frs_sign_adam {
    size_t n_rows, stride; /* as in columns.h */
    float norm;            /* Σ |p_k| */
    float *score;          /* [stride] at the received rows; afterwards at the trained ones */
    float *shift;          /* [stride], zeros; afterwards what the rows have moved by */
};

/* Trains for settings->epochs with settings->item_rate; heeds batch and early_stop, nothing else. Order,
 * clamping and losses that are not finite: as frs_bce_mf_train. */
struct frs_bce_mf_result frs_sign_adam_train(struct frs_sign_adam *model, struct frs_samples *samples,
    const struct frs_bce_mf_settings *settings, struct frs_rng *shuffle, struct frs_arena *arena);

/* rows[i][k] += shift[i] · sign(p[k]); rows [n_rows × pitch] as in bce_mf.h. */
void frs_sign_adam_apply(float *rows, const float *shift, const float *p, size_t dim, size_t n_rows);

/* score[i] = Σ_k p[k] · rows[i][k]; p [pitch]. */
void frs_sign_adam_scores(const float *rows, const float *p, size_t dim, size_t n_rows, float *score);

#endif
