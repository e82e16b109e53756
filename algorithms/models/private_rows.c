#include "algorithms/models/private_rows.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- the pool --- */

void frs_row_pool_fini(struct frs_row_pool *pool) {
    for (size_t k = 0; k < FRS_ROW_POOL_BLOCKS; k++)
        free(pool->blocks[k]);
    *pool = (struct frs_row_pool){.dim = pool->dim, .n_ids = pool->n_ids};
}

/* Blocks before k hold FIRST · (2^k − 1) rows. */
static unsigned block_of(uint32_t place) {
    uint64_t rounded = (uint64_t)place / FRS_ROW_POOL_FIRST + 1;
    return 63 - (unsigned)__builtin_clzll(rounded);
}

float *frs_row_pool_at(const struct frs_row_pool *pool, uint32_t place) {
    unsigned k = block_of(place);
    size_t before = (size_t)FRS_ROW_POOL_FIRST * (((size_t)1 << k) - 1);
    return pool->blocks[k] + (place - before) * pool->dim;
}

/* The memory of a block is the system's until its rows are written. */
static uint32_t add_row(struct frs_row_pool *pool) {
    FRS_INVARIANT(pool->n < UINT32_MAX, "more rows than there are places for");
    uint32_t place = pool->n++;
    unsigned k = block_of(place);
    if (!pool->blocks[k])
        pool->blocks[k] = frs_alloc_lazily(((size_t)FRS_ROW_POOL_FIRST << k) * pool->dim, sizeof(float));
    return place;
}

/* --- the rows of a client --- */

void frs_private_rows_fini(struct frs_private_rows *rows) {
    free(rows->ids);
    free(rows->places);
    *rows = (struct frs_private_rows){0};
}

/* The first position from `low` on whose id is not below. */
static uint32_t position_from(const struct frs_private_rows *rows, uint32_t low, uint32_t id) {
    uint32_t high = rows->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (rows->ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_table(const struct frs_private_rows *rows) {
    return rows->places && !rows->ids;
}

const float *frs_private_rows_find(
    const struct frs_private_rows *rows, const struct frs_row_pool *pool, uint32_t id) {
    if (is_table(rows))
        return rows->places[id] ? frs_row_pool_at(pool, rows->places[id] - 1) : NULL;
    uint32_t at = position_from(rows, 0, id);
    return at < rows->n && rows->ids[at] == id ? frs_row_pool_at(pool, rows->places[at]) : NULL;
}

void frs_private_rows_find_all(const struct frs_private_rows *rows, const struct frs_row_pool *pool,
    const uint32_t *ids, size_t n, const float **found) {
    size_t one_by_one = !is_table(rows) && n > 1 && frs_ids_ascend(ids + 1, n - 1) ? 1 : n;
    for (size_t i = 0; i < one_by_one; i++)
        found[i] = frs_private_rows_find(rows, pool, ids[i]);
    uint32_t at = one_by_one < n ? position_from(rows, 0, ids[one_by_one]) : 0;
    for (size_t i = one_by_one; i < n; i++) {
        while (at < rows->n && rows->ids[at] < ids[i]) /* seldom: hardly any is passed over */
            at++;
        bool is_there = at < rows->n && rows->ids[at] == ids[i];
        found[i] = is_there ? frs_row_pool_at(pool, rows->places[at]) : NULL;
        at += is_there;
    }
}

/* An eighth more than needed. */
static void make_room(struct frs_private_rows *rows, size_t n) {
    if (n <= rows->capacity)
        return;
    uint32_t *ids = rows->ids, *places = rows->places;
    rows->capacity = (uint32_t)(n + n / 8);
    rows->ids = frs_alloc(rows->capacity, sizeof *rows->ids);
    rows->places = frs_alloc(rows->capacity, sizeof *rows->places);
    if (rows->n > 0) {
        memcpy(rows->ids, ids, rows->n * sizeof *ids);
        memcpy(rows->places, places, rows->n * sizeof *places);
    }
    free(ids);
    free(places);
}

static size_t count_new(const struct frs_private_rows *rows, const uint32_t *ids, size_t n) {
    size_t found = 0;
    for (size_t i = 0, at = 0; i < n; i++) {
        while (at < rows->n && rows->ids[at] < ids[i])
            at++;
        found += at < rows->n && rows->ids[at] == ids[i];
    }
    return n - found;
}

static void make_table(struct frs_private_rows *rows, const struct frs_row_pool *pool) {
    uint32_t *places = frs_alloc(pool->n_ids, sizeof *places);
    for (uint32_t i = 0; i < rows->n; i++)
        places[rows->ids[i]] = rows->places[i] + 1;
    free(rows->ids);
    free(rows->places);
    *rows = (struct frs_private_rows){.n = rows->n, .places = places};
}

static void put_row(struct frs_row_pool *pool, uint32_t place, const float *values) {
    memcpy(frs_row_pool_at(pool, place), values, pool->dim * sizeof *values);
}

static void merge_into_table(struct frs_private_rows *rows, struct frs_row_pool *pool, const uint32_t *ids,
    const float *values, size_t n) {
    for (size_t i = 0; i < n; i++) {
        uint32_t *place = &rows->places[ids[i]];
        rows->n += *place == 0;
        *place = *place ? *place : add_row(pool) + 1;
        put_row(pool, *place - 1, values + i * pool->dim);
    }
}

/* Merges from the end, so that nothing is overwritten before it has been moved; new rows get their places
 * in that order. */
static void merge_into_list(struct frs_private_rows *rows, struct frs_row_pool *pool, const uint32_t *ids,
    const float *values, size_t n, size_t total) {
    size_t old = rows->n;
    make_room(rows, total);
    for (size_t at = total, fresh = n; fresh > 0; at--) {
        uint32_t id = ids[fresh - 1];
        if (old > 0 && rows->ids[old - 1] > id) {
            rows->ids[at - 1] = rows->ids[old - 1];
            rows->places[at - 1] = rows->places[old - 1];
            old--;
            continue;
        }
        bool known = old > 0 && rows->ids[old - 1] == id;
        uint32_t place = known ? rows->places[--old] : add_row(pool);
        rows->ids[at - 1] = id;
        rows->places[at - 1] = place;
        put_row(pool, place, values + --fresh * pool->dim);
    }
    rows->n = (uint32_t)total;
}

void frs_private_rows_merge(struct frs_private_rows *rows, struct frs_row_pool *pool, const uint32_t *ids,
    const float *values, size_t n) {
    size_t total = is_table(rows) ? 0 : rows->n + count_new(rows, ids, n);
    if (2 * total >= pool->n_ids && total > 0)
        make_table(rows, pool);
    if (is_table(rows))
        merge_into_table(rows, pool, ids, values, n);
    else
        merge_into_list(rows, pool, ids, values, n, total);
}

/* --- archive --- */

static void save(
    const struct frs_private_rows *rows, const struct frs_row_pool *pool, struct frs_archive *archive) {
    bool table = is_table(rows);
    uint32_t n = rows->n;
    frs_archive_u32(archive, &n);
    for (uint32_t i = 0; i < (table ? pool->n_ids : rows->n); i++) {
        uint32_t id = table ? i : rows->ids[i], place = table ? rows->places[i] - 1 : rows->places[i];
        if (table && rows->places[i] == 0)
            continue;
        frs_archive_u32(archive, &id);
        frs_archive_bytes(archive, frs_row_pool_at(pool, place), pool->dim * sizeof(float));
    }
}

static void load(struct frs_private_rows *rows, struct frs_row_pool *pool, struct frs_archive *archive) {
    uint32_t n = 0, id = 0;
    frs_archive_u32(archive, &n);
    if (archive->in->failed || n > pool->n_ids) {
        archive->in->failed = 1;
        return;
    }
    frs_private_rows_fini(rows);
    make_room(rows, n);
    for (uint32_t i = 0; i < n && !archive->in->failed; i++) {
        frs_archive_u32(archive, &id);
        if (id >= pool->n_ids || (i > 0 && id <= rows->ids[i - 1]))
            archive->in->failed = 1;
        rows->ids[i] = id;
        rows->places[i] = add_row(pool);
        frs_archive_bytes(archive, frs_row_pool_at(pool, rows->places[i]), pool->dim * sizeof(float));
        rows->n = i + 1;
    }
    if (!archive->in->failed && 2 * (size_t)n >= pool->n_ids && n > 0)
        make_table(rows, pool);
}

void frs_private_rows_archive(
    struct frs_private_rows *rows, struct frs_row_pool *pool, struct frs_archive *archive) {
    if (frs_archive_loads(archive))
        load(rows, pool, archive);
    else
        save(rows, pool, archive);
}

/* --- as a store --- */

static void commit(void *store, uint32_t client, const struct frs_rows *rows) {
    struct frs_kept_tables *tables = store;
    frs_private_rows_merge(&tables->rows[client], &tables->pool, rows->ids, rows->values, rows->n);
}

static void archive_store(void *store, struct frs_archive *archive) {
    struct frs_kept_tables *tables = store;
    for (size_t u = 0; u < tables->n_clients; u++)
        frs_private_rows_archive(&tables->rows[u], &tables->pool, archive);
}

static void destroy(void *store) {
    struct frs_kept_tables *tables = store;
    for (size_t u = 0; u < tables->n_clients; u++)
        frs_private_rows_fini(&tables->rows[u]);
    frs_row_pool_fini(&tables->pool);
    free(tables->rows);
    free(tables);
}

static const struct frs_store_type type = {.commit = commit, .archive = archive_store, .destroy = destroy};

struct frs_kept_tables *frs_kept_tables_declare(struct frs_model *model, size_t n_rows, size_t dim) {
    struct frs_store store = {
        .type = &type, .rows = n_rows, .dim = dim, .counted = n_rows * dim, .accumulates = true};
    struct frs_kept_tables *tables = NULL;
    if (!model->setup.timing_only) {
        size_t n_clients = model->setup.population->n_clients;
        store.self = tables = frs_alloc(1, sizeof *tables);
        *tables = (struct frs_kept_tables){.n_clients = n_clients,
            .pool = {.dim = dim, .n_ids = n_rows},
            .rows = frs_alloc(n_clients, sizeof *tables->rows)};
    }
    frs_model_store(model, store);
    return tables;
}
