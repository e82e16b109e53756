/* SemiDFEGL (Qu et al. 2023; docs/methods/semidfegl.md says what is ours): clients whose graphs are the stars
 * of their own items are connected by items that their group has in common, and propagate over the graph that
 * this makes (models/group_graph.h).
 *
 *   server  clusters the clients by their vectors; the common items of a group are those with the highest
 *           products with the mean of its vectors; sends each client these items and their vectors, and for
 *           each layer what the others of its group add, or else who these are
 *   client  exchanges layers with them, unless the server carries those; trains its vector and item vectors
 *           of its own, what others add being constant; uploads its star, or its vector
 *   server  averages what has arrived of each item
 *
 * Predictions take f from the client and the items' vectors from the server. */
#include "algorithms/learners/semidfegl.h"
#include "algorithms/models/init_sd.h"
#include "sim/base/memory.h"

#include <string.h>

/* ---- the model ------------------------------------------------------------------------------- */

const char *const frs_semidfegl_exchange_names[] = {
    [FRS_SEMIDFEGL_SERVER] = "server", [FRS_SEMIDFEGL_MESH] = "mesh", [FRS_SEMIDFEGL_HEAD] = "head", NULL};

enum uploads { UPLOADS_RATED, UPLOADS_TRAINED };
static const char *const uploads_names[] = {"rated", "trained", NULL};

static const struct frs_param params[] = {
    FRS_SEMIDFEGL_PARAMS("10", "0.01", "0", "0.1", "500"),
    {.key = "uploads",
        .type = FRS_CHOICE,
        .initial = "trained",
        .choices = uploads_names,
        .help = "item vectors of an upload: those of the client's own items (rated), or those of negatives, "
                "too (trained)"},
    {0},
};

struct frs_semidfegl *frs_semidfegl_begin(
    const struct frs_values *values, const struct frs_learner_setup *setup) {
    struct frs_semidfegl *model = frs_model_create(sizeof *model, setup);
    size_t common = (size_t)frs_values_int(values, "common_items"),
           returned = (size_t)frs_values_int(values, "returned_items");
    model->dim = (size_t)frs_values_int(values, "dim");
    model->layers = (size_t)frs_values_int(values, "layers");
    model->common = common < setup->population->n_items ? common : setup->population->n_items;
    model->returned = returned < setup->population->n_items ? returned : setup->population->n_items;
    model->exchange = (enum frs_semidfegl_exchange)frs_values_choice(values, "exchange");
    model->most = (size_t)frs_values_int(values, "exchange_clients");
    model->tail =
        frs_semidfegl_meets(model) ? (model->most + model->dim - 1) / (model->dim + 1) : model->layers;
    model->epochs = (uint32_t)frs_values_int(values, "epochs");
    model->clusters = (uint32_t)frs_values_int(values, "clusters");
    model->rate = frs_values_real(values, "learning_rate");
    model->decay = frs_values_real(values, "decay");
    model->own_edge = frs_values_bool(values, "own_edge");
    model->init_sd = frs_init_sd(values, model->dim);
    return model;
}

/* Without a participation f is what a client without edges has. */
static void init_means(struct frs_semidfegl *model) {
    size_t dim = model->dim;
    for (uint32_t u = 0; u < model->base.setup.population->n_clients; u++)
        for (size_t k = 0; k < dim; k++)
            model->means[2 * dim * u + k] = model->users[dim * u + k] / (float)(model->layers + 1);
}

void frs_semidfegl_declare(struct frs_semidfegl *model) {
    size_t n_items = model->base.setup.population->n_items, dim = model->dim;
    struct frs_table drawn = {.name = "start",
        .owner = FRS_OF_SERVER,
        .rows = n_items,
        .dim = dim,
        .start = FRS_NORMAL,
        .sd = model->init_sd,
        .transient = true};
    frs_model_table(&model->base,
        (struct frs_table){.name = "rows", .owner = FRS_OF_UPLOAD, .rows = n_items, .dim = dim});
    frs_model_table(&model->base,
        (struct frs_table){
            .name = "star", .owner = FRS_OF_UPLOAD, .rows = 1, .dim = frs_semidfegl_star_sent(model)});
    frs_semidfegl_declare_groups(model);
    model->start = frs_model_table(&model->base, drawn);
    drawn.name = "items";
    drawn.transient = false;
    model->items = frs_model_table(&model->base, drawn);
    model->stars = frs_model_table(&model->base, (struct frs_table){.name = "stars",
                                                     .owner = FRS_OF_SERVER,
                                                     .rows = model->base.setup.population->n_clients,
                                                     .dim = frs_semidfegl_star(model)});
    frs_model_counter(&model->base, &model->clusterings);
    drawn.name = "users";
    drawn.owner = FRS_OF_CLIENTS;
    model->users = frs_model_table(&model->base, drawn);
    model->means = frs_model_table(&model->base,
        (struct frs_table){.name = "means", .owner = FRS_OF_CLIENTS, .dim = 2 * dim, .uncounted = 2 * dim});
    model->rows = frs_kept_tables_declare(&model->base, n_items, dim);
    if (model->users)
        init_means(model);
}

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    (void)errors;
    struct frs_semidfegl *model = frs_semidfegl_begin(values, setup);
    model->sends_negatives = frs_values_choice(values, "uploads") == UPLOADS_TRAINED;
    frs_semidfegl_declare(model);
    return model;
}

/* ---- predictions ----------------------------------------------------------------------------- */

float frs_semidfegl_mean_rating(const struct frs_client_data *data) {
    double sum = 0;
    for (size_t i = 0; i < data->n; i++)
        sum += (double)data->ratings[i];
    return (float)(sum / (double)data->n);
}

/* The mean of the scale for a client without ratings. */
static float offset_of(const struct frs_semidfegl *model, uint32_t client) {
    const struct frs_population *population = model->base.setup.population;
    const struct frs_client_data *data = &population->clients[client];
    if (!model->rates)
        return 0;
    return data->n > 0 ? frs_semidfegl_mean_rating(data)
                       : (population->rating_min + population->rating_max) / 2;
}

static bool is_common(const struct frs_semidfegl *model, const float *group, uint32_t item) {
    for (size_t i = 0; group && i < model->common; i++)
        if (group[i * (model->dim + 1)] == (float)item)
            return true;
    return false;
}

void frs_semidfegl_score(const void *context, const struct frs_tables *held, uint32_t client,
    const uint32_t *items, size_t n, float *scores) {
    const struct frs_semidfegl *model = context;
    size_t dim = model->dim;
    const float *user = model->means + 2 * dim * client, *common = user + dim;
    float share = 1 / (float)(model->layers + 1), offset = offset_of(model, client);
    for (size_t i = 0; i < n; i++) {
        const float *row = model->items + items[i] * dim;
        bool shared = is_common(model, held->part[0], items[i]);
        float sum = 0;
        for (size_t k = 0; k < dim; k++)
            sum += user[k] * (share * row[k] + (shared ? common[k] : 0));
        scores[i] = offset + sum;
    }
}

const struct frs_learner frs_learner_semidfegl = {
    .plugin = {.name = "semidfegl",
        .summary = "stars of own items connected by items that a group of clients has in common",
        .source = "after Qu et al. 2023 (WWW), arXiv:2302.10900, from descriptions",
        .params = params},
    .create = create,
    FRS_SEMIDFEGL_SLOTS, /* it draws negatives, but once for all rounds */
};
