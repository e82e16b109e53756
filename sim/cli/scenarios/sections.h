/* The table of all sections: what can be set in a scenario. Only this file knows every table of keys;
 * readers of scenarios get it as an argument. */
#ifndef FRS_CLI_SECTIONS_H
#define FRS_CLI_SECTIONS_H

#include "sim/scenario/scenario.h"

/* Ended by a section whose path is NULL. */
extern const struct frs_section frs_sections[];

#endif
