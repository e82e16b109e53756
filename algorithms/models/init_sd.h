/* The key init_sd of every learner that starts only from normal draws. No gradient leaves a start of all
 * zeros, so 0 means a deviation under which initial scores are about 1/sqrt(dim). */
#ifndef FRS_ALGORITHMS_INIT_SD_H
#define FRS_ALGORITHMS_INIT_SD_H

#include "sim/base/settings/params.h"

#include <math.h>
#include <stddef.h>

#define FRS_INIT_SD_PARAM(by_default, of)                                                                    \
    {                                                                                                        \
        .key = "init_sd", .type = FRS_REAL, .initial = by_default, .min = 0, .max = 1e3,                     \
        .help = "standard deviation of " of "; 0: 1/sqrt(dim)"                                               \
    }

static inline double frs_init_sd(const struct frs_values *values, size_t dim) {
    double sd = frs_values_real(values, "init_sd");
    return sd > 0 ? sd : 1 / sqrt((double)dim);
}

#endif
