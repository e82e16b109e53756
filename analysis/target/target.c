#include "analysis/target/target.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum frs_status frs_target_name(struct frs_target *target, const char *text, struct frs_errors *errors) {
    enum frs_status status = text ? frs_goal_parse(text, &target->goal, errors) : FRS_OK;
    target->settled = text != NULL;
    return status;
}

void frs_target_plan(struct frs_target *target, const struct frs_goal *goal) {
    if (target->settled || !goal->metric)
        return;
    target->goal = frs_goal_copy(goal);
    target->settled = true;
}

/* A run's own target was checked when it ran. */
static void take_from_run(struct frs_target *target, const struct frs_run_results *run) {
    const char *own = frs_run_setting(run, "evaluation.target");
    struct frs_errors ignored = {0};
    target->settled = true;
    if (!own || !*own)
        target->is_default = frs_goal_default(run, &target->goal);
    else if (strcmp(own, "none") != 0 && frs_goal_parse(own, &target->goal, &ignored) != FRS_OK)
        target->goal = (struct frs_goal){0};
    frs_errors_clear(&ignored);
}

void frs_target_settle(struct frs_target *target, const struct frs_run_results *run) {
    if (!target->settled)
        take_from_run(target, run);
    if (!target->goal.metric || target->protocol)
        return;
    target->protocol = frs_strdup(run->protocol);
    target->has_validation = frs_goal_has_validation(&target->goal, run);
}

enum frs_status frs_target_apply(
    const struct frs_target *target, struct frs_run_results *run, struct frs_errors *errors) {
    struct frs_errors ignored = {0};
    enum frs_status status = FRS_OK;
    if (target->goal.metric)
        status = frs_goal_apply(&target->goal, run, target->is_default ? &ignored : errors);
    frs_errors_clear(&ignored);
    return target->is_default ? FRS_OK : status;
}

char *frs_target_text(const struct frs_target *target) {
    if (!target->goal.metric)
        return NULL;
    char *goal = frs_goal_text(&target->goal);
    char *note = frs_goal_note(
        &target->goal, target->has_validation, target->protocol ? target->protocol : "", target->is_default);
    char *text = frs_format("%s (%s)", goal, note);
    free(note);
    free(goal);
    return text;
}

const char *frs_target_quality(
    const struct frs_target *target, const struct frs_metrics *metrics, bool *lower) {
    const char *name = target->goal.metric ? frs_goal_quality(&target->goal) : NULL;
    for (size_t i = 0; !name && i < metrics->n; i++)
        if (strncmp(metrics->list[i].name, "hr@", 3) == 0 || strcmp(metrics->list[i].name, "rmse") == 0)
            name = metrics->list[i].name;
    *lower = false;
    if (name)
        frs_metric_is_quality(name, lower);
    return name;
}

void frs_target_fini(struct frs_target *target) {
    frs_goal_fini(&target->goal);
    free(target->protocol);
    *target = (struct frs_target){0};
}
