/* Cache: a folder that keeps results of long computations from one process to the next.
 *
 * The name of an entry is a digest of all that decides its content, including the program's own file, so
 * no entry is ever out of date. An entry ends in a digest of itself, so a damaged one counts as absent. If
 * anything goes wrong with an entry, the work is done again and nothing else happens. Entries may be
 * deleted at any time. */
#ifndef FRS_BASE_CACHE_H
#define FRS_BASE_CACHE_H

#include "sim/base/files/digest.h"
#include "sim/base/status.h"

#include <stdbool.h>
#include <stdio.h>

/* Returns the folder that the environment variable FEDRECSIM_CACHE names. If the variable is not set,
 * returns the folder of the XDG rules (sim/base/files/own_folders.h), provided that the user has made it.
 * Returns NULL where there is none or the variable is empty: then the program neither keeps nor looks for
 * entries. */
const char *frs_cache_folder(void);

/* An input error where the variable is set and leads to no folder. */
enum frs_status frs_cache_check(struct frs_errors *errors) FRS_MUST_CHECK;

/* Begins the digest of what decides an entry's content with the program and the kind of entry. The caller
 * adds the rest. */
struct frs_digester frs_cache_key(const char *kind);

/* An entry that is being read, or written. */
struct frs_cache_entry {
    FILE *file; /* NULL: there is none */
    char *path, *draft;
    struct frs_digester content;
    size_t left_bytes; /* of one that is read */
    bool failed;
};

/* Opens the entry of this kind and key for reading; returns false if there is none. After true, the caller
 * has to call frs_cache_end_read. */
bool frs_cache_open(struct frs_cache_entry *entry, const char *kind, const struct frs_digest *key);

/* The next n bytes; zeros, and the entry counts as damaged, where fewer than n are left. */
void frs_cache_read(struct frs_cache_entry *entry, void *bytes, size_t n);

/* Whether the entry was read to its end and is exactly what was once written. If not, the caller must not
 * use what it has read. */
bool frs_cache_end_read(struct frs_cache_entry *entry);

/* Begins a new entry, under another name until it is complete. If that fails, or if a file of the entry's
 * name exists that the cache did not write, all that is written is discarded. */
void frs_cache_create(struct frs_cache_entry *entry, const char *kind, const struct frs_digest *key);
void frs_cache_write(struct frs_cache_entry *entry, const void *bytes, size_t n);

/* Completes it: afterwards it is there, whole, or not at all. */
void frs_cache_end_write(struct frs_cache_entry *entry);

#endif
