/* The server of FedRAP: it takes the mean of C and thresholds it. Also the meaning of its privacy keys. */
#include "algorithms/aggregation.h"
#include "algorithms/learners/fedrap_model.h"
#include "sim/base/text.h"

#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

uint64_t frs_fedrap_round_seed(void *context, uint32_t round) {
    ((struct frs_fedrap *)context)->round = round;
    return 0;
}

static float kept_of(const struct frs_contribution *contribution) {
    const struct frs_rows *kept = &contribution->parts[1];
    return kept->n > 0 ? kept->values[0] : 1;
}

static double weight_of(const struct frs_contribution *contribution, size_t n) {
    double scale = contribution->staleness_scale > 0 ? contribution->staleness_scale : 1;
    return (contribution->weight > 0 ? contribution->weight : 1 / (double)n) * scale;
}

/* ---- uploads that are not kept --------------------------------------------------------------- */

void frs_fedrap_forget(void *context) {
    struct frs_fedrap_gathered *gathered = context;
    frs_row_sums_fini(&gathered->changes);
    free(gathered->kept);
}

void frs_fedrap_gather(void *context, const struct frs_contribution *contributions, size_t n) {
    struct frs_fedrap *model = context;
    struct frs_fedrap_gathered *gathered = &model->gathered;
    if (!gathered->changes.sums)
        frs_row_sums_init(&gathered->changes, model->base.setup.population->n_items, model->dim);
    gathered->kept = frs_grow(gathered->kept, gathered->n + n, &gathered->capacity, sizeof *gathered->kept);
    for (size_t c = 0; c < n; c++) {
        float kept = kept_of(&contributions[c]);
        frs_row_sums_add(&gathered->changes, &contributions[c], 0, FRS_UNIFORM, kept);
        gathered->kept[gathered->n++] = kept;
        gathered->base = contributions[c].base->part[0];
    }
}

/* ---- aggregation ----------------------------------------------------------------------------- */

/* Applies the effect of decay alone on the rows of all clients: C += Σ w_u (kept_u − 1) · (the table it
 * received). factors: these sums, over clients that received the same table. */
static void decay(
    struct frs_fedrap *model, const float *const *bases, const double *factors, size_t n_bases) {
    size_t size = model->base.setup.population->n_items * model->dim;
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

static void decay_each(struct frs_fedrap *model, const struct frs_contribution *contributions, size_t n,
    const float *kept, struct frs_arena *arena) {
    size_t n_bases = 0;
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
    decay(model, bases, factors, n_bases);
}

static void decay_gathered(struct frs_fedrap *model) {
    struct frs_fedrap_gathered *gathered = &model->gathered;
    double factor = 0;
    for (size_t c = 0; c < gathered->n; c++)
        factor += 1 / (double)gathered->n * ((double)gathered->kept[c] - 1);
    decay(model, &gathered->base, &factor, 1);
    gathered->n = 0;
}

static struct frs_rows change_of(struct frs_fedrap *model, const struct frs_contribution *contributions,
    size_t n, struct frs_arena *arena) {
    float *kept = frs_arena_take(arena, n, sizeof *kept);
    for (size_t c = 0; c < n; c++)
        kept[c] = kept_of(&contributions[c]);
    struct frs_rows change =
        frs_aggregate_decayed(contributions, n, 0, FRS_UNIFORM, kept, model->base.pool, arena);
    decay_each(model, contributions, n, kept, arena);
    return change;
}

static struct frs_rows change_gathered(struct frs_fedrap *model, struct frs_arena *arena) {
    struct frs_rows change = frs_row_sums_take(&model->gathered.changes, (double)model->gathered.n, arena);
    decay_gathered(model);
    return change;
}

/* Equation 13 on these rows of the mean: those that were sent. */
static void threshold(const struct frs_fedrap *model, const struct frs_rows *rows) {
    struct frs_additive_settings local = frs_fedrap_settings_in(model, model->round);
    float most = local.item_rate * local.mu;
    for (size_t i = 0; i < rows->n; i++)
        for (size_t k = 0; k < model->dim; k++) {
            size_t row = rows->ids ? rows->ids[i] : i;
            float *value = &model->items[row * model->dim + k];
            *value = fabsf(*value) > most ? *value - copysignf(most, *value) : 0;
        }
}

/* C += Σ w_u (C^(u) − the table u received), which is the mean of C^(u) where all received the same. A
 * client that did not touch a row holds it times the decay so far. */
void frs_fedrap_aggregate(void *context, const struct frs_contribution *contributions, size_t n,
    struct frs_arena *arena, struct frs_rows *update) {
    (void)update;
    struct frs_fedrap *model = context;
    struct frs_rows change =
        contributions ? change_of(model, contributions, n, arena) : change_gathered(model, arena);
    frs_rows_add_to(&change, model->items);
    if (!(model->noise > 0) && model->thresholded != FRS_FEDRAP_BY_CLIENT && model->local.mu > 0)
        threshold(model, &change);
}

/* ---- privacy mechanisms ---------------------------------------------------------------------- */

/* A round changes C by at most ητ; n changes of weight 1/n each move it by at most 2ητ/n when one client
 * is replaced by another (property 2). */
size_t frs_fedrap_mechanisms(const void *context, struct frs_own_privacy_mechanism *own) {
    const struct frs_fedrap *model = context;
    if (!(model->clip > 0))
        return 0;
    own[0] = (struct frs_own_privacy_mechanism){"clip", {{"bound", ""}}};
    frs_text_number((double)model->local.item_rate * model->clip, own[0].settings[0].text,
        sizeof own[0].settings[0].text);
    if (!(model->noise > 0))
        return 1;
    own[1] = (struct frs_own_privacy_mechanism){"gaussian", {{"at", "server"}, {"noise", ""}, {"delta", ""}}};
    frs_text_number(model->noise, own[1].settings[1].text, sizeof own[1].settings[1].text);
    frs_text_number(model->delta, own[1].settings[2].text, sizeof own[1].settings[2].text);
    return 2;
}

/* Under noise every row is thresholded, and after it, or which rows were sent would show. */
void frs_fedrap_settle(void *context) {
    struct frs_fedrap *model = context;
    struct frs_rows all = {
        .n_rows = model->base.setup.population->n_items, .n = model->base.setup.population->n_items};
    if (model->thresholded != FRS_FEDRAP_BY_CLIENT && model->local.mu > 0)
        threshold(model, &all);
}

const char *frs_fedrap_refuses(const void *context) {
    const struct frs_fedrap *model = context;
    return model->local.weight_decay > 0
               ? "its weight decay changes rows that no client sends; allowed: method.weight_decay = 0"
               : NULL;
}
