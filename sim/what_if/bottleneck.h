/* Bottleneck of a run: the link, device or wait whose improvement would have saved most time. */
#ifndef FRS_WHAT_IF_BOTTLENECK_H
#define FRS_WHAT_IF_BOTTLENECK_H

#include "sim/what_if/what_if.h"

/* A what-if that saves a smaller share says nothing. */
#define FRS_WHAT_IF_LEAST_SAVING 0.01

/* The one that saves most, of those that halve something; NULL where none saves a hundredth. Selecting more
 * clients than are waited for and keeping connections open are remedies, which cost messages, or open
 * connections at the server, and no bottleneck. */
const struct frs_what_if *frs_what_ifs_bottleneck(const struct frs_what_ifs *what_ifs);

#endif
