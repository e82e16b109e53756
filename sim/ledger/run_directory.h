/* Run directory: written under a temporary name beside its final one and renamed when complete, so that a
 * directory under the final name is always whole. */
#ifndef FRS_LEDGER_RUN_DIRECTORY_H
#define FRS_LEDGER_RUN_DIRECTORY_H

#include "sim/base/errors.h"

#include <stdbool.h>

struct frs_run_directory {
    char *path;      /* final */
    char *temporary; /* where files are written until then */
    char *made;      /* topmost parent folder that was made for it, or NULL */
    bool force;      /* an earlier run may be replaced */
};

/* Whether a run may be written to `path`: it does not exist or `force` and it is an earlier run (has a
 * manifest.json of ours), and its nearest existing parent folder can be written to. Changes nothing. */
enum frs_status frs_run_directory_check(
    const char *path, bool force, struct frs_errors *errors) FRS_MUST_CHECK;

/* Checks, then makes missing parents and the temporary directory. */
enum frs_status frs_run_directory_open(struct frs_run_directory *directory, const char *path, bool force,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Of an earlier run at this place. */
enum frs_run_state {
    FRS_RUN_ABSENT,
    FRS_RUN_INTERRUPTED, /* what it wrote is whole, but it ended before its time */
    FRS_RUN_COMPLETE,
    FRS_RUN_FOREIGN, /* something else is there */
};

/* `hash` (may be NULL) takes the scenario_hash of its manifest;
 * freed by the caller, NULL when there is none. */
enum frs_run_state frs_run_directory_state(const char *path, char **hash);

/* Whether a name ends in ".partial-<pid>", of a process that does not run on this machine. */
bool frs_run_directory_is_leftover(const char *name);

/* Removes what killed runs left under temporary names beside `path`. */
void frs_run_directory_clear_leftovers(const char *path);

/* Opens a file for writing in the temporary directory; NULL after adding an error. */
FILE *frs_run_directory_file(
    const struct frs_run_directory *directory, const char *name, struct frs_errors *errors);

/* Closes a file opened there; reports what could not be written. */
enum frs_status frs_run_directory_close_file(
    FILE *file, const char *name, struct frs_errors *errors) FRS_MUST_CHECK;

/* Puts the directory in place, replacing an earlier run if `force` was given. On failure the results stay
 * under their temporary name, which the error tells. Frees the struct's strings. */
enum frs_status frs_run_directory_commit(
    struct frs_run_directory *directory, struct frs_errors *errors) FRS_MUST_CHECK;

/* Removes what was written so far, and parents that were made for it. Frees the struct's strings. */
void frs_run_directory_discard(struct frs_run_directory *directory);

/* Removes a folder with everything in it, whatever it is; nothing happens when there is none. */
void frs_run_directory_remove(const char *path);

#endif
