/* NCF: neural collaborative filtering (He et al., WWW 2017; its NeuMF) with all data in one place. A
 * generalised product and a perceptron side by side (kernels/steps/neural_cf.h), binary cross-entropy with
 * sampled negatives, dense Adam: every row moves in every step, as in the frameworks that papers use. */
#include "algorithms/kernels/dense_adam.h"
#include "algorithms/kernels/flush.h"
#include "algorithms/kernels/steps/neural_cf.h"
#include "algorithms/models/layers.h"
#include "algorithms/non_federated.h"
#include "algorithms/non_federated/epoch_samples.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>

struct trainer {
    struct frs_neural_cf *model;
    struct frs_neural_cf gradients;
    struct frs_neural_cf_memory *memory;
    struct frs_dense_adam adam;
    struct frs_epoch_samples drawn;
    size_t batch;
    double rate;
    uint32_t *users, *items; /* [batch] */
};

static enum frs_status check(const struct frs_values *values, struct frs_errors *errors) {
    struct frs_perceptron_shape shape;
    return frs_layers_read(values, "layers", (size_t)frs_values_int(values, "dim"), &shape, errors);
}

/* All values in one array, so that one optimiser steps them. */
static struct frs_neural_cf split(
    const struct frs_perceptron_shape *shape, const struct frs_population *population, float *values) {
    float *items = values + (size_t)population->n_clients * 2 * shape->dim;
    return (struct frs_neural_cf){.shape = *shape,
        .users = values,
        .items = items,
        .network = items + (size_t)population->n_items * 2 * shape->dim};
}

static size_t count_values(
    const struct frs_perceptron_shape *shape, const struct frs_population *population) {
    return ((size_t)population->n_clients + population->n_items) * 2 * shape->dim +
           frs_neural_cf_parameters(shape);
}

/* Embeddings normal, the perceptron by Glorot and Bengio's rule, and h as a layer of one output. */
static void draw(struct frs_neural_cf *model, const struct frs_population *population, double sd) {
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_NON_FEDERATED);
    size_t dim = model->shape.dim;
    frs_rng_fill_normal(&rng, model->users, population->n_clients * 2 * dim, sd);
    frs_rng_fill_normal(&rng, model->items, population->n_items * 2 * dim, sd);
    frs_perceptron_init(&model->shape, FRS_START_XAVIER, &rng, model->network);
    float *h = model->network + frs_perceptron_parameters(&model->shape);
    for (size_t k = 0; k < dim; k++)
        h[k] = (float)(sqrt(6 / (double)(dim + 1)) * (2 * frs_rng_unit(&rng) - 1));
}

static void step(struct trainer *trainer, const struct frs_sample *samples, size_t n) {
    for (size_t i = 0; i < n; i++) {
        trainer->users[i] = samples[i].user;
        trainer->items[i] = samples[i].item;
    }
    struct frs_neural_cf_batch batch = {trainer->users, trainer->items, n};
    frs_neural_cf_gradients(trainer->model, &batch, trainer->memory, &trainer->gradients);
    frs_dense_adam_run(&trainer->adam, trainer->rate);
}

static void pass(struct trainer *trainer, const atomic_bool *stopped) {
    for (size_t at = 0; at < trainer->drawn.n && !frs_is_stopped(stopped); at += trainer->batch) {
        size_t left = trainer->drawn.n - at;
        step(trainer, trainer->drawn.samples + at, left < trainer->batch ? left : trainer->batch);
    }
}

/* Values, gradients and two moments; the network is small beside them. */
static double bytes_of(const struct frs_values *values, const struct frs_population *population) {
    double rows = (double)population->n_clients + population->n_items;
    return 4 * 4 * rows * 2 * (double)frs_values_int(values, "dim") +
           frs_epoch_samples_bytes(population, (size_t)frs_values_int(values, "negatives"));
}

static void *fit(
    const struct frs_values *values, const struct frs_population *population, const atomic_bool *stopped) {
    struct frs_errors errors = {0};
    struct frs_perceptron_shape shape;
    if (frs_layers_read(values, "layers", (size_t)frs_values_int(values, "dim"), &shape, &errors) != FRS_OK) {
        frs_errors_clear(&errors);
        return NULL;
    }
    uint32_t epochs = (uint32_t)frs_values_int(values, "epochs");
    struct trainer trainer = {.model = frs_alloc(1, sizeof *trainer.model),
        .memory = frs_neural_cf_memory_create(&shape),
        .adam = frs_dense_adam_create(count_values(&shape, population)),
        .drawn = {.population = population, .negatives = (size_t)frs_values_int(values, "negatives")},
        .batch = (size_t)frs_values_int(values, "batch"),
        .rate = frs_values_real(values, "learning_rate")};
    trainer.users = frs_alloc(trainer.batch, sizeof *trainer.users);
    trainer.items = frs_alloc(trainer.batch, sizeof *trainer.items);
    *trainer.model = split(&shape, population, trainer.adam.x);
    trainer.gradients = split(&shape, population, trainer.adam.g);
    draw(trainer.model, population, frs_values_real(values, "init"));
    unsigned rounding = frs_flush_begin();
    for (uint32_t epoch = 0; epoch < epochs && !frs_is_stopped(stopped); epoch++) {
        frs_epoch_samples_draw(&trainer.drawn, epoch);
        pass(&trainer, stopped);
    }
    frs_flush_end(rounding);
    frs_dense_adam_fini(&trainer.adam);
    frs_epoch_samples_fini(&trainer.drawn);
    frs_neural_cf_memory_destroy(trainer.memory);
    free(trainer.users);
    free(trainer.items);
    return trainer.model;
}

static void destroy(void *memory) {
    struct frs_neural_cf *model = memory;
    free(model->users); /* the rest lies behind them */
    free(model);
}

static void score(const void *memory, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    frs_neural_cf_score(memory, client, items, n, scores);
}

static const struct frs_param params[] = {
    {.key = "dim",
        .type = FRS_INT,
        .initial = "16",
        .min = 1,
        .max = 4096,
        .help =
            "length of an embedding; users and items have one for the product and one for the perceptron"},
    {.key = "layers",
        .type = FRS_TEXT,
        .initial = "32,16,8",
        .help = "widths of the hidden layers, separated by commas; the input has 2 * dim, the output 1"},
    {.key = "epochs",
        .type = FRS_INT,
        .initial = "100",
        .min = 0,
        .max = 1e5,
        .help = "passes over the data"},
    {.key = "batch", .type = FRS_INT, .initial = "256", .min = 1, .max = 1e7, .help = "samples per step"},
    {.key = "learning_rate", .type = FRS_REAL, .initial = "0.001", .max = 10, .help = "of Adam"},
    {.key = "init",
        .type = FRS_REAL,
        .initial = "0.01",
        .max = 100,
        .help = "standard deviation of initial embeddings"},
    {.key = "negatives",
        .type = FRS_INT,
        .initial = "4",
        .min = 0,
        .max = 1000,
        .help = "negatives per positive"},
    {.key = NULL},
};

const struct frs_non_federated_model frs_non_federated_model_ncf = {
    .plugin = {.name = "ncf",
        .summary = "neural collaborative filtering with all clients' data in one place",
        .source = "He et al., WWW 2017 (its NeuMF); epochs and batch of its published code",
        .params = params},
    .check = check,
    .memory_bytes = bytes_of,
    .fit = fit,
    .destroy = destroy,
    .score = score,
};
