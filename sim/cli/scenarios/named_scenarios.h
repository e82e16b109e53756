/* Named scenarios: a scenario that comes with the program has as its name the path of its file below the
 * folder of scenarios (sim/base/files/own_folders.h), without ".cfg": quickstart, papers/colr-table2. */
#ifndef FRS_CLI_NAMED_SCENARIOS_H
#define FRS_CLI_NAMED_SCENARIOS_H

#include "sim/base/status.h"

#include <jansson.h>
#include <stdio.h>

/* Turns what a command line gives as its scenario into a path. The path of a file stays as it is, a name
 * becomes the path of its file, and so does "scenarios/<name>.cfg" if there is no such file. Anything else is
 * left for the reader of scenarios to refuse. It is an input error if there are both a file and a scenario
 * of that name. A script ("#!") and a folder are not
 * scenarios. *path is freed by the caller. */
enum frs_status frs_named_scenario(const char *given, char **path, struct frs_errors *errors) FRS_MUST_CHECK;

/* Returns all names in alphabetical order, ended by NULL, or only those below `folder` unless it is "".
 * The list is empty where the program does not find its scenarios. Freed by frs_named_scenarios_free. */
char **frs_named_scenarios(const char *folder);
void frs_named_scenarios_free(char **names);

/* The first sentence of a scenario's first comment; "" where it has none. Freed by the caller. */
char *frs_named_scenario_summary(const char *name);

/* A line for each. An input error where the program does not find its scenarios. */
enum frs_status frs_named_scenarios_list(FILE *out, struct frs_errors *errors) FRS_MUST_CHECK;

/* The same as an object of the format fedrecsim-list-1; NULL after adding an error. */
json_t *frs_named_scenarios_json(struct frs_errors *errors);

#endif
