/* Reuse: a folder of journals that runs share. A run reads the journals of its own training and leaves
 * behind what it had to find itself. Files are put in place whole and never changed, so any number of runs
 * on any number of machines may use one folder. */
#ifndef FRS_JOURNAL_REUSE_H
#define FRS_JOURNAL_REUSE_H

#include "sim/journal/journal.h"

/* Adds to the journal what the folder has for its training. A folder that does not exist has nothing.
 * Damaged files are skipped, and their content is trained again. */
void frs_reuse_read(struct frs_journal *journal, const char *folder);

/* Leaves what has been added to the journal since, if anything. */
enum frs_status frs_reuse_write(
    const struct frs_journal *journal, const char *folder, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
