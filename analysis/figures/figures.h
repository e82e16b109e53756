/* Figures: what a run or a sweep came to as figures of a paper's column, drawn by gnuplot.
 *
 *   quality-time       quality on the test items against simulated time: mean of the replicates after each evaluated round, at
 *                      the mean time of its end, and a band from the smallest to the largest of them
 *   quality-bytes      the same against the bytes sent until then
 *   time-to-target     mean and 95 % interval of each entry that reaches the target in all of its runs
 *   pareto-time        quality against time to the target, or of the whole run; and whom nobody beats in time, bytes and quality
 *   pareto-bytes       the same against bytes
 *   winners            of several circumstances: choices by circumstances, hatched where within noise of the first
 *   tornado            of a sweep with sensitivity.json: how far each assumption moves the answer
 *   critical-path      of a run: what each round waited for
 *
 * Of a sweep there is one of each for every circumstance ("quality-time-2"). Beside NAME.svg or NAME.pdf stand NAME.dat with the
 * data and NAME.gp, which draws them anew. */
#ifndef FRS_ANALYSIS_FIGURES_FIGURES_H
#define FRS_ANALYSIS_FIGURES_FIGURES_H

#include "analysis/figures/format.h"
#include "sim/base/errors.h"

#include <stddef.h>

struct frs_figures {
    size_t n;          /* drawn */
    size_t n_left_out; /* circumstances, or variants of a sensitivity, beyond the twelve that have figures */
};

/* Writes the figures of a run directory or a sweep's folder into the folder `out`, which is made. Files there that are not figures of this program are not replaced. FRS_ERR_RUN when gnuplot is missing or fails: data and scripts are there
 * then. */
enum frs_status frs_figures_write(const char *folder, const char *out, enum frs_figures_format format,
    struct frs_figures *figures, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
