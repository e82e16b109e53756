/* Growth: what a run keeps for clients between their participations, in bytes (a forecast).
 *
 * State that is kept by the rows a client has met grows: a participation meets some it met before (its own
 * items) and some by chance (negatives), of which fewer are new every time. Three trials tell that apart: what
 * the first adds, what the second adds, and by which ratio the third adds less than the second. */
#ifndef FRS_RUN_FORECAST_GROWTH_H
#define FRS_RUN_FORECAST_GROWTH_H

#include "sim/run/training/work.h"

#define FRS_GROWTH_TRIALS 3u

/* Of one client. */
struct frs_growth {
    double added_bytes[FRS_GROWTH_TRIALS]; /* by its first, second and third participation */
    double most_bytes;                     /* all of its rows and their numbers; 0: not known */
};

/* Has these clients take part in as many rounds, in the model itself: it is of no use for a run any more. */
void frs_growth_try(const struct frs_setup *setup, struct frs_work_order order, const uint32_t *clients,
    uint32_t n, struct frs_growth *growths);

/* After so many participations, which may be a mean. */
double frs_growth_client_bytes(const struct frs_growth *growth, double participations);

/* For all n_clients after n_rounds, in each of which `per_round` of them take part; the n that were tried stand
 * for all. 0 where none was. */
double frs_growth_bytes(
    const struct frs_growth *growths, uint32_t n, double n_clients, double n_rounds, double per_round);

#endif
