/* Backend note: which engine backend simulates the participations, and why, in one line. */
#ifndef FRS_SETUP_NOTES_BACKEND_NOTE_H
#define FRS_SETUP_NOTES_BACKEND_NOTE_H

#include "sim/setup/setup.h"

/* "actors, one of SimGrid's for each of 566 clients a round (up to engine.actors_limit, 10000)". Freed by
 * the caller. */
char *frs_backend_note(const struct frs_setup *setup);

#endif
