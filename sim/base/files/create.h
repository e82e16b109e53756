/* Creating files whose names others can guess. */
#ifndef FRS_BASE_CREATE_H
#define FRS_BASE_CREATE_H

#include <stdio.h>

/* Opens a new file for writing. What has the name is removed first: a symbolic link itself, never what it
 * leads to, so that nobody else who may write to the folder decides what is overwritten. NULL, and errno, on
 * failure. Folders on the way may be links. */
FILE *frs_create(const char *path);

/* The same as a descriptor; async-signal-safe. -1 on failure. */
int frs_create_descriptor(const char *path);

#endif
