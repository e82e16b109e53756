/* Creating files: under names that others can guess, and under those that users gave. */
#ifndef FRS_BASE_CREATE_H
#define FRS_BASE_CREATE_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Opens a new file for writing. First removes whatever has this name: a symbolic link itself, never its
 * target, so that no other user with rights to the folder decides which file is overwritten. Folders on
 * the way may be links. Returns NULL and sets errno on failure. */
FILE *frs_create(const char *path);

/* The same as a descriptor; async-signal-safe. -1 on failure. */
int frs_create_descriptor(const char *path);

/* Opens a new file without a name in the folder of `path`, for writing. It is gone with its process, unless
 * frs_create_name gives it one. -1 where the file system has no such files, or they could get no name (/proc
 * is not there). */
int frs_create_nameless(const char *path);

/* Names such a file; false, with errno, where that fails: EEXIST where the name is taken. */
bool frs_create_name(int file, const char *path);

/* Writes a file that a user named. Never replaces one, nor follows a link to one: that is an error, which
 * ends in `advice` ("another name"). It gets its name when it is whole, where the file system has files
 * without a name; what cannot be written as a whole is removed again. */
enum frs_status frs_create_whole(
    const char *path, const char *text, size_t n, const char *advice, struct frs_errors *errors);

#endif
