/* Cache: what takes long to work out, kept in a folder from one process to the next.
 *
 * An entry is named by a digest of all that decides its content, the program's own file among it, so that
 * none is ever out of date; it ends in a digest of itself, so that a damaged one counts as none. Whatever
 * goes wrong with an entry means that the work is done again, and nothing else; entries may be deleted at any
 * time. */
#ifndef FRS_BASE_CACHE_H
#define FRS_BASE_CACHE_H

#include "sim/base/files/digest.h"
#include "sim/base/status.h"

#include <stdbool.h>
#include <stdio.h>

/* The folder that the environment variable FEDRECSIM_CACHE names; where it is not set, that of the XDG rules
 * (sim/base/files/own_folders.h), if its user has made it. NULL where there is none, or the variable is
 * empty: then nothing is kept, nor looked for. */
const char *frs_cache_folder(void);

/* An input error where the variable is set and leads to no folder. */
enum frs_status frs_cache_check(struct frs_errors *errors) FRS_MUST_CHECK;

/* Begins the digest of what decides an entry's content: the program, and the kind of entry. The caller adds
 * the rest. */
struct frs_digester frs_cache_key(const char *kind);

/* An entry that is being read, or written. */
struct frs_cache_entry {
    FILE *file; /* NULL: there is none */
    char *path, *draft;
    struct frs_digester content;
    size_t left_bytes; /* of one that is read */
    bool failed;
};

/* Opens the entry of this kind and key for reading; false if there is none. Where it returns true, the caller
 * ends with frs_cache_end_read. */
bool frs_cache_open(struct frs_cache_entry *entry, const char *kind, const struct frs_digest *key);

/* The next n bytes; zeros, and the entry counts as damaged, where fewer than n are left. */
void frs_cache_read(struct frs_cache_entry *entry, void *bytes, size_t n);

/* Whether the entry was read to its end and is what was once written. If not, what was read must not be used.
 */
bool frs_cache_end_read(struct frs_cache_entry *entry);

/* Begins a new entry, under another name until it is complete. Where that fails, or a file of the entry's
 * name is none of ours, what is written goes nowhere. */
void frs_cache_create(struct frs_cache_entry *entry, const char *kind, const struct frs_digest *key);
void frs_cache_write(struct frs_cache_entry *entry, const void *bytes, size_t n);

/* Completes it: afterwards it is there, whole, or not at all. */
void frs_cache_end_write(struct frs_cache_entry *entry);

#endif
