/* fedrecsim calibrate --device: what this machine's `speed` is, and what differs between methods. */
#ifndef FRS_CLI_CALIBRATE_DEVICE_H
#define FRS_CLI_CALIBRATE_DEVICE_H

#include "sim/base/errors.h"

#include <stdbool.h>

/* Measures every method (NULL), or one, and writes the fragment to `out`; progress goes to stderr unless `quiet`. */
enum frs_status frs_calibrate_device(
    const char *method, bool quiet, FILE *out, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
