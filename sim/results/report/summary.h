/* What summary.json and the report for people have in common. */
#ifndef FRS_RESULTS_REPORT_SUMMARY_H
#define FRS_RESULTS_REPORT_SUMMARY_H

#include "sim/results/outputs.h"

/* complete, interrupted, stranded, or incomplete: a run that could not close one round. */
const char *frs_ending_name(const struct frs_outputs *outputs);

/* Participations whose client vanished on the way. */
uint64_t frs_summary_lost(const struct frs_totals *totals);

/* Clients that were selected at least once, and how many of them never had an upload that was used. */
struct frs_selected_clients {
    uint32_t selected, never_delivered;
};

struct frs_selected_clients frs_summary_clients(const struct frs_outputs *outputs);

#endif
