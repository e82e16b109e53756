/* Share chain: a two-state Markov chain whose share of clients in the state is prescribed at the edges of
 * pieces of equal length, and repeats after the last of them.
 *
 * Rates are constant on a piece of length D. With rates a (coming online, or into whatever state the chain is
 * of) and b (leaving it) the share m moves within a piece as
 *
 *   m(t) = q + (m₀ − q)·exp(−(a + b)·t),   q = a / (a + b)
 *
 * Sessions end at rate b = 1 / session. Then a is the root of m(D) = m₁, which exists and is unique because
 * m(D) grows with a from m₀·exp(−b·D) to 1. Where the share falls faster than that, m₁ < m₀·exp(−b·D), no
 * client comes online and sessions end early: a = 0, b = ln(m₀ / m₁) / D. A chain that starts at clock 0 with
 * m(0) = m₀ of the first piece then has the prescribed share at every edge, whatever the session length. */
#ifndef FRS_PLATFORMS_CHAINS_SHARE_CHAIN_H
#define FRS_PLATFORMS_CHAINS_SHARE_CHAIN_H

#include "platforms/chains/two_state.h"

/* Shares are kept this far from 0 and 1: a chain reaches those only with infinite rates. */
#define FRS_SHARE_EDGE 1e-6

struct frs_share_chain {
    struct frs_two_state chain; /* points into `rates` */
    double *rates;              /* [4 n + 2]; NULL: not filled */
};

/* The rates of n pieces of piece_s between the shares edge[n + 1], which are in (0, 1). */
void frs_share_rates(
    size_t n, double piece_s, const double *edge, double session_s, double *comes_per_s, double *goes_per_s);

/* A share as far from 0 and 1 as it has to be. */
double frs_share_within(double share);

/* Fills in a chain. edge[n + 1]: in (0, 1), the last as the first. session_s > 0. frs_share_chain_fini frees
 * it. */
void frs_share_chain_fill(struct frs_share_chain *chain, size_t n, double piece_s, const double *edge,
    double session_s, uint64_t seed, struct frs_two_state_streams streams);

void frs_share_chain_fini(struct frs_share_chain *chain);

#endif
