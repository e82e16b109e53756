/* Creating files: under names that others can guess, and under those that users gave. */
#ifndef FRS_BASE_CREATE_H
#define FRS_BASE_CREATE_H

#include "sim/base/status.h"

#include <stddef.h>
#include <stdio.h>

/* Opens a new file for writing. First removes whatever has this name: a symbolic link itself, never its
 * target, so that no other user with rights to the folder decides which file is overwritten. Folders on
 * the way may be links. Returns NULL and sets errno on failure. */
FILE *frs_create(const char *path);

/* The same as a descriptor; async-signal-safe. -1 on failure. */
int frs_create_descriptor(const char *path);

/* Writes a file that a user named. Never replaces one, nor follows a link to one: that is an error, which
 * ends in `advice` ("another name"). What cannot be written as a whole is removed again. */
enum frs_status frs_create_whole(
    const char *path, const char *text, size_t n, const char *advice, struct frs_errors *errors);

#endif
