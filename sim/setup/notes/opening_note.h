/* Opening note: what a round waits for before it opens, for readers of a run's or a forecast's output. */
#ifndef FRS_SETUP_NOTES_OPENING_NOTE_H
#define FRS_SETUP_NOTES_OPENING_NOTE_H

#include "sim/setup/setup.h"

/* What happens to clients that are offline: whether the server selects them, and whether they can go offline
 * during a round; NULL: all are always online. Freed by the caller. */
char *frs_offline_note(const struct frs_setup *setup);

/* "when 15 of the 30 clients wanted are eligible: half of the 30 online at once in an average day (...)";
 * NULL: as soon as one is eligible. Freed by the caller. */
char *frs_check_in_note(const struct frs_setup *setup);

/* "every 1 h, from 22:00 to 6:00"; "after a rest of 20 h, at most 2 times a day"; NULL: rounds have no
 * pacing. Freed by the caller. */
char *frs_pacing_note(const struct frs_setup *setup);

/* What the time without an open round is, and the key that decides it: while the times of rounds allow
 * none (NULL: they always allow one), and otherwise. Freed by the caller. */
char *frs_schedule_note(const struct frs_setup *setup, const char **key);
char *frs_eligible_note(const struct frs_setup *setup, const char **key);

#endif
