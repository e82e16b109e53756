/* Nursery: a thread that starts children. A child has to die with this program, however the program ends.
 * Linux ties a child's life to the thread that started it, so this thread has to outlive the threads that
 * train. */
#ifndef FRS_EXTERNAL_NURSERY_H
#define FRS_EXTERNAL_NURSERY_H

#include "sim/external/child.h"

struct frs_nursery;

struct frs_nursery *frs_nursery_create(void);

/* frs_child_start in that thread; any thread may ask. */
bool frs_nursery_start(struct frs_nursery *nursery, struct frs_child *child,
    const struct frs_command *command, char *why, size_t size);

/* After all its children have ended. */
void frs_nursery_destroy(struct frs_nursery *nursery);

#endif
