#include "algorithms/data/tastes.h"
#include "algorithms/data/load_internal.h"
#include "algorithms/data/read_rows.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Steps of the clustering at most; it usually stands still before. */
enum { MOST_STEPS = 30 };

/* ---- given ----------------------------------------------------------------------------------- */

/* By the distribution, where every item of it is in the data, so that items have kept their numbers. */
static bool are_given(struct frs_tastes *tastes, const struct frs_values *section) {
    struct frs_errors errors = {0};
    struct frs_load load = {.data = section, .errors = &errors};
    struct frs_synthetic_distribution distribution;
    uint64_t seed;
    if (!frs_data_is_generated(section))
        return false;
    bool good =
        frs_load_distribution(&load, &distribution, &seed) == FRS_OK && distribution.items == tastes->n_items;
    if (good) {
        frs_synthetic_tastes(&distribution, seed, tastes->group);
        tastes->n_groups = distribution.tastes;
    }
    free(load.source);
    frs_errors_clear(&errors);
    return good;
}

/* ---- clustered ------------------------------------------------------------------------------- */

/* Who interacted with each item: clients[start[i]] up to clients[start[i + 1]]. */
struct rows_of_items {
    uint32_t n;
    size_t *start;
    uint32_t *clients;
};

static struct rows_of_items turn(const struct frs_population *population) {
    struct rows_of_items rows = {.n = population->n_items};
    rows.start = frs_alloc(rows.n + 2, sizeof *rows.start);
    for (uint32_t client = 0; client < population->n_clients; client++)
        for (size_t i = 0; i < population->clients[client].n; i++)
            rows.start[population->clients[client].items[i] + 2]++;
    for (uint32_t item = 0; item < rows.n; item++)
        rows.start[item + 2] += rows.start[item + 1];
    rows.clients = frs_alloc(rows.start[rows.n + 1], sizeof *rows.clients);
    for (uint32_t client = 0; client < population->n_clients; client++)
        for (size_t i = 0; i < population->clients[client].n; i++)
            rows.clients[rows.start[population->clients[client].items[i] + 1]++] = client;
    return rows;
}

static double length_of(const struct rows_of_items *rows, uint32_t item) {
    return sqrt((double)(rows->start[item + 1] - rows->start[item]));
}

/* Adds an item's row of length 1 to a centre. */
static void add_row(const struct rows_of_items *rows, uint32_t item, double *centre) {
    double each = 1 / length_of(rows, item);
    for (size_t i = rows->start[item]; i < rows->start[item + 1]; i++)
        centre[rows->clients[i]] += each;
}

/* The cosine times the length of the item's row, which does not matter for which centre is nearest. */
static double nearness(const struct rows_of_items *rows, uint32_t item, const double *centre) {
    double sum = 0;
    for (size_t i = rows->start[item]; i < rows->start[item + 1]; i++)
        sum += centre[rows->clients[i]];
    return sum;
}

static void to_unit_length(double *centre, uint32_t n) {
    double squares = 0;
    for (uint32_t i = 0; i < n; i++)
        squares += centre[i] * centre[i];
    for (uint32_t i = 0; i < n && squares > 0; i++)
        centre[i] /= sqrt(squares);
}

/* Items drawn without repetition, each with a chance that grows with its interactions. */
static void draw_starts(
    const struct rows_of_items *rows, uint32_t k, uint64_t seed, uint32_t n_clients, double *centres) {
    struct frs_rng rng = frs_rng_stream(seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_TASTES);
    bool *taken = frs_alloc(rows->n, sizeof *taken);
    size_t all = rows->start[rows->n];
    for (uint32_t c = 0; c < k; c++) {
        size_t at = (size_t)(frs_rng_unit(&rng) * (double)all);
        uint32_t item = 0;
        while (item + 1 < rows->n && rows->start[item + 1] <= at)
            item++;
        for (uint32_t tries = 0;
             tries < rows->n && (taken[item] || rows->start[item + 1] == rows->start[item]); tries++)
            item = (item + 1) % rows->n;
        taken[item] = true;
        if (rows->start[item + 1] > rows->start[item])
            add_row(rows, item, centres + (size_t)c * n_clients);
        to_unit_length(centres + (size_t)c * n_clients, n_clients);
    }
    free(taken);
}

/* Whether any item changed its group. */
static bool assign(const struct rows_of_items *rows, uint32_t k, uint32_t n_clients, const double *centres,
    uint32_t *group) {
    bool moved = false;
    for (uint32_t item = 0; item < rows->n; item++) {
        uint32_t nearest = 0;
        double most = -1;
        for (uint32_t c = 0; c < k; c++) {
            double near = nearness(rows, item, centres + (size_t)c * n_clients);
            if (near > most) {
                most = near;
                nearest = c;
            }
        }
        moved = moved || group[item] != nearest;
        group[item] = nearest;
    }
    return moved;
}

static void cluster(struct frs_tastes *tastes, const struct frs_population *population, uint64_t seed) {
    struct rows_of_items rows = turn(population);
    uint32_t k = rows.n < FRS_TASTE_CLUSTERS ? rows.n : FRS_TASTE_CLUSTERS, n = population->n_clients;
    double *centres = frs_alloc((size_t)k * n, sizeof *centres);
    draw_starts(&rows, k, seed, n, centres);
    for (int step = 0; assign(&rows, k, n, centres, tastes->group) && step < MOST_STEPS; step++) {
        memset(centres, 0, (size_t)k * n * sizeof *centres);
        for (uint32_t item = 0; item < rows.n; item++)
            if (rows.start[item + 1] > rows.start[item])
                add_row(&rows, item, centres + (size_t)tastes->group[item] * n);
        for (uint32_t c = 0; c < k; c++)
            to_unit_length(centres + (size_t)c * n, n);
    }
    tastes->n_groups = k;
    free(centres);
    free(rows.start);
    free(rows.clients);
}

/* ---- in order -------------------------------------------------------------------------------- */

struct size {
    size_t interactions;
    uint32_t group;
};

static int larger_first(const void *a, const void *b) {
    const struct size *x = a, *y = b;
    if (x->interactions != y->interactions)
        return x->interactions < y->interactions ? 1 : -1;
    return (x->group > y->group) - (x->group < y->group);
}

/* Numbers groups by their size. */
static void order(struct frs_tastes *tastes, const struct frs_population *population) {
    struct size *sizes = frs_alloc(tastes->n_groups, sizeof *sizes);
    uint32_t *place = frs_alloc(tastes->n_groups, sizeof *place);
    for (uint32_t g = 0; g < tastes->n_groups; g++)
        sizes[g].group = g;
    for (uint32_t client = 0; client < population->n_clients; client++)
        for (size_t i = 0; i < population->clients[client].n; i++)
            sizes[tastes->group[population->clients[client].items[i]]].interactions++;
    qsort(sizes, tastes->n_groups, sizeof *sizes, larger_first);
    for (uint32_t g = 0; g < tastes->n_groups; g++)
        place[sizes[g].group] = g;
    for (uint32_t item = 0; item < tastes->n_items; item++)
        tastes->group[item] = place[tastes->group[item]];
    free(sizes);
    free(place);
}

struct frs_tastes frs_tastes_of(
    const struct frs_data *data, const struct frs_values *section, uint64_t seed) {
    const struct frs_population *population = &data->population;
    struct frs_tastes tastes = {.n_groups = 1,
        .n_items = population->n_items,
        .n_clients = population->n_clients,
        .group = frs_alloc(population->n_items, sizeof *tastes.group),
        .usual = frs_alloc(population->n_clients, sizeof *tastes.usual)};
    tastes.given = are_given(&tastes, section);
    if (!tastes.given && population->n_items > 0)
        cluster(&tastes, population, seed);
    order(&tastes, population);
    for (uint32_t client = 0; client < population->n_clients; client++) {
        const struct frs_client_data *of = &population->clients[client];
        double places = 0;
        for (size_t i = 0; i < of->n; i++)
            places += tastes.group[of->items[i]];
        tastes.usual[client] = of->n > 0 ? -places / (double)of->n : -((double)tastes.n_groups - 1) / 2;
    }
    return tastes;
}

void frs_tastes_fini(struct frs_tastes *tastes) {
    free(tastes->group);
    free(tastes->usual);
    *tastes = (struct frs_tastes){0};
}

uint32_t frs_tastes_main_group(
    const struct frs_tastes *tastes, const struct frs_data *data, uint32_t client) {
    const struct frs_client_data *of = &data->population.clients[client];
    size_t *n = frs_alloc(tastes->n_groups, sizeof *n);
    uint32_t most = 0;
    for (size_t i = 0; i < of->n; i++)
        n[tastes->group[of->items[i]]]++;
    for (uint32_t g = 1; g < tastes->n_groups; g++)
        if (n[g] > n[most])
            most = g;
    free(n);
    return most;
}
