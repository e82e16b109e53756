#include "sim/forecast/cohort_forecast.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Clients that took part until the end of each round that was entered; several rounds may be at once. */
static size_t sums(const struct frs_pilot *played, double **clients) {
    size_t n = played->rounds[played->n - 1].cohorts.n_rounds, done = 0;
    double before = 0;
    *clients = frs_alloc(n + 1, sizeof **clients);
    for (size_t i = 0; i < played->n; i++) {
        const struct frs_cohorts *cohorts = &played->rounds[i].cohorts;
        size_t upto = cohorts->n_rounds;
        if (upto <= done)
            continue;
        for (size_t k = done; k < upto; k++)
            (*clients)[k] =
                before + ((double)cohorts->sum - before) * (double)(k + 1 - done) / (double)(upto - done);
        before = (double)cohorts->sum;
        done = upto;
    }
    return n;
}

static bool is_whole(const struct frs_pilot *played) {
    return played->end == FRS_PILOT_COMPLETE || played->end == FRS_PILOT_STRANDED;
}

/* Rounds open with so few where caps hold clients back, or few are online. */
static double fewest(const struct frs_setup *setup) {
    return isinf(setup->check_in.wait_s) ? setup->check_in.at_least : setup->check_in.minimum;
}

struct frs_cohort_range frs_cohort_range_of(const struct frs_setup *setup, const struct frs_pilot *played,
    const struct frs_extrapolation *extrapolation, bool unseen) {
    const struct frs_pilot_round *last = &played->rounds[played->n - 1];
    struct frs_cohort_range range = {NAN, NAN, NAN};
    if (setup->policy->asynchronous || last->cohorts.n_rounds == 0)
        return range;
    if (is_whole(played)) {
        range.mean = (double)played->end_cohorts.sum / fmax((double)played->end_cohorts.n_rounds, 1);
        return (struct frs_cohort_range){range.mean, range.mean, range.mean};
    }
    double *clients;
    size_t n = sums(played, &clients), n_rounds = (size_t)fmax(round(extrapolation->n_rounds), (double)n);
    struct frs_extrapolation all = frs_extrapolation_of(
        clients, n, n_rounds, INFINITY, 0, last->outcomes[FRS_DELIVERED] < last->participations);
    double known = clients[n - 1], left = (double)(n_rounds - n);
    free(clients);
    range.mean = all.middle_s / (double)n_rounds;
    range.low = all.low_s / (double)n_rounds;
    range.high = all.high_s / (double)n_rounds;
    if (unseen)
        range.low = fmin(range.low, (known + left * fewest(setup)) / (double)n_rounds);
    if (unseen)
        range.high = fmax(range.high, (known + left * frs_setup_selected(setup)) / (double)n_rounds);
    if (!setup->selection->varies)
        range.high = fmin(range.high, fmax(frs_setup_selected(setup), range.mean));
    return range;
}
