/* PFedCLR: personalised tables by calibration with low-rank matrices (algorithm 1 of the paper).
 *
 * Step 1: with p_u frozen, Q is trained from the received table and gives Q_u, which is uploaded. Step 2:
 * with Q_u frozen, p_u, A_u [n_items × rank] and B_u [rank × dim] are trained on the table Q_u + A_u B_u.
 * A_u starts at zero, B_u at N(0, 1); both stay with the client. The server averages Q_u. A client
 * predicts with its own Q_u + A_u B_u. Step 2 comes after the upload (post_flop): everything that a client
 * keeps commits when it has ended. A client that has to end early runs equally many epochs of each step.
 *
 * With p_u frozen and a fresh Adam, Q_u differs from the received table by one number per item times
 * sign(p_u), except for Adam's ε. epsilon = relative takes ε relative to |p_k|. This makes the form exact,
 * lets step 1 run on scalars, and lets the upload travel as these numbers (codec rank_one).
 *
 * Ablations: in cf, step 2 trains p_u and a full W_u in place of A_u B_u; in af, step 1 trains Q and p_u,
 * step 2 W_u alone. No reading of the paper has reproduced its figure for AF. */
#include "algorithms/kernels/products.h"
#include "algorithms/kernels/columns.h"
#include "algorithms/kernels/steps/sign_adam.h"
#include "algorithms/models/client_rows.h"
#include "algorithms/models/mf_model.h"
#include "algorithms/models/own_tables.h"
#include "sim/base/errors.h"
#include "sim/base/text.h"

#include <string.h>

#define CHUNK 64u /* items that are scored at a time */

enum epsilon { ABSOLUTE, RELATIVE };
enum ablation { NONE, CF, AF, AF_RESET };

struct pfedclr {
    struct frs_mf_model mf; /* Q and p */
    enum epsilon epsilon;
    enum ablation ablation;
    size_t rank; /* columns of A, or of W: dim */
    float calibration_rate;
    double laplace;
    /* State of the clients; NULL when only timing is asked for. */
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
    FRS_AGGREGATION_PARAM("data_size"),
    {0},
};

/* What no single key's range can exclude. */
static bool is_refused(
    const struct frs_values *values, const struct pfedclr *model, struct frs_errors *errors) {
    size_t before = errors->n;
    if (model->rank > model->mf.settings.dim)
        frs_values_error(values, "rank", errors, "%zu is larger than dim (%zu); allowed: at most dim",
            model->rank, model->mf.settings.dim);
    if (model->epsilon == RELATIVE && model->mf.settings.local.weight_decay > 0)
        frs_values_error(values, "epsilon", errors,
            "relative has no meaning under weight decay: rows would not move along sign(p_u)");
    if (model->epsilon == RELATIVE && (model->ablation == AF || model->ablation == AF_RESET))
        frs_values_error(values, "epsilon", errors,
            "relative has no meaning under ablation %s, whose step 1 trains p_u; allowed: none, cf",
            ablation_names[model->ablation]);
    return errors->n > before;
}

/* B_u draws from another stream than p_u. */
static void declare_private(struct pfedclr *model, const struct frs_values *values) {
    struct frs_model *base = &model->mf.base;
    size_t n_items = base->setup.population->n_items, dim = model->mf.settings.dim;
    if (model->ablation == NONE)
        model->projections = frs_model_table(base, (struct frs_table){.name = "B",
                                                       .owner = FRS_OF_CLIENTS,
                                                       .dim = dim * model->rank,
                                                       .start = FRS_NORMAL,
                                                       .sd = frs_values_real(values, "projection_init_sd"),
                                                       .stream = 1});
    model->own = frs_own_tables_declare(base, 0, n_items, dim);
    model->calibrated = frs_client_rows_declare(base, n_items, model->rank, model->ablation == AF_RESET);
}

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct pfedclr *model = frs_mf_begin(sizeof *model, values, setup);
    const struct frs_mf_settings *settings = &model->mf.settings;
    double rate = frs_values_real(values, "calibration_rate");
    model->mf.base.weighting = frs_weighting_read(values);
    model->ablation = (enum ablation)frs_values_choice(values, "ablation");
    model->laplace = frs_values_real(values, "laplace");
    model->epsilon =
        settings->local.optimiser == FRS_ADAM ? (enum epsilon)frs_values_choice(values, "epsilon") : ABSOLUTE;
    model->calibration_rate = rate < 0 ? settings->local.item_rate : (float)rate;
    model->rank = model->ablation == NONE ? (size_t)frs_values_int(values, "rank") : settings->dim;
    if (is_refused(values, model, errors)) {
        frs_model_destroy(model);
        return NULL;
    }
    declare_private(model, values);
    return model;
}

/* Nothing is clipped, so the noise has no scale to be measured in. */
static size_t own_mechanisms(const void *context, struct frs_own_privacy_mechanism *own) {
    const struct pfedclr *model = context;
    if (!(model->laplace > 0))
        return 0;
    own[0].name = "laplace";
    own[0].settings[0].key = "scale";
    frs_text_number(model->laplace, own[0].settings[0].text, sizeof own[0].settings[0].text);
    return 1;
}

/* --- one participation --- */

static struct frs_bce_mf_settings limited(const struct pfedclr *model, const struct frs_mf_local *local) {
    struct frs_bce_mf_settings settings = model->mf.settings.local;
    settings.limit = local->epochs;
    settings.item_rate *= local->rate_scale;
    settings.user_rate *= local->rate_scale;
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
    settings.item_rate = settings.project_rate = model->calibration_rate * local->rate_scale;
    if (model->ablation == AF || model->ablation == AF_RESET)
        settings.user_rate = 0;
    local->mf.frozen = rows;
    take_calibration(model, client, local, arena);
    return frs_bce_mf_train(&local->mf, &local->samples, &settings, &local->shuffle, arena);
}

/* The rows of A_u or W_u as they have become, [n × rank]. */
static const float *calibrated_rows(
    const struct pfedclr *model, const struct frs_mf_local *local, struct frs_arena *arena) {
    const struct frs_bce_mf *mf = &local->mf;
    if (!mf->factors)
        return frs_mf_local_packed(local, mf->rows, arena);
    float *rows = frs_arena_take(arena, mf->n_rows * model->rank, sizeof *rows);
    frs_columns_scatter(mf->factors, model->rank, mf->n_rows, mf->stride, rows);
    return rows;
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct pfedclr *model = context;
    struct frs_mf_local local =
        frs_mf_local_begin(&model->mf.settings, &model->mf.base.setup, training, model->mf.users, arena);
    size_t n = local.mf.n_rows;
    float *trained = frs_mf_local_rows(&local, arena);
    struct frs_bce_mf_result first = train_items(model, &local, trained, arena);
    const float *rows = frs_mf_local_packed(&local, trained, arena);
    struct frs_bce_mf_result second = train_private(model, training->data->client, &local, trained, arena);
    struct frs_rows items = frs_model_rows(&model->mf.base, 0, n, local.samples.ids, rows);
    struct frs_rows calibrated = items;
    calibrated.dim = model->rank;
    calibrated.values = calibrated_rows(model, &local, arena);
    *out = (struct frs_trained){
        .upload = {items},
        .kept = {.rows = {local.mf.p, local.mf.project}, .stored = {items, calibrated}},
        .samples = (uint32_t)local.samples.n,
        .flop = first.flop + second.flop,
        .processed = (double)(first.samples + second.samples),
        .post_flop = second.flop,
        .post_processed = (double)second.samples,
        .epochs = (uint32_t)first.epochs,
        .loss = isfinite(first.loss) ? second.loss : NAN,
    };
}

/* --- between participations --- */

/* p · (q + Bᵀ a) = p · q + (B p) · a; with W for A: p · (q + w). */
static void score(const void *context, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores) {
    const struct pfedclr *model = context;
    size_t dim = model->mf.settings.dim, rank = model->rank;
    const float *p = model->mf.users + client * dim;
    const float *rows[CHUNK], *calibrations[CHUNK];
    float c[rank];
    for (size_t j = 0; j < rank; j++) {
        c[j] = model->projections ? 0 : p[j];
        for (size_t k = 0; model->projections && k < dim; k++)
            c[j] += model->projections[client * dim * rank + k * rank + j] * p[k];
    }
    for (size_t at = 0; at < n; at += CHUNK) {
        size_t count = n - at < CHUNK ? n - at : CHUNK;
        frs_own_tables_rows(model->own, client, items + at, count, held->part[0], rows);
        frs_products(p, dim, rows, count, 0, scores + at);
        frs_client_rows_find_all(&model->calibrated[client], rank, items + at, count, calibrations);
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; calibrations[i] && j < rank; j++)
                scores[at + i] += c[j] * calibrations[i][j];
    }
}

static const struct frs_learner_privacy mechanisms = {.own = own_mechanisms};

const struct frs_learner frs_learner_pfedclr = {
    .plugin = {.name = "pfedclr",
        .summary = "every client calibrates the shared item table with low-rank matrices of its own",
        .source = "PFedCLR, algorithm 1; defaults of its table 1",
        .params = params},
    .takes_stale = true,
    .averaging = FRS_AVERAGES_WEIGHTED,
    .follows_rate = true,
    .limits_epochs = true,
    .mechanisms = &mechanisms,
    .works_on = true,
    .create = create,
    .train = train,
    .aggregate = frs_model_average,
    .score = score,
};
