/* Item KNN: similar items of what a user has.
 *
 *     s_ij = c_ij / (√(n_i n_j) + shrink)         c_ij: users of both, n_i: users of i, in training
 *     score(u, i) = Σ s_ij over the j of user u among the K items most similar to i
 *
 * Source: Sarwar et al., "Item-based collaborative filtering recommendation algorithms", WWW 2001; shrinkage
 * after Koren, TKDD 4(1), 2010. */
#include "algorithms/non_federated.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct neighbour {
    uint32_t item;
    float similarity;
};

struct model {
    const struct frs_population *population;
    size_t *start; /* [n_items + 1] */
    struct neighbour
        *neighbours; /* those of item i are [start[i], start[i+1]), at most K, by ascending item */
};

/* Training users by item. */
struct inverted {
    size_t *start;   /* [n_items + 1] */
    uint32_t *users; /* ascending */
};

static struct inverted invert(const struct frs_population *population) {
    uint32_t n_items = population->n_items;
    struct inverted inverted = {.start = frs_alloc((size_t)n_items + 2, sizeof(size_t))};
    size_t *next = inverted.start + 1; /* becomes the start of the next item while it is filled */
    for (uint32_t user = 0; user < population->n_clients; user++)
        for (size_t i = 0; i < population->clients[user].n; i++)
            inverted.start[population->clients[user].items[i] + 2]++;
    for (uint32_t item = 0; item < n_items; item++)
        inverted.start[item + 2] += inverted.start[item + 1];
    inverted.users = frs_alloc(inverted.start[n_items + 1], sizeof *inverted.users);
    for (uint32_t user = 0; user < population->n_clients; user++)
        for (size_t i = 0; i < population->clients[user].n; i++)
            inverted.users[next[population->clients[user].items[i]]++] = user;
    return inverted;
}

/* The more similar first; among equals the smaller item, so that the choice is unique. */
static int by_similarity(const void *left, const void *right) {
    const struct neighbour *a = left, *b = right;
    if (a->similarity != b->similarity)
        return a->similarity > b->similarity ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

static int by_item(const void *left, const void *right) {
    const struct neighbour *a = left, *b = right;
    return (a->item > b->item) - (a->item < b->item);
}

/* Adds one to counts[j] for every user of `item` that has j too, and lists every such j once; returns how
 * many. */
static size_t count_common(const struct frs_population *population, const struct inverted *inverted,
    uint32_t item, uint32_t *counts, uint32_t *met) {
    size_t n = 0;
    for (size_t i = inverted->start[item]; i < inverted->start[item + 1]; i++) {
        const struct frs_client_data *user = &population->clients[inverted->users[i]];
        for (size_t j = 0; j < user->n; j++)
            if (counts[user->items[j]]++ == 0)
                met[n++] = user->items[j];
    }
    return n;
}

/* The similarities of `item` to all it met; clears the counts on the way. */
static size_t similarities(const struct inverted *inverted, uint32_t item, double shrink, uint32_t *counts,
    const uint32_t *met, size_t n_met, struct neighbour *out) {
    size_t n = 0;
    double n_i = (double)(inverted->start[item + 1] - inverted->start[item]);
    for (size_t i = 0; i < n_met; i++) {
        uint32_t other = met[i];
        double n_j = (double)(inverted->start[other + 1] - inverted->start[other]);
        if (other != item)
            out[n++] = (struct neighbour){other, (float)(counts[other] / (sqrt(n_i * n_j) + shrink))};
        counts[other] = 0;
    }
    return n;
}

static void find_neighbours(struct model *model, size_t k, double shrink, const atomic_bool *stopped) {
    const struct frs_population *population = model->population;
    struct inverted inverted = invert(population);
    uint32_t *counts = frs_alloc(population->n_items, sizeof *counts);
    uint32_t *met = frs_alloc(population->n_items, sizeof *met);
    struct neighbour *all = frs_alloc(population->n_items, sizeof *all);
    size_t total = 0, capacity = 0;
    for (uint32_t item = 0; item < population->n_items && !frs_is_stopped(stopped); item++) {
        size_t n_met = count_common(population, &inverted, item, counts, met);
        size_t n = similarities(&inverted, item, shrink, counts, met, n_met, all);
        qsort(all, n, sizeof *all, by_similarity);
        n = n < k ? n : k;
        qsort(all, n, sizeof *all, by_item);
        model->neighbours = frs_grow(model->neighbours, total + n, &capacity, sizeof *all);
        memcpy(model->neighbours + total, all, n * sizeof *all);
        model->start[item + 1] = total += n;
    }
    free(inverted.start);
    free(inverted.users);
    free(counts);
    free(met);
    free(all);
}

static void *fit(
    const struct frs_values *values, const struct frs_population *population, const atomic_bool *stopped) {
    struct model *model = frs_alloc(1, sizeof *model);
    model->population = population;
    model->start = frs_alloc((size_t)population->n_items + 1, sizeof *model->start);
    find_neighbours(
        model, (size_t)frs_values_int(values, "neighbours"), frs_values_real(values, "shrink"), stopped);
    return model;
}

static void destroy(void *memory) {
    struct model *model = memory;
    free(model->start);
    free(model->neighbours);
    free(model);
}

/* Both lists ascend: one walk along them. */
static float score_one(const struct model *model, const struct frs_client_data *user, uint32_t item) {
    const struct neighbour *at = model->neighbours + model->start[item];
    const struct neighbour *end = model->neighbours + model->start[item + 1];
    double sum = 0;
    for (size_t i = 0; i < user->n && at < end; i++) {
        while (at < end && at->item < user->items[i])
            at++;
        if (at < end && at->item == user->items[i])
            sum += at->similarity;
    }
    return (float)sum;
}

static void score(const void *memory, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    const struct model *model = memory;
    for (size_t i = 0; i < n; i++)
        scores[i] = score_one(model, &model->population->clients[client], items[i]);
}

static const struct frs_param params[] = {
    {.key = "neighbours", .type = FRS_INT, .initial = "50", .min = 1, .max = 1e6, .help = "K, per item"},
    {.key = "shrink",
        .type = FRS_REAL,
        .initial = "10",
        .max = 1e6,
        .help = "added to the denominator: doubts similarities that rest on few users"},
    {.key = NULL},
};

const struct frs_non_federated_model frs_non_federated_model_item_knn = {
    .plugin = {.name = "item_knn",
        .summary = "sums the similarities to the user's items over the K nearest items",
        .source = "Sarwar et al., WWW 2001",
        .params = params},
    .fit = fit,
    .destroy = destroy,
    .score = score,
};
