#include "algorithms/models/client_rows.h"
#include "sim/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void frs_client_rows_fini(struct frs_client_rows *rows) {
    free(rows->ids);
    free(rows->values);
    *rows = (struct frs_client_rows){0};
}

const float *frs_client_rows_find(const struct frs_client_rows *rows, size_t dim, uint32_t id) {
    const uint32_t *first = rows->ids;
    if (rows->n == 0)
        return NULL;
    for (size_t left = rows->n; left > 1; left -= left / 2) /* without branches: none could be predicted */
        first += first[left / 2] <= id ? left / 2 : 0;
    return *first == id ? rows->values + (size_t)(first - rows->ids) * dim : NULL;
}

/* Returns the first place from `at` on whose id is not below: skips ahead in strides that double, and then
 * searches back. */
static uint32_t place_from(const struct frs_client_rows *rows, uint32_t at, uint32_t id) {
    uint32_t stride = 1;
    while (at + stride <= rows->n && rows->ids[at + stride - 1] < id) {
        at += stride;
        stride *= 2;
    }
    uint32_t end = at + stride <= rows->n ? at + stride - 1 : rows->n;
    while (at < end) {
        uint32_t middle = at + (end - at) / 2;
        if (rows->ids[middle] < id)
            at = middle + 1;
        else
            end = middle;
    }
    return at;
}

/* In a list with few gaps the place of an id follows from the number of missing ids before it, so queries
 * in ascending order hardly ever need a search. */
static bool has_few_gaps(const struct frs_client_rows *rows) {
    return rows->n > 0 && rows->ids[rows->n - 1] < 2 * rows->n;
}

/* Returns how many rows have this id or a lower one: the last of them is the id's own, if there is one.
 * `gaps`: the number of missing ids before it as far as is known, zero at first. */
static inline uint32_t rows_up_to(const struct frs_client_rows *rows, uint32_t id, uint32_t *gaps) {
    uint32_t count = id + 1 - *gaps < rows->n ? id + 1 - *gaps : rows->n;
    for (; count > 0 && rows->ids[count - 1] > id; count--)
        ++*gaps;
    return count;
}

void frs_client_rows_find_all(
    const struct frs_client_rows *rows, size_t dim, const uint32_t *ids, size_t n, const float **found) {
    size_t one_by_one = n > 1 && frs_ids_ascend(ids + 1, n - 1) ? 1 : n;
    for (size_t i = 0; i < one_by_one; i++)
        found[i] = frs_client_rows_find(rows, dim, ids[i]);
    const uint32_t *own = rows->ids, n_rows = rows->n;
    const float *values = rows->values;
    uint32_t at = 0;
    for (size_t i = one_by_one; i < n; i++) {
        if (at < n_rows && own[at] < ids[i]) /* seldom: hardly any is passed over */
            at = place_from(rows, at, ids[i]);
        bool is_there = at < n_rows && own[at] == ids[i];
        found[i] = is_there ? values + (size_t)at * dim : NULL;
        at += is_there;
    }
}

static struct frs_client_rows take(size_t n, size_t dim) {
    return (struct frs_client_rows){.n = (uint32_t)n,
        .capacity = (uint32_t)n,
        .ids = frs_alloc_lazily(n, sizeof(uint32_t)),
        .values = frs_alloc_lazily(n * dim, sizeof(float))};
}

/* A row has a few values, and a block of them is one register: quicker than a call. */
#define BLOCK 4u

/* A row is short: block by block is quicker than a call. */
static inline void copy_row(float *to, const float *from, size_t dim) {
    size_t k = 0;
    for (; k + BLOCK <= dim; k += BLOCK)
        memmove(to + k, from + k, BLOCK * sizeof *to);
    for (; k < dim; k++)
        to[k] = from[k];
}

/* Memory is given back only where it is twice too much. */
void frs_client_rows_replace(
    struct frs_client_rows *rows, size_t dim, const uint32_t *ids, const float *values, size_t n) {
    if (n > rows->capacity || 2 * n < rows->capacity) {
        frs_client_rows_fini(rows);
        *rows = take(n, dim);
    }
    rows->n = (uint32_t)n;
    if (n == 0)
        return;
    memcpy(rows->ids, ids, n * sizeof *ids);
    memcpy(rows->values, values, n * dim * sizeof *values);
}

static size_t count_union(const struct frs_client_rows *rows, const uint32_t *ids, size_t n) {
    size_t same = 0, i = 0, at = 0;
    uint32_t gaps = 0;
    if (has_few_gaps(rows)) {
        for (at = 0; at < n; at++) {
            uint32_t count = rows_up_to(rows, ids[at], &gaps);
            same += count > 0 && rows->ids[count - 1] == ids[at];
        }
        return rows->n + n - same;
    }
    while (i < rows->n && at < n) {
        uint32_t old = rows->ids[i], fresh = ids[at];
        same += old == fresh;
        i += old <= fresh;
        at += fresh <= old;
    }
    return rows->n + n - same;
}

/* Into rows that have all these ids. */
static void write_over(
    struct frs_client_rows *rows, size_t dim, const uint32_t *ids, const float *values, size_t n) {
    uint32_t gaps = 0;
    if (has_few_gaps(rows)) {
        for (size_t i = 0; i < n; i++)
            copy_row(rows->values + (rows_up_to(rows, ids[i], &gaps) - 1) * dim, values + i * dim, dim);
        return;
    }
    for (size_t i = 0, at = 0; i < n;) { /* what is written where ids differ is what stands there */
        bool same = rows->ids[at] == ids[i];
        float *row = rows->values + at * dim;
        const float *const sources[] = {row, values + i * dim};
        copy_row(row, sources[same], dim);
        i += same;
        at++;
    }
}

/* Without branches: which list is next cannot be predicted. */
void frs_client_rows_merge(
    struct frs_client_rows *rows, size_t dim, const uint32_t *ids, const float *values, size_t n) {
    size_t total = count_union(rows, ids, n);
    if (total == rows->n) {
        write_over(rows, dim, ids, values, n);
        return;
    }
    struct frs_client_rows merged = take(total, dim);
    size_t i = 0, old = 0, fresh = 0;
    for (; old < rows->n && fresh < n; i++) {
        uint32_t old_id = rows->ids[old], fresh_id = ids[fresh];
        const float *const sources[] = {rows->values + old * dim, values + fresh * dim};
        const uint32_t both[] = {old_id, fresh_id};
        bool is_fresh = fresh_id <= old_id;
        merged.ids[i] = both[is_fresh];
        copy_row(merged.values + i * dim, sources[is_fresh], dim);
        fresh += fresh_id <= old_id;
        old += old_id <= fresh_id;
    }
    bool rest_is_old = old < rows->n;
    if (i < total) {
        memcpy(merged.ids + i, rest_is_old ? rows->ids + old : ids + fresh, (total - i) * sizeof *ids);
        memcpy(merged.values + i * dim, rest_is_old ? rows->values + old * dim : values + fresh * dim,
            (total - i) * dim * sizeof *values);
    }
    frs_client_rows_fini(rows);
    *rows = merged;
}

/* A value, or zero, without a branch. */
static float value_or_zero(float value, bool is_there) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bits &= -(uint32_t)is_there;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void frs_client_rows_gather(const struct frs_client_rows *rows, size_t dim, const uint32_t *ids, size_t n,
    size_t stride, float *columns) {
    size_t i = 0, at = 0;
    uint32_t gaps = 0;
    if (has_few_gaps(rows))
        for (; i < n; i++) {
            uint32_t count = rows_up_to(rows, ids[i], &gaps), place = count > 0 ? count - 1 : 0;
            for (size_t k = 0; k < dim; k++)
                columns[k * stride + i] =
                    value_or_zero(rows->values[place * dim + k], rows->ids[place] == ids[i]);
        }
    while (i < n && at < rows->n) { /* what is not the row of the id is written over, later */
        uint32_t kept = rows->ids[at], id = ids[i];
        const float *row = rows->values + at * dim;
        for (size_t k = 0; k < dim; k++)
            columns[k * stride + i] = value_or_zero(row[k], kept == id);
        at += kept <= id;
        i += id <= kept;
    }
    for (size_t k = 0; k < dim && i < stride; k++)
        memset(columns + k * stride + i, 0, (stride - i) * sizeof *columns);
}

void frs_client_rows_copy(
    const struct frs_client_rows *rows, size_t dim, const uint32_t *ids, size_t n, size_t pitch, float *out) {
    for (size_t i = 0, at = 0; i < n; i++) {
        while (at < rows->n && rows->ids[at] < ids[i])
            at++;
        if (at == rows->n)
            return;
        if (rows->ids[at] == ids[i])
            memcpy(out + i * pitch, rows->values + at * dim, dim * sizeof *out);
    }
}

void frs_client_rows_archive(
    struct frs_client_rows *rows, size_t n_rows, size_t dim, struct frs_archive *archive) {
    uint32_t n = rows->n;
    frs_archive_u32(archive, &n);
    if (frs_archive_loads(archive)) {
        if (archive->in->failed || n > n_rows) {
            archive->in->failed = 1;
            return;
        }
        frs_client_rows_fini(rows);
        *rows = take(n, dim);
    }
    frs_archive_bytes(archive, rows->ids, n * sizeof *rows->ids);
    frs_archive_bytes(archive, rows->values, n * dim * sizeof *rows->values);
    if (!frs_archive_loads(archive))
        return;
    for (size_t i = 0; i < n && !archive->in->failed; i++)
        if (rows->ids[i] >= n_rows || (i > 0 && rows->ids[i] <= rows->ids[i - 1]))
            archive->in->failed = 1;
}

/* ---- as a store ------------------------------------------------------------------------------ */

/* The rows of all clients. */
struct tables {
    size_t n_clients, n_rows, dim;
    bool forgets;
    struct frs_client_rows *rows; /* [n_clients] */
};

static void commit(void *store, uint32_t client, const struct frs_rows *rows) {
    const struct tables *tables = store;
    if (tables->forgets)
        frs_client_rows_replace(&tables->rows[client], tables->dim, rows->ids, rows->values, rows->n);
    else
        frs_client_rows_merge(&tables->rows[client], tables->dim, rows->ids, rows->values, rows->n);
}

static void archive_store(void *store, struct frs_archive *archive) {
    const struct tables *tables = store;
    for (size_t u = 0; u < tables->n_clients; u++)
        frs_client_rows_archive(&tables->rows[u], tables->n_rows, tables->dim, archive);
}

static void destroy(void *store) {
    struct tables *tables = store;
    for (size_t u = 0; u < tables->n_clients; u++)
        frs_client_rows_fini(&tables->rows[u]);
    free(tables->rows);
    free(tables);
}

static const struct frs_store_type type = {
    .commit = commit, .commits_apart = true, .archive = archive_store, .destroy = destroy};

struct frs_client_rows *frs_client_rows_declare(
    struct frs_model *model, size_t n_rows, size_t dim, bool forgets) {
    struct frs_store store = {
        .type = &type, .rows = n_rows, .dim = dim, .counted = n_rows * dim, .accumulates = !forgets};
    struct tables *tables = NULL;
    if (!model->setup.timing_only) {
        size_t n_clients = model->setup.population->n_clients;
        store.self = tables = frs_alloc(1, sizeof *tables);
        *tables = (struct tables){
            n_clients, n_rows, dim, forgets, frs_alloc(n_clients, sizeof(struct frs_client_rows))};
    }
    frs_model_store(model, store);
    return tables ? tables->rows : NULL;
}
