#include "analysis/sensitivity/sensitivity.h"
#include "analysis/read/files.h"
#include "analysis/sensitivity/sensitivity_internal.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t frs_sensitivity_levels(const struct frs_sensitivity *what) {
    size_t n = 1 + what->n_runs;
    for (size_t i = 0; i < what->n; i++)
        n += what->assumptions[i].n_levels;
    return n;
}

static bool all_reach_target(const struct frs_sweep_results *sweep) {
    size_t n_with = 0;
    for (size_t i = 0; i < sweep->plan->n_points; i++)
        if (sweep->points[i].finished) {
            if (!isfinite(frs_metrics_get(&sweep->points[i].metrics, FRS_TARGET_TIME)))
                return false;
            n_with++;
        }
    return n_with > 0;
}

static enum frs_status choose_answer(struct frs_sensitivity_table *writer, struct frs_errors *errors) {
    const struct frs_sweep_results *sweep = &writer->sweep;
    writer->answer = writer->what->answer      ? writer->what->answer
                     : all_reach_target(sweep) ? FRS_TARGET_TIME
                                               : "simulated_s";
    bool is_quality = frs_metric_is_quality(writer->answer, &writer->lower);
    if (!is_quality)
        writer->lower = true;
    for (size_t i = 0; i < sweep->n_names; i++)
        if (strcmp(sweep->names[i], writer->answer) == 0)
            return FRS_OK;
    if (sweep->n_finished == 0)
        return frs_errors_add(errors, FRS_ERR_RUN, "%s: no point is finished", sweep->folder);
    const char **names = frs_alloc(sweep->n_names + 1, sizeof *names);
    for (size_t i = 0; i < sweep->n_names; i++)
        names[i] = sweep->names[i];
    const char *nearest = frs_text_nearest(writer->answer, names);
    enum frs_status status = frs_errors_add(errors, FRS_ERR_INPUT,
        "--answer %s: no run has it%s%s%s; points.csv in %s lists what there is, and with --resume another "
        "answer is found "
        "without running anything again",
        writer->answer, nearest ? " (did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?)" : "",
        sweep->folder);
    free(names);
    return status;
}

static void choose_style(struct frs_sensitivity_table *writer) {
    size_t n = writer->n_variants * writer->n_levels;
    struct frs_estimate *estimates = frs_alloc(n, sizeof *estimates);
    for (size_t i = 0; i < n; i++)
        estimates[i] = frs_sensitivity_figure(writer, i / writer->n_levels, i % writer->n_levels).estimate;
    writer->style = frs_style_of(writer->answer, estimates, n);
    free(estimates);
}

static enum frs_status put(
    const char *folder, const char *name, const char *text, struct frs_errors *errors) {
    char *path = frs_format("%s/%s", folder, name);
    struct frs_draft draft;
    enum frs_status status = frs_draft_open(&draft, path, errors);
    if (status == FRS_OK) {
        fputs(text, draft.file);
        status = frs_draft_commit(&draft, errors);
    }
    free(path);
    return status;
}

static enum frs_status write_files(
    struct frs_sensitivity_table *writer, const char *folder, FILE *out, struct frs_errors *errors) {
    char *page = NULL;
    size_t size = 0;
    FILE *text_of_page = open_memstream(&page, &size);
    if (!text_of_page)
        frs_memory_exhausted();
    frs_sensitivity_print(writer, text_of_page);
    if (fclose(text_of_page) != 0)
        frs_memory_exhausted();
    json_t *root = frs_sensitivity_json(writer);
    char *text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(17)), *line = frs_format("%s\n", text);
    enum frs_status status = put(folder, "sensitivity.json", line, errors);
    if (status == FRS_OK)
        status = put(folder, "sensitivity.md", page, errors);
    if (status == FRS_OK && out)
        fputs(page, out);
    json_decref(root);
    free(text);
    free(line);
    free(page);
    return status;
}

enum frs_status frs_sensitivity_write(
    const char *folder, const struct frs_sensitivity *what, FILE *out, struct frs_errors *errors) {
    struct frs_sensitivity_table writer = {.what = what, .n_levels = frs_sensitivity_levels(what)};
    enum frs_status status =
        frs_sweep_results_read(folder, &(struct frs_sweep_reading){0}, &writer.sweep, errors);
    if (status != FRS_OK)
        return status;
    const struct frs_axes *axes = &writer.sweep.plan->sweep.axes;
    FRS_INVARIANT(
        axes->n > 0 && axes->axes[axes->n - 1].n == writer.n_levels, "the last axis has not the assumptions");
    writer.n_axes = axes->n - 1;
    writer.n_variants = frs_axes_cells(axes) / writer.n_levels;
    status = choose_answer(&writer, errors);
    if (status == FRS_OK) {
        choose_style(&writer);
        status = write_files(&writer, folder, out, errors);
    }
    frs_sweep_results_fini(&writer.sweep);
    return status;
}
