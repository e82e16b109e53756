/* Place of a run: what exists where a run directory is to be, and beside it. The program recognises its
 * own files by their names, and never removes or replaces anything else. */
#ifndef FRS_LEDGER_RUN_PLACE_H
#define FRS_LEDGER_RUN_PLACE_H

#include "sim/base/status.h"

#include <stdbool.h>

/* Returns the place that a path means: without slashes at the end, and with symbolic links followed. Freed
 * by the caller. */
char *frs_run_place(const char *path);

/* Checks whether a run may be written to this place: nothing is there, or an empty folder, or with `force`
 * an earlier run (with a manifest.json of this program) and nothing else; and the nearest existing folder
 * above can be written to. Changes nothing. */
enum frs_status frs_run_place_check(const char *path, bool force, struct frs_errors *errors) FRS_MUST_CHECK;

/* The same without a look at the folder above, for a path that frs_run_place has given. */
enum frs_status frs_run_place_look(const char *path, bool force, struct frs_errors *errors) FRS_MUST_CHECK;

/* State of an earlier run at this place. */
enum frs_run_state {
    FRS_RUN_ABSENT,      /* or an empty folder */
    FRS_RUN_INTERRUPTED, /* what it wrote is whole, but it ended before its time */
    FRS_RUN_INCOMPLETE,  /* the same, because not one round could be closed */
    FRS_RUN_COMPLETE,
    FRS_RUN_FOREIGN, /* something else is there */
};

/* `hash` (may be NULL) receives the scenario_hash of the manifest; freed by the caller, NULL when there is
 * none. */
enum frs_run_state frs_run_place_state(const char *path, char **hash);

/* A text of the manifest of an earlier run at this place; freed by the caller, NULL when there is none. */
char *frs_run_place_noted(const char *path, const char *key);

/* Whether a run directory has a file of this name. */
bool frs_run_place_knows(const char *name);

/* The name of something in the folder that no run has written, or NULL; freed by the caller. */
char *frs_run_place_foreign(const char *folder);

/* Removes a run's files and their folder, unless something else is in it. */
void frs_run_place_remove(const char *folder);

/* Calls `clear` with everything beside `path` that is called like it, then `mark`, then a number. */
void frs_run_place_leftovers(const char *path, const char *mark, void (*clear)(const char *leftover));

/* Removes what killed runs have left beside `path`, and restores an earlier run that one of them was about
 * to replace. The caller must hold the place's lock. */
void frs_run_place_tidy(const char *path);

#endif
