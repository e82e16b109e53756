/* Growth: what a run keeps for clients between their participations, in bytes (a forecast).
 *
 * Rows that a client accumulates grow: a participation meets some it met before (its own items) and some by
 * chance (negatives), of which fewer are new every time. Two trials measure how many the first one meets, and
 * which share of the rest the second. What a lossy codec leaves out of uploads grows, too, up to an unknown
 * size: a third trial measures by which ratio it adds less than the second. Everything else is there from the
 * first. */
#ifndef FRS_FORECAST_GROWTH_H
#define FRS_FORECAST_GROWTH_H

#include "algorithms/training/client_update.h"
#include "sim/setup/setup.h"

#define FRS_GROWTH_TRIALS 3u

/* What one client keeps, in bytes. */
struct frs_growth {
    double met_bytes[2];                   /* rows it accumulates, by its first and second participation; */
    double most_met_bytes;                 /* all of them */
    double other_bytes[FRS_GROWTH_TRIALS]; /* the rest, by its first, second and third; */
    double most_other_bytes;               /* all of it; infinite where unknown */
};

/* Lets these clients take part in that many rounds, in the model itself, which is of no use for a run
 * afterwards. */
void frs_growth_try(const struct frs_setup *setup, struct frs_client_update_order order,
    const uint32_t *clients, uint32_t n, struct frs_growth *growths);

/* After so many participations, which may be a mean. */
double frs_growth_client_bytes(const struct frs_growth *growth, double participations);

/* For all n_clients after n_rounds, in each of which `per_round` of them take part; the n that were tried
 * stand for all. 0 where none was. */
double frs_growth_bytes(
    const struct frs_growth *growths, uint32_t n, double n_clients, double n_rounds, double per_round);

#endif
