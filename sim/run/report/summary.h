/* What summary.json and the report for people have in common. */
#ifndef FRS_RUN_REPORT_SUMMARY_H
#define FRS_RUN_REPORT_SUMMARY_H

#include "sim/run/report/outputs.h"

/* Participations whose client vanished on the way. */
uint64_t frs_summary_lost(const struct frs_totals *totals);

/* What the clients' data have gone through: of the one with the most releases, and of all on average. */
struct frs_releases {
    uint32_t most;
    uint64_t all;
    struct frs_privacy_loss one, worst;
    double mean_epsilon;
};

struct frs_releases frs_summary_releases(
    const struct frs_guarantee *guarantee, const struct frs_outputs *outputs);

#endif
