/* Consent: whether the user has allowed this process to run code that a scenario names.
 *
 * A scenario can come from anywhere, and reading it must not start anything. The program runs the code
 * that a scenario names only if the option --allow-commands was given or the environment variable
 * FEDRECSIM_ALLOW_COMMANDS is 1. The option sets the variable, so that child processes have the same
 * consent. */
#ifndef FRS_BASE_CONSENT_H
#define FRS_BASE_CONSENT_H

#include <stdbool.h>

#define FRS_CONSENT_OPTION "allow-commands"
#define FRS_CONSENT_VARIABLE "FEDRECSIM_ALLOW_COMMANDS"
#define FRS_CONSENT_HELP "Run the commands and load the plug-ins that the scenario names"

/* The rest of a refusal, behind what would be run: "runs \"python3 method.py\", ...". */
#define FRS_CONSENT_MISSING                                                                                  \
    "which needs consent; allowed: with --" FRS_CONSENT_OPTION ", or with " FRS_CONSENT_VARIABLE             \
    "=1 in the environment"

/* Allows it, for this process and those that it starts; before there are threads. */
void frs_consent_give(void);

bool frs_consent_is_given(void);

#endif
