/* What summary.json and the report for people have in common. */
#ifndef FRS_RUN_REPORT_SUMMARY_H
#define FRS_RUN_REPORT_SUMMARY_H

#include "sim/run/report/outputs.h"

/* complete, interrupted, stranded, or incomplete: a run that could not close one round. */
const char *frs_ending_name(const struct frs_outputs *outputs);

/* Participations whose client vanished on the way. */
uint64_t frs_summary_lost(const struct frs_totals *totals);

#endif
