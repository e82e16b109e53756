#include "algorithms/model.h"
#include "algorithms/initial_values.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- declarations ---------------------------------------------------------------------------- */

void *frs_model_create(size_t bytes, const struct frs_learner_setup *setup) {
    struct frs_model *model = frs_alloc(1, bytes);
    model->setup = *setup;
    return model;
}

/* A stream for the whole table, or for every client's row one of its own. */
static void draw_values(const struct frs_initial_values_key *start, float *values) {
    struct frs_rng rng = frs_rng_stream(start->seed, FRS_RNG_SERVER, start->stream, 0, FRS_RNG_INIT);
    for (size_t i = 0; i < start->rows; i++) {
        if (start->private)
            rng = frs_rng_stream(start->seed, start->alike ? FRS_RNG_SERVER : (uint32_t)i, 0, start->stream,
                FRS_RNG_INIT_PRIVATE);
        frs_rng_fill_normal(&rng, values + i * start->dim, start->drawn, start->sd);
    }
}

static void draw(const struct frs_model *model, const struct frs_table *table) {
    const struct frs_population *population = model->setup.population;
    const struct frs_initial_values_key start = {.seed = population->seed,
        .stream = table->stream,
        .private = table->owner == FRS_OF_CLIENTS,
        .alike = table->alike,
        .rows = table->rows,
        .dim = table->dim,
        .drawn = table->drawn > 0 ? table->drawn : table->dim,
        .sd = table->sd};
    if (frs_initial_values_find(population->starts, &start, table->values))
        return;
    draw_values(&start, table->values);
    frs_initial_values_keep(population->starts, &start, table->values);
}

float *frs_model_table(struct frs_model *model, struct frs_table table) {
    const struct frs_population *population = model->setup.population;
    FRS_INVARIANT(model->n_tables < FRS_MAX_TABLES, "more tables than there is room for");
    bool private = table.owner == FRS_OF_CLIENTS;
    if (private || table.rows == 0)
        table.rows = private ? population->n_clients : population->n_items;
    if (table.owner <= FRS_OF_CLIENTS && !(private && model->setup.timing_only)) {
        size_t n = table.first ? table.first[table.rows] : table.rows * table.dim;
        table.values = frs_alloc_aligned(n, sizeof *table.values);
        if (table.start == FRS_NORMAL)
            draw(model, &table);
    }
    model->tables[model->n_tables++] = table;
    return table.values;
}

void frs_model_store(struct frs_model *model, struct frs_store store) {
    FRS_INVARIANT(model->n_stores < FRS_MAX_STORES, "more stores than there is room for");
    model->stores[model->n_stores++] = store;
}

void frs_model_counter(struct frs_model *model, uint32_t *counter) {
    FRS_INVARIANT(model->n_counters < FRS_MAX_COUNTERS, "more counters than there is room for");
    model->counters[model->n_counters++] = counter;
}

void frs_model_share_work(struct frs_model *model, struct frs_pool *pool) {
    model->pool = pool;
}

enum frs_weighting frs_weighting_read(const struct frs_values *values) {
    return (enum frs_weighting)frs_values_choice(values, "aggregation");
}

static const struct frs_table *table_of_part(const struct frs_model *model, size_t part) {
    const struct frs_table *table = model->tables;
    while (table->owner != FRS_OF_ALL || part-- > 0)
        table++;
    return table;
}

enum frs_weighting frs_model_weighting(const struct frs_model *model, size_t part) {
    return model->weighting == FRS_PER_ITEM && table_of_part(model, part)->undivided ? FRS_UNIFORM
                                                                                     : model->weighting;
}

void frs_model_average(void *memory, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    struct frs_model *model = memory;
    size_t part = 0;
    for (size_t i = 0; i < model->n_tables; i++) {
        if (model->tables[i].owner != FRS_OF_ALL)
            continue;
        struct frs_rows change =
            frs_model_mean(model, contributions, n, part, frs_model_weighting(model, part), arena);
        part++;
        frs_rows_add_to(&change, model->tables[i].values);
    }
    (void)update;
}

void frs_model_gather(void *memory, const struct frs_contribution *contributions, size_t n) {
    struct frs_model *model = memory;
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n_parts = frs_model_parts(model, FRS_UPLOAD, shapes);
    for (size_t part = 0; part < n_parts; part++) {
        struct frs_row_sums *sums = &model->gathered[part];
        if (!sums->sums)
            frs_row_sums_init(sums, shapes[part].n_rows, shapes[part].dim);
        for (size_t c = 0; c < n; c++)
            frs_row_sums_add(sums, &contributions[c], part, model->weighting, 1);
    }
}

struct frs_rows frs_model_mean(struct frs_model *model, const struct frs_contribution *contributions,
    size_t n, size_t part, enum frs_weighting weighting, struct frs_arena *arena) {
    struct frs_row_sums *sums = &model->gathered[part];
    if (contributions)
        return frs_aggregate_changes(contributions, n, part, weighting, model->pool, arena);
    return frs_row_sums_take(sums, weighting == FRS_PER_ITEM ? FRS_BY_SENDERS : sums->total, arena);
}

/* Weights that are given make a weighted sum of what would be a mean. */
struct frs_rows frs_model_sum(struct frs_model *model, const struct frs_contribution *contributions, size_t n,
    size_t part, struct frs_arena *arena) {
    if (!contributions)
        return frs_row_sums_take(&model->gathered[part], 1, arena);
    struct frs_contribution *weighted = frs_arena_take(arena, n, sizeof *weighted);
    for (size_t c = 0; c < n; c++) {
        weighted[c] = contributions[c];
        weighted[c].weight = 1;
    }
    return frs_aggregate_changes(weighted, n, part, FRS_UNIFORM, model->pool, arena);
}

struct frs_rows frs_model_rows(
    const struct frs_model *model, size_t part, size_t n, const uint32_t *ids, const float *values) {
    const struct frs_table *table = table_of_part(model, part);
    return (struct frs_rows){.n_rows = table->rows, .dim = table->dim, .n = n, .ids = ids, .values = values};
}

void frs_model_destroy(void *memory) {
    struct frs_model *model = memory;
    for (size_t i = 0; i < model->n_stores; i++)
        if (model->stores[i].self)
            model->stores[i].type->destroy(model->stores[i].self);
    for (size_t i = 0; i < model->n_tables; i++)
        free(model->tables[i].values);
    for (size_t part = 0; part < FRS_MAX_PARTS; part++)
        frs_row_sums_fini(&model->gathered[part]);
    free(model);
}

/* ---- messages -------------------------------------------------------------------------------- */

static bool is_part(const struct frs_table *table, enum frs_payload payload) {
    switch (table->owner) {
    case FRS_OF_ALL:
        return payload != FRS_PERSONAL;
    case FRS_OF_UPLOAD:
        return payload == FRS_UPLOAD;
    case FRS_OF_RECEIVER:
        return payload == FRS_PERSONAL;
    default:
        return false;
    }
}

size_t frs_model_parts(const struct frs_model *model, enum frs_payload payload, struct frs_part *parts) {
    size_t n = 0;
    for (size_t i = 0; i < model->n_tables; i++) {
        const struct frs_table *table = &model->tables[i];
        if (!is_part(table, payload))
            continue;
        FRS_INVARIANT(n < FRS_MAX_PARTS, "more parts than a message has");
        parts[n++] = payload != FRS_STATE && table->update_dim > 0
                         ? (struct frs_part){table->update_name, table->rows, table->update_dim}
                         : (struct frs_part){table->name, table->rows, table->dim};
    }
    return n;
}

double frs_model_bytes(const struct frs_model *model, enum frs_payload payload) {
    struct frs_part parts[FRS_MAX_PARTS];
    size_t n = frs_model_parts(model, payload, parts);
    double bytes = 0;
    for (size_t i = 0; i < n; i++)
        bytes += (double)(parts[i].n_rows * parts[i].dim * sizeof(float));
    return bytes;
}

struct frs_tables frs_model_tables(const struct frs_model *model) {
    struct frs_tables tables = {{0}};
    for (size_t i = 0, n = 0; i < model->n_tables; i++)
        if (model->tables[i].owner == FRS_OF_ALL)
            tables.part[n++] = model->tables[i].values;
    return tables;
}

struct frs_tables frs_model_personal(const struct frs_model *model, uint32_t client) {
    struct frs_tables tables = {{0}};
    for (size_t i = 0, n = 0; i < model->n_tables; i++)
        if (model->tables[i].owner == FRS_OF_RECEIVER)
            tables.part[n++] = model->tables[i].of_client[client];
    return tables;
}

bool frs_model_has_personal(const struct frs_model *model) {
    struct frs_part parts[FRS_MAX_PARTS];
    return frs_model_parts(model, FRS_PERSONAL, parts) > 0;
}

bool frs_model_keeps_personal(const struct frs_model *model) {
    for (size_t i = 0; i < model->n_tables; i++)
        if (model->tables[i].owner == FRS_OF_RECEIVER && model->tables[i].lasting)
            return true;
    return false;
}

double frs_model_private_values(const struct frs_model *model) {
    double values = 0;
    for (size_t i = 0; i < model->n_tables; i++) {
        const struct frs_table *table = &model->tables[i];
        if (table->count_unknown)
            return NAN;
        if (table->owner == FRS_OF_CLIENTS)
            values += (double)(table->dim - table->uncounted);
    }
    for (size_t i = 0; i < model->n_stores; i++)
        values += (double)model->stores[i].counted;
    return values;
}

/* ---- what a participation leaves with its client --------------------------------------------- */

/* The packed private state consists of four-byte words: the row of each private table; then, for each
 * store that is given any rows, their number, their ids and their values. AS_BEFORE stands for number and
 * ids if they equal those of the previous store. */
#define AS_BEFORE UINT32_MAX

static bool is_as_before(const struct frs_kept *kept, size_t n) {
    return n > 0 && kept->stored[n].ids == kept->stored[n - 1].ids &&
           kept->stored[n].n == kept->stored[n - 1].n;
}

static const struct frs_table *next_private(const struct frs_model *model, size_t *i) {
    while (*i < model->n_tables && model->tables[*i].owner != FRS_OF_CLIENTS)
        ++*i;
    return *i < model->n_tables ? &model->tables[(*i)++] : NULL;
}

static const struct frs_store *next_store(const struct frs_model *model, size_t *i) {
    while (*i < model->n_stores && !model->stores[*i].type->commit)
        ++*i;
    return *i < model->n_stores ? &model->stores[(*i)++] : NULL;
}

/* Where the row of a client begins, and its length. */
static size_t row_of(const struct frs_table *table, uint32_t client, size_t *length) {
    *length = table->first ? table->first[client + 1] - table->first[client] : table->dim;
    return table->first ? table->first[client] : client * table->dim;
}

static size_t packed_words(const struct frs_model *model, uint32_t client, const struct frs_kept *kept) {
    const struct frs_table *table;
    size_t words = 0, length, i = 0, at = 0;
    while ((table = next_private(model, &i))) {
        row_of(table, client, &length);
        words += length;
    }
    for (size_t n = 0; next_store(model, &at); n++)
        words += 1 + kept->stored[n].n * (!is_as_before(kept, n) + kept->stored[n].dim);
    return words;
}

/* Gives the place behind what it has put. */
static uint32_t *put(uint32_t *to, const void *from, size_t words) {
    if (words > 0)
        memcpy(to, from, words * sizeof *to);
    return to + words;
}

const void *frs_model_pack(const struct frs_model *model, uint32_t client, struct frs_kept *kept,
    struct frs_arena *arena, size_t *bytes) {
    size_t words = packed_words(model, client, kept), length, i = 0, at = 0, n = 0;
    const struct frs_table *table;
    bool stores_alone = !next_private(model, &i) && kept->stored[0].n_rows > 0;
    *bytes = kept->rows[0] || stores_alone ? words * sizeof(uint32_t) : 0;
    if (!stores_alone && (!kept->rows[0] || (!kept->rows[1] && !next_store(model, &at))))
        return kept->rows[0]; /* one row is what it is packed as */
    uint32_t *packed = frs_arena_take(arena, words, sizeof *packed), *to = packed;
    for (i = 0; (table = next_private(model, &i)); n++) {
        row_of(table, client, &length);
        to = put(to, kept->rows[n], length);
    }
    for (at = 0, n = 0; next_store(model, &at); n++) {
        const struct frs_rows *rows = &kept->stored[n];
        bool as_before = is_as_before(kept, n);
        *to++ = as_before ? AS_BEFORE : (uint32_t)rows->n;
        to = put(to, rows->ids, as_before ? 0 : rows->n);
        kept->at[n] = (size_t)(to - packed) * sizeof *to;
        to = put(to, rows->values, rows->n * rows->dim);
    }
    return packed;
}

/* What is left to read of packed bytes. */
struct packed {
    const uint32_t *at;
    size_t words;
};

/* The next n words; NULL when there are fewer. */
static const void *take(struct packed *packed, size_t n) {
    const uint32_t *at = packed->at;
    if (n > packed->words)
        return NULL;
    packed->at += n;
    packed->words -= n;
    return at;
}

/* The rows for a store, behind those of the store before; false when there are none. */
static bool take_rows(struct packed *packed, const struct frs_store *store, struct frs_rows *rows) {
    const uint32_t *n = take(packed, 1);
    if (!n || (*n == AS_BEFORE && !rows->ids))
        return false;
    if (*n != AS_BEFORE) {
        rows->n = *n;
        rows->ids = take(packed, rows->n);
    }
    rows->n_rows = store->rows;
    rows->dim = store->dim;
    if (!rows->ids || rows->n > store->rows)
        return false;
    for (size_t i = 0; i < rows->n; i++)
        if (rows->ids[i] >= store->rows || (i > 0 && rows->ids[i] <= rows->ids[i - 1]))
            return false;
    rows->values = take(packed, rows->n * store->dim);
    return rows->values;
}

/* Reads what a client keeps, and where it `commits` puts it in place; false when it does not fit. */
static bool unpack(
    struct frs_model *model, uint32_t client, const void *bytes, size_t n_bytes, bool commits) {
    struct packed packed = {bytes, n_bytes / sizeof *packed.at};
    struct frs_rows rows = {0};
    const struct frs_table *table;
    const struct frs_store *store;
    size_t length, i = 0, at = 0;
    while ((table = next_private(model, &i))) {
        size_t first = row_of(table, client, &length);
        const float *row = take(&packed, length);
        if (!row)
            return false;
        if (commits)
            memcpy(table->values + first, row, length * sizeof *row);
    }
    while ((store = next_store(model, &at))) {
        if (!take_rows(&packed, store, &rows))
            return false;
        if (commits)
            store->type->commit(store->self, client, &rows);
    }
    return packed.words == 0 && n_bytes % sizeof *packed.at == 0;
}

bool frs_model_fits(struct frs_model *model, uint32_t client, const void *packed, size_t bytes) {
    return bytes == 0 || (client < model->setup.population->n_clients && !model->setup.timing_only &&
                             unpack(model, client, packed, bytes, false));
}

void frs_model_commit(struct frs_model *model, uint32_t client, const void *packed, size_t bytes) {
    FRS_INVARIANT(bytes == 0 || unpack(model, client, packed, bytes, true),
        "what client %u keeps does not fit its tables", client);
}

bool frs_model_commits_apart(const struct frs_model *model) {
    bool apart = false;
    for (size_t i = 0; i < model->n_stores; i++) {
        const struct frs_store_type *type = model->stores[i].type;
        if (type->commit && !type->commits_apart)
            return false;
        apart |= type->commit != NULL;
    }
    return apart;
}

void frs_model_receive(
    struct frs_model *model, uint32_t client, const struct frs_tables *tables, uint64_t version) {
    for (size_t i = 0; i < model->n_stores; i++)
        if (model->stores[i].self && model->stores[i].type->receive)
            model->stores[i].type->receive(model->stores[i].self, client, tables, version);
}

bool frs_model_keeps_received(const struct frs_model *model) {
    bool keeps = false;
    for (size_t i = 0; i < model->n_stores; i++)
        keeps = keeps || model->stores[i].type->receive;
    return keeps;
}

size_t frs_model_received_bytes(const struct frs_model *model) {
    size_t bytes = 0;
    for (size_t i = 0; i < model->n_stores; i++)
        if (model->stores[i].self && model->stores[i].type->received_bytes)
            bytes += model->stores[i].type->received_bytes(model->stores[i].self);
    return bytes;
}

/* ---- archive --------------------------------------------------------------------------------- */

void frs_model_archive(struct frs_model *model, struct frs_archive *archive) {
    for (size_t i = 0; i < model->n_tables; i++) {
        const struct frs_table *table = &model->tables[i];
        size_t n = table->first ? table->first[table->rows] : table->rows * table->dim;
        if (table->values && !table->transient)
            frs_archive_bytes(archive, table->values, n * sizeof *table->values);
    }
    for (size_t i = 0; i < model->n_counters; i++)
        frs_archive_u32(archive, model->counters[i]);
    for (size_t i = 0; i < model->n_stores; i++)
        if (model->stores[i].self && model->stores[i].type->archive)
            model->stores[i].type->archive(model->stores[i].self, archive);
}

void frs_model_archive_accumulated(struct frs_model *model, struct frs_archive *archive) {
    for (size_t i = 0; i < model->n_stores; i++)
        if (model->stores[i].self && model->stores[i].accumulates)
            model->stores[i].type->archive(model->stores[i].self, archive);
}

double frs_model_most_accumulated_bytes(const struct frs_model *model) {
    double values = 0;
    for (size_t i = 0; i < model->n_stores; i++)
        if (model->stores[i].accumulates)
            values += (double)(model->stores[i].rows * (1 + model->stores[i].dim));
    return values * sizeof(float);
}
