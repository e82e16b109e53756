#include "algorithms/kernels/steps/perceptron.h"
#include "algorithms/kernels/steps/perceptron_internal.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK FRS_LAYER_BLOCK

size_t frs_perceptron_parameters(const struct frs_perceptron_shape *shape) {
    struct frs_perceptron_layer last = frs_perceptron_layer(shape, shape->n_layers - 1);
    return last.biases_at + last.outputs;
}

void frs_perceptron_init(const struct frs_perceptron_shape *shape, enum frs_perceptron_start start,
    struct frs_rng *rng, float *network) {
    bool xavier = start == FRS_START_XAVIER;
    for (size_t l = 0, at = 0; l < shape->n_layers; l++) {
        struct frs_perceptron_layer layer = frs_perceptron_layer(shape, l);
        double inputs = (double)layer.pitch,
               width = xavier ? sqrt(6 / (inputs + (double)layer.outputs)) : 1 / sqrt(inputs);
        for (size_t end = layer.biases_at + layer.outputs; at < end; at++)
            network[at] = xavier && at >= layer.biases_at ? 0 : (float)(width * (2 * frs_rng_unit(rng) - 1));
    }
}

/* Activations lie on the heap: scores are asked for on small stacks. */
void frs_perceptron_score(const struct frs_perceptron_shape *shape, const float *network, const float *p,
    const float *table, const uint32_t *items, size_t n, float *scores) {
    size_t widest = frs_lanes_pad(shape->dim);
    for (size_t l = 0; l < shape->n_layers; l++)
        widest = shape->widths[l] > widest ? shape->widths[l] : widest;
    float *memory = frs_alloc_aligned(widest * (1 + 2 * BLOCK), sizeof *memory);
    float *from = memory, *to = memory + widest * BLOCK, *start = memory + 2 * widest * BLOCK;
    frs_layer_start(shape, network, p, start);
    for (size_t at = 0; at < n; at += BLOCK) {
        size_t block = n - at < BLOCK ? n - at : BLOCK;
        frs_layer_gather(table, shape->dim, shape->dim, items + at, block, from);
        for (size_t l = 0; l < shape->n_layers; l++) {
            struct frs_perceptron_layer layer = frs_perceptron_layer(shape, l);
            frs_layer_run(network + layer.at, layer.pitch, layer.inputs, layer.outputs,
                l == 0 ? start : network + layer.biases_at, from, block, to, l + 1 < shape->n_layers);
            float *last = from;
            from = to;
            to = last;
        }
        memcpy(scores + at, from, block * sizeof *scores);
    }
    free(memory);
}
