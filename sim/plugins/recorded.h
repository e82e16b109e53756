/* Recorded plug-ins: the plug-ins with which a run, or the plan of a sweep, was made, identified by the
 * content of their files. The run is repeated with exactly these. */
#ifndef FRS_PLUGINS_RECORDED_H
#define FRS_PLUGINS_RECORDED_H

#include "sim/base/status.h"

#include <jansson.h>
#include <stddef.h>

struct frs_recorded_plugin {
    const char *path, *digest; /* as frs_digest_text writes it */
};

/* Loads recorded plug-ins that are missing from where they were. This needs consent (sim/base/consent.h).
 * A plug-in whose file has changed since is refused. `where` begins messages. Call before a scenario is
 * read. */
enum frs_status frs_plugins_load_recorded(const struct frs_recorded_plugin *recorded, size_t n,
    const char *where, struct frs_errors *errors) FRS_MUST_CHECK;

/* The same of the files that a manifest names ("files"), whatever else they are. */
enum frs_status frs_plugins_load_of_manifest(
    const json_t *files, const char *where, struct frs_errors *errors) FRS_MUST_CHECK;

/* Whether the plug-ins of this process are the recorded ones, in their order. Loads missing ones as above.
 * From then on a copy of a plug-in is known by the path of the original. */
enum frs_status frs_plugins_recall(const struct frs_recorded_plugin *recorded, size_t n, const char *where,
    struct frs_errors *errors) FRS_MUST_CHECK;
enum frs_status frs_plugins_recall_of_manifest(
    const json_t *files, const char *where, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
