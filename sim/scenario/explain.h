/* Explain: what can be written into a scenario, generated from the same tables that validate it. */
#ifndef FRS_SCENARIO_EXPLAIN_H
#define FRS_SCENARIO_EXPLAIN_H

#include "sim/base/errors.h"

/* Every key of `section` and of the sections below it (NULL: of all) with type, unit, default, range and
 * help. */
enum frs_status frs_explain(const char *section, FILE *out, struct frs_errors *errors) FRS_MUST_CHECK;

/* The plug-ins and presets of `kind` (NULL: of all kinds), one line each. */
enum frs_status frs_list(const char *kind, FILE *out, struct frs_errors *errors) FRS_MUST_CHECK;

/* docs/scenario-reference.md. */
void frs_explain_markdown(FILE *out);

#endif
