/* Correction note: what a correction of the aggregate keeps at the server, and how small its steps are where
 * few clients upload, for readers of a run's or a forecast's output. */
#ifndef FRS_SETUP_NOTES_CORRECTION_NOTE_H
#define FRS_SETUP_NOTES_CORRECTION_NOTE_H

#include "sim/setup/setup.h"

/* "fedau divides by all 943 clients; with 6 uploads a round its step is .014 of ...": NULL: there is no
 * correction. Freed by the caller. */
char *frs_correction_note(const struct frs_setup *setup);

#endif
