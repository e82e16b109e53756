/* Whether clients' data decide when they take part, which no noise hides (docs/privacy.md). */
#ifndef FRS_SETUP_NOTES_SCHEDULE_NOTE_H
#define FRS_SETUP_NOTES_SCHEDULE_NOTE_H

#include "sim/setup/setup.h"

/* "the selection goes by how much data clients have": how the schedule, that is which clients take part in
 * which round, depends on data. A privacy guarantee then takes the schedule as given. NULL: it does not
 * depend on data. */
const char *frs_schedule_follows_data(const struct frs_setup *setup);

#endif
