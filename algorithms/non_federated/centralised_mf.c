/* Centralised MF: matrix factorisation with all data in one place, which a federated method gives up.
 *
 *     score(u, i) = p_u · q_i,  loss = mean over a batch of BCE(σ(p_u · q_i), label) + l2/2 (‖p_u‖² +
 *     ‖q_i‖²)
 *
 * Sequential Adam (Kingma & Ba, ICLR 2015) over the rows that a batch touches; a row's moments rest while
 * it is not touched. Negatives are redrawn every epoch, distinct within one positive, from outside the
 * user's excluded items; positives and negatives are shuffled together. */
#include "algorithms/kernels/flush.h"
#include "algorithms/kernels/products.h"
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
#define BETA1 0.9f
#define BETA2 0.999f
#define EPSILON 1e-8f

struct model {
    size_t dim;
    float *users; /* [n_clients × dim] */
    float *items; /* [n_items × dim] */
};

/* One embedding table in training: every array is [rows × dim] but `touched` and `is_touched`. */
struct table {
    float *values, *gradient, *first, *second;
    uint32_t *touched; /* rows with a gradient in this batch */
    size_t n_touched;
    uint8_t *is_touched; /* [rows] */
};

struct trainer {
    size_t dim, batch, epochs;
    float learning_rate, l2;
    struct table users, items;
    struct frs_epoch_samples drawn;
    size_t step;
};

static float sigmoid(float logit) {
    float clamped = logit > MAX_LOGIT ? MAX_LOGIT : logit < -MAX_LOGIT ? -MAX_LOGIT : logit;
    return 1 / (1 + expf(-clamped));
}

static void table_init(struct table *table, size_t rows, size_t dim, double sd, struct frs_rng *rng) {
    table->values = frs_alloc_aligned(rows * dim, sizeof(float));
    table->gradient = frs_alloc_aligned(rows * dim, sizeof(float));
    table->first = frs_alloc_aligned(rows * dim, sizeof(float));
    table->second = frs_alloc_aligned(rows * dim, sizeof(float));
    table->touched = frs_alloc(rows, sizeof *table->touched);
    table->is_touched = frs_alloc(rows, 1);
    frs_rng_fill_normal(rng, table->values, rows * dim, sd);
}

/* All but the values. */
static void table_fini(struct table *table) {
    free(table->gradient);
    free(table->first);
    free(table->second);
    free(table->touched);
    free(table->is_touched);
}

static void touch(struct table *table, uint32_t row) {
    if (table->is_touched[row])
        return;
    table->is_touched[row] = 1;
    table->touched[table->n_touched++] = row;
}

/* Rows of a table take their steps; gradients are used up. */
FRS_CLONES static void step_rows(
    const struct trainer *trainer, const struct table *table, float rate, float scale) {
    for (size_t i = 0; i < table->n_touched; i++) {
        size_t begin = table->touched[i] * trainer->dim;
        float *restrict values = table->values + begin, *restrict gradient = table->gradient + begin;
        float *restrict first = table->first + begin, *restrict second = table->second + begin;
        for (size_t d = 0; d < trainer->dim; d++) {
            float g = gradient[d];
            first[d] = BETA1 * first[d] + (1 - BETA1) * g;
            second[d] = BETA2 * second[d] + (1 - BETA2) * g * g;
            values[d] -= rate * first[d] / (sqrtf(second[d]) * scale + EPSILON);
            gradient[d] = 0;
        }
    }
}

/* Adam with bias correction: rate = η / (1 − β₁^t), scale = 1 / √(1 − β₂^t). */
static void step_table(const struct trainer *trainer, struct table *table) {
    double t = (double)trainer->step;
    float rate = (float)(trainer->learning_rate / (1 - pow(BETA1, t)));
    float scale = (float)(1 / sqrt(1 - pow(BETA2, t)));
    step_rows(trainer, table, rate, scale);
    for (size_t i = 0; i < table->n_touched; i++)
        table->is_touched[table->touched[i]] = 0;
    table->n_touched = 0;
}

/* Logits of several samples at once, because the next summand of one has to wait for the one before. */
#define ABREAST 8u

static void find_logits(const struct trainer *trainer, const struct frs_sample *samples, float *logits) {
    const float *p[ABREAST], *q[ABREAST];
    size_t dim = trainer->dim;
    for (size_t i = 0; i < ABREAST; i++) {
        p[i] = trainer->users.values + samples[i].user * dim;
        q[i] = trainer->items.values + (samples[i].item >> 1) * dim;
        logits[i] = 0;
    }
    for (size_t d = 0; d < dim; d++)
        for (size_t i = 0; i < ABREAST; i++)
            logits[i] += p[i][d] * q[i][d];
}

static float find_logit(const struct trainer *trainer, const struct frs_sample *sample) {
    const float *p = trainer->users.values + sample->user * trainer->dim;
    const float *q = trainer->items.values + (sample->item >> 1) * trainer->dim;
    float logit = 0;
    for (size_t d = 0; d < trainer->dim; d++)
        logit += p[d] * q[d];
    return logit;
}

/* Values stay as they are until the step, gradients are added in the order of the samples. */
FRS_CLONES static void add_gradients(const struct trainer *trainer, const struct frs_sample *samples,
    size_t n, const float *errors, float decay) {
    size_t dim = trainer->dim;
    for (size_t i = 0; i < n; i++) {
        size_t user = samples[i].user * dim, item = (samples[i].item >> 1) * dim;
        const float *restrict p = trainer->users.values + user, *restrict q = trainer->items.values + item;
        float *restrict gp = trainer->users.gradient + user, *restrict gq = trainer->items.gradient + item;
        for (size_t d = 0; d < dim; d++) {
            gp[d] += errors[i] * q[d] + decay * p[d];
            gq[d] += errors[i] * p[d] + decay * q[d];
        }
    }
}

static void add_samples(struct trainer *trainer, const struct frs_sample *samples, size_t n, float weight) {
    float errors[ABREAST];
    if (n == ABREAST)
        find_logits(trainer, samples, errors);
    for (size_t i = 0; i < n; i++) {
        float logit = n == ABREAST ? errors[i] : find_logit(trainer, &samples[i]);
        errors[i] = weight * (sigmoid(logit) - (float)(samples[i].item & 1));
        touch(&trainer->users, samples[i].user);
        touch(&trainer->items, samples[i].item >> 1);
    }
    add_gradients(trainer, samples, n, errors, weight * trainer->l2);
}

static void train_epoch(struct trainer *trainer) {
    for (size_t begin = 0; begin < trainer->drawn.n; begin += trainer->batch) {
        size_t end = begin + trainer->batch;
        end = end < trainer->drawn.n ? end : trainer->drawn.n;
        for (size_t i = begin; i < end; i += ABREAST)
            add_samples(trainer, trainer->drawn.samples + i, end - i < ABREAST ? end - i : ABREAST,
                1 / (float)(end - begin));
        trainer->step++;
        step_table(trainer, &trainer->users);
        step_table(trainer, &trainer->items);
    }
}

static void *fit(
    const struct frs_values *values, const struct frs_population *population, const atomic_bool *stopped) {
    struct trainer trainer = {
        .dim = (size_t)frs_values_int(values, "dim"),
        .batch = (size_t)frs_values_int(values, "batch"),
        .epochs = (size_t)frs_values_int(values, "epochs"),
        .learning_rate = (float)frs_values_real(values, "learning_rate"),
        .l2 = (float)frs_values_real(values, "l2"),
        .drawn = {.population = population, .negatives = (size_t)frs_values_int(values, "negatives")},
    };
    double sd = frs_values_real(values, "init");
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_NON_FEDERATED);
    table_init(&trainer.items, population->n_items, trainer.dim, sd, &rng);
    table_init(&trainer.users, population->n_clients, trainer.dim, sd, &rng);
    unsigned rounding = frs_flush_begin();
    for (uint32_t epoch = 0; epoch < trainer.epochs && !frs_is_stopped(stopped); epoch++) {
        frs_epoch_samples_draw(&trainer.drawn, epoch);
        train_epoch(&trainer);
    }
    frs_flush_end(rounding);
    struct model *model = frs_alloc(1, sizeof *model);
    *model = (struct model){trainer.dim, trainer.users.values, trainer.items.values};
    table_fini(&trainer.users);
    table_fini(&trainer.items);
    frs_epoch_samples_fini(&trainer.drawn);
    return model;
}

static void destroy(void *memory) {
    struct model *model = memory;
    free(model->users);
    free(model->items);
    free(model);
}

static void score(const void *memory, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    const struct model *model = memory;
    frs_table_products(model->users + client * model->dim, model->dim, model->items, items, n, 0, scores);
}

static const struct frs_param params[] = {
    {.key = "dim", .type = FRS_INT, .initial = "16", .min = 1, .max = 4096, .help = "length of an embedding"},
    {.key = "epochs", .type = FRS_INT, .initial = "40", .min = 0, .max = 1e5, .help = "passes over the data"},
    {.key = "batch", .type = FRS_INT, .initial = "1024", .min = 1, .max = 1e7, .help = "samples per step"},
    {.key = "learning_rate", .type = FRS_REAL, .initial = "0.005", .max = 10, .help = "of Adam"},
    {.key = "l2",
        .type = FRS_REAL,
        .initial = "0.02",
        .max = 10,
        .help = "weight decay per occurrence in a batch"},
    {.key = "init",
        .type = FRS_REAL,
        .initial = "0.1",
        .max = 100,
        .help = "standard deviation of initial values"},
    {.key = "negatives",
        .type = FRS_INT,
        .initial = "4",
        .min = 0,
        .max = 1000,
        .help = "negatives per positive"},
    {.key = NULL},
};

const struct frs_non_federated_model frs_non_federated_model_centralised_mf = {
    .plugin = {.name = "centralised_mf",
        .summary = "matrix factorisation with all clients' data in one place",
        .source = "He et al., WWW 2017 (its GMF), Adam",
        .params = params},
    .fit = fit,
    .destroy = destroy,
    .score = score,
};
