#include "sim/external/layout.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64u

/* ---- places ---------------------------------------------------------------------------------- */

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

bool frs_layout_init(struct frs_layout *layout, const struct frs_external_tables *tables, size_t most_items,
    size_t most_samples, size_t most_bytes) {
    *layout = (struct frs_layout){.tables = tables, .most_items = most_items, .most_samples = most_samples};
    for (size_t i = 0; i < tables->n; i++) {
        const struct frs_external_table *table = &tables->table[i];
        if (table->dim > SIZE_MAX / sizeof(float) / table->rows ||
            !place(layout, table->rows * table->dim, most_bytes, &layout->values[i]) ||
            (table->shared && !place(layout, table->rows, most_bytes, &layout->ids[i])))
            return false;
    }
    return place(layout, most_items, most_bytes, &layout->items) &&
           place(layout, most_samples, most_bytes, &layout->samples) &&
           place(layout, most_items, most_bytes, &layout->ratings) &&
           place(layout, most_items, most_bytes, &layout->scores);
}

/* ---- putting --------------------------------------------------------------------------------- */

static void put(uint8_t *memory, size_t at, const void *from, size_t n) {
    if (n > 0)
        memcpy(memory + at, from, n * sizeof(float));
}

/* Shared tables NULL: those that lie there are to stay. */
static void put_tables(const struct frs_layout *layout, uint8_t *memory, const struct frs_tables *shared,
    const float *const *rows) {
    size_t n_shared = 0, n_private = 0;
    for (size_t i = 0; i < layout->tables->n; i++) {
        const struct frs_external_table *table = &layout->tables->table[i];
        if (!table->shared)
            put(memory, layout->values[i], rows[n_private++], table->dim);
        else if (shared)
            put(memory, layout->values[i], shared->part[n_shared++], table->rows * table->dim);
    }
}

void frs_layout_put_training(
    const struct frs_layout *layout, uint8_t *memory, const struct frs_external_training *training) {
    FRS_INVARIANT(training->n_rows <= layout->most_items && training->n_samples <= layout->most_samples,
        "client %u has more samples than any", training->client);
    put_tables(layout, memory, training->tables, training->rows);
    put(memory, layout->items, training->ids, training->n_rows);
    if (training->ratings)
        put(memory, layout->ratings, training->ratings, training->n_rows);
    else
        put(memory, layout->samples, training->samples, training->n_samples);
}

void frs_layout_put_scoring(const struct frs_layout *layout, uint8_t *memory, const struct frs_tables *tables,
    const float *const *rows, const uint32_t *items, size_t n) {
    FRS_INVARIANT(n <= layout->most_items, "%zu items at once", n);
    put_tables(layout, memory, tables, rows);
    put(memory, layout->items, items, n);
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

/* The rows of a shared table that are sent. */
static bool take_rows(const struct frs_layout *layout, const uint8_t *memory, size_t i, size_t n, bool all,
    struct frs_arena *arena, struct frs_rows *rows, char *why, size_t size) {
    const struct frs_external_table *table = &layout->tables->table[i];
    const float *values = (const float *)(const void *)(memory + layout->values[i]);
    size_t dim = table->dim;
    uint32_t *ids = NULL;
    if (!all) {
        ids = frs_arena_take(arena, n + 1, sizeof *ids);
        memcpy(ids, memory + layout->ids[i], n * sizeof *ids);
        if (!check_ids(table, ids, n, why, size))
            return false;
    }
    float *copy = frs_arena_take(arena, n * dim + 1, sizeof *copy);
    if (all)
        memcpy(copy, values, n * dim * sizeof *copy);
    for (size_t r = 0; r < n && !all; r++)
        memcpy(copy + r * dim, values + ids[r] * dim, dim * sizeof *copy);
    size_t wrong = first_not_finite(copy, n * dim);
    if (wrong < n * dim) {
        size_t row = all ? wrong / dim : ids[wrong / dim];
        snprintf(why, size, "sends a value that is not finite: row %zu, column %zu of table %s", row,
            wrong % dim, table->name);
        return false;
    }
    *rows = (struct frs_rows){.n_rows = table->rows, .dim = dim, .n = n, .ids = ids, .values = copy};
    return true;
}

static const float *take_kept(const struct frs_layout *layout, const uint8_t *memory, size_t i,
    struct frs_arena *arena, char *why, size_t size) {
    const struct frs_external_table *table = &layout->tables->table[i];
    float *copy = frs_arena_take(arena, table->dim, sizeof *copy);
    memcpy(copy, memory + layout->values[i], table->dim * sizeof *copy);
    size_t wrong = first_not_finite(copy, table->dim);
    if (wrong == table->dim)
        return copy;
    snprintf(why, size, "keeps a value that is not finite: column %zu of table %s", wrong, table->name);
    return NULL;
}

bool frs_layout_take_trained(const struct frs_layout *layout, const uint8_t *memory,
    const struct frs_frame_trained *frame, struct frs_arena *arena, struct frs_external_trained *out,
    char *why, size_t size) {
    size_t part = 0, n_kept = 0;
    *out = (struct frs_external_trained){.processed = frame->processed,
        .loss = frame->loss,
        .flop = frame->flop,
        .post_flop = frame->post_flop,
        .post_processed = frame->post_processed,
        .epochs = frame->epochs};
    for (size_t i = 0; i < layout->tables->n; i++) {
        if (!layout->tables->table[i].shared) {
            out->kept[n_kept] = take_kept(layout, memory, i, arena, why, size);
            if (!out->kept[n_kept++])
                return false;
            continue;
        }
        if (!take_rows(
                layout, memory, i, frame->n[part], frame->all[part], arena, &out->upload[part], why, size))
            return false;
        part++;
    }
    return true;
}

bool frs_layout_take_scores(const struct frs_layout *layout, const uint8_t *memory, const uint32_t *items,
    size_t n, float *scores, char *why, size_t size) {
    memcpy(scores, memory + layout->scores, n * sizeof *scores);
    size_t wrong = first_not_finite(scores, n);
    if (wrong == n)
        return true;
    snprintf(why, size, "gives item %u a score that is not finite", items[wrong]);
    return false;
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
