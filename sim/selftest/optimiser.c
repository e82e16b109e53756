/* What every server optimiser is held to, by itself and behind every learner. */
#include "algorithms/optimiser.h"
#include "sim/selftest/draws.h"
#include "sim/selftest/kinds.h"
#include "sim/selftest/server_step.h"

#include <math.h>
#include <string.h>

#define OPTIMISER_H "algorithms/optimiser.h, "

enum { NUMBERS = 32, ROUNDS = 50 };

static struct frs_optimiser_settings begin(
    struct frs_check *check, const struct frs_optimiser *optimiser, float *start) {
    struct frs_values values = frs_trial_values(check, &optimiser->plugin, NULL);
    struct frs_optimiser_settings settings = {0};
    optimiser->init(&values, &settings, start);
    frs_values_fini(&values);
    return settings;
}

static void entry_is_sound(struct frs_check *check, const struct frs_optimiser *optimiser) {
    frs_clause(check, OPTIMISER_H "flop", "operations for each number are above 0");
    FRS_HOLDS(check, isfinite(optimiser->flop) && optimiser->flop > 0, "%g", optimiser->flop);
    frs_clause(check, OPTIMISER_H "n_moments", "moments are at most FRS_MAX_MOMENTS");
    FRS_HOLDS(check, optimiser->n_moments <= FRS_MAX_MOMENTS, "%zu", optimiser->n_moments);
    frs_clause(check, OPTIMISER_H "init", "rate is among its keys");
    FRS_HOLDS(check, frs_has_key(&optimiser->plugin, "rate"), "it has none");
}

/* A table that nothing has changed rests; afterwards steps are finite, and each number has its own. */
static void numbers_are_their_own(struct frs_check *check, const struct frs_optimiser *optimiser) {
    float start[FRS_MAX_MOMENTS] = {0}, all[FRS_MAX_MOMENTS][NUMBERS], alone[FRS_MAX_MOMENTS][NUMBERS];
    struct frs_optimiser_settings settings = begin(check, optimiser, start);
    for (size_t i = 0; i < NUMBERS; i++)
        for (size_t k = 0; k < FRS_MAX_MOMENTS; k++)
            all[k][i] = alone[k][i] = start[k];
    struct frs_rng rng = frs_check_rng(3);
    for (size_t round = 0; round < ROUNDS; round++) {
        float change[NUMBERS] = {0}, one[NUMBERS];
        if (round > 0)
            frs_rng_fill_normal(&rng, change, NUMBERS, round % 2 ? 1 : 1e-6);
        memcpy(one, change, sizeof one);
        optimiser->apply(&settings, (struct frs_moments){{all[0], all[1]}}, change, NUMBERS);
        for (size_t i = 0; i < NUMBERS; i++)
            optimiser->apply(&settings, (struct frs_moments){{&alone[0][i], &alone[1][i]}}, &one[i], 1);
        for (size_t i = 0; i < NUMBERS; i++) {
            frs_clause(check, OPTIMISER_H "apply", "a number's step is the same among others and alone");
            FRS_HOLDS(check, frs_are_same(&change[i], &one[i], sizeof one[i]), "%.9g and %.9g in round %zu",
                (double)change[i], (double)one[i], round);
            frs_clause(check, OPTIMISER_H "apply", "steps are finite");
            FRS_HOLDS(check, isfinite(change[i]), "%g in round %zu", (double)change[i], round);
            frs_clause(check, OPTIMISER_H "apply", "a number that nothing has changed yet stays");
            FRS_HOLDS(check, round > 0 || change[i] == 0, "it moves by %g", (double)change[i]);
        }
    }
}

static void init(void *context, const struct frs_values *values) {
    const struct frs_optimiser *optimiser = context;
    struct frs_optimiser_settings settings = {0};
    float start[FRS_MAX_MOMENTS] = {0};
    optimiser->init(values, &settings, start);
}

void frs_check_optimiser(struct frs_check *check, const struct frs_plugin *plugin) {
    /* The plug-in is the first member of its optimiser. */
    const struct frs_optimiser *optimiser = (const struct frs_optimiser *)(const void *)plugin;
    entry_is_sound(check, optimiser);
    const struct frs_key_reader reader = {
        .where = OPTIMISER_H "init", .read = init, .context = (void *)(uintptr_t)optimiser};
    frs_check_keys(check, plugin, &reader);
    numbers_are_their_own(check, optimiser);
    for (size_t l = 0; frs_learners[l]; l++)
        for (size_t v = 0; frs_variant_of(&frs_learners[l]->plugin, v); v++)
            frs_check_server_step(
                check, frs_learners[l], frs_variant_of(&frs_learners[l]->plugin, v), optimiser);
}
