/* So far: the data of the page of a run or a sweep that is still running, and the page that requests them. */
#ifndef FRS_ANALYSIS_REPORT_SO_FAR_H
#define FRS_ANALYSIS_REPORT_SO_FAR_H

#include "sim/base/status.h"

#include <jansson.h>
#include <stdio.h>

/* The page: that of a report without data, which asks its own server for them (page/live.js). */
void frs_report_print_live(FILE *out);

/* What a report of the run would say, as far as its growing rounds.csv shows it (whole lines only). It has
 * the form of the data of a run's page, with "so_far" and
 *   summary    the sums over the rounds so far
 *   projected  {simulated_s, bytes}: [estimate, lowest, highest] of the whole run, of `n_rounds` rounds,
 *   if
 *              the remaining rounds are like those of the last half; absent where that is not known
 * NULL where there is no round yet. */
json_t *frs_report_of_run_so_far(const char *rounds_csv, const char *method, size_t n_rounds);

/* The data of the page of a sweep, from its finished points; NULL if none is finished, or the page cannot
 * be made. */
json_t *frs_report_of_sweep_so_far(const char *folder);

#endif
