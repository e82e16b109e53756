/* What-ifs of a run (sim/what_if) in what_if.json and summary.json, and as a line for people. */
#ifndef FRS_RESULTS_REPORT_WHAT_IF_FILE_H
#define FRS_RESULTS_REPORT_WHAT_IF_FILE_H

#include "sim/what_if/what_if.h"

#include <jansson.h>

/* Adds `bottleneck`, if one was found. what_ifs NULL: none were wanted. */
void frs_what_if_bottleneck_set(json_t *root, const struct frs_what_ifs *what_ifs);

/* "The bottleneck is latency; time saved, measured: latency ½: −24 %, uplink × 2: −15 % of the time.":
 * what-ifs that save a hundredth or more, the largest first, and at the end those that select other
 * clients. Names the rounds where not all were simulated. NULL: nothing was simulated. Freed by the
 * caller. */
char *frs_what_if_sentence(const struct frs_what_ifs *what_ifs);

#endif
