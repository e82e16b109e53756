/* Day chain: a two-state Markov chain that follows a curve of the day.
 *
 * Its rates are constant on pieces of D = 5 min. At the edges of the pieces the share of clients that are
 * online (or in another state that the chain describes) is prescribed: the hourly values of the curve,
 * linear in between. Within a piece with rates a (coming online) and b (going offline) the share m moves
 * as
 *
 *   m(t) = q + (m₀ − q)·exp(−(a + b)·t),   q = a / (a + b)
 *
 * Sessions end at rate b = 1 / session. Then a is the root of m(D) = m₁, which exists and is unique
 * because m(D) grows with a from m₀·exp(−b·D) to 1. Where the share falls faster than that, m₁ <
 * m₀·exp(−b·D), no client comes online and sessions end early: a = 0, b = ln(m₀ / m₁) / D. A chain that
 * starts at clock 0 with m(0) = curve[0] is then on the curve at every edge, whatever the session length. */
#ifndef FRS_PLATFORMS_AVAILABILITY_DAY_CHAIN_H
#define FRS_PLATFORMS_AVAILABILITY_DAY_CHAIN_H

#include "platforms/availability/curve.h"
#include "platforms/availability/two_state.h"

enum { FRS_PIECES_PER_HOUR = 12, FRS_DAY_PIECES = FRS_DAY_HOURS * FRS_PIECES_PER_HOUR };
#define FRS_PIECE_S (3600.0 / FRS_PIECES_PER_HOUR)

struct frs_day_chain {
    struct frs_two_state chain; /* points into what follows */
    double comes_per_s[FRS_DAY_PIECES], comes[FRS_DAY_PIECES + 1];
    double goes_per_s[FRS_DAY_PIECES], goes[FRS_DAY_PIECES + 1];
};

/* Fills in a chain, which keeps its address afterwards. session_s > 0. */
void frs_day_chain_fill(struct frs_day_chain *chain, const double share[FRS_DAY_HOURS], double session_s,
    uint64_t seed, struct frs_two_state_streams streams);

/* The curve at a time of the day in s, linear between its hours. */
double frs_day_share_at(const double share[FRS_DAY_HOURS], double time_of_day_s);

#endif
