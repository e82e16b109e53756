#include "algorithms/server_step.h"
#include "algorithms/aggregation.h"
#include "algorithms/privacy_mechanism.h"
#include "sim/base/numbers/rng.h"

#include <string.h>

/* Operations for each number of a table: the difference the aggregation makes, and adding the step. */
#define STATE_FLOP 2

bool frs_server_step_is_possible(
    const struct frs_learner *learner, const struct frs_optimiser *optimiser, const char **why) {
    if (learner->own_step)
        *why = learner->own_step;
    else if (optimiser->n_moments > 0 && learner->sends_updates && !learner->updates_keep)
        *why = "its updates of two rounds have no coordinates in common; allowed: none";
    else
        *why = NULL;
    return !*why;
}

struct frs_server_step frs_server_step_begin(const struct frs_learner *learner, struct frs_model *model,
    const struct frs_optimiser *optimiser, const struct frs_values *values) {
    static const char *const names[] = {"m", "v"};
    struct frs_server_step step = {.optimiser = optimiser, .learner = learner};
    float start[FRS_MAX_MOMENTS] = {0};
    if (!learner->own_step)
        optimiser->init(values, &step.settings, start);
    step.rests = learner->own_step || (optimiser->n_moments == 0 && step.settings.rate == 1);
    if (step.rests)
        return step;
    step.n_parts = frs_model_parts(model, learner->sends_updates ? FRS_UPDATE : FRS_STATE, step.parts);
    for (size_t part = 0; part < step.n_parts; part++)
        for (size_t i = 0; i < optimiser->n_moments; i++) {
            struct frs_table table = {.name = names[i],
                .owner = FRS_OF_SERVER,
                .rows = step.parts[part].n_rows,
                .dim = step.parts[part].dim};
            float *moments = step.moments[part].of[i] = frs_model_table(model, table);
            for (size_t k = 0; k < table.rows * table.dim;
                 k++) /* zeros, too: room that is seen to be needed */
                moments[k] = start[i];
        }
    return step;
}

void frs_server_step_correct(struct frs_server_step *step, struct frs_model *model,
    const struct frs_correction *correction, const struct frs_values *values) {
    step->correction = frs_corrected_sum_begin(model, correction, values);
    if (!frs_corrected_sum_own_models(&step->correction))
        return;
    step->correction.rate = step->settings.rate; /* of the clients' changes alone */
    step->rests = true;
    step->n_parts = 0;
}

static size_t length_of(const struct frs_part *part) {
    return part->n_rows * part->dim;
}

static void step_updates(
    const struct frs_server_step *step, struct frs_arena *arena, struct frs_rows *update) {
    for (size_t i = 0; i < step->n_parts; i++) {
        float *change = frs_arena_take_zeroed(arena, length_of(&step->parts[i]), sizeof *change);
        frs_rows_add_to(&update[i], change);
        step->optimiser->apply(&step->settings, step->moments[i], change, length_of(&step->parts[i]));
        update[i] = frs_rows_that_move(&step->parts[i], change, arena);
    }
}

/* Replaces the tables, as the aggregation has left them, by the result of the step from the tables
 * `before` it; in between they hold the change. */
static void step_tables(
    const struct frs_server_step *step, const struct frs_tables *tables, const struct frs_tables *before) {
    for (size_t i = 0; i < step->n_parts; i++) {
        size_t n = length_of(&step->parts[i]);
        float *table = tables->part[i];
        for (size_t k = 0; k < n; k++)
            table[k] -= before->part[i][k];
        step->optimiser->apply(&step->settings, step->moments[i], table, n);
        for (size_t k = 0; k < n; k++)
            table[k] += before->part[i][k];
    }
}

/* The largest weight of n uploads in a mean; NULL: all are equal. */
static double largest_weight(const struct frs_contribution *contributions, size_t n) {
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        double weight = contributions ? contributions[i].weight : 0;
        weight = weight > 0 ? weight : 1 / (double)n;
        largest = weight > largest ? weight : largest;
    }
    return largest;
}

/* Before the optimiser, whose moments then tell no more than the noisy aggregate did. */
static void add_noise(const struct frs_server_step *step, struct frs_model *model, uint32_t round,
    const struct frs_contribution *contributions, size_t n, struct frs_arena *arena,
    struct frs_rows *update) {
    const struct frs_learner *learner = step->learner;
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_tables tables = frs_model_tables(model);
    if (!step->mechanisms || !frs_privacy_in(step->mechanisms, FRS_PRIVACY_AGGREGATE))
        return;
    struct frs_rng rng =
        frs_rng_stream(model->setup.population->seed, FRS_RNG_SERVER, round, 0, FRS_RNG_NOISE);
    size_t n_parts = frs_model_parts(model, learner->sends_updates ? FRS_UPDATE : FRS_STATE, shapes);
    frs_privacy_aggregate(step->mechanisms, shapes, n_parts, &tables, learner->sends_updates ? update : NULL,
        largest_weight(contributions, n), &rng, arena);
    if (learner->mechanisms && learner->mechanisms->settle)
        learner->mechanisms->settle(model);
}

/* The update of a round in which no step is made. */
static void rest(const struct frs_model *model, struct frs_arena *arena, struct frs_rows *update) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n_parts = frs_model_parts(model, FRS_UPDATE, shapes);
    for (size_t i = 0; i < n_parts; i++)
        update[i] = (struct frs_rows){.n_rows = shapes[i].n_rows,
            .dim = shapes[i].dim,
            .ids = frs_arena_take(arena, 1, sizeof(uint32_t)),
            .values = frs_arena_take(arena, 1, sizeof(float))};
}

void frs_server_step_aggregate(const struct frs_server_step *step, struct frs_model *model, uint32_t round,
    const struct frs_contribution *contributions, size_t n, struct frs_arena *arena,
    struct frs_rows *update) {
    struct frs_contribution corrected;
    if (step->correction.is_there) {
        if (!frs_corrected_sum_take(&step->correction, model, round, contributions, n, arena, &corrected)) {
            if (step->learner->sends_updates)
                rest(model, arena, update);
            return;
        }
        contributions = &corrected;
        n = 1;
    }
    struct frs_tables tables = frs_model_tables(model), before = {{0}};
    bool of_state = !step->rests && !step->learner->sends_updates;
    for (size_t i = 0; of_state && i < step->n_parts; i++) {
        before.part[i] = frs_arena_take(arena, length_of(&step->parts[i]), sizeof(float));
        memcpy(before.part[i], tables.part[i], length_of(&step->parts[i]) * sizeof(float));
    }
    step->learner->aggregate(model, contributions, n, arena, update);
    add_noise(step, model, round, contributions, n, arena, update);
    if (of_state)
        step_tables(step, &tables, &before);
    else if (!step->rests)
        step_updates(step, arena, update);
}

bool frs_server_step_steps_without(const struct frs_server_step *step) {
    return step->correction.is_there && step->correction.correction->steps_without;
}

static double noise_flop(const struct frs_server_step *step, const struct frs_model *model) {
    struct frs_part shapes[FRS_MAX_PARTS];
    double flop = 0;
    if (!step->mechanisms || step->mechanisms->is_learners ||
        !frs_privacy_in(step->mechanisms, FRS_PRIVACY_AGGREGATE))
        return 0;
    size_t n_parts = frs_model_parts(model, step->learner->sends_updates ? FRS_UPDATE : FRS_STATE, shapes);
    for (size_t i = 0; i < n_parts; i++)
        flop += FRS_NOISE_FLOP * (double)length_of(&shapes[i]);
    return flop;
}

double frs_server_step_flop(
    const struct frs_server_step *step, const struct frs_model *model, size_t n, double values) {
    bool steps = n > 0 || frs_server_step_steps_without(step);
    double flop = frs_learner_aggregate_flop(step->learner, model, n, values) +
                  frs_corrected_sum_flop(&step->correction, n);
    double each = step->optimiser->flop + (step->learner->sends_updates ? 0 : STATE_FLOP);
    for (size_t i = 0; steps && i < step->n_parts; i++)
        flop += each * (double)length_of(&step->parts[i]);
    double protected = step->mechanisms ? frs_privacy_decoded_flop(step->mechanisms, values) : 0;
    return flop + protected + (n > 0 ? noise_flop(step, model) : 0);
}
