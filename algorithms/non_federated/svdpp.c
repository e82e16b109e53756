/* SVD++ (Koren, KDD 2008, equation 15): biased matrix factorisation in which the set of items that a user
 * has rated, whatever the ratings, also describes the user.
 *
 *     r̂_ui = μ + b_u + c_i + q_i · (p_u + |N(u)|^(-1/2) Σ_{j ∈ N(u)} y_j)
 *
 * SGD, one rating at a time, users and their ratings in random order. The y_j of a user's items, and their
 * regularisation, are stepped once after all its ratings, by the sum of the steps that each rating
 * demands: with a step per rating a user of n items would cost n² row updates. */
#include "sim/base/numbers/levels.h"
#include "algorithms/non_federated/epochs.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct model {
    const struct frs_population *population;
    size_t dim;
    float mean, rate, bias_decay, decay;
    float *users;    /* p, b [n_clients × (dim + 1)] */
    float *items;    /* q, c [n_items × (dim + 1)] */
    float *implicit; /* y [n_items × dim] */
    float *profile;  /* [dim] |N(u)|^(-1/2) Σ y_j of the user at hand, */
    float *pull;     /* [dim] and Σ e q_i over its ratings */
    uint32_t *order; /* [n_clients], [n_items]: users, then the ratings of one */
    uint32_t *rating_order;
};

static float mean_rating(const struct frs_population *population) {
    double sum = 0, n = 0;
    for (uint32_t user = 0; user < population->n_clients; user++)
        for (size_t i = 0; i < population->clients[user].n; i++, n++)
            sum += (double)population->clients[user].ratings[i];
    return n > 0 ? (float)(sum / n) : 0;
}

static float *draw_rows(size_t n, size_t dim, size_t width, double sd, struct frs_rng *rng) {
    float *rows = frs_alloc_aligned(n * width, sizeof *rows);
    for (size_t i = 0; i < n; i++)
        frs_rng_fill_normal(rng, rows + i * width, dim, sd);
    return rows;
}

static void *begin(const struct frs_values *values, const struct frs_population *population) {
    size_t dim = (size_t)frs_values_int(values, "dim");
    double sd = frs_values_real(values, "init");
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_NON_FEDERATED);
    struct model *model = frs_alloc(1, sizeof *model);
    *model = (struct model){.population = population,
        .dim = dim,
        .mean = mean_rating(population),
        .rate = (float)frs_values_real(values, "learning_rate"),
        .bias_decay = (float)frs_values_real(values, "bias_decay"),
        .decay = (float)frs_values_real(values, "decay"),
        .users = draw_rows(population->n_clients, dim, dim + 1, sd, &rng),
        .items = draw_rows(population->n_items, dim, dim + 1, sd, &rng),
        .implicit = draw_rows(population->n_items, dim, dim, sd, &rng),
        .profile = frs_alloc_aligned(dim, sizeof(float)),
        .pull = frs_alloc_aligned(dim, sizeof(float)),
        .order = frs_alloc(population->n_clients, sizeof(uint32_t)),
        .rating_order = frs_alloc(population->n_items, sizeof(uint32_t))};
    return model;
}

static void destroy(void *context) {
    struct model *model = context;
    free(model->users);
    free(model->items);
    free(model->implicit);
    free(model->profile);
    free(model->pull);
    free(model->order);
    free(model->rating_order);
    free(model);
}

static float share_of(const struct frs_client_data *data) {
    return data->n > 0 ? 1 / sqrtf((float)data->n) : 0;
}

static void add_profile(const struct model *model, const struct frs_client_data *data, float *profile) {
    memset(profile, 0, model->dim * sizeof *profile);
    for (size_t i = 0; i < data->n; i++)
        for (size_t k = 0; k < model->dim; k++)
            profile[k] += model->implicit[data->items[i] * model->dim + k];
    for (size_t k = 0; k < model->dim; k++)
        profile[k] *= share_of(data);
}

FRS_CLONES static void step_rating(
    const struct model *model, float rating, float *restrict user, float *restrict item) {
    size_t dim = model->dim;
    const float *restrict profile = model->profile;
    float *restrict pull = model->pull;
    float error = rating - model->mean - user[dim] - item[dim], rate = model->rate, decay = model->decay;
    for (size_t k = 0; k < dim; k++)
        error -= item[k] * (user[k] + profile[k]);
    for (size_t k = 0; k < dim; k++) {
        float p = user[k], q = item[k];
        pull[k] += error * q;
        user[k] += rate * (error * q - decay * p);
        item[k] += rate * (error * (p + profile[k]) - decay * q);
    }
    user[dim] += rate * (error - model->bias_decay * user[dim]);
    item[dim] += rate * (error - model->bias_decay * item[dim]);
}

/* y_j += rate (|N|^(-1/2) Σ e q − |N| decay y_j) for every item of the user. */
static void step_implicit(struct model *model, const struct frs_client_data *data) {
    size_t dim = model->dim;
    float step = model->rate * share_of(data), kept = powf(1 - model->rate * model->decay, (float)data->n);
    for (size_t i = 0; i < data->n; i++)
        for (size_t k = 0; k < dim; k++) {
            float *y = &model->implicit[data->items[i] * dim + k];
            *y = kept * *y + step * model->pull[k];
        }
}

static void shuffled(struct frs_rng *rng, uint32_t *order, size_t n) {
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    frs_rng_shuffle(rng, order, n);
}

static void pass(void *context, uint32_t epoch) {
    struct model *model = context;
    const struct frs_population *population = model->population;
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, epoch, 1, FRS_RNG_NON_FEDERATED);
    shuffled(&rng, model->order, population->n_clients);
    for (uint32_t u = 0; u < population->n_clients; u++) {
        const struct frs_client_data *data = &population->clients[model->order[u]];
        float *user = model->users + data->client * (model->dim + 1);
        shuffled(&rng, model->rating_order, data->n);
        add_profile(model, data, model->profile);
        memset(model->pull, 0, model->dim * sizeof *model->pull);
        for (size_t i = 0; i < data->n; i++) {
            size_t at = model->rating_order[i];
            step_rating(model, data->ratings[at], user, model->items + data->items[at] * (model->dim + 1));
        }
        step_implicit(model, data);
    }
}

static void score(const void *context, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    const struct model *model = context;
    const float *user = model->users + client * (model->dim + 1);
    float *taste = frs_alloc(model->dim, sizeof *taste);
    add_profile(model, &model->population->clients[client], taste);
    for (size_t k = 0; k < model->dim; k++)
        taste[k] += user[k];
    for (size_t i = 0; i < n; i++) {
        const float *item = model->items + items[i] * (model->dim + 1);
        scores[i] = model->mean + user[model->dim] + item[model->dim];
        for (size_t k = 0; k < model->dim; k++)
            scores[i] += taste[k] * item[k];
    }
    free(taste);
}

static const struct frs_iterative svdpp = {begin, pass, destroy, score};

static void *fit(
    const struct frs_values *values, const struct frs_population *population, const atomic_bool *stopped) {
    return frs_epochs_fit(&svdpp, values, population, stopped);
}

static const struct frs_param params[] = {
    FRS_EPOCHS_PARAMS("80"),
    {.key = "dim", .type = FRS_INT, .initial = "20", .min = 1, .max = 4096, .help = "length of a vector"},
    {.key = "learning_rate", .type = FRS_REAL, .initial = "0.007", .max = 10, .help = "of SGD"},
    {.key = "bias_decay",
        .type = FRS_REAL,
        .initial = "0.005",
        .max = 10,
        .help = "regularisation of biases"},
    {.key = "decay", .type = FRS_REAL, .initial = "0.015", .max = 10, .help = "regularisation of vectors"},
    {.key = "init",
        .type = FRS_REAL,
        .initial = "0.1",
        .max = 100,
        .help = "standard deviation of initial vectors; biases begin at zero"},
    {.key = NULL},
};

const struct frs_non_federated_model frs_non_federated_model_svdpp = {
    .plugin = {.name = "svdpp",
        .summary = "SVD++: a biased factorisation that also knows which items a user has rated",
        .source = "Koren, KDD 2008, equation 15; rates of its section 4.2",
        .params = params},
    .predicts_ratings = true,
    .fit = fit,
    .destroy = destroy,
    .score = score,
};
