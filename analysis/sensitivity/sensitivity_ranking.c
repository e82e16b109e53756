/* Sensitivity: which assumption moves the answer how far, and which design is the best. */
#include "analysis/statistics/screening.h"
#include "analysis/sensitivity/sensitivity_internal.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table ---- */

/* The level of the axis that an assumption's own level has. */
size_t frs_sensitivity_level(const struct frs_sensitivity *what, size_t assumption, size_t own) {
    size_t level = 1 + own;
    for (size_t i = 0; i < assumption; i++)
        level += what->assumptions[i].n_levels;
    return level;
}

size_t frs_sensitivity_level_of_run(const struct frs_sensitivity *what, size_t run) {
    return frs_sensitivity_levels(what) - what->n_runs + run;
}

const struct frs_replicates *frs_sensitivity_cell(
    const struct frs_sensitivity_table *writer, size_t variant, size_t level) {
    return &writer->sweep.cells[variant * writer->n_levels + level];
}

struct frs_figure frs_sensitivity_figure(
    const struct frs_sensitivity_table *writer, size_t variant, size_t level) {
    return frs_replicates_figure(frs_sensitivity_cell(writer, variant, level), writer->answer);
}

/* The value of a figure for comparisons: a target that a run did not reach is larger than all that were
 * reached. */
static double worth_of(const struct frs_sensitivity_table *writer, size_t variant, size_t level) {
    struct frs_figure figure = frs_sensitivity_figure(writer, variant, level);
    return figure.censored > 0 ? INFINITY : figure.estimate.mean;
}

struct frs_estimate frs_sensitivity_difference(
    const struct frs_sensitivity_table *writer, size_t variant, size_t level) {
    return frs_replicates_contrast(frs_sensitivity_cell(writer, variant, level),
        frs_sensitivity_cell(writer, variant, 0), writer->answer)
        .paired;
}

/* "method.name=colr" of a variant, by the axes of a role; or of all: FRS_ROLES of them. "" without any. */
char *frs_sensitivity_name(
    const struct frs_sensitivity_table *writer, size_t variant, bool design_factors, bool environments) {
    const struct frs_axes *axes = &writer->sweep.plan->sweep.axes;
    char *name = frs_strdup("");
    for (size_t axis = 0; axis < writer->n_axes; axis++) {
        if (!(axes->axes[axis].role == FRS_ROLE_DESIGN ? design_factors : environments))
            continue;
        char *longer = frs_format("%s%s%s=%s", name, *name ? ", " : "", axes->axes[axis].name,
            frs_axes_label(axes, variant * writer->n_levels, axis));
        free(name);
        name = longer;
    }
    return name;
}

static bool same_environments(const struct frs_sensitivity_table *writer, size_t a, size_t b) {
    char *x = frs_sensitivity_name(writer, a, false, true), *y = frs_sensitivity_name(writer, b, false, true);
    bool same = strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

const char *frs_sensitivity_label(const struct frs_sensitivity_table *writer, size_t level) {
    const struct frs_axes *axes = &writer->sweep.plan->sweep.axes;
    return axes->axes[writer->n_axes].levels[level].label;
}

/* ---- what decides ---- */

static int by_range(const void *a, const void *b) {
    const struct frs_sensitivity_bar *x = a, *y = b;
    if (x->range != y->range)
        return (x->range < y->range) - (x->range > y->range);
    return (x->assumption > y->assumption) - (x->assumption < y->assumption);
}

/* bars [n], the widest first. */
void frs_sensitivity_bars(
    const struct frs_sensitivity_table *writer, size_t variant, struct frs_sensitivity_bar *bars) {
    double base = worth_of(writer, variant, 0);
    for (size_t i = 0; i < writer->what->n; i++) {
        double from = writer->what->assumptions[i].is_apart
                          ? worth_of(writer, variant, frs_sensitivity_level(writer->what, i, 0))
                          : base;
        bars[i] = (struct frs_sensitivity_bar){i, from, from, 0};
        for (size_t own = 0; own < writer->what->assumptions[i].n_levels; own++) {
            double value = worth_of(writer, variant, frs_sensitivity_level(writer->what, i, own));
            if (isnan(value))
                continue;
            bars[i].least = fmin(bars[i].least, value);
            bars[i].most = fmax(bars[i].most, value);
        }
        bool misses = isinf(bars[i].most) && isfinite(base); /* at an end, or at both */
        bars[i].range = misses ? INFINITY : bars[i].least == bars[i].most ? 0 : bars[i].most - bars[i].least;
    }
    qsort(bars, writer->what->n, sizeof *bars, by_range);
}

static bool value_of_seed(
    const struct frs_replicates *replicates, const char *metric, uint64_t seed, double *value, double *step) {
    for (size_t i = 0; i < replicates->n; i++)
        if (replicates->list[i].seed == seed) {
            *value = frs_metrics_get(replicates->list[i].metrics, metric);
            *step = frs_metrics_step(replicates->list[i].metrics, metric);
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

/* Seed by seed, over the seeds for which all runs of the design have an answer. An effect is a sum of
 * answers, each divided by half the number of runs. It varies by at least as much as the grids of these
 * answers imply; effects that are all 0 are taken as they are. */
struct frs_estimate frs_sensitivity_effect(
    const struct frs_sensitivity_table *writer, size_t variant, size_t assumption) {
    const struct frs_replicates *first =
        frs_sensitivity_cell(writer, variant, frs_sensitivity_level_of_run(writer->what, 0));
    size_t n_runs = writer->what->n_runs, n = 0;
    double answers[FRS_SCREENING_RUNS], steps[FRS_SCREENING_RUNS],
        least = 0, *effects = frs_alloc(first->n + 1, sizeof *effects);
    for (size_t i = 0; i < first->n; i++) {
        bool all = true;
        for (size_t run = 0; run < n_runs && all; run++)
            all = value_of_seed(
                frs_sensitivity_cell(writer, variant, frs_sensitivity_level_of_run(writer->what, run)),
                writer->answer, first->list[i].seed, &answers[run], &steps[run]);
        if (!all)
            continue;
        effects[n++] = without_rounding(frs_screening_effect(answers, n_runs, assumption), answers, n_runs);
        least += 4 / (double)n_runs * frs_stats_grid_variance(steps, n_runs);
    }
    struct frs_estimate effect = frs_stats_interval(effects, n);
    free(effects);
    return effect.mean == 0 && effect.sd == 0 ? effect : frs_stats_at_least(effect, least / (double)n);
}

/* The best of the variants in the environment of `like`, at a level; SIZE_MAX: none has an answer. */
size_t frs_sensitivity_best(const struct frs_sensitivity_table *writer, size_t like, size_t level) {
    size_t best = SIZE_MAX;
    double best_worth = NAN;
    for (size_t variant = 0; variant < writer->n_variants; variant++) {
        if (!same_environments(writer, variant, like))
            continue;
        double worth = worth_of(writer, variant, level);
        bool better = writer->lower ? worth < best_worth : worth > best_worth && isfinite(worth);
        if (isfinite(worth) && (best == SIZE_MAX || better)) {
            best = variant;
            best_worth = worth;
        }
    }
    return best;
}

/* Whether runs of `a` reach a target that those of `b` miss more often than chance would have it. */
static bool reaches_more(const struct frs_figure *a, const struct frs_figure *b) {
    size_t reached = b->estimate.n - b->censored;
    return a->censored == 0 && a->estimate.n > 0 &&
           frs_stats_chance_of_split(a->estimate.n, reached, b->estimate.n) <= (1 - FRS_CONFIDENCE) / 2;
}

/* Whether the difference of two variants at a level is larger than its interval. Where runs did not reach
 * the target: whether chance would hardly put so many of them on one side. */
bool frs_sensitivity_decides(const struct frs_sensitivity_table *writer, size_t a, size_t b, size_t level) {
    struct frs_contrast contrast = frs_replicates_contrast(
        frs_sensitivity_cell(writer, a, level), frs_sensitivity_cell(writer, b, level), writer->answer);
    struct frs_figure x = frs_sensitivity_figure(writer, a, level),
                      y = frs_sensitivity_figure(writer, b, level);
    if (contrast.censored > 0)
        return reaches_more(&x, &y) || reaches_more(&y, &x);
    return fabs(contrast.paired.mean) > contrast.paired.half_width;
}

/* Whether the best variant at a level is ahead of every other variant of its environment by more than the
 * interval of their difference. */
bool frs_sensitivity_best_is_ahead(const struct frs_sensitivity_table *writer, size_t best, size_t level) {
    for (size_t other = 0; best != SIZE_MAX && other < writer->n_variants; other++)
        if (other != best && same_environments(writer, other, best) &&
            frs_sensitivity_figure(writer, other, level).estimate.n > 0 &&
            !frs_sensitivity_decides(writer, best, other, level))
            return false;
    return best != SIZE_MAX;
}

/* The first variant of its environment, which has others to be compared with. */
bool frs_sensitivity_begins_design_factor(const struct frs_sensitivity_table *writer, size_t variant) {
    size_t n = 0;
    for (size_t other = 0; other < writer->n_variants; other++)
        if (same_environments(writer, other, variant)) {
            if (other < variant)
                return false;
            n++;
        }
    return n > 1;
}
