#include "algorithms/learner.h"

#include <string.h>

#define LEARNER(name) extern const struct frs_learner frs_learner_##name;
#include "algorithms/learners.def"
#undef LEARNER

#define LEARNER(name) &frs_learner_##name,
const struct frs_learner *const frs_learners[] = {
#include "algorithms/learners.def"
    NULL,
};
#undef LEARNER

#define LEARNER(name) &frs_learner_##name.plugin,
const struct frs_plugin *const frs_learner_plugins[] = {
#include "algorithms/learners.def"
    NULL,
};

double frs_learner_aggregate_flop(
    const struct frs_learner *learner, const void *model, size_t n, double values) {
    if (n == 0) /* `aggregate` is not called */
        return 0;
    return learner->aggregate_flop ? learner->aggregate_flop(model, n, values) : 2 * values;
}

struct frs_tables frs_learner_join(const struct frs_learner *learner, const void *model,
    const struct frs_tables *shared, const struct frs_tables *personal) {
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_tables joined = *shared;
    if (!learner->personal)
        return joined;
    size_t n_state = learner->parts(model, FRS_STATE, shapes);
    size_t n = learner->parts(model, FRS_PERSONAL, shapes);
    for (size_t i = 0; i < n; i++)
        joined.part[n_state + i] = personal->part[i];
    return joined;
}

struct frs_course frs_learner_course(const struct frs_learner *learner, const void *model, uint32_t round) {
    return learner->course ? learner->course(model, round)
                           : (struct frs_course){.receives = true, .trains = true, .sends = true};
}

struct frs_budgets frs_learner_budgets(const struct frs_learner *learner, const void *model) {
    return learner->budgets ? learner->budgets(model) : (struct frs_budgets){0};
}

size_t frs_learner_upload_parts(
    const struct frs_learner *learner, const void *model, uint32_t budget, struct frs_part *parts) {
    return learner->budgets ? learner->upload_parts(model, budget, parts)
                            : learner->parts(model, FRS_UPLOAD, parts);
}

struct frs_guarantee frs_learner_guarantee(const struct frs_learner *learner, const void *model) {
    return learner->guarantee ? learner->guarantee(model) : (struct frs_guarantee){0};
}

const struct frs_learner *frs_learner_variant(
    const struct frs_learner *learner, const struct frs_values *values) {
    if (!learner->published_code || strcmp(frs_values_text(values, "variant"), "published_code") != 0)
        return learner;
    return learner->published_code;
}
