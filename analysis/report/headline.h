/* Headline: what a page has to say, in plain sentences. */
#ifndef FRS_ANALYSIS_REPORT_HEADLINE_H
#define FRS_ANALYSIS_REPORT_HEADLINE_H

#include "analysis/read/entries.h"

/* Of one run: quality, time, bytes, the target, and what its rounds waited for. Freed with free(). */
char *frs_headline_of_run(const struct frs_run_results *run, const struct frs_target *target);

/* Of entries side by side: who is first under each of the first few circumstances, and whether anybody can be told from it.
 * Freed with free(). */
char *frs_headline_of_entries(const struct frs_entries *entries);

#endif
