/* What the two kinds of logs share when a fragment is written. */
#ifndef FRS_ANALYSIS_CALIBRATION_CALIBRATE_INTERNAL_H
#define FRS_ANALYSIS_CALIBRATION_CALIBRATE_INTERNAL_H

#include "analysis/calibration/calibrate.h"
#include "analysis/statistics/transfer_distribution.h"
#include "sim/base/invariant.h"
#include "sim/base/quoting.h"

/* A comment line of the fragment. */
void frs_calibration_say(FILE *out, const char *format, ...) FRS_PRINTF(2, 3);

/* Three quantiles of n ≥ 1 values, which it sorts. */
void frs_calibration_quantiles(FILE *out, const char *what, double *values, size_t n, const char *unit);

/* A text as a scenario has it. */
void frs_calibration_text(FILE *out, const char *text);

enum frs_status frs_calibrate_transfers(const struct frs_log *log,
    const struct frs_calibrate_options *options, struct frs_errors *errors) FRS_MUST_CHECK;
void frs_calibrate_rounds(const struct frs_log *log, const struct frs_calibrate_options *options);

#endif
