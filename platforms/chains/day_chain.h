/* Day chain: a two-state Markov chain that follows a curve of the day.
 *
 * Its rates are constant on pieces of 5 min, at whose edges the share of clients that is online (or in
 * whatever state the chain is of) is prescribed (platforms/chains/share_chain.h): the hourly values of the
 * curve, linear in between. */
#ifndef FRS_PLATFORMS_CHAINS_DAY_CHAIN_H
#define FRS_PLATFORMS_CHAINS_DAY_CHAIN_H

#include "platforms/chains/curve.h"
#include "platforms/chains/share_chain.h"

enum { FRS_PIECES_PER_HOUR = 12, FRS_DAY_PIECES = FRS_DAY_HOURS * FRS_PIECES_PER_HOUR };
#define FRS_PIECE_S (3600.0 / FRS_PIECES_PER_HOUR)

struct frs_day_chain {
    struct frs_two_state chain; /* points into what follows */
    double comes_per_s[FRS_DAY_PIECES], comes[FRS_DAY_PIECES + 1];
    double goes_per_s[FRS_DAY_PIECES], goes[FRS_DAY_PIECES + 1];
};

/* The share at the start of each piece, and after the last, into edge[FRS_DAY_PIECES + 1]. */
void frs_day_edges(const double share[FRS_DAY_HOURS], double edge[FRS_DAY_PIECES + 1]);

/* Fills in a chain, which keeps its address afterwards. session_s > 0. */
void frs_day_chain_fill(struct frs_day_chain *chain, const double share[FRS_DAY_HOURS], double session_s,
    uint64_t seed, struct frs_two_state_streams streams);

/* The curve at a time of the day in s, linear between its hours. */
double frs_day_share_at(const double share[FRS_DAY_HOURS], double time_of_day_s);

#endif
