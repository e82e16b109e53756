/* Lock: a file that a process holds (flock) while it works on something, and in which it says who it is.
 *
 * The file system owns the lock and releases it when the process ends, however that ends and in whichever
 * container or on whichever machine it ran. So no process is judged by a number that means something else
 * elsewhere. Only on a file system without locks does the text in the file decide: a holder of this machine,
 * by its number and the time it started; one of another machine is believed to be there. */
#ifndef FRS_BASE_LOCK_H
#define FRS_BASE_LOCK_H

#include "sim/base/status.h"

#include <stdbool.h>

struct frs_lock {
    char *path; /* NULL: nothing is held */
    int file;
    bool was_there; /* empty: perhaps of another program, so it stays */
};

/* Takes the lock. Waits a moment first, because the lock of a killed process is released a moment later. If
 * another process holds it, returns FRS_ERR_INPUT and adds a line that begins with `held` and names the
 * holder. A file of this name that is no lock is left alone, and is an error, too. */
enum frs_status frs_lock_take(
    struct frs_lock *lock, const char *path, const char *held, struct frs_errors *errors) FRS_MUST_CHECK;

/* At once and without a word; false when it cannot be had. */
bool frs_lock_try(struct frs_lock *lock, const char *path);

/* Gives it back and takes the file away. Nothing happens when nothing is held. */
void frs_lock_release(struct frs_lock *lock);

/* The descriptor that holds it, freed by closing; children inherit it, and the last one to close it gives the
 * lock back. The file stays. */
int frs_lock_detach(struct frs_lock *lock);

#endif
