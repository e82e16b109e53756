#include "algorithms/models/rfrec_state.h"
#include "algorithms/kernels/steps/proximal_mf.h"
#include "sim/base/numbers/rng.h"

size_t frs_rfrec_state_length(const struct frs_rfrec *model, size_t n) {
    size_t rows = n * model->dim;
    return model->dim + (model->keeps_rows ? rows + 1 : 0) +
           (model->keeps_references ? rows + model->n_slots : 0);
}

struct frs_rfrec_state frs_rfrec_state_at(const struct frs_rfrec *model, float *array, size_t n) {
    struct frs_rfrec_state state = {.u = array};
    float *rest = array + model->dim;
    if (model->keeps_rows) {
        state.held = rest;
        state.rows = rest + 1;
        rest = state.rows + n * model->dim;
    }
    if (model->keeps_references) {
        state.weights = rest;
        state.twins = rest + model->n_slots;
    }
    return state;
}

void frs_rfrec_state_begin(const struct frs_rfrec *model, uint32_t client, double sd, float *array) {
    const struct frs_population *population = model->base.setup.population;
    const struct frs_client_data *data = &population->clients[client];
    struct frs_rfrec_state state = frs_rfrec_state_at(model, array, data->n);
    if (sd > 0) {
        struct frs_rng rng = frs_rng_stream(population->seed, client, 0, 0, FRS_RNG_INIT_PRIVATE);
        frs_rng_fill_normal(&rng, state.u, model->dim, sd);
    }
    if (state.rows)
        frs_proximal_gather(model->broadcasts[0], data->items, data->n, model->dim, state.rows);
    if (state.twins) {
        frs_proximal_gather(model->broadcasts[0], data->items, data->n, model->dim, state.twins);
        state.weights[0] = 1;
    }
}

void frs_rfrec_clip(const struct frs_rfrec *model, const uint32_t *ids, size_t n_rows, float *rows) {
    for (size_t i = 0; model->clip > 0 && i < n_rows; i++) {
        const float *initial = model->broadcasts[0] + (ids ? ids[i] : i) * model->dim;
        for (size_t k = 0; k < model->dim; k++) {
            float centre = model->clips_about_zero ? 0 : initial[k], *value = &rows[i * model->dim + k];
            float away = *value - centre;
            *value = away > model->clip    ? centre + model->clip
                     : away < -model->clip ? centre - model->clip
                                           : *value;
        }
    }
}
