/* Groups note: whether a method sorts its clients into groups that nothing goes by. */
#ifndef FRS_SETUP_NOTES_GROUPS_NOTE_H
#define FRS_SETUP_NOTES_GROUPS_NOTE_H

#include "sim/setup/setup.h"

/* "method fedfast sorts clients into groups, and rounds.selection = \"uniform\" does not go by them: ...";
 * NULL: the method has no groups, or the selection uses them. Freed by the caller. */
char *frs_groups_note(const struct frs_setup *setup);

#endif
