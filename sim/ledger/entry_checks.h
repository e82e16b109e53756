/* Entry checks: what must hold of one participation, whatever the others did. A violation aborts. */
#ifndef FRS_LEDGER_ENTRY_CHECKS_H
#define FRS_LEDGER_ENTRY_CHECKS_H

#include "sim/ledger/rows.h"

/* By how much times that mean the same may differ: a nanosecond, and late in a run what numbers resolve. */
double frs_clock_slack_s(double time_s);

/* `busy_until_s`: the end of its client's work after the upload before. */
void frs_check_entry(const struct frs_participation *p, const struct frs_closed_round *closed,
    double busy_until_s, const struct frs_own_links *links);

#endif
