/* Journal file: the temporary file that a journal is written to before it gets its name. */
#ifndef FRS_JOURNAL_JOURNAL_FILE_H
#define FRS_JOURNAL_JOURNAL_FILE_H

#include <stdio.h>

/* Creates a new file beside `path`, without following a symbolic link, and locks it: another process may
 * write a journal of this name, perhaps under the same process number in another container. Returns NULL with
 * errno set if it cannot be created. *temporary is its name, freed by the caller in either case. */
FILE *frs_journal_open_temporary(const char *path, char **temporary);

#endif
