/* Bottleneck of a run: the link, device or wait whose improvement would have saved most time. */
#ifndef FRS_WHAT_IF_BOTTLENECK_H
#define FRS_WHAT_IF_BOTTLENECK_H

#include "sim/what_if/what_if.h"

/* A what-if that saves a smaller share says nothing. */
#define FRS_WHAT_IF_LEAST_SAVING 0.01

/* Returns the what-if that saves most, of those that halve something; NULL where none saves a hundredth.
 * Two what-ifs are remedies and never the bottleneck, because they cost messages or open connections at
 * the server: selecting more clients than are waited for, and keeping connections open. */
const struct frs_what_if *frs_what_ifs_bottleneck(const struct frs_what_ifs *what_ifs);

#endif
