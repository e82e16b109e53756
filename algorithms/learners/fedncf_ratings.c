/* FedNCF for ratings: generalised matrix factorisation (the GMF head of He et al. 2017) trained by
 * federated gradients (Perifanis & Efraimidis 2022), as Liu et al. 2024 compare with it in table 2.
 *
 *     r̂ = least + span · σ(h · (p_u ∘ q_i) + b)        loss = Σ ((r − least)/span − σ)²
 *
 * A client computes the gradients of its vector, of the items it has rated and of the head, all at the
 * received state. It steps its vector by an Adam that it keeps. The server sums the other gradients and
 * steps items and head by an Adam of its own. If all clients take part, that is full-batch Adam, which the
 * published code runs in one place. */
#include "algorithms/kernels/adam.h"
#include "algorithms/kernels/logistic.h"
#include "algorithms/learner.h"
#include "algorithms/models/server_adam.h"
#include "algorithms/rating_scale.h"
#include "algorithms/models/init_sd.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <string.h>

struct fedncf {
    struct frs_model base;
    size_t dim;
    double rate;
    struct frs_rating_scale scale;
    struct frs_server_adam items_adam, head_adam;
    float *items; /* Q [n_items × dim] */
    float *head;  /* h [dim], b */
    /* [n_clients × state_length], NULL when only timing is asked for: p [dim], its moments m and v [dim], and
     * the number of its steps. */
    float *users;
};

static size_t state_length(const struct fedncf *model) {
    return 3 * model->dim + 1;
}

static const struct frs_param params[] = {
    {.key = "dim",
        .type = FRS_INT,
        .initial = "20",
        .min = 1,
        .max = 4096,
        .help = "length d of a user or item vector"},
    {.key = "learning_rate",
        .type = FRS_REAL,
        .initial = "0.01",
        .min = 0,
        .max = 1e3,
        .help = "step size of the Adam that a client keeps for its vector"},
    FRS_SERVER_ADAM_PARAM("0.002"),
    FRS_INIT_SD_PARAM("0.01", "initial user and item vectors; the head begins within 1/sqrt(dim)"),
    {0},
};

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    (void)errors;
    const struct frs_population *population = setup->population;
    size_t dim = (size_t)frs_values_int(values, "dim"), n_items = population->n_items;
    double server_rate = frs_values_real(values, "server_learning_rate"), sd = frs_init_sd(values, dim);
    struct fedncf *model = frs_model_create(sizeof *model, setup);
    struct frs_model *base = &model->base;
    model->dim = dim;
    model->rate = frs_values_real(values, "learning_rate");
    model->scale = frs_rating_scale_of(population);
    struct frs_table items = {.name = "items", .rows = n_items, .dim = dim, .start = FRS_NORMAL, .sd = sd};
    model->items = frs_model_table(base, items);
    model->head = frs_model_table(base, (struct frs_table){.name = "head", .rows = 1, .dim = dim + 1});
    model->users = frs_model_table(base, (struct frs_table){.name = "users",
                                             .owner = FRS_OF_CLIENTS,
                                             .dim = state_length(model),
                                             .start = FRS_NORMAL,
                                             .sd = sd,
                                             .drawn = dim,
                                             .uncounted = 1});
    model->items_adam = frs_server_adam_begin(base, n_items, dim, server_rate, 0);
    model->head_adam = frs_server_adam_begin(base, 1, dim + 1, server_rate, 0);
    frs_model_counter(base, &model->items_adam.step);
    frs_model_counter(base, &model->head_adam.step);
    struct frs_rng head = frs_rng_stream(population->seed, FRS_RNG_SERVER, 1, 0, FRS_RNG_INIT);
    for (size_t k = 0; k <= dim; k++)
        model->head[k] = (float)((2 * frs_rng_unit(&head) - 1) / sqrt((double)dim));
    return model;
}

/* w = h ∘ p, with which a score is w · q + b. */
static void weights_of(const float *head, const float *p, size_t dim, float *w) {
    for (size_t k = 0; k < dim; k++)
        w[k] = head[k] * p[k];
}

static float probability(const float *w, float bias, const float *q, size_t dim) {
    float logit = bias;
    for (size_t k = 0; k < dim; k++)
        logit += w[k] * q[k];
    return 1 / (1 + expf(-frs_clamp_logit(logit)));
}

/* Gradients of the rated items go to `rows`; the common factor of p and h, Σ δ_i q_i, goes to `common`.
 * Returns the loss. */
static double differentiate(const struct fedncf *model, const struct frs_training *training, const float *p,
    float *rows, float *common, float *bias_gradient, float *w) {
    const struct frs_client_data *data = training->data;
    const float *head = training->tables->part[1];
    size_t dim = model->dim;
    double squared = 0;
    weights_of(head, p, dim, w);
    for (size_t i = 0; i < data->n; i++) {
        const float *q = training->tables->part[0] + data->items[i] * dim;
        float y = probability(w, head[dim], q, dim);
        float error = frs_rating_to_unit(&model->scale, data->ratings[i]) - y;
        float delta = -2 * error * y * (1 - y);
        for (size_t k = 0; k < dim; k++) {
            common[k] += delta * q[k];
            rows[i * dim + k] = delta * w[k];
        }
        *bias_gradient += delta;
        squared += (double)error * (double)error;
    }
    return squared;
}

/* p and its moments, by the gradient h ∘ common, which takes the place of `common`. */
static void step_vector(const struct fedncf *model, float *state, const float *head, float *common) {
    size_t dim = model->dim;
    float *p = state, *m = state + dim, *v = m + dim, *steps = v + dim;
    *steps += 1;
    for (size_t k = 0; k < dim; k++)
        common[k] *= head[k];
    frs_adam_vector(p, m, v, common, dim, frs_adam_step(model->rate, (unsigned)*steps));
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct fedncf *model = context;
    const struct frs_client_data *data = training->data;
    size_t dim = model->dim, n = data->n, length = state_length(model);
    const float *before = model->users + data->client * length;
    float *state = frs_arena_take(arena, length, sizeof *state), *w = frs_arena_take(arena, dim, sizeof *w);
    float *rows = frs_arena_take(arena, n * dim, sizeof *rows);
    float *head_gradient = frs_arena_take_zeroed(arena, dim + 1, sizeof *head_gradient);
    memcpy(state, before, length * sizeof *state);
    double squared = differentiate(model, training, before, rows, head_gradient, &head_gradient[dim], w);
    for (size_t k = 0; k < dim; k++) {
        w[k] = head_gradient[k];
        head_gradient[k] *= before[k];
    }
    if (n > 0)
        step_vector(model, state, training->tables->part[1], w);
    *out = (struct frs_trained){
        .upload = {frs_model_rows(&model->base, 0, n, data->items, rows),
            {.n_rows = 1, .dim = dim + 1, .n = 1, .values = head_gradient}},
        .kept = {.rows = {state}},
        .samples = (uint32_t)n,
        /* a score 2·dim + 4, its gradients 3·dim + 6; w, the head and Adam once */
        .flop = n > 0 ? (double)n * (5 * (double)dim + 10) + 15 * (double)dim : 0,
        .processed = (double)n,
        .loss = n > 0 ? squared / (double)n : 0,
    };
}

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    (void)update;
    struct fedncf *model = context;
    frs_server_adam_step(&model->items_adam, contributions, n, 0, arena, model->items);
    frs_server_adam_step(&model->head_adam, contributions, n, 1, arena, model->head);
}

static double aggregate_flop(const void *context, size_t n, double values) {
    const struct fedncf *model = context;
    (void)n;
    return frs_server_adam_flop(&model->items_adam, values) + frs_server_adam_flop(&model->head_adam, 0);
}

static void score(const void *context, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores) {
    const struct fedncf *model = context;
    size_t dim = model->dim;
    const float *p = model->users + client * state_length(model), *head = held->part[1];
    for (size_t i = 0; i < n; i++) {
        const float *q = held->part[0] + items[i] * dim;
        float logit = head[dim];
        for (size_t k = 0; k < dim; k++)
            logit += head[k] * p[k] * q[k];
        scores[i] = frs_rating_from_unit(&model->scale, 1 / (1 + expf(-frs_clamp_logit(logit))));
    }
}

const struct frs_learner frs_learner_fedncf_ratings = {
    .plugin = {.name = "fedncf_ratings",
        .summary = "neural collaborative filtering of ratings with a GMF head, by federated gradients",
        .source =
            "Perifanis & Efraimidis 2022 with the model and settings of Liu et al. 2024 (RFRec), table 2",
        .params = params},
    .uploads_updates = true,
    .uploads_gradients = true,
    .own_step = FRS_SERVER_ADAM_OWN_STEP,
    .draws_nothing = true,
    .predicts_ratings = true,
    .averaging = FRS_AVERAGES_NOT,
    .create = create,
    .train = train,
    .aggregate = aggregate,
    .gather = frs_model_gather,
    .aggregate_flop = aggregate_flop,
    .score = score,
};
