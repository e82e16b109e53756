/* Detection: how long servers took to detect lost clients, and how often clients reconnected after a
 * disconnection. Both decide how long rounds with losses last and which clients are lost, so they stand
 * beside every figure of a run with losses. */
#ifndef FRS_ANALYSIS_STATISTICS_DETECTION_H
#define FRS_ANALYSIS_STATISTICS_DETECTION_H

#include "analysis/statistics/metrics.h"

#include <stdio.h>

/* All zero: no client was lost. */
struct frs_detection {
    size_t n; /* runs that lost clients */
    double shortest_s, longest_s;
    size_t n_retried; /* runs in which connections were opened anew, */
    double retries;   /* and how often, in all */
};

void frs_detection_add(struct frs_detection *detection, const struct frs_metrics *run);

/* Prints "Clients were lost; the server is assumed to notice after 30 s (failures.detect)." and
 * "Connections that broke were opened anew: 37 times in 2 runs (failures.retry).", or nothing. */
void frs_detection_print(const struct frs_detection *detection, FILE *out);

#endif
