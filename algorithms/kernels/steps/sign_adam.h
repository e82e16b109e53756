/* Local training of item rows alone by Adam, the user vector frozen: step 1 of PFedCLR
 * (docs/methods/pfedclr.md).
 *
 * Score of item i:  s_i = p · q_i with p frozen, label y,  loss = mean over a batch of BCE(σ(s), y)
 *
 * The gradient of q_i is one scalar g times p, so the moments of its element k are M p_k and V p_k² with
 * scalars M and V of the row, and Adam's step is −rate · M / (√V + ε / |p_k|) · sign(p_k).
 *
 *   relative  With ε taken relative to |p_k| this is the same number for all elements but for its sign: the
 *             row moves by one number times sign(p), its score by that times Σ |p_k|.
 *   absolute  With r = ε / (min |p| √V) and w_k = min |p| / |p_k| ≤ 1 the step is −rate M / √V · sign(p_k) /
 *             (1 + w_k r), and 1 / (1 + x) = Σ_n b_n x^n for x ≤ FRS_SIGN_LIMIT, the polynomial of
 *             FRS_SIGN_TERMS terms that is nearest to it. What depends on k does not depend on the step, so
 *             that a row is the sum over its steps of rate M / √V · r^n, and the score follows from
 *             Σ_k |p_k| b_n w_k^n. Right to 4e-7 of a step where r ≤ FRS_SIGN_LIMIT; the few steps beyond it
 *             (scores that are almost right already) are taken element by element.
 *
 * Either way a batch costs a few numbers per row and no vector of dim.
 *
 * Counted flops, per batch with b distinct rows, of s rows seen so far: relative: sigmoid and coefficient
 * 6·b, Adam 14·s, scores 2·s; absolute: those of bce_mf.h, (6 + 2·dim)·b + 14·dim·s. */
#ifndef FRS_ALGORITHMS_SIGN_ADAM_H
#define FRS_ALGORITHMS_SIGN_ADAM_H

#include "algorithms/kernels/steps/bce_mf.h"

#define FRS_SIGN_TERMS 5
#define FRS_SIGN_LIMIT 0.2f

struct frs_sign_adam {
    size_t dim, n_rows;
    float *rows;    /* [n_rows × pitch] as in bce_mf.h, trained in place */
    const float *p; /* [pitch] */
    bool relative;
};

/* Trains for settings->epochs with settings->item_rate. Uses only batch, gradient_scale and early_stop of
 * the other settings. Order, clamping and losses that are not finite: as frs_bce_mf_train. */
struct frs_bce_mf_result frs_sign_adam_train(const struct frs_sign_adam *model, struct frs_samples *samples,
    const struct frs_bce_mf_settings *settings, struct frs_rng *shuffle, struct frs_arena *arena);

#endif
