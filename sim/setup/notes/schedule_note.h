/* Whether clients' data decide when they take part, which no noise hides (docs/privacy.md). */
#ifndef FRS_SETUP_NOTES_SCHEDULE_NOTE_H
#define FRS_SETUP_NOTES_SCHEDULE_NOTE_H

#include "sim/setup/setup.h"

/* "the selection goes by how much data clients have": how the schedule, that is which clients take part in
 * which round, follows from data. A guarantee takes it as given then. NULL: it does not follow from them. */
const char *frs_schedule_follows_data(const struct frs_setup *setup);

#endif
