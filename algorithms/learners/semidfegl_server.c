/* The server of SemiDFEGL: means of what clients have sent, groups, and what it sends each client. */
#include "algorithms/kernels/algebra/cluster.h"
#include "algorithms/learners/semidfegl.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/order.h"

#include <stdlib.h>
#include <string.h>

/* ---- what clients are sent ------------------------------------------------------------------- */

static size_t download_values(const struct frs_semidfegl *model) {
    return (model->common + model->returned + model->tail) * (model->dim + 1);
}

static void archive(void *store, struct frs_archive *archive) {
    struct frs_semidfegl *model = store;
    for (size_t u = 0; u < model->base.setup.population->n_clients; u++) {
        bool any = model->groups[u];
        frs_archive_bools(archive, &any, 1);
        if (frs_archive_loads(archive)) {
            free(model->groups[u]);
            model->groups[u] = any ? frs_alloc(download_values(model), sizeof(float)) : NULL;
        }
        if (model->groups[u])
            frs_archive_bytes(archive, model->groups[u], download_values(model) * sizeof(float));
    }
    if (model->group_of)
        frs_archive_bytes(
            archive, model->group_of, model->base.setup.population->n_clients * sizeof *model->group_of);
}

static void destroy(void *store) {
    struct frs_semidfegl *model = store;
    for (size_t u = 0; u < model->base.setup.population->n_clients; u++)
        free(model->groups[u]);
    free(model->groups);
    free(model->group_of);
    free(model->heard_at);
    free(model->heard);
}

static const struct frs_store_type groups_type = {.archive = archive, .destroy = destroy};

void frs_semidfegl_declare_groups(struct frs_semidfegl *model) {
    uint32_t n_clients = model->base.setup.population->n_clients;
    model->groups = frs_alloc(n_clients, sizeof *model->groups);
    if (frs_semidfegl_meets(model)) {
        model->group_of = frs_alloc(n_clients, sizeof *model->group_of);
        model->heard_at = frs_alloc(n_clients, sizeof *model->heard_at);
    }
    frs_model_table(&model->base, (struct frs_table){.name = "group",
                                      .owner = FRS_OF_RECEIVER,
                                      .rows = model->common + model->returned + model->tail,
                                      .dim = model->dim + 1,
                                      .of_client = model->groups,
                                      .lasting = true});
    frs_model_store(&model->base, (struct frs_store){.type = &groups_type, .self = model});
}

/* ---- what has arrived ------------------------------------------------------------------------ */

/* An item's vector becomes the mean of those that have arrived, evenly; others stay. */
static void average_items(struct frs_semidfegl *model, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena) {
    size_t n_items = model->base.setup.population->n_items, dim = model->dim;
    double *sums = frs_arena_take_zeroed(arena, n_items * dim, sizeof *sums);
    uint32_t *senders = frs_arena_take_zeroed(arena, n_items, sizeof *senders);
    for (size_t c = 0; c < n; c++) {
        const struct frs_rows *rows = &contributions[c].parts[0];
        for (size_t i = 0; i < rows->n; i++) {
            size_t item = rows->ids ? rows->ids[i] : i;
            senders[item]++;
            for (size_t k = 0; k < dim; k++)
                sums[item * dim + k] += (double)rows->values[i * dim + k];
        }
    }
    for (size_t item = 0; item < n_items; item++)
        for (size_t at = item * dim; senders[item] > 0 && at < (item + 1) * dim; at++)
            model->items[at] = (float)(sums[at] / senders[item]);
}

static void note_stars(struct frs_semidfegl *model, const struct frs_contribution *contributions, size_t n) {
    size_t width = frs_semidfegl_star(model), sent = frs_semidfegl_star_sent(model);
    for (size_t c = 0; c < n; c++) {
        float *star = model->stars + contributions[c].client * width;
        if (contributions[c].parts[1].n == 0 || contributions[c].samples == 0)
            continue;
        memcpy(star, contributions[c].parts[1].values, sent * sizeof *star);
        if (sent < width)
            star[width - 1] = 1;
    }
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* Clients that have told of their stars: vectors, and groups by k-means. */
struct known {
    size_t n;
    uint32_t *clients; /* [n] ascending */
    struct frs_groups groups;
};

static const float *star_of(const struct frs_semidfegl *model, uint32_t client) {
    return model->stars + client * frs_semidfegl_star(model);
}

static struct known cluster(struct frs_semidfegl *model, struct frs_arena *arena) {
    const struct frs_population *population = model->base.setup.population;
    size_t dim = model->dim;
    struct known known = {.clients = frs_arena_take(arena, population->n_clients, sizeof *known.clients)};
    float *vectors = frs_arena_take(arena, population->n_clients * dim, sizeof *vectors);
    for (uint32_t u = 0; u < population->n_clients; u++)
        if (star_of(model, u)[2 * dim] > 0) {
            memcpy(vectors + known.n * dim, star_of(model, u), dim * sizeof *vectors);
            known.clients[known.n++] = u;
        }
    struct frs_rng rng =
        frs_rng_stream(population->seed, FRS_RNG_SERVER, model->clusterings, 0, FRS_RNG_CLUSTERS);
    if (known.n > 0) {
        model->clusterings++;
        known.groups = frs_kmeans(
            vectors, known.n, dim, model->clusters < known.n ? model->clusters : known.n, &rng, arena);
    }
    return known;
}

struct ranked {
    uint32_t item;
    float product;
};

/* By falling product, ties by item. */
static int by_product(const void *a, const void *b) {
    const struct ranked *x = a, *y = b;
    return x->product != y->product ? (x->product < y->product) - (x->product > y->product)
                                    : (x->item > y->item) - (x->item < y->item);
}

/* The common items of a group whose mean vector is `centre`, ascending. */
static uint32_t *choose_items(
    const struct frs_semidfegl *model, const float *centre, struct frs_arena *arena) {
    size_t n_items = model->base.setup.population->n_items;
    struct ranked *all = frs_arena_take(arena, n_items, sizeof *all);
    uint32_t *items = frs_arena_take(arena, model->common, sizeof *items);
    for (uint32_t i = 0; i < n_items; i++) {
        all[i] = (struct ranked){.item = i};
        for (size_t k = 0; k < model->dim; k++)
            all[i].product += centre[k] * model->items[i * model->dim + k];
    }
    qsort(all, n_items, sizeof *all, by_product);
    for (size_t i = 0; i < model->common; i++)
        items[i] = all[i].item;
    qsort(items, model->common, sizeof *items, frs_compare_uint32s);
    return items;
}

/* The items of a group's n clients, and what returns to each. */
static void tell_items(
    struct frs_semidfegl *model, const uint32_t *clients, size_t n, const uint32_t *items) {
    size_t dim = model->dim, width = dim + 1;
    for (size_t v = 0; v < n; v++) {
        float *group = model->groups[clients[v]];
        for (size_t i = 0; i < model->common; i++)
            group[i * width] = (float)items[i];
        for (size_t i = 0; i < model->common + model->returned; i++)
            if (group[i * width] >= 0)
                memcpy(group + i * width + 1, model->items + (size_t)group[i * width] * dim,
                    dim * sizeof *group);
    }
}

/* What the others of a group of n clients add, layer by layer. */
static void tell_layers(struct frs_semidfegl *model, const uint32_t *clients, size_t n, const uint32_t *items,
    struct frs_arena *arena) {
    size_t dim = model->dim, layers = model->layers, width = dim + 1;
    struct frs_group_member *members = frs_arena_take(arena, n, sizeof *members);
    float *sum = frs_arena_take_zeroed(arena, dim, sizeof *sum),
          *others = frs_arena_take(arena, n * layers * dim, sizeof *others);
    for (size_t i = 0; i < model->common; i++)
        for (size_t k = 0; k < dim; k++)
            sum[k] += model->items[items[i] * dim + k];
    for (size_t v = 0; v < n; v++) {
        const float *star = star_of(model, clients[v]);
        members[v] = (struct frs_group_member){star, star + dim, star[2 * dim]};
    }
    frs_group_graph_spread(members, n, sum, model->common, layers, dim, others, arena);
    for (size_t v = 0; v < n; v++) {
        float *rows = model->groups[clients[v]] + (model->common + model->returned) * width;
        for (size_t l = 0; l < layers; l++) {
            rows[l * width] = (float)n;
            memcpy(rows + l * width + 1, others + (v * layers + l) * dim, dim * sizeof *rows);
        }
    }
}

/* Which items' means a client is sent back: those that it has sent, in turn where they are too many. */
static void choose_returned(
    struct frs_semidfegl *model, const struct frs_contribution *contributions, size_t n) {
    size_t width = model->dim + 1;
    for (size_t c = 0; c < n; c++) {
        const struct frs_rows *rows = &contributions[c].parts[0];
        float **group = &model->groups[contributions[c].client];
        if (star_of(model, contributions[c].client)[2 * model->dim] <= 0)
            continue; /* it has never had a star to tell of */
        if (!*group)
            *group = frs_alloc(download_values(model), sizeof **group);
        size_t many = rows->n > model->returned ? model->returned : rows->n,
               first = rows->n > many ? model->clusterings * many % rows->n : 0;
        for (size_t i = 0; i < model->returned; i++) {
            size_t at = i < many ? (first + i) % rows->n : 0;
            float *row = *group + (model->common + i) * width;
            memset(row, 0, width * sizeof *row);
            row[0] = i >= many ? -1 : rows->ids ? (float)rows->ids[at] : (float)at;
        }
    }
}

void frs_semidfegl_aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    struct frs_semidfegl *model = context;
    (void)update;
    average_items(model, contributions, n, arena);
    note_stars(model, contributions, n);
    choose_returned(model, contributions, n);
    const struct known known = cluster(model, arena);
    uint32_t *clients = frs_arena_take(arena, known.n, sizeof *clients);
    for (size_t g = 0; g < known.groups.n_groups; g++) {
        struct frs_arena_mark mark = frs_arena_mark(arena);
        size_t n_clients = 0;
        for (size_t i = 0; i < known.n; i++)
            if (known.groups.group[i] == g)
                clients[n_clients++] = known.clients[i];
        const uint32_t *items = choose_items(model, known.groups.centres + g * model->dim, arena);
        tell_items(model, clients, n_clients, items);
        if (!frs_semidfegl_meets(model))
            tell_layers(model, clients, n_clients, items, arena);
        for (size_t i = 0; model->group_of && i < n_clients; i++)
            model->group_of[clients[i]] = (uint32_t)g + 1;
        frs_arena_release(arena, mark);
    }
}

/* Sums of what has arrived; ten iterations of k-means over all clients; products of all items with each mean;
 * and the layers, where it carries them. */
double frs_semidfegl_aggregate_flop(const void *context, size_t n, double values) {
    const struct frs_semidfegl *model = context;
    const struct frs_population *population = model->base.setup.population;
    double d = (double)model->dim, clients = population->n_clients, k = model->clusters;
    (void)n;
    double spread = frs_semidfegl_meets(model)
                        ? 0
                        : frs_group_graph_spread_flop(population->n_clients, model->layers, model->dim);
    return 2 * values + 10 * clients * (k * (2 * d + 1) + d) + 2 * k * population->n_items * d + spread;
}
