/* Scratch folders: each is made for one purpose, below $TMPDIR or /tmp, and is removed afterwards with
 * everything in it. */
#ifndef FRS_BASE_SCRATCH_H
#define FRS_BASE_SCRATCH_H

#include "sim/base/status.h"

/* The path of a new folder, freed by frs_scratch_remove; NULL after adding an error. */
char *frs_scratch_create(struct frs_errors *errors);

/* Removes the folder with everything in it, and frees the path. */
void frs_scratch_remove(char *folder);

#endif
