#include "algorithms/learners/rfrec_model.h"
#include "algorithms/learners/mf_local.h"
#include "algorithms/learners/rfrec_state.h"
#include "sim/base/memory.h"
#include "sim/base/rng.h"

#include <stdlib.h>
#include <string.h>

const char *const frs_rfrec_variant_names[] = {"paper", "published_code", NULL};
const char *const frs_rfrec_init_names[] = {"shared", "own", NULL};
const char *const frs_local_step_names[] = {[FRS_STEP_EXACT] = "exact",
    [FRS_STEP_EXACT_LOCAL] = "exact_local",
    [FRS_STEP_GRADIENT] = "gradient",
    [FRS_STEP_LITERAL] = "literal",
    NULL};
const char *const frs_absent_names[] = {"step", "idle", NULL};
const char *const frs_clipping_names[] = {"none", "initial", "zero", NULL};

/* Without a number of rounds (tests, benchmarks) the ring is this long. */
#define SOME_ROUNDS 64u

static bool by_gradient(const struct frs_rfrec *model) {
    return model->step == FRS_STEP_GRADIENT || model->step == FRS_STEP_LITERAL;
}

/* θ = αλ/p as printed, where steps have a rate. */
static void read_coin(struct frs_rfrec *model, const struct frs_values *values) {
    model->coin = frs_values_real(values, "coin");
    model->move =
        by_gradient(model) ? model->rate * model->lambda / model->coin : frs_values_real(values, "move");
}

/* RFRecF has fewer steps to learn from, and shorter vectors. */
static double read_lambda_user(const struct frs_rfrec *model, const struct frs_values *values) {
    double lambda_user = frs_values_real(values, "lambda_user");
    return lambda_user >= 0 ? lambda_user : model->fast ? 1 : 3;
}

static void read_settings(struct frs_rfrec *model, const struct frs_values *values) {
    model->dim = (size_t)frs_values_int(values, "dim");
    model->step = (enum frs_local_step)frs_values_choice(values, "local_step");
    model->lambda = frs_values_real(values, "lambda");
    model->lambda_user = read_lambda_user(model, values);
    if (by_gradient(model))
        model->rate = frs_values_real(values, "learning_rate");
    size_t clipping = frs_values_choice(values, "clipping");
    if (clipping > 0)
        model->clip = (float)frs_values_real(values, "clip");
    model->clips_about_zero = clipping == 2;
    model->noise = frs_values_real(values, "laplace");
    if (model->fast)
        read_coin(model, values);
    if (model->fast || model->step != FRS_STEP_EXACT)
        model->steps_alone = frs_values_choice(values, "absent") == 0;
    model->keeps_rows = model->fast || model->step != FRS_STEP_EXACT;
    model->keeps_references = model->fast || by_gradient(model);
}

static void init_items(struct frs_rfrec *model, const struct frs_values *values, double sd) {
    const struct frs_population *population = model->setup.population;
    size_t n = population->n_items * model->dim;
    model->items = frs_alloc_aligned(n, sizeof *model->items);
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_INIT);
    frs_rng_fill_normal(&rng, model->items, n, sd);
    if (model->step == FRS_STEP_LITERAL)
        return;
    float first = (float)frs_values_real(values, "first_coordinate");
    for (size_t i = 0; i < n; i += model->dim)
        model->items[i] = first;
}

static void init_clients(struct frs_rfrec *model, double sd) {
    const struct frs_population *population = model->setup.population;
    model->start = frs_alloc((size_t)population->n_clients + 1, sizeof *model->start);
    for (uint32_t u = 0; u < population->n_clients; u++)
        model->start[u + 1] = model->start[u] + frs_rfrec_state_length(model, population->clients[u].n);
    model->state = frs_alloc_aligned(model->start[population->n_clients], sizeof *model->state);
    for (uint32_t u = 0; u < population->n_clients; u++)
        frs_rfrec_state_begin(model, u, sd, model->state + model->start[u]);
}

void *frs_rfrec_create_as(bool fast, const struct frs_values *values, const struct frs_learner_setup *setup) {
    struct frs_rfrec *model = frs_alloc(1, sizeof *model);
    model->fast = fast;
    double sd = frs_values_real(values, "init_sd");
    model->setup = *setup;
    read_settings(model, values);
    init_items(model, values, sd);
    frs_row_sums_init(&model->changes, setup->population->n_items, model->dim);
    model->n_slots = 1 + (setup->n_rounds > 0 ? setup->n_rounds : SOME_ROUNDS);
    model->broadcasts = frs_alloc(model->n_slots, sizeof *model->broadcasts);
    frs_rfrec_broadcast(model, UINT32_MAX, &(struct frs_tables){.part = {model->items}});
    if (!setup->timing_only)
        init_clients(model, sd);
    return model;
}

void frs_rfrec_destroy(void *context) {
    struct frs_rfrec *model = context;
    for (size_t slot = 0; slot < model->n_slots; slot++)
        free(model->broadcasts[slot]);
    free(model->broadcasts);
    frs_row_sums_fini(&model->changes);
    free(model->items);
    free(model->state);
    free(model->start);
    free(model);
}

size_t frs_rfrec_parts(const void *context, enum frs_payload payload, struct frs_part *out) {
    const struct frs_rfrec *model = context;
    out[0] =
        (struct frs_part){.name = "items", .n_rows = model->setup.population->n_items, .dim = model->dim};
    out[1] = (struct frs_part){.name = "references", .n_rows = model->n_slots, .dim = 1};
    return payload == FRS_UPLOAD && model->keeps_references ? 2 : 1;
}

struct frs_tables frs_rfrec_tables(const void *context) {
    const struct frs_rfrec *model = context;
    return (struct frs_tables){.part = {model->items}};
}

bool frs_rfrec_steps_alone(const void *context, uint32_t round) {
    const struct frs_rfrec *model = context;
    return model->steps_alone && (!model->fast || frs_rfrecf_course(model, round).trains);
}

void frs_rfrec_commit(void *context, uint32_t client, const void *private_state, size_t private_bytes) {
    struct frs_rfrec *model = context;
    memcpy(model->state + model->start[client], private_state, private_bytes);
}

static void archive_broadcasts(struct frs_rfrec *model, struct frs_archive *archive) {
    size_t bytes = model->setup.population->n_items * model->dim * sizeof(float);
    for (size_t slot = 0; slot < model->n_slots; slot++) {
        bool there = model->broadcasts[slot];
        frs_archive_bools(archive, &there, 1);
        if (frs_archive_loads(archive) && there != (model->broadcasts[slot] != NULL)) {
            free(model->broadcasts[slot]);
            model->broadcasts[slot] = there ? frs_alloc_aligned(bytes / sizeof(float), sizeof(float)) : NULL;
        }
        if (there)
            frs_archive_bytes(archive, model->broadcasts[slot], bytes);
    }
    frs_archive_size(archive, &model->newest);
    if (frs_archive_loads(archive) && (model->newest >= model->n_slots || !model->broadcasts[model->newest]))
        archive->in->failed = 1;
}

void frs_rfrec_archive(void *context, struct frs_archive *archive) {
    struct frs_rfrec *model = context;
    const struct frs_population *population = model->setup.population;
    frs_archive_bytes(archive, model->items, population->n_items * model->dim * sizeof *model->items);
    if (model->state)
        frs_archive_bytes(archive, model->state, model->start[population->n_clients] * sizeof *model->state);
    archive_broadcasts(model, archive);
}

void frs_rfrec_score(const void *context, const struct frs_tables *held, uint32_t client,
    const uint32_t *items, size_t n, float *scores) {
    const struct frs_rfrec *model = context;
    frs_mf_score(model->state + model->start[client], held->part[0], model->dim, items, n, scores);
}
