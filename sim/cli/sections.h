/* The table of all sections: what can be said in a scenario. The only place that knows every table of keys;
 * whoever reads a scenario is handed it. */
#ifndef FRS_CLI_SECTIONS_H
#define FRS_CLI_SECTIONS_H

#include "sim/scenario/scenario.h"

/* Ended by a section whose path is NULL. */
extern const struct frs_section frs_sections[];

#endif
