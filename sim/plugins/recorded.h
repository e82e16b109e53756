/* Recorded plug-ins: those that a run, or the plan of a sweep, was made with, by what their files held. It is
 * repeated with the same ones, and with no others. */
#ifndef FRS_PLUGINS_RECORDED_H
#define FRS_PLUGINS_RECORDED_H

#include "sim/base/status.h"

#include <jansson.h>
#include <stddef.h>

struct frs_recorded_plugin {
    const char *path, *digest; /* as frs_digest_text writes it */
};

/* Loads those recorded that are missing, from where they were; which needs consent (sim/base/consent.h), and
 * one whose file has changed since is refused. `where` begins messages. Before a scenario is read. */
enum frs_status frs_plugins_load_recorded(const struct frs_recorded_plugin *recorded, size_t n,
    const char *where, struct frs_errors *errors) FRS_MUST_CHECK;

/* The same of the files that a manifest names ("files"), whatever else they are. */
enum frs_status frs_plugins_load_of_manifest(
    const json_t *files, const char *where, struct frs_errors *errors) FRS_MUST_CHECK;

/* Whether the plug-ins of this process are those recorded, in their order. Loads those that are missing, as
 * above. A copy is known by the path of what it is a copy of from then on. */
enum frs_status frs_plugins_recall(const struct frs_recorded_plugin *recorded, size_t n, const char *where,
    struct frs_errors *errors) FRS_MUST_CHECK;
enum frs_status frs_plugins_recall_of_manifest(
    const json_t *files, const char *where, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
