/* FCF as the published code of RFRec computes it (github.com/Applied-Machine-Learning-Lab/RFRec,
 * FCF.ipynb): variant = "published_code". It is the row of RFRec's table 2, and another model than FCF's.
 *
 * Client i, behind which there may be several users (200 clients of ⌊users/200⌋ users each in the code),
 * descends on
 *
 *   Σ (r − σ(u · v_j))² + λ_u Σ_users ‖u‖ + λ_v Σ_items ‖v_j‖      ratings scaled to 0 … 1, norms not
 *   squared
 *
 * by one step a round of an Adam that it keeps for its users' vectors, N(0, 1) at the start. It sends the
 * gradients of the items, all from the values before. λ_v Σ‖v_j‖ of all items is in the loss of every
 * client, so every upload has all rows, and the sum has the penalty once for each client. The server sums
 * the gradients and steps all items by its own Adam. */
#include "algorithms/kernels/steps/logistic_mf.h"
#include "algorithms/models/fcf_model.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <string.h>

#define USER_SD 1.0 /* torch.randn; items are multiplied with .01 (init_sd) */

struct code {
    struct frs_model base;
    size_t dim;
    double user_decay, item_decay;
    double rate; /* of the clients' Adam */
    struct frs_server_adam server;
    struct frs_rating_scale scale;
    float *items; /* V [n_items × dim] */
    float *state; /* of all clients, struct state each; NULL when only timing is asked for */
};

/* What a client keeps, as one array of floats. */
struct state {
    float *users, *m, *v; /* U and its moments [users × dim] */
    float *steps;         /* of Adam */
};

static size_t users_length(const struct code *model) {
    return frs_users_per_client(model->base.setup.population) * model->dim;
}

static size_t state_length(const struct code *model) {
    return 3 * users_length(model) + 1;
}

static struct state state_at(const struct code *model, float *array) {
    size_t n = users_length(model);
    return (struct state){array, array + n, array + 2 * n, array + 3 * n};
}

static float *array_of(const struct code *model, uint32_t client) {
    return model->state + client * state_length(model);
}

/* ---- life ------------------------------------------------------------------------------------ */

static void init_client(struct code *model, uint32_t client) {
    const struct frs_population *population = model->base.setup.population;
    struct state state = state_at(model, array_of(model, client));
    uint32_t each = frs_users_per_client(population);
    for (uint32_t number = 0; number < each; number++) {
        struct frs_rng rng =
            frs_rng_stream(population->seed, client * each + number, 0, 0, FRS_RNG_INIT_PRIVATE);
        frs_rng_fill_normal(&rng, state.users + number * model->dim, model->dim, USER_SD);
    }
}

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    (void)errors;
    const struct frs_population *population = setup->population;
    struct code *model = frs_model_create(sizeof *model, setup);
    size_t dim = model->dim = (size_t)frs_values_int(values, "dim");
    model->user_decay = frs_values_real(values, "user_decay");
    model->item_decay = frs_values_real(values, "item_decay");
    model->rate = frs_values_real(values, "adam_rate");
    model->scale = frs_rating_scale_of(population);
    model->items = frs_model_table(&model->base, (struct frs_table){.name = "items",
                                                     .rows = population->n_items,
                                                     .dim = dim,
                                                     .start = FRS_NORMAL,
                                                     .sd = frs_init_sd(values, dim)});
    model->state = frs_model_table(&model->base, (struct frs_table){.name = "users",
                                                     .owner = FRS_OF_CLIENTS,
                                                     .dim = state_length(model),
                                                     .uncounted = 2 * users_length(model) + 1});
    model->server = frs_server_adam_begin(
        &model->base, population->n_items, dim, frs_values_real(values, "server_learning_rate"), 0);
    frs_model_counter(&model->base, &model->server.step);
    for (uint32_t client = 0; model->state && client < population->n_clients; client++)
        init_client(model, client);
    return model;
}

/* ---- the client ------------------------------------------------------------------------------ */

/* gradient += weight · x/‖x‖; nothing where x is 0. */
static void add_norm(const float *x, size_t dim, double weight, float *gradient) {
    double squared = 0;
    for (size_t k = 0; k < dim; k++)
        squared += (double)x[k] * (double)x[k];
    for (size_t k = 0; k < dim && squared > 0; k++)
        gradient[k] += (float)(weight / sqrt(squared)) * x[k];
}

/* The penalty of all items is part of every client's loss, so that every row has a gradient. */
static void add_penalties(const struct code *model, const float *table, float *rows) {
    size_t n_items = model->base.setup.population->n_items, dim = model->dim;
    for (size_t item = 0; item < n_items; item++)
        add_norm(table + item * dim, dim, model->item_decay, rows + item * dim);
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct code *model = context;
    const struct frs_population *population = model->base.setup.population;
    const struct frs_client_data *data = training->data;
    const float *table = training->tables->part[0];
    size_t dim = model->dim, n_users = users_length(model);
    float *array = frs_arena_take(arena, state_length(model), sizeof *array);
    float *rows = frs_arena_take_zeroed(arena, population->n_items * dim, sizeof *rows);
    float *gradients = frs_arena_take_zeroed(arena, n_users, sizeof *gradients);
    memcpy(array, array_of(model, data->client), state_length(model) * sizeof *array);
    struct state state = state_at(model, array);
    double squared = 0, numbers = (double)(population->n_items * dim);
    /* A client without ratings sends no rows. */
    *out = (struct frs_trained){.upload = {{.n_rows = population->n_items,
                                    .dim = dim,
                                    .ids = frs_arena_take(arena, 1, sizeof(uint32_t))}},
        .kept = {.rows = {array}}};
    if (data->n == 0)
        return;
    for (uint32_t number = 0; number < frs_users_per_client(population); number++) {
        const float *u = state.users + number * dim;
        squared += frs_logistic_mf_gradient(table, frs_client_user(population, data->client, number),
            &model->scale, u, dim, rows, gradients + number * dim);
        add_norm(u, dim, model->user_decay, gradients + number * dim);
    }
    add_penalties(model, table, rows);
    *state.steps += 1;
    frs_logistic_mf_step(state.users, state.m, state.v, gradients, n_users,
        frs_adam_step(model->rate, (unsigned)*state.steps));
    *out = (struct frs_trained){
        .upload = {{.n_rows = population->n_items, .dim = dim, .n = population->n_items, .values = rows}},
        .kept = {.rows = {array}},
        .samples = (uint32_t)data->n,
        .flop = (double)data->n * (6 * (double)dim + 10) + 16 * (double)n_users + 4 * numbers,
        .processed = (double)data->n,
        .loss = squared / (double)data->n,
    };
}

static void score(const void *context, const struct frs_tables *held, uint32_t user, const uint32_t *items,
    size_t n, float *scores) {
    const struct code *model = context;
    uint32_t each = frs_users_per_client(model->base.setup.population);
    const float *u = state_at(model, array_of(model, user / each)).users + user % each * model->dim;
    for (size_t i = 0; i < n; i++)
        scores[i] =
            frs_logistic_mf_predict(u, held->part[0] + items[i] * model->dim, model->dim, &model->scale);
}

/* ---- the server ------------------------------------------------------------------------------ */

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    (void)update;
    struct code *model = context;
    struct frs_server_adam *server = &model->server;
    size_t n_items = model->base.setup.population->n_items, dim = model->dim;
    struct frs_rows sum = frs_model_sum(&model->base, contributions, n, 0, arena);
    if (sum.n == 0)
        return;
    float *gradient = frs_arena_take_zeroed(arena, n_items * dim, sizeof *gradient);
    frs_rows_add_to(&sum, gradient);
    frs_logistic_mf_step(model->items, server->m, server->v, gradient, n_items * dim,
        frs_adam_step(server->rate, ++server->step));
}

static double aggregate_flop(const void *context, size_t n, double values) {
    const struct code *model = context;
    (void)n;
    return 2 * values + 16 * (double)(model->base.setup.population->n_items * model->dim);
}

const struct frs_learner frs_fcf_published_code = {
    .plugin = {.name = "fcf",
        .summary = "FCF as RFRec's code compares with it: logistic, an Adam on both sides",
        .source = "Liu et al., CIKM 2024, published code",
        .params = frs_fcf_params},
    .uploads_updates = true,
    .uploads_gradients = true,
    .own_step = FRS_SERVER_ADAM_OWN_STEP,
    .draws_nothing = true,
    .predicts_ratings = true,
    .holds_users = true,
    .averaging = FRS_AVERAGES_NOT,
    .create = create,
    .train = train,
    .aggregate = aggregate,
    .gather = frs_model_gather,
    .aggregate_flop = aggregate_flop,
    .score = score,
};
