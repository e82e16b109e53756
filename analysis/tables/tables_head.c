/* What stands above the tables of a sweep. */
#include "analysis/tables/tables_internal.h"
#include "analysis/sentence/sentence.h"
#include "analysis/statistics/detection.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>

static char *quoted_cell(const struct frs_sweep_plan *plan, size_t cell) {
    char *name = frs_sweep_plan_cell_name(plan, cell), *quoted = frs_quoted_markdown(name);
    free(name);
    return quoted;
}

static void print_missing(const struct frs_sweep_results *sweep, FILE *out) {
    const struct frs_sweep_plan *plan = sweep->plan;
    for (size_t i = 0; i < plan->n_points; i++) {
        const struct frs_point_results *point = &sweep->points[i];
        if (point->finished)
            continue;
        char line[160], *cell = quoted_cell(plan, plan->points[i].cell);
        char *complaint =
            frs_quoted_markdown(point->complaint ? frs_text_line(point->complaint, line, sizeof line) : "");
        fprintf(out, "- point %zu (%s, seed %llu): %s%s%s\n", i, cell,
            (unsigned long long)plan->points[i].seed, point->status, *complaint ? ": " : "", complaint);
        free(complaint);
        free(cell);
    }
}

/* A plan that stops early does not run all points: those are no news one by one. */
static void print_stopped(const struct frs_sweep_results *sweep, FILE *out) {
    const struct frs_sweep_plan *plan = sweep->plan;
    fputs("Cells may stop early; replicates of those with fewer: ", out);
    bool any = false;
    for (size_t cell = 0; cell < frs_axes_cells(&plan->sweep.axes); cell++) {
        if (sweep->cells[cell].n == plan->sweep.replicates)
            continue;
        char *name = quoted_cell(plan, cell);
        fprintf(out, "%s%s: %zu", any ? "; " : "", name, sweep->cells[cell].n);
        any = true;
        free(name);
    }
    fputs(any ? ".\n" : "none.\n", out);
}

/* The answer, before all else. */
static void print_sentence(const struct frs_sweep_results *sweep, FILE *out) {
    char *text = frs_sentence_of_sweep(sweep), *quoted = frs_quoted_markdown(text);
    if (*quoted)
        fprintf(out, "%s\n\n", quoted);
    free(quoted);
    free(text);
}

static void print_state(const struct frs_sweep_results *sweep, FILE *out) {
    const struct frs_sweep_plan *plan = sweep->plan;
    size_t n_cells = frs_axes_cells(&plan->sweep.axes);
    char *name = frs_quoted_markdown(plan->name);
    fprintf(out, "# %s\n\n", name);
    print_sentence(sweep, out);
    fprintf(out, "%zu of %zu points finished: %zu cell%s, %zu replicate%s.\n", sweep->n_finished,
        plan->n_points, n_cells, n_cells == 1 ? "" : "s", plan->sweep.replicates,
        plan->sweep.replicates == 1 ? "" : "s");
    free(name);
    if (plan->sweep.stop.metric)
        print_stopped(sweep, out);
    if (frs_sweep_results_lacking(sweep) > 0) {
        fputs("Without results:\n\n", out);
        print_missing(sweep, out);
        fputc('\n', out);
    }
}

bool frs_tables_have_target(const struct frs_sweep_results *sweep) {
    bool has = sweep->target.target_spec.metric != NULL;
    for (size_t i = 0; has && sweep->target.is_default && i < sweep->plan->n_points; i++)
        has =
            !sweep->points[i].finished || !isnan(frs_metrics_get(&sweep->points[i].metrics, FRS_TARGET_TIME));
    return has;
}

/* What is compared, and within what. */
static void print_roles(const struct frs_sweep_plan *plan, const struct frs_baseline *baseline, FILE *out) {
    char *designs = frs_sweep_plan_axes_with(plan, FRS_ROLE_DESIGN),
         *environments = frs_sweep_plan_axes_with(plan, FRS_ROLE_ENVIRONMENT);
    char *left = frs_quoted_markdown(designs), *right = frs_quoted_markdown(environments);
    if (plan->sweep.axes.n > 0)
        fprintf(out, "%s%s%s%s%s.%s\n", *left ? "Design factors: " : "", left, *left && *right ? ". " : "",
            *right ? "Environments: " : "", right,
            *left || baseline->levels ? ""
                                      : " No axis is a design factor, so nothing is compared; a baseline "
                                        "names what to compare with.");
    if (baseline->levels) {
        char *text = frs_quoted_markdown(baseline->text);
        fprintf(out, "Differences are to %s%s, seed by seed.\n", text,
            baseline->is_default && *right ? " under the same environments" : "");
        free(text);
    }
    free(left);
    free(right);
    free(designs);
    free(environments);
}

static void print_conventions(
    const struct frs_sweep_results *sweep, const struct frs_baseline *baseline, FILE *out) {
    if (frs_tables_have_target(sweep)) {
        char *text = frs_target_text(&sweep->target), *quoted = frs_quoted_markdown(text);
        fprintf(out, "Target: %s. \"3 of 5\" means that so many runs reached it.\n", quoted);
        free(text);
        free(quoted);
    }
    fputs("± is half of the 95 % interval of the mean (Student's t over the replicates).\n", out);
    struct frs_detection detection = {0};
    for (size_t i = 0; i < sweep->plan->n_points; i++)
        if (sweep->points[i].finished)
            frs_detection_add(&detection, &sweep->points[i].metrics);
    frs_detection_print(&detection, out);
    print_roles(sweep->plan, baseline, out);
}

void frs_tables_print_head(
    const struct frs_sweep_results *sweep, const struct frs_baseline *baseline, FILE *out) {
    print_state(sweep, out);
    if (sweep->n_finished > 0)
        print_conventions(sweep, baseline, out);
}
