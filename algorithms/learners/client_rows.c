#include "algorithms/learners/client_rows.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

void frs_client_rows_fini(struct frs_client_rows *rows) {
    free(rows->ids);
    free(rows->values);
    *rows = (struct frs_client_rows){0};
}

const float *frs_client_rows_find(const struct frs_client_rows *rows, size_t dim, uint32_t id) {
    size_t low = 0, high = rows->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows->ids[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < rows->n && rows->ids[low] == id ? rows->values + low * dim : NULL;
}

static struct frs_client_rows take(size_t n, size_t dim) {
    return (struct frs_client_rows){.n = (uint32_t)n,
        .capacity = (uint32_t)n,
        .ids = frs_alloc(n, sizeof(uint32_t)),
        .values = frs_alloc(n * dim, sizeof(float))};
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
    while (i < rows->n && at < n) {
        uint32_t old = rows->ids[i], fresh = ids[at];
        same += old == fresh;
        i += old <= fresh;
        at += fresh <= old;
    }
    return rows->n + n - same;
}

void frs_client_rows_merge(
    struct frs_client_rows *rows, size_t dim, const uint32_t *ids, const float *values, size_t n) {
    size_t total = count_union(rows, ids, n);
    struct frs_client_rows merged = total == rows->n ? *rows : take(total, dim);
    size_t old = rows->n, fresh = n;
    for (size_t i = total;
         i-- > 0;) { /* from the end: what is in place is not overwritten before it is read */
        bool is_fresh = fresh > 0 && (old == 0 || ids[fresh - 1] >= rows->ids[old - 1]);
        const float *source = is_fresh ? values + --fresh * dim : rows->values + (old - 1) * dim;
        uint32_t id = is_fresh ? ids[fresh] : rows->ids[old - 1];
        if (!is_fresh || (old > 0 && rows->ids[old - 1] == id))
            old--;
        merged.ids[i] = id;
        for (size_t k = 0; k < dim; k++)
            merged.values[i * dim + k] = source[k];
    }
    if (total != rows->n) {
        frs_client_rows_fini(rows);
        *rows = merged;
    }
}

void frs_client_rows_gather(const struct frs_client_rows *rows, size_t dim, const uint32_t *ids, size_t n,
    size_t stride, float *columns) {
    memset(columns, 0, dim * stride * sizeof *columns);
    for (size_t i = 0, at = 0; i < n; i++) {
        while (at < rows->n && rows->ids[at] < ids[i])
            at++;
        if (at == rows->n)
            return;
        for (size_t k = 0; k < dim && rows->ids[at] == ids[i]; k++)
            columns[k * stride + i] = rows->values[at * dim + k];
    }
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
    for (size_t i = 0; i < n; i++)
        if (rows->ids[i] >= n_rows || (i > 0 && rows->ids[i] <= rows->ids[i - 1]))
            archive->in->failed = 1;
}
