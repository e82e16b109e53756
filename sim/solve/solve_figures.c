/* The results of a search: which settings keep to the bound, which one is best, and how sure that is. */
#include "sim/base/memory.h"
#include "sim/solve/solve_internal.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const struct frs_replicates *runs_of(const struct solving *s, size_t setting) {
    return &s->results.cells[s->cells[setting]];
}

const char *frs_solve_verdict(const struct solving *s, size_t setting, size_t *n) {
    const char *verdict = NULL;
    size_t found = 0;
    for (size_t i = 0; i < s->results.plan->n_points; i++) {
        if (s->results.plan->points[i].cell != s->cells[setting] || !s->results.points[i].verdict)
            continue;
        verdict = verdict ? verdict : s->results.points[i].verdict;
        found++;
    }
    if (n)
        *n = found;
    return verdict;
}

struct frs_repeats frs_solve_figure(const struct solving *s, size_t setting, const char *metric) {
    struct frs_repeats none = {.estimate = {.mean = NAN, .sd = NAN, .df = NAN, .half_width = NAN}};
    return frs_solve_verdict(s, setting, NULL) ? none : frs_repeats_of(runs_of(s, setting), metric);
}

static double mean_of(const struct solving *s, size_t setting, const char *metric) {
    return frs_solve_figure(s, setting, metric).estimate.mean;
}

bool frs_solve_is_good(void *context, size_t setting) {
    const struct solving *s = context;
    if (!s->question->metric)
        return !frs_solve_verdict(s, setting, NULL);
    double mean = mean_of(s, setting, s->question->metric);
    if (s->question->strict && mean == s->question->bound)
        return false;
    return s->question->at_most ? mean <= s->question->bound : mean >= s->question->bound; /* not with NaN */
}

double frs_solve_distance(void *context, size_t setting) {
    const struct solving *s = context;
    double distance = fabs(mean_of(s, setting, s->question->metric) - s->question->bound);
    return isnan(distance) ? INFINITY : distance;
}

static int sign_of(double value) {
    return (value > 0) - (value < 0);
}

/* Seed by seed; one replicate knows of no chance. */
int frs_solve_step(void *context, size_t a, size_t b) {
    static const double likely = 0.5 + 0.5 * FRS_CONFIDENCE;
    const struct solving *s = context;
    const char *metric = s->question->metric;
    double before = mean_of(s, a, metric), after = mean_of(s, b, metric);
    if (isnan(before) || isnan(after))
        return 0;
    if (isinf(before) || isinf(after))
        return isinf(before) && isinf(after) ? 0 : isinf(after) ? 1 : -1;
    double rises = frs_repeats_chance_below(runs_of(s, a), runs_of(s, b), metric),
           falls = frs_repeats_chance_below(runs_of(s, b), runs_of(s, a), metric);
    return isnan(rises) ? sign_of(after - before) : rises > likely ? 1 : falls > likely ? -1 : 0;
}

/* ---- the best ---- */

static bool larger_is_better(const struct solving *s) {
    bool lower, is_quality = frs_metric_is_quality(s->question->best, &lower) ||
                             frs_metric_is_group_quality(s->question->best, &lower);
    return is_quality && !lower;
}

bool frs_solve_is_better(void *context, size_t a, size_t b) {
    const struct solving *s = context;
    double x = mean_of(s, a, s->question->best), y = mean_of(s, b, s->question->best);
    return larger_is_better(s) ? y > x : y < x;
}

static double chance_better(const struct solving *s, size_t setting, size_t than) {
    const struct frs_replicates *a = runs_of(s, setting), *b = runs_of(s, than);
    return larger_is_better(s) ? frs_repeats_chance_below(b, a, s->question->best)
                               : frs_repeats_chance_below(a, b, s->question->best);
}

/* ---- chances ---- */

/* Where a run of the search has missed its target, those of other settings can. */
static bool may_miss(const struct solving *s) {
    for (size_t i = 0; i < s->n_tried; i++)
        if (frs_solve_figure(s, s->tried[i], s->question->metric).missed > 0)
            return true;
    return false;
}

/* The chance that a setting keeps to the bound. */
static double chance_good(const struct solving *s, size_t setting) {
    const char *metric = s->question->metric;
    if (frs_solve_verdict(s, setting, NULL))
        return 0;
    struct frs_repeats figure = frs_solve_figure(s, setting, metric);
    bool misses = may_miss(s);
    if (figure.estimate.half_width == 0 && !misses)
        return frs_solve_is_good((void *)s, setting) ? 1 : 0;
    double below = frs_repeats_chance(runs_of(s, setting), metric, s->question->bound, misses);
    return s->question->at_most ? below : 1 - below;
}

/* Whether the search would rather have answered `a` than `b`. */
static bool is_preferred(const struct solving *s, size_t a, size_t b) {
    return s->question->wanted == FRS_LARGEST ? a > b : a < b;
}

/* Settings that keep to the bound are compared all at once. For another setting to be better, it also has
 * to keep to the bound. */
static double error_of_best(const struct solving *s, size_t best) {
    const struct frs_replicates **runs = frs_alloc(s->n_tried, sizeof *runs);
    double error = s->question->metric ? 1 - chance_good(s, best) : 0;
    size_t n = 0, place = 0;
    for (size_t i = 0; i < s->n_tried; i++) {
        size_t setting = s->tried[i];
        if (setting == best)
            place = n;
        if (frs_solve_verdict(s, setting, NULL))
            continue;
        if (frs_solve_is_good((void *)s, setting))
            runs[n++] = runs_of(s, setting);
        else
            error += fmin(chance_better(s, setting, best), chance_good(s, setting));
    }
    error += frs_repeats_chance_of_better(runs, n, s->question->best, larger_is_better(s), place);
    free(runs);
    return error;
}

double frs_solve_error(const struct solving *s, const struct frs_found *found) {
    double error = 0;
    if (found->any && s->question->wanted == FRS_BEST) {
        error = error_of_best(s, found->setting);
        return isnan(error) ? NAN : fmin(error, 1);
    }
    if (!s->question->metric)
        return NAN;
    if (found->any)
        error = 1 - chance_good(s, found->setting);
    if (found->any && found->by_halving) {
        error += found->has_next ? chance_good(s, found->next) : 0;
    } else {
        for (size_t i = 0; i < s->n_tried; i++)
            if (!found->any || is_preferred(s, s->tried[i], found->setting))
                error += chance_good(s, s->tried[i]);
    }
    return isnan(error) ? NAN : fmin(error, 1);
}

bool frs_solve_within_noise(const struct solving *s, const struct frs_found *found, size_t setting) {
    if (setting == found->setting || !frs_solve_is_good((void *)s, setting))
        return false;
    return mean_of(s, setting, s->question->best) == mean_of(s, found->setting, s->question->best) ||
           chance_better(s, setting, found->setting) > FRS_SOLVE_SURE;
}

/* ---- gaps ---- */

/* Place 0 is the safe end: the other one than that which is asked for. */
static size_t setting_from_safe_end(const struct solving *s, size_t place) {
    return s->question->wanted == FRS_LARGEST ? place : s->question->n - 1 - place;
}

struct frs_solve_gaps frs_solve_gaps_of(const struct solving *s, const struct frs_found *found) {
    struct frs_solve_gaps gaps = {.all = true, .without = SIZE_MAX};
    size_t end = s->question->wanted == FRS_LARGEST ? found->setting : s->question->n - 1 - found->setting,
           untried = 0;
    if (!found->any || s->question->wanted == FRS_BEST)
        return gaps;
    for (size_t place = 0; place < end; place++) {
        size_t setting = setting_from_safe_end(s, place);
        bool was_run = s->cells[setting] != SIZE_MAX,
             good = was_run && frs_solve_is_good((void *)(uintptr_t)s, setting);
        untried += !was_run;
        gaps.n += was_run;
        gaps.misses += was_run && !good;
        gaps.all = gaps.all && was_run;
        if (good && gaps.misses == 0) {
            gaps.without = setting;
            gaps.unknown = untried;
        }
    }
    return gaps;
}
