/* Platform note: on which hosts of a platform of the user's own the clients live, in one line. */
#ifndef FRS_SETUP_NOTES_PLATFORM_NOTE_H
#define FRS_SETUP_NOTES_PLATFORM_NOTE_H

#include "sim/setup/setup.h"

/* NULL where links are generated; freed by the caller. */
char *frs_platform_note(const struct frs_setup *setup);

#endif
