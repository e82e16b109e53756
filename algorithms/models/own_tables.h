/* Own tables: for methods whose clients predict with the table that they trained last, not the server's.
 * Such a table is the one on which the client was trained, with the changed rows replaced. A received
 * table is kept once for all clients that were trained on it, and dropped with the last of them; per
 * client only its changed rows are stored. */
#ifndef FRS_ALGORITHMS_OWN_TABLES_H
#define FRS_ALGORITHMS_OWN_TABLES_H

#include "algorithms/model.h"

#include <stddef.h>
#include <stdint.h>

struct frs_own_tables;

struct frs_own_tables *frs_own_tables_create(size_t n_clients, size_t n_items, size_t dim);
void frs_own_tables_destroy(struct frs_own_tables *own);

/* Records that `client` was trained on `table` [n_items × dim], which is copied unless one with the same
 * version exists. */
void frs_own_tables_keep(struct frs_own_tables *own, uint32_t client, const float *table, uint64_t version);

/* The n rows of the kept table that its training changed, ids ascending. */
void frs_own_tables_commit(
    struct frs_own_tables *own, uint32_t client, const uint32_t *ids, const float *values, size_t n);

/* The rows of n items; `global` [n_items × dim] stands in for a client that keeps no table yet. */
void frs_own_tables_rows(const struct frs_own_tables *own, uint32_t client, const uint32_t *items, size_t n,
    const float *global, const float **rows);

/* Received tables kept now. */
size_t frs_own_tables_kept(const struct frs_own_tables *own);

void frs_own_tables_archive(struct frs_own_tables *own, struct frs_archive *archive);

/* Declares versions of this part of the tables as a store of the model; NULL when only timing is asked for. A
 * commit to it are the rows that training changed. */
struct frs_own_tables *frs_own_tables_declare(
    struct frs_model *model, size_t part, size_t n_items, size_t dim);

#endif
