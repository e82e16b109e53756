/* Growth: how many bytes a run keeps for clients between their participations (a forecast).
 *
 * The rows that a client accumulates grow. In each participation a client meets rows that it has met
 * before (its own items) and rows that it meets by chance (negatives); fewer of the latter are new every
 * time. Two trials measure how many rows the first participation meets, and which share of the remaining
 * rows the second one meets. The residual that a lossy codec leaves of uploads also grows, up to an
 * unknown size: a third trial measures by which ratio its growth slows down. Everything else is complete
 * after the first participation. */
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

/* Lets these clients take part in that many rounds. This changes the model, which is of no use for a run
 * afterwards. */
void frs_growth_try(const struct frs_setup *setup, struct frs_client_update_order order,
    const uint32_t *clients, uint32_t n, struct frs_growth *growths);

/* After so many participations, which may be a mean. */
double frs_growth_client_bytes(const struct frs_growth *growth, double participations);

/* The bytes of all n_clients after n_rounds with `per_round` participants each; the n clients that were
 * tried stand for all. 0 if none was tried. */
double frs_growth_bytes(
    const struct frs_growth *growths, uint32_t n, double n_clients, double n_rounds, double per_round);

#endif
