/* Tables for LaTeX (booktabs): a row for each design; either a table of each metric with a column for each
 * environment, or one table of all metrics where there is only one environment. Exact figures follow as
 * comments. */
#include "analysis/figures/drawing.h"
#include "analysis/figures/lettering.h"
#include "analysis/sentence/wording.h"
#include "analysis/statistics/metric_names.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 12, MOST_DECIMALS = 6 };

struct column {
    const char *metric;
    size_t environment; /* of the ranking */
    struct frs_findings findings;
    bool can_be_bold; /* the metric has a better end */
    double factor;
    int decimals;
};

struct table {
    const struct frs_drawing *d;
    size_t n_columns, n_rows;
    struct column columns[MOST_COLUMNS];
    const char **rows; /* [n_rows] names of designs; borrowed */
};

/* ---- who is ahead by a metric ---- */

static const struct frs_target no_target;

/* Whether the smaller or the larger value is better; false: neither. */
static bool direction_of(const char *metric, bool *lower) {
    const struct frs_metric_entry *entry = frs_metric_find(metric);
    *lower = entry && entry->better == FRS_LOWER;
    return entry && entry->better != FRS_NEITHER;
}

static struct frs_ranking ranking_by(const struct frs_drawing *d, const char *metric) {
    struct frs_ranking ranking = *d->ranking;
    if (strcmp(metric, FRS_TARGET_TIME) == 0)
        return ranking;
    ranking.target = &no_target;
    ranking.quality = metric;
    direction_of(metric, &ranking.lower);
    return ranking;
}

/* ---- rows and columns ---- */

static size_t entry_of(const struct table *table, size_t row, size_t environment) {
    const struct frs_ranking *ranking = table->d->ranking;
    for (size_t i = 0; i < ranking->n; i++)
        if (ranking->list[i].environment == environment &&
            strcmp(ranking->list[i].name, table->rows[row]) == 0)
            return i;
    return ranking->n;
}

static void find_rows(struct table *table) {
    const struct frs_ranking *ranking = table->d->ranking;
    table->rows = frs_alloc(ranking->n + 1, sizeof *table->rows);
    for (size_t i = 0; i < ranking->n; i++) {
        size_t k = 0;
        if (table->d->numbers[ranking->list[i].environment] == 0)
            continue;
        while (k < table->n_rows && strcmp(table->rows[k], ranking->list[i].name) != 0)
            k++;
        if (k == table->n_rows)
            table->rows[table->n_rows++] = ranking->list[i].name;
    }
}

static struct frs_figure figure_of(const struct table *table, size_t row, const struct column *column) {
    size_t entry = entry_of(table, row, column->environment);
    const struct frs_replicates none = {0};
    return frs_replicates_figure(
        entry < table->d->ranking->n ? table->d->ranking->list[entry].runs : &none, column->metric);
}

/* Three or four digits of the largest value, and four decimals of a quality, as in papers; more where an
 * interval would otherwise look like zero. */
static void settle_column(const struct table *table, struct column *column) {
    double most = 0, narrowest = INFINITY;
    for (size_t i = 0; i < table->n_rows; i++) {
        struct frs_estimate e = figure_of(table, i, column).estimate;
        most = isfinite(e.mean) ? fmax(most, fabs(e.mean)) : most;
        narrowest = e.half_width > 0 ? fmin(narrowest, e.half_width) : narrowest;
    }
    const struct frs_estimate largest = {.n = 1, .mean = most, .sd = NAN, .df = NAN, .half_width = NAN};
    const char *unit;
    bool lower;
    column->factor = frs_metric_unit(column->metric) == FRS_UNIT_NONE
                         ? 1
                         : frs_amount_unit(column->metric, &largest, &unit);
    most *= column->factor;
    column->can_be_bold = direction_of(column->metric, &lower);
    column->decimals = frs_metric_is_quality(column->metric, NULL) ? 4 : most >= 100 ? 0 : most >= 10 ? 1 : 2;
    narrowest *= column->factor;
    while (column->decimals < MOST_DECIMALS && narrowest < 0.5 * pow(10, -column->decimals))
        column->decimals++;
}

static const char *unit_of(const struct table *table, const struct column *column) {
    double most = 0;
    const char *unit = "";
    for (size_t i = 0; i < table->n_rows; i++)
        most = fmax(most, figure_of(table, i, column).estimate.mean);
    const struct frs_estimate largest = {.n = 1, .mean = most, .sd = NAN, .df = NAN, .half_width = NAN};
    if (frs_metric_unit(column->metric) != FRS_UNIT_NONE)
        frs_amount_unit(column->metric, &largest, &unit);
    return unit;
}

/* ---- the file ---- */

static void put_escaped(FILE *out, const char *text) {
    char *latex = frs_lettering_latex(text);
    fputs(latex, out);
    free(latex);
}

static bool is_ahead(const struct table *table, size_t row, const struct column *column) {
    const struct frs_decision *decision = &column->findings.decisions[column->environment];
    return column->can_be_bold && decision->n > 1 && decision->alone &&
           strcmp(decision->metric, column->metric) == 0 &&
           decision->leader == entry_of(table, row, column->environment);
}

static void put_cell(const struct table *table, FILE *out, size_t row, const struct column *column) {
    struct frs_figure figure = figure_of(table, row, column);
    const struct frs_estimate *e = &figure.estimate;
    fputs(" & ", out);
    if (e->n > 0 && figure.censored > 0)
        fprintf(out, "%zu of %zu", e->n - figure.censored, e->n);
    else if (e->n > 0 && isfinite(e->mean)) {
        fprintf(out, is_ahead(table, row, column) ? "$\\mathbf{%.*f}" : "$%.*f", column->decimals,
            e->mean * column->factor);
        if (e->half_width >= 0)
            fprintf(out, " \\pm %.*f", column->decimals, e->half_width * column->factor);
        fputs("$", out);
    } else
        fputs("--", out);
}

/* A row of the head for each axis of the environments that varies. */
static void put_environments(const struct table *table, FILE *out) {
    const struct frs_axes *axes = &table->d->sweep->plan->sweep.axes;
    for (size_t a = 0; a < axes->n; a++) {
        if (axes->axes[a].role != FRS_ROLE_ENVIRONMENT || axes->axes[a].n < 2 ||
            table->d->fixed[a] != FRS_ANY_LEVEL)
            continue;
        put_escaped(out, axes->axes[a].name);
        for (size_t c = 0; c < table->n_columns; c++) {
            size_t cell = 0;
            while (table->d->ranking->list[cell].environment != table->columns[c].environment)
                cell++;
            fputs(" & ", out);
            put_escaped(out, frs_axes_label(axes, cell, a));
        }
        fputs(" \\\\\n", out);
    }
}

static void put_units(const struct table *table, FILE *out) {
    bool any = false;
    for (size_t c = 0; c < table->n_columns; c++)
        any = any || *unit_of(table, &table->columns[c]);
    for (size_t c = 0; c < table->n_columns && any; c++) {
        fputs(" & ", out);
        put_escaped(out, unit_of(table, &table->columns[c]));
    }
    fputs(any ? " \\\\\n" : "", out);
}

static void put_head(const struct table *table, FILE *out, bool by_environment) {
    fputs("\\begin{tabular}{l", out);
    for (size_t c = 0; c < table->n_columns; c++)
        fputc('r', out);
    fputs("}\n\\toprule\n", out);
    if (by_environment)
        put_environments(table, out);
    for (size_t c = 0; c < table->n_columns && !by_environment; c++) {
        char *metric = frs_metric_caption(table->columns[c].metric);
        fputs(" & ", out);
        put_escaped(out, metric);
        free(metric);
    }
    fputs(by_environment ? "" : " \\\\\n", out);
    put_units(table, out);
    fputs("\\midrule\n", out);
}

/* Of one axis of designs its label, of several what the design is called. */
static const char *row_name(const struct table *table, size_t row) {
    const struct frs_axes *axes = &table->d->sweep->plan->sweep.axes;
    size_t n = 0, axis = 0, cell = 0;
    for (size_t a = 0; a < axes->n; a++)
        if (axes->axes[a].role == FRS_ROLE_DESIGN && axes->axes[a].n > 1) {
            axis = a;
            n++;
        }
    while (strcmp(table->d->ranking->list[cell].name, table->rows[row]) != 0)
        cell++;
    return n == 1 ? frs_axes_label(axes, cell, axis) : table->rows[row];
}

/* The largest and the smallest number of replicates. */
static void count_seeds(const struct table *table, size_t seeds[2]) {
    seeds[0] = SIZE_MAX;
    seeds[1] = 0;
    for (size_t r = 0; r < table->n_rows; r++)
        for (size_t c = 0; c < table->n_columns; c++) {
            size_t n = figure_of(table, r, &table->columns[c]).estimate.n;
            seeds[0] = n > 0 && n < seeds[0] ? n : seeds[0];
            seeds[1] = n > seeds[1] ? n : seeds[1];
        }
}

static void put_notes(const struct table *table, FILE *out, const char *metrics) {
    size_t seeds[2];
    count_seeds(table, seeds);
    fputs("\\par\\smallskip{\\footnotesize ", out);
    put_escaped(out, metrics);
    fputs(". ", out);
    if (seeds[1] <= 1)
        fputs("One seed: no interval, and none is marked. ", out);
    else if (seeds[0] == seeds[1])
        fprintf(out, "Means of %zu seeds $\\pm$ half of the 95\\,\\%% interval (Student). ", seeds[1]);
    else
        fprintf(out, "Means of %zu to %zu seeds $\\pm$ half of the 95\\,\\%% interval (Student). ", seeds[0],
            seeds[1]);
    if (seeds[1] > 1)
        fputs("Bold: ahead of all others in its column, at a level of 5\\,\\% over all environments of the "
              "sweep. ",
            out);
    if (table->d->sweep->protocol) {
        fputs("Protocol: ", out);
        put_escaped(out, table->d->sweep->protocol);
        fputs(". ", out);
    }
    if (table->d->sweep->candidates && strchr(metrics, '@')) {
        fputs("Candidates: ", out);
        put_escaped(out, table->d->sweep->candidates);
        fputs(". ", out);
    }
    fputs("\\par}\n", out);
}

/* In the order of the table, row by row. */
static void put_exact(const struct table *table, FILE *out) {
    char number[4][32];
    fputs(
        "% exact: mean, ends of the interval, runs, runs that miss the target; metric; design; environment\n",
        out);
    for (size_t r = 0; r < table->n_rows; r++)
        for (size_t c = 0; c < table->n_columns; c++) {
            const struct column *column = &table->columns[c];
            struct frs_figure f = figure_of(table, r, column);
            const double values[] = {f.estimate.mean, f.estimate.mean - f.estimate.half_width,
                f.estimate.mean + f.estimate.half_width};
            for (size_t i = 0; i < 3; i++)
                frs_text_number(values[i], number[i], sizeof number[i]);
            fprintf(out, "%% %s %s %s %zu %zu; %s; ", isfinite(values[0]) ? number[0] : "NaN",
                isfinite(values[1]) ? number[1] : "NaN", isfinite(values[2]) ? number[2] : "NaN",
                f.estimate.n, f.censored, column->metric);
            put_escaped(out, row_name(table, r));
            fputs("; ", out);
            put_escaped(out, table->d->ranking->environments[column->environment]);
            fputc('\n', out);
        }
}

static enum frs_status write(struct frs_drawing *d, struct table *table, const char *name,
    const char *metrics, bool by_environment, struct frs_errors *errors) {
    struct frs_draft draft;
    char *title = frs_format("%s, as a table for LaTeX", metrics);
    enum frs_status status = frs_canvas_open_table(&d->canvas, name, title, &draft, errors);
    if (status == FRS_OK && draft.file) {
        put_head(table, draft.file, by_environment);
        for (size_t r = 0; r < table->n_rows; r++) {
            put_escaped(draft.file, row_name(table, r));
            for (size_t c = 0; c < table->n_columns; c++)
                put_cell(table, draft.file, r, &table->columns[c]);
            fputs(" \\\\\n", draft.file);
        }
        fputs("\\bottomrule\n\\end{tabular}\n", draft.file);
        put_notes(table, draft.file, metrics);
        put_exact(table, draft.file);
        status = frs_draft_commit(&draft, errors);
    }
    free(title);
    return status;
}

static void add_column(
    struct table *table, const char *metric, size_t environment, const struct frs_findings *findings) {
    struct column *column = &table->columns[table->n_columns++];
    *column = (struct column){.metric = metric, .environment = environment, .findings = *findings};
    settle_column(table, column);
}

/* A table of one metric by environments. */
static enum frs_status draw_metric(struct frs_drawing *d, const char *metric, struct frs_errors *errors) {
    struct table table = {.d = d};
    struct frs_ranking ranking = ranking_by(d, metric);
    struct frs_findings findings = frs_ranking_findings(&ranking);
    find_rows(&table);
    for (size_t e = 0; e < ranking.n_environments && table.n_columns < MOST_COLUMNS; e++)
        if (d->numbers[e] > 0)
            add_column(&table, metric, e, &findings);
    char *file = frs_lettering_file(metric), *name = frs_format("table-%s", file),
         *text = frs_metric_caption(metric);
    enum frs_status status = write(d, &table, name, text, true, errors);
    free(text);
    free(name);
    free(file);
    free(table.rows);
    frs_findings_fini(&findings);
    return status;
}

/* A table of all metrics in the one environment. */
static enum frs_status draw_metrics(
    struct frs_drawing *d, const char *const *metrics, size_t n, struct frs_errors *errors) {
    struct table table = {.d = d};
    struct frs_findings findings[MOST_COLUMNS];
    size_t environment = 0;
    char *text = frs_strdup("");
    while (environment + 1 < d->ranking->n_environments && d->numbers[environment] == 0)
        environment++;
    find_rows(&table);
    for (size_t i = 0; i < n && i < MOST_COLUMNS; i++) {
        struct frs_ranking ranking = ranking_by(d, metrics[i]);
        findings[i] = frs_ranking_findings(&ranking);
        add_column(&table, metrics[i], environment, &findings[i]);
        char *own = frs_metric_caption(metrics[i]),
             *longer = frs_format("%s%s%s", text, *text ? ", " : "", own);
        free(own);
        free(text);
        text = longer;
    }
    enum frs_status status = write(d, &table, "table", text, false, errors);
    for (size_t i = 0; i < table.n_columns; i++)
        frs_findings_fini(&findings[i]);
    free(text);
    free(table.rows);
    return status;
}

enum frs_status frs_draw_tables(
    struct frs_drawing *d, const char *const *metrics, size_t n, struct frs_errors *errors) {
    if (d->n_numbered == 1)
        return draw_metrics(d, metrics, n, errors);
    enum frs_status status = FRS_OK;
    for (size_t i = 0; i < n && status == FRS_OK; i++)
        status = draw_metric(d, metrics[i], errors);
    return status;
}
