#include "platforms/chains/share_chain.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* The share at the end of a piece that starts with share m0. */
static double share_after(double m0, double a, double b, double piece_s) {
    double q = a / (a + b);
    return q + (m0 - q) * exp(-(a + b) * piece_s);
}

static void solve(double m0, double m1, double session_s, double piece_s, double *a, double *b) {
    *b = 1 / session_s;
    *a = 0;
    if (m1 <= m0 * exp(-*b * piece_s)) {
        *b = log(m0 / m1) / piece_s;
        return;
    }
    double low = 0, high = *b;
    while (share_after(m0, high, *b, piece_s) < m1)
        high *= 2;
    for (int step = 0; step < 100; step++) {
        double middle = (low + high) / 2;
        if (share_after(m0, middle, *b, piece_s) < m1)
            low = middle;
        else
            high = middle;
    }
    *a = high;
}

void frs_share_rates(
    size_t n, double piece_s, const double *edge, double session_s, double *comes_per_s, double *goes_per_s) {
    for (size_t i = 0; i < n; i++)
        solve(edge[i], edge[i + 1], session_s, piece_s, &comes_per_s[i], &goes_per_s[i]);
}

double frs_share_within(double share) {
    return fmin(fmax(share, FRS_SHARE_EDGE), 1 - FRS_SHARE_EDGE);
}

void frs_share_chain_fill(struct frs_share_chain *chain, size_t n, double piece_s, const double *edge,
    double session_s, uint64_t seed, struct frs_two_state_streams streams) {
    frs_share_chain_fini(chain);
    chain->rates = frs_alloc(4 * n + 2, sizeof *chain->rates);
    double *comes_per_s = chain->rates, *goes_per_s = comes_per_s + n, *comes = goes_per_s + n,
           *goes = comes + n + 1;
    frs_share_rates(n, piece_s, edge, session_s, comes_per_s, goes_per_s);
    frs_intensity_sum(n, piece_s, comes_per_s, comes);
    frs_intensity_sum(n, piece_s, goes_per_s, goes);
    chain->chain = (struct frs_two_state){.online = {n, piece_s, comes_per_s, comes},
        .offline = {n, piece_s, goes_per_s, goes},
        .initial_share = edge[0],
        .seed = seed,
        .streams = streams};
}

void frs_share_chain_fini(struct frs_share_chain *chain) {
    free(chain->rates);
    *chain = (struct frs_share_chain){0};
}
