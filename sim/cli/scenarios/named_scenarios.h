/* Named scenarios: those that come with the program go by the path of their file below its folder of
 * scenarios (sim/base/files/own_folders.h) without ".cfg": quickstart, papers/colr-table2. */
#ifndef FRS_CLI_NAMED_SCENARIOS_H
#define FRS_CLI_NAMED_SCENARIOS_H

#include "sim/base/status.h"

#include <jansson.h>
#include <stdio.h>

/* What a command line names as its scenario: a file is itself, a name becomes the path of its file, and
 * anything else is left as it is, to be refused where it is read. An input error where there are both, a file
 * and a scenario of that name; a script ("#!") and a folder are no scenarios. *path is freed by the caller.
 */
enum frs_status frs_named_scenario(const char *given, char **path, struct frs_errors *errors) FRS_MUST_CHECK;

/* All names in alphabetical order, ended by NULL; below `folder` alone, unless it is "". Empty where the
 * program does not find its scenarios. Freed by frs_named_scenarios_free. */
char **frs_named_scenarios(const char *folder);
void frs_named_scenarios_free(char **names);

/* The first sentence of a scenario's first comment; "" where it has none. Freed by the caller. */
char *frs_named_scenario_summary(const char *name);

/* A line for each. An input error where the program does not find its scenarios. */
enum frs_status frs_named_scenarios_list(FILE *out, struct frs_errors *errors) FRS_MUST_CHECK;

/* The same as an object of the format fedrecsim-list-1; NULL after adding an error. */
json_t *frs_named_scenarios_json(struct frs_errors *errors);

#endif
