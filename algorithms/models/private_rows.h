/* Private rows: rows of a table that belongs to one client, which keeps each from its first change on.
 * Their number only grows. The rows of all clients are in one pool in the order of arrival, so nothing is
 * ever moved and no memory is lost between them; a client knows the places of its own rows. */
#ifndef FRS_ALGORITHMS_MODELS_PRIVATE_ROWS_H
#define FRS_ALGORITHMS_MODELS_PRIVATE_ROWS_H

#include "algorithms/model.h"

#include <stddef.h>
#include <stdint.h>

/* All zero except `dim` and `n_ids`: no rows. Block k holds FRS_ROW_POOL_FIRST · 2^k rows, so no row moves
 * when more are added: rows may be read meanwhile. */
#define FRS_ROW_POOL_FIRST 1024u
#define FRS_ROW_POOL_BLOCKS 22u /* 2^32 rows */

struct frs_row_pool {
    size_t dim;
    size_t n_ids; /* ids are below it */
    uint32_t n;   /* rows */
    float *blocks[FRS_ROW_POOL_BLOCKS];
};

/* All zero: no rows. A client with few rows lists them; with at least half of all ids it has a table of
 * places, which then takes less memory. */
struct frs_private_rows {
    uint32_t n;
    uint32_t capacity; /* of the list */
    uint32_t *ids;     /* [n] ascending; NULL: a table */
    uint32_t *places;  /* [n] in the pool; or [n_ids], plus one, 0: no row */
};

void frs_row_pool_fini(struct frs_row_pool *pool);
void frs_private_rows_fini(struct frs_private_rows *rows);

/* The row at a place of the pool [dim]. */
float *frs_row_pool_at(const struct frs_row_pool *pool, uint32_t place);

/* The row of an id, or NULL. */
const float *frs_private_rows_find(
    const struct frs_private_rows *rows, const struct frs_row_pool *pool, uint32_t id);

/* found[i]: the row of ids[i], or NULL. Where ids ascend, each search begins at the previous result. */
void frs_private_rows_find_all(const struct frs_private_rows *rows, const struct frs_row_pool *pool,
    const uint32_t *ids, size_t n, const float **found);

/* These n rows [n × dim], ids ascending, take the place of those with the same id, the others staying. */
void frs_private_rows_merge(struct frs_private_rows *rows, struct frs_row_pool *pool, const uint32_t *ids,
    const float *values, size_t n);

/* Loading refuses ids that are not below n_ids or not ascending (in->failed). */
void frs_private_rows_archive(
    struct frs_private_rows *rows, struct frs_row_pool *pool, struct frs_archive *archive);

/* The tables of every client. */
struct frs_kept_tables {
    size_t n_clients;
    struct frs_row_pool pool;
    struct frs_private_rows *rows; /* [n_clients] */
};

/* Declares private rows as a store of the model, which counts whole tables as the clients' parameters;
 * returns NULL when only timing is wanted. */
struct frs_kept_tables *frs_kept_tables_declare(struct frs_model *model, size_t n_rows, size_t dim);

#endif
