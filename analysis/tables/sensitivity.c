#include "analysis/tables/sensitivity.h"
#include "analysis/print/present.h"
#include "analysis/read/files.h"
#include "analysis/read/json.h"
#include "analysis/read/sweep_reader.h"
#include "analysis/statistics/screening.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sheet {
    const struct frs_sensitivity *what;
    struct frs_sweep_results sweep;
    const char *answer;
    bool lower;                          /* is better */
    size_t n_levels, n_variants, n_axes; /* n_axes: without that of the assumptions */
    struct frs_style style;
    FILE *out;
};

/* What an assumption comes to for a variant. */
struct bar {
    size_t assumption;
    double least, most, range; /* of the answer, that of the scenario as it is included */
};

size_t frs_sensitivity_levels(const struct frs_sensitivity *what) {
    size_t n = 1 + what->n_runs;
    for (size_t i = 0; i < what->n; i++)
        n += what->assumptions[i].n_levels;
    return n;
}

/* The level of the axis that an assumption's own level has. */
static size_t level_of(const struct frs_sensitivity *what, size_t assumption, size_t own) {
    size_t level = 1 + own;
    for (size_t i = 0; i < assumption; i++)
        level += what->assumptions[i].n_levels;
    return level;
}

static size_t level_of_run(const struct frs_sensitivity *what, size_t run) {
    return frs_sensitivity_levels(what) - what->n_runs + run;
}

static const struct frs_replicates *cell_of(const struct sheet *sheet, size_t variant, size_t level) {
    return &sheet->sweep.cells[variant * sheet->n_levels + level];
}

static struct frs_figure figure_of(const struct sheet *sheet, size_t variant, size_t level) {
    return frs_replicates_figure(cell_of(sheet, variant, level), sheet->answer);
}

/* What a figure is worth when figures are compared: a target that a run did not reach is beyond all that were. */
static double worth_of(const struct sheet *sheet, size_t variant, size_t level) {
    struct frs_figure figure = figure_of(sheet, variant, level);
    return figure.censored > 0 ? INFINITY : figure.estimate.mean;
}

static struct frs_estimate difference_of(const struct sheet *sheet, size_t variant, size_t level) {
    return frs_replicates_contrast(cell_of(sheet, variant, level), cell_of(sheet, variant, 0), sheet->answer)
        .paired;
}

/* ---- names --------------------------------------------------------------------------------------------- */

/* "method.name=colr" of a variant, by the axes of a role; or of all: FRS_ROLES of them. "" without any. */
static char *name_of(const struct sheet *sheet, size_t variant, bool choices, bool circumstances) {
    const struct frs_axes *axes = &sheet->sweep.plan->sweep.axes;
    char *name = frs_strdup("");
    for (size_t axis = 0; axis < sheet->n_axes; axis++) {
        if (!(axes->axes[axis].role == FRS_ROLE_CHOICE ? choices : circumstances))
            continue;
        char *longer = frs_format("%s%s%s=%s", name, *name ? ", " : "", axes->axes[axis].name,
            frs_axes_label(axes, variant * sheet->n_levels, axis));
        free(name);
        name = longer;
    }
    return name;
}

static bool same_circumstances(const struct sheet *sheet, size_t a, size_t b) {
    char *x = name_of(sheet, a, false, true), *y = name_of(sheet, b, false, true);
    bool same = strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

static const char *label_of(const struct sheet *sheet, size_t level) {
    const struct frs_axes *axes = &sheet->sweep.plan->sweep.axes;
    return axes->axes[sheet->n_axes].levels[level].label;
}

/* ---- what decides -------------------------------------------------------------------------------------- */

static int by_range(const void *a, const void *b) {
    const struct bar *x = a, *y = b;
    if (x->range != y->range)
        return (x->range < y->range) - (x->range > y->range);
    return (x->assumption > y->assumption) - (x->assumption < y->assumption);
}

/* bars [n], the widest first. */
static void take_bars(const struct sheet *sheet, size_t variant, struct bar *bars) {
    double base = worth_of(sheet, variant, 0);
    for (size_t i = 0; i < sheet->what->n; i++) {
        bars[i] = (struct bar){i, base, base, 0};
        for (size_t own = 0; own < sheet->what->assumptions[i].n_levels; own++) {
            double value = worth_of(sheet, variant, level_of(sheet->what, i, own));
            if (isnan(value))
                continue;
            bars[i].least = fmin(bars[i].least, value);
            bars[i].most = fmax(bars[i].most, value);
        }
        bars[i].range = bars[i].least == bars[i].most ? 0 : bars[i].most - bars[i].least;
    }
    qsort(bars, sheet->what->n, sizeof *bars, by_range);
}

static bool value_of_seed(
    const struct frs_replicates *replicates, const char *metric, uint64_t seed, double *value) {
    for (size_t i = 0; i < replicates->n; i++)
        if (replicates->list[i].seed == seed) {
            *value = frs_metrics_get(replicates->list[i].metrics, metric);
            return isfinite(*value);
        }
    return false;
}

/* What is only the rounding of sums is nothing. */
static double without_rounding(double effect, const double *answers, size_t n) {
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(answers[i]));
    return fabs(effect) > 1e-12 * largest ? effect : 0;
}

/* Seed by seed, over those whose runs of the design all have an answer. */
static struct frs_estimate effect_of(const struct sheet *sheet, size_t variant, size_t assumption) {
    const struct frs_replicates *first = cell_of(sheet, variant, level_of_run(sheet->what, 0));
    size_t n_runs = sheet->what->n_runs, n = 0;
    double answers[FRS_SCREENING_RUNS], *effects = frs_alloc(first->n + 1, sizeof *effects);
    for (size_t i = 0; i < first->n; i++) {
        bool all = true;
        for (size_t run = 0; run < n_runs && all; run++)
            all = value_of_seed(cell_of(sheet, variant, level_of_run(sheet->what, run)), sheet->answer,
                first->list[i].seed, &answers[run]);
        if (all)
            effects[n++] =
                without_rounding(frs_screening_effect(answers, n_runs, assumption), answers, n_runs);
    }
    struct frs_estimate effect = frs_stats_interval(effects, n);
    free(effects);
    return effect;
}

/* The best of the variants under the circumstances of `like`, at a level; SIZE_MAX: none has an answer. */
static size_t best_of(const struct sheet *sheet, size_t like, size_t level) {
    size_t best = SIZE_MAX;
    double best_worth = NAN;
    for (size_t variant = 0; variant < sheet->n_variants; variant++) {
        if (!same_circumstances(sheet, variant, like))
            continue;
        double worth = worth_of(sheet, variant, level);
        bool better = sheet->lower ? worth < best_worth : worth > best_worth && isfinite(worth);
        if (isfinite(worth) && (best == SIZE_MAX || better)) {
            best = variant;
            best_worth = worth;
        }
    }
    return best;
}

/* Whether the difference of two variants at a level is more than its interval. */
static bool is_decided(const struct sheet *sheet, size_t a, size_t b, size_t level) {
    struct frs_contrast contrast =
        frs_replicates_contrast(cell_of(sheet, a, level), cell_of(sheet, b, level), sheet->answer);
    return contrast.censored > 0 || fabs(contrast.paired.mean) > contrast.paired.half_width;
}

/* ---- the page ------------------------------------------------------------------------------------------ */

static char *figure_text(const struct sheet *sheet, size_t variant, size_t level) {
    struct frs_figure figure = figure_of(sheet, variant, level);
    if (figure.censored > 0)
        return frs_format("%zu of %zu", figure.estimate.n - figure.censored, figure.estimate.n);
    return frs_present(&sheet->style, &figure.estimate, false);
}

static char *level_text(const struct sheet *sheet, size_t variant, size_t assumption, size_t own) {
    if (own >= sheet->what->assumptions[assumption].n_levels)
        return frs_strdup("–");
    char *label = frs_quoted_markdown(sheet->what->assumptions[assumption].labels[own]),
         *figure = figure_text(sheet, variant, level_of(sheet->what, assumption, own)),
         *text = frs_format("%s: %s", label, figure);
    free(label);
    free(figure);
    return text;
}

/* What the seeds of the scenario as it is came to. */
static void add_seeds(const struct sheet *sheet, size_t variant, struct frs_grid *grid) {
    const struct frs_replicates *base = cell_of(sheet, variant, 0);
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < base->n; i++) {
        double value = frs_metrics_get(base->list[i].metrics, sheet->answer);
        if (isnan(value))
            continue;
        least = fmin(least, value);
        most = fmax(most, value);
    }
    frs_grid_add(grid, "another seed");
    frs_grid_take(grid, frs_present_value(&sheet->style, least));
    frs_grid_take(grid, frs_present_value(&sheet->style, most));
    frs_grid_take(grid, frs_present_value(&sheet->style, most - least));
    frs_grid_take(grid, frs_strdup("–"));
}

static void print_variant(const struct sheet *sheet, size_t variant) {
    const struct frs_sensitivity *what = sheet->what;
    struct frs_grid grid = {.n_columns = 5};
    struct bar *bars = frs_alloc(what->n + 1, sizeof *bars);
    char *name = name_of(sheet, variant, true, true), *quoted = frs_quoted_markdown(name),
         *base = figure_text(sheet, variant, 0);
    struct frs_figure figure = figure_of(sheet, variant, 0);
    take_bars(sheet, variant, bars);
    fprintf(sheet->out, "\n**%s%s%s%s%s**, as it is: %s\n\n", quoted, *name ? ": " : "", sheet->answer,
        *sheet->style.unit ? ", in " : "", sheet->style.unit, base);
    static const char *const head[] = {"assumption", "one end", "other end", "range", "effect in the design"};
    for (size_t i = 0; i < 5; i++)
        frs_grid_add(&grid, head[i]);
    for (size_t i = 0; i < what->n; i++) {
        size_t assumption = bars[i].assumption;
        frs_grid_add(&grid, what->assumptions[assumption].name);
        frs_grid_take(&grid, level_text(sheet, variant, assumption, 0));
        frs_grid_take(&grid, level_text(sheet, variant, assumption, 1));
        frs_grid_take(&grid, isfinite(bars[i].range) ? frs_present_value(&sheet->style, bars[i].range)
                                                     : frs_strdup("not always reached"));
        struct frs_estimate effect =
            what->n_runs ? effect_of(sheet, variant, assumption) : (struct frs_estimate){.mean = NAN};
        frs_grid_take(&grid, effect.n > 0 ? frs_present(&sheet->style, &effect, true) : frs_strdup("–"));
    }
    if (figure.estimate.n > 1 && figure.censored == 0)
        add_seeds(sheet, variant, &grid);
    frs_grid_print(&grid, sheet->out);
    frs_grid_fini(&grid);
    if (what->n > 0 && bars[0].range > 0) {
        char *most = frs_quoted_markdown(what->assumptions[bars[0].assumption].name);
        bool several = what->n > 1 && bars[1].range > 0;
        char *second =
            several ? frs_quoted_markdown(what->assumptions[bars[1].assumption].name) : frs_strdup("");
        fprintf(sheet->out, "\nWhat moves it most: %s", most);
        if (several && isfinite(bars[0].range))
            fprintf(sheet->out, ", %.3g times as far as %s", bars[0].range / bars[1].range, second);
        fputs(".\n", sheet->out);
        free(most);
        free(second);
    }
    free(name);
    free(quoted);
    free(base);
    free(bars);
}

/* The best choice under the circumstances of a variant, and where it is another one. */
static void print_choice(const struct sheet *sheet, size_t like) {
    size_t best = best_of(sheet, like, 0), n_changes = 0, n_compared = 0;
    char *circumstance = name_of(sheet, like, false, true), *quoted = frs_quoted_markdown(circumstance);
    if (best == SIZE_MAX) {
        fprintf(sheet->out, "\n%s%sNo choice has an answer as it is.\n", quoted, *quoted ? ": " : "");
    } else {
        char *name = name_of(sheet, best, true, false), *shown = frs_quoted_markdown(name);
        fprintf(sheet->out, "\n%s%sThe best choice as it is: %s.", quoted, *quoted ? ": " : "", shown);
        for (size_t level = 1; level < sheet->n_levels; level++) {
            size_t other = best_of(sheet, like, level);
            n_compared += other != SIZE_MAX;
            if (other == best || other == SIZE_MAX)
                continue;
            char *rival = name_of(sheet, other, true, false), *rival_shown = frs_quoted_markdown(rival),
                 *label = frs_quoted_markdown(label_of(sheet, level));
            fprintf(sheet->out, "%s %s: %s%s", n_changes++ ? ";" : " Another one under", label, rival_shown,
                is_decided(sheet, other, best, level) ? "" : " (within the interval)");
            free(rival);
            free(rival_shown);
            free(label);
        }
        if (n_changes == 0)
            fprintf(sheet->out, " It stays the best under all of the %zu others.", n_compared);
        else
            fputc('.', sheet->out);
        fputc('\n', sheet->out);
        free(name);
        free(shown);
    }
    free(circumstance);
    free(quoted);
}

/* The first variant of its circumstances, which has others to be compared with. */
static bool begins_choice(const struct sheet *sheet, size_t variant) {
    size_t n = 0;
    for (size_t other = 0; other < sheet->n_variants; other++)
        if (same_circumstances(sheet, other, variant)) {
            if (other < variant)
                return false;
            n++;
        }
    return n > 1;
}

static void print_page(const struct sheet *sheet) {
    char *name = frs_quoted_markdown(sheet->sweep.plan->name), *answer = frs_quoted_markdown(sheet->answer);
    fprintf(sheet->out,
        "# Sensitivity of %s\n\nAnswer: %s; %zu replicates, paired on seeds; ± is half of a 95 %% interval. "
        "%s\n",
        name, answer, sheet->sweep.plan->sweep.replicates,
        sheet->what->n_runs ? "The design varies all assumptions at once: its effects are those of going "
                              "from one end to the other, "
                              "whatever the others are."
                            : "");
    for (size_t variant = 0; variant < sheet->n_variants; variant++)
        print_variant(sheet, variant);
    for (size_t variant = 0; variant < sheet->n_variants; variant++)
        if (begins_choice(sheet, variant))
            print_choice(sheet, variant);
    if (sheet->what->n_left_out > 0)
        fputs("\nLeft out:\n\n", sheet->out);
    for (size_t i = 0; i < sheet->what->n_left_out; i++) {
        char *own = frs_quoted_markdown(sheet->what->left_out[i].name),
             *reason = frs_quoted_markdown(sheet->what->left_out[i].reason);
        fprintf(sheet->out, "- %s: %s\n", own, reason);
        free(own);
        free(reason);
    }
    free(name);
    free(answer);
}

/* ---- the file for machines ----------------------------------------------------------------------------- */

static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *json_of_interval(const struct frs_estimate *estimate) {
    json_t *object = json_object();
    frs_json_set(object, "mean", number(estimate->n > 0 ? estimate->mean : NAN));
    frs_json_set(object, "half_width", number(estimate->n > 1 ? estimate->half_width : NAN));
    return object;
}

static json_t *json_of_figure(const struct frs_figure *figure) {
    json_t *object = json_of_interval(&figure->estimate);
    if (figure->censored > 0)
        frs_json_set(object, "mean", json_null());
    frs_json_set(object, "n", json_integer((json_int_t)figure->estimate.n));
    frs_json_set(object, "censored", json_integer((json_int_t)figure->censored));
    return object;
}

static json_t *json_of_bar(const struct sheet *sheet, size_t variant, const struct bar *bar) {
    const struct frs_assumption *assumption = &sheet->what->assumptions[bar->assumption];
    json_t *object = json_object(), *levels = json_array();
    frs_json_set(object, "name", json_string(assumption->name));
    frs_json_set(object, "range", number(bar->range));
    for (size_t own = 0; own < assumption->n_levels; own++) {
        size_t level = level_of(sheet->what, bar->assumption, own);
        struct frs_figure figure = figure_of(sheet, variant, level);
        struct frs_estimate difference = difference_of(sheet, variant, level);
        json_t *one = json_object();
        frs_json_set(one, "label", json_string(assumption->labels[own]));
        frs_json_set(one, "figure", json_of_figure(&figure));
        frs_json_set(one, "difference", json_of_interval(&difference));
        frs_json_append(levels, one);
    }
    frs_json_set(object, "levels", levels);
    struct frs_estimate effect =
        sheet->what->n_runs ? effect_of(sheet, variant, bar->assumption) : (struct frs_estimate){0};
    frs_json_set(object, "effect", effect.n > 0 ? json_of_interval(&effect) : json_null());
    return object;
}

static json_t *json_of_variant(const struct sheet *sheet, size_t variant) {
    json_t *object = json_object(), *list = json_array(), *seeds = json_object();
    struct frs_figure base = figure_of(sheet, variant, 0);
    struct bar *bars = frs_alloc(sheet->what->n + 1, sizeof *bars);
    char *name = name_of(sheet, variant, true, true);
    take_bars(sheet, variant, bars);
    for (size_t i = 0; i < sheet->what->n; i++)
        frs_json_append(list, json_of_bar(sheet, variant, &bars[i]));
    frs_json_set(object, "name", json_string(name));
    frs_json_set(object, "base", json_of_figure(&base));
    frs_json_set(seeds, "sd", number(base.estimate.n > 1 && base.censored == 0 ? base.estimate.sd : NAN));
    frs_json_set(object, "seeds", seeds);
    frs_json_set(object, "assumptions", list);
    free(name);
    free(bars);
    return object;
}

static json_t *name_or_null(const struct sheet *sheet, size_t variant) {
    if (variant == SIZE_MAX)
        return json_null();
    char *name = name_of(sheet, variant, true, false);
    json_t *text = json_string(name);
    free(name);
    return text;
}

static json_t *json_of_choice(const struct sheet *sheet, size_t like) {
    json_t *object = json_object(), *levels = json_array();
    size_t best = best_of(sheet, like, 0);
    char *circumstance = name_of(sheet, like, false, true);
    for (size_t level = 1; level < sheet->n_levels; level++) {
        size_t other = best_of(sheet, like, level);
        json_t *one = json_object();
        bool same = other == best || other == SIZE_MAX || best == SIZE_MAX;
        frs_json_set(one, "label", json_string(label_of(sheet, level)));
        frs_json_set(one, "best", name_or_null(sheet, other));
        frs_json_set(one, "decided", json_boolean(same || is_decided(sheet, other, best, level)));
        frs_json_append(levels, one);
    }
    frs_json_set(object, "circumstance", json_string(circumstance));
    frs_json_set(object, "best", name_or_null(sheet, best));
    frs_json_set(object, "levels", levels);
    free(circumstance);
    return object;
}

static json_t *json_of(const struct sheet *sheet) {
    static const char *const units[] = {[FRS_UNIT_NONE] = "",
        [FRS_UNIT_TIME] = "s",
        [FRS_UNIT_BYTES] = "bytes",
        [FRS_UNIT_FLOP] = "flop",
        [FRS_UNIT_ENERGY] = "J"};
    json_t *root = json_object(), *variants = json_array(), *choices = json_array(), *left_out = json_array();
    for (size_t variant = 0; variant < sheet->n_variants; variant++) {
        frs_json_append(variants, json_of_variant(sheet, variant));
        if (begins_choice(sheet, variant))
            frs_json_append(choices, json_of_choice(sheet, variant));
    }
    for (size_t i = 0; i < sheet->what->n_left_out; i++) {
        json_t *one = json_object();
        frs_json_set(one, "name", json_string(sheet->what->left_out[i].name));
        frs_json_set(one, "reason", json_string(sheet->what->left_out[i].reason));
        frs_json_append(left_out, one);
    }
    frs_json_set(root, "format", json_string("fedrecsim-sensitivity-1"));
    frs_json_set(root, "answer", json_string(sheet->answer));
    frs_json_set(root, "unit", json_string(units[frs_metric_unit(sheet->answer)]));
    frs_json_set(root, "lower_is_better", json_boolean(sheet->lower));
    frs_json_set(root, "replicates", json_integer((json_int_t)sheet->sweep.plan->sweep.replicates));
    frs_json_set(root, "variants", variants);
    frs_json_set(root, "choices", choices);
    frs_json_set(root, "left_out", left_out);
    return root;
}

/* ---- all of it ----------------------------------------------------------------------------------------- */

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

static enum frs_status choose_answer(struct sheet *sheet, struct frs_errors *errors) {
    const struct frs_sweep_results *sweep = &sheet->sweep;
    sheet->answer = sheet->what->answer       ? sheet->what->answer
                    : all_reach_target(sweep) ? FRS_TARGET_TIME
                                              : "simulated_s";
    bool is_quality = frs_metric_is_quality(sheet->answer, &sheet->lower);
    if (!is_quality)
        sheet->lower = true;
    for (size_t i = 0; i < sweep->n_names; i++)
        if (strcmp(sweep->names[i], sheet->answer) == 0)
            return FRS_OK;
    if (sweep->n_finished == 0)
        return frs_errors_add(errors, FRS_ERR_RUN, "%s: no point is finished", sweep->folder);
    const char **names = frs_alloc(sweep->n_names + 1, sizeof *names);
    for (size_t i = 0; i < sweep->n_names; i++)
        names[i] = sweep->names[i];
    const char *nearest = frs_text_nearest(sheet->answer, names);
    enum frs_status status = frs_errors_add(errors, FRS_ERR_INPUT,
        "--answer %s: no run has it%s%s%s; points.csv in %s lists what there is", sheet->answer,
        nearest ? "; did you mean \"" : "", nearest ? nearest : "", nearest ? "\"?" : "", sweep->folder);
    free(names);
    return status;
}

static void choose_style(struct sheet *sheet) {
    size_t n = sheet->n_variants * sheet->n_levels;
    struct frs_estimate *estimates = frs_alloc(n, sizeof *estimates);
    for (size_t i = 0; i < n; i++)
        estimates[i] = figure_of(sheet, i / sheet->n_levels, i % sheet->n_levels).estimate;
    sheet->style = frs_style_of(sheet->answer, estimates, n);
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
    struct sheet *sheet, const char *folder, FILE *out, struct frs_errors *errors) {
    char *page = NULL;
    size_t size = 0;
    sheet->out = open_memstream(&page, &size);
    if (!sheet->out)
        frs_memory_exhausted();
    print_page(sheet);
    if (fclose(sheet->out) != 0)
        frs_memory_exhausted();
    json_t *root = json_of(sheet);
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
    struct sheet sheet = {.what = what, .n_levels = frs_sensitivity_levels(what)};
    enum frs_status status =
        frs_sweep_results_read(folder, &(struct frs_sweep_reading){0}, &sheet.sweep, errors);
    if (status != FRS_OK)
        return status;
    const struct frs_axes *axes = &sheet.sweep.plan->sweep.axes;
    FRS_INVARIANT(
        axes->n > 0 && axes->axes[axes->n - 1].n == sheet.n_levels, "the last axis has not the assumptions");
    sheet.n_axes = axes->n - 1;
    sheet.n_variants = frs_axes_cells(axes) / sheet.n_levels;
    status = choose_answer(&sheet, errors);
    if (status == FRS_OK) {
        choose_style(&sheet);
        status = write_files(&sheet, folder, out, errors);
    }
    frs_sweep_results_fini(&sheet.sweep);
    return status;
}
