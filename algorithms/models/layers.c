#include "algorithms/models/layers.h"
#include "sim/base/settings/params.h"

#include <stdlib.h>

/* One width and the comma or end behind it; NULL when there is none. */
static const char *read_width(const char *text, size_t *width) {
    char *end;
    while (*text == ' ')
        text++;
    if (*text < '0' || *text > '9')
        return NULL;
    unsigned long value = strtoul(text, &end, 10);
    while (*end == ' ')
        end++;
    if (value < 1 || value > FRS_PERCEPTRON_WIDTH || (*end && *end != ','))
        return NULL;
    *width = value;
    return *end ? end + 1 : end;
}

enum frs_status frs_layers_read(const struct frs_values *values, const char *key, size_t dim,
    struct frs_perceptron_shape *shape, struct frs_errors *errors) {
    const char *text = frs_values_text(values, key);
    *shape = (struct frs_perceptron_shape){.dim = dim};
    for (const char *at = text; at && *at;) {
        at = shape->n_layers + 1 < FRS_PERCEPTRON_LAYERS ? read_width(at, &shape->widths[shape->n_layers])
                                                         : NULL;
        shape->n_layers++;
        if (!at)
            return frs_values_error(values, key, errors,
                "\"%s\" is no list of layers; allowed: up to %u widths from 1 to %u, separated by commas",
                text, FRS_PERCEPTRON_LAYERS - 1, FRS_PERCEPTRON_WIDTH);
    }
    shape->widths[shape->n_layers++] = 1;
    return FRS_OK;
}
