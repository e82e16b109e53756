/* Command: the words of method.command. No shell splits them: blanks separate words, single or double
 * quotes hold a word together, and each word may begin with "~" and contain environment variables
 * (sim/base/settings/path.h). */
#ifndef FRS_EXTERNAL_COMMAND_H
#define FRS_EXTERNAL_COMMAND_H

#include "sim/base/files/digest.h"

#include <stdbool.h>
#include <stddef.h>

struct frs_command {
    char **words; /* [n], ended by NULL */
    size_t n;
};

/* False after writing what is wrong. */
bool frs_command_read(const char *text, struct frs_command *command, char *why, size_t size);
void frs_command_fini(struct frs_command *command);

/* Whether a word names a file that can be read, whose digest is then in *digest. */
bool frs_command_file(const struct frs_command *command, size_t word, struct frs_digest *digest);

#endif
