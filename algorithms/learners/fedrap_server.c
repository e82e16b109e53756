/* What the server of FedRAP does: it takes the mean of C, thresholds it and adds noise. */
#include "algorithms/aggregation.h"
#include "algorithms/learners/fedrap_model.h"

#include <math.h>

uint64_t frs_fedrap_round_seed(void *context, uint32_t round) {
    ((struct frs_fedrap *)context)->round = round;
    return 0;
}

static float kept_of(const struct frs_contribution *contribution) {
    const struct frs_rows *kept = &contribution->parts[1];
    return kept->n > 0 ? kept->values[0] : 1;
}

static double weight_of(const struct frs_contribution *contribution, size_t n) {
    return contribution->weight > 0 ? contribution->weight : 1 / (double)n;
}

/* What decay alone has done to the rows of all clients: C += Σ w_u (kept_u − 1) · (the table it received). */
static void decay(struct frs_fedrap *model, const struct frs_contribution *contributions, size_t n,
    const float *kept, struct frs_arena *arena) {
    size_t size = model->base.setup.population->n_items * model->dim, n_bases = 0;
    const float **bases = frs_arena_take(arena, n, sizeof *bases);
    double *factors = frs_arena_take_zeroed(arena, n, sizeof *factors);
    for (size_t c = 0, b; c < n; c++) {
        const float *base = contributions[c].base->part[0];
        for (b = 0; b < n_bases && bases[b] != base; b++)
            ;
        bases[b] = base;
        n_bases += b == n_bases;
        factors[b] += weight_of(&contributions[c], n) * ((double)kept[c] - 1);
    }
    double most = 0;
    for (size_t b = 0; b < n_bases; b++)
        most = fmax(most, fabs(factors[b]));
    for (size_t i = 0; most > 0 && i < size; i++) {
        double change = 0;
        for (size_t b = 0; b < n_bases; b++)
            change += factors[b] * (double)bases[b][i];
        model->items[i] += (float)change;
    }
}

/* Equation 13 on the mean. Over the rows that were sent; under noise over all of them, and after it, or which
 * rows were sent would show. */
static void threshold(const struct frs_fedrap *model, const struct frs_rows *sent) {
    struct frs_additive_settings local = frs_fedrap_settings_in(model, model->round);
    float most = local.item_rate * local.mu;
    size_t n = model->noise > 0 ? sent->n_rows : sent->n;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < model->dim; k++) {
            size_t row = model->noise > 0 ? i : sent->ids[i];
            float *value = &model->items[row * model->dim + k];
            *value = fabsf(*value) > most ? *value - copysignf(most, *value) : 0;
        }
}

/* Property 2: n clipped changes that weigh 1/n each move C by at most 2ητ/n when one client is another; by
 * the largest weight where they differ. */
static void add_noise(struct frs_fedrap *model, const struct frs_contribution *contributions, size_t n) {
    const struct frs_population *population = model->base.setup.population;
    double weight = 0;
    for (size_t c = 0; c < n; c++)
        weight = fmax(weight, weight_of(&contributions[c], n));
    double sd = model->noise * 2 * (double)model->local.item_rate * model->clip * weight;
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, model->round, 0, FRS_RNG_NOISE);
    for (size_t i = 0; i < population->n_items * model->dim; i++)
        model->items[i] += (float)(sd * frs_rng_normal(&rng));
}

/* C += Σ w_u (C^(u) − the table u received), which is the mean of C^(u) where all received the same. A client
 * that left a row alone holds it times what decay has left of it. */
void frs_fedrap_aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    (void)update;
    struct frs_fedrap *model = context;
    float *kept = frs_arena_take(arena, n, sizeof *kept);
    for (size_t c = 0; c < n; c++)
        kept[c] = kept_of(&contributions[c]);
    struct frs_rows change =
        frs_aggregate_decayed(contributions, n, 0, FRS_UNIFORM, kept, model->base.pool, arena);
    decay(model, contributions, n, kept, arena);
    frs_rows_add_to(&change, model->items);
    if (model->noise > 0)
        add_noise(model, contributions, n);
    if (model->thresholded != FRS_FEDRAP_BY_CLIENT && model->local.mu > 0)
        threshold(model, &change);
}

struct frs_guarantee frs_fedrap_guarantee(const void *context) {
    const struct frs_fedrap *model = context;
    return (struct frs_guarantee){.noise = model->noise > 0 ? FRS_GAUSSIAN : FRS_NO_NOISE,
        .scale = model->noise,
        .delta = model->delta,
        .rests = true,
        .protects = "all interactions of one client"};
}
