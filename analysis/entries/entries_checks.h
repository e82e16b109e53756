/* Entries that cannot be compared: with other data, protocols or settings, or emulated ones beside
 * simulated ones. */
#ifndef FRS_ANALYSIS_ENTRIES_ENTRIES_CHECKS_H
#define FRS_ANALYSIS_ENTRIES_ENTRIES_CHECKS_H

#include "analysis/entries/entries.h"

/* Takes over `line`. */
void frs_entries_warn(struct frs_entries *entries, char *line);

/* Adds a warning for each difference that makes entries incomparable. */
void frs_entries_check(struct frs_entries *entries);

#endif
