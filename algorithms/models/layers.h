/* The hidden layers of a perceptron as a scenario writes them: "16,8". */
#ifndef FRS_ALGORITHMS_LAYERS_H
#define FRS_ALGORITHMS_LAYERS_H

#include "algorithms/kernels/steps/perceptron.h"
#include "sim/base/status.h"

struct frs_values;

/* Adds an error about the key when its text is no list of widths. */
enum frs_status frs_layers_read(const struct frs_values *values, const char *key, size_t dim,
    struct frs_perceptron_shape *shape, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
