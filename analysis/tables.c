#include "analysis/tables.h"
#include "analysis/detection.h"
#include "analysis/present.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what stands above the tables ---- */

static char *quoted_cell(const struct frs_study *study, size_t cell) {
    char *name = frs_study_cell_name(study, cell), *quoted = frs_quoted_markdown(name);
    free(name);
    return quoted;
}

static void print_missing(const struct frs_sweep_results *sweep, FILE *out) {
    const struct frs_study *study = &sweep->study;
    for (size_t i = 0; i < study->n_points; i++) {
        const struct frs_point_results *point = &sweep->points[i];
        if (point->finished)
            continue;
        char line[160], *cell = quoted_cell(study, study->points[i].cell);
        char *complaint =
            frs_quoted_markdown(point->complaint ? frs_text_line(point->complaint, line, sizeof line) : "");
        fprintf(out, "- point %zu (%s, seed %llu): %s%s%s\n", i, cell,
            (unsigned long long)study->points[i].seed, point->status, *complaint ? ": " : "", complaint);
        free(complaint);
        free(cell);
    }
}

/* A plan that stops early does not run all points: those are no news one by one. */
static void print_stopped(const struct frs_sweep_results *sweep, FILE *out) {
    const struct frs_study *study = &sweep->study;
    fputs("Cells may stop early; replicates of those with fewer: ", out);
    bool any = false;
    for (size_t cell = 0; cell < study->n_cells; cell++) {
        if (sweep->cells[cell].n == study->replicates)
            continue;
        char *name = quoted_cell(study, cell);
        fprintf(out, "%s%s: %zu", any ? "; " : "", name, sweep->cells[cell].n);
        any = true;
        free(name);
    }
    fputs(any ? ".\n" : "none.\n", out);
}

static void print_state(const struct frs_sweep_results *sweep, FILE *out) {
    const struct frs_study *study = &sweep->study;
    char *name = frs_quoted_markdown(study->name);
    fprintf(out, "# %s\n\n%zu of %zu points finished: %zu cells, %zu replicate%s.\n", name, sweep->n_finished,
        study->n_points, study->n_cells, study->replicates, study->replicates == 1 ? "" : "s");
    free(name);
    if (study->stops_early)
        print_stopped(sweep, out);
    if (frs_sweep_results_lacking(sweep) > 0) {
        fputs("Without results:\n\n", out);
        print_missing(sweep, out);
        fputc('\n', out);
    }
}

/* A target nobody named is shown where all runs have it. */
static bool has_target(const struct frs_sweep_results *sweep) {
    bool has = sweep->target.goal.metric != NULL;
    for (size_t i = 0; has && sweep->target.is_default && i < sweep->study.n_points; i++)
        has =
            !sweep->points[i].finished || !isnan(frs_metrics_get(&sweep->points[i].metrics, FRS_TARGET_TIME));
    return has;
}

static void print_conventions(
    const struct frs_sweep_results *sweep, const struct frs_baseline *baseline, FILE *out) {
    if (has_target(sweep)) {
        char *text = frs_target_text(&sweep->target), *quoted = frs_quoted_markdown(text);
        fprintf(out, "Target: %s. \"3 of 5\" means that so many runs reached it.\n", quoted);
        free(text);
        free(quoted);
    }
    fputs("± is half of the 95 % interval of the mean (Student's t over the replicates).\n", out);
    struct frs_detection detection = {0};
    for (size_t i = 0; i < sweep->study.n_points; i++)
        if (sweep->points[i].finished)
            frs_detection_add(&detection, &sweep->points[i].metrics);
    frs_detection_print(&detection, out);
    if (baseline->levels) {
        char *text = frs_quoted_markdown(baseline->text);
        fprintf(out, "Differences are to %s, seed by seed.\n", text);
        free(text);
    }
}

/* ---- one table ---- */

enum kind { MEANS, DIFFERENCES, RATIOS };

struct table {
    const struct frs_sweep_results *sweep;
    const struct frs_baseline *baseline;
    const char *metric;
    enum kind kind;
    struct frs_estimate *estimates; /* [n_cells] */
    size_t *censored, *n;           /* [n_cells] */
};

static size_t baseline_of(const struct table *table, size_t cell) {
    return frs_study_baseline_of(&table->sweep->study, table->baseline->levels, cell);
}

static void fill_cell(struct table *table, size_t cell) {
    const struct frs_replicates *cells = table->sweep->cells;
    if (table->kind == MEANS) {
        struct frs_figure figure = frs_replicates_figure(&cells[cell], table->metric);
        table->estimates[cell] = figure.estimate;
        table->censored[cell] = figure.censored;
        table->n[cell] = figure.estimate.n;
        return;
    }
    struct frs_contrast contrast =
        frs_replicates_contrast(&cells[cell], &cells[baseline_of(table, cell)], table->metric);
    table->estimates[cell] = table->kind == RATIOS ? contrast.ratio : contrast.paired;
    table->n[cell] = contrast.paired.n;
}

static void fill(struct table *table) {
    size_t n = table->sweep->study.n_cells;
    table->estimates = frs_alloc(n, sizeof *table->estimates);
    table->censored = frs_alloc(n, sizeof *table->censored);
    table->n = frs_alloc(n, sizeof *table->n);
    for (size_t cell = 0; cell < n; cell++)
        fill_cell(table, cell);
}

static void empty(struct table *table) {
    free(table->estimates);
    free(table->censored);
    free(table->n);
}

static char *cell_text(const struct table *table, size_t cell, const struct frs_style *style) {
    size_t n = table->n[cell], planned = table->sweep->study.replicates;
    if (table->kind != MEANS && baseline_of(table, cell) == cell)
        return frs_strdup("");
    if (table->censored[cell] > 0)
        return frs_format("%zu of %zu", n - table->censored[cell], n);
    char *text = frs_present(style, &table->estimates[cell], table->kind == DIFFERENCES);
    if (n == planned || isnan(table->estimates[cell].mean))
        return text;
    char *with_n = frs_format("%s (n = %zu)", text, n);
    free(text);
    return with_n;
}

/* In a row of n cells from this one on, all are what the others are compared with. */
static bool row_is_baseline(const struct table *table, size_t cell, size_t n) {
    for (size_t i = cell; i < cell + n; i++)
        if (table->kind == MEANS || baseline_of(table, i) != i)
            return false;
    return true;
}

static void add_rows(const struct table *table, const struct frs_style *style, struct frs_grid *grid) {
    const struct frs_study *study = &table->sweep->study;
    size_t n_left = study->n_axes > 1 ? study->n_axes - 1 : study->n_axes;
    size_t n_right = grid->n_columns - n_left;
    for (size_t first = 0; first < study->n_cells; first += n_right) {
        if (row_is_baseline(table, first, n_right))
            continue;
        for (size_t axis = 0; axis < n_left; axis++)
            frs_grid_add(grid, study->axes[axis].levels[frs_study_level(study, first, axis)]);
        for (size_t cell = first; cell < first + n_right; cell++)
            frs_grid_take(grid, cell_text(table, cell, style));
    }
}

/* ---- references, which stand below the methods they are there for ---- */

/* "references.NAME.METRIC": the name, to be freed; NULL: it is nothing of that kind. */
static char *reference_in(const char *name, const char *metric) {
    static const char prefix[] = "references.";
    size_t length = strlen(name), tail = strlen(metric) + 1, head = sizeof prefix - 1;
    if (length <= head + tail || strncmp(name, prefix, head) != 0 || name[length - tail] != '.' ||
        strcmp(name + length - tail + 1, metric) != 0)
        return NULL;
    return frs_format("%.*s", (int)(length - head - tail), name + head);
}

/* The figure of a column: that of its cells, which all have the same, where they have any and no replicate is
 * missing. False: they differ, and it is none of the column's. */
static bool figure_of_column(const struct table *table, const char *metric, size_t column, size_t n_columns,
    struct frs_estimate *out) {
    bool agree = true;
    *out = (struct frs_estimate){.mean = NAN, .sd = NAN, .half_width = NAN};
    for (size_t cell = column; agree && cell < table->sweep->study.n_cells; cell += n_columns) {
        struct frs_estimate next = frs_replicates_figure(&table->sweep->cells[cell], metric).estimate;
        agree = next.n != out->n || next.n == 0 || next.mean == out->mean;
        if (next.n > out->n)
            *out = next;
    }
    return agree;
}

static void add_reference(const struct table *table, const struct frs_style *style, const char *metric,
    const char *reference, struct frs_grid *grid) {
    const struct frs_study *study = &table->sweep->study;
    size_t n_left = study->n_axes > 1 ? study->n_axes - 1 : study->n_axes;
    size_t n_right = grid->n_columns - n_left;
    struct frs_estimate *estimates = frs_alloc(n_right, sizeof *estimates);
    bool agree = true;
    for (size_t i = 0; agree && i < n_right; i++)
        agree = figure_of_column(table, metric, i, n_right, &estimates[i]);
    char *name = frs_quoted_markdown(reference);
    for (size_t i = 0; agree && i < n_left; i++)
        frs_grid_take(grid, frs_format(i ? "" : "*%s*", name));
    free(name);
    for (size_t i = 0; agree && i < n_right; i++)
        frs_grid_take(grid, frs_present(style, &estimates[i], false));
    free(estimates);
}

static void add_references(const struct table *table, const struct frs_style *style, struct frs_grid *grid) {
    for (size_t i = 0; table->kind == MEANS && i < table->sweep->n_names; i++) {
        char *reference = reference_in(table->sweep->names[i], table->metric);
        if (reference)
            add_reference(table, style, table->sweep->names[i], reference, grid);
        free(reference);
    }
}

static void add_head(const struct table *table, const char *title, struct frs_grid *grid) {
    const struct frs_study *study = &table->sweep->study;
    const struct frs_study_axis *last = study->n_axes > 1 ? &study->axes[study->n_axes - 1] : NULL;
    size_t n_left = study->n_axes > 1 ? study->n_axes - 1 : study->n_axes;
    grid->n_columns = n_left + (last ? last->n_levels : 1);
    for (size_t axis = 0; axis < n_left; axis++)
        frs_grid_add(grid, study->axes[axis].name);
    for (size_t i = 0; last && i < last->n_levels; i++) {
        char *label = i ? frs_strdup(last->levels[i]) : frs_format("%s = %s", last->name, last->levels[i]);
        frs_grid_add(grid, label);
        free(label);
    }
    if (!last)
        frs_grid_add(grid, title);
}

static char *title_of(const struct table *table, const struct frs_style *style) {
    const char *unit = table->kind == RATIOS ? "" : style->unit;
    const char *what = table->kind == MEANS         ? ""
                       : table->kind == DIFFERENCES ? ", difference to "
                                                    : ", ratio to ";
    return frs_format("%s%s%s%s%s", table->metric, what, table->kind == MEANS ? "" : table->baseline->text,
        *unit ? ", in " : "", unit);
}

/* Differences to what is always 0 are the figures themselves. */
static bool baseline_is_zero(const struct table *table) {
    bool is_zero = true;
    for (size_t cell = 0; is_zero && cell < table->sweep->study.n_cells; cell++) {
        struct frs_estimate base =
            frs_replicates_figure(&table->sweep->cells[baseline_of(table, cell)], table->metric).estimate;
        is_zero = isnan(base.mean) || (base.mean == 0 && !(base.half_width > 0));
    }
    return is_zero;
}

/* Differences do not exist where all runs of a side are missing or censored. */
static bool says_nothing(const struct table *table) {
    if (baseline_is_zero(table))
        return true;
    for (size_t cell = 0; cell < table->sweep->study.n_cells; cell++)
        if (baseline_of(table, cell) != cell && !isnan(table->estimates[cell].mean))
            return false;
    return true;
}

static void print_table(struct table *table, FILE *out) {
    struct frs_grid grid = {0};
    fill(table);
    if (table->kind != MEANS && says_nothing(table)) {
        empty(table);
        return;
    }
    struct frs_style style = frs_style_of(
        table->kind == RATIOS ? "" : table->metric, table->estimates, table->sweep->study.n_cells);
    char *title = title_of(table, &style), *quoted = frs_quoted_markdown(title);
    fprintf(out, "\n**%s**\n\n", quoted);
    free(quoted);
    add_head(table, title, &grid);
    add_rows(table, &style, &grid);
    add_references(table, &style, &grid);
    frs_grid_print(&grid, out);
    frs_grid_fini(&grid);
    free(title);
    empty(table);
}

/* ---- all of them ---- */

static bool is_known(const struct frs_sweep_results *sweep, const char *metric) {
    for (size_t i = 0; i < sweep->n_names; i++)
        if (strcmp(sweep->names[i], metric) == 0)
            return true;
    return false;
}

static void print_unknown(const struct frs_sweep_results *sweep, const char *metric, FILE *out) {
    const char **names = frs_alloc(sweep->n_names + 1, sizeof *names);
    for (size_t i = 0; i < sweep->n_names; i++)
        names[i] = sweep->names[i];
    const char *nearest = frs_text_nearest(metric, names);
    char *quoted = frs_quoted_markdown(metric), *meant = frs_quoted_markdown(nearest ? nearest : "");
    fprintf(out, "\n**%s**: no run has it%s%s%s\n", quoted, nearest ? "; is \"" : "", meant,
        nearest ? "\" meant?" : ".");
    free(quoted);
    free(meant);
    free(names);
}

static void print_metric(const struct frs_sweep_results *sweep, const struct frs_baseline *baseline,
    const char *metric, FILE *out) {
    struct table table = {.sweep = sweep, .baseline = baseline, .metric = metric};
    if (!is_known(sweep, metric)) {
        print_unknown(sweep, metric, out);
        return;
    }
    for (table.kind = MEANS; table.kind <= RATIOS; table.kind++) {
        bool is_amount = frs_metric_unit(metric) != FRS_UNIT_NONE;
        if (table.kind == MEANS || (baseline->levels && (table.kind != RATIOS || is_amount)))
            print_table(&table, out);
    }
}

static bool is_planned(const struct frs_study *study, const char *metric) {
    for (size_t i = 0; i < study->n_metrics; i++)
        if (strcmp(study->metrics[i], metric) == 0)
            return true;
    return false;
}

void frs_tables_print(const struct frs_sweep_results *sweep, const struct frs_baseline *baseline, FILE *out) {
    static const char *const of_target[] = {FRS_TARGET_TIME, FRS_TARGET_BYTES};
    const struct frs_study *study = &sweep->study;
    print_state(sweep, out);
    if (sweep->n_finished == 0)
        return;
    print_conventions(sweep, baseline, out);
    frs_study_print_unvaried(study, out);
    for (size_t i = 0; i < study->n_metrics; i++)
        print_metric(sweep, baseline, study->metrics[i], out);
    for (size_t i = 0; i < 2; i++)
        if (has_target(sweep) && is_known(sweep, of_target[i]) && !is_planned(study, of_target[i]))
            print_metric(sweep, baseline, of_target[i], out);
}
