/* Local only: every client trains FedMF's model on its own data and shares nothing; a federation has to be
 * better than that.
 *
 * A client starts from the shared initial table and user vector, as FedMF does, and goes through `rounds`
 * participations of FedMF: negatives redrawn, E epochs, a fresh optimiser. Its table stays its own. Only
 * rows that it ever touched are kept; all others are those of the shared initial table. With many rounds
 * the negatives reach nearly every item, and the memory is about n_clients × n_items × dim × 4 bytes. */
#include "algorithms/kernels/products.h"
#include "algorithms/models/mf_model.h"
#include "algorithms/non_federated.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK 64u /* items that are scored at a time */

/* What one client has learnt. */
struct table {
    size_t n;
    uint32_t *ids; /* [n] touched rows, ascending */
    float *rows;   /* [n × dim] */
};

struct model {
    struct frs_model base;
    size_t dim;
    uint32_t n_clients;
    float *items; /* the shared initial table [n_items × dim] */
    float *users; /* [n_clients × dim] */
    struct table *tables;
};

/* The table of the client in training. */
struct bench {
    struct frs_tables tables; /* [n_items × dim]; the initial table except for touched rows */
    bool *touched;            /* [n_items] */
    struct frs_arena arena;
};

static void participate(struct model *model, const struct frs_mf_settings *settings,
    const struct frs_learner_setup *setup, uint32_t client, uint32_t round, struct bench *bench) {
    struct frs_training training = {
        .data = &setup->population->clients[client], .tables = &bench->tables, .round = round};
    struct frs_trained trained;
    frs_arena_reset(&bench->arena);
    struct frs_mf_local local = frs_mf_local_begin(settings, setup, &training, model->users, &bench->arena);
    local.mf.rows = frs_mf_local_rows(&local, &bench->arena);
    frs_mf_local_train(&local, settings, setup, &bench->arena, &trained);
    memcpy(model->users + client * model->dim, trained.kept.rows[0], model->dim * sizeof(float));
    const struct frs_rows *rows = &trained.upload[0];
    for (size_t i = 0; i < rows->n; i++) {
        memcpy(bench->tables.part[0] + rows->ids[i] * model->dim, rows->values + i * model->dim,
            model->dim * sizeof(float));
        bench->touched[rows->ids[i]] = true;
    }
}

/* Moves the touched rows out of the bench, which is as it was at first afterwards. */
static struct table take_table(const struct model *model, uint32_t n_items, struct bench *bench) {
    struct table table = {0};
    size_t dim = model->dim, n_touched = 0;
    for (uint32_t item = 0; item < n_items; item++)
        n_touched += bench->touched[item];
    table.ids = frs_alloc(n_touched, sizeof *table.ids);
    table.rows = frs_alloc_aligned(n_touched * dim, sizeof *table.rows);
    for (uint32_t item = 0; item < n_items; item++) {
        if (!bench->touched[item])
            continue;
        float *row = bench->tables.part[0] + item * dim;
        memcpy(table.rows + table.n * dim, row, dim * sizeof *row);
        memcpy(row, model->items + item * dim, dim * sizeof *row);
        table.ids[table.n++] = item;
        bench->touched[item] = false;
    }
    return table;
}

static void *fit(
    const struct frs_values *values, const struct frs_population *population, const atomic_bool *stopped) {
    struct frs_mf_settings settings = frs_mf_settings_read(values);
    struct frs_learner_setup setup = {
        .population = population, .negatives_per_positive = (size_t)frs_values_int(values, "negatives")};
    uint32_t n_items = population->n_items, rounds = (uint32_t)frs_values_int(values, "rounds");
    struct model *model = frs_model_create(sizeof *model, &setup);
    model->dim = settings.dim;
    model->n_clients = population->n_clients;
    model->items = frs_model_table(&model->base, frs_mf_items(&settings, n_items));
    model->users = frs_model_table(&model->base, frs_mf_users(&settings));
    model->tables = frs_alloc(population->n_clients, sizeof *model->tables);
    struct bench bench = {.touched = frs_alloc(n_items, sizeof *bench.touched)};
    bench.tables.part[0] = frs_alloc_aligned(n_items * settings.dim, sizeof(float));
    memcpy(bench.tables.part[0], model->items, n_items * settings.dim * sizeof(float));
    for (uint32_t client = 0; client < population->n_clients && !frs_is_stopped(stopped); client++) {
        for (uint32_t round = 0; round < rounds; round++)
            participate(model, &settings, &setup, client, round, &bench);
        model->tables[client] = take_table(model, n_items, &bench);
    }
    free(bench.tables.part[0]);
    free(bench.touched);
    frs_arena_fini(&bench.arena);
    return model;
}

static void destroy(void *memory) {
    struct model *model = memory;
    for (uint32_t client = 0; client < model->n_clients; client++) {
        free(model->tables[client].ids);
        free(model->tables[client].rows);
    }
    free(model->tables);
    frs_model_destroy(model);
}

static const float *find_row(const struct model *model, const struct table *table, uint32_t item) {
    size_t low = 0, high = table->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table->ids[middle] < item)
            low = middle + 1;
        else
            high = middle;
    }
    bool touched = low < table->n && table->ids[low] == item;
    return touched ? table->rows + low * model->dim : model->items + item * model->dim;
}

static void score(const void *memory, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    const struct model *model = memory;
    const float *rows[CHUNK];
    for (size_t at = 0; at < n; at += CHUNK) {
        size_t count = n - at < CHUNK ? n - at : CHUNK;
        for (size_t i = 0; i < count; i++)
            rows[i] = find_row(model, &model->tables[client], items[at + i]);
        frs_products(model->users + client * model->dim, model->dim, rows, count, 0, scores + at);
    }
}

static const struct frs_param params[] = {
    {.key = "rounds",
        .type = FRS_INT,
        .initial = "100",
        .min = 0,
        .max = 1e6,
        .help = "participations of every client"},
    {.key = "negatives",
        .type = FRS_INT,
        .initial = "4",
        .min = 0,
        .max = 1000,
        .help = "negatives per positive"},
    FRS_MF_PARAMS("16", "10", "adam", "0.01", "batch_mean", "0", "1", "shared"),
    {.key = NULL},
};

const struct frs_non_federated_model frs_non_federated_model_local_only = {
    .plugin = {.name = "local_only",
        .summary = "FedMF's model trained by every client alone, nothing shared",
        .source = "common baseline; settings of FedMF",
        .params = params},
    .fit = fit,
    .destroy = destroy,
    .score = score,
};
