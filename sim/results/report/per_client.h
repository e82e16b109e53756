/* Per client: what a client took in the fullest of its periods, over all clients
 * (sim/ledger/client_periods.h), as `per_client` of summary.json and as a line. */
#ifndef FRS_RESULTS_REPORT_PER_CLIENT_H
#define FRS_RESULTS_REPORT_PER_CLIENT_H

#include "sim/results/outputs.h"

#include <jansson.h>

void frs_per_client_set(json_t *root, const struct frs_outputs *outputs);

/* "1.20 MB on average, 95 % of clients at most 2.40 MB, one 3.00 MB"; freed by the caller. NULL: the
 * scenario does not limit what clients may spend. */
char *frs_per_client_line(const struct frs_outputs *outputs);

#endif
