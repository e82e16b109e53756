/* Files: read whole; and written without a name, which they get when they are complete, so that a killed
 * process leaves nothing behind. Where the file system has no such files, they are written as
 * NAME.partial-PROCESS. */
#ifndef FRS_ANALYSIS_READ_FILES_H
#define FRS_ANALYSIS_READ_FILES_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stdio.h>

/* The contents with a zero behind; freed with free(). A file with a zero inside is refused. */
enum frs_status frs_contents_read(const char *path, char **text, struct frs_errors *errors) FRS_MUST_CHECK;

bool frs_contents_exist(const char *path);

/* A file being written. */
struct frs_draft {
    FILE *file;
    char *path, *temporary; /* `temporary`: NULL while it has no name */
};

enum frs_status frs_draft_open(
    struct frs_draft *draft, const char *path, struct frs_errors *errors) FRS_MUST_CHECK;

/* Puts the file in place, replacing an earlier one. */
enum frs_status frs_draft_commit(struct frs_draft *draft, struct frs_errors *errors) FRS_MUST_CHECK;

/* Leaves no trace; nothing to do after a commit. */
void frs_draft_discard(struct frs_draft *draft);

#endif
