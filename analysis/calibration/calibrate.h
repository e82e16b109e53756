/* Calibrate: from a log to what a scenario says of its clients, and how well that predicts the part of the
 * log that was not used for fitting.
 *
 * The result is a fragment of a scenario (sections `network`, or `devices` and `rounds`) with comments
 * that state what was fitted, on what, the errors on the held-out part, and what the log cannot show. With
 * a table, the clients of the log are rows of a fleet from which clients are drawn; without one they are
 * two log-normal distributions. */
#ifndef FRS_ANALYSIS_CALIBRATION_CALIBRATE_H
#define FRS_ANALYSIS_CALIBRATION_CALIBRATE_H

#include "analysis/calibration/log.h"

#include <stdio.h>

struct frs_calibrate_options {
    const char *log; /* its name, for the first line */
    FILE *out;       /* the fragment */
    FILE *table;     /* rows of a fleet, or NULL */
    const char *table_path;
    double flop; /* counted operations of a participation, of a log of rounds; 0: times are fixed */
};

/* What every file of ours begins with, behind the sign of a comment. */
#define FRS_CALIBRATION_MARK "Written by fedrecsim calibrate from "

/* Whether a file begins as those that calibrate writes. */
bool frs_calibration_is_ours(const char *text);

/* Returns FRS_ERR_INPUT after adding an error where several classes would need a table, or a table would
 * have no row. */
enum frs_status frs_calibrate(const struct frs_log *log, const struct frs_calibrate_options *options,
    struct frs_errors *errors) FRS_MUST_CHECK;

#endif
