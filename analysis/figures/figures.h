/* Figures: the results of a run or a sweep as figures of a paper's column, drawn by gnuplot.
 *
 *   quality-rounds     quality on the test items after each evaluated round: mean of the replicates, and a
 * band from the least to the largest quality-time       quality on the test items against simulated time:
 * mean of the replicates after each evaluated round, at the mean time of its end; a band from the least to
 * the largest quality-bytes      the same against the bytes sent until then time-to-target     mean and 95 %
 * interval of each entry that reaches the target in all of its runs time-by-method     mean and 95 % interval
 * of the time of the whole run of each entry bytes-by-method    the same of the bytes pareto-time quality
 * against time to the target, or of the whole run; and the entries on the Pareto front of time, bytes and
 * quality pareto-bytes       the same against bytes winners            of several environments: designs by
 * environments, hatched where within noise of the first tornado            of a sweep with sensitivity.json:
 * how far each assumption moves the answer METRIC-by-AXIS     of a sweep: means with 95 % intervals against
 * the levels of an axis, a line for each choice and a panel for each environment METRIC-by-AXIS-and-AXIS  the
 * same against two axes, as a heat map critical-path      of a run: what each round waited for
 *
 * A sweep has one of each for every environment ("quality-time-2"). Beside NAME.svg (.pdf, .png, or .tex
 * for PGF) stand NAME.dat with the data and NAME.gp, which draws them anew. */
#ifndef FRS_ANALYSIS_FIGURES_FIGURES_H
#define FRS_ANALYSIS_FIGURES_FIGURES_H

#include "analysis/figures/request.h"
#include "sim/base/status.h"

#include <stddef.h>

struct frs_figures_drawn {
    size_t n;
    size_t n_environments,
        n_variants; /* there are figures, or tornados, of the first FRS_FIGURES_MOST of these */
};

/* FRS_ERR_RUN when gnuplot is missing or fails: data and scripts are there then. */
enum frs_status frs_figures_write(const struct frs_figures_request *request, struct frs_figures_drawn *drawn,
    struct frs_errors *errors) FRS_MUST_CHECK;

#endif
