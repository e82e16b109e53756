#include "analysis/statistics/repeats.h"
#include "analysis/statistics/student_t.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nodes of the integral over p; draws of differences to the best. */
enum { NODES = 512, DRAWS = 4096 };

static const struct frs_estimate nothing = {.mean = NAN, .sd = NAN, .df = NAN, .half_width = NAN};

/* What a run that misses such a target has spent at its end; NULL: no run can miss it. */
static const char *whole_of(const char *metric) {
    static const char *const figures[][2] = {{"time_to_target_s", "simulated_s"},
        {"bytes_to_target", "bytes.total"}, {"sent_bytes_to_target", "bytes.sent"},
        {"rounds_to_target", "rounds"}};
    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        if (strcmp(figures[i][0], metric) == 0)
            return figures[i][1];
    return NULL;
}

/* ---- a run ---- */

struct spent {
    bool is_known, reached;
    double amount; /* up to the target, or to the end */
};

static struct spent spent_by(const struct frs_metrics *run, const char *metric) {
    const char *whole = whole_of(metric);
    double value = frs_metrics_get(run, metric);
    if (isfinite(value))
        return (struct spent){true, true, value};
    double amount = isinf(value) && whole ? frs_metrics_get(run, whole) : NAN;
    return (struct spent){isfinite(amount), false, amount};
}

/* ---- several ---- */

struct sums {
    size_t n, reached;
    double amount, missed; /* of all, and of those that missed */
    double whole;          /* mean of whole runs */
};

static struct sums sums_of(const struct frs_replicates *runs, const char *metric) {
    struct sums sums = {0};
    const char *whole = whole_of(metric);
    for (size_t i = 0; i < runs->n; i++) {
        struct spent spent = spent_by(runs->list[i].metrics, metric);
        if (!spent.is_known)
            continue;
        sums.n++;
        sums.reached += spent.reached;
        sums.amount += spent.amount;
        sums.missed += spent.reached ? 0 : spent.amount;
        sums.whole += whole ? frs_metrics_get(runs->list[i].metrics, whole) : 0;
    }
    sums.whole = sums.n > 0 ? sums.whole / (double)sums.n : 0;
    return sums;
}

static double mean_of(const struct sums *sums) {
    return sums->reached > 0 ? sums->amount / (double)sums->reached : INFINITY;
}

/* What a run says of the ratio: its part of the deviation, in units of the ratio. */
static double influence(const struct spent *spent, const struct sums *sums) {
    double share = (double)sums->reached / (double)sums->n;
    return (spent->amount - (spent->reached ? mean_of(sums) : 0)) / share;
}

struct frs_repeats frs_repeats_of(const struct frs_replicates *runs, const char *metric) {
    struct sums sums = sums_of(runs, metric);
    struct frs_repeats repeats = {.missed = sums.n - sums.reached};
    if (repeats.missed == 0) {
        repeats.estimate = frs_replicates_figure(runs, metric).estimate;
        return repeats;
    }
    repeats.estimate = nothing;
    if (sums.reached > 0) {
        double *values = frs_alloc(sums.n, sizeof *values);
        size_t n = 0;
        for (size_t i = 0; i < runs->n; i++) {
            struct spent spent = spent_by(runs->list[i].metrics, metric);
            if (spent.is_known)
                values[n++] = influence(&spent, &sums);
        }
        repeats.estimate = frs_stats_interval(values, n);
        free(values);
    }
    repeats.estimate.n = sums.n;
    repeats.estimate.mean = mean_of(&sums);
    return repeats;
}

/* ---- chances ---- */

/* The chance that a mean with this estimate is at most `bound`. */
static double chance_of_mean(const struct frs_estimate *e, double bound) {
    if (!(e->half_width > 0))
        return e->mean <= bound ? 1 : 0;
    double error = e->half_width / frs_student_t_quantile(0.5 + 0.5 * FRS_CONFIDENCE, e->df);
    return frs_student_t_cdf((bound - e->mean) / error, e->df);
}

/* The mean over the runs that reached the target. It is 0 without any, which makes the chance too large
 * rather than too small. */
static struct frs_estimate reached_alone(const struct frs_replicates *runs, const char *metric) {
    struct frs_replicates reached = {0};
    for (size_t i = 0; i < runs->n; i++)
        if (spent_by(runs->list[i].metrics, metric).reached)
            frs_replicates_add(&reached, runs->list[i].seed, runs->list[i].metrics);
    struct frs_estimate e = frs_replicates_figure(&reached, metric).estimate;
    if (reached.n == 0)
        e = (struct frs_estimate){0};
    frs_replicates_fini(&reached);
    return e;
}

/* Integrates over p = sin² θ, whose density is sin^(2 reached) θ · cos^(2 missed) θ: unlike Beta's own, it
 * is smooth. */
static double chance_with_misses(
    const struct frs_replicates *runs, const char *metric, const struct sums *sums, double bound) {
    struct frs_estimate mean = reached_alone(runs, metric);
    double missed = (double)(sums->n - sums->reached), all = 0, within = 0;
    double spent = missed > 0 ? sums->missed / missed : sums->whole;
    for (int i = 0; i < NODES; i++) {
        double theta = M_PI_2 * (i + 0.5) / NODES, tangent = tan(theta);
        double weight = exp(2 * (double)sums->reached * log(sin(theta)) + 2 * missed * log(cos(theta)));
        all += weight;
        within += weight * chance_of_mean(&mean, bound - spent / (tangent * tangent));
    }
    return within / all;
}

double frs_repeats_chance(
    const struct frs_replicates *runs, const char *metric, double bound, bool may_miss) {
    struct sums sums = sums_of(runs, metric);
    if (sums.n < 2)
        return NAN;
    if (sums.reached < sums.n || (may_miss && whole_of(metric)))
        return chance_with_misses(runs, metric, &sums, bound);
    struct frs_estimate e = frs_replicates_figure(runs, metric).estimate;
    return chance_of_mean(&e, bound);
}

/* values [a->n]: for each seed that both have, its contribution to E of `a` minus that of `b`, around that
 * difference. Returns how many. */
static size_t differences(const struct frs_replicates *a, const struct sums *x,
    const struct frs_replicates *b, const struct sums *y, const char *metric, double *values) {
    size_t n = 0;
    for (size_t i = 0; i < a->n; i++)
        for (size_t k = 0; k < b->n; k++) {
            struct spent of_a = spent_by(a->list[i].metrics, metric),
                         of_b = spent_by(b->list[k].metrics, metric);
            if (a->list[i].seed == b->list[k].seed && of_a.is_known && of_b.is_known)
                values[n++] = influence(&of_a, x) - influence(&of_b, y);
        }
    return n;
}

static double chance_below_paired(
    const struct frs_replicates *a, const struct frs_replicates *b, const char *metric) {
    struct frs_estimate paired = frs_replicates_contrast(a, b, metric).paired;
    if (paired.n < 2)
        return NAN;
    return paired.mean == 0 && paired.half_width == 0 ? 0 : chance_of_mean(&paired, 0);
}

double frs_repeats_chance_below(
    const struct frs_replicates *a, const struct frs_replicates *b, const char *metric) {
    struct sums x = sums_of(a, metric), y = sums_of(b, metric);
    if (x.reached == x.n && y.reached == y.n)
        return chance_below_paired(a, b, metric);
    if (x.reached == 0 || y.reached == 0) {
        double chance = x.reached == 0 ? frs_repeats_chance(a, metric, mean_of(&y), true)
                                       : 1 - frs_repeats_chance(b, metric, mean_of(&x), true);
        return x.reached == y.reached ? 0.5 : chance;
    }
    double *values = frs_alloc(a->n, sizeof *values);
    size_t n = differences(a, &x, b, &y, metric, values);
    struct frs_estimate difference = frs_stats_interval(values, n);
    difference.mean = mean_of(&x) - mean_of(&y);
    free(values);
    return n < 2 ? NAN : chance_of_mean(&difference, 0);
}

/* ---- better than all others ---- */

/* For settings that have every seed of the best: by how much each is better, on average and seed by seed. */
struct lead {
    size_t n, n_seeds;
    double *means;  /* [n] */
    double *values; /* [n × n_seeds], around their mean */
};

/* False: its seeds are others, or none of its runs reached the target. */
static bool add_lead(struct lead *lead, const struct frs_replicates *other, const struct frs_replicates *best,
    const char *metric, bool larger) {
    struct sums x = sums_of(best, metric), y = sums_of(other, metric);
    double *values = &lead->values[lead->n * lead->n_seeds], sign = larger ? -1 : 1, mean = 0;
    if (x.reached == 0 || y.reached == 0 || best->n != other->n ||
        differences(best, &x, other, &y, metric, values) != lead->n_seeds)
        return false;
    for (size_t i = 0; i < lead->n_seeds; i++)
        mean += values[i] / (double)lead->n_seeds;
    for (size_t i = 0; i < lead->n_seeds; i++)
        values[i] = sign * (values[i] - mean);
    lead->means[lead->n++] = sign * (mean_of(&x) - mean_of(&y));
    return true;
}

/* Whether any is better where the seeds weigh these. */
static bool is_any_better(const struct lead *lead, const double *weights) {
    for (size_t k = 0; k < lead->n; k++) {
        double better = lead->means[k];
        for (size_t i = 0; i < lead->n_seeds; i++)
            better += weights[i] * lead->values[k * lead->n_seeds + i];
        if (better > 0)
            return true;
    }
    return false;
}

/* Weights that give the sum over seeds Student's distribution of a mean, and give sums of several settings
 * their correlation. */
static void draw_weights(uint32_t draw, size_t n, double *weights) {
    struct frs_rng rng = frs_rng_stream(1, draw, 0, 0, FRS_RNG_CALIBRATION);
    double square = 0;
    for (size_t i = 0; i < n; i++)
        weights[i] = frs_rng_normal(&rng);
    for (size_t i = 1; i < n; i++) {
        double value = frs_rng_normal(&rng);
        square += value * value;
    }
    for (size_t i = 0; i < n; i++)
        weights[i] /= sqrt((double)n * square);
}

static double chance_of_any(const struct lead *lead) {
    double *weights = frs_alloc(lead->n_seeds, sizeof *weights);
    uint32_t n_better = 0;
    for (uint32_t k = 0; k < DRAWS && lead->n > 0; k++) {
        draw_weights(k, lead->n_seeds, weights);
        n_better += is_any_better(lead, weights);
    }
    free(weights);
    return (double)n_better / DRAWS;
}

double frs_repeats_chance_of_better(
    const struct frs_replicates *const *runs, size_t n, const char *metric, bool larger, size_t best) {
    size_t n_seeds = sums_of(runs[best], metric).n;
    struct lead lead = {.n_seeds = n_seeds,
        .means = frs_alloc(n, sizeof(double)),
        .values = frs_alloc(n * n_seeds + 1, sizeof(double))};
    double sum = 0, largest = 0, apart = 0;
    for (size_t i = 0; i < n; i++) {
        if (i == best)
            continue;
        double chance = larger ? frs_repeats_chance_below(runs[best], runs[i], metric)
                               : frs_repeats_chance_below(runs[i], runs[best], metric);
        sum += chance;
        largest = fmax(largest, chance);
        apart += add_lead(&lead, runs[i], runs[best], metric, larger) ? 0 : chance;
    }
    double chance = isnan(sum) ? NAN : fmin(fmax(chance_of_any(&lead) + apart, largest), fmin(sum, 1));
    free(lead.means);
    free(lead.values);
    return chance;
}
