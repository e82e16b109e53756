#include "analysis/tables/tables.h"
#include "analysis/tables/tables_internal.h"
#include "analysis/print/present.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one table ---- */

enum kind { MEANS, DIFFERENCES, RATIOS };

struct table {
    const struct frs_sweep_results *sweep;
    const struct frs_baseline *baseline;
    const char *metric;
    enum kind kind;
    struct frs_estimate *estimates; /* [n_cells] */
    size_t *censored, *n;           /* [n_cells] */
    bool tells_why;                 /* when there is no ratio, because runs did not get there */
};

static size_t baseline_of(const struct table *table, size_t cell) {
    return frs_sweep_plan_baseline_of(table->sweep->plan, table->baseline->levels, cell);
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
    size_t n = frs_axes_cells(&table->sweep->plan->sweep.axes);
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

/* A plan without axes: one cell, whose tables have a column that names their rows. */
static bool is_single(const struct frs_sweep_plan *plan) {
    return plan->sweep.axes.n == 0;
}

/* Columns in front of the figures. */
static size_t n_left_of(const struct frs_sweep_plan *plan) {
    return plan->sweep.axes.n > 1 ? plan->sweep.axes.n - 1 : 1;
}

static char *cell_text(const struct table *table, size_t cell, const struct frs_style *style) {
    size_t n = table->n[cell], planned = table->sweep->plan->sweep.replicates;
    if (table->kind != MEANS && baseline_of(table, cell) == cell)
        return frs_strdup("");
    if (table->censored[cell] > 0)
        return frs_format(
            "%s%zu of %zu", is_single(table->sweep->plan) ? "reached by " : "", n - table->censored[cell], n);
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

static void add_rows(const struct table *table, const struct frs_style *style, struct frs_text_table *grid) {
    const struct frs_sweep_plan *plan = table->sweep->plan;
    size_t n_left = n_left_of(plan);
    size_t n_right = grid->n_columns - n_left;
    for (size_t first = 0; first < frs_axes_cells(&plan->sweep.axes); first += n_right) {
        if (row_is_baseline(table, first, n_right))
            continue;
        for (size_t axis = 0; axis < n_left; axis++)
            frs_text_table_add(
                grid, is_single(plan) ? "the scenario" : frs_axes_label(&plan->sweep.axes, first, axis));
        for (size_t cell = first; cell < first + n_right; cell++)
            frs_text_table_take(grid, cell_text(table, cell, style));
    }
}

/* ---- baselines, which stand below the methods they are there for ---- */

/* "non_federated.NAME.METRIC": the name, to be freed; NULL: it is nothing of that kind. */
static char *baseline_in(const char *name, const char *metric) {
    static const char prefix[] = "non_federated.";
    size_t length = strlen(name), tail = strlen(metric) + 1, head = sizeof prefix - 1;
    if (length <= head + tail || strncmp(name, prefix, head) != 0 || name[length - tail] != '.' ||
        strcmp(name + length - tail + 1, metric) != 0)
        return NULL;
    return frs_format("%.*s", (int)(length - head - tail), name + head);
}

/* The figure of a column: the common figure of its cells, if they have any and no replicate is missing.
 * False: the cells differ, so the column has no figure. */
static bool figure_of_column(const struct table *table, const char *metric, size_t column, size_t n_columns,
    struct frs_estimate *out) {
    bool agree = true;
    *out = (struct frs_estimate){.mean = NAN, .sd = NAN, .half_width = NAN};
    for (size_t cell = column; agree && cell < frs_axes_cells(&table->sweep->plan->sweep.axes);
         cell += n_columns) {
        struct frs_estimate next = frs_replicates_figure(&table->sweep->cells[cell], metric).estimate;
        agree = next.n != out->n || next.n == 0 || next.mean == out->mean;
        if (next.n > out->n)
            *out = next;
    }
    return agree;
}

static void add_baseline(const struct table *table, const struct frs_style *style, const char *metric,
    const char *baseline, struct frs_text_table *grid) {
    const struct frs_sweep_plan *plan = table->sweep->plan;
    size_t n_left = n_left_of(plan);
    size_t n_right = grid->n_columns - n_left;
    struct frs_estimate *estimates = frs_alloc(n_right, sizeof *estimates);
    bool agree = true;
    for (size_t i = 0; agree && i < n_right; i++)
        agree = figure_of_column(table, metric, i, n_right, &estimates[i]);
    char *name = frs_quoted_markdown(baseline);
    for (size_t i = 0; agree && i < n_left; i++)
        frs_text_table_take(grid, i ? frs_strdup("") : frs_format("*%s*", name));
    free(name);
    for (size_t i = 0; agree && i < n_right; i++)
        frs_text_table_take(grid, frs_present(style, &estimates[i], false));
    free(estimates);
}

static void add_baselines(
    const struct table *table, const struct frs_style *style, struct frs_text_table *grid) {
    for (size_t i = 0; table->kind == MEANS && i < table->sweep->n_names; i++) {
        char *baseline = baseline_in(table->sweep->names[i], table->metric);
        if (baseline)
            add_baseline(table, style, table->sweep->names[i], baseline, grid);
        free(baseline);
    }
}

static void add_head(const struct table *table, const char *title, struct frs_text_table *grid) {
    const struct frs_sweep_plan *plan = table->sweep->plan;
    const struct frs_axis *last =
        plan->sweep.axes.n > 1 ? &plan->sweep.axes.axes[plan->sweep.axes.n - 1] : NULL;
    size_t n_left = n_left_of(plan);
    grid->n_columns = n_left + (last ? last->n : 1);
    for (size_t axis = 0; axis < n_left; axis++)
        frs_text_table_add(grid, is_single(plan) ? "of" : plan->sweep.axes.axes[axis].name);
    for (size_t i = 0; last && i < last->n; i++) {
        char *label =
            i ? frs_strdup(last->levels[i].label) : frs_format("%s = %s", last->name, last->levels[i].label);
        frs_text_table_add(grid, label);
        free(label);
    }
    if (!last)
        frs_text_table_add(grid, title);
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
    for (size_t cell = 0; is_zero && cell < frs_axes_cells(&table->sweep->plan->sweep.axes); cell++) {
        struct frs_estimate base =
            frs_replicates_figure(&table->sweep->cells[baseline_of(table, cell)], table->metric).estimate;
        is_zero = isnan(base.mean) || (base.mean == 0 && !(base.sd > 0));
    }
    return is_zero;
}

/* Differences do not exist where all runs of a side are missing or censored. */
static bool says_nothing(const struct table *table) {
    if (baseline_is_zero(table))
        return true;
    for (size_t cell = 0; cell < frs_axes_cells(&table->sweep->plan->sweep.axes); cell++)
        if (baseline_of(table, cell) != cell && !isnan(table->estimates[cell].mean))
            return false;
    return true;
}

/* Why there is no ratio of times, although some runs have one. */
static void print_unreached(const struct table *table, FILE *out) {
    char *text = frs_quoted_markdown(table->baseline->text);
    fprintf(out, "\n**%s, ratio to %s**: none, because on one side or the other a run did not get there.\n",
        table->metric, text);
    free(text);
}

static bool compares(const struct table *table) {
    for (size_t cell = 0; cell < frs_axes_cells(&table->sweep->plan->sweep.axes); cell++)
        if (baseline_of(table, cell) != cell)
            return true;
    return false;
}

static void print_table(struct table *table, FILE *out) {
    struct frs_text_table grid = {0};
    if (table->kind != MEANS && (!table->baseline->levels || !compares(table)))
        return;
    fill(table);
    if (table->kind != MEANS && says_nothing(table)) {
        if (table->kind == RATIOS && table->tells_why)
            print_unreached(table, out);
        empty(table);
        return;
    }
    struct frs_style style = frs_style_of(table->kind == RATIOS ? "" : table->metric, table->estimates,
        frs_axes_cells(&table->sweep->plan->sweep.axes));
    char *title = title_of(table, &style), *quoted = frs_quoted_markdown(title);
    fprintf(out, "\n**%s**\n\n", quoted);
    free(quoted);
    add_head(table, title, &grid);
    add_rows(table, &style, &grid);
    add_baselines(table, &style, &grid);
    frs_text_table_print(&grid, out);
    frs_text_table_fini(&grid);
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

/* Sets of kinds: 1 << kind. */
enum { ALL_KINDS = 1 << MEANS | 1 << DIFFERENCES | 1 << RATIOS };

/* Differences and ratios where there is a baseline, ratios of times and amounts only. */
static void print_metric(const struct frs_sweep_results *sweep, const struct frs_baseline *baseline,
    const char *metric, unsigned kinds, FILE *out) {
    struct table table = {.sweep = sweep,
        .baseline = baseline,
        .metric = metric,
        .tells_why = !*sweep->plan->sweep.metrics && strcmp(metric, FRS_TARGET_TIME) == 0};
    bool is_amount = frs_metric_unit(metric) != FRS_UNIT_NONE;
    for (table.kind = MEANS; table.kind <= RATIOS; table.kind++)
        if (kinds & 1U << table.kind && (table.kind != RATIOS || is_amount))
            print_table(&table, out);
}

static bool is_planned(const struct frs_sweep_plan *plan, const char *metric) {
    for (size_t i = 0; plan->sweep.metrics[i]; i++)
        if (strcmp(plan->sweep.metrics[i], metric) == 0)
            return true;
    return false;
}

static void print_planned(
    const struct frs_sweep_results *sweep, const struct frs_baseline *baseline, FILE *out) {
    static const char *const of_target[] = {FRS_TARGET_TIME, FRS_TARGET_SENT};
    const struct frs_sweep_plan *plan = sweep->plan;
    for (size_t i = 0; plan->sweep.metrics[i]; i++)
        if (is_known(sweep, plan->sweep.metrics[i]))
            print_metric(sweep, baseline, plan->sweep.metrics[i], ALL_KINDS, out);
        else
            print_unknown(sweep, plan->sweep.metrics[i], out);
    for (size_t i = 0; i < 2; i++)
        if (frs_tables_have_target(sweep) && is_known(sweep, of_target[i]) && !is_planned(plan, of_target[i]))
            print_metric(sweep, baseline, of_target[i], ALL_KINDS, out);
}

/* ---- the tables that answer ---- */

struct answers {
    const char *quality; /* NULL: nothing was learnt */
    const char *time, *bytes;
    bool has_round; /* how long a round takes, too */
};

static bool any_reaches(const struct frs_sweep_results *sweep) {
    for (size_t i = 0; i < sweep->plan->n_points; i++)
        if (isfinite(frs_metrics_get(&sweep->points[i].metrics, FRS_TARGET_TIME)))
            return true;
    return false;
}

static struct answers answers_of(const struct frs_sweep_results *sweep) {
    size_t first = 0;
    bool reached = frs_tables_have_target(sweep) && any_reaches(sweep), lower;
    while (!sweep->points[first].finished)
        first++;
    const char *quality = frs_target_quality(&sweep->target, &sweep->points[first].metrics, &lower);
    return (struct answers){.quality = quality && is_known(sweep, quality) ? quality : NULL,
        .time = reached ? FRS_TARGET_TIME : "simulated_s",
        .bytes = reached ? FRS_TARGET_SENT : "bytes.sent",
        .has_round = is_single(sweep->plan)};
}

/* What became of participations that were of no use. */
static const char *const losses[] = {"outcomes.late", "outcomes.cut", "outcomes.unavailable",
    "outcomes.dropped_down", "outcomes.dropped_compute", "outcomes.dropped_up", "outcomes.refused"};
enum { N_LOSSES = sizeof losses / sizeof *losses };

static bool any_has(const struct frs_sweep_results *sweep, const char *metric) {
    for (size_t i = 0; i < sweep->plan->n_points; i++)
        if (sweep->points[i].finished && frs_metrics_get(&sweep->points[i].metrics, metric) > 0)
            return true;
    return false;
}

static unsigned answered_kinds(const struct answers *answers, const char *metric) {
    if ((!answers->quality || answers->has_round) && strcmp(metric, "round_s") == 0)
        return 1 << MEANS;
    if (answers->quality && strcmp(metric, answers->quality) == 0)
        return 1 << MEANS | 1 << DIFFERENCES;
    if (strcmp(metric, answers->time) == 0)
        return 1 << MEANS | 1 << RATIOS;
    return strcmp(metric, answers->bytes) == 0 ? 1 << MEANS : 0;
}

static void print_answers(
    const struct frs_sweep_results *sweep, const struct frs_baseline *baseline, FILE *out) {
    struct answers answers = answers_of(sweep);
    const char *const metrics[] = {answers.quality, answers.time, answers.bytes};
    if (strcmp(answers.time, FRS_TARGET_TIME) != 0)
        fprintf(out, "%s: time and bytes are those of the whole runs.\n",
            frs_tables_have_target(sweep) ? "No run reached the target" : "There is no target");
    frs_sweep_plan_print_held_constant(sweep->plan, out);
    for (size_t i = 0; i < 3; i++)
        if (metrics[i])
            print_metric(sweep, baseline, metrics[i], answered_kinds(&answers, metrics[i]), out);
    /* Who plans asks for a round, and, where nothing is learnt, for those who do not arrive in it. A single
     * cell may have no other time: where some runs do not reach the target, none is comparable. */
    if (!answers.quality || answers.has_round)
        print_metric(sweep, baseline, "round_s", 1 << MEANS, out);
    if (answers.quality)
        return;
    for (size_t i = 0; i < N_LOSSES; i++)
        if (any_has(sweep, losses[i]))
            print_metric(sweep, baseline, losses[i], 1 << MEANS, out);
}

static unsigned shown_kinds(
    const struct frs_sweep_results *sweep, const struct answers *answers, const char *metric) {
    if (!*sweep->plan->sweep.metrics)
        return answered_kinds(answers, metric);
    bool of_target = strcmp(metric, FRS_TARGET_TIME) == 0 || strcmp(metric, FRS_TARGET_SENT) == 0;
    return of_target || is_planned(sweep->plan, metric) ? ALL_KINDS : 0;
}

/* What has not been printed yet: other qualities in the order of the runs, then times and amounts. */
static void print_rest(
    const struct frs_sweep_results *sweep, const struct frs_baseline *baseline, FILE *out) {
    static const char *const others[] = {"simulated_s", "round_s", "bytes.sent", "bytes.total", "bytes.down",
        "bytes.up", "bytes.wasted", FRS_TARGET_ROUND, FRS_TARGET_TIME, FRS_TARGET_SENT, FRS_TARGET_BYTES};
    enum { N_OTHERS = sizeof others / sizeof *others };
    const struct answers answers = answers_of(sweep);
    for (size_t i = 0; i < sweep->n_names + N_OTHERS; i++) {
        bool is_other = i >= sweep->n_names;
        const char *metric = is_other ? others[i - sweep->n_names] : sweep->names[i];
        if (!is_known(sweep, metric) || (!is_other && !frs_metric_is_quality(metric, NULL)))
            continue;
        if (!strstr(metric, "_to_target") || frs_tables_have_target(sweep))
            print_metric(sweep, baseline, metric, ALL_KINDS & ~shown_kinds(sweep, &answers, metric), out);
    }
}

void frs_tables_print(
    const struct frs_sweep_results *sweep, const struct frs_baseline *baseline, bool all, FILE *out) {
    frs_tables_print_head(sweep, baseline, out);
    if (sweep->n_finished == 0)
        return;
    if (!*sweep->plan->sweep.metrics) {
        print_answers(sweep, baseline, out);
    } else {
        frs_sweep_plan_print_held_constant(sweep->plan, out);
        print_planned(sweep, baseline, out);
    }
    if (all)
        print_rest(sweep, baseline, out);
}
