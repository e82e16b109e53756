/* What summary.json and the report for people have in common. */
#ifndef FRS_RUN_REPORT_SUMMARY_H
#define FRS_RUN_REPORT_SUMMARY_H

#include "sim/run/report/outputs.h"

/* Participations whose client vanished on the way. */
uint64_t frs_summary_lost(const struct frs_totals *totals);

#endif
