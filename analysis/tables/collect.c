#include "analysis/tables/collect.h"
#include "analysis/tables/collect_json.h"
#include "analysis/read/files.h"
#include "analysis/tables/page.h"
#include "analysis/tables/store.h"
#include "analysis/tables/tables.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct collection {
    const char *folder;
    struct frs_store *store;
    struct frs_sweep_results sweep;
    struct frs_baseline baseline;
    size_t *levels; /* of the baseline */
    char *named;    /* the baseline's name, where none was given */
    bool all;       /* tables */
};

/* ---- table writers ---- */

/* Columns of a table writer: fixed ones, and the axes after the first `n_before` of them. */
struct columns {
    struct frs_table_writer_column *list;
    size_t n;
};

/* Labels that are all different numbers are numbers in the store, too, so that "WHERE loss > 0.1" means
 * what it says. */
static const char *type_of_axis(const struct frs_axis *axis) {
    double own, other;
    for (size_t i = 0; i < axis->n; i++) {
        if (!frs_decimal_is(axis->levels[i].label, &own))
            return "TEXT";
        for (size_t k = 0; k < i; k++)
            if (frs_decimal_is(axis->levels[k].label, &other) && other == own)
                return "TEXT";
    }
    return "NUMERIC";
}

static struct columns columns_with_axes(const struct frs_sweep_plan *plan,
    const struct frs_table_writer_column *fixed, size_t n_before, const struct frs_sweep_results *metrics) {
    size_t n_fixed = 0, n_metrics = metrics ? metrics->n_names : 0;
    while (fixed[n_fixed].name)
        n_fixed++;
    struct columns columns = {
        .list = frs_alloc(n_fixed + plan->sweep.axes.n + n_metrics + 1, sizeof *columns.list)};
    for (size_t i = 0; i <= n_fixed; i++) {
        for (size_t axis = 0; i == n_before && axis < plan->sweep.axes.n; axis++)
            columns.list[columns.n++] = (struct frs_table_writer_column){
                plan->sweep.axes.axes[axis].name, type_of_axis(&plan->sweep.axes.axes[axis])};
        if (i < n_fixed)
            columns.list[columns.n++] = fixed[i];
    }
    for (size_t i = 0; i < n_metrics; i++)
        /* cppcheck-suppress nullPointer ; none goes with 0 of them */
        columns.list[columns.n++] = (struct frs_table_writer_column){metrics->names[i], "REAL"};
    return columns;
}

static struct frs_table_writer *open_sheet(struct collection *c, const char *table, const char *file,
    const struct frs_table_writer_column *columns, struct frs_errors *errors) {
    char *path = file ? frs_format("%s/%s", c->folder, file) : NULL;
    struct frs_table_writer *writer =
        frs_table_writer_create(table ? c->store : NULL, table, path, columns, errors);
    free(path);
    return writer;
}

static void put_labels(struct frs_table_writer *writer, const struct frs_sweep_plan *plan, size_t cell) {
    for (size_t axis = 0; axis < plan->sweep.axes.n; axis++)
        frs_table_writer_text(writer, frs_axes_label(&plan->sweep.axes, cell, axis));
}

/* ---- points ---- */

static const struct frs_table_writer_column point_columns[] = {{"point", "INTEGER"}, {"cell", "INTEGER"},
    {"replicate", "INTEGER"}, {"seed", "INTEGER"}, {"hash", "TEXT"}, {"status", "TEXT"}, {NULL, NULL}};
enum { AXES_OF_POINTS = 2, AXES_OF_CELLS = 1 };

static void put_point(
    struct frs_table_writer *writer, const struct frs_sweep_results *sweep, size_t i, bool metrics) {
    const struct frs_sweep_point *point = &sweep->plan->points[i];
    frs_table_writer_count(writer, i);
    frs_table_writer_count(writer, point->cell);
    put_labels(writer, sweep->plan, point->cell);
    frs_table_writer_count(writer, point->replicate);
    frs_table_writer_count(writer, point->seed);
    frs_table_writer_text(writer, point->hash);
    frs_table_writer_text(writer, sweep->points[i].status);
    for (size_t k = 0; metrics && k < sweep->n_names; k++)
        frs_table_writer_real(writer,
            sweep->points[i].finished ? frs_metrics_get(&sweep->points[i].metrics, sweep->names[k]) : NAN);
}

/* Narrow in the store, where metrics have a table of their own, and wide in the file. */
static enum frs_status write_points(struct collection *c, bool to_file, struct frs_errors *errors) {
    const struct frs_sweep_results *sweep = &c->sweep;
    struct columns columns =
        columns_with_axes(sweep->plan, point_columns, AXES_OF_POINTS, to_file ? sweep : NULL);
    struct frs_table_writer *writer =
        open_sheet(c, to_file ? NULL : "points", to_file ? "points.csv" : NULL, columns.list, errors);
    for (size_t i = 0; writer && i < sweep->plan->n_points; i++)
        put_point(writer, sweep, i, to_file);
    free(columns.list);
    return writer ? frs_table_writer_commit(writer, errors) : FRS_ERR_RUN;
}

static enum frs_status write_metrics(struct collection *c, struct frs_errors *errors) {
    static const struct frs_table_writer_column columns[] = {
        {"point", "INTEGER"}, {"name", "TEXT"}, {"value", "REAL"}, {NULL, NULL}};
    struct frs_table_writer *writer = open_sheet(c, "metrics", NULL, columns, errors);
    for (size_t i = 0; writer && i < c->sweep.plan->n_points; i++) {
        const struct frs_metrics *metrics = &c->sweep.points[i].metrics;
        for (size_t k = 0; k < metrics->n; k++) {
            frs_table_writer_count(writer, i);
            frs_table_writer_text(writer, metrics->list[k].name);
            frs_table_writer_real(writer, metrics->list[k].value);
        }
    }
    return writer ? frs_table_writer_commit(writer, errors) : FRS_ERR_RUN;
}

/* ---- cells and differences ---- */

static void put_cell(
    struct frs_table_writer *writer, const struct frs_sweep_results *sweep, size_t cell, const char *metric) {
    struct frs_figure figure = frs_replicates_figure(&sweep->cells[cell], metric);
    if (figure.estimate.n == 0)
        return;
    frs_table_writer_count(writer, cell);
    put_labels(writer, sweep->plan, cell);
    frs_table_writer_text(writer, metric);
    frs_table_writer_count(writer, figure.estimate.n);
    frs_table_writer_real(writer, figure.estimate.mean);
    frs_table_writer_real(writer, figure.estimate.sd);
    frs_table_writer_real(writer, figure.estimate.mean - figure.estimate.half_width);
    frs_table_writer_real(writer, figure.estimate.mean + figure.estimate.half_width);
    frs_table_writer_count(writer, figure.censored);
}

static enum frs_status write_cells(struct collection *c, struct frs_errors *errors) {
    static const struct frs_table_writer_column fixed[] = {{"cell", "INTEGER"}, {"metric", "TEXT"},
        {"n", "INTEGER"}, {"mean", "REAL"}, {"sd", "REAL"}, {"ci_low", "REAL"}, {"ci_high", "REAL"},
        {"censored", "INTEGER"}, {NULL, NULL}};
    struct columns columns = columns_with_axes(c->sweep.plan, fixed, AXES_OF_CELLS, NULL);
    struct frs_table_writer *writer = open_sheet(c, "cells", "cells.csv", columns.list, errors);
    for (size_t cell = 0; writer && cell < frs_axes_cells(&c->sweep.plan->sweep.axes); cell++)
        for (size_t k = 0; k < c->sweep.n_names; k++)
            put_cell(writer, &c->sweep, cell, c->sweep.names[k]);
    free(columns.list);
    return writer ? frs_table_writer_commit(writer, errors) : FRS_ERR_RUN;
}

static void put_interval(struct frs_table_writer *writer, const struct frs_estimate *estimate) {
    frs_table_writer_count(writer, estimate->n);
    frs_table_writer_real(writer, estimate->mean);
    frs_table_writer_real(writer, estimate->mean - estimate->half_width);
    frs_table_writer_real(writer, estimate->mean + estimate->half_width);
}

static void put_difference(struct frs_table_writer *writer, const struct collection *c, size_t cell,
    size_t base, const char *metric) {
    struct frs_contrast contrast =
        frs_replicates_contrast(&c->sweep.cells[cell], &c->sweep.cells[base], metric);
    if (contrast.unpaired.n == 0)
        return;
    frs_table_writer_count(writer, cell);
    put_labels(writer, c->sweep.plan, cell);
    frs_table_writer_count(writer, base);
    frs_table_writer_text(writer, metric);
    put_interval(writer, &contrast.paired);
    put_interval(writer, &contrast.unpaired);
    frs_table_writer_real(writer, frs_contrast_width_ratio(&contrast));
    frs_table_writer_real(writer, contrast.ratio.mean);
    frs_table_writer_real(writer, contrast.ratio.mean - contrast.ratio.half_width);
    frs_table_writer_real(writer, contrast.ratio.mean + contrast.ratio.half_width);
    frs_table_writer_count(writer, contrast.censored);
}

static enum frs_status write_differences(struct collection *c, struct frs_errors *errors) {
    static const struct frs_table_writer_column fixed[] = {{"cell", "INTEGER"}, {"baseline", "INTEGER"},
        {"metric", "TEXT"}, {"pairs", "INTEGER"}, {"paired", "REAL"}, {"paired_low", "REAL"},
        {"paired_high", "REAL"}, {"unpaired_n", "INTEGER"}, {"unpaired", "REAL"}, {"unpaired_low", "REAL"},
        {"unpaired_high", "REAL"}, {"width_ratio", "REAL"}, {"ratio", "REAL"}, {"ratio_low", "REAL"},
        {"ratio_high", "REAL"}, {"censored", "INTEGER"}, {NULL, NULL}};
    struct columns columns = columns_with_axes(c->sweep.plan, fixed, AXES_OF_CELLS, NULL);
    struct frs_table_writer *writer = open_sheet(c, "differences", "differences.csv", columns.list, errors);
    for (size_t cell = 0; writer && c->baseline.levels && cell < frs_axes_cells(&c->sweep.plan->sweep.axes);
         cell++) {
        size_t base = frs_sweep_plan_baseline_of(c->sweep.plan, c->baseline.levels, cell);
        for (size_t k = 0; base != cell && k < c->sweep.n_names; k++)
            put_difference(writer, c, cell, base, c->sweep.names[k]);
    }
    free(columns.list);
    return writer ? frs_table_writer_commit(writer, errors) : FRS_ERR_RUN;
}

/* ---- tables ---- */

/* Pages have headings of their own. */
static const char *without_heading(const char *tables) {
    const char *text = strchr(tables, '\n');
    return text ? text + strspn(text, "\n") : tables;
}

static enum frs_status write_tables_file(
    const struct collection *c, const char *tables, struct frs_errors *errors) {
    char *path = frs_format("%s/tables.md", c->folder);
    struct frs_draft draft;
    enum frs_status status = frs_draft_open(&draft, path, errors);
    if (status == FRS_OK) {
        fputs(tables, draft.file);
        status = frs_draft_commit(&draft, errors);
    }
    free(path);
    return status;
}

static enum frs_status write_tables(
    struct collection *c, const char *page, FILE *tables_out, struct frs_errors *errors) {
    char *tables = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&tables, &length);
    if (!memory)
        return frs_errors_add(errors, FRS_ERR_RUN, "no memory for the tables");
    frs_tables_print(&c->sweep, &c->baseline, c->all, memory);
    fclose(memory);
    enum frs_status status = write_tables_file(c, tables, errors);
    if (status == FRS_OK && tables_out)
        frs_tables_print(&c->sweep, &c->baseline, c->all, tables_out); /* which may be a narrow terminal */
    if (status == FRS_OK && page)
        status = frs_page_update(page, c->sweep.plan->name, without_heading(tables), errors);
    free(tables);
    return status;
}

/* ---- all of it ---- */

static void add_rounds(void *context, size_t point, const struct frs_run_results *run) {
    struct collection *c = context;
    frs_store_add_rounds(c->store, point, &run->rounds);
}

static enum frs_status choose_baseline(
    struct collection *c, const struct frs_collect_options *options, struct frs_errors *errors) {
    const struct frs_sweep_plan *plan = c->sweep.plan;
    const char *text = options && options->baseline ? options->baseline : plan->sweep.baseline;
    c->levels = frs_alloc(plan->sweep.axes.n + 1, sizeof *c->levels);
    if (!text && frs_sweep_plan_first_designs(plan, c->levels, &c->named))
        c->baseline = (struct frs_baseline){c->named, c->levels, true};
    if (!text)
        return FRS_OK;
    enum frs_status status = frs_sweep_plan_select(
        plan, text, options && options->baseline ? "--baseline" : plan->path, c->levels, errors);
    if (status == FRS_OK)
        c->baseline = (struct frs_baseline){text, c->levels, false};
    return status;
}

static enum frs_status write_sheets(struct collection *c, struct frs_errors *errors) {
    enum frs_status status = write_points(c, false, errors);
    if (status == FRS_OK)
        status = write_metrics(c, errors);
    if (status == FRS_OK)
        status = write_cells(c, errors);
    if (status == FRS_OK)
        status = write_differences(c, errors);
    return status == FRS_OK ? write_points(c, true, errors) : status;
}

static enum frs_status read_sweep(
    struct collection *c, const struct frs_collect_options *options, struct frs_errors *errors) {
    const struct frs_sweep_reading reading = {
        .target = options ? options->target : NULL, .each = add_rounds, .context = c};
    char *path = frs_format("%s/sweep.sqlite", c->folder);
    enum frs_status status = FRS_ERR_INPUT;
    if (!frs_sweep_plan_is(c->folder))
        frs_errors_add(errors, status, "%s: is not the folder of a sweep: it has no plan.json", c->folder);
    else if (!(c->store = frs_store_create(path, errors)))
        status = FRS_ERR_RUN;
    else
        status = frs_sweep_results_read(c->folder, &reading, &c->sweep, errors);
    free(path);
    return status;
}

enum frs_status frs_collect(const char *folder, const struct frs_collect_options *options, FILE *tables_out,
    size_t *n_lacking, struct frs_errors *errors) {
    struct collection c = {.folder = folder, .all = options && options->all};
    enum frs_status status = read_sweep(&c, options, errors);
    if (status == FRS_OK)
        status = choose_baseline(&c, options, errors);
    if (status == FRS_OK)
        status = write_sheets(&c, errors);
    if (status == FRS_OK) {
        status = frs_store_commit(c.store, errors);
        c.store = NULL;
    }
    if (status == FRS_OK)
        status = write_tables(&c, options ? options->page : NULL, tables_out, errors);
    if (status == FRS_OK && options && options->json)
        *options->json = frs_collect_object(&c.sweep, c.baseline.text);
    if (status == FRS_OK && n_lacking)
        *n_lacking = frs_sweep_results_lacking(&c.sweep);
    frs_store_discard(c.store);
    frs_sweep_results_fini(&c.sweep);
    free(c.levels);
    free(c.named);
    return status;
}
