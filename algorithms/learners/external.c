/* External: a method that another program trains and scores. The program does the mathematics of a client,
 * and this learner does what all methods have in common: it declares the tables, draws the samples by the
 * evaluation protocol, and averages the uploads. */
#include "algorithms/external.h"
#include "algorithms/aggregation.h"
#include "algorithms/downlink/catchup_params.h"
#include "algorithms/models/narrow_uploads.h"
#include "algorithms/models/own_tables.h"
#include "algorithms/models/private_rows.h"
#include "algorithms/samples.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COMMON_PARAMS                                                                                        \
    {.key = "command",                                                                                       \
        .type = FRS_TEXT,                                                                                    \
        .help =                                                                                              \
            "program that trains and scores, and its arguments, separated by blanks (quotes hold a word "    \
            "together; no shell): python3 method.py; needs --allow-commands"},                               \
        {.key = "patience",                                                                                  \
            .type = FRS_QUANTITY,                                                                            \
            .dimension = FRS_TIME,                                                                           \
            .initial = "10 min",                                                                             \
            .min = 0.001,                                                                                    \
            .max = 1e9,                                                                                      \
            .help = "real time that the program may take for one answer before the run gives it up"},        \
        FRS_AGGREGATION_PARAM("per_item")

static const struct frs_param params[] = {COMMON_PARAMS, {0}};
static const struct frs_param params_of_updates[] = {COMMON_PARAMS, FRS_CATCHUP_PARAMS, {0}};

struct model {
    struct frs_model base;
    const struct frs_external *external;
    void *session;
    struct frs_external_tables shapes;
    /* Of each of them, by who has it; NULL: another, or only timing is asked for. */
    const struct frs_table *rows[FRS_MAX_TABLES];    /* private, of one row */
    struct frs_kept_tables *kept[FRS_MAX_TABLES];    /* private, of several */
    struct frs_own_tables *versions[FRS_MAX_TABLES]; /* shared, and own */
};

/* ---- creation -------------------------------------------------------------------------------- */

struct opened {
    const struct frs_external *external;
    void *session;
};

static void close_session(void *store) {
    struct opened *opened = store;
    opened->external->end(opened->session);
    free(opened);
}

static const struct frs_store_type session_type = {.destroy = close_session};

static size_t count(const struct frs_param *of) {
    size_t n = 0;
    while (of && of[n].key)
        n++;
    return n;
}

/* The values of the program's own keys, which count as read: it is told all of them. */
static struct frs_external_setting *own_settings(
    const struct frs_external *external, const struct frs_values *values, size_t *n) {
    const struct frs_param *own = external->traits.params;
    *n = count(own);
    struct frs_external_setting *settings = frs_alloc(*n + 1, sizeof *settings);
    for (size_t i = 0; i < *n; i++) {
        struct frs_value *value = frs_values_find(values, own[i].key);
        value->read = true;
        settings[i] = (struct frs_external_setting){own[i].key, frs_value_format(value)};
    }
    return settings;
}

static void free_settings(struct frs_external_setting *settings, size_t n) {
    for (size_t i = 0; i < n; i++)
        free(settings[i].text);
    free(settings);
}

static void measure_clients(const struct frs_learner_setup *setup, struct frs_external_begin *begin) {
    const struct frs_population *population = setup->population;
    for (uint32_t c = 0; c < population->n_clients; c++) {
        const struct frs_client_data *data = &population->clients[c];
        size_t n = frs_samples_count(data, population->n_items, setup->negatives_per_positive);
        begin->most_samples = n > begin->most_samples ? n : begin->most_samples;
    }
    begin->most_rows =
        begin->most_samples < population->n_items ? begin->most_samples : (size_t)population->n_items;
}

/* A shared table, or a private one of one row. `stream`: the number of tables of its owner before it. */
static void declare_table(struct model *model, size_t i, uint32_t stream) {
    const struct frs_external_table *shape = &model->shapes.table[i];
    float *values = frs_model_table(&model->base, (struct frs_table){.name = shape->name,
                                                      .owner = shape->shared ? FRS_OF_ALL : FRS_OF_CLIENTS,
                                                      .rows = shape->rows,
                                                      .dim = shape->dim,
                                                      .start = shape->start,
                                                      .sd = shape->sd,
                                                      .stream = stream,
                                                      .alike = shape->alike,
                                                      .undivided = shape->undivided});
    if (!shape->shared)
        model->rows[i] = &model->base.tables[model->base.n_tables - 1];
    if (shape->given)
        memcpy(values, shape->given, shape->rows * shape->dim * sizeof *values);
}

static void declare(struct model *model) {
    uint32_t n[2] = {0}; /* of either owner: a stream for each of their tables */
    for (size_t i = 0; i < model->shapes.n; i++) {
        const struct frs_external_table *shape = &model->shapes.table[i];
        if (shape->shared || shape->rows == 1)
            declare_table(model, i, n[shape->shared]++);
        else
            model->kept[i] = frs_kept_tables_declare(&model->base, shape->rows, shape->dim);
        if (shape->own)
            model->versions[i] = frs_own_tables_declare(&model->base, n[true] - 1, shape->rows, shape->dim);
    }
}

/* ---- what a client has of its own ------------------------------------------------------------ */

#define ROWS_AT_ONCE 64u

/* Writes rows of a client's table, those that are not there as zeros. */
static void write_rows(const struct model *model, uint32_t client, size_t i, const float *shared,
    const uint32_t *ids, size_t n, float *to) {
    const float *rows[ROWS_AT_ONCE];
    size_t bytes = model->shapes.table[i].dim * sizeof *to;
    const struct frs_kept_tables *kept = model->kept[i];
    if (kept)
        frs_private_rows_find_all(&kept->rows[client], &kept->pool, ids, n, rows);
    else
        frs_own_tables_rows(model->versions[i], client, ids, n, shared, rows);
    for (size_t r = 0; r < n; r++)
        if (rows[r])
            memcpy(to + r * model->shapes.table[i].dim, rows[r], bytes);
        else
            memset(to + r * model->shapes.table[i].dim, 0, bytes);
}

static void write_copy(
    const void *context, uint32_t client, size_t i, const struct frs_tables *shared, float *to) {
    const struct model *model = context;
    const struct frs_external_table *shape = &model->shapes.table[i];
    size_t part = 0;
    if (model->rows[i]) {
        memcpy(to, model->rows[i]->values + client * shape->dim, shape->dim * sizeof *to);
        return;
    }
    for (size_t k = 0; k < i; k++)
        part += model->shapes.table[k].shared;
    for (size_t at = 0; at < shape->rows; at += ROWS_AT_ONCE) {
        uint32_t ids[ROWS_AT_ONCE];
        size_t n = 0;
        for (; n < ROWS_AT_ONCE && at + n < shape->rows; n++)
            ids[n] = (uint32_t)(at + n);
        write_rows(model, client, i, shape->shared ? shared->part[part] : NULL, ids, n, to + at * shape->dim);
    }
}

static bool open_session(struct model *model, const struct frs_values *values, struct frs_errors *errors) {
    const struct frs_learner_setup *setup = &model->base.setup;
    struct frs_external_begin begin = {.setup = setup,
        .patience_s = frs_values_real(values, "patience"),
        .copies = {.context = model, .write = write_copy}};
    char why[1024];
    struct frs_external_setting *settings = own_settings(model->external, values, &begin.n_settings);
    begin.settings = settings;
    measure_clients(setup, &begin);
    model->session = model->external->begin(model->external, &begin, &model->shapes, why, sizeof why);
    free_settings(settings, begin.n_settings);
    if (!model->session)
        frs_values_error(values, "command", errors, "%s", why);
    return model->session;
}

static void *create(
    const struct frs_values *values, const struct frs_learner_setup *setup, struct frs_errors *errors) {
    struct model *model = frs_model_create(sizeof *model, setup);
    model->external = setup->external;
    model->base.weighting = frs_weighting_read(values);
    (void)frs_values_text(values, "command"); /* it has been found by it */
    FRS_INVARIANT(model->external, "an external method without a program");
    if (!open_session(model, values, errors)) {
        frs_model_destroy(model);
        return NULL;
    }
    struct opened *opened = frs_alloc(1, sizeof *opened);
    *opened = (struct opened){model->external, model->session};
    frs_model_store(&model->base, (struct frs_store){.type = &session_type, .self = opened});
    declare(model);
    return model;
}

/* ---- clients --------------------------------------------------------------------------------- */

static void take_samples(const struct model *model, const struct frs_training *training,
    struct frs_external_training *out, struct frs_arena *arena) {
    const struct frs_learner_setup *setup = &model->base.setup;
    const struct frs_client_data *data = training->data;
    struct frs_rng negatives = frs_rng_stream(
        setup->population->seed, data->client, training->round, training->attempt, FRS_RNG_NEGATIVES);
    struct frs_samples drawn =
        frs_samples_draw(data, setup->population->n_items, setup->negatives_per_positive, &negatives, arena);
    out->n_rows = drawn.n_rows;
    out->ids = drawn.ids;
    out->n_samples = drawn.n;
    out->samples = drawn.samples;
}

static uint64_t seed_of(const struct model *model, const struct frs_training *training) {
    struct frs_rng rng = frs_rng_stream(model->base.setup.population->seed, training->data->client,
        training->round, training->attempt, FRS_RNG_EXTERNAL);
    return frs_rng_u64(&rng);
}

/* Without rows, of every part. */
static void no_upload(const struct model *model, struct frs_trained *out) {
    static const uint32_t none;
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = frs_model_parts(&model->base, FRS_UPLOAD, shapes);
    for (size_t i = 0; i < n; i++)
        out->upload[i] = (struct frs_rows){.n_rows = shapes[i].n_rows, .dim = shapes[i].dim, .ids = &none};
}

/* In the order in which the tables were declared. A client has of an own table the rows that it sends. */
static void keep(
    const struct model *model, const struct frs_external_trained *trained, struct frs_kept *kept) {
    size_t n_rows = 0, n_stored = 0, part = 0;
    for (size_t i = 0; i < model->shapes.n; i++) {
        const struct frs_external_table *shape = &model->shapes.table[i];
        const struct frs_rows *rows = shape->shared ? &trained->upload[part++] : &trained->kept[i];
        if (frs_external_keeps_rows(shape))
            kept->stored[n_stored++] = *rows;
        else if (!shape->shared)
            kept->rows[n_rows++] = rows->values;
    }
}

static void train(const void *context, const struct frs_training *training, struct frs_arena *arena,
    struct frs_trained *out) {
    const struct model *model = context;
    const struct frs_client_data *data = training->data;
    struct frs_external_training task = {.client = data->client,
        .round = training->round,
        .attempt = training->attempt,
        .epochs = training->epochs,
        .budget = training->budget,
        .seed = seed_of(model, training),
        .tables = training->tables,
        .n_rows = data->n,
        .n_samples = data->n,
        .ids = data->items};
    struct frs_external_trained trained;
    no_upload(model, out);
    if (data->n == 0)
        return;
    if (model->external->traits.predicts_ratings)
        task.ratings = data->ratings;
    else
        take_samples(model, training, &task, arena);
    if (!model->external->train(model->session, &task, arena, &trained)) {
        out->loss = NAN;
        return;
    }
    memcpy(out->upload, trained.upload, sizeof out->upload);
    keep(model, &trained, &out->kept);
    out->upload_checked = true;
    out->samples = (uint32_t)task.n_samples;
    out->flop = trained.flop;
    out->processed = trained.processed;
    out->post_flop = trained.post_flop;
    out->post_processed = trained.post_processed;
    out->loss = trained.loss;
    out->epochs = trained.epochs;
    out->cpu_s = trained.cpu_s;
}

static void score_block(
    const void *context, const struct frs_tables *held, const struct frs_scoring *block, size_t n_clients) {
    const struct model *model = context;
    if (model->external->score(model->session, held, block, n_clients))
        return;
    for (size_t k = 0; k < n_clients; k++)
        for (size_t i = 0; i < block[k].n; i++)
            block[k].scores[i] = NAN;
}

static void score(const void *context, const struct frs_tables *held, uint32_t client, const uint32_t *items,
    size_t n, float *scores) {
    struct frs_scoring block = {.client = client, .items = items, .n = n, .scores = scores};
    if (n > 0)
        score_block(context, held, &block, 1);
}

static const char *failure(const void *context) {
    const struct model *model = context;
    return model->external->failure(model->session);
}

/* ---- server ---------------------------------------------------------------------------------- */

static void mean_updates(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    struct model *model = context;
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n_parts = frs_model_parts(&model->base, FRS_UPDATE, shapes);
    for (size_t part = 0; part < n_parts; part++)
        update[part] = frs_model_mean(
            &model->base, contributions, n, part, frs_model_weighting(&model->base, part), arena);
}

/* ---- budgets --------------------------------------------------------------------------------- */

static struct frs_budgets range(const void *context) {
    const struct model *model = context;
    return model->shapes.budgets;
}

static size_t upload_parts(const void *context, uint32_t budget, struct frs_part *parts) {
    const struct model *model = context;
    size_t part = 0;
    for (size_t i = 0; i < model->shapes.n; i++) {
        const struct frs_external_table *shape = &model->shapes.table[i];
        if (shape->shared)
            parts[part++] = (struct frs_part){.name = shape->name,
                .n_rows = shape->rows,
                .dim = shape->by_budget && budget < shape->dim ? budget : shape->dim};
    }
    return part;
}

static double work(const void *context, uint32_t budget) {
    const struct frs_external_tables *shapes = &((const struct model *)context)->shapes;
    return shapes->fixed_work + (1 - shapes->fixed_work) * (double)budget / (double)shapes->budgets.max;
}

static const struct frs_learner_budgets budgets = {
    .range = range, .upload_parts = upload_parts, .work = work};

static void mean_under_budgets(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    struct model *model = context;
    size_t part = 0;
    for (size_t i = 0; i < model->shapes.n; i++) {
        const struct frs_external_table *shape = &model->shapes.table[i];
        if (!shape->shared)
            continue;
        update[part] = shape->by_budget
                           ? frs_mean_of_columns(&model->base, contributions, n, part, shape->dim, arena)
                           : frs_model_mean(&model->base, contributions, n, part,
                                 frs_model_weighting(&model->base, part), arena);
        part++;
    }
}

const struct frs_learner frs_learner_external = {
    .plugin = {.name = "external",
        .summary = "trained by another program, in any language, through pipes and shared memory",
        .source = "docs/external.md",
        .params = params},
    .takes_stale = true,
    .is_external = true,
    .averaging = FRS_AVERAGES_WEIGHTED,
    .create = create,
    .train = train,
    .aggregate = frs_model_average,
    .gather = frs_model_gather,
    .score = score,
    .score_block = score_block,
    .failure = failure,
};

struct frs_learner *frs_external_learner_create(const struct frs_external *external) {
    const struct frs_external_traits *traits = &external->traits;
    const struct frs_param *common = traits->sends_updates ? params_of_updates : params;
    size_t n_common = count(common), n_own = count(traits->params);
    struct frs_param *all = frs_alloc(n_common + n_own + 1, sizeof *all);
    struct frs_learner *learner = frs_alloc(1, sizeof *learner);
    memcpy(all, common, n_common * sizeof *all);
    if (n_own > 0)
        memcpy(all + n_common, traits->params, n_own * sizeof *all);
    *learner = frs_learner_external;
    learner->plugin.params = all;
    learner->external = external;
    learner->predicts_ratings = traits->predicts_ratings;
    learner->limits_epochs = traits->limits_epochs;
    learner->works_on = traits->works_on;
    learner->sends_updates = learner->uploads_updates = learner->updates_keep = traits->sends_updates;
    if (traits->sends_updates)
        learner->aggregate = mean_updates;
    if (traits->takes_budgets) {
        learner->budgets = &budgets;
        learner->aggregate = mean_under_budgets;
        learner->averaging = FRS_AVERAGES_NOT;
    }
    if (traits->works_on ||
        traits->takes_budgets) /* whose clients are not trained in the order in which they are gathered */
        learner->gather = NULL;
    return learner;
}

void frs_external_learner_destroy(struct frs_learner *learner) {
    if (!learner)
        return;
    free((void *)learner->plugin.params);
    free(learner);
}

bool frs_external_has_key(const char *key) {
    static const char *const others[] = {"name", "preset", "server", "variant"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(key, others[i]) == 0)
            return true;
    for (const struct frs_param *param = params_of_updates; param->key; param++)
        if (strcmp(key, param->key) == 0)
            return true;
    return false;
}
