#include "algorithms/corrected_sum.h"
#include "algorithms/aggregation.h"
#include "algorithms/newest_updates.h"
#include "algorithms/own_models.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Operations for each number of the table of a client that uploads, where newest updates are kept: its change
 * against the one before, three sums. */
#define REMEMBER_FLOP 4
/* And for each number of the tables: four means. */
#define MEANS_FLOP 4

/* Where clients keep models of their own, for each number of the table of a client that uploads: its distance
 * from the server's, its change times the rounds, two sums. And for each number of the tables: the length of
 * the mean change, and the step. */
#define OWN_MODELS_FLOP 4
#define LENGTH_FLOP 4

/* What the model keeps for a correction. */
struct keeping {
    const struct frs_correction *correction;
    uint32_t n_clients;
    void *state; /* of the correction */
    struct frs_newest_updates *newest;
    double *probabilities; /* [n_rounds × n_clients] */
    uint32_t n_rounds;     /* after which they repeat */
};

bool frs_corrected_sum_is_possible(const struct frs_learner *learner, const struct frs_model *model,
    const struct frs_correction *correction, const char **why) {
    struct frs_part parts[FRS_MAX_PARTS];
    *why = NULL;
    if (!frs_correction_is_there(correction))
        return true;
    if (learner->own_step)
        *why = learner->own_step;
    else if (frs_learner_averaging(learner) != FRS_AVERAGES_WEIGHTED ||
             frs_model_parts(model, FRS_UPLOAD, parts) != frs_model_parts(model, FRS_STATE, parts))
        *why =
            "its server makes more of uploads than their mean, which a correction would take the place of; "
            "allowed: none";
    else if (correction->shorten && (learner->sends_updates || learner->uploads_updates))
        *why = "clients keep models of their own and upload what they are trained to, and this method's "
               "messages are updates of the server's table; allowed: none | fedau | inverse_probability, or "
               "a method that sends tables";
    else if (correction->shorten && !learner->follows_rate)
        *why = "clients keep models of their own and train from them with rates that fall, which this method "
               "cannot; allowed: none | fedau | inverse_probability | mifa | fedvarp";
    else if (correction->step && learner->sends_updates && !learner->updates_keep)
        *why =
            "it draws its projection anew in each round, so that the updates of two rounds cannot be added "
            "up; allowed: none | fedau | inverse_probability";
    else if (model->weighting == FRS_DATA_SIZE)
        *why = "corrections count all clients alike, and the server does not know how much data those have "
               "that never uploaded; allowed with method.aggregation = \"uniform\" or \"per_item\"";
    return !*why;
}

/* ---- what is kept ----------------------------------------------------------------------------- */

static void archive(void *self, struct frs_archive *archive) {
    struct keeping *keeping = self;
    if (keeping->correction->archive)
        keeping->correction->archive(keeping->state, keeping->n_clients, archive);
    if (keeping->newest)
        frs_newest_updates_archive(keeping->newest, archive);
}

static void destroy(void *self) {
    struct keeping *keeping = self;
    if (keeping->correction->destroy)
        keeping->correction->destroy(keeping->state);
    else
        free(keeping->state);
    frs_newest_updates_destroy(keeping->newest);
    free(keeping->probabilities);
    free(keeping);
}

static const struct frs_store_type store_type = {.archive = archive, .destroy = destroy};

struct frs_corrected_sum frs_corrected_sum_begin(
    struct frs_model *model, const struct frs_correction *correction, const struct frs_values *values) {
    struct frs_corrected_sum sum = {
        .correction = correction, .is_there = frs_correction_is_there(correction), .rate = 1};
    uint32_t n_clients = model->setup.population->n_clients;
    if (!sum.is_there)
        return sum;
    sum.n_parts = frs_model_parts(model, FRS_UPLOAD, sum.parts);
    struct keeping *keeping = frs_alloc(1, sizeof *keeping);
    *keeping = (struct keeping){.correction = correction, .n_clients = n_clients};
    if (correction->create) /* which reads its keys, in any case */
        keeping->state = correction->create(values, n_clients);
    if (correction->step && !model->setup.timing_only)
        keeping->newest = frs_newest_updates_create(n_clients, sum.parts, sum.n_parts);
    sum.self = keeping;
    frs_model_store(model, (struct frs_store){.type = &store_type, .self = keeping});
    return sum;
}

double *frs_corrected_sum_make_room(struct frs_corrected_sum *sum, uint32_t n_rounds, uint32_t n_clients) {
    struct keeping *keeping = sum->self;
    free(keeping->probabilities);
    keeping->probabilities = frs_alloc((size_t)n_rounds * n_clients, sizeof *keeping->probabilities);
    keeping->n_rounds = n_rounds;
    return keeping->probabilities;
}

void frs_corrected_sum_know(
    struct frs_corrected_sum *sum, const double *probabilities, uint32_t n_rounds, uint32_t n_clients) {
    double *room = frs_corrected_sum_make_room(sum, n_rounds, n_clients);
    memcpy(room, probabilities, (size_t)n_rounds * n_clients * sizeof *probabilities);
}

bool frs_corrected_sum_waits_for_all(const struct frs_corrected_sum *sum) {
    const struct keeping *keeping = sum->self;
    return sum->is_there && sum->correction->waits &&
           sum->correction->waits(keeping->state, keeping->n_clients - 1, keeping->n_clients);
}

double frs_corrected_sum_expected(const struct frs_corrected_sum *sum, double p, uint32_t round) {
    const struct keeping *keeping = sum->self;
    return sum->is_there && sum->correction->expected ? sum->correction->expected(keeping->state, p, round)
                                                      : 1;
}

bool frs_corrected_sum_own_models(const struct frs_corrected_sum *sum) {
    return sum->is_there && sum->correction->shorten;
}

double frs_corrected_sum_client_rate(const struct frs_corrected_sum *sum, uint32_t round) {
    const struct keeping *keeping = sum->self;
    return sum->is_there && sum->correction->client_rate ? sum->correction->client_rate(keeping->state, round)
                                                         : 1;
}

const double *frs_corrected_sum_probabilities(const struct frs_corrected_sum *sum, size_t *n) {
    const struct keeping *keeping = sum->self;
    *n = sum->is_there ? (size_t)keeping->n_rounds * keeping->n_clients : 0;
    return *n > 0 ? keeping->probabilities : NULL;
}

/* [n_clients] of this round. */
static const double *probabilities_in(const struct keeping *keeping, uint32_t round) {
    return keeping->probabilities
               ? keeping->probabilities + (size_t)(round % keeping->n_rounds) * keeping->n_clients
               : NULL;
}

/* ---- a round ---------------------------------------------------------------------------------- */

static bool is_by_row(const struct frs_model *model, size_t part) {
    return frs_model_weighting(model, part) == FRS_PER_ITEM;
}

/* One part: Σ ω_i Δ_i / N; where means are by row, / Σ ω_i over those that sent the row. */
static struct frs_rows weighted_part(const struct frs_corrected_sum *sum, struct frs_model *model,
    const struct frs_contribution *contributions, const double *weights, size_t n, size_t part,
    struct frs_arena *arena) {
    const struct keeping *keeping = sum->self;
    bool by_row = is_by_row(model, part);
    struct frs_contribution *weighted = frs_arena_take(arena, n, sizeof *weighted);
    size_t n_weighted = 0;
    for (size_t i = 0; i < n; i++) {
        if (!(weights[i] > 0)) /* a weight of 0 would stand for the learner's own */
            continue;
        weighted[n_weighted] = contributions[i];
        weighted[n_weighted++].weight = by_row ? weights[i] : weights[i] / keeping->n_clients;
    }
    if (n_weighted == 0)
        return (struct frs_rows){.n_rows = sum->parts[part].n_rows,
            .dim = sum->parts[part].dim,
            .ids = frs_arena_take(arena, 1, sizeof(uint32_t))};
    struct frs_rows rows = frs_aggregate_changes(weighted, n_weighted, part, FRS_UNIFORM, model->pool, arena);
    if (!by_row)
        return rows;
    double *of_row = frs_arena_take_zeroed(arena, rows.n_rows, sizeof *of_row);
    for (size_t i = 0; i < n_weighted; i++) {
        const struct frs_rows *sent = &weighted[i].parts[part];
        for (size_t r = 0; r < sent->n; r++)
            of_row[sent->ids ? sent->ids[r] : r] += weighted[i].weight;
    }
    float *values = frs_arena_take(arena, rows.n * rows.dim, sizeof *values);
    for (size_t r = 0; r < rows.n; r++)
        for (size_t k = 0; k < rows.dim; k++)
            values[r * rows.dim + k] = (float)((double)rows.values[r * rows.dim + k] / of_row[rows.ids[r]]);
    rows.values = values;
    return rows;
}

static void weigh(const struct frs_corrected_sum *sum, struct frs_model *model, uint32_t round,
    const struct frs_contribution *contributions, size_t n, struct frs_arena *arena,
    struct frs_contribution *one) {
    const struct keeping *keeping = sum->self;
    uint32_t *clients = frs_arena_take(arena, n, sizeof *clients);
    double *weights = frs_arena_take(arena, n, sizeof *weights);
    for (size_t i = 0; i < n; i++)
        clients[i] = contributions[i].client;
    sum->correction->weigh(keeping->state,
        &(struct frs_correction_request){
            .round = round, .clients = clients, .n = n, .probabilities = probabilities_in(keeping, round)},
        weights);
    for (size_t part = 0; part < sum->n_parts; part++)
        one->parts[part] = weighted_part(sum, model, contributions, weights, n, part, arena);
}

bool frs_corrected_sum_take(const struct frs_corrected_sum *sum, struct frs_model *model, uint32_t round,
    const struct frs_contribution *contributions, size_t n, struct frs_arena *arena,
    struct frs_contribution *one) {
    const struct frs_correction *correction = sum->correction;
    const struct keeping *keeping = sum->self;
    *one = (struct frs_contribution){
        .samples = 1, .weight = 1, .round_seed = n > 0 ? contributions[0].round_seed : 0};
    if (n == 0 && !correction->steps_without)
        return false;
    if (correction->shorten) {
        frs_own_models_take(&(struct frs_own_models){.model = model,
                                .correction = correction,
                                .state = keeping->state,
                                .rate = sum->rate,
                                .parts = sum->parts,
                                .n_parts = sum->n_parts},
            contributions, n, arena, one);
        return true;
    }
    if (correction->weigh) {
        weigh(sum, model, round, contributions, n, arena, one);
        return true;
    }
    for (size_t part = 0; part < sum->n_parts; part++)
        one->parts[part] = frs_newest_updates_step(keeping->newest,
            &(struct frs_newest_order){.correction = correction,
                .contributions = contributions,
                .n = n,
                .part = part,
                .by_row = is_by_row(model, part),
                .pool = model->pool},
            arena);
    return !correction->waits ||
           !correction->waits(keeping->state, frs_newest_updates_heard(keeping->newest), keeping->n_clients);
}

/* ---- what it takes ---------------------------------------------------------------------------- */

double frs_corrected_sum_flop(const struct frs_corrected_sum *sum, size_t n) {
    double numbers = 0;
    if (!sum->is_there || (n == 0 && !sum->correction->steps_without))
        return 0;
    for (size_t i = 0; i < sum->n_parts; i++)
        numbers += (double)sum->parts[i].n_rows * (double)sum->parts[i].dim;
    if (sum->correction->shorten)
        return numbers * (OWN_MODELS_FLOP * (double)n + LENGTH_FLOP);
    return sum->correction->step ? numbers * (REMEMBER_FLOP * (double)n + MEANS_FLOP + sum->correction->flop)
                                 : numbers;
}

double frs_corrected_sum_start_bytes(const struct frs_corrected_sum *sum) {
    return sum->is_there && sum->correction->step ? frs_newest_updates_sum_bytes(sum->parts, sum->n_parts)
                                                  : 0;
}

double frs_corrected_sum_client_bytes(const struct frs_corrected_sum *sum) {
    return sum->is_there && sum->correction->step ? frs_newest_updates_bytes(sum->parts, sum->n_parts) : 0;
}
