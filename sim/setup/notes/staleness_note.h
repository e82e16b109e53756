/* Staleness note: how uploads from clients that had downloaded an older version of the tables are
 * aggregated, for readers of a run's or a forecast's output. */
#ifndef FRS_SETUP_NOTES_STALENESS_NOTE_H
#define FRS_SETUP_NOTES_STALENESS_NOTE_H

#include "sim/setup/setup.h"

/* "count by 1/√(1+s) beside their weight, ...; per_item": the weight of stale uploads, and the method's
 * own rule. NULL: no aggregation uses any. Freed by the caller. */
char *frs_staleness_note(const struct frs_setup *setup);

#endif
