#include "sim/results/cohort_note.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* By chance alone, a mean over rounds deviates from the expected one by at most this many standard
 * deviations. */
#define CHANCE 3

/* How far the mean lies above the expected one, in standard deviations (at most Poisson's). */
static double deviates(const struct frs_setup *setup, const struct frs_cohorts *cohorts) {
    double requested = frs_setup_selected(setup);
    return (frs_cohort_mean(cohorts) - requested) / sqrt(requested / (double)cohorts->n_rounds);
}

bool frs_cohort_is_unexpected(const struct frs_setup *setup, const struct frs_cohorts *cohorts) {
    return frs_cohort_is_short(setup, cohorts) ||
           (setup->selection->varies && cohorts->n_rounds > 0 && deviates(setup, cohorts) > CHANCE);
}

bool frs_cohort_is_short(const struct frs_setup *setup, const struct frs_cohorts *cohorts) {
    if (setup->policy->asynchronous || cohorts->n_rounds == 0)
        return false;
    return setup->selection->varies ? deviates(setup, cohorts) < -CHANCE
                                    : cohorts->least < frs_setup_selected(setup);
}

double frs_cohort_mean(const struct frs_cohorts *cohorts) {
    return cohorts->n_rounds > 0 ? (double)cohorts->sum / (double)cohorts->n_rounds : NAN;
}

/* "; rounds.selection.probability = 0.17 would make it 50", where the selection draws among the clients
 * that can be reached. */
static char *remedy(const struct frs_setup *setup, const struct frs_cohorts *cohorts) {
    double requested = frs_setup_selected(setup), mean = frs_cohort_mean(cohorts);
    if (!setup->selection->varies || mean == 0)
        return frs_strdup("");
    double probability = frs_setup_probability(setup) * requested / mean;
    if (probability > 1)
        return frs_format(
            "; all that can be reached are %.1f on average", mean / frs_setup_probability(setup));
    return frs_format(
        "; rounds.selection.probability = %.2g would make it about %.0f", probability, requested);
}

char *frs_cohort_note(const struct frs_setup *setup, const struct frs_cohorts *cohorts) {
    uint32_t requested = frs_setup_selected(setup);
    bool above = frs_cohort_mean(cohorts) > requested;
    char *more = remedy(setup, cohorts),
         *note = frs_format("on average %.1f %s %u client%s requested (least %zu, most %zu)%s",
             frs_cohort_mean(cohorts), above ? "instead of the" : "of the", requested,
             requested == 1 ? "" : "s", cohorts->least, cohorts->most, more);
    free(more);
    return note;
}
