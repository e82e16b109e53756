/* Process: what every process of an emulation begins with, so that none outlives the others. */
#ifndef FRS_ACTORS_EMULATION_PROCESS_H
#define FRS_ACTORS_EMULATION_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

/* After a fork: dies with its parent, leaves Ctrl-C to the server, wakes up on time, and is called `name` (15
 * characters). */
void frs_process_begin(const char *name);

/* Has the calling thread run before others, as far as that is allowed; the greater the rank the sooner.
 * Whether it does. Its own children and threads do not. */
bool frs_process_hurry(int rank);
void frs_process_relax(void);

/* Closes all descriptors but the first three, which lead nowhere from now on, and these. */
void frs_process_keep(const int *fds, size_t n);

#endif
