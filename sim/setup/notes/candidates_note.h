/* Candidates note: whether K of HR@K is so large that it says nothing. */
#ifndef FRS_SETUP_NOTES_CANDIDATES_NOTE_H
#define FRS_SETUP_NOTES_CANDIDATES_NOTE_H

#include "sim/setup/setup.h"

/* "evaluation.k = 10 is at or above the number of candidates of 60 of 60 users (3 at most): ..."; NULL when
 * that holds for no user, when there is no ranking, or when the clients' data are not known. Freed by the
 * caller. */
char *frs_candidates_note(const struct frs_setup *setup);

#endif
