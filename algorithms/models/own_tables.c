#include "algorithms/models/own_tables.h"
#include "algorithms/models/client_rows.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* One received table. */
struct kept {
    uint64_t version;
    uint32_t n_clients; /* that hold it; 0: the place is free */
    float *table;       /* [n_items × dim], or NULL */
};

struct frs_own_tables {
    size_t n_clients, n_items, dim;
    struct kept *kept;
    size_t n, capacity;
    uint32_t *held;               /* [n_clients] index into kept, or NONE */
    struct frs_client_rows *rows; /* [n_clients] */
};

struct frs_own_tables *frs_own_tables_create(size_t n_clients, size_t n_items, size_t dim) {
    struct frs_own_tables *own = frs_alloc(1, sizeof *own);
    *own = (struct frs_own_tables){.n_clients = n_clients, .n_items = n_items, .dim = dim};
    own->held = frs_alloc(n_clients, sizeof *own->held);
    memset(own->held, 0xff, n_clients * sizeof *own->held);
    own->rows = frs_alloc(n_clients, sizeof *own->rows);
    return own;
}

void frs_own_tables_destroy(struct frs_own_tables *own) {
    if (!own)
        return;
    for (size_t i = 0; i < own->n; i++)
        free(own->kept[i].table);
    for (size_t i = 0; i < own->n_clients; i++)
        frs_client_rows_fini(&own->rows[i]);
    free(own->kept);
    free(own->held);
    free(own->rows);
    free(own);
}

/* The place of a version, newest first; a free one or a new one where it is not there. */
static uint32_t place_of(struct frs_own_tables *own, uint64_t version) {
    uint32_t free_place = (uint32_t)own->n;
    for (size_t i = own->n; i-- > 0;) {
        if (own->kept[i].n_clients == 0)
            free_place = (uint32_t)i;
        else if (own->kept[i].version == version)
            return (uint32_t)i;
    }
    if (free_place == own->n) {
        own->kept = frs_grow(own->kept, own->n + 1, &own->capacity, sizeof *own->kept);
        own->kept[own->n++] = (struct kept){0};
    }
    return free_place;
}

static void let_go(struct frs_own_tables *own, uint32_t place) {
    if (place == NONE || --own->kept[place].n_clients > 0)
        return;
    free(own->kept[place].table);
    own->kept[place] = (struct kept){0};
}

void frs_own_tables_keep(struct frs_own_tables *own, uint32_t client, const float *table, uint64_t version) {
    size_t n = own->n_items * own->dim;
    uint32_t place = place_of(own, version);
    struct kept *kept = &own->kept[place];
    if (!kept->table) {
        kept->table = frs_alloc(n, sizeof *table);
        memcpy(kept->table, table, n * sizeof *table);
    }
    kept->version = version;
    kept->n_clients++;
    let_go(own, own->held[client]);
    own->held[client] = place;
}

void frs_own_tables_commit(
    struct frs_own_tables *own, uint32_t client, const uint32_t *ids, const float *values, size_t n) {
    frs_client_rows_replace(&own->rows[client], own->dim, ids, values, n);
}

void frs_own_tables_rows(const struct frs_own_tables *own, uint32_t client, const uint32_t *items, size_t n,
    const float *global, const float **rows) {
    uint32_t place = own->held[client];
    const float *table = place == NONE ? global : own->kept[place].table;
    frs_client_rows_find_all(&own->rows[client], own->dim, items, n, rows);
    for (size_t i = 0, dim = own->dim; i < n; i++)
        rows[i] = rows[i] ? rows[i] : table + items[i] * dim;
}

size_t frs_own_tables_kept(const struct frs_own_tables *own) {
    size_t n = 0;
    for (size_t i = 0; i < own->n; i++)
        n += own->kept[i].n_clients > 0;
    return n;
}

/* Every kept table is held by a client. */
static bool load_places(struct frs_own_tables *own, struct frs_archive *archive, size_t n) {
    if (archive->in->failed || n > own->n_clients + 1)
        return false;
    for (size_t i = 0; i < own->n; i++)
        free(own->kept[i].table);
    own->kept = frs_grow(own->kept, n, &own->capacity, sizeof *own->kept);
    own->n = n;
    for (size_t i = 0; i < n; i++)
        own->kept[i] = (struct kept){0};
    return true;
}

static bool places_are_sound(const struct frs_own_tables *own) {
    for (size_t i = 0; i < own->n_clients; i++)
        if (own->held[i] != NONE && (own->held[i] >= own->n || !own->kept[own->held[i]].table))
            return false;
    return true;
}

void frs_own_tables_archive(struct frs_own_tables *own, struct frs_archive *archive) {
    size_t n = own->n;
    frs_archive_size(archive, &n);
    if (frs_archive_loads(archive) && !load_places(own, archive, n)) {
        archive->in->failed = 1;
        return;
    }
    for (size_t i = 0; i < n; i++) {
        struct kept *kept = &own->kept[i];
        frs_archive_u64(archive, &kept->version);
        frs_archive_u32(archive, &kept->n_clients);
        if (kept->n_clients == 0)
            continue;
        if (!kept->table)
            kept->table = frs_alloc(own->n_items * own->dim, sizeof *kept->table);
        frs_archive_bytes(archive, kept->table, own->n_items * own->dim * sizeof *kept->table);
    }
    frs_archive_bytes(archive, own->held, own->n_clients * sizeof *own->held);
    for (size_t i = 0; i < own->n_clients; i++)
        frs_client_rows_archive(&own->rows[i], own->n_items, own->dim, archive);
    if (frs_archive_loads(archive) && !places_are_sound(own))
        archive->in->failed = 1;
}

/* ---- as a store ------------------------------------------------------------------------------------------ */

static void commit(void *store, uint32_t client, const struct frs_rows *rows) {
    frs_own_tables_commit(store, client, rows->ids, rows->values, rows->n);
}

static void receive(void *store, uint32_t client, const struct frs_tables *tables, uint64_t version) {
    frs_own_tables_keep(store, client, tables->part[0], version);
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
    .archive = archive_store,
    .destroy = destroy};

struct frs_own_tables *frs_own_tables_declare(struct frs_model *model, size_t n_items, size_t dim) {
    bool any = !model->setup.timing_only;
    struct frs_own_tables *own =
        any ? frs_own_tables_create(model->setup.population->n_clients, n_items, dim) : NULL;
    frs_model_store(model, (struct frs_store){.type = &type, .self = own, .rows = n_items, .dim = dim});
    return own;
}
