/* Parameters of every learner whose clients go through their samples several times, in batches. */
#ifndef FRS_ALGORITHMS_EPOCHS_PARAMS_H
#define FRS_ALGORITHMS_EPOCHS_PARAMS_H

#include "sim/base/settings/param.h"

#define FRS_EPOCHS_PARAM(by_default)                                                                         \
    {                                                                                                        \
        .key = "epochs", .type = FRS_INT, .initial = by_default, .min = 1, .max = 100000,                    \
        .help = "local epochs E of one participation"                                                        \
    }

#define FRS_BATCH_PARAM(by_default)                                                                          \
    {                                                                                                        \
        .key = "batch", .type = FRS_INT, .initial = by_default, .min = 1, .max = 1 << 24,                    \
        .help = "samples B of one local step"                                                                \
    }

#endif
