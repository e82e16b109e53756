/* Curve: the share of clients that is online in the course of a day, and how it is spread over clients. */
#ifndef FRS_PLATFORMS_CHAINS_CURVE_H
#define FRS_PLATFORMS_CHAINS_CURVE_H

#include "sim/base/status.h"

#include <stdbool.h>

struct frs_values;

enum {
    FRS_DAY_HOURS = 24,
    FRS_PROPENSITIES = 16, /* groups of clients of equal size, from hardly ever to nearly always online */
};

/* Reads `key`: either `name`, which stands for `named` (NULL: for FedScale's devices), or 24 numbers from
 * 0 to 1 or percentages, separated by commas, the shares at 0:00, 1:00, …, 23:00. Returns false after
 * adding errors. */
bool frs_curve_read(const struct frs_values *values, const char *key, const char *name,
    const double named[FRS_DAY_HOURS], double share[FRS_DAY_HOURS], struct frs_errors *errors);

/* Splits a curve between groups of clients that differ as FedScale's devices do. The odds of group g are
 * those of its devices' share of the whole time, times a factor per hour that makes the mean over the
 * groups equal to `share`. */
void frs_curve_split(const double share[FRS_DAY_HOURS], double split[FRS_PROPENSITIES][FRS_DAY_HOURS]);

#endif
