#include "algorithms/learner.h"
#include "algorithms/aggregation.h"
#include "sim/base/settings/params.h"

#include <string.h>

double frs_learner_aggregate_bytes(
    const struct frs_learner *learner, const void *model, size_t n, size_t threads) {
    return learner->aggregate_bytes ? learner->aggregate_bytes(model, n, threads) : 0;
}

double frs_learner_aggregate_flop(
    const struct frs_learner *learner, const void *model, size_t n, double values) {
    if (n == 0) /* `aggregate` is not called */
        return 0;
    return learner->aggregate_flop ? learner->aggregate_flop(model, n, values) : 2 * values;
}

double frs_learner_apply_flop(const struct frs_learner *learner, const void *model, size_t n_updates) {
    return learner->apply_flop ? (double)n_updates * learner->apply_flop(model) : 0;
}

const char *frs_learner_failure(const struct frs_learner *learner, const void *model) {
    return learner->failure ? learner->failure(model) : NULL;
}

void frs_learner_train(const struct frs_learner *learner, const void *model,
    const struct frs_training *training, struct frs_arena *arena, struct frs_trained *out) {
    *out = (struct frs_trained){0};
    learner->train(model, training, arena, out);
    out->private_state =
        frs_model_pack(model, training->data->client, &out->kept, arena, &out->private_bytes);
}

void frs_learner_apply(const struct frs_learner *learner, const void *model, const struct frs_tables *tables,
    uint64_t round_seed, const struct frs_rows *update, struct frs_arena *arena) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n = frs_model_parts(model, FRS_UPDATE, shapes);
    if (learner->apply)
        learner->apply(model, tables, round_seed, update, arena);
    for (size_t i = 0; !learner->apply && i < n; i++)
        frs_rows_add_to(&update[i], tables->part[i]);
}

struct frs_tables frs_learner_join(
    const void *model, const struct frs_tables *shared, const struct frs_tables *personal) {
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_tables joined = *shared;
    size_t n_state = frs_model_parts(model, FRS_STATE, shapes);
    size_t n = frs_model_parts(model, FRS_PERSONAL, shapes);
    for (size_t i = 0; i < n; i++)
        joined.part[n_state + i] = personal->part[i];
    return joined;
}

struct frs_course frs_learner_course(const struct frs_learner *learner, const void *model, uint32_t round) {
    return learner->rounds && learner->rounds->course
               ? learner->rounds->course(model, round)
               : (struct frs_course){.receives = true, .trains = true, .sends = true};
}

bool frs_learner_steps_alone(const struct frs_learner *learner, const void *model, uint32_t round) {
    return learner->rounds && learner->rounds->steps_alone(model, round);
}

void frs_learner_broadcast(
    const struct frs_learner *learner, void *model, uint32_t round, const struct frs_tables *tables) {
    if (learner->rounds && learner->rounds->broadcast)
        learner->rounds->broadcast(model, round, tables);
}

bool frs_learner_trains_anew(const struct frs_learner *learner, const void *model) {
    return learner->trains_anew && learner->trains_anew(model);
}

struct frs_budgets frs_learner_budgets(const struct frs_learner *learner, const void *model) {
    return learner->budgets ? learner->budgets->range(model) : (struct frs_budgets){0};
}

struct frs_layer_shape frs_learner_layer_shape(const struct frs_learner *learner, const void *model) {
    return learner->layers ? learner->layers->shape(model) : (struct frs_layer_shape){0};
}

size_t frs_learner_upload_parts(
    const struct frs_learner *learner, const void *model, uint32_t budget, struct frs_part *parts) {
    return learner->budgets ? learner->budgets->upload_parts(model, budget, parts)
                            : frs_model_parts(model, FRS_UPLOAD, parts);
}

enum frs_averaging frs_learner_averaging(const struct frs_learner *learner) {
    bool is_mean = learner->averaging == FRS_AVERAGES_UNSAID && learner->aggregate == frs_model_average;
    return is_mean ? FRS_AVERAGES_WEIGHTED : learner->averaging;
}

const struct frs_learner *frs_learner_variant(
    const struct frs_learner *learner, const struct frs_values *values) {
    if (!learner->published_code || strcmp(frs_values_text(values, "variant"), "published_code") != 0)
        return learner;
    return learner->published_code;
}
