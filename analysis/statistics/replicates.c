#include "analysis/statistics/replicates.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

void frs_replicates_add(struct frs_replicates *replicates, uint64_t seed, const struct frs_metrics *metrics) {
    replicates->list =
        frs_grow(replicates->list, replicates->n + 1, &replicates->capacity, sizeof *replicates->list);
    replicates->list[replicates->n++] = (struct frs_replicate){seed, metrics};
}

void frs_replicates_fini(struct frs_replicates *replicates) {
    free(replicates->list);
    *replicates = (struct frs_replicates){0};
}

/* Values of one metric, with the steps of their grids; what does not exist is left out. */
struct sample {
    size_t n, censored;
    double *values, *steps;
};

static struct sample sample_of(const struct frs_replicates *replicates, const char *metric) {
    struct sample sample = {.values = frs_alloc(replicates->n, sizeof *sample.values),
        .steps = frs_alloc(replicates->n, sizeof *sample.steps)};
    for (size_t i = 0; i < replicates->n; i++) {
        double value = frs_metrics_get(replicates->list[i].metrics, metric);
        if (isnan(value))
            continue;
        sample.steps[sample.n] = frs_metrics_step(replicates->list[i].metrics, metric);
        sample.values[sample.n++] = value;
        sample.censored += isinf(value) != 0;
    }
    return sample;
}

static double least_variance(const struct sample *sample) {
    return frs_stats_grid_variance(sample->steps, sample->n);
}

static void fini_sample(struct sample *sample) {
    free(sample->values);
    free(sample->steps);
}

static const struct frs_estimate nothing = {.mean = NAN, .sd = NAN, .df = NAN, .half_width = NAN};

struct frs_figure frs_replicates_figure(const struct frs_replicates *replicates, const char *metric) {
    struct sample sample = sample_of(replicates, metric);
    struct frs_figure figure = {.estimate = nothing, .censored = sample.censored};
    if (sample.censored == 0)
        figure.estimate =
            frs_stats_at_least(frs_stats_interval(sample.values, sample.n), least_variance(&sample));
    figure.estimate.n = sample.n;
    fini_sample(&sample);
    return figure;
}

bool frs_replicates_all_have(const struct frs_replicates *replicates, const char *metric) {
    for (size_t i = 0; i < replicates->n; i++)
        if (!isfinite(frs_metrics_get(replicates->list[i].metrics, metric)))
            return false;
    return replicates->n > 0;
}

/* The replicate of `b` with the seed of a's replicate i; of several with this seed, the one at the same
 * position. NULL: none. */
static const struct frs_replicate *partner(
    const struct frs_replicates *a, size_t i, const struct frs_replicates *b) {
    size_t before = 0;
    for (size_t k = 0; k < i; k++)
        before += a->list[k].seed == a->list[i].seed;
    for (size_t k = 0; k < b->n; k++)
        if (b->list[k].seed == a->list[i].seed && before-- == 0)
            return &b->list[k];
    return NULL;
}

bool frs_replicates_match(const struct frs_replicates *a, const struct frs_replicates *b) {
    for (size_t i = 0; i < a->n; i++)
        if (!partner(a, i, b))
            return false;
    return a->n == b->n;
}

struct pairs {
    size_t n;
    double *a, *b;
};

static struct pairs pairs_of(
    const struct frs_replicates *a, const struct frs_replicates *b, const char *metric) {
    struct pairs pairs = {0, frs_alloc(a->n, sizeof(double)), frs_alloc(a->n, sizeof(double))};
    for (size_t i = 0; i < a->n; i++) {
        const struct frs_replicate *other = partner(a, i, b);
        double x = frs_metrics_get(a->list[i].metrics, metric);
        double y = other ? frs_metrics_get(other->metrics, metric) : NAN;
        if (isnan(x) || isnan(y))
            continue;
        pairs.a[pairs.n] = x;
        pairs.b[pairs.n++] = y;
    }
    return pairs;
}

/* Both sides are on a grid, with variances of at least u and v. Runs that are equal seed by seed differ by
 * 0. This says nothing about which side is better and needs no test, so their difference stays 0 ± 0. */
static void bound_pairs(struct frs_contrast *contrast, double u, double v, double base) {
    if (contrast->paired.mean == 0 && contrast->paired.sd == 0)
        return;
    double ratio = contrast->ratio.mean;
    contrast->paired = frs_stats_at_least(contrast->paired, u + v);
    contrast->ratio = frs_stats_at_least(contrast->ratio, (u + ratio * ratio * v) / (base * base));
}

struct frs_contrast frs_replicates_contrast(
    const struct frs_replicates *a, const struct frs_replicates *b, const char *metric) {
    struct sample x = sample_of(a, metric), y = sample_of(b, metric);
    struct pairs pairs = pairs_of(a, b, metric);
    struct frs_contrast contrast = {
        .paired = nothing, .unpaired = nothing, .ratio = nothing, .censored = x.censored + y.censored};
    if (contrast.censored == 0) {
        double u = least_variance(&x), v = least_variance(&y);
        contrast.paired = frs_stats_paired(pairs.a, pairs.b, pairs.n);
        contrast.unpaired = frs_stats_unpaired(x.values, x.n, u, y.values, y.n, v);
        contrast.ratio = frs_stats_ratio(pairs.a, pairs.b, pairs.n);
        bound_pairs(&contrast, u, v, frs_stats_mean(pairs.b, pairs.n));
    }
    contrast.paired.n = contrast.ratio.n = pairs.n;
    contrast.unpaired.n = x.n < y.n ? x.n : y.n;
    fini_sample(&x);
    fini_sample(&y);
    free(pairs.a);
    free(pairs.b);
    return contrast;
}

double frs_contrast_width_ratio(const struct frs_contrast *contrast) {
    return contrast->paired.half_width > 0 && contrast->unpaired.half_width > 0
               ? contrast->unpaired.half_width / contrast->paired.half_width
               : NAN;
}
