#include "algorithms/models/mixed_tables.h"
#include "algorithms/kernels/algebra/user_graph.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/levels.h"

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

static size_t stretch_of(const struct frs_mixed_tables *tables) {
    return STRETCH_VALUES > tables->dim ? STRETCH_VALUES / tables->dim : 1;
}

/* ---- what arrived, a stretch of items at a time ---------------------------------------------- */

/* Memory of a thread. */
struct scratch {
    float *x;     /* [n × stretch · dim] deviations from g */
    float *mixed; /* of a share of the users; where tables are mixed more than once, as long as x */
    double *wide; /* [stretch · dim] */
};

struct uploads {
    struct frs_mixed_tables *tables;
    const struct frs_mixed_upload *of; /* [n] */
    const struct frs_mixing *mixing;
    struct frs_pool *pool;
    size_t n, stretch, panel; /* items of a stretch, users of a panel */
    double *shares;           /* [n] of the data */
    struct scratch *scratch;  /* [threads] */
    float *weights;           /* [n × n]; what they are found from, at first */
    double *h_times_x;        /* [n] */
    size_t first, count;      /* items of the stretch whose products are being found */
};

static void run(struct uploads *up, void (*work)(void *context, size_t task, size_t thread), size_t n_tasks) {
    if (up->pool && n_tasks > 1) {
        frs_pool_start(up->pool, work, up, n_tasks);
        frs_pool_finish(up->pool);
        return;
    }
    for (size_t task = 0; task < n_tasks; task++)
        work(up, task, 0);
}

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

/* Computes x[u] = Q_u − g for items [first, first + count), row u of the stretch: the pulled rows, and on
 * top of them the uploaded rows. */
static void fill_deviations(const struct uploads *up, size_t u, size_t first, size_t count, float *all) {
    const struct frs_rows *rows = &up->of[u].rows;
    size_t dim = up->tables->dim;
    const float *global = up->tables->global + first * dim,
                *own = up->tables->own[up->of[u].client] + first * dim;
    float *x = all + u * count * dim, pulled = 1 - up->of[u].kept;
    take_difference(own, global, count * dim, pulled, x);
    for (size_t r = first_row(rows, first); r < rows->n; r++) {
        size_t item = (rows->ids ? rows->ids[r] : r) - first;
        if (item >= count)
            return;
        const float *values = rows->values ? rows->values + r * dim : own + item * dim;
        for (size_t k = 0; k < dim; k++)
            x[item * dim + k] = values[k] - global[item * dim + k];
    }
}

static size_t items_from(const struct uploads *up, size_t first) {
    size_t left = up->tables->n_items - first;
    return left < up->stretch ? left : up->stretch;
}

/* Begins at g where there is none. */
static void give_table(struct frs_mixed_tables *tables, size_t client) {
    size_t n_values = tables->n_items * tables->dim;
    if (tables->own[client])
        return;
    tables->own[client] =
        tables->n_spare > 0 ? tables->spare[--tables->n_spare] : frs_alloc_aligned(n_values, sizeof(float));
    memcpy(tables->own[client], tables->global, n_values * sizeof(float));
}

/* Takes the tables of clients first … end − 1, unless clients keep them. */
static void take_tables(struct frs_mixed_tables *tables, size_t first, size_t end) {
    for (size_t u = first; u < end && !tables->keeps; u++) {
        if (!tables->own[u])
            continue;
        tables->spare =
            frs_grow(tables->spare, tables->n_spare + 1, &tables->spare_capacity, sizeof *tables->spare);
        tables->spare[tables->n_spare++] = tables->own[u];
        tables->own[u] = NULL;
    }
}

static void forget_spare(struct frs_mixed_tables *tables) {
    while (tables->n_spare > 0)
        free(tables->spare[--tables->n_spare]);
}

/* Exactly those whose uploads are here have tables of their own from now on, beside those who keep theirs. */
static void give_tables(const struct uploads *up) {
    size_t end = 0;
    for (size_t at = 0; at < up->n; at++) {
        take_tables(up->tables, end, up->of[at].client);
        give_table(up->tables, up->of[at].client);
        end = up->of[at].client + (size_t)1;
    }
    take_tables(up->tables, end, up->tables->n_clients);
    forget_spare(up->tables);
}

static void find_shares(struct uploads *up) {
    double total = 0;
    for (size_t u = 0; u < up->n; u++)
        total += up->of[u].samples;
    for (size_t u = 0; u < up->n; u++)
        up->shares[u] = total > 0 ? up->of[u].samples / total : 1 / (double)up->n;
}

/* ---- graph and mixture ----------------------------------------------------------------------- */

/* Panels depend only on the number of users, because the way a matrix is cut may change the last bits of
 * its product. The first panel is multiplied with all others, the last only with itself, so every thread
 * needs a few. */
#define PANELS 16u
#define SMALLEST_PANEL 128u

static size_t panel_of(size_t n) {
    size_t even = (n + PANELS - 1) / PANELS;
    return even > SMALLEST_PANEL ? even : SMALLEST_PANEL;
}

static size_t users_from(const struct uploads *up, size_t first) {
    return up->n - first < up->panel ? up->n - first : up->panel;
}

static void fill_panel(void *context, size_t task, size_t thread) {
    const struct uploads *up = context;
    size_t first = task * up->panel, count = users_from(up, first);
    (void)thread;
    for (size_t u = first; u < first + count; u++)
        fill_deviations(up, u, up->first, up->count, up->scratch[0].x);
}

static void multiply_panel(void *context, size_t task, size_t thread) {
    const struct uploads *up = context;
    size_t first = task * up->panel, count = users_from(up, first), width = up->count * up->tables->dim;
    const float *x = up->scratch[0].x;
    const double *h = up->scratch[0].wide;
    (void)thread;
    frs_user_graph_add_products(up->weights, x, up->n, width, first, count);
    for (size_t u = first; u < first + count; u++)
        for (size_t i = 0; i < width; i++)
            up->h_times_x[u] += h[i] * (double)x[u * width + i];
}

/* With h = g less the reference, Q_u less the reference is h + X_u. Returns h · h on the stretch. */
static double take_common(struct uploads *up) {
    size_t at = up->first * up->tables->dim, width = up->count * up->tables->dim;
    const float *reference = up->mixing->reference;
    double *h = up->scratch[0].wide, squared = 0;
    for (size_t i = 0; i < width; i++) {
        h[i] = (double)up->tables->global[at + i] - (reference ? (double)reference[at + i] : 0);
        squared += h[i] * h[i];
    }
    return squared;
}

/* The users' graph. */
static void find_weights(struct uploads *up, struct frs_arena *arena) {
    size_t n_panels = (up->n + up->panel - 1) / up->panel;
    double h_squared = 0;
    for (up->first = 0; up->first < up->tables->n_items; up->first += up->count) {
        up->count = items_from(up, up->first);
        h_squared += take_common(up);
        run(up, fill_panel, n_panels);
        run(up, multiply_panel, n_panels);
    }
    frs_user_graph_distances(up->weights, h_squared, up->h_times_x, up->n, arena);
    up->mixing->weigh(up->mixing->context, up->weights, up->shares, up->n, arena);
}

FRS_CLONES static void take_sum(
    const float *restrict a, const float *restrict b, size_t n, float *restrict sum) {
    for (size_t i = 0; i < n; i++)
        sum[i] = a[i] + b[i];
}

FRS_CLONES static void add_share(const float *restrict x, double share, size_t n, double *restrict sums) {
    for (size_t i = 0; i < n; i++)
        sums[i] += share * (double)x[i];
}

/* R_u ← g + mixed on a stretch. */
static void take_own(const struct uploads *up, size_t u, const float *mixed, size_t first, size_t width) {
    size_t at = first * up->tables->dim;
    take_sum(up->tables->global + at, mixed, width, up->tables->own[up->of[u].client] + at);
}

/* Number of users whose mixtures are made at a time: fewer take less memory, but require more passes over
 * all deviations. */
#define AT_A_TIME 2048u

static size_t share_of(size_t n) {
    return n < AT_A_TIME ? n : AT_A_TIME;
}

/* Computes every R_u, and into `sums` the mean by which g changes: the mean of the x[u] by shares, or of
 * the mixtures. */
static void mix_last(
    const struct uploads *up, const float *x, size_t first, size_t width, float *mixed, double *sums) {
    bool of_uploads = up->mixing->averages_uploads;
    memset(sums, 0, width * sizeof *sums);
    for (size_t begin = 0, end; begin < up->n; begin = end) {
        end = begin + share_of(up->n) < up->n ? begin + share_of(up->n) : up->n;
        frs_user_graph_mix(up->weights, x, up->n, width, begin, end - begin, mixed);
        for (size_t u = begin; u < end; u++) {
            const float *own = mixed + (u - begin) * width;
            take_own(up, u, own, first, width);
            add_share(of_uploads ? x + u * width : own, of_uploads ? up->shares[u] : 1 / (double)up->n, width,
                sums);
        }
    }
}

/* R_u first: it is relative to the old g. */
static void mix_stretch(void *context, size_t task, size_t thread) {
    const struct uploads *up = context;
    const struct scratch *scratch = &up->scratch[thread];
    size_t first = task * up->stretch, count = items_from(up, first), width = count * up->tables->dim;
    float *from = scratch->x, *to = scratch->mixed, *global = up->tables->global + first * up->tables->dim;
    for (size_t u = 0; u < up->n; u++)
        fill_deviations(up, u, first, count, from);
    for (size_t i = 1; i < up->mixing->propagations; i++) {
        float *last = from;
        frs_user_graph_mix(up->weights, from, up->n, width, 0, up->n, to);
        from = to;
        to = last;
    }
    mix_last(up, from, first, width, to, scratch->wide);
    for (size_t i = 0; i < width; i++)
        global[i] += (float)scratch->wide[i];
}

static size_t mixed_at_once(size_t n, size_t propagations) {
    return propagations > 1 ? n : share_of(n);
}

static void take_scratch(struct uploads *up, struct frs_arena *arena) {
    size_t threads = up->pool ? frs_pool_threads(up->pool) : 1, width = up->stretch * up->tables->dim;
    up->scratch = frs_arena_take(arena, threads, sizeof *up->scratch);
    for (size_t i = 0; i < threads; i++)
        up->scratch[i] = (struct scratch){.x = frs_arena_take(arena, up->n * width, sizeof(float)),
            .mixed =
                frs_arena_take(arena, mixed_at_once(up->n, up->mixing->propagations) * width, sizeof(float)),
            .wide = frs_arena_take(arena, width, sizeof(double))};
}

static struct frs_mixed_upload upload_of(const struct frs_contribution *contribution) {
    return (struct frs_mixed_upload){
        contribution->client, contribution->samples, kept_of(contribution), contribution->parts[0]};
}

static struct frs_mixed_upload *list(
    const struct frs_contribution *contributions, size_t n, struct frs_arena *arena) {
    struct frs_mixed_upload *of = frs_arena_take(arena, n, sizeof *of);
    for (size_t c = 0; c < n; c++)
        of[c] = upload_of(&contributions[c]);
    return of;
}

/* ---- without waiting for each other ---------------------------------------------------------- */

static void gather_one(struct frs_mixed_tables *tables, struct frs_mixed_upload upload) {
    struct frs_rows *rows = &upload.rows;
    size_t n = tables->n_gathered, dim = tables->dim;
    take_tables(tables, n > 0 ? tables->gathered[n - 1].client + (size_t)1 : 0, upload.client);
    give_table(tables, upload.client);
    for (size_t r = 0; r < rows->n; r++)
        memcpy(tables->own[upload.client] + (rows->ids ? rows->ids[r] : r) * dim, rows->values + r * dim,
            dim * sizeof(float));
    rows->values = NULL;
    if (upload.kept == 0) /* Q_u is all in place */
        *rows = (struct frs_rows){.n_rows = rows->n_rows, .dim = dim};
    if (rows->ids)
        rows->ids = memcpy(frs_alloc(rows->n, sizeof *rows->ids), rows->ids, rows->n * sizeof *rows->ids);
    tables->gathered[tables->n_gathered++] = upload;
}

void frs_mixed_tables_gather(
    struct frs_mixed_tables *tables, const struct frs_contribution *contributions, size_t n) {
    tables->gathered = frs_grow(
        tables->gathered, tables->n_gathered + n, &tables->gathered_capacity, sizeof *tables->gathered);
    for (size_t c = 0; c < n; c++)
        gather_one(tables, upload_of(&contributions[c]));
}

static void forget_gathered(struct frs_mixed_tables *tables) {
    for (size_t u = 0; u < tables->n_gathered; u++)
        free((void *)tables->gathered[u].rows.ids);
    tables->n_gathered = 0;
}

/* ---- aggregation ----------------------------------------------------------------------------- */

void frs_mixed_tables_aggregate(struct frs_mixed_tables *tables, const struct frs_contribution *contributions,
    size_t n, const struct frs_mixing *mixing, struct frs_pool *pool, struct frs_arena *arena) {
    struct uploads up = {.tables = tables,
        .of = contributions ? list(contributions, n, arena) : tables->gathered,
        .mixing = mixing,
        .pool = pool,
        .n = n,
        .stretch = stretch_of(tables),
        .panel = panel_of(n),
        .shares = frs_arena_take(arena, n, sizeof *up.shares),
        .weights = frs_arena_take_zeroed(arena, n * n, sizeof *up.weights),
        .h_times_x = frs_arena_take_zeroed(arena, n, sizeof *up.h_times_x)};
    take_scratch(&up, arena);
    frs_client_rows_fini(&tables->trained); /* its client has been evaluated: Q_u is done with */
    find_shares(&up);
    give_tables(&up);
    find_weights(&up, arena);
    run(&up, mix_stretch, (tables->n_items + up.stretch - 1) / up.stretch);
    forget_gathered(tables);
}

double frs_mixed_tables_flop(const struct frs_mixed_tables *tables, size_t n, size_t propagations) {
    double v = (double)(tables->n_items * tables->dim), users = (double)n;
    return users * (users + 1) * v + 2 * (double)propagations * users * users * v + 10 * users * v +
           6 * users * users;
}

double frs_mixed_tables_bytes(
    const struct frs_mixed_tables *tables, size_t n, size_t propagations, size_t threads) {
    double users = (double)n, stretch = (double)(stretch_of(tables) * tables->dim);
    double rows = users + (double)mixed_at_once(n, propagations);
    return sizeof(float) * (users * users + rows * stretch * (double)threads);
}

/* ---- as a store ------------------------------------------------------------------------------ */

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
    forget_spare(tables);
    free(tables->spare);
    forget_gathered(tables);
    free(tables->gathered);
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
    items.lasting = tables->keeps;
    frs_model_table(model, items);
    frs_model_store(model, (struct frs_store){.type = &type, .self = tables, .rows = n_items, .dim = dim});
}
