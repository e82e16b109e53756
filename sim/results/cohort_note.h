/* Cohort note: how many clients took part in a round, where that is fewer than the cohort size. */
#ifndef FRS_RESULTS_COHORT_NOTE_H
#define FRS_RESULTS_COHORT_NOTE_H

#include "sim/ledger/ledger.h"
#include "sim/setup/setup.h"

/* Whether some round had fewer clients than its policy wants. Where chance decides how many are selected:
 * whether rounds had fewer on average than chance explains, as happens where clients are offline. Never
 * true where rounds overlap. */
bool frs_cohort_is_short(const struct frs_setup *setup, const struct frs_cohorts *cohorts);

/* The same, or whether chance selects more on average than rounds.cohort, which a probability may do. */
bool frs_cohort_is_unexpected(const struct frs_setup *setup, const struct frs_cohorts *cohorts);

double frs_cohort_mean(const struct frs_cohorts *cohorts);

/* "on average 1.4 of the 30 clients asked for (least 1, most 3)"; freed by the caller. */
char *frs_cohort_note(const struct frs_setup *setup, const struct frs_cohorts *cohorts);

#endif
