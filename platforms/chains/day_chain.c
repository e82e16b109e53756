#include "platforms/chains/day_chain.h"

#include <math.h>

/* The share at the end of a piece that starts with share m0. */
static double share_after(double m0, double a, double b) {
    double q = a / (a + b);
    return q + (m0 - q) * exp(-(a + b) * FRS_PIECE_S);
}

static void solve(double m0, double m1, double session_s, double *a, double *b) {
    *b = 1 / session_s;
    *a = 0;
    if (m1 <= m0 * exp(-*b * FRS_PIECE_S)) {
        *b = log(m0 / m1) / FRS_PIECE_S;
        return;
    }
    double low = 0, high = *b;
    while (share_after(m0, high, *b) < m1)
        high *= 2;
    for (int step = 0; step < 100; step++) {
        double middle = (low + high) / 2;
        if (share_after(m0, middle, *b) < m1)
            low = middle;
        else
            high = middle;
    }
    *a = high;
}

void frs_day_chain_fill(struct frs_day_chain *chain, const double share[FRS_DAY_HOURS], double session_s,
    uint64_t seed, struct frs_two_state_streams streams) {
    double edge[FRS_DAY_PIECES + 1];
    for (size_t i = 0; i <= FRS_DAY_PIECES; i++) {
        size_t hour = i / FRS_PIECES_PER_HOUR % FRS_DAY_HOURS, next = (hour + 1) % FRS_DAY_HOURS;
        edge[i] = share[hour] +
                  (share[next] - share[hour]) * (double)(i % FRS_PIECES_PER_HOUR) / FRS_PIECES_PER_HOUR;
    }
    for (size_t i = 0; i < FRS_DAY_PIECES; i++)
        solve(edge[i], edge[i + 1], session_s, &chain->comes_per_s[i], &chain->goes_per_s[i]);
    frs_intensity_sum(FRS_DAY_PIECES, FRS_PIECE_S, chain->comes_per_s, chain->comes);
    frs_intensity_sum(FRS_DAY_PIECES, FRS_PIECE_S, chain->goes_per_s, chain->goes);
    chain->chain = (struct frs_two_state){
        .online = {FRS_DAY_PIECES, FRS_PIECE_S, chain->comes_per_s, chain->comes},
        .offline = {FRS_DAY_PIECES, FRS_PIECE_S, chain->goes_per_s, chain->goes},
        .initial_share = edge[0],
        .seed = seed,
        .streams = streams,
    };
}

double frs_day_share_at(const double share[FRS_DAY_HOURS], double time_of_day_s) {
    double hours = time_of_day_s / 3600, whole = floor(hours);
    size_t hour = (size_t)whole % FRS_DAY_HOURS;
    double here = share[hour], next = share[(hour + 1) % FRS_DAY_HOURS];
    return here + (next - here) * (hours - whole);
}
