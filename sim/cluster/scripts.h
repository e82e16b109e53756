/* What the scripts of all systems have in common. Private to the folder. */
#ifndef FRS_CLUSTER_SCRIPTS_H
#define FRS_CLUSTER_SCRIPTS_H

#include "sim/base/status.h"

#include <stdio.h>

struct frs_batch;

/* Writes folder/name, a script that may be executed. `put` writes its text. */
typedef void (*frs_script_put)(FILE *file, const struct frs_batch *batch);
enum frs_status frs_script_write(const char *folder, const char *name, frs_script_put put,
    const struct frs_batch *batch, struct frs_errors *errors) FRS_MUST_CHECK;

/* Adds "path: reason" of the last system call. */
enum frs_status frs_script_failed(const char *path, struct frs_errors *errors);

/* A text between quotes, as a shell reads it. */
void frs_script_quote(FILE *file, const char *text);

/* One word, in which no system sees an option, a pattern or a quote. */
void frs_script_word(FILE *file, const char *text);

/* Makes folder/name unless it is there. */
enum frs_status frs_script_folder(
    const char *folder, const char *name, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
