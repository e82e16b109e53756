#include "analysis/compare.h"
#include "analysis/detection.h"
#include "analysis/pareto.h"
#include "analysis/present.h"
#include "analysis/store.h"
#include "analysis/unvaried.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_USUAL = 6 };

/* One figure that is compared. */
struct column {
    const char *metric, *title;
    struct frs_figure *figures;     /* [n entries] */
    struct frs_contrast *contrasts; /* [n entries] to the first entry */
};

struct comparison {
    const struct frs_entries *entries;
    struct column *columns;
    size_t n_columns;
    bool *paired;   /* [n entries] whether it has the seeds of the first entry */
    bool *on_front; /* [n entries] */
    const char *quality;
    bool lower;
};

/* ---- columns ---- */

static bool any_has(const struct frs_entries *entries, const char *metric) {
    for (size_t i = 0; i < entries->n; i++)
        for (size_t k = 0; k < entries->list[i].n; k++)
            if (!isnan(frs_metrics_get(&entries->list[i].runs[k].metrics, metric)))
                return true;
    return false;
}

static void add_column(struct comparison *c, const char *metric, const char *title) {
    size_t n = c->entries->n;
    struct column *column = &c->columns[c->n_columns++];
    *column = (struct column){
        metric, title, frs_alloc(n, sizeof *column->figures), frs_alloc(n, sizeof *column->contrasts)};
    for (size_t i = 0; i < n; i++) {
        const struct frs_replicates *own = &c->entries->list[i].replicates;
        column->figures[i] = frs_replicates_figure(own, metric);
        column->contrasts[i] = frs_replicates_contrast(own, &c->entries->list[0].replicates, metric);
    }
}

static void add_usual_columns(struct comparison *c) {
    if (c->quality)
        add_column(c, c->quality, c->quality);
    add_column(c, "simulated_s", "simulated time");
    add_column(c, "bytes.total", "bytes");
    add_column(c, "bytes.wasted", "wasted");
    if (any_has(c->entries, FRS_TARGET_TIME)) {
        add_column(c, FRS_TARGET_TIME, "time to target");
        add_column(c, FRS_TARGET_BYTES, "bytes to target");
    }
}

static enum frs_status check_metric(
    const struct frs_entries *entries, const char *metric, struct frs_errors *errors) {
    if (any_has(entries, metric))
        return FRS_OK;
    const struct frs_metrics *metrics = &entries->list[0].runs[0].metrics;
    const char **names = frs_alloc(metrics->n + 1, sizeof *names);
    for (size_t i = 0; i < metrics->n; i++)
        names[i] = metrics->list[i].name;
    const char *nearest = frs_text_nearest(metric, names);
    char line[64];
    enum frs_status status = frs_errors_add(errors, FRS_ERR_INPUT,
        "--metric %s: no run has it%s%s%s; points.csv of a sweep lists what there is",
        frs_text_line(metric, line, sizeof line), nearest ? "; did you mean \"" : "", nearest ? nearest : "",
        nearest ? "\"?" : "");
    free(names);
    return status;
}

/* ---- tables ---- */

static struct frs_style style_of(const struct comparison *c, const struct column *column, bool differences) {
    size_t n = c->entries->n;
    struct frs_estimate *estimates = frs_alloc(n, sizeof *estimates);
    for (size_t i = 0; i < n; i++)
        estimates[i] = !differences   ? column->figures[i].estimate
                       : c->paired[i] ? column->contrasts[i].paired
                                      : column->contrasts[i].unpaired;
    struct frs_style style = frs_style_of(column->metric, estimates, n);
    free(estimates);
    return style;
}

static void add_head(struct frs_grid *grid, const struct comparison *c, const struct frs_style *styles) {
    for (size_t i = 0; i < c->n_columns; i++) {
        const char *unit = styles[i].unit;
        char *title = frs_format("%s%s%s", c->columns[i].title, *unit ? ", " : "", unit);
        frs_grid_add(grid, title);
        free(title);
    }
}

static char *figure_text(const struct frs_figure *figure, const struct frs_style *style) {
    size_t n = figure->estimate.n;
    if (figure->censored > 0)
        return frs_format("%zu/%zu reached", n - figure->censored, n);
    return frs_present(style, &figure->estimate, false);
}

static struct frs_style *styles_of(const struct comparison *c, bool differences) {
    struct frs_style *styles = frs_alloc(c->n_columns, sizeof *styles);
    for (size_t i = 0; i < c->n_columns; i++)
        styles[i] = style_of(c, &c->columns[i], differences);
    return styles;
}

static void print_figures(const struct comparison *c, FILE *out) {
    struct frs_grid grid = {.n_columns = c->n_columns + 2};
    struct frs_style *styles = styles_of(c, false);
    frs_grid_add(&grid, "entry");
    frs_grid_add(&grid, "n");
    add_head(&grid, c, styles);
    for (size_t i = 0; i < c->entries->n; i++) {
        frs_grid_add(&grid, c->entries->list[i].name);
        frs_grid_take(&grid, frs_format("%zu", c->entries->list[i].n));
        for (size_t k = 0; k < c->n_columns; k++)
            frs_grid_take(&grid, figure_text(&c->columns[k].figures[i], &styles[k]));
    }
    frs_grid_print(&grid, out);
    frs_grid_fini(&grid);
    free(styles);
}

static void print_differences(const struct comparison *c, FILE *out) {
    struct frs_grid grid = {.n_columns = c->n_columns + 2};
    struct frs_style *styles = styles_of(c, true);
    frs_grid_add(&grid, "entry");
    frs_grid_add(&grid, "pairs");
    add_head(&grid, c, styles);
    for (size_t i = 1; i < c->entries->n; i++) {
        frs_grid_add(&grid, c->entries->list[i].name);
        frs_grid_take(
            &grid, c->paired[i] ? frs_format("%zu", c->entries->list[i].n) : frs_strdup("unpaired"));
        for (size_t k = 0; k < c->n_columns; k++) {
            const struct frs_contrast *contrast = &c->columns[k].contrasts[i];
            frs_grid_take(
                &grid, frs_present(&styles[k], c->paired[i] ? &contrast->paired : &contrast->unpaired, true));
        }
    }
    fprintf(out, "\n**Differences to %s**\n\n", c->entries->list[0].title);
    frs_grid_print(&grid, out);
    frs_grid_fini(&grid);
    free(styles);
    for (size_t i = 1; i < c->entries->n; i++)
        if (!c->paired[i]) {
            fputs("\nUnpaired: these runs do not have the seeds of the first entry; the intervals are "
                  "Welch's.\n",
                out);
            return;
        }
}

/* ---- Pareto front ---- */

enum { CRITERIA = 3 };

/* Time and bytes to the target if all got there, otherwise those of the whole runs. */
static double *criteria_of(const struct comparison *c, bool reached) {
    double *values = frs_alloc(c->entries->n * CRITERIA, sizeof *values);
    for (size_t i = 0; i < c->entries->n; i++) {
        const struct frs_replicates *runs = &c->entries->list[i].replicates;
        double quality = c->quality ? frs_replicates_figure(runs, c->quality).estimate.mean : 0;
        values[CRITERIA * i] =
            frs_replicates_figure(runs, reached ? FRS_TARGET_TIME : "simulated_s").estimate.mean;
        values[CRITERIA * i + 1] =
            frs_replicates_figure(runs, reached ? FRS_TARGET_BYTES : "bytes.total").estimate.mean;
        values[CRITERIA * i + 2] = c->lower ? quality : -quality;
    }
    return values;
}

static void print_dominated(const struct comparison *c, const double *values, size_t i, FILE *out) {
    bool any = false;
    for (size_t k = 0; k < c->entries->n; k++) {
        if (!c->on_front[k] || !frs_pareto_dominates(values + CRITERIA * k, values + CRITERIA * i, CRITERIA))
            continue;
        if (any)
            fprintf(out, "; %s", c->entries->list[k].title);
        else
            fprintf(out, "- %s is dominated by %s", c->entries->list[i].title, c->entries->list[k].title);
        any = true;
    }
    if (any)
        fputc('\n', out);
    else
        fprintf(out, "- %s cannot be placed: a figure is missing\n", c->entries->list[i].title);
}

static void print_front(const struct comparison *c, FILE *out) {
    bool reached = frs_entries_all_reach(c->entries);
    double *values = criteria_of(c, reached);
    frs_pareto_front(values, c->entries->n, CRITERIA, c->on_front);
    char *quality = frs_quoted_markdown(c->quality ? c->quality : "");
    fprintf(out, "\n**Pareto front** of the means: %s, %s%s%s\n\n",
        reached ? "time to target" : "simulated time", reached ? "bytes to target" : "bytes",
        *quality ? ", " : "", quality);
    free(quality);
    for (size_t i = 0; i < c->entries->n; i++)
        if (c->on_front[i])
            fprintf(out, "- %s is on it\n", c->entries->list[i].title);
    for (size_t i = 0; i < c->entries->n; i++)
        if (!c->on_front[i])
            print_dominated(c, values, i, out);
    free(values);
}

/* ---- file ---- */

static void put_interval(struct frs_sheet *sheet, const struct frs_estimate *estimate) {
    frs_sheet_real(sheet, estimate->mean);
    frs_sheet_real(sheet, estimate->mean - estimate->half_width);
    frs_sheet_real(sheet, estimate->mean + estimate->half_width);
}

static enum frs_status write_csv(const struct comparison *c, const char *path, struct frs_errors *errors) {
    static const struct frs_sheet_column columns[] = {{"entry", "TEXT"}, {"metric", "TEXT"}, {"n", "INTEGER"},
        {"censored", "INTEGER"}, {"mean", "REAL"}, {"ci_low", "REAL"}, {"ci_high", "REAL"},
        {"pairing", "TEXT"}, {"difference", "REAL"}, {"difference_low", "REAL"}, {"difference_high", "REAL"},
        {"on_front", "INTEGER"}, {NULL, NULL}};
    struct frs_sheet *sheet = frs_sheet_create(NULL, NULL, path, columns, errors);
    if (!sheet)
        return FRS_ERR_RUN;
    for (size_t i = 0; i < c->entries->n; i++)
        for (size_t k = 0; k < c->n_columns; k++) {
            const struct frs_figure *figure = &c->columns[k].figures[i];
            const struct frs_contrast *contrast = &c->columns[k].contrasts[i];
            frs_sheet_text(sheet, c->entries->list[i].name);
            frs_sheet_text(sheet, c->columns[k].metric);
            frs_sheet_count(sheet, figure->estimate.n);
            frs_sheet_count(sheet, figure->censored);
            put_interval(sheet, &figure->estimate);
            frs_sheet_text(sheet, c->paired[i] ? "paired" : "unpaired");
            put_interval(sheet, c->paired[i] ? &contrast->paired : &contrast->unpaired);
            frs_sheet_count(sheet, c->on_front[i]);
        }
    return frs_sheet_commit(sheet, errors);
}

/* ---- all of it ---- */

static void print_head(const struct comparison *c, FILE *out) {
    for (size_t i = 0; i < c->entries->n_warnings; i++) {
        char *warning = frs_quoted_markdown(c->entries->warnings[i]);
        fprintf(out, "Warning: %s.\n", warning);
        free(warning);
    }
    if (c->entries->n_warnings)
        fputc('\n', out);
    char *target = frs_target_text(&c->entries->target);
    if (target)
        fprintf(
            out, "Target: %s%s.", target, c->entries->target.is_default ? "; --target names another" : "");
    else
        fputs("No target; --target hr@10=0.5 names one.", out);
    free(target);
    fputs(" ± is half of the 95 % interval.\n", out);
    struct frs_detection detection = {0};
    for (size_t i = 0; i < c->entries->n; i++)
        for (size_t k = 0; k < c->entries->list[i].n; k++)
            frs_detection_add(&detection, &c->entries->list[i].runs[k].metrics);
    frs_detection_print(&detection, out);
    fputc('\n', out);
}

/* "method.dim=16" is cut at its sign. */
static struct frs_side_setting *split_settings(const struct frs_run_results *run) {
    struct frs_side_setting *settings = frs_alloc(run->n_settings + 1, sizeof *settings);
    for (size_t i = 0; i < run->n_settings; i++) {
        const char *text = run->settings[i];
        settings[i] = (struct frs_side_setting){
            frs_format("%.*s", (int)strcspn(text, "="), text), text + strcspn(text, "=") + 1};
    }
    return settings;
}

/* By the first run of each entry: its replicates differ in the seed alone. */
static void print_unvaried(const struct comparison *c, FILE *out) {
    size_t n = c->entries->n;
    struct frs_side *sides = frs_alloc(n, sizeof *sides);
    for (size_t i = 0; i < n; i++)
        sides[i] = (struct frs_side){.name = c->entries->list[i].name,
            .settings = split_settings(&c->entries->list[i].runs[0]),
            .n = c->entries->list[i].runs[0].n_settings};
    frs_unvaried_print(sides, n, (const char *const *)c->entries->varied, c->entries->n_varied, out);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < sides[i].n; k++)
            free((void *)(uintptr_t)sides[i].settings[k].key);
        free((void *)(uintptr_t)sides[i].settings);
    }
    free(sides);
}

static void print(const struct comparison *c, FILE *out) {
    print_head(c, out);
    print_figures(c, out);
    if (c->entries->n < 2)
        return;
    print_unvaried(c, out);
    print_differences(c, out);
    print_front(c, out);
}

static void fini(struct comparison *c) {
    for (size_t i = 0; i < c->n_columns; i++) {
        free(c->columns[i].figures);
        free(c->columns[i].contrasts);
    }
    free(c->columns);
    free(c->paired);
    free(c->on_front);
}

enum frs_status frs_compare(const struct frs_entries *entries, const struct frs_compare_options *options,
    FILE *out, struct frs_errors *errors) {
    struct comparison c = {.entries = entries};
    for (size_t i = 0; i < options->n_metrics; i++)
        if (check_metric(entries, options->metrics[i], errors) != FRS_OK)
            return FRS_ERR_INPUT;
    c.quality = frs_entries_quality(entries, &c.lower);
    c.columns = frs_alloc(MAX_USUAL + options->n_metrics, sizeof *c.columns);
    c.paired = frs_alloc(entries->n, sizeof *c.paired);
    c.on_front = frs_alloc(entries->n, sizeof *c.on_front);
    for (size_t i = 0; i < entries->n; i++)
        c.paired[i] = frs_replicates_match(&entries->list[i].replicates, &entries->list[0].replicates);
    add_usual_columns(&c);
    for (size_t i = 0; i < options->n_metrics; i++)
        add_column(&c, options->metrics[i], options->metrics[i]);
    print(&c, out);
    enum frs_status status = options->csv ? write_csv(&c, options->csv, errors) : FRS_OK;
    fini(&c);
    return status;
}
