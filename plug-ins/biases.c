/* Biases: a rating is the middle of the scale, plus the item's bias, plus the client's own offset (the
 * baseline predictor of Koren, Bell & Volinsky 2009), trained by clients.
 *
 *   client u   for each of its ratings:  e = r_ui − (middle + b_i + c_u)
 *              c_u ← c_u + rate (e − decay c_u),  b_i ← b_i + rate (e − decay b_i)
 *              keeps c_u, uploads b_i of the items it has rated
 *   server     b_i ← b_i + Σ_u w_u (b_i of client u − b_i) */
#include "algorithms/learner.h"
#include "sim/base/settings/params.h"
#include "sim/plugins/table.h"

struct biases {
    struct frs_model base;
    float rate, decay, middle;
    float *items, *clients; /* b [n_items]; c [n_clients], NULL when only timing is asked for */
};

static const struct frs_param params[] = {
    {.key = "learning_rate", .type = FRS_REAL, .initial = "0.02", .min = 0, .max = 1, .help = "step size"},
    {.key = "decay", .type = FRS_REAL, .initial = "0.05", .min = 0, .max = 1, .help = "L2 decay of a bias"},
    FRS_AGGREGATION_PARAM("per_item"),
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct biases *model = frs_model_create(sizeof *model, setup);
    (void)errors;
    model->base.weighting = frs_weighting_read(values);
    model->rate = (float)frs_values_real(values, "learning_rate");
    model->decay = (float)frs_values_real(values, "decay");
    model->middle = (setup->population->rating_min + setup->population->rating_max) / 2;
    model->items = frs_model_table(&model->base, (struct frs_table){"items", FRS_OF_ALL, .dim = 1});
    model->clients = frs_model_table(&model->base, (struct frs_table){"offsets", FRS_OF_CLIENTS, .dim = 1});
    return model;
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct biases *model = context;
    const struct frs_client_data *data = training->data;
    float *rows = frs_arena_take(arena, data->n, sizeof *rows), *own = frs_arena_take(arena, 1, sizeof *own);
    double squared = 0;
    *own = model->clients[data->client];
    for (size_t i = 0; i < data->n; i++) {
        float bias = training->tables->part[0][data->items[i]];
        float error = data->ratings[i] - (model->middle + bias + *own);
        *own += model->rate * (error - model->decay * *own);
        rows[i] = bias + model->rate * (error - model->decay * bias);
        squared += (double)error * (double)error;
    }
    out->upload[0] = frs_model_rows(&model->base, 0, data->n, data->items, rows);
    out->kept.rows[0] = own;
    out->samples = (uint32_t)data->n;
    out->processed = (double)data->n;
    out->flop = 11 * out->processed; /* the error takes three operations, each of the two steps four */
    out->loss = data->n > 0 ? squared / out->processed : 0;
}

static void score(const void *context, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores) {
    const struct biases *model = context;
    for (size_t i = 0; i < n; i++)
        scores[i] = model->middle + held->part[0][items[i]] + model->clients[client];
}

const struct frs_learner frs_learner_biases = {
    .plugin = {"biases", "a bias for each item, shared, and an offset for each client, its own",
        "Koren, Bell & Volinsky 2009, the baseline predictor", params},
    .takes_stale = true,
    .draws_nothing = true,
    .predicts_ratings = true,
    .create = create,
    .train = train,
    .aggregate = frs_model_average,
    .score = score,
};

const struct frs_plugin_table fedrecsim_plugin = {
    FRS_PLUGIN_HEAD,
    .learners = (const struct frs_learner *const[]){&frs_learner_biases, NULL},
};
