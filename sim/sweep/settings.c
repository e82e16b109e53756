#include "sim/sweep/settings.h"
#include "analysis/statistics/metric_names.h"
#include "sim/base/errors.h"
#include "sim/base/limits.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"
#include "algorithms/data/settings.h"
#include "sim/base/settings/texts.h"
#include "sim/setup/compose/compose_workload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct frs_param frs_sweep_params[] = {
    {.key = "vary",
        .type = FRS_TEXTS,
        .initial = "",
        .help = "the axes: \"KEY = V, V\", \"KEY, KEY = V, W | V, W\" or \"NAME | LABEL: KEY=V & KEY=V | "
                "LABEL\"; \"design: \" or \"environment: \" in front says which it is, where its keys are "
                "of both kinds or of the other one"},
    {.key = "replicates",
        .type = FRS_INT,
        .initial = "1",
        .min = 1,
        .max = FRS_LIMIT_REPLICATES,
        .help = "runs of every cell, with seeds seed, seed + 1, ...: the same ones in every cell"},
    {.key = "metrics",
        .type = FRS_TEXTS,
        .initial = "",
        .help = "figures in the tables, as in summary.json; empty: the five tables that answer, which are "
                "hr@k or rmse, its difference to the baseline, the time to the target, its ratio, and the "
                "bytes to the target; where nothing is learnt, those of time and bytes, and how long a round "
                "is and "
                "what became of participations that did not arrive"},
    {.key = "baseline",
        .type = FRS_TEXT,
        .initial = "",
        .help = "the cell that others are compared with: \"axis = label, axis = label\"; axes that are not "
                "named have the level of the cell itself; empty: the first level of every design axis; "
                "without such an axis nothing is compared"},
    {.key = "target",
        .type = FRS_TEXT,
        .initial = "",
        .help =
            "bar for time and bytes to target, by the validation items (\"test.hr@10\": by the test items): "
            "\"hr@10 >= 0.5\", or relative to a non-federated baseline of the same run: \"hr@10 >= "
            "popularity + 0.03\"; "
            "empty: evaluation.target"},
    {.key = "stop_metric",
        .type = FRS_TEXT,
        .initial = "",
        .help = "replicates of a cell end early once this figure is known well enough; empty: never"},
    {.key = "stop_width",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 1e15,
        .help =
            "stop_metric: width of the 95 % interval of the mean, from end to end, that is narrow enough"},
    {.key = "stop_min_replicates",
        .type = FRS_INT,
        .initial = "3",
        .min = 2,
        .max = FRS_LIMIT_REPLICATES,
        .help = "stop_metric: replicates that every cell gets"},
    {.key = NULL},
};

/* "s.cfg:3: sweep.vary", for messages; freed by the caller. */
static char *place_of(const struct frs_values *values, const char *key) {
    const struct frs_value *value = frs_values_find(values, key);
    return frs_format("%s%ssweep.%s", value->where ? value->where : "", value->where ? ": " : "", key);
}

/* --- axes --- */

static void read_axes(const struct frs_values *values, const struct frs_sweep_request *request,
    struct frs_axes *axes, struct frs_errors *errors) {
    char **texts, *where = place_of(values, "vary");
    size_t n = frs_texts_split(frs_values_text(values, "vary"), &texts);
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < n && status == FRS_OK; i++)
        status = frs_axes_add(axes, texts[i], where, false, errors);
    for (size_t i = 0; i < request->n_vary && status == FRS_OK; i++)
        status = frs_axes_add(axes, request->vary[i], "--vary", true, errors);
    frs_texts_free(texts);
    free(where);
}

/* A --set that every level overwrites would be forgotten silently. */
static void check_sets(
    const struct frs_axes *axes, const struct frs_sweep_request *request, struct frs_errors *errors) {
    for (size_t s = 0; s < request->n_sets; s++) {
        const char *set = request->sets[s];
        size_t length = strcspn(set, "= ");
        for (size_t a = 0; a < axes->n; a++)
            for (size_t i = 0; i < axes->axes[a].n; i++)
                for (size_t k = 0; k < axes->axes[a].levels[i].n; k++) {
                    const char *other = axes->axes[a].levels[i].sets[k];
                    if (strncmp(other, set, length) != 0 || other[length] != '=')
                        continue;
                    frs_errors_add(errors, FRS_ERR_INPUT,
                        "--set %s: has no effect here: the axis %s sets it; replace the axis with --vary",
                        set, axes->axes[a].name);
                    return;
                }
    }
}

/* --- metrics --- */

static bool varies(const struct frs_axes *axes, const char *wanted) {
    for (size_t a = 0; a < axes->n; a++)
        for (char **key = axes->axes[a].keys; *key; key++)
            if (strcmp(*key, wanted) == 0)
                return true;
    return false;
}

/* K of the figures that all points have, for the caller to free; NULL: an axis varies it. */
static char *common_cut_offs(const struct frs_scenario *scenario, const struct frs_axes *axes) {
    const struct frs_values *evaluation = frs_scenario_section(scenario, "evaluation");
    return varies(axes, "evaluation.k") ? NULL : frs_value_format(frs_values_find(evaluation, "k"));
}

static void check_metric(const struct frs_values *values, const char *key, const char *metric,
    const char *cut_offs, struct frs_errors *errors) {
    char *error = frs_metric_complaint(metric, cut_offs);
    if (error)
        frs_values_error(values, key, errors, "%s", error);
    free(error);
}

/* Points are not run for an answer that cannot be given. */
static void check_asked(
    const struct frs_sweep_request *request, const char *cut_offs, struct frs_errors *errors) {
    for (const struct frs_selected *asked = request->asked; asked < request->asked + FRS_ASKED_MOST;
         asked++) {
        char *error = asked->metric ? frs_metric_complaint(asked->metric, cut_offs) : NULL;
        if (error)
            frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s", asked->option, error);
        free(error);
    }
}

/* What is never trained has no quality to ask for. */
static void check_asked_quality(
    const struct frs_scenario *scenario, const struct frs_sweep_request *request, struct frs_errors *errors) {
    for (const struct frs_selected *asked = request->asked; asked < request->asked + FRS_ASKED_MOST;
         asked++) {
        const char *dot = asked->metric ? strrchr(asked->metric, '.') : NULL;
        if (!asked->metric || !frs_metric_is_quality(dot ? dot + 1 : asked->metric, NULL))
            continue;
        char *option = frs_format("%s %s", asked->option, asked->metric);
        if (frs_refuse_declared_quality(scenario, option, asked->metric, errors) != FRS_OK) {
            /* reported */
        }
        free(option);
    }
}

/* Commas separate, too: --set sweep.metrics=hr@10,bytes.up */
static void read_metrics(const struct frs_values *values, struct frs_sweep *sweep, const char *cut_offs,
    struct frs_errors *errors) {
    char *text = frs_strdup(frs_values_text(values, "metrics"));
    for (char *comma = text; (comma = strchr(comma, ','));)
        *comma = ';';
    size_t n = frs_texts_split(text, &sweep->metrics);
    for (size_t i = 0; i < n; i++) {
        check_metric(values, "metrics", sweep->metrics[i], cut_offs, errors);
        for (size_t j = 0; j < i; j++)
            if (strcmp(sweep->metrics[i], sweep->metrics[j]) == 0)
                frs_values_error(values, "metrics", errors, "\"%s\" is there twice", sweep->metrics[i]);
    }
    free(text);
}

/* --- early stop --- */

static void read_stop(
    const struct frs_values *values, struct frs_stop *stop, const char *cut_offs, struct frs_errors *errors) {
    const char *metric = frs_values_text(values, "stop_metric");
    double width = frs_values_real(values, "stop_width");
    stop->min_replicates = (size_t)frs_values_int(values, "stop_min_replicates");
    if (!*metric) {
        const char *const others[] = {"stop_width", "stop_min_replicates"};
        for (size_t i = 0; i < 2; i++)
            if (frs_values_find(values, others[i])->given)
                frs_values_error(values, others[i], errors, "has no effect without sweep.stop_metric");
        return;
    }
    stop->metric = frs_strdup(metric);
    stop->width = width;
    check_metric(values, "stop_metric", metric, cut_offs, errors);
    if (!(width > 0))
        frs_values_error(values, "stop_width", errors, "has to be given with stop_metric; allowed: above 0");
}

/* --- all --- */

static void read_target(const struct frs_values *values, struct frs_sweep *sweep, struct frs_errors *errors) {
    const char *text = frs_values_text(values, "target");
    struct frs_errors found = {0};
    if (!*text)
        return;
    if (frs_target_spec_parse(text, &sweep->target, &found) != FRS_OK)
        frs_values_error(values, "target", errors, "%s", found.lines[0]);
    frs_errors_clear(&found);
}

static void read_baseline(
    const struct frs_values *values, struct frs_sweep *sweep, struct frs_errors *errors) {
    const char *text = frs_values_text(values, "baseline");
    char *where = place_of(values, "baseline");
    if (*text && frs_axes_check_cell(&sweep->axes, text, where, &sweep->baseline, errors) != FRS_OK) {
        /* reported */
    }
    free(where);
}

enum frs_status frs_sweep_read(const struct frs_scenario *scenario, const struct frs_sweep_request *request,
    struct frs_sweep *sweep, struct frs_errors *errors) {
    const struct frs_values *values = frs_scenario_section(scenario, "sweep");
    size_t before = errors->n;
    *sweep = (struct frs_sweep){.replicates = (size_t)frs_values_int(values, "replicates")};
    read_axes(values, request, &sweep->axes, errors);
    char *cut_offs = common_cut_offs(scenario, &sweep->axes);
    read_metrics(values, sweep, cut_offs, errors);
    check_asked(request, cut_offs, errors);
    if (!varies(&sweep->axes, "method.name"))
        check_asked_quality(scenario, request, errors);
    read_target(values, sweep, errors);
    read_stop(values, &sweep->stop, cut_offs, errors);
    free(cut_offs);
    if (errors->n == before) { /* a wrong axis would make the baseline wrong as well */
        check_sets(&sweep->axes, request, errors);
        read_baseline(values, sweep, errors);
    }
    if (errors->n == before)
        return FRS_OK;
    frs_sweep_fini(sweep);
    return FRS_ERR_INPUT;
}
