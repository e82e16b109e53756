/* Two-state chain: clients that come online and go offline at rates that repeat with a period.
 *
 * The chain is built from two independent Poisson processes per client: at the points of the first the
 * client comes online, at the points of the second it goes offline. A point that repeats the present state
 * changes nothing. With intensities a(t) and b(t) this is exactly the Markov chain with rates a(t)
 * (offline → online) and b(t) (online → offline). The state at a time is the kind of the latest point
 * before it.
 *
 * Each process is a unit-rate process in its own operational time A(t) = ∫ a, cut into windows with a
 * random stream each (a Poisson process forgets its past, so windows can be drawn independently). A call
 * for any time has constant expected cost, and nothing is stored per client. */
#ifndef FRS_PLATFORMS_CHAINS_TWO_STATE_H
#define FRS_PLATFORMS_CHAINS_TWO_STATE_H

#include "sim/base/numbers/purposes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The random streams of a chain: its two processes, and where it starts. */
struct frs_two_state_streams {
    enum frs_purpose comes, goes, starts;
};

#define FRS_ONLINE_STREAMS                                                                                   \
    (struct frs_two_state_streams) {                                                                         \
        FRS_RNG_GOES_ONLINE, FRS_RNG_GOES_OFFLINE, FRS_RNG_STARTS_ONLINE                                     \
    }

/* An intensity that is constant on n pieces of equal length and repeats after the last. */
struct frs_intensity {
    size_t n;
    double piece_s;
    const double *per_s;      /* [n], ≥ 0, finite */
    const double *cumulative; /* [n + 1]: ∫ from 0 to the start of each piece; the last: over the period */
};

struct frs_two_state {
    struct frs_intensity online, offline; /* of the points at which clients come online, go offline */
    double initial_share;                 /* probability to be online at clock 0 */
    uint64_t seed;
    struct frs_two_state_streams streams;
};

/* Fills cumulative[n + 1] from per_s[n]. */
void frs_intensity_sum(size_t n, double piece_s, const double *per_s, double *cumulative);

/* Whether `client`, whose clock shows t_s + clock_s ≥ 0, is online at t_s; *until_s: the time, later than
 * t_s, at which that changes (there the answer is the other one), INFINITY if it never does. */
bool frs_two_state_at(
    const struct frs_two_state *chain, uint32_t client, double clock_s, double t_s, double *until_s);

#endif
