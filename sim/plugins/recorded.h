/* Recorded plug-ins: those that a run, or the plan of a sweep, was made with, by what their files held. It is
 * repeated with the same ones, and with no others. */
#ifndef FRS_PLUGINS_RECORDED_H
#define FRS_PLUGINS_RECORDED_H

#include "sim/base/status.h"

#include <stddef.h>

struct frs_recorded_plugin {
    const char *path, *digest; /* as frs_digest_text writes it */
};

/* Whether the plug-ins of this process are those recorded, in their order. Loads those that are missing from
 * where they were, which needs consent (sim/base/consent.h); one whose file has changed since is refused. A
 * copy is known by the path of what it is a copy of from then on.
 * `where` begins messages. Before a scenario is read. */
enum frs_status frs_plugins_recall(const struct frs_recorded_plugin *recorded, size_t n, const char *where,
    struct frs_errors *errors) FRS_MUST_CHECK;

#endif
