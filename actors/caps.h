/* Caps: what a client may spend in a period of time (section `caps`). */
#ifndef FRS_ACTORS_CAPS_H
#define FRS_ACTORS_CAPS_H

#include "sim/base/settings/param.h"

struct frs_values;

extern const struct frs_param frs_caps_params[]; /* section `caps` */

struct frs_caps {
    double period_s;        /* counted from the run's start */
    double bytes, energy_j; /* of a client in a period; INFINITY: no cap */
    double metered_bytes;   /* the same of the bytes that it moves over a metered link */
};

static inline bool frs_caps_limit(const struct frs_caps *caps) {
    return caps->bytes < __builtin_inf() || caps->energy_j < __builtin_inf() ||
           caps->metered_bytes < __builtin_inf();
}

struct frs_caps frs_caps_read(const struct frs_values *values);

#endif
