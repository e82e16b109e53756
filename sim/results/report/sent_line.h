/* Sent line: what a run has sent or wasted, with its parts, as its summary prints it. */
#ifndef FRS_RESULTS_REPORT_SENT_LINE_H
#define FRS_RESULTS_REPORT_SENT_LINE_H

#include "sim/ledger/ledger.h"

/* "1.20 MB        (3.10 kB of it for connecting, 410.00 kB between edges and the server)", without parts of 0
 * bytes: for small models connecting is a good part. Freed by the caller. */
char *frs_sent_line(struct frs_sent sent);

#endif
