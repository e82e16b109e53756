#include "algorithms/models/own_tables.h"
#include "algorithms/models/client_rows.h"
#include "algorithms/models/table_versions.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct frs_own_tables {
    size_t n_clients, n_items, dim;
    size_t part; /* of the tables that a client receives */
    struct frs_table_versions *received;
    uint32_t *held;               /* [n_clients] place among the received ones, or NONE */
    struct frs_client_rows *rows; /* [n_clients] */
};

struct frs_own_tables *frs_own_tables_create(size_t n_clients, size_t n_items, size_t dim) {
    struct frs_own_tables *own = frs_alloc(1, sizeof *own);
    *own = (struct frs_own_tables){.n_clients = n_clients, .n_items = n_items, .dim = dim};
    own->received = frs_table_versions_create(n_items, dim);
    own->held = frs_alloc(n_clients, sizeof *own->held);
    memset(own->held, 0xff, n_clients * sizeof *own->held);
    own->rows = frs_alloc(n_clients, sizeof *own->rows);
    return own;
}

void frs_own_tables_destroy(struct frs_own_tables *own) {
    if (!own)
        return;
    for (size_t i = 0; i < own->n_clients; i++)
        frs_client_rows_fini(&own->rows[i]);
    frs_table_versions_destroy(own->received);
    free(own->held);
    free(own->rows);
    free(own);
}

void frs_own_tables_keep(struct frs_own_tables *own, uint32_t client, const float *table, uint64_t version) {
    uint32_t before = own->held[client];
    own->held[client] = frs_table_versions_hold(own->received, table, version);
    if (before != NONE)
        frs_table_versions_let_go(own->received, before);
}

void frs_own_tables_commit(
    struct frs_own_tables *own, uint32_t client, const uint32_t *ids, const float *values, size_t n) {
    frs_client_rows_replace(&own->rows[client], own->dim, ids, values, n);
}

void frs_own_tables_rows(const struct frs_own_tables *own, uint32_t client, const uint32_t *items, size_t n,
    const float *global, const float **rows) {
    uint32_t place = own->held[client];
    frs_client_rows_find_all(&own->rows[client], own->dim, items, n, rows);
    for (size_t i = 0; i < n; i++)
        if (!rows[i])
            rows[i] = place == NONE ? global + items[i] * own->dim
                                    : frs_table_versions_row(own->received, place, items[i]);
}

size_t frs_own_tables_kept(const struct frs_own_tables *own) {
    return frs_table_versions_held(own->received);
}

static bool places_are_sound(const struct frs_own_tables *own) {
    for (size_t i = 0; i < own->n_clients; i++)
        if (own->held[i] != NONE && !frs_table_versions_has(own->received, own->held[i]))
            return false;
    return true;
}

void frs_own_tables_archive(struct frs_own_tables *own, struct frs_archive *archive) {
    frs_table_versions_archive(own->received, own->n_clients + 1, archive);
    frs_archive_bytes(archive, own->held, own->n_clients * sizeof *own->held);
    for (size_t i = 0; i < own->n_clients; i++)
        frs_client_rows_archive(&own->rows[i], own->n_items, own->dim, archive);
    if (frs_archive_loads(archive) && !places_are_sound(own))
        archive->in->failed = 1;
}

/* ---- as a store ------------------------------------------------------------------------------ */

static void commit(void *store, uint32_t client, const struct frs_rows *rows) {
    frs_own_tables_commit(store, client, rows->ids, rows->values, rows->n);
}

static void receive(void *store, uint32_t client, const struct frs_tables *tables, uint64_t version) {
    frs_own_tables_keep(store, client, tables->part[((const struct frs_own_tables *)store)->part], version);
}

static size_t received_bytes(const void *store) {
    const struct frs_own_tables *own = store;
    return frs_table_versions_bytes(own->received);
}

static void archive_store(void *store, struct frs_archive *archive) {
    frs_own_tables_archive(store, archive);
}

static void destroy(void *store) {
    frs_own_tables_destroy(store);
}

static const struct frs_store_type type = {.commit = commit,
    .commits_apart = true,
    .receive = receive,
    .received_bytes = received_bytes,
    .archive = archive_store,
    .destroy = destroy};

struct frs_own_tables *frs_own_tables_declare(
    struct frs_model *model, size_t part, size_t n_items, size_t dim) {
    bool any = !model->setup.timing_only;
    struct frs_own_tables *own =
        any ? frs_own_tables_create(model->setup.population->n_clients, n_items, dim) : NULL;
    if (own)
        own->part = part;
    frs_model_store(model, (struct frs_store){.type = &type, .self = own, .rows = n_items, .dim = dim});
    return own;
}
