/* What the server of RFRec does: it broadcasts V̄ and takes the mean of all V_(i). */
#include "algorithms/models/rfrec_state.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t table_length(const struct frs_rfrec *model) {
    return model->base.setup.population->n_items * model->dim;
}

/* Round UINT32_MAX: the common initial table. */
void frs_rfrec_broadcast(void *context, uint32_t round, const struct frs_tables *tables) {
    struct frs_rfrec *model = context;
    size_t slot = round == UINT32_MAX ? 0 : frs_rfrec_slot(model, round), n = table_length(model);
    if (!model->broadcasts[slot])
        model->broadcasts[slot] = frs_alloc_aligned(n, sizeof(float));
    memcpy(model->broadcasts[slot], tables->part[0], n * sizeof(float));
    model->newest = slot;
    model->received_in = round;
}

/* ---- the mean of references ------------------------------------------------------------------ */

static void add_table(const float *table, double weight, size_t n, double *sum) {
    for (size_t i = 0; i < n; i++)
        sum[i] += weight * (double)table[i];
}

/* The weights that a client sent, as [n_slots], which sum to 1. A lossy codec may have changed them: a
 * weight that refers to a table no longer kept counts as 0; if no weight is left, the newest table gets
 * all of it. */
static void spread_weights(const struct frs_rfrec *model, const struct frs_rows *part, float *weights) {
    double sum = 0;
    memset(weights, 0, model->n_slots * sizeof *weights);
    for (size_t i = 0; i < part->n; i++) {
        size_t slot = part->ids ? part->ids[i] : i;
        weights[slot] = model->broadcasts[slot] ? part->values[i] : 0;
        sum += (double)weights[slot];
    }
    if (fabs(sum) < 1e-6)
        weights[model->newest] = 1;
    for (size_t slot = 0; fabs(sum) >= 1e-6 && slot < model->n_slots; slot++)
        weights[slot] = (float)((double)weights[slot] / sum);
}

/* sum += Σ_k weights[k] V̄(k) */
static void add_reference(const struct frs_rfrec *model, const double *weights, double *sum) {
    for (size_t slot = 0; slot < model->n_slots; slot++) {
        if (weights[slot] != 0)
            add_table(model->broadcasts[slot], weights[slot], table_length(model), sum);
    }
}

/* sum += the clipped reference, `times` over. */
static void add_clipped(
    const struct frs_rfrec *model, const float *weights, double times, double *sum, struct frs_arena *arena) {
    size_t n = table_length(model);
    double *own = frs_arena_take_zeroed(arena, model->n_slots, sizeof *own);
    double *whole = frs_arena_take_zeroed(arena, n, sizeof *whole);
    float *table = frs_arena_take(arena, n, sizeof *table);
    for (size_t slot = 0; slot < model->n_slots; slot++)
        own[slot] = (double)weights[slot];
    add_reference(model, own, whole);
    for (size_t i = 0; i < n; i++)
        table[i] = (float)whole[i];
    frs_rfrec_clip(model, NULL, model->base.setup.population->n_items, table);
    add_table(table, times, n, sum);
}

/* Clients with the same weights count together: with all clients in every round, that is all of them. */
static void mean_of_clipped(
    const struct frs_rfrec *model, const struct frs_contribution *contributions, size_t n, double *sum) {
    float *weights = frs_alloc(2 * model->n_slots, sizeof *weights), *next = weights + model->n_slots;
    struct frs_arena arena = {0};
    size_t same = 0, bytes = model->n_slots * sizeof *weights;
    for (size_t i = 0; i < n; i++) {
        spread_weights(model, &contributions[i].parts[1], next);
        if (same > 0 && memcmp(weights, next, bytes) != 0) {
            frs_arena_reset(&arena);
            add_clipped(model, weights, (double)same / (double)n, sum, &arena);
            same = 0;
        }
        memcpy(weights, next, bytes);
        same++;
    }
    frs_arena_reset(&arena);
    add_clipped(model, weights, (double)same / (double)n, sum, &arena);
    frs_arena_fini(&arena);
    free(weights);
}

static void mean_of_references(const struct frs_rfrec *model, const struct frs_contribution *contributions,
    size_t n, double *sum, struct frs_arena *arena) {
    double *weights = frs_arena_take_zeroed(arena, model->n_slots, sizeof *weights);
    float *own = frs_arena_take(arena, model->n_slots, sizeof *own);
    for (size_t i = 0; i < n; i++) {
        spread_weights(model, &contributions[i].parts[1], own);
        for (size_t slot = 0; slot < model->n_slots; slot++)
            weights[slot] += (double)own[slot] / (double)n;
    }
    add_reference(model, weights, sum);
}

/* Where clients keep no references, they all refer to what they received in this round. */
static void take_newest(const struct frs_rfrec *model, double *sum, struct frs_arena *arena) {
    float *one = frs_arena_take_zeroed(arena, model->n_slots, sizeof *one);
    one[model->newest] = 1;
    if (model->clip > 0)
        add_clipped(model, one, 1, sum, arena);
    else
        add_table(model->broadcasts[model->newest], 1, table_length(model), sum);
}

/* ---- noise ----------------------------------------------------------------------------------- */

/* Gamma(shape ≥ 1, 1): Marsaglia and Tsang, "A simple method for generating gamma variables", ACM TOMS 26(3),
 * 2000. */
static double draw_gamma(struct frs_rng *rng, double shape) {
    double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        double x = frs_rng_normal(rng), v = 1 + c * x;
        v = v * v * v;
        if (v > 0 && log(1 - frs_rng_unit(rng)) < 0.5 * x * x + d - d * v + d * log(v))
            return d * v;
    }
}

/* Adds to every value the mean of n Laplace(0, s) draws. Their sum is distributed as s times the
 * difference of two Gamma(n) draws, so n tables of noise need not be made. */
static void add_noise(const struct frs_rfrec *model, size_t n, double *sum) {
    struct frs_rng rng = frs_rng_stream(
        model->base.setup.population->seed, FRS_RNG_SERVER, (uint32_t)model->newest, 0, FRS_RNG_NOISE);
    for (size_t i = 0; model->noise > 0 && i < table_length(model); i++) {
        double first = draw_gamma(&rng, (double)n);
        sum[i] += model->noise * (first - draw_gamma(&rng, (double)n)) / (double)n;
    }
}

/* Values are clipped to an interval of 2δ, with Laplace noise of scale s on each (equation 9): ε = 2δ/s a
 * value. */
size_t frs_rfrec_mechanisms(const void *context, struct frs_own_privacy_mechanism *own) {
    const struct frs_rfrec *model = context;
    size_t n = 0;
    if (model->clip > 0) {
        own[n] = (struct frs_own_privacy_mechanism){"clip", {{"norm", "value"}, {"bound", ""}}};
        frs_text_number((double)model->clip, own[n].settings[1].text, sizeof own[n].settings[1].text);
        n++;
    }
    if (model->noise > 0) {
        own[n] = (struct frs_own_privacy_mechanism){"laplace", {{"scale", ""}}};
        frs_text_number(model->noise, own[n].settings[0].text, sizeof own[n].settings[0].text);
        n++;
    }
    return n;
}

const char *frs_rfrec_refuses(const void *context) {
    const struct frs_rfrec *model = context;
    return model->keeps_references
               ? "clients refer to tables of earlier rounds, which their uploads do not hold; allowed: "
                 "method.local_step = \"exact\", or the method's own keys clipping and laplace"
               : NULL;
}

/* ---- the mean -------------------------------------------------------------------------------- */

/* Frees the tables that no client refers to any more. */
static void forget_broadcasts(struct frs_rfrec *model) {
    bool *used = frs_alloc(model->n_slots, sizeof *used);
    const struct frs_population *population = model->base.setup.population;
    used[0] = used[model->newest] = true;
    for (uint32_t u = 0; model->state && model->keeps_rows && u < population->n_clients; u++) {
        struct frs_rfrec_state state =
            frs_rfrec_state_at(model, model->state + model->start[u], population->clients[u].n);
        used[(size_t)*state.held] = true;
        for (size_t slot = 0; state.weights && slot < model->n_slots; slot++)
            used[slot] |= state.weights[slot] != 0;
    }
    for (size_t slot = 0; slot < model->n_slots; slot++)
        if (!used[slot]) {
            free(model->broadcasts[slot]);
            model->broadcasts[slot] = NULL;
        }
    free(used);
}

/* An exact step looks at nothing but the ratings and the table received. */
bool frs_rfrec_trains_anew(const void *context) {
    const struct frs_rfrec *model = context;
    return !model->keeps_rows && !model->keeps_references;
}

void frs_rfrec_gather(void *context, const struct frs_contribution *contributions, size_t n) {
    struct frs_rfrec *model = context;
    for (size_t c = 0; c < n; c++)
        frs_row_sums_add(&model->changes, &contributions[c], 0, FRS_UNIFORM, 1);
}

void frs_rfrec_aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    (void)update;
    struct frs_rfrec *model = context;
    size_t length = table_length(model);
    double *sum = frs_arena_take_zeroed(arena, length, sizeof *sum);
    if (!model->keeps_references)
        take_newest(model, sum, arena);
    else if (model->clip > 0)
        mean_of_clipped(model, contributions, n, sum);
    else
        mean_of_references(model, contributions, n, sum, arena);
    add_noise(model, n, sum);
    for (size_t i = 0; i < length; i++)
        model->items[i] = (float)sum[i];
    if (contributions)
        frs_rfrec_gather(model, contributions, n);
    struct frs_rows change = frs_row_sums_take(&model->changes, (double)n, arena);
    frs_rows_add_to(&change, model->items);
    forget_broadcasts(model);
}

/* One client's V_(i), from what it sends. */
void frs_rfrec_apply(const void *context, const struct frs_tables *tables, uint64_t round_seed,
    const struct frs_rows *update, struct frs_arena *arena) {
    (void)round_seed;
    const struct frs_rfrec *model = context;
    size_t length = table_length(model);
    double *sum = frs_arena_take_zeroed(arena, length, sizeof *sum);
    struct frs_contribution contribution = {.parts = {update[0], update[1]}};
    if (model->keeps_references)
        mean_of_references(model, &contribution, 1, sum, arena);
    else
        take_newest(model, sum, arena);
    for (size_t i = 0; i < length; i++)
        tables->part[0][i] = (float)sum[i];
    frs_rows_add_to(&update[0], tables->part[0]);
}
