/* PTF-FedRec: no parameter is sent. Clients and server train models of their own on each other's scores (Yuan
 * et al. 2024, "Hide Your Model").
 *
 *   client  trains its perceptron on its items (1), negatives (0) and the items that the server has scored;
 *           uploads scores of a random share s of its items and of ρ times as many others, the highest tenth
 * of the first having changed places with the highest of the second server  trains a LightGCN on all scores
 * of the round (score_graph.h); sends each client the scores of the items that most scores have arrived for,
 * and of those with the highest scores, without those that the client has scored itself
 *
 * An upload is a table of one score an item, in which 0 is none. A download is a table of `sent` rows: an
 * item, and its score; −1 is no item. It is made when the upload of its client has been aggregated. */
#include "algorithms/learners/ptf_fedrec.h"
#include "algorithms/kernels/logistic.h"
#include "algorithms/models/init_sd.h"
#include "algorithms/models/layers.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { PREDICT_BOTH, PREDICT_SERVER, PREDICT_CLIENT };
static const char *const predicts_names[] = {"both", "server", "client", NULL};

static const struct frs_param params[] = {
    {.key = "dim",
        .type = FRS_INT,
        .initial = "16",
        .min = 1,
        .max = 256,
        .help = "length of a client's user and item vectors"},
    {.key = "layers",
        .type = FRS_TEXT,
        .initial = "32,16",
        .help = "widths of the hidden layers of a client's perceptron, separated by commas"},
    FRS_EPOCHS_PARAM("5"),
    FRS_BATCH_PARAM("256"),
    {.key = "learning_rate",
        .type = FRS_REAL,
        .initial = "0.01",
        .min = 0,
        .max = 1e6,
        .help = "step size of a client's Adam, which starts from fresh state in every participation"},
    FRS_INIT_SD_PARAM("1", "a client's initial vectors"),
    {.key = "negatives_anew",
        .type = FRS_BOOL,
        .initial = "false",
        .help =
            "a client draws its negatives anew in every participation; false: once, as the published code"},
    {.key = "keeps_scores",
        .type = FRS_BOOL,
        .initial = "true",
        .help = "a client trains on all items that the server has ever scored for it; false: on those of its "
                "last download"},
    {.key = "share_min",
        .type = FRS_REAL,
        .initial = "0.1",
        .min = 0,
        .max = 1,
        .help = "an upload has scores of a share of a client's items, uniform between this and 1"},
    {.key = "negatives_min",
        .type = FRS_REAL,
        .initial = "1",
        .min = 0,
        .max = 1000,
        .help = "and of as many other items times a factor, uniform between this"},
    {.key = "negatives_max",
        .type = FRS_REAL,
        .initial = "4",
        .min = 0,
        .max = 1000,
        .help = "and this, as far as the client has trained on so many"},
    {.key = "swap",
        .type = FRS_REAL,
        .initial = "0.1",
        .min = 0,
        .max = 1,
        .help =
            "share of an upload's own items, those with the highest scores, whose scores change places with "
            "the highest of the others; at least one unless 0"},
    {.key = "server_dim",
        .type = FRS_INT,
        .initial = "32",
        .min = 1,
        .max = 1024,
        .help = "length of the server's user and item vectors"},
    {.key = "server_layers",
        .type = FRS_INT,
        .initial = "3",
        .min = 0,
        .max = 100,
        .help = "steps along the graph of scores over which the server averages its vectors"},
    {.key = "server_epochs",
        .type = FRS_INT,
        .initial = "2",
        .min = 1,
        .max = 1000,
        .help = "passes of the server over the scores of a round"},
    {.key = "server_batch",
        .type = FRS_INT,
        .initial = "1024",
        .min = 1,
        .max = 1 << 24,
        .help = "scores of one of the server's steps"},
    {.key = "server_learning_rate",
        .type = FRS_REAL,
        .initial = "0.001",
        .min = 0,
        .max = 10,
        .help = "step size of the server's Adam, whose moments stay from round to round"},
    {.key = "sent",
        .type = FRS_INT,
        .initial = "30",
        .min = 2,
        .max = 1 << 20,
        .help =
            "items whose scores a client is sent, half of them by the number of scores that have arrived"},
    {.key = "predicts",
        .type = FRS_CHOICE,
        .initial = "both",
        .choices = predicts_names,
        .help = "whose scores rank a client's items: the server's, but the mean of both for items that the "
                "client "
                "has trained on (both); or those of one side alone"},
    {0},
};

/* ---- the model ------------------------------------------------------------------------------- */

static void read_keys(struct frs_ptf *model, const struct frs_values *values) {
    float rate = (float)frs_values_real(values, "learning_rate");
    model->dim = (size_t)frs_values_int(values, "dim");
    model->init_sd = frs_init_sd(values, model->dim);
    model->local = (struct frs_bce_mf_settings){.batch = (size_t)frs_values_int(values, "batch"),
        .optimiser = FRS_ADAM,
        .item_rate = rate,
        .user_rate = rate,
        .gradient_scale = 1};
    frs_epochs_read(values, &model->local.epochs, &model->local.steps);
    model->draws_anew = frs_values_bool(values, "negatives_anew");
    model->keeps_scores = frs_values_bool(values, "keeps_scores");
    model->share_min = frs_values_real(values, "share_min");
    model->negatives_min = frs_values_real(values, "negatives_min");
    model->negatives_max = frs_values_real(values, "negatives_max");
    model->swap = frs_values_real(values, "swap");
    model->sent = (size_t)frs_values_int(values, "sent");
    size_t dim = (size_t)frs_values_int(values, "server_dim");
    model->graph = (struct frs_score_graph){.n_users = model->base.setup.population->n_clients,
        .n_items = model->base.setup.population->n_items,
        .dim = dim,
        .pitch = frs_lanes_pad(dim),
        .layers = (size_t)frs_values_int(values, "server_layers"),
        .batch = (size_t)frs_values_int(values, "server_batch"),
        .epochs = (uint32_t)frs_values_int(values, "server_epochs"),
        .rate = frs_values_real(values, "server_learning_rate")};
    int predicts = (int)frs_values_choice(values, "predicts");
    model->asks_server = predicts != PREDICT_CLIENT;
    model->asks_client = predicts != PREDICT_SERVER;
}

/* E, F and Adam's moments, one below the other. */
static void declare_server(struct frs_ptf *model) {
    struct frs_score_graph *graph = &model->graph;
    size_t rows = graph->n_users + graph->n_items, n = rows * graph->pitch;
    graph->nodes = frs_model_table(&model->base, (struct frs_table){.name = "server",
                                                     .owner = FRS_OF_SERVER,
                                                     .rows = 4 * rows,
                                                     .dim = graph->pitch,
                                                     .start = FRS_NORMAL,
                                                     .sd = 0.1, /* of the published code */
                                                     .stream = 1,
                                                     .drawn = graph->dim});
    graph->averaged = graph->nodes + n;
    graph->m = graph->nodes + 2 * n;
    graph->v = graph->nodes + 3 * n;
    memset(graph->m, 0, 2 * n * sizeof *graph->m);
    frs_score_graph_begin(graph);
    frs_model_counter(&model->base, &graph->steps);
    frs_model_counter(&model->base, &model->trainings);
    model->arrived = frs_model_table(
        &model->base, (struct frs_table){"arrived", FRS_OF_SERVER, .rows = graph->n_items, .dim = 1});
}

static void declare_clients(struct frs_ptf *model) {
    size_t n_items = model->graph.n_items, size = frs_perceptron_parameters(&model->shape);
    struct frs_table users = {.name = "users",
        .owner = FRS_OF_CLIENTS,
        .dim = model->dim,
        .start = FRS_NORMAL,
        .sd = model->init_sd};
    struct frs_table start = {.name = "start",
        .owner = FRS_OF_SERVER,
        .rows = n_items,
        .dim = model->dim,
        .start = FRS_NORMAL,
        .sd = model->init_sd,
        .transient = true};
    model->start = frs_model_table(&model->base, start);
    model->users = frs_model_table(&model->base, users);
    model->networks = frs_model_table(
        &model->base, (struct frs_table){.name = "networks", .owner = FRS_OF_CLIENTS, .dim = size});
    model->rows = frs_kept_tables_declare(&model->base, n_items, model->dim);
    model->received = frs_client_rows_declare(&model->base, n_items, 1, !model->keeps_scores);
    model->base.stores[model->base.n_stores - 1].counted = 0; /* data, and no parameters */
    for (uint32_t u = 0; model->networks && u < model->graph.n_users; u++) {
        struct frs_rng rng =
            frs_rng_stream(model->base.setup.population->seed, u, 0, 1, FRS_RNG_INIT_PRIVATE);
        frs_perceptron_init(&model->shape, FRS_START_UNIFORM, &rng, model->networks + u * size);
    }
}

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct frs_ptf *model = frs_model_create(sizeof *model, setup);
    read_keys(model, values);
    bool ok = frs_layers_read(values, "layers", model->dim, &model->shape, errors) == FRS_OK;
    if (ok && model->negatives_max < model->negatives_min) {
        frs_values_error(values, "negatives_max", errors,
            "is %g; allowed: from negatives_min on, which is %g", model->negatives_max, model->negatives_min);
        ok = false;
    }
    if (!ok) {
        frs_model_destroy(model);
        return NULL;
    }
    frs_model_table(&model->base,
        (struct frs_table){
            .name = "scores", .owner = FRS_OF_UPLOAD, .rows = setup->population->n_items, .dim = 1});
    frs_ptf_declare_sent(model);
    declare_server(model);
    declare_clients(model);
    return model;
}

/* ---- predictions ----------------------------------------------------------------------------- */

enum { CHUNK = 64 }; /* items that are scored at a time */

/* The client's scores of at most CHUNK items, and which of them it has trained on. */
static void score_by_client(const struct frs_ptf *model, uint32_t client, const uint32_t *items, size_t n,
    float *scores, bool *trained) {
    size_t dim = model->dim, size = frs_perceptron_parameters(&model->shape);
    float *rows = frs_alloc_aligned(CHUNK * dim, sizeof *rows); /* scores are asked for on small stacks */
    const float *found[CHUNK];
    uint32_t places[CHUNK];
    frs_private_rows_find_all(&model->rows->rows[client], &model->rows->pool, items, n, found);
    for (uint32_t i = 0; i < n; i++) {
        trained[i] = found[i];
        places[i] = i;
        memcpy(rows + i * dim, found[i] ? found[i] : model->start + items[i] * dim, dim * sizeof *rows);
    }
    frs_perceptron_score(
        &model->shape, model->networks + client * size, model->users + client * dim, rows, places, n, scores);
    for (size_t i = 0; i < n; i++)
        scores[i] = frs_ptf_probability(scores[i]);
    free(rows);
}

static void score(const void *context, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores) {
    const struct frs_ptf *model = context;
    (void)held;
    for (size_t at = 0; at < n; at += CHUNK) {
        size_t count = n - at < CHUNK ? n - at : CHUNK;
        float own[CHUNK];
        bool trained[CHUNK];
        if (model->asks_server)
            frs_score_graph_predict(&model->graph, client, items + at, count, scores + at);
        if (model->asks_client)
            score_by_client(model, client, items + at, count, own, trained);
        for (size_t i = 0; model->asks_client && i < count; i++)
            if (!model->asks_server)
                scores[at + i] = own[i];
            else if (trained[i])
                scores[at + i] = (scores[at + i] + own[i]) / 2;
    }
}

const struct frs_learner frs_learner_ptf_fedrec = {
    .plugin = {.name = "ptf_fedrec",
        .summary = "scores of a few items both ways, and a model at the server: no parameter is sent",
        .source = "Yuan et al. 2024 (ICDE), arXiv:2311.14968, and its published code",
        .params = params},
    .uploads_updates = true,
    .own_step = "it trains a model of the server's own; allowed: none, without rate",
    .limits_epochs = true,
    .follows_rate = true,
    .averaging = FRS_AVERAGES_NOT,
    .create = create,
    .train = frs_ptf_train,
    .aggregate = frs_ptf_aggregate,
    .aggregate_flop = frs_ptf_aggregate_flop,
    .score = score,
};
