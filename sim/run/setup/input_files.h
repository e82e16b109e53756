/* Input files: those that a scenario names and a run follows from, by what is in them. The data have a hash of their own. */
#ifndef FRS_RUN_SETUP_INPUT_FILES_H
#define FRS_RUN_SETUP_INPUT_FILES_H

#include "sim/run/setup/setup.h"

struct frs_input_file {
    const char *key, *path;
    const struct frs_digest *digest;
};

#define FRS_MAX_INPUT_FILES 3

/* Those there are, borrowed from the setup; returns how many. */
size_t frs_input_files(const struct frs_setup *setup, struct frs_input_file files[FRS_MAX_INPUT_FILES]);

/* A digest of them all; "" when there are none. Returns `text`. */
char *frs_input_files_hash(const struct frs_setup *setup, char text[FRS_DIGEST_TEXT]);

#endif
