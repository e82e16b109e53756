/* Explain: what can be written into a scenario, generated from the same tables that validate it. */
#ifndef FRS_SCENARIO_EXPLAIN_H
#define FRS_SCENARIO_EXPLAIN_H

#include "sim/base/status.h"
#include "sim/scenario/scenario.h"

#include <stdio.h>

struct json_t; /* jansson */

/* Explains every key of a section and of the sections below it (NULL: of all) with type, unit, default,
 * range and help. Or explains one key ("rounds.cohort"), one plug-in or preset ("method.colr"), or one key
 * of a plug-in ("method.colr.rank"; "method.rank": of all plug-ins that have it). A plug-in, preset or key
 * may also be given by its name alone, for all sections that have it ("colr", "4g", "rank"). */
enum frs_status frs_explain(const struct frs_section *sections, const char *path, FILE *out,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* Returns the same as an object of the format fedrecsim-explain-1 (docs/schemas); `path` is one that
 * frs_explain knows. */
struct json_t *frs_explain_json(const struct frs_section *sections, const char *path);

/* Where a plug-in from outside of the program comes from; NULL: it is built in. */
typedef const char *frs_origin(const struct frs_plugin *plugin);

/* Lists the plug-ins and presets of `kind` (NULL: of all kinds), one line each. A kind has a name in the
 * singular and plural; the name of a section that chooses a plug-in of it ("method") is allowed, too.
 * `origin` (NULL: all are built in) marks those from outside. */
enum frs_status frs_list(const struct frs_section *sections, const char *kind, frs_origin *origin, FILE *out,
    struct frs_errors *errors) FRS_MUST_CHECK;

/* The same as an object of the format fedrecsim-list-1; NULL after adding an error. */
struct json_t *frs_list_json(
    const struct frs_section *sections, const char *kind, frs_origin *origin, struct frs_errors *errors);

/* The manual page fedrecsim-scenario(5), as its source. */
void frs_explain_manual(const struct frs_section *sections, FILE *out);

/* Receives a key in full, as --set takes it, and what it is; both borrowed. */
typedef void frs_key_sink(void *context, const char *key, const struct frs_param *param);

/* Every key: those of sections with their selectors and presets, then those of plug-ins. */
void frs_explain_each_key(const struct frs_section *sections, frs_key_sink *sink, void *context);

/* Receives one page of the reference: the name of its file and its text, both borrowed. */
typedef void frs_page_sink(void *context, const char *name, const char *text);

/* What every page begins with: a file that does is one of ours. */
extern const char frs_page_mark[];

/* All pages of docs/reference, in Markdown. */
void frs_explain_pages(const struct frs_section *sections, frs_page_sink *sink, void *context);

#endif
