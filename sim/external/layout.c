#include "sim/external/layout.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64u
#define COPIES_BYTES ((size_t)64 << 20) /* of the tables of a block's clients, which are fewer beyond */

/* ---- places ---------------------------------------------------------------------------------- */

/* Whether a block of clients has a copy for each of them. */
static bool has_copies(const struct frs_external_table *table) {
    return !table->shared || table->own;
}

/* The place of n elements of four bytes; false: there is no room for them. */
static bool place(struct frs_layout *layout, size_t n, size_t most_bytes, size_t *at) {
    if (n > (most_bytes - layout->bytes) / sizeof(float))
        return false;
    size_t bytes = (n * sizeof(float) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes > most_bytes - layout->bytes)
        return false;
    *at = layout->bytes;
    layout->bytes += bytes;
    return true;
}

/* Bytes of all that a client has of its own; SIZE_MAX: too many to count. */
static size_t copy_bytes(const struct frs_external_tables *tables) {
    size_t bytes = 0;
    for (size_t i = 0; i < tables->n; i++) {
        const struct frs_external_table *table = &tables->table[i];
        if (!has_copies(table))
            continue;
        if (table->dim > (SIZE_MAX - bytes) / sizeof(float) / table->rows)
            return SIZE_MAX;
        bytes += table->rows * table->dim * sizeof(float);
    }
    return bytes;
}

static bool place_table(struct frs_layout *layout, size_t i, size_t most_bytes) {
    const struct frs_external_table *table = &layout->tables->table[i];
    size_t copies = has_copies(table) ? layout->most_clients : 1;
    return table->dim <= SIZE_MAX / sizeof(float) / table->rows / copies &&
           place(layout, copies * table->rows * table->dim, most_bytes, &layout->values[i]) &&
           (!frs_external_counts_rows(table) || place(layout, table->rows, most_bytes, &layout->ids[i]));
}

bool frs_layout_init(struct frs_layout *layout, const struct frs_external_tables *tables, size_t most_items,
    size_t most_samples, size_t most_bytes) {
    size_t each = copy_bytes(tables), most_clients = each > 0 ? COPIES_BYTES / each : FRS_LAYOUT_MOST_CLIENTS;
    most_clients = most_clients > FRS_LAYOUT_MOST_CLIENTS ? FRS_LAYOUT_MOST_CLIENTS : most_clients;
    *layout = (struct frs_layout){.tables = tables,
        .most_items = most_items,
        .most_samples = most_samples,
        .most_clients = most_clients > 0 ? most_clients : 1};
    for (size_t i = 0; i < tables->n; i++)
        if (!place_table(layout, i, most_bytes))
            return false;
    return place(layout, most_items, most_bytes, &layout->items) &&
           place(layout, most_samples, most_bytes, &layout->samples) &&
           place(layout, most_items, most_bytes, &layout->ratings) &&
           place(layout, most_items, most_bytes, &layout->scores) &&
           place(layout, layout->most_clients, most_bytes, &layout->clients) &&
           place(layout, layout->most_clients + 1, most_bytes, &layout->starts);
}

/* ---- putting --------------------------------------------------------------------------------- */

static void put(uint8_t *memory, size_t at, const void *from, size_t n) {
    if (n > 0)
        memcpy(memory + at, from, n * sizeof(float));
}

/* A client's own tables as copy k. */
static void put_copies(const struct frs_layout *layout, uint8_t *memory, const struct frs_tables *shared,
    const struct frs_external_copies *copies, uint32_t client, size_t k, bool trains) {
    for (size_t i = 0; i < layout->tables->n; i++) {
        const struct frs_external_table *table = &layout->tables->table[i];
        float *values = (float *)(void *)(memory + layout->values[i]);
        if (!table->shared || (table->own && !trains))
            copies->write(copies->context, client, i, shared, values + k * table->rows * table->dim);
    }
}

static void put_shared(
    const struct frs_layout *layout, uint8_t *memory, const struct frs_tables *shared, bool trains) {
    for (size_t i = 0, part = 0; i < layout->tables->n; i++) {
        const struct frs_external_table *table = &layout->tables->table[i];
        if (!table->shared)
            continue;
        if (!table->own || trains)
            put(memory, layout->values[i], shared->part[part], table->rows * table->dim);
        part++;
    }
}

void frs_layout_put_training(const struct frs_layout *layout, uint8_t *memory,
    const struct frs_external_training *training, const struct frs_external_copies *copies) {
    FRS_INVARIANT(training->n_rows <= layout->most_items && training->n_samples <= layout->most_samples,
        "client %u has more samples than any", training->client);
    put_shared(layout, memory, training->tables, true);
    put_copies(layout, memory, training->tables, copies, training->client, 0, true);
    put(memory, layout->items, training->ids, training->n_rows);
    if (training->ratings)
        put(memory, layout->ratings, training->ratings, training->n_rows);
    else
        put(memory, layout->samples, training->samples, training->n_samples);
}

void frs_layout_put_scoring(const struct frs_layout *layout, uint8_t *memory, const struct frs_tables *shared,
    const struct frs_external_copies *copies, const struct frs_scoring *block, size_t n_clients) {
    uint32_t *clients = (uint32_t *)(void *)(memory + layout->clients),
             *starts = (uint32_t *)(void *)(memory + layout->starts);
    size_t n = 0;
    FRS_INVARIANT(n_clients <= layout->most_clients, "%zu clients at once", n_clients);
    put_shared(layout, memory, shared, false);
    starts[0] = 0;
    for (size_t k = 0; k < n_clients; k++) {
        FRS_INVARIANT(
            block[k].n <= layout->most_items - n, "more than %zu items at once", layout->most_items);
        put_copies(layout, memory, shared, copies, block[k].client, k, false);
        put(memory, layout->items + n * sizeof(uint32_t), block[k].items, block[k].n);
        n += block[k].n;
        clients[k] = block[k].client;
        starts[k + 1] = (uint32_t)n;
    }
}

/* ---- taking ---------------------------------------------------------------------------------- */

/* The first value that is not finite, or n. */
static size_t first_not_finite(const float *values, size_t n) {
    size_t i = 0;
    while (i < n && isfinite(values[i]))
        i++;
    return i;
}

static bool check_ids(
    const struct frs_external_table *table, const uint32_t *ids, size_t n, char *why, size_t size) {
    for (size_t i = 0; i < n; i++) {
        if (ids[i] >= table->rows) {
            snprintf(why, size, "sends row %u of table %s, which has %zu rows, counted from 0", ids[i],
                table->name, table->rows);
            return false;
        }
        if (i > 0 && ids[i] <= ids[i - 1]) {
            snprintf(why, size, "sends rows of table %s that do not ascend: %u behind %u", table->name,
                ids[i], ids[i - 1]);
            return false;
        }
    }
    return true;
}

/* How many columns of a row are sent. */
static size_t columns_of(const struct frs_external_table *table, uint32_t budget) {
    return table->by_budget && budget > 0 && budget < table->dim ? budget : table->dim;
}

static const uint32_t *take_ids(const struct frs_layout *layout, const uint8_t *memory, size_t i,
    const struct frs_frame_trained *frame, struct frs_arena *arena, char *why, size_t size) {
    size_t n = frame->n[i];
    uint32_t *ids = frs_arena_take(arena, n + 1, sizeof *ids);
    for (size_t r = 0; r < n && frame->all[i]; r++)
        ids[r] = (uint32_t)r;
    if (!frame->all[i]) {
        memcpy(ids, memory + layout->ids[i], n * sizeof *ids);
        if (!check_ids(&layout->tables->table[i], ids, n, why, size))
            return NULL;
    }
    return ids;
}

/* The rows of a table that changed. */
static bool take_rows(const struct frs_layout *layout, const uint8_t *memory, size_t i,
    const struct frs_frame_trained *frame, uint32_t budget, struct frs_arena *arena, struct frs_rows *rows,
    char *why, size_t size) {
    const struct frs_external_table *table = &layout->tables->table[i];
    const float *values = (const float *)(const void *)(memory + layout->values[i]);
    size_t n = frame->n[i], dim = columns_of(table, budget);
    bool is_whole = frame->all[i] && !frs_external_keeps_rows(table); /* a store has to be told which rows */
    const uint32_t *ids = NULL;
    if (!is_whole && !(ids = take_ids(layout, memory, i, frame, arena, why, size)))
        return false;
    float *copy = frs_arena_take(arena, n * dim + 1, sizeof *copy);
    for (size_t r = 0; r < n; r++)
        memcpy(copy + r * dim, values + (ids ? ids[r] : r) * table->dim, dim * sizeof *copy);
    size_t wrong = first_not_finite(copy, n * dim);
    if (wrong < n * dim) {
        snprintf(why, size,
            "%s a value that is not finite: row %zu, column %zu of table %s (has training diverged?)",
            table->shared ? "sends" : "keeps", ids ? ids[wrong / dim] : wrong / dim, wrong % dim,
            table->name);
        return false;
    }
    *rows = (struct frs_rows){.n_rows = table->rows, .dim = dim, .n = n, .ids = ids, .values = copy};
    return true;
}

bool frs_layout_take_trained(const struct frs_layout *layout, const uint8_t *memory,
    const struct frs_frame_trained *frame, uint32_t budget, struct frs_arena *arena,
    struct frs_external_trained *out, char *why, size_t size) {
    size_t part = 0;
    *out = (struct frs_external_trained){.processed = frame->processed,
        .loss = frame->loss,
        .flop = frame->flop,
        .post_flop = frame->post_flop,
        .post_processed = frame->post_processed,
        .epochs = frame->epochs};
    for (size_t i = 0; i < layout->tables->n; i++) {
        struct frs_rows *rows = layout->tables->table[i].shared ? &out->upload[part++] : &out->kept[i];
        if (!take_rows(layout, memory, i, frame, budget, arena, rows, why, size))
            return false;
    }
    return true;
}

bool frs_layout_take_scores(const struct frs_layout *layout, const uint8_t *memory,
    const struct frs_scoring *block, size_t n_clients, char *why, size_t size) {
    const float *scores = (const float *)(const void *)(memory + layout->scores);
    for (size_t k = 0; k < n_clients; k++) {
        size_t n = block[k].n;
        memcpy(block[k].scores, scores, n * sizeof *scores);
        scores += n;
        size_t wrong = first_not_finite(block[k].scores, n);
        if (wrong < n) {
            snprintf(why, size, "gives item %u of client %u a score that is not finite",
                block[k].items[wrong], block[k].client);
            return false;
        }
    }
    return true;
}

float *frs_layout_take_given(
    const struct frs_layout *layout, const uint8_t *memory, size_t i, char *why, size_t size) {
    const struct frs_external_table *table = &layout->tables->table[i];
    size_t n = table->rows * table->dim;
    float *values = frs_alloc(n, sizeof *values);
    memcpy(values, memory + layout->values[i], n * sizeof *values);
    size_t wrong = first_not_finite(values, n);
    if (wrong == n)
        return values;
    snprintf(why, size, "gives a first value that is not finite: row %zu, column %zu of table %s",
        wrong / table->dim, wrong % table->dim, table->name);
    free(values);
    return NULL;
}
