/* Resource estimate: the simulated time, wall time and memory that the points of a sweep will need, cell
 * by cell. */
#ifndef FRS_SWEEP_RESOURCE_ESTIMATE_H
#define FRS_SWEEP_RESOURCE_ESTIMATE_H

#include "sim/sweep/plan.h"

#include <stdio.h>

/* Makes a forecast (sim/forecast/forecast.h) of the first replicate of as many cells as there is time for,
 * and prints what these cells and the whole sweep need. The plan must have been checked. */
enum frs_status frs_sweep_tasks_print(const struct frs_section *sections, const struct frs_sweep_plan *plan,
    size_t threads, double patience_s, FILE *out, struct frs_errors *errors) FRS_MUST_CHECK;

/* wall_s [cells] gets the wall time of a point of each cell; those for which there is no time get the mean of
 * the others. The plan must have been checked. */
enum frs_status frs_sweep_wall_times(const struct frs_section *sections, const struct frs_sweep_plan *plan,
    size_t threads, double patience_s, double *wall_s, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
