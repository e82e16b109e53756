/* Staleness note: how uploads are aggregated whose clients had downloaded an older version of the tables, for
 * readers of a run's or a forecast's output. */
#ifndef FRS_SETUP_NOTES_STALENESS_NOTE_H
#define FRS_SETUP_NOTES_STALENESS_NOTE_H

#include "sim/setup/setup.h"

/* "count by 1/√(1+s) beside their weight, ...; per_item": what they count, and the method's own rule. NULL:
 * no aggregation takes any. Freed by the caller. */
char *frs_staleness_note(const struct frs_setup *setup);

#endif
