/* Creating files whose names others can guess. */
#ifndef FRS_BASE_CREATE_H
#define FRS_BASE_CREATE_H

#include <stdio.h>

/* Opens a new file for writing. First removes whatever has this name: a symbolic link itself, never its
 * target, so that no other user with rights to the folder decides which file is overwritten. Folders on
 * the way may be links. Returns NULL and sets errno on failure. */
FILE *frs_create(const char *path);

/* The same as a descriptor; async-signal-safe. -1 on failure. */
int frs_create_descriptor(const char *path);

#endif
