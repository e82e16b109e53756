#include "analysis/entries/sweep_reader.h"
#include "analysis/read/files.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/base/verdicts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_name(struct frs_sweep_results *sweep, const char *name) {
    for (size_t i = 0; i < sweep->n_names; i++)
        if (strcmp(sweep->names[i], name) == 0)
            return;
    sweep->names = frs_grow(sweep->names, sweep->n_names + 1, &sweep->names_capacity, sizeof *sweep->names);
    sweep->names[sweep->n_names++] = frs_strdup(name);
}

static const char *verdict_of(const char *complaint) {
    static const char *const verdicts[] = {FRS_SAYS_DIVERGED, FRS_SAYS_NOBODY};
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++)
        if (strstr(complaint, verdicts[i]))
            return verdicts[i];
    return NULL;
}

static void explain_absence(struct frs_point_results *point, const char *run) {
    char *log = frs_format("%s.log", run), *text;
    struct frs_errors ignored = {0};
    point->status = "missing";
    if (frs_contents_exist(log) && frs_contents_read(log, &text, &ignored) == FRS_OK) {
        point->status = "failed";
        point->complaint = frs_text_last_line(text);
        point->verdict = verdict_of(point->complaint);
        free(text);
    }
    frs_errors_clear(&ignored);
    free(log);
}

/* The first finished point decides what the others are asked for. */
static void take_first(struct frs_sweep_results *sweep, const struct frs_run_results *run) {
    sweep->data_hash = frs_strdup(run->data_hash);
    sweep->protocol = frs_strdup(run->protocol);
    sweep->candidates = frs_strdup(run->candidates);
    const char *cut_offs = frs_run_setting(run, "evaluation.k");
    sweep->cut_offs = cut_offs ? frs_strdup(cut_offs) : NULL;
}

static enum frs_status take_run(struct frs_sweep_results *sweep, size_t number, struct frs_run_results *run,
    const struct frs_sweep_reading *reading, struct frs_errors *errors) {
    const struct frs_sweep_point *planned = &sweep->plan->points[number];
    struct frs_point_results *point = &sweep->points[number];
    if (strcmp(run->scenario_hash, planned->hash) != 0) {
        point->status = "stale";
        return FRS_OK;
    }
    if (!frs_run_is_finished(run)) {
        bool incomplete = strcmp(run->status, "incomplete") == 0;
        point->status = incomplete ? "incomplete" : "interrupted";
        point->complaint = run->reason ? frs_strdup(run->reason) : NULL;
        return FRS_OK;
    }
    if (sweep->n_finished++ == 0)
        take_first(sweep, run);
    frs_target_settle(&sweep->target, run);
    enum frs_status status = frs_target_apply(&sweep->target, run, errors);
    point->status = strcmp(run->status, "complete") == 0 ? "complete" : "stranded";
    point->finished = true;
    if (status == FRS_OK && reading->each)
        reading->each(reading->context, number, run);
    point->metrics = run->metrics;
    run->metrics = (struct frs_metrics){0};
    for (size_t i = 0; i < point->metrics.n; i++)
        add_name(sweep, point->metrics.list[i].name);
    frs_replicates_add(&sweep->cells[planned->cell], planned->seed, &point->metrics);
    return status;
}

static enum frs_status read_point(struct frs_sweep_results *sweep, size_t number,
    const struct frs_sweep_reading *reading, struct frs_errors *errors) {
    struct frs_point_results *point = &sweep->points[number];
    char *path = frs_format("%s/points/%04zu", sweep->folder, number);
    struct frs_run_results run;
    struct frs_errors wrong = {0};
    enum frs_status status = FRS_OK;
    if (!frs_contents_exist(path)) {
        explain_absence(point, path);
    } else if (frs_run_read(path, &run, &wrong) != FRS_OK) {
        point->status = "unreadable";
        point->complaint = frs_strdup(wrong.lines[0]);
    } else {
        status = take_run(sweep, number, &run, reading, errors);
        frs_run_fini(&run);
    }
    frs_errors_clear(&wrong);
    free(path);
    return status;
}

static enum frs_status read_all(
    struct frs_sweep_results *sweep, const struct frs_sweep_reading *reading, struct frs_errors *errors) {
    enum frs_status status = frs_sweep_plan_in(sweep->folder, &sweep->plan, errors);
    if (status == FRS_OK)
        status = frs_target_name(&sweep->target, reading->target, errors);
    if (status != FRS_OK)
        return status;
    frs_target_plan(&sweep->target, &sweep->plan->sweep.target);
    sweep->points = frs_alloc(sweep->plan->n_points, sizeof *sweep->points);
    sweep->cells = frs_alloc(frs_axes_cells(&sweep->plan->sweep.axes), sizeof *sweep->cells);
    for (size_t i = 0; i < sweep->plan->n_points && status == FRS_OK; i++)
        status = read_point(sweep, i, reading, errors);
    return status;
}

enum frs_status frs_sweep_results_read(const char *folder, const struct frs_sweep_reading *reading,
    struct frs_sweep_results *sweep, struct frs_errors *errors) {
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        length--;
    *sweep = (struct frs_sweep_results){.folder = frs_format("%.*s", (int)length, folder)};
    enum frs_status status = read_all(sweep, reading, errors);
    if (status != FRS_OK)
        frs_sweep_results_fini(sweep);
    return status;
}

size_t frs_sweep_results_lacking(const struct frs_sweep_results *sweep) {
    size_t n_lacking = sweep->plan->n_points - sweep->n_finished;
    if (!sweep->plan->sweep.stop.metric)
        return n_lacking;
    for (size_t i = 0; i < sweep->plan->n_points; i++)
        if (!sweep->points[i].finished && strcmp(sweep->points[i].status, "missing") != 0)
            return n_lacking;
    return 0;
}

void frs_sweep_results_fini(struct frs_sweep_results *sweep) {
    for (size_t i = 0; sweep->points && i < sweep->plan->n_points; i++) {
        frs_metrics_fini(&sweep->points[i].metrics);
        free(sweep->points[i].complaint);
    }
    for (size_t i = 0; sweep->cells && i < frs_axes_cells(&sweep->plan->sweep.axes); i++)
        frs_replicates_fini(&sweep->cells[i]);
    for (size_t i = 0; i < sweep->n_names; i++)
        free(sweep->names[i]);
    free(sweep->points);
    free(sweep->cells);
    free(sweep->names);
    free(sweep->folder);
    free(sweep->data_hash);
    free(sweep->protocol);
    free(sweep->candidates);
    free(sweep->cut_offs);
    frs_target_fini(&sweep->target);
    frs_sweep_plan_destroy(sweep->plan);
    *sweep = (struct frs_sweep_results){0};
}
