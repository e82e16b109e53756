/* Caps: what a client may spend in a period of time (section `caps`). */
#ifndef FRS_ACTORS_CAPS_H
#define FRS_ACTORS_CAPS_H

#include "sim/base/settings/param.h"

struct frs_values;

extern const struct frs_param frs_caps_params[]; /* section `caps` */

struct frs_caps {
    double period_s; /* counted from the run's start */
};

struct frs_caps frs_caps_read(const struct frs_values *values);

#endif
