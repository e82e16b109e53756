/* CDF: a measured distribution as points (value, share of the clients at or below it), joined by straight
 * lines.
 *
 * Values never fall and shares rise from point to point; the last share is 1. Below the first share every
 * client has the first value. Equal values on neighbouring points are a step: that many clients share the
 * value. */
#ifndef FRS_PLATFORMS_DISTRIBUTIONS_CDF_H
#define FRS_PLATFORMS_DISTRIBUTIONS_CDF_H

#include "sim/base/settings/units.h"
#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct frs_table;

/* All zero: empty. */
struct frs_cdf {
    size_t n, capacity, shares_capacity;
    double *values; /* [n], SI units */
    double *shares; /* [n] */
};

/* Reads a CSV file with the columns value,share (values in SI units) or value,unit,share. Values below
 * `least` are errors. Returns false after adding errors that start with file:line; the CDF is empty then. */
bool frs_cdf_read(const char *path, enum frs_dimension dimension, double least, struct frs_cdf *cdf,
    struct frs_errors *errors);

void frs_cdf_of_table(const struct frs_table *table, struct frs_cdf *cdf);

/* The value at quantile u; the CDF has at least one point. */
double frs_cdf_quantile(const struct frs_cdf *cdf, double u);

void frs_cdf_fini(struct frs_cdf *cdf);

#endif
