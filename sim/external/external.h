/* External methods: programs that a scenario names as method.command, presented as learners.
 *
 * The simulator asks a program once per process what it is and which keys it has. So a scenario can be
 * checked like any other, and needs consent (sim/base/consent.h) before it is even read. */
#ifndef FRS_EXTERNAL_EXTERNAL_H
#define FRS_EXTERNAL_EXTERNAL_H

#include "sim/base/files/digest.h"
#include "sim/base/settings/plugin.h"

#include <stddef.h>

/* Returns the learner of this command as the plug-in that replaces `external`, valid until the process
 * ends. NULL after writing what prevents it ("runs ..., which needs consent"). */
const struct frs_plugin *frs_external_plugin(const char *command, char *why, size_t size);

/* Calls `each` for every word of the command that names a file, counted from 0. */
void frs_external_each_file(const char *command,
    void (*each)(void *context, size_t word, const char *path, const struct frs_digest *digest),
    void *context);

#endif
