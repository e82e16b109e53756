#include "platforms/fleet/fleet.h"
#include "platforms/distributions/quantile.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void frs_fleet_destroy(struct frs_fleet *fleet) {
    if (!fleet)
        return;
    for (size_t figure = 0; figure < FRS_FLEET_FIGURES; figure++)
        free(fleet->sorted[figure]), free(fleet->shares[figure]);
    for (size_t i = 0; i < fleet->n_classes; i++)
        free(fleet->classes[i]);
    free(fleet->rows);
    free(fleet->path);
    free(fleet->foreign);
    free(fleet->upto);
    frs_client_ids_fini(&fleet->ids);
    free(fleet);
}

/* The row in whose part of all weights u lies. */
static size_t weighted_row(const struct frs_fleet *fleet, double u) {
    double sum = u * fleet->upto[fleet->n - 1];
    size_t low = 0, high = fleet->n - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (fleet->upto[middle] > sum)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

size_t frs_fleet_row_number(const struct frs_fleet *fleet, uint64_t seed, uint32_t client) {
    size_t row = fleet->join == FRS_FLEET_IN_TURN ? client % fleet->n : client;
    if (fleet->join == FRS_FLEET_SAMPLE) {
        double u = frs_quantile_draw(seed, client, fleet->purpose);
        row = fleet->upto ? weighted_row(fleet, u) : (size_t)(u * (double)fleet->n);
    }
    FRS_INVARIANT(row < fleet->n, "client %u has no row in %s", client, fleet->path);
    return row;
}

const struct frs_fleet_row *frs_fleet_of(const struct frs_fleet *fleet, uint64_t seed, uint32_t client) {
    return &fleet->rows[frs_fleet_row_number(fleet, seed, client)];
}

bool frs_fleet_has(const struct frs_fleet *fleet, enum frs_fleet_figure figure) {
    return fleet && fleet->has[figure];
}

/* How many rows are below the value; with `equal`, or just as much. */
static size_t count_below(const double *sorted, size_t n, double value, bool equal) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (sorted[middle] < value || (equal && sorted[middle] == value))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The share of the clients that are one of the n first rows in this order. */
static double share_of(const struct frs_fleet *fleet, enum frs_fleet_figure figure, size_t n) {
    if (!fleet->shares[figure])
        return (double)n / (double)fleet->n;
    return n > 0 ? fleet->shares[figure][n - 1] : 0;
}

double frs_fleet_quantile(
    const struct frs_fleet *fleet, enum frs_fleet_figure figure, uint64_t seed, uint32_t client, double own) {
    const double *sorted = fleet->sorted[figure], value = frs_fleet_of(fleet, seed, client)->values[figure];
    double below = share_of(fleet, figure, count_below(sorted, fleet->n, value, false)),
           upto = share_of(fleet, figure, count_below(sorted, fleet->n, value, true));
    double u = below + own * (upto - below);
    return fmin(fmax(u, FRS_QUANTILE_LEAST), 1 - FRS_QUANTILE_LEAST);
}

double frs_fleet_value_at(const struct frs_fleet *fleet, enum frs_fleet_figure figure, double u) {
    if (fleet->shares[figure]) {
        size_t first = 0;
        while (first + 1 < fleet->n && fleet->shares[figure][first] < u)
            first++;
        return fleet->sorted[figure][first];
    }
    size_t place = (size_t)ceil(u * (double)fleet->n);
    return fleet->sorted[figure][place > 0 ? place - 1 : 0];
}

bool frs_fleet_varies(const struct frs_fleet *fleet, enum frs_fleet_figure figure) {
    return fleet->sorted[figure][0] < fleet->sorted[figure][fleet->n - 1];
}

uint32_t frs_fleet_traced(const struct frs_fleet *fleet, uint64_t seed, uint32_t client) {
    bool shared = fleet && fleet->join != FRS_FLEET_ROWS;
    return shared && fleet->has_client ? frs_fleet_of(fleet, seed, client)->client : client;
}

static const struct frs_preset *find(const struct frs_preset *const *presets, const char *name) {
    for (; *presets; presets++)
        if (strcmp((*presets)->plugin.name, name) == 0)
            return *presets;
    return NULL;
}

struct frs_classes frs_fleet_presets(
    const struct frs_fleet *fleet, const struct frs_preset *const *presets, const char *key) {
    struct frs_classes classes = {.n = fleet->n_classes};
    for (size_t i = 0; i < fleet->n_classes; i++) {
        classes.presets[i] = find(presets, fleet->classes[i]);
        if (!classes.presets[i] || frs_preset_setting(classes.presets[i], key))
            return (struct frs_classes){0};
    }
    for (size_t row = 0; row < fleet->n; row++)
        classes.shares[fleet->rows[row].class] +=
            fleet->upto ? fleet->rows[row].weight / fleet->upto[fleet->n - 1] : 1 / (double)fleet->n;
    return classes;
}

bool frs_fleet_is_told(const struct frs_values *values, const struct frs_values *owner) {
    const struct frs_value *preset = frs_values_find(owner, "preset");
    for (size_t i = 0; i < values->n; i++)
        if (values->values[i].given || values->values[i].where) /* or what a manifest repeats */
            return true;
    return preset && preset->given;
}

struct weighted {
    double value, weight;
};

static int by_value(const void *a, const void *b) {
    return frs_compare_doubles(&((const struct weighted *)a)->value, &((const struct weighted *)b)->value);
}

static void sort_weighted(struct frs_fleet *fleet, enum frs_fleet_figure figure) {
    struct weighted *all = frs_alloc(fleet->n, sizeof *all);
    double sum = 0;
    free(fleet->shares[figure]);
    fleet->shares[figure] = frs_alloc(fleet->n, sizeof(double));
    for (size_t row = 0; row < fleet->n; row++)
        all[row] = (struct weighted){fleet->rows[row].values[figure], fleet->rows[row].weight};
    qsort(all, fleet->n, sizeof *all, by_value);
    for (size_t row = 0; row < fleet->n; row++) {
        fleet->sorted[figure][row] = all[row].value;
        fleet->shares[figure][row] = (sum += all[row].weight) / fleet->upto[fleet->n - 1];
    }
    free(all);
}

void frs_fleet_sort(struct frs_fleet *fleet) {
    for (size_t figure = 0; figure < FRS_FLEET_FIGURES; figure++) {
        if (!fleet->has[figure])
            continue;
        free(fleet->sorted[figure]);
        fleet->sorted[figure] = frs_alloc(fleet->n, sizeof(double));
        if (fleet->upto) {
            sort_weighted(fleet, figure);
            continue;
        }
        for (size_t row = 0; row < fleet->n; row++)
            fleet->sorted[figure][row] = fleet->rows[row].values[figure];
        qsort(fleet->sorted[figure], fleet->n, sizeof(double), frs_compare_doubles);
    }
}

/* Rows stand in the order of their numbers, no two of which are the same. */
static bool check_numbers(const struct frs_fleet *fleet, const struct frs_values *values, uint32_t n_clients,
    struct frs_errors *errors) {
    const struct frs_fleet_row *last = &fleet->rows[fleet->n - 1];
    uint32_t row = 0;
    if (last->client >= n_clients) {
        frs_values_error(values, "fleet", errors, "%s:%zu: has a row of client %u, but clients are 0 to %u",
            fleet->path, last->line, last->client, n_clients - 1);
        return false;
    }
    while (row < fleet->n && fleet->rows[row].client == row)
        row++;
    if (row < n_clients)
        frs_values_error(values, "fleet", errors,
            "%s has no row of client %u; allowed: a row of each client, 0 to %u, or %s.fleet_assignment = "
            "\"sample\" or "
            "\"in_turn\"",
            fleet->path, row, n_clients - 1, values->section);
    return row == n_clients;
}

bool frs_fleet_settle(
    struct frs_fleet *fleet, const struct frs_values *values, uint32_t n_clients, struct frs_errors *errors) {
    if (fleet->join != FRS_FLEET_ROWS)
        return true;
    if (fleet->has_client && !fleet->ids.are_texts && !check_numbers(fleet, values, n_clients, errors))
        return false;
    if (fleet->n < n_clients) {
        frs_values_error(values, "fleet", errors,
            "%s has %zu row%s for %u clients; allowed: a row for each, or %s.fleet_assignment = \"sample\" "
            "or "
            "\"in_turn\"",
            fleet->path, fleet->n, fleet->n == 1 ? "" : "s", n_clients, values->section);
        return false;
    }
    fleet->n = n_clients;
    frs_fleet_sort(fleet);
    return true;
}
