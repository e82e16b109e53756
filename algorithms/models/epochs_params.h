/* Parameters of every learner whose clients go through their samples several times, in batches. */
#ifndef FRS_ALGORITHMS_EPOCHS_PARAMS_H
#define FRS_ALGORITHMS_EPOCHS_PARAMS_H

#include "sim/base/settings/params.h"

#define FRS_EPOCHS_PARAM(by_default)                                                                         \
    {.key = "epochs",                                                                                        \
        .type = FRS_REAL,                                                                                    \
        .initial = by_default,                                                                               \
        .min = 0.001,                                                                                        \
        .max = 100000,                                                                                       \
        .help = "local epochs E of one participation; 0.5: half of a client's samples, drawn anew"},         \
    {                                                                                                        \
        .key = "steps", .type = FRS_INT, .initial = "0", .min = 0, .max = 1e9,                               \
        .help = "local steps of one participation, in batches, in place of epochs; 0: by epochs"             \
    }

/* Reads both. */
static inline void frs_epochs_read(const struct frs_values *values, double *epochs, size_t *steps) {
    *steps = (size_t)frs_values_int(values, "steps");
    *epochs = *steps > 0 ? 0 : frs_values_real(values, "epochs");
    if (*steps > 0)
        frs_values_idle(values, "epochs", "has no effect here: method.steps says how far a client trains");
}

#define FRS_BATCH_PARAM(by_default)                                                                          \
    {                                                                                                        \
        .key = "batch", .type = FRS_INT, .initial = by_default, .min = 1, .max = 1 << 24,                    \
        .help = "samples B of one local step"                                                                \
    }

#endif
