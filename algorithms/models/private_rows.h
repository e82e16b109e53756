/* Private rows: rows of a table that belongs to one client, which keeps each from its first change on. Their
 * number only grows. All clients' rows lie in one pool in the order they came, so that nothing is ever moved
 * and no memory is lost between them; a client knows the places of its own. */
#ifndef FRS_ALGORITHMS_MODELS_PRIVATE_ROWS_H
#define FRS_ALGORITHMS_MODELS_PRIVATE_ROWS_H

#include "algorithms/model.h"

#include <stddef.h>
#include <stdint.h>

/* All zero but for `dim` and `n_ids`: no rows. Block k holds FRS_ROW_POOL_FIRST · 2^k rows, so that none of
 * them moves when there are more: rows may be read while others are added. */
#define FRS_ROW_POOL_FIRST 1024u
#define FRS_ROW_POOL_BLOCKS 22u /* 2^32 rows */

struct frs_row_pool {
    size_t dim;
    size_t n_ids; /* ids are below it */
    uint32_t n;   /* rows */
    float *blocks[FRS_ROW_POOL_BLOCKS];
};

/* All zero: no rows. Rows of few ids are listed, those of at least half of all ids have a table of places,
 * which takes less then. */
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

/* found[i]: the row of ids[i], or NULL. From the second one on they are found by the way where they ascend.
 */
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

/* Declared as a store of the model, which counts whole tables as the clients' parameters; NULL when only
 * timing is asked for. */
struct frs_kept_tables *frs_kept_tables_declare(struct frs_model *model, size_t n_rows, size_t dim);

#endif
