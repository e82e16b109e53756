/* PFedCLR: personalised tables by calibration with low-rank matrices (algorithm 1 of the paper;
 * algorithms.md, section 8).
 *
 * Step 1: p_u frozen, Q trained from the received table gives Q_u, which is uploaded. Step 2: Q_u frozen,
 * p_u, A_u [n_items × rank] and B_u [rank × dim] trained with the table Q_u + A_u B_u. A_u starts at zero,
 * B_u at N(0, 1); both stay with the client. The server averages Q_u. A client predicts with its own Q_u +
 * A_u B_u. Step 2 comes after the upload (post_flop): everything a client keeps commits when it has ended. A
 * client that has to end early runs as many epochs of each step.
 *
 * With p_u frozen and a fresh Adam, Q_u differs from the received table by one number per item times
 * sign(p_u), but for Adam's ε. epsilon = relative takes ε relative to |p_k|, which makes it exact, lets step
 * 1 run on scalars, and the upload travel as these numbers (codec rank_one).
 *
 * Ablations: cf, step 2 trains p_u and a full W_u in place of A_u B_u; af, step 1 trains Q and p_u, step 2
 * W_u alone. The paper's figure for AF has not been reproduced by any reading. */
#include "algorithms/aggregation.h"
#include "algorithms/kernels/columns.h"
#include "algorithms/kernels/sign_adam.h"
#include "algorithms/learner.h"
#include "algorithms/learners/client_rows.h"
#include "algorithms/learners/mf_local.h"
#include "algorithms/learners/own_tables.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum epsilon { ABSOLUTE, RELATIVE };
enum ablation { NONE, CF, AF, AF_RESET };

struct pfedclr {
    struct frs_mf_settings settings;
    enum frs_weighting weighting;
    enum epsilon epsilon;
    enum ablation ablation;
    size_t rank; /* columns of A, or of W: dim */
    float calibration_rate;
    double laplace;
    struct frs_learner_setup setup;
    float *items; /* Q [n_items × dim] */
    /* Private states; NULL when only timing is asked for. */
    float *users;                       /* p [n_clients × dim] */
    float *projections;                 /* Bᵀ [n_clients × dim × rank]; NULL under an ablation */
    struct frs_client_rows *calibrated; /* [n_clients] A, or W, by the rows touched so far */
    struct frs_own_tables *own;         /* Q_u */
};

static const char *const epsilon_names[] = {[ABSOLUTE] = "absolute", [RELATIVE] = "relative", NULL};
static const char *const ablation_names[] = {
    [NONE] = "none", [CF] = "cf", [AF] = "af", [AF_RESET] = "af_reset", NULL};

static const struct frs_param params[] = {
    {.key = "rank",
        .type = FRS_INT,
        .initial = "2",
        .min = 1,
        .max = 4096,
        .help = "rank r of the private matrices A_u and B_u; at most dim"},
    {.key = "ablation",
        .type = FRS_CHOICE,
        .initial = "none",
        .choices = ablation_names,
        .help =
            "none, or a full matrix W_u for A_u B_u: cf trains it with p_u; af trains p_u with Q instead; "
            "af_reset is af with W_u from zero in every participation"},
    {.key = "epsilon",
        .type = FRS_CHOICE,
        .initial = "absolute",
        .choices = epsilon_names,
        .help =
            "ε of Adam in step 1: absolute (as usual), or relative to |p_k|: the upload is then one number "
            "per item times sign(p_u), and faster to train"},
    {.key = "calibration_rate",
        .type = FRS_REAL,
        .initial = "1e-4",
        .min = -1,
        .max = 1e6,
        .help = "step size of A_u and B_u, or of W_u; -1: the same as learning_rate, as the paper has it"},
    {.key = "projection_init_sd",
        .type = FRS_REAL,
        .initial = "1",
        .min = 0,
        .max = 1e3,
        .help = "standard deviation of the initial B_u"},
    {.key = "laplace",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 1e6,
        .help = "scale of the Laplace noise a client adds to every entry of its upload (nothing is clipped); "
                "0: none"},
    FRS_MF_PARAMS("16", "10", "adam", "0.01", "batch_mean", "0", "1", "shared"),
    {.key = "aggregation",
        .type = FRS_CHOICE,
        .initial = "data_size",
        .choices = frs_weighting_names,
        .help =
            "weight of an upload: data_size, uniform, or per_item over the clients that changed the item"},
    {0},
};

static void init_private(struct pfedclr *model, double projection_sd) {
    const struct frs_population *population = model->setup.population;
    size_t n = population->n_clients, size = model->settings.dim * model->rank;
    model->users = frs_mf_init_users(&model->settings, n, population->seed);
    model->calibrated = frs_alloc(n, sizeof *model->calibrated);
    model->own = frs_own_tables_create(n, population->n_items, model->settings.dim);
    if (model->ablation != NONE)
        return;
    model->projections = frs_alloc_aligned(n * size, sizeof *model->projections);
    for (size_t u = 0; u < n; u++) { /* attempt 1 of this purpose; user vectors are attempt 0 */
        struct frs_rng rng = frs_rng_stream(population->seed, (uint32_t)u, 0, 1, FRS_RNG_INIT_PRIVATE);
        frs_rng_fill_normal(&rng, model->projections + u * size, size, projection_sd);
    }
}

/* What no single key's range can exclude. */
static bool is_refused(
    const struct frs_values *values, const struct pfedclr *model, struct frs_errors *errors) {
    size_t before = errors->n;
    if (model->rank > model->settings.dim)
        frs_values_error(values, "rank", errors, "%zu is larger than dim (%zu); allowed: at most dim",
            model->rank, model->settings.dim);
    if (model->epsilon == RELATIVE && model->settings.local.weight_decay > 0)
        frs_values_error(values, "epsilon", errors,
            "relative has no meaning under weight decay: rows would not move along sign(p_u)");
    if (model->epsilon == RELATIVE && (model->ablation == AF || model->ablation == AF_RESET))
        frs_values_error(values, "epsilon", errors,
            "relative has no meaning under ablation %s, whose step 1 trains p_u; allowed: none, cf",
            ablation_names[model->ablation]);
    return errors->n > before;
}

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct pfedclr *model = frs_alloc(1, sizeof *model);
    double rate = frs_values_real(values, "calibration_rate");
    *model = (struct pfedclr){.settings = frs_mf_settings_read(values),
        .ablation = (enum ablation)frs_values_choice(values, "ablation"),
        .laplace = frs_values_real(values, "laplace"),
        .setup = *setup};
    if (!setup->weighted)
        model->weighting = (enum frs_weighting)frs_values_choice(values, "aggregation");
    bool adam = model->settings.local.optimiser == FRS_ADAM;
    model->epsilon = adam ? (enum epsilon)frs_values_choice(values, "epsilon") : ABSOLUTE;
    model->calibration_rate = rate < 0 ? model->settings.local.item_rate : (float)rate;
    model->rank = model->ablation == NONE ? (size_t)frs_values_int(values, "rank") : model->settings.dim;
    if (is_refused(values, model, errors)) {
        free(model);
        return NULL;
    }
    double projection_sd = model->ablation == NONE ? frs_values_real(values, "projection_init_sd") : 0;
    const struct frs_population *population = setup->population;
    model->items = frs_mf_init_items(&model->settings, population->n_items, population->seed);
    if (!setup->timing_only)
        init_private(model, projection_sd);
    return model;
}

static void destroy(void *context) {
    struct pfedclr *model = context;
    for (size_t u = 0; model->calibrated && u < model->setup.population->n_clients; u++)
        frs_client_rows_fini(&model->calibrated[u]);
    frs_own_tables_destroy(model->own);
    free(model->calibrated);
    free(model->projections);
    free(model->users);
    free(model->items);
    free(model);
}

static size_t parts(const void *context, enum frs_payload payload, struct frs_part *out) {
    (void)payload;
    const struct pfedclr *model = context;
    out[0] = (struct frs_part){
        .name = "items", .n_rows = model->setup.population->n_items, .dim = model->settings.dim};
    return 1;
}

/* p_u, B_u, and A_u or W_u. */
static size_t private_values(const void *context) {
    const struct pfedclr *model = context;
    size_t dim = model->settings.dim, own = model->ablation == NONE ? dim * model->rank : 0;
    return dim + own + model->rank * model->setup.population->n_items;
}

static struct frs_tables tables(const void *context) {
    const struct pfedclr *model = context;
    return (struct frs_tables){.part = {model->items}};
}

/* --- one participation --- */

static struct frs_bce_mf_settings limited(const struct pfedclr *model, const struct frs_mf_local *local) {
    struct frs_bce_mf_settings settings = model->settings.local;
    if (local->epochs > 0 && local->epochs < settings.epochs)
        settings.epochs = local->epochs;
    return settings;
}

/* Step 1: the received rows become those of Q_u, in place. */
static struct frs_bce_mf_result train_items(
    const struct pfedclr *model, struct frs_mf_local *local, float *rows, struct frs_arena *arena) {
    struct frs_bce_mf_settings settings = limited(model, local);
    struct frs_bce_mf *mf = &local->mf;
    if (model->ablation == NONE || model->ablation == CF)
        settings.user_rate = 0;
    if (settings.user_rate <= 0 && settings.optimiser == FRS_ADAM && settings.weight_decay <= 0) {
        struct frs_sign_adam signs = {mf->dim, mf->n_rows, rows, mf->p, model->epsilon == RELATIVE};
        return frs_sign_adam_train(&signs, &local->samples, &settings, &local->shuffle, arena);
    }
    mf->rows = rows;
    struct frs_bce_mf_result result =
        frs_bce_mf_train(mf, &local->samples, &settings, &local->shuffle, arena);
    mf->rows = NULL;
    return result;
}

/* What step 2 begins with: A_u and B_u, dimension-major, or W_u in rows. */
static void take_calibration(
    const struct pfedclr *model, uint32_t client, struct frs_mf_local *local, struct frs_arena *arena) {
    struct frs_bce_mf *mf = &local->mf;
    const struct frs_client_rows *kept = &model->calibrated[client];
    const uint32_t *ids = local->samples.ids;
    size_t size = mf->dim * model->rank, pitch = frs_lanes_pad(mf->dim);
    if (!model->projections) {
        mf->rows = frs_arena_take_zeroed(arena, mf->n_rows * pitch, sizeof(float));
        if (model->ablation != AF_RESET)
            frs_client_rows_copy(kept, model->rank, ids, mf->n_rows, pitch, mf->rows);
        return;
    }
    mf->rank = model->rank;
    mf->stride = frs_lanes_pad(mf->n_rows);
    mf->factors = frs_arena_take(arena, model->rank * mf->stride, sizeof(float));
    frs_client_rows_gather(kept, model->rank, ids, mf->n_rows, mf->stride, mf->factors);
    mf->trained_project = frs_arena_take(arena, size, sizeof(float));
    memcpy(mf->trained_project, model->projections + client * size, size * sizeof(float));
    mf->project = mf->trained_project;
}

/* Step 2: p_u, and A_u and B_u or W_u, with Q_u frozen. */
static struct frs_bce_mf_result train_private(const struct pfedclr *model, uint32_t client,
    struct frs_mf_local *local, const float *rows, struct frs_arena *arena) {
    struct frs_bce_mf_settings settings = limited(model, local);
    settings.item_rate = settings.project_rate = model->calibration_rate;
    if (model->ablation == AF || model->ablation == AF_RESET)
        settings.user_rate = 0;
    local->mf.frozen = rows;
    take_calibration(model, client, local, arena);
    return frs_bce_mf_train(&local->mf, &local->samples, &settings, &local->shuffle, arena);
}

/* A private state as it is committed, in words of four bytes: n, p [dim], Bᵀ [dim × rank] (not under an
 * ablation), and for n items their ids, rows of Q_u [n × dim], rows of A or W [n × rank]. */
static size_t private_vectors(const struct pfedclr *model) {
    return model->settings.dim * (1 + (model->projections ? model->rank : 0));
}

static const void *pack_private(const struct pfedclr *model, const struct frs_mf_local *local,
    const float *items, struct frs_arena *arena, size_t *bytes) {
    const struct frs_bce_mf *mf = &local->mf;
    size_t n = mf->n_rows, dim = mf->dim;
    *bytes = sizeof(float) * (1 + private_vectors(model) + n * (1 + dim + model->rank));
    uint32_t *packed = frs_arena_take(arena, *bytes, 1);
    *packed = (uint32_t)n;
    float *vectors = (float *)(packed + 1), *ids = vectors + private_vectors(model), *rows = ids + n;
    memcpy(vectors, mf->p, dim * sizeof(float));
    if (mf->project)
        memcpy(vectors + dim, mf->project, dim * model->rank * sizeof(float));
    if (n == 0)
        return packed;
    memcpy(ids, local->samples.ids, n * sizeof(uint32_t));
    memcpy(rows, items, n * dim * sizeof(float));
    if (mf->factors)
        frs_columns_scatter(mf->factors, model->rank, n, mf->stride, rows + n * dim);
    else
        memcpy(rows + n * dim, frs_mf_local_packed(local, mf->rows, arena), n * dim * sizeof(float));
    return packed;
}

/* Every row of Q_u, touched or not, plus Laplace(0, λ) in every entry: what stands out otherwise is which
 * rows were touched. */
static struct frs_rows noisy(const struct pfedclr *model, const struct frs_training *training,
    const struct frs_rows *rows, struct frs_arena *arena) {
    const struct frs_population *population = model->setup.population;
    size_t dim = rows->dim, n = rows->n_rows * dim;
    float *table = frs_arena_take(arena, n, sizeof *table);
    memcpy(table, training->tables->part[0], n * sizeof *table);
    for (size_t i = 0; i < rows->n; i++)
        memcpy(table + rows->ids[i] * dim, rows->values + i * dim, dim * sizeof *table);
    struct frs_rng rng = frs_rng_stream(
        population->seed, training->data->client, training->round, training->attempt, FRS_RNG_NOISE);
    for (size_t i = 0; i < n; i++) {
        double u = 2 * frs_rng_unit(&rng) - 1; /* in [−1, 1) */
        double size = -model->laplace * log1p(-fabs(u) * (1 - 0x1p-53));
        table[i] += (float)(u < 0 ? -size : size);
    }
    return (struct frs_rows){.n_rows = rows->n_rows, .dim = dim, .n = rows->n_rows, .values = table};
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct pfedclr *model = context;
    struct frs_mf_local local =
        frs_mf_local_begin(&model->settings, &model->setup, training, model->users, arena);
    size_t n = local.mf.n_rows, dim = local.mf.dim;
    float *trained = frs_mf_local_rows(&local, arena);
    struct frs_bce_mf_result first = train_items(model, &local, trained, arena);
    const float *rows = frs_mf_local_packed(&local, trained, arena);
    struct frs_bce_mf_result second = train_private(model, training->data->client, &local, trained, arena);
    *out = (struct frs_trained){
        .upload = {{.n_rows = model->setup.population->n_items,
            .dim = dim,
            .n = n,
            .ids = local.samples.ids,
            .values = rows}},
        .samples = (uint32_t)local.samples.n,
        .flop = first.flop + second.flop,
        .processed = (double)(first.epochs + second.epochs) * (double)local.samples.n,
        .post_flop = second.flop,
        .post_processed = (double)second.epochs * (double)local.samples.n,
        .epochs = (uint32_t)first.epochs,
        .loss = isfinite(first.loss) ? second.loss : NAN,
    };
    out->private_state = pack_private(model, &local, rows, arena, &out->private_bytes);
    if (model->laplace > 0)
        out->upload[0] = noisy(model, training, &out->upload[0], arena);
}

/* --- between participations --- */

static void keep(void *context, uint32_t client, const struct frs_tables *held, uint64_t version) {
    struct pfedclr *model = context;
    frs_own_tables_keep(model->own, client, held->part[0], version);
}

static void commit(void *context, uint32_t client, const void *private_state, size_t private_bytes) {
    struct pfedclr *model = context;
    const uint32_t *head = private_state;
    size_t n = *head, dim = model->settings.dim, size = dim * model->rank;
    const float *vectors = (const float *)(head + 1);
    const uint32_t *ids = head + 1 + private_vectors(model);
    const float *items = (const float *)(ids + n), *calibrated = items + n * dim;
    (void)private_bytes;
    memcpy(model->users + client * dim, vectors, dim * sizeof *vectors);
    if (model->projections)
        memcpy(model->projections + client * size, vectors + dim, size * sizeof *vectors);
    frs_own_tables_commit(model->own, client, ids, items, n);
    if (model->ablation == AF_RESET)
        frs_client_rows_replace(&model->calibrated[client], model->rank, ids, calibrated, n);
    else
        frs_client_rows_merge(&model->calibrated[client], model->rank, ids, calibrated, n);
}

static void aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    (void)update;
    struct pfedclr *model = context;
    struct frs_rows change = frs_aggregate_changes(contributions, n, 0, model->weighting, arena);
    frs_rows_add_to(&change, model->items);
}

/* Nothing is clipped, so the noise has no scale to be measured in. */
static struct frs_guarantee guarantee(const void *context) {
    const struct pfedclr *model = context;
    return (struct frs_guarantee){.noise = model->laplace > 0 ? FRS_LAPLACE : FRS_NO_NOISE,
        .local = true,
        .values = (double)(model->setup.population->n_items * model->settings.dim),
        .protects = "all interactions of one client"};
}

static void archive(void *context, struct frs_archive *archive) {
    struct pfedclr *model = context;
    const struct frs_population *population = model->setup.population;
    size_t dim = model->settings.dim, n = population->n_clients;
    frs_archive_bytes(archive, model->items, population->n_items * dim * sizeof *model->items);
    frs_archive_bytes(archive, model->users, n * dim * sizeof *model->users);
    if (model->projections)
        frs_archive_bytes(archive, model->projections, n * dim * model->rank * sizeof *model->projections);
    for (size_t u = 0; u < n; u++)
        frs_client_rows_archive(&model->calibrated[u], population->n_items, model->rank, archive);
    frs_own_tables_archive(model->own, archive);
}

/* p · (q + Bᵀ a) = p · q + (B p) · a; with W for A: p · (q + w). */
static void score(const void *context, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores) {
    const struct pfedclr *model = context;
    size_t dim = model->settings.dim, rank = model->rank;
    const float *p = model->users + client * dim;
    float c[rank];
    for (size_t j = 0; j < rank; j++) {
        c[j] = model->projections ? 0 : p[j];
        for (size_t k = 0; model->projections && k < dim; k++)
            c[j] += model->projections[client * dim * rank + k * rank + j] * p[k];
    }
    for (size_t i = 0; i < n; i++) {
        const float *row = frs_own_tables_row(model->own, client, items[i], held->part[0]);
        const float *a = frs_client_rows_find(&model->calibrated[client], rank, items[i]);
        float sum = 0;
        for (size_t k = 0; k < dim; k++)
            sum += p[k] * row[k];
        for (size_t j = 0; a && j < rank; j++)
            sum += c[j] * a[j];
        scores[i] = sum;
    }
}

const struct frs_learner frs_learner_pfedclr = {
    .plugin = {.name = "pfedclr",
        .summary = "every client calibrates the shared item table with low-rank matrices of its own",
        .source = "PFedCLR, algorithm 1; defaults of its table 1",
        .params = params},
    .takes_stale = true,
    .limits_epochs = true,
    .create = create,
    .destroy = destroy,
    .parts = parts,
    .private_values = private_values,
    .tables = tables,
    .train = train,
    .keep = keep,
    .commit = commit,
    .aggregate = aggregate,
    .guarantee = guarantee,
    .archive = archive,
    .score = score,
};
