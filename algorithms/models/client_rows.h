/* Client rows: some rows of a table that belongs to one client, kept by ascending id. For values per client
 * and item of which a client touches few. */
#ifndef FRS_ALGORITHMS_CLIENT_ROWS_H
#define FRS_ALGORITHMS_CLIENT_ROWS_H

#include "algorithms/model.h"

#include <stddef.h>
#include <stdint.h>

/* All zero: no rows. `dim` is the caller's and the same in every call. */
struct frs_client_rows {
    uint32_t n, capacity;
    uint32_t *ids; /* [n] ascending */
    float *values; /* [n × dim] */
};

void frs_client_rows_fini(struct frs_client_rows *rows);

/* The row of an id, or NULL. */
const float *frs_client_rows_find(const struct frs_client_rows *rows, size_t dim, uint32_t id);

/* found[i]: the row of ids[i], or NULL. Where ids ascend, each search begins at the previous result. */
void frs_client_rows_find_all(
    const struct frs_client_rows *rows, size_t dim, const uint32_t *ids, size_t n, const float **found);

/* Rows become these n, ids ascending; or these in place of those with the same id, the others staying. */
void frs_client_rows_replace(
    struct frs_client_rows *rows, size_t dim, const uint32_t *ids, const float *values, size_t n);
void frs_client_rows_merge(
    struct frs_client_rows *rows, size_t dim, const uint32_t *ids, const float *values, size_t n);

/* Dimension-major: columns[k][i] = the row of ids[i] (ascending), with zeros where there is none, and in
 * the columns from n to stride. */
void frs_client_rows_gather(const struct frs_client_rows *rows, size_t dim, const uint32_t *ids, size_t n,
    size_t stride, float *columns);

/* Row-major: rows[i · pitch …] = the row of ids[i] (ascending), left as it is where there is none. */
void frs_client_rows_copy(
    const struct frs_client_rows *rows, size_t dim, const uint32_t *ids, size_t n, size_t pitch, float *out);

/* Loading refuses ids that are not below n_rows or not ascending (in->failed). */
void frs_client_rows_archive(
    struct frs_client_rows *rows, size_t n_rows, size_t dim, struct frs_archive *archive);

/* Declares such rows of every client [n_clients] as a store of the model, which counts whole tables as the
 * clients' parameters; returns NULL when only timing is wanted. `forgets`: the rows of a participation
 * replace all earlier ones, not only those with the same ids. */
struct frs_client_rows *frs_client_rows_declare(
    struct frs_model *model, size_t n_rows, size_t dim, bool forgets);

#endif
