#include "algorithms/models/server_adam.h"
#include "algorithms/aggregation.h"
#include "algorithms/kernels/adam.h"
#include "algorithms/optimisers/adam.h"

struct frs_server_adam frs_server_adam_begin(
    struct frs_model *model, size_t n_rows, size_t dim, double rate, double decay) {
    struct frs_table moments = {.name = "m", .owner = FRS_OF_SERVER, .rows = n_rows, .dim = dim};
    struct frs_server_adam adam = {
        .model = model, .n_rows = n_rows, .dim = dim, .rate = rate, .decay = decay};
    model->weighting = FRS_UNIFORM; /* of what is gathered */
    adam.m = frs_model_table(model, moments);
    moments.name = "v";
    adam.v = frs_model_table(model, moments);
    return adam;
}

void frs_server_adam_step(struct frs_server_adam *adam, const struct frs_contribution *contributions,
    size_t n, size_t part, struct frs_arena *arena, float *table) {
    struct frs_rows gradient = frs_model_sum(adam->model, contributions, n, part, arena);
    if (gradient.n == 0)
        return;
    struct frs_adam_step step = frs_adam_step(adam->rate, ++adam->step);
    struct frs_optimiser_settings settings = {
        .rate = step.rate, .beta1 = FRS_ADAM_BETA1, .beta2 = FRS_ADAM_BETA2, .tau = step.epsilon};
    float *change = frs_arena_take(arena, adam->dim, sizeof *change), decay = (float)adam->decay;
    for (size_t i = 0; i < gradient.n; i++) {
        size_t first = (gradient.ids ? gradient.ids[i] : i) * adam->dim;
        for (size_t k = 0; k < adam->dim; k++)
            change[k] = -(gradient.values[i * adam->dim + k] + decay * table[first + k]);
        frs_optimiser_adam_apply(
            &settings, (struct frs_moments){{adam->m + first, adam->v + first}}, change, adam->dim);
        for (size_t k = 0; k < adam->dim; k++)
            table[first + k] += change[k];
    }
}

double frs_server_adam_flop(const struct frs_server_adam *adam, double values) {
    return 2 * values + 14 * (double)(adam->n_rows * adam->dim);
}
