#include "platforms/chains/day_chain.h"

#include <math.h>

void frs_day_edges(const double share[FRS_DAY_HOURS], double edge[FRS_DAY_PIECES + 1]) {
    for (size_t i = 0; i <= FRS_DAY_PIECES; i++) {
        size_t hour = i / FRS_PIECES_PER_HOUR % FRS_DAY_HOURS, next = (hour + 1) % FRS_DAY_HOURS;
        edge[i] = share[hour] +
                  (share[next] - share[hour]) * (double)(i % FRS_PIECES_PER_HOUR) / FRS_PIECES_PER_HOUR;
    }
}

void frs_day_chain_fill(struct frs_day_chain *chain, const double share[FRS_DAY_HOURS], double session_s,
    uint64_t seed, struct frs_two_state_streams streams) {
    double edge[FRS_DAY_PIECES + 1];
    frs_day_edges(share, edge);
    frs_share_rates(FRS_DAY_PIECES, FRS_PIECE_S, edge, session_s, chain->comes_per_s, chain->goes_per_s);
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
