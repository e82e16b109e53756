#include "algorithms/non_federated/pmf_model.h"
#include "algorithms/kernels/adam.h"
#include "sim/base/numbers/levels.h"
#include "algorithms/kernels/logistic.h"
#include "algorithms/rating_scale.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <stdlib.h>
#include <string.h>

/* Vectors [n × dim], then biases [n]; each array has this shape. */
struct side {
    size_t n, length;
    float *values, *gradient, *m, *v;
};

struct model {
    const struct frs_population *population;
    struct frs_rating_scale scale;
    bool biases;
    size_t dim;
    float penalty;
    double rate;
    uint32_t step;
    struct side users, items;
};

static void side_init(
    struct side *side, size_t n, const struct model *model, double sd, struct frs_rng *rng) {
    side->n = n;
    side->length = n * (model->dim + 1);
    side->values = frs_alloc_aligned(side->length, sizeof(float));
    side->gradient = frs_alloc_aligned(side->length, sizeof(float));
    side->m = frs_alloc_aligned(side->length, sizeof(float));
    side->v = frs_alloc_aligned(side->length, sizeof(float));
    frs_rng_fill_normal(rng, side->values, model->biases ? side->length : n * model->dim, sd);
}

static void side_fini(struct side *side) {
    free(side->values);
    free(side->gradient);
    free(side->m);
    free(side->v);
}

static struct model *begin(
    const struct frs_values *values, const struct frs_population *population, bool biases) {
    struct model *model = frs_alloc(1, sizeof *model);
    *model = (struct model){.population = population,
        .scale = frs_rating_scale_of(population),
        .biases = biases,
        .dim = (size_t)frs_values_int(values, "dim"),
        .penalty = (float)frs_values_real(values, "penalty"),
        .rate = frs_values_real(values, "learning_rate")};
    double sd = frs_values_real(values, "init");
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_NON_FEDERATED);
    side_init(&model->users, population->n_clients, model, sd, &rng);
    side_init(&model->items, population->n_items, model, sd, &rng);
    return model;
}

static void *begin_without(const struct frs_values *values, const struct frs_population *population) {
    return begin(values, population, false);
}

static void *begin_with(const struct frs_values *values, const struct frs_population *population) {
    return begin(values, population, true);
}

static void destroy(void *context) {
    struct model *model = context;
    side_fini(&model->users);
    side_fini(&model->items);
    free(model);
}

FRS_CLONES static float dot(const float *restrict p, const float *restrict q, size_t dim) {
    float sum = 0;
    for (size_t k = 0; k < dim; k++)
        sum += p[k] * q[k];
    return sum;
}

static float predict(const struct model *model, uint32_t user, uint32_t item) {
    size_t dim = model->dim;
    float logit = dot(model->users.values + user * dim, model->items.values + item * dim, dim) +
                  model->users.values[model->users.n * dim + user] +
                  model->items.values[model->items.n * dim + item];
    return 1 / (1 + frs_exponential(-frs_clamp_logit(logit)));
}

FRS_CLONES static void add(float *restrict gradient, float factor, const float *restrict values, size_t dim) {
    for (size_t k = 0; k < dim; k++)
        gradient[k] += factor * values[k];
}

static void add_rating(struct model *model, uint32_t user, uint32_t item, float rating) {
    size_t dim = model->dim;
    struct side *users = &model->users, *items = &model->items;
    float y = predict(model, user, item);
    float delta = -2 * (frs_rating_to_unit(&model->scale, rating) - y) * y * (1 - y);
    add(users->gradient + user * dim, delta, items->values + item * dim, dim);
    add(items->gradient + item * dim, delta, users->values + user * dim, dim);
    if (!model->biases)
        return;
    users->gradient[users->n * dim + user] += delta;
    items->gradient[items->n * dim + item] += delta;
}

/* λ ∂‖x‖ = λ x/‖x‖, 0 where x is. */
static void add_norm(float penalty, const float *values, float *gradient, size_t n) {
    float norm = sqrtf(dot(values, values, n));
    if (norm > 0)
        add(gradient, penalty / norm, values, n);
}

static void step(struct model *model, struct side *side) {
    size_t dim = model->dim, n_vectors = side->n * dim;
    for (size_t i = 0; i < side->n; i++)
        add_norm(model->penalty, side->values + i * dim, side->gradient + i * dim, dim);
    add_norm(model->penalty, side->values + n_vectors, side->gradient + n_vectors, side->n);
    frs_adam_vector(side->values, side->m, side->v, side->gradient, side->length,
        frs_adam_step(model->rate, model->step));
    memset(side->gradient, 0, side->length * sizeof *side->gradient);
}

static void pass(void *context, uint32_t epoch) {
    struct model *model = context;
    (void)epoch;
    for (uint32_t user = 0; user < model->population->n_clients; user++) {
        const struct frs_client_data *data = &model->population->clients[user];
        for (size_t i = 0; i < data->n; i++)
            add_rating(model, user, data->items[i], data->ratings[i]);
    }
    model->step++;
    step(model, &model->users);
    step(model, &model->items);
}

static void score(const void *context, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    const struct model *model = context;
    for (size_t i = 0; i < n; i++)
        scores[i] = frs_rating_from_unit(&model->scale, predict(model, client, items[i]));
}

const struct frs_iterative frs_pmf = {begin_without, pass, destroy, score};
const struct frs_iterative frs_pmf_with_biases = {begin_with, pass, destroy, score};
