#include "algorithms/models/mixed_tables.h"
#include "algorithms/kernels/algebra/user_graph.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/clones.h"

#include <stdlib.h>
#include <string.h>

#define STRETCH_VALUES 512u

const float *frs_mixed_tables_trained(const struct frs_mixed_tables *tables, uint32_t client, uint32_t item) {
    return client == tables->last ? frs_client_rows_find(&tables->trained, tables->dim, item) : NULL;
}

void frs_pulled_row(const float *global, const float *own, float kept, size_t dim, float *row) {
    for (size_t k = 0; k < dim; k++)
        row[k] = own[k] + kept * (global[k] - own[k]);
}

/* ---- what arrived, a stretch of items at a time -------------------------------------------------------- */

struct uploads {
    struct frs_mixed_tables *tables;
    const struct frs_contribution *contributions;
    const struct frs_mixing *mixing;
    size_t n, stretch; /* items of a stretch */
    double *shares;    /* [n] of the data */
    float *x;          /* [n × stretch · dim] deviations from g */
    float *mixed;      /* as long */
    double *wide;      /* [stretch · dim] scratch */
};

static float kept_of(const struct frs_contribution *contribution) {
    const struct frs_rows *kept = &contribution->parts[1];
    return kept->n > 0 ? kept->values[0] : 0;
}

/* First row at or behind an item. */
static size_t first_row(const struct frs_rows *rows, size_t item) {
    size_t low = 0, high = rows->n;
    if (!rows->ids)
        return item < rows->n ? item : rows->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows->ids[middle] < item)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* x = factor · (a − b) */
FRS_CLONES static void take_difference(
    const float *restrict a, const float *restrict b, size_t n, float factor, float *restrict x) {
    for (size_t i = 0; i < n; i++)
        x[i] = factor * (a[i] - b[i]);
}

/* x[u] = Q_u − g for items [first, first + count), row u of the stretch: pulled rows, and over them what
 * came. */
static void fill_deviations(const struct uploads *up, size_t u, size_t first, size_t count) {
    const struct frs_contribution *contribution = &up->contributions[u];
    const struct frs_rows *rows = &contribution->parts[0];
    size_t dim = up->tables->dim;
    const float *global = up->tables->global + first * dim, *own = up->tables->own[contribution->client];
    float *x = up->x + u * count * dim, pulled = 1 - kept_of(contribution);
    take_difference(own + first * dim, global, count * dim, pulled, x);
    for (size_t r = first_row(rows, first); r < rows->n; r++) {
        size_t item = (rows->ids ? rows->ids[r] : r) - first;
        if (item >= count)
            return;
        for (size_t k = 0; k < dim; k++)
            x[item * dim + k] = rows->values[r * dim + k] - global[item * dim + k];
    }
}

/* Returns the number of items. */
static size_t fill_stretch(const struct uploads *up, size_t first) {
    size_t left = up->tables->n_items - first, count = left < up->stretch ? left : up->stretch;
    for (size_t u = 0; u < up->n; u++)
        fill_deviations(up, u, first, count);
    return count;
}

/* Exactly those whose uploads are here have tables of their own from now on.
 * Those that had none begin at g. */
static void give_tables(const struct uploads *up) {
    struct frs_mixed_tables *tables = up->tables;
    size_t n_values = tables->n_items * tables->dim;
    for (size_t u = 0, at = 0; u < tables->n_clients; u++) {
        bool is_here = at < up->n && up->contributions[at].client == u;
        at += is_here;
        if (is_here && !tables->own[u]) {
            tables->own[u] = frs_alloc_aligned(n_values, sizeof(float));
            memcpy(tables->own[u], tables->global, n_values * sizeof(float));
        } else if (!is_here) {
            free(tables->own[u]);
            tables->own[u] = NULL;
        }
    }
}

static void find_shares(struct uploads *up) {
    double total = 0;
    for (size_t u = 0; u < up->n; u++)
        total += up->contributions[u].samples;
    for (size_t u = 0; u < up->n; u++)
        up->shares[u] = total > 0 ? up->contributions[u].samples / total : 1 / (double)up->n;
}

/* ---- graph and mixture --------------------------------------------------------------------------------- */

/* With h = g less the reference, Q_u less the reference is h + X_u. */
static void add_common(
    const struct uploads *up, size_t first, size_t width, double *h_squared, double *h_times_x) {
    size_t at = first * up->tables->dim;
    const float *reference = up->mixing->reference;
    double *h = up->wide;
    for (size_t i = 0; i < width; i++) {
        h[i] = (double)up->tables->global[at + i] - (reference ? (double)reference[at + i] : 0);
        *h_squared += h[i] * h[i];
    }
    for (size_t u = 0; u < up->n; u++)
        for (size_t i = 0; i < width; i++)
            h_times_x[u] += h[i] * (double)up->x[u * width + i];
}

/* Weights of the users' graph [n × n]. */
static float *find_weights(const struct uploads *up, struct frs_arena *arena) {
    float *graph = frs_arena_take_zeroed(arena, up->n * up->n, sizeof *graph);
    double *h_times_x = frs_arena_take_zeroed(arena, up->n, sizeof *h_times_x), h_squared = 0;
    for (size_t first = 0, count; first < up->tables->n_items; first += count) {
        count = fill_stretch(up, first);
        frs_user_graph_add_products(graph, up->x, up->n, count * up->tables->dim);
        add_common(up, first, count * up->tables->dim, &h_squared, h_times_x);
    }
    frs_user_graph_distances(graph, h_squared, h_times_x, up->n, arena);
    up->mixing->weigh(up->mixing->context, graph, up->shares, up->n, arena);
    return graph;
}

FRS_CLONES static void take_sum(
    const float *restrict a, const float *restrict b, size_t n, float *restrict sum) {
    for (size_t i = 0; i < n; i++)
        sum[i] = a[i] + b[i];
}

/* R_u ← g + mixed[u] on a stretch. */
static void take_own(const struct uploads *up, const float *mixed, size_t first, size_t width) {
    size_t at = first * up->tables->dim;
    const float *global = up->tables->global + at;
    for (size_t u = 0; u < up->n; u++) {
        float *own = up->tables->own[up->contributions[u].client] + at;
        take_sum(global, mixed + u * width, width, own);
    }
}

FRS_CLONES static void add_share(const float *restrict x, double share, size_t n, double *restrict sums) {
    for (size_t i = 0; i < n; i++)
        sums[i] += share * (double)x[i];
}

/* g ← g + the mean of x[u] on a stretch, by shares or, without, plain. */
static void take_global(
    const struct uploads *up, const float *x, const double *shares, size_t first, size_t width) {
    float *global = up->tables->global + first * up->tables->dim;
    double *sums = up->wide;
    memset(sums, 0, width * sizeof *sums);
    for (size_t u = 0; u < up->n; u++)
        add_share(x + u * width, shares ? shares[u] : 1 / (double)up->n, width, sums);
    for (size_t i = 0; i < width; i++)
        global[i] += (float)sums[i];
}

static void mix_stretch(struct uploads *up, const float *weights, size_t first) {
    size_t width = fill_stretch(up, first) * up->tables->dim;
    float *from = up->x, *to = up->mixed;
    frs_user_graph_mix(weights, from, up->n, width, to);
    if (up->mixing->averages_uploads) { /* R_u first: it is relative to the old g */
        take_own(up, to, first, width);
        take_global(up, from, up->shares, first, width);
        return;
    }
    for (size_t i = 1; i < up->mixing->propagations; i++) {
        float *last = from;
        from = to;
        to = last;
        frs_user_graph_mix(weights, from, up->n, width, to);
    }
    take_own(up, to, first, width);
    take_global(up, to, NULL, first, width);
}

void frs_mixed_tables_aggregate(struct frs_mixed_tables *tables, const struct frs_contribution *contributions,
    size_t n, const struct frs_mixing *mixing, struct frs_arena *arena) {
    struct uploads up = {.tables = tables,
        .contributions = contributions,
        .mixing = mixing,
        .n = n,
        .stretch = STRETCH_VALUES > tables->dim ? STRETCH_VALUES / tables->dim : 1};
    up.shares = frs_arena_take(arena, n, sizeof *up.shares);
    up.x = frs_arena_take(arena, n * up.stretch * tables->dim, sizeof *up.x);
    up.mixed = frs_arena_take(arena, n * up.stretch * tables->dim, sizeof *up.mixed);
    frs_client_rows_fini(&tables->trained); /* whoever trained has been evaluated: Q_u has served */
    find_shares(&up);
    up.wide = frs_arena_take(arena, up.stretch * tables->dim, sizeof *up.wide);
    give_tables(&up);
    float *weights = find_weights(&up, arena);
    for (size_t first = 0; first < tables->n_items; first += up.stretch)
        mix_stretch(&up, weights, first);
}

double frs_mixed_tables_flop(const struct frs_mixed_tables *tables, size_t n, size_t propagations) {
    double v = (double)(tables->n_items * tables->dim), users = (double)n;
    return users * (users + 1) * v + 2 * (double)propagations * users * users * v + 10 * users * v +
           6 * users * users;
}

/* ---- as a store ------------------------------------------------------------------------------------------ */

static void commit(void *store, uint32_t client, const struct frs_rows *rows) {
    struct frs_mixed_tables *tables = store;
    frs_client_rows_replace(&tables->trained, tables->dim, rows->ids, rows->values, rows->n);
    tables->last = client;
}

static void archive(void *store, struct frs_archive *archive) {
    struct frs_mixed_tables *tables = store;
    size_t n_values = tables->n_items * tables->dim;
    frs_archive_u32(archive, &tables->last);
    frs_client_rows_archive(&tables->trained, tables->n_items, tables->dim, archive);
    for (size_t u = 0; u < tables->n_clients; u++) {
        bool any = tables->own[u];
        frs_archive_bools(archive, &any, 1);
        if (frs_archive_loads(archive)) {
            free(tables->own[u]);
            tables->own[u] = any && !archive->in->failed ? frs_alloc_aligned(n_values, sizeof(float)) : NULL;
        }
        if (tables->own[u])
            frs_archive_bytes(archive, tables->own[u], n_values * sizeof(float));
    }
}

static void destroy(void *store) {
    struct frs_mixed_tables *tables = store;
    for (size_t u = 0; u < tables->n_clients; u++)
        free(tables->own[u]);
    free(tables->own);
    frs_client_rows_fini(&tables->trained);
}

static const struct frs_store_type type = {.commit = commit, .archive = archive, .destroy = destroy};

void frs_mixed_tables_declare(
    struct frs_mixed_tables *tables, struct frs_model *model, struct frs_table items) {
    size_t n_clients = model->setup.population->n_clients, n_items = items.rows, dim = items.dim;
    tables->n_clients = n_clients;
    tables->n_items = n_items;
    tables->dim = dim;
    tables->own = frs_alloc(n_clients, sizeof *tables->own);
    tables->global = frs_model_table(model, items);
    items.owner = FRS_OF_RECEIVER;
    items.of_client = tables->own;
    frs_model_table(model, items);
    frs_model_store(model, (struct frs_store){.type = &type, .self = tables, .rows = n_items, .dim = dim});
}
