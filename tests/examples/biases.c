/* Biases: a rating is the middle of the scale, plus the item's bias, plus the client's own offset (the baseline
 * predictor of Koren, Bell & Volinsky 2009), trained by clients.
 *
 *   client u   for each of its ratings, E times over:  e = r_ui − (middle + b_i + c_u)
 *              c_u ← c_u + rate (e − decay c_u),  b_i ← b_i + rate (e − decay b_i)
 *              keeps c_u, uploads b_i of the items it has rated
 *   server     b_i ← b_i + Σ_u w_u (b_i of client u − b_i) */
#include "algorithms/models/mf_model.h"

struct biases {
    struct frs_model base;
    enum frs_weighting weighting;
    uint32_t epochs;
    float rate, decay, middle;
    float *items;   /* b [n_items] */
    float *clients; /* c [n_clients]; NULL when only timing is asked for */
};

static const struct frs_param params[] = {
    FRS_EPOCHS_PARAM("1"),
    {.key = "learning_rate", .type = FRS_REAL, .initial = "0.02", .min = 0, .max = 1, .help = "step size"},
    {.key = "decay", .type = FRS_REAL, .initial = "0.05", .min = 0, .max = 1, .help = "L2 decay of a bias"},
    FRS_AGGREGATION_PARAM("per_item"),
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    const struct frs_population *population = setup->population;
    struct biases *model = frs_model_create(sizeof *model, setup);
    (void)errors;
    model->weighting = frs_weighting_read(values, setup);
    model->epochs = (uint32_t)frs_values_int(values, "epochs");
    model->rate = (float)frs_values_real(values, "learning_rate");
    model->decay = (float)frs_values_real(values, "decay");
    model->middle = (population->rating_min + population->rating_max) / 2;
    model->items = frs_model_table(
        &model->base, (struct frs_table){.name = "items", .rows = population->n_items, .dim = 1});
    model->clients = frs_model_table(
        &model->base, (struct frs_table){.name = "offsets", .owner = FRS_OF_CLIENTS, .dim = 1});
    return model;
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct biases *model = context;
    const struct frs_client_data *data = training->data;
    uint32_t limit = training->epochs, epochs = limit > 0 && limit < model->epochs ? limit : model->epochs;
    float *rows = frs_arena_take(arena, data->n, sizeof *rows), *own = frs_arena_take(arena, 1, sizeof *own);
    double squared = 0;
    *own = model->clients[data->client];
    for (size_t i = 0; i < data->n; i++)
        rows[i] = training->tables->part[0][data->items[i]];
    for (uint32_t epoch = 0; epoch < epochs; epoch++) {
        squared = 0;
        for (size_t i = 0; i < data->n; i++) {
            float error = data->ratings[i] - (model->middle + rows[i] + *own);
            *own += model->rate * (error - model->decay * *own);
            rows[i] += model->rate * (error - model->decay * rows[i]);
            squared += (double)error * (double)error;
        }
    }
    double seen = (double)epochs * (double)data->n;
    *out = (struct frs_trained){
        .upload = {{.n_rows = model->base.setup.population->n_items,
            .dim = 1,
            .n = data->n,
            .ids = data->items,
            .values = rows}},
        .kept = {.rows = {own}},
        .samples = (uint32_t)data->n,
        .flop = 11 * seen, /* the error takes three operations, each of the two steps four */
        .processed = seen,
        .loss = data->n > 0 ? squared / (double)data->n : 0,
        .epochs = epochs,
    };
}

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    struct biases *model = context;
    frs_aggregate_into(model->items, contributions, n, 0, model->weighting, arena);
    (void)update;
}

static void score(const void *context, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores) {
    const struct biases *model = context;
    for (size_t i = 0; i < n; i++)
        scores[i] = model->middle + held->part[0][items[i]] + model->clients[client];
}

const struct frs_learner frs_learner_biases = {
    .plugin = {.name = "biases",
        .summary = "a bias for each item, shared, and an offset for each client, its own",
        .source = "Koren, Bell & Volinsky 2009, the baseline predictor",
        .params = params},
    .takes_stale = true,
    .limits_epochs = true,
    .draws_nothing = true,
    .predicts_ratings = true,
    .create = create,
    .train = train,
    .aggregate = aggregate,
    .score = score,
};
