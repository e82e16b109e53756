/* Run directory: written under a temporary name beside its final one and renamed when complete, so that a
 * directory under the final name is always whole. During writing a lock beside it ("<path>.lock") keeps
 * other processes away, on this machine and on all others that see the folder. */
#ifndef FRS_LEDGER_RUN_DIRECTORY_H
#define FRS_LEDGER_RUN_DIRECTORY_H

#include "sim/base/files/lock.h"
#include "sim/ledger/run_place.h"

#include <stdio.h>

struct frs_run_directory {
    char *path;      /* final */
    char *temporary; /* where files are written until then; NULL once they are there */
    char *made;      /* topmost parent folder that was made for it, or NULL */
    bool force;      /* an earlier run may be replaced */
    struct frs_lock lock;
};

/* Checks the place (frs_run_place_check), creates missing parents, takes the lock, removes what killed
 * runs have left here, and creates the temporary directory. */
enum frs_status frs_run_directory_open(struct frs_run_directory *directory, const char *path, bool force,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Opens a file for writing in the temporary directory; NULL after adding an error. */
FILE *frs_run_directory_file(
    const struct frs_run_directory *directory, const char *name, struct frs_errors *errors);

/* Closes a file opened there once it is on the disk; reports what could not be written. */
enum frs_status frs_run_directory_close_file(
    FILE *file, const char *name, struct frs_errors *errors) FRS_MUST_CHECK;

/* Puts the directory in place, replacing an earlier run if `force` was given. On failure the results stay
 * in the temporary directory, which the error names. */
enum frs_status frs_run_directory_commit(
    struct frs_run_directory *directory, struct frs_errors *errors) FRS_MUST_CHECK;

/* Removes what was written and has not been put in place; the lock is still held. */
void frs_run_directory_discard(struct frs_run_directory *directory);

/* Discards uncommitted results, removes parents that were created for nothing, releases the lock and frees
 * the strings of the struct. */
void frs_run_directory_close(struct frs_run_directory *directory);

/* Takes the lock of a place, unless another process holds it, for a caller that wants to tidy up there. */
bool frs_run_directory_lock(const char *path, struct frs_lock *lock);

#endif
