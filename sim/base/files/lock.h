/* Lock: a file that a process holds (flock) while it works on something, and in which it says who it is.
 *
 * The file system owns the lock and releases it when the process ends, however that happens and in
 * whichever container or on whichever machine the process ran. So no process is judged by a number that
 * means something else elsewhere. The text in the file decides only on a file system without locks: a
 * holder on this machine is known by its number and start time; a holder on another machine is assumed to
 * exist. */
#ifndef FRS_BASE_LOCK_H
#define FRS_BASE_LOCK_H

#include "sim/base/status.h"

#include <stdbool.h>

struct frs_lock {
    char *path; /* NULL: nothing is held */
    int file;
    bool was_there; /* empty: perhaps of another program, so it stays */
};

/* Takes the lock. Waits a moment first, because the lock of a killed process is released a moment later.
 * If another process holds it, returns FRS_ERR_INPUT and adds a line that begins with `held` and names the
 * holder. A file of this name that is no lock is left alone and is an error, too. */
enum frs_status frs_lock_take(
    struct frs_lock *lock, const char *path, const char *held, struct frs_errors *errors) FRS_MUST_CHECK;

/* At once and without a word; false when it cannot be had. */
bool frs_lock_try(struct frs_lock *lock, const char *path);

/* Gives it back and takes the file away. Nothing happens when nothing is held. */
void frs_lock_release(struct frs_lock *lock);

/* Returns the descriptor that holds the lock. Closing it gives the lock back; children inherit the
 * descriptor, and the last process to close it releases the lock. The file stays. */
int frs_lock_detach(struct frs_lock *lock);

#endif
