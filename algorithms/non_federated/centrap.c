/* CentRAP (the centralised row of FedRAP's tables 3 and 4): FedRAP's equation 3 over all users in one loop.
 * The shared table C, and a user vector u and an item table D of each user, with all data in one place:
 *
 *     score(u, j) = u_u · (d_uj + c_j)
 *     loss = Σ BCE − λ Σ ‖d_uj − c_j‖² + μ Σ ‖c_j‖₁,  λ, μ = v₁, v₂ · tanh(epoch / 10)
 *
 * Batches over the samples of all users, plain gradient steps by the sum over a batch. The two penalties
 * act where a sample is, on its d_uj and c_j: over all n · m rows at every step, −λ‖D − C‖² has no lower
 * bound and drives rows without data apart. The step of μ is a soft threshold, as that of FedRAP. */
#include "algorithms/kernels/flush.h"
#include "algorithms/non_federated.h"
#include "algorithms/non_federated/epoch_samples.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/levels.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LOGIT 80.0f

struct model {
    uint32_t n_items;
    size_t dim;
    float *shared; /* C [n_items × dim] */
    float *users;  /* [n_users × dim] */
    float *own;    /* D [n_users × n_items × dim] */
};

/* Moves of a batch, applied after it. */
struct trainer {
    struct model *model;
    size_t batch;
    float rate, user_rate, lambda, mu;
    float *moves; /* [batch × 3 · dim] of u, d and c of each sample */
    struct frs_epoch_samples drawn;
};

static double bytes_of(const struct frs_values *values, const struct frs_population *population) {
    double dim = (double)frs_values_int(values, "dim"), users = population->n_clients,
           items = population->n_items, batch = (double)frs_values_int(values, "batch");
    return 4 * dim * (users * items + users + items + 3 * batch) +
           frs_epoch_samples_bytes(population, (size_t)frs_values_int(values, "negatives"));
}

static float *own_row(const struct model *model, uint32_t user, uint32_t item) {
    return model->own + ((size_t)user * model->n_items + item) * model->dim;
}

static float find_score(const struct model *model, uint32_t user, uint32_t item) {
    const float *u = model->users + user * model->dim, *c = model->shared + item * model->dim,
                *d = own_row(model, user, item);
    float score = 0;
    for (size_t k = 0; k < model->dim; k++)
        score += u[k] * (d[k] + c[k]);
    return score;
}

/* What a sample asks for, from the values before the batch. */
FRS_CLONES static void find_moves(
    const struct trainer *trainer, const struct frs_sample *sample, float error, float *restrict moves) {
    const struct model *model = trainer->model;
    size_t dim = model->dim;
    const float *restrict u = model->users + sample->user * dim;
    const float *restrict c = model->shared + (sample->item >> 1) * dim;
    const float *restrict d = own_row(model, sample->user, sample->item >> 1);
    for (size_t k = 0; k < dim; k++) {
        float apart = 2 * trainer->lambda * (d[k] - c[k]);
        moves[k] = trainer->user_rate * error * (d[k] + c[k]);
        moves[dim + k] = trainer->rate * (error * u[k] - apart);
        moves[2 * dim + k] = trainer->rate * (error * u[k] + apart);
    }
}

static float shrink(float x, float by) {
    return x > by ? x - by : x < -by ? x + by : 0;
}

static void apply(const struct trainer *trainer, const struct frs_sample *sample, const float *moves) {
    const struct model *model = trainer->model;
    size_t dim = model->dim;
    float *u = model->users + sample->user * dim, *c = model->shared + (sample->item >> 1) * dim,
          *d = own_row(model, sample->user, sample->item >> 1), threshold = trainer->rate * trainer->mu;
    for (size_t k = 0; k < dim; k++) {
        u[k] -= moves[k];
        d[k] -= moves[dim + k];
        c[k] = shrink(c[k] - moves[2 * dim + k], threshold);
    }
}

static void step(struct trainer *trainer, const struct frs_sample *samples, size_t n) {
    size_t width = 3 * trainer->model->dim;
    for (size_t i = 0; i < n; i++) {
        float score = find_score(trainer->model, samples[i].user, samples[i].item >> 1);
        score = score > MAX_LOGIT ? MAX_LOGIT : score < -MAX_LOGIT ? -MAX_LOGIT : score;
        float error = 1 / (1 + expf(-score)) - (float)(samples[i].item & 1);
        find_moves(trainer, &samples[i], error, trainer->moves + i * width);
    }
    for (size_t i = 0; i < n; i++)
        apply(trainer, &samples[i], trainer->moves + i * width);
}

static void pass(struct trainer *trainer, const atomic_bool *stopped) {
    for (size_t at = 0; at < trainer->drawn.n && !frs_is_stopped(stopped); at += trainer->batch) {
        size_t left = trainer->drawn.n - at;
        step(trainer, trainer->drawn.samples + at, left < trainer->batch ? left : trainer->batch);
    }
}

static struct model *make_model(const struct frs_values *values, const struct frs_population *population) {
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_NON_FEDERATED);
    size_t dim = (size_t)frs_values_int(values, "dim"), n_items = population->n_items,
           n_users = population->n_clients;
    double sd = frs_values_real(values, "init");
    struct model *model = frs_alloc(1, sizeof *model);
    frs_memory_require(n_users * n_items * dim, sizeof(float));
    *model = (struct model){.n_items = population->n_items,
        .dim = dim,
        .shared = frs_alloc_aligned(n_items * dim, sizeof(float)),
        .users = frs_alloc_aligned(n_users * dim, sizeof(float)),
        .own = frs_alloc_aligned(n_users * n_items * dim, sizeof(float))};
    frs_rng_fill_normal(&rng, model->shared, n_items * dim, sd);
    frs_rng_fill_normal(&rng, model->users, n_users * dim, frs_values_real(values, "user_init"));
    for (uint32_t user = 0; user < n_users; user++) {
        struct frs_rng own = frs_rng_stream(population->seed, user, 0, 3, FRS_RNG_NON_FEDERATED);
        frs_rng_fill_normal(&own, own_row(model, user, 0), n_items * dim, sd);
    }
    return model;
}

static void *fit(
    const struct frs_values *values, const struct frs_population *population, const atomic_bool *stopped) {
    uint32_t epochs = (uint32_t)frs_values_int(values, "epochs");
    double v1 = frs_values_real(values, "lambda"), v2 = frs_values_real(values, "mu");
    struct trainer trainer = {.model = make_model(values, population),
        .batch = (size_t)frs_values_int(values, "batch"),
        .rate = (float)frs_values_real(values, "learning_rate"),
        .user_rate = (float)frs_values_real(values, "user_learning_rate"),
        .drawn = {.population = population, .negatives = (size_t)frs_values_int(values, "negatives")}};
    trainer.moves = frs_alloc_aligned(trainer.batch * 3 * trainer.model->dim, sizeof(float));
    unsigned rounding = frs_flush_begin();
    for (uint32_t epoch = 0; epoch < epochs && !frs_is_stopped(stopped); epoch++) {
        trainer.lambda = (float)(v1 * tanh((epoch + 1) / 10.0));
        trainer.mu = (float)(v2 * tanh((epoch + 1) / 10.0));
        frs_epoch_samples_draw(&trainer.drawn, epoch);
        pass(&trainer, stopped);
    }
    frs_flush_end(rounding);
    free(trainer.moves);
    frs_epoch_samples_fini(&trainer.drawn);
    return trainer.model;
}

static void destroy(void *memory) {
    struct model *model = memory;
    free(model->shared);
    free(model->users);
    free(model->own);
    free(model);
}

static void score(const void *memory, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    for (size_t i = 0; i < n; i++)
        scores[i] = find_score(memory, client, items[i]);
}

static const struct frs_param params[] = {
    {.key = "dim",
        .type = FRS_INT,
        .initial = "32",
        .min = 1,
        .max = 4096,
        .help = "length of a vector; the tables of all users are users * items * dim * 4 bytes"},
    {.key = "epochs",
        .type = FRS_INT,
        .initial = "100",
        .min = 0,
        .max = 1e5,
        .help = "passes over the data"},
    {.key = "batch", .type = FRS_INT, .initial = "2048", .min = 1, .max = 1e6, .help = "samples per step"},
    {.key = "learning_rate",
        .type = FRS_REAL,
        .initial = "0.1",
        .max = 10,
        .help = "of both item tables; steps follow the sum over a batch"},
    {.key = "user_learning_rate", .type = FRS_REAL, .initial = "0.01", .max = 10, .help = "of user vectors"},
    {.key = "lambda",
        .type = FRS_REAL,
        .initial = "1e-3",
        .max = 10,
        .help = "v1, the final weight that pushes the tables of a user and of all apart"},
    {.key = "mu",
        .type = FRS_REAL,
        .initial = "1e-3",
        .max = 10,
        .help = "v2, the final weight of the sum of absolute values of the shared table"},
    {.key = "init",
        .type = FRS_REAL,
        .initial = "0.1",
        .max = 100,
        .help = "standard deviation of the initial item tables"},
    {.key = "user_init",
        .type = FRS_REAL,
        .initial = "0.3",
        .max = 100,
        .help = "standard deviation of initial user vectors"},
    {.key = "negatives",
        .type = FRS_INT,
        .initial = "4",
        .min = 0,
        .max = 1000,
        .help = "negatives per positive"},
    {.key = NULL},
};

const struct frs_non_federated_model frs_non_federated_model_centrap = {
    .plugin = {.name = "centrap",
        .summary = "FedRAP's objective over all users in one loop: a shared item table and one of each user",
        .source = "Li et al., ICLR 2024 (FedRAP), tables 3 and 4; rates and initial values of FedRAP here",
        .params = params},
    .memory_bytes = bytes_of,
    .fit = fit,
    .destroy = destroy,
    .score = score,
};
