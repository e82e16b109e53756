/* fedrecsim calibrate --device: what this machine's `speed` is, and what differs between methods. */
#ifndef FRS_CLI_CALIBRATE_DEVICE_H
#define FRS_CLI_CALIBRATE_DEVICE_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stdio.h>

struct frs_device_options {
    const char *method; /* only this one; NULL: all */
    int batch;  /* samples of a step, of the methods that have such a key; 0: each method's usual number */
    bool quiet; /* no progress on stderr */
};

/* Measures methods, and all codecs, and writes the fragment to `out`. */
enum frs_status frs_calibrate_device(
    const struct frs_device_options *options, FILE *out, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
