/* External methods: programs that a scenario names as method.command, and the learners that they are.
 *
 * A program is asked once in the life of this process what it is and which keys it has. So a scenario can be
 * checked like any other, and needs consent (sim/base/consent.h) before it is even read. */
#ifndef FRS_EXTERNAL_EXTERNAL_H
#define FRS_EXTERNAL_EXTERNAL_H

#include "sim/base/files/digest.h"
#include "sim/base/settings/plugin.h"

#include <stddef.h>

/* The learner of this command, as the plug-in that stands in for `external`, valid until the process ends.
 * NULL after writing why there is none ("runs ..., which needs consent"). */
const struct frs_plugin *frs_external_plugin(const char *command, char *why, size_t size);

/* Calls `each` for every word of the command that names a file, counted from 0. */
void frs_external_each_file(const char *command,
    void (*each)(void *context, size_t word, const char *path, const struct frs_digest *digest),
    void *context);

#endif
