/* Headline: what a page has to say, in plain sentences. */
#ifndef FRS_ANALYSIS_REPORT_HEADLINE_H
#define FRS_ANALYSIS_REPORT_HEADLINE_H

#include "analysis/entries/entries.h"

/* The headline of one run: its sentence (analysis/sentence/sentence.h), and what would have made it
 * faster, from `what_ifs`, the content of what_if.json. If that is NULL, the headline says where the run's
 * time went. Freed with free(). */
char *frs_headline_of_run(
    const struct frs_run_results *run, const struct frs_target *target, const char *what_ifs);

#endif
