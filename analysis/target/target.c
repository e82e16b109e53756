#include "analysis/target/target.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum frs_status frs_target_name(struct frs_target *target, const char *text, struct frs_errors *errors) {
    enum frs_status status = text ? frs_target_spec_parse(text, &target->target_spec, errors) : FRS_OK;
    target->settled = text != NULL;
    return status;
}

void frs_target_plan(struct frs_target *target, const struct frs_target_spec *target_spec) {
    if (target->settled || !target_spec->metric)
        return;
    target->target_spec = frs_target_spec_copy(target_spec);
    target->settled = true;
}

/* A run's own target was checked when it ran. */
static void take_from_run(struct frs_target *target, const struct frs_run_results *run) {
    const char *own = frs_run_setting(run, "evaluation.target");
    struct frs_errors ignored = {0};
    target->settled = true;
    if (!own || !*own)
        target->is_default = frs_target_spec_default(run, &target->target_spec);
    else if (strcmp(own, "none") != 0 && frs_target_spec_parse(own, &target->target_spec, &ignored) != FRS_OK)
        target->target_spec = (struct frs_target_spec){0};
    frs_errors_clear(&ignored);
}

void frs_target_settle(struct frs_target *target, const struct frs_run_results *run) {
    if (!target->settled)
        take_from_run(target, run);
    if (!target->target_spec.metric || target->protocol)
        return;
    target->protocol = frs_strdup(run->protocol);
    target->has_validation = frs_target_spec_has_validation(&target->target_spec, run);
}

enum frs_status frs_target_apply(
    const struct frs_target *target, struct frs_run_results *run, struct frs_errors *errors) {
    struct frs_errors ignored = {0};
    enum frs_status status = FRS_OK;
    if (target->target_spec.metric)
        status = frs_time_to_target_apply(&target->target_spec, run, target->is_default ? &ignored : errors);
    frs_errors_clear(&ignored);
    return target->is_default ? FRS_OK : status;
}

char *frs_target_text(const struct frs_target *target) {
    if (!target->target_spec.metric)
        return NULL;
    char *target_spec = frs_target_spec_text(&target->target_spec);
    char *note = frs_target_spec_note(&target->target_spec, target->has_validation,
        target->protocol ? target->protocol : "", target->is_default);
    char *text = frs_format("%s (%s)", target_spec, note);
    free(note);
    free(target_spec);
    return text;
}

const char *frs_target_quality(
    const struct frs_target *target, const struct frs_metrics *metrics, bool *lower) {
    const char *name = target->target_spec.metric ? frs_target_spec_quality(&target->target_spec) : NULL;
    for (size_t i = 0; !name && i < metrics->n; i++)
        if (strncmp(metrics->list[i].name, "hr@", 3) == 0 || strcmp(metrics->list[i].name, "rmse") == 0)
            name = metrics->list[i].name;
    *lower = false;
    if (name)
        frs_metric_is_quality(name, lower);
    return name;
}

void frs_target_fini(struct frs_target *target) {
    frs_target_spec_fini(&target->target_spec);
    free(target->protocol);
    *target = (struct frs_target){0};
}
