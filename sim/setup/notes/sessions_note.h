/* Sessions note: what a file says about when clients can be reached, in one line. */
#ifndef FRS_SETUP_NOTES_SESSIONS_NOTE_H
#define FRS_SETUP_NOTES_SESSIONS_NOTE_H

#include "sim/setup/setup.h"

/* How many clients the file has, how many of the run's have no session in it, and when the run begins. NULL
 * where no file is read; freed by the caller. */
char *frs_sessions_note(const struct frs_setup *setup);

#endif
