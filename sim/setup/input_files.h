/* Input files: the files that a scenario names and on whose content a run depends: data, tables, traces,
 * platforms, plug-ins from outside, and the program of an external method. */
#ifndef FRS_SETUP_INPUT_FILES_H
#define FRS_SETUP_INPUT_FILES_H

#include "sim/setup/setup.h"

/* What keys of the files begin with that the command of an external method names. */
#define FRS_COMMAND_KEY "method.command"

/* Fills setup->inputs, plug-ins first and then in the order of the scenario's keys, once everything else
 * has been set up. */
void frs_input_files_note(struct frs_setup *setup);

/* A digest of them all; "" when there are none. Returns `text`. */
char *frs_input_files_hash(const struct frs_setup *setup, char text[FRS_DIGEST_TEXT]);

/* What `fedrecsim import` made the file of: "mahimahi: a.log, BLAKE2b …", several of them with semicolons.
 * NULL: it did not make it. Freed by the caller. */
char *frs_input_file_source(const char *path);

#endif
