/* Sensitivity: sensitivity.md, which is what the terminal shows. */
#include "analysis/sensitivity/sensitivity_internal.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"

#include <math.h>
#include <stdlib.h>

static char *figure_text(const struct frs_sensitivity_table *writer, size_t variant, size_t level) {
    struct frs_figure figure = frs_sensitivity_figure(writer, variant, level);
    if (figure.censored > 0)
        return frs_format("%zu of %zu", figure.estimate.n - figure.censored, figure.estimate.n);
    return writer->sweep.plan->sweep.replicates > 1 ? frs_present(&writer->style, &figure.estimate, false)
                                                    : frs_present_value(&writer->style, figure.estimate.mean);
}

/* In the table's unit, or in its own where that has no digits for it. */
static char *range_text(const struct frs_sensitivity_table *writer, double range) {
    if (!isfinite(range))
        return frs_strdup("not always reached");
    double least = pow(10, -writer->style.decimals);
    if (range == 0 || writer->style.mixed || range * writer->style.factor >= least)
        return frs_present_value(&writer->style, range);
    struct frs_estimate alone = {.n = 1, .mean = range, .half_width = NAN};
    struct frs_style own = frs_style_of(writer->answer, &alone, 1);
    char *value = frs_present_value(&own, range),
         *text = frs_format("%s%s%s", value, *own.unit ? " " : "", own.unit);
    free(value);
    return text;
}

static char *level_text(
    const struct frs_sensitivity_table *writer, size_t variant, size_t assumption, size_t own) {
    if (own >= writer->what->assumptions[assumption].n_levels)
        return frs_strdup("–");
    char *label = frs_quoted_markdown(writer->what->assumptions[assumption].labels[own]),
         *figure = figure_text(writer, variant, frs_sensitivity_level(writer->what, assumption, own)),
         *text = frs_format("%s: %s", label, figure);
    free(label);
    free(figure);
    return text;
}

/* Adds the answers of the seeds of the scenario as it is. */
static void add_seeds(
    const struct frs_sensitivity_table *writer, size_t variant, struct frs_text_table *grid) {
    const struct frs_replicates *base = frs_sensitivity_cell(writer, variant, 0);
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < base->n; i++) {
        double value = frs_metrics_get(base->list[i].metrics, writer->answer);
        if (isnan(value))
            continue;
        least = fmin(least, value);
        most = fmax(most, value);
    }
    frs_text_table_add(grid, "another seed");
    frs_text_table_take(grid, frs_present_value(&writer->style, least));
    frs_text_table_take(grid, frs_present_value(&writer->style, most));
    frs_text_table_take(grid, frs_present_value(&writer->style, most - least));
    if (writer->what->n_runs)
        frs_text_table_take(grid, frs_strdup("–"));
}

/* The answer, before the table of all. */
static void print_most(
    const struct frs_sensitivity_table *writer, const struct frs_sensitivity_bar *bars, FILE *out) {
    const struct frs_sensitivity *what = writer->what;
    if (what->n == 0 || !(bars[0].range > 0))
        return;
    bool several = what->n > 1 && bars[1].range > 0 && isfinite(bars[0].range);
    char *most = frs_quoted_markdown(what->assumptions[bars[0].assumption].name),
         *second = frs_quoted_markdown(several ? what->assumptions[bars[1].assumption].name : "");
    fprintf(out, "\nWhat moves it most: %s", most);
    if (several)
        fprintf(out, ", %.3g times as far as %s", bars[0].range / bars[1].range, second);
    fputs(".\n", out);
    free(most);
    free(second);
}

static void print_variant(const struct frs_sensitivity_table *writer, size_t variant, FILE *out) {
    const struct frs_sensitivity *what = writer->what;
    struct frs_text_table grid = {.n_columns = what->n_runs ? 5 : 4}; /* no design has no effects */
    struct frs_sensitivity_bar *bars = frs_alloc(what->n + 1, sizeof *bars);
    char *name = frs_sensitivity_name(writer, variant, true, true), *quoted = frs_quoted_markdown(name),
         *base = figure_text(writer, variant, 0);
    struct frs_figure figure = frs_sensitivity_figure(writer, variant, 0);
    frs_sensitivity_bars(writer, variant, bars);
    fprintf(out, "\n**%s%s%s%s%s**, as it is: %s\n", quoted, *name ? ": " : "", writer->answer,
        *writer->style.unit ? ", in " : "", writer->style.unit, base);
    print_most(writer, bars, out);
    fputc('\n', out);
    static const char *const head[] = {"assumption", "one end", "other end", "range", "effect in the design"};
    for (size_t i = 0; i < grid.n_columns; i++)
        frs_text_table_add(&grid, head[i]);
    for (size_t i = 0; i < what->n; i++) {
        size_t assumption = bars[i].assumption;
        frs_text_table_add(&grid, what->assumptions[assumption].name);
        frs_text_table_take(&grid, level_text(writer, variant, assumption, 0));
        frs_text_table_take(&grid, level_text(writer, variant, assumption, 1));
        frs_text_table_take(&grid, range_text(writer, bars[i].range));
        if (!what->n_runs)
            continue;
        struct frs_estimate effect = frs_sensitivity_effect(writer, variant, assumption);
        frs_text_table_take(
            &grid, effect.n > 0 ? frs_present(&writer->style, &effect, true) : frs_strdup("–"));
    }
    if (figure.estimate.n > 1 && figure.censored == 0)
        add_seeds(writer, variant, &grid);
    frs_text_table_print(&grid, out);
    frs_text_table_fini(&grid);
    free(name);
    free(quoted);
    free(base);
    free(bars);
}

/* The best design in the environment of a variant, and where it is another one. */
static void print_design_factor(const struct frs_sensitivity_table *writer, size_t like, FILE *out) {
    size_t best = frs_sensitivity_best(writer, like, 0), n_changes = 0, n_compared = 0, n_ahead = 0;
    bool several = writer->sweep.plan->sweep.replicates > 1; /* of one seed there is no interval */
    char *environment = frs_sensitivity_name(writer, like, false, true),
         *quoted = frs_quoted_markdown(environment);
    if (best == SIZE_MAX) {
        fprintf(out, "\n%s%sNo design has an answer as it is.\n", quoted, *quoted ? ": " : "");
    } else {
        char *name = frs_sensitivity_name(writer, best, true, false), *shown = frs_quoted_markdown(name);
        fprintf(out, "\n%s%sThe best design as it is: %s%s.", quoted, *quoted ? ": " : "", shown,
            several && !frs_sensitivity_best_is_ahead(writer, best, 0) ? " (within the interval)" : "");
        for (size_t level = 1; level < writer->n_levels; level++) {
            size_t other = frs_sensitivity_best(writer, like, level);
            n_compared += other != SIZE_MAX;
            n_ahead += other == best && frs_sensitivity_best_is_ahead(writer, best, level);
            if (other == best || other == SIZE_MAX)
                continue;
            char *rival = frs_sensitivity_name(writer, other, true, false),
                 *rival_shown = frs_quoted_markdown(rival),
                 *label = frs_quoted_markdown(frs_sensitivity_label(writer, level));
            fprintf(out, "%s %s: %s%s", n_changes++ ? ";" : " Another one under", label, rival_shown,
                !several || frs_sensitivity_decides(writer, other, best, level) ? ""
                                                                                : " (within the interval)");
            free(rival);
            free(rival_shown);
            free(label);
        }
        if (n_changes == 0)
            fprintf(out, " It stays the best under all of the %zu others", n_compared);
        if (n_changes == 0 && several)
            fprintf(out, ", beyond the interval in %zu of them", n_ahead);
        fputs(".\n", out);
        free(name);
        free(shown);
    }
    free(environment);
    free(quoted);
}

void frs_sensitivity_print(const struct frs_sensitivity_table *writer, FILE *out) {
    size_t n = writer->sweep.plan->sweep.replicates;
    char *name = frs_quoted_markdown(writer->sweep.plan->name), *answer = frs_quoted_markdown(writer->answer),
         *replicates = n > 1
                           ? frs_format("%zu replicates, paired on seeds; ± is half of a 95 %% interval. ", n)
                           : frs_strdup("one seed, so that no interval says what another one would do. ");
    fprintf(out, "# Sensitivity of %s\n\nAnswer: %s; %s%s\n", name, answer, replicates,
        writer->what->n_runs ? "The design varies all assumptions at once: its effects are those of going "
                               "from one end to the other, or from the scenario as it is to the end of what "
                               "is 0 or absent in it, whatever the "
                               "others are."
                             : "");
    for (size_t variant = 0; variant < writer->n_variants; variant++)
        print_variant(writer, variant, out);
    for (size_t variant = 0; variant < writer->n_variants; variant++)
        if (frs_sensitivity_begins_design_factor(writer, variant))
            print_design_factor(writer, variant, out);
    if (writer->what->n_left_out > 0)
        fputs("\nLeft out:\n\n", out);
    for (size_t i = 0; i < writer->what->n_left_out; i++) {
        char *own = frs_quoted_markdown(writer->what->left_out[i].name),
             *reason = frs_quoted_markdown(writer->what->left_out[i].reason);
        fprintf(out, "- %s: %s\n", own, reason);
        free(own);
        free(reason);
    }
    free(name);
    free(answer);
    free(replicates);
}
