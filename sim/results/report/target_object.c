#include "sim/results/report/target_object.h"
#include "analysis/target/time_to_target.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/results/json_file.h"

#include <math.h>
#include <stdlib.h>

static void add_scores(struct frs_run_results *run, const char *baseline, const char *prefix,
    const struct frs_scores *scores, const struct frs_list_rules *ranking) {
    struct frs_score_figure figures[FRS_FIGURES_MOST];
    size_t n = frs_scores_figures(scores, ranking, figures);
    for (size_t i = 0; i < n; i++) {
        char *name = frs_format("non_federated.%s.%s%s", baseline, prefix, figures[i].name);
        if (isfinite(figures[i].value))
            frs_metrics_set(&run->metrics, name, figures[i].value);
        free(name);
    }
}

static void add_baselines(struct frs_run_results *run,
    const struct frs_non_federated_model_results *baselines, const struct frs_list_rules *ranking) {
    for (size_t i = 0; i < baselines->n; i++) {
        const struct frs_quality *quality = &baselines->results[i].quality;
        add_scores(run, baselines->results[i].name, "", &quality->test, ranking);
        add_scores(run, baselines->results[i].name, "validation_", &quality->validation, ranking);
    }
}

static json_t *object_of(const struct frs_setup *setup, const struct frs_target_spec *target_spec,
    const struct frs_run_results *run) {
    json_t *object = json_object();
    char *text = frs_target_spec_text(target_spec);
    const struct frs_values *evaluation = frs_scenario_section(setup->scenario, "evaluation");
    bool is_default = !*frs_values_text(evaluation, "target");
    char *note = frs_target_spec_note(target_spec, frs_target_spec_has_validation(target_spec, run),
        frs_data_protocol(setup->training.data), is_default);
    double round = frs_metrics_get(&run->metrics, FRS_TARGET_ROUND);
    bool reached = isfinite(round);
    frs_json_set_text(object, "criterion", text);
    frs_json_set_text(object, "judged_by", note);
    frs_json_set_real(object, "threshold", frs_target_spec_threshold(target_spec, run));
    json_object_set_new(object, "reached", json_boolean(reached));
    if (reached) {
        json_object_set_new(object, "round", json_integer((json_int_t)round));
        frs_json_set_real(object, "time_s", frs_metrics_get(&run->metrics, FRS_TARGET_TIME));
        json_object_set_new(
            object, "bytes", json_integer((json_int_t)frs_metrics_get(&run->metrics, FRS_TARGET_BYTES)));
        json_object_set_new(
            object, "sent_bytes", json_integer((json_int_t)frs_metrics_get(&run->metrics, FRS_TARGET_SENT)));
    }
    free(note);
    free(text);
    return object;
}

enum frs_status frs_target_object(const struct frs_setup *setup, const char *rounds_csv,
    const struct frs_non_federated_model_results *baselines, json_t **object, struct frs_errors *errors) {
    struct frs_errors ignored = {0};
    struct frs_run_results run = {0};
    enum frs_status status = FRS_OK;
    *object = NULL;
    if (setup->target.metric)
        status = frs_records_read_columns(
            rounds_csv, frs_time_to_target_reads, &setup->target, &run.rounds, errors);
    if (setup->target.metric && status == FRS_OK) {
        add_baselines(&run, baselines, &setup->ranking);
        if (frs_time_to_target_apply(&setup->target, &run, &ignored) == FRS_OK &&
            frs_metrics_has(&run.metrics, FRS_TARGET_ROUND))
            *object = object_of(setup, &setup->target, &run);
    }
    frs_records_fini(&run.rounds);
    frs_metrics_fini(&run.metrics);
    frs_errors_clear(&ignored);
    return status;
}
