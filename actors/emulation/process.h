/* Process: what every process of an emulation begins with, so that none outlives the others. */
#ifndef FRS_ACTORS_EMULATION_PROCESS_H
#define FRS_ACTORS_EMULATION_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

/* Call after a fork: the process dies with its parent, leaves Ctrl-C to the server, wakes up on time, and
 * gets the name `name` (15 characters). */
void frs_process_begin(const char *name);

/* Gives the calling thread priority over others, as far as that is allowed; the higher the rank, the
 * sooner it runs. Returns whether it has priority. Its children and threads do not inherit it. */
bool frs_process_hurry(int rank);
void frs_process_relax(void);

/* Closes all descriptors but the first three, which lead nowhere from now on, and these. */
void frs_process_keep(const int *fds, size_t n);

#endif
