/* Clients that do nothing but one exact step on f_i(x) = ½ (x − c_i)², for tests of corrections: client i
 * changes x by c_i − x. */
#ifndef FRS_TESTS_ALGORITHMS_CORRECTIONS_DRIVER_H
#define FRS_TESTS_ALGORITHMS_CORRECTIONS_DRIVER_H

#include "algorithms/aggregation.h"
#include "algorithms/corrected_sum.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

#define MAX_CLIENTS 10u

/* A number is the sum of two single-precision ones, each in a column of its own: the rules are linear. */
struct driver {
    struct frs_population population;
    struct frs_model *model;
    struct frs_corrected_sum sum;
    struct frs_arena arena;
    const double *c; /* [n_clients] */
    uint32_t round;
    double rate, x;
    /* Where clients keep models of their own: those, and the rounds that had been played when they came. */
    double own[MAX_CLIENTS];
    uint32_t since[MAX_CLIENTS];
};

static inline const struct frs_correction *find_correction(const char *name) {
    for (size_t i = 0; frs_corrections[i]; i++)
        if (strcmp(frs_corrections[i]->plugin.name, name) == 0)
            return frs_corrections[i];
    ck_abort_msg("no correction %s", name);
    return NULL;
}

static inline void driver_begin(struct driver *d, const char *name, const char *const *settings,
    uint32_t n_clients, const double *c, const double *p, double rate) {
    const struct frs_correction *correction = find_correction(name);
    struct frs_values values = frs_values_of(correction->plugin.params, settings);
    *d = (struct driver){.population = {.n_clients = n_clients, .n_items = 1}, .c = c, .rate = rate};
    struct frs_learner_setup setup = {.population = &d->population};
    d->model = frs_model_create(sizeof *d->model, &setup);
    d->model->weighting = FRS_UNIFORM;
    frs_model_table(d->model, (struct frs_table){.name = "x", .owner = FRS_OF_ALL, .rows = 1, .dim = 2});
    d->sum = frs_corrected_sum_begin(d->model, correction, &values);
    d->sum.rate = rate;
    if (correction->needs_probabilities)
        frs_corrected_sum_know(&d->sum, p, 1, n_clients);
    frs_values_fini(&values);
}

static inline void driver_end(struct driver *d) {
    frs_arena_fini(&d->arena);
    frs_model_destroy(d->model);
}

static inline void driver_split(double x, float parts[2]) {
    parts[0] = (float)x;
    parts[1] = (float)(x - (double)parts[0]);
}

/* A round of a rule under which clients keep models of their own; clients whose bit is set in `lost` are
 * aggregated and do not receive the result. */
static inline void driver_round_of_models(
    struct driver *d, const uint32_t *clients, size_t n, unsigned lost) {
    float values[MAX_CLIENTS][2], own[MAX_CLIENTS][2];
    struct frs_tables bases[MAX_CLIENTS] = {{{0}}};
    struct frs_contribution contributions[MAX_CLIENTS], one;
    frs_arena_reset(&d->arena);
    driver_split(d->x, frs_model_tables(d->model).part[0]);
    for (size_t i = 0; i < n; i++) {
        uint32_t client = clients[i];
        double scale = frs_corrected_sum_client_rate(&d->sum, d->round);
        driver_split(d->own[client], own[i]);
        driver_split(d->own[client] + scale * (d->c[client] - d->own[client]), values[i]);
        bases[i].part[0] = own[i];
        contributions[i] = (struct frs_contribution){.client = client,
            .samples = 1,
            .base = &bases[i],
            .rounds = d->round + 1 - d->since[client],
            .parts = {{.n_rows = 1, .dim = 2, .n = 1, .values = values[i]}}};
    }
    d->round++;
    if (!frs_corrected_sum_take(&d->sum, d->model, d->round - 1, contributions, n, &d->arena, &one))
        return;
    d->x += (double)one.parts[0].values[0] + (double)one.parts[0].values[1];
    for (size_t i = 0; i < n; i++)
        if (!(lost >> clients[i] & 1)) {
            d->own[clients[i]] = d->x;
            d->since[clients[i]] = d->round;
        }
}

/* A round in which these clients arrive, ascending. */
static inline void driver_round(struct driver *d, const uint32_t *clients, size_t n) {
    float values[MAX_CLIENTS][2];
    struct frs_contribution contributions[MAX_CLIENTS], one;
    struct frs_rows change = {0};
    if (frs_corrected_sum_own_models(&d->sum)) {
        driver_round_of_models(d, clients, n, 0);
        return;
    }
    frs_arena_reset(&d->arena);
    for (size_t i = 0; i < n; i++) {
        double delta = d->c[clients[i]] - d->x;
        values[i][0] = (float)delta;
        values[i][1] = (float)(delta - (double)values[i][0]);
        contributions[i] = (struct frs_contribution){.client = clients[i],
            .samples = 1,
            .parts = {{.n_rows = 1, .dim = 2, .n = 1, .values = values[i]}}};
    }
    if (!d->sum.is_there && n > 0)
        change = frs_aggregate_changes(contributions, n, 0, FRS_UNIFORM, NULL, &d->arena);
    else if (d->sum.is_there &&
             frs_corrected_sum_take(&d->sum, d->model, d->round, contributions, n, &d->arena, &one))
        change = one.parts[0];
    if (change.n > 0)
        d->x += d->rate * ((double)change.values[0] + (double)change.values[1]);
    d->round++;
}

#endif
