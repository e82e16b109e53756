/* How RFRec's model begins: its tables, settings and initial values. */
#include "algorithms/models/rfrec_model.h"
#include "algorithms/kernels/products.h"
#include "algorithms/models/rfrec_state.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <stdlib.h>

const char *const frs_rfrec_variant_names[] = {"paper", "published_code", NULL};
const char *const frs_rfrec_init_names[] = {
    [FRS_RFREC_INIT_SHARED] = "shared", [FRS_RFREC_INIT_OWN] = "own", NULL};
const char *const frs_local_step_names[] = {[FRS_STEP_EXACT] = "exact",
    [FRS_STEP_EXACT_LOCAL] = "exact_local",
    [FRS_STEP_GRADIENT] = "gradient",
    [FRS_STEP_LITERAL] = "literal",
    NULL};
const char *const frs_absent_names[] = {
    [FRS_ABSENT_STEP] = "step", [FRS_ABSENT_IDLE] = "idle", [FRS_ABSENT_RECEIVES] = "receives", NULL};
const char *const frs_clipping_names[] = {
    [FRS_CLIPPING_NONE] = "none", [FRS_CLIPPING_INITIAL] = "initial", [FRS_CLIPPING_ZERO] = "zero", NULL};

/* Without a number of rounds (tests, benchmarks) the ring is this long. */
#define SOME_ROUNDS 64u

static bool by_gradient(const struct frs_rfrec *model) {
    return model->step == FRS_STEP_GRADIENT || model->step == FRS_STEP_LITERAL;
}

/* θ = αλ/p as printed, where steps have a rate. If steps must not overshoot, θ does not go beyond the
 * average. */
static void read_move(struct frs_rfrec *model, const struct frs_values *values) {
    model->move = by_gradient(model) ? model->rate * model->lambda / model->coins.probability
                                     : frs_values_real(values, "move");
    if (model->step == FRS_STEP_GRADIENT && model->move > 1)
        model->move = 1;
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
    enum frs_clipping clipping = (enum frs_clipping)frs_values_choice(values, "clipping");
    if (clipping != FRS_CLIPPING_NONE)
        model->clip = (float)frs_values_real(values, "clip");
    model->clips_about_zero = clipping == FRS_CLIPPING_ZERO;
    model->noise = frs_values_real(values, "laplace");
    if (model->fast)
        read_move(model, values);
    bool receives = frs_values_find(values, "absent")->choice == FRS_ABSENT_RECEIVES;
    if (model->fast || model->step != FRS_STEP_EXACT || receives)
        model->steps_alone = frs_values_choice(values, "absent") != FRS_ABSENT_IDLE;
    model->receives_alone = receives;
    model->keeps_rows = model->fast || model->step != FRS_STEP_EXACT;
    model->keeps_references = model->fast || by_gradient(model);
}

/* ---- what was broadcast, as a store ---------------------------------------------------------- */

static void archive_broadcasts(void *store, struct frs_archive *archive) {
    struct frs_rfrec *model = store;
    size_t n = model->base.setup.population->n_items * model->dim;
    for (size_t slot = 0; slot < model->n_slots; slot++) {
        bool there = model->broadcasts[slot];
        frs_archive_bools(archive, &there, 1);
        if (frs_archive_loads(archive) && there != (model->broadcasts[slot] != NULL)) {
            free(model->broadcasts[slot]);
            model->broadcasts[slot] = there ? frs_alloc_aligned(n, sizeof(float)) : NULL;
        }
        if (there)
            frs_archive_bytes(archive, model->broadcasts[slot], n * sizeof(float));
    }
    frs_archive_size(archive, &model->newest);
    if (frs_archive_loads(archive) && (model->newest >= model->n_slots || !model->broadcasts[model->newest]))
        archive->in->failed = 1;
}

static void destroy_broadcasts(void *store) {
    struct frs_rfrec *model = store;
    for (size_t slot = 0; slot < model->n_slots; slot++)
        free(model->broadcasts[slot]);
    free(model->broadcasts);
    frs_row_sums_fini(&model->changes);
    free(model->start);
}

static const struct frs_store_type broadcast_store = {
    .archive = archive_broadcasts, .destroy = destroy_broadcasts};

/* ---- creation -------------------------------------------------------------------------------- */

static void declare_items(struct frs_rfrec *model, const struct frs_values *values) {
    struct frs_table items = {.name = "items",
        .rows = model->base.setup.population->n_items,
        .dim = model->dim,
        .start = FRS_NORMAL,
        .sd = frs_values_real(values, "init_sd")};
    model->items = frs_model_table(&model->base, items);
    if (model->keeps_references)
        frs_model_table(&model->base,
            (struct frs_table){
                .name = "references", .owner = FRS_OF_UPLOAD, .rows = model->n_slots, .dim = 1});
    if (model->step == FRS_STEP_LITERAL)
        return;
    float first = (float)frs_values_real(values, "first_coordinate");
    for (size_t i = 0; i < items.rows; i++)
        model->items[i * model->dim] = first;
}

/* How many of its values a client's parameters are the paper does not say. */
static void declare_clients(struct frs_rfrec *model, double sd) {
    const struct frs_population *population = model->base.setup.population;
    struct frs_table clients = {.name = "clients", .owner = FRS_OF_CLIENTS, .count_unknown = true};
    if (!model->base.setup.timing_only) {
        clients.first = model->start = frs_alloc((size_t)population->n_clients + 1, sizeof *model->start);
        for (uint32_t u = 0; u < population->n_clients; u++)
            model->start[u + 1] = model->start[u] + frs_rfrec_state_length(model, population->clients[u].n);
    }
    model->state = frs_model_table(&model->base, clients);
    for (uint32_t u = 0; model->state && u < population->n_clients; u++)
        frs_rfrec_state_begin(model, u, sd, model->state + model->start[u]);
}

void *frs_rfrec_create_as(bool fast, const struct frs_values *values, const struct frs_learner_setup *setup,
    struct frs_errors *errors) {
    struct frs_rfrec *model = frs_model_create(sizeof *model, setup);
    model->fast = fast;
    if (fast && !frs_rfrecf_read_coins(&model->coins, "coin", values, setup->population->seed, errors)) {
        frs_model_destroy(model);
        return NULL;
    }
    read_settings(model, values);
    model->n_slots = 1 + (setup->n_rounds > 0 ? setup->n_rounds : SOME_ROUNDS);
    model->broadcasts = frs_alloc(model->n_slots, sizeof *model->broadcasts);
    declare_items(model, values);
    frs_row_sums_init(&model->changes, setup->population->n_items, model->dim);
    frs_rfrec_broadcast(model, UINT32_MAX, &(struct frs_tables){.part = {model->items}});
    declare_clients(model, frs_values_real(values, "init_sd"));
    frs_model_store(&model->base, (struct frs_store){.type = &broadcast_store, .self = model});
    return model;
}

bool frs_rfrec_steps_alone(const void *context, uint32_t round) {
    const struct frs_rfrec *model = context;
    return model->steps_alone && (!model->fast || frs_rfrecf_course(model, round).trains);
}

void frs_rfrec_score(const void *context, const struct frs_tables *held, uint32_t client,
    const uint32_t *items, size_t n, float *scores) {
    const struct frs_rfrec *model = context;
    frs_table_products(model->state + model->start[client], model->dim, held->part[0], items, n, 0, scores);
}
