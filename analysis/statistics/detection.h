/* Detection: how long servers took to notice lost clients, which decides how long rounds with losses last and so
 * stands beside every figure of a run that lost any. */
#ifndef FRS_ANALYSIS_STATISTICS_DETECTION_H
#define FRS_ANALYSIS_STATISTICS_DETECTION_H

#include "analysis/statistics/metrics.h"

#include <stdio.h>

/* All zero: nobody was lost. */
struct frs_detection {
    size_t n; /* runs that lost clients */
    double shortest_s, longest_s;
};

void frs_detection_add(struct frs_detection *detection, const struct frs_metrics *run);

/* "Clients were lost; the server is assumed to notice after 30 s (failures.detect).", or nothing. */
void frs_detection_print(const struct frs_detection *detection, FILE *out);

#endif
