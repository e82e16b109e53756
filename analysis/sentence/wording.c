#include "analysis/sentence/wording.h"
#include "analysis/print/present.h"
#include "analysis/plan/plan.h"
#include "sim/base/decimal.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A half width that is less than this part of the mean comes from the order of additions. */
static const double SUMS_ROUND_BY = 1e-9;

/* Amounts are not below 0, whatever Student's interval says. */
static double low_end(const char *metric, const struct frs_estimate *estimate) {
    double low = estimate->mean - estimate->half_width;
    return frs_metric_unit(metric) == FRS_UNIT_NONE ? low : fmax(low, 0);
}

char *frs_amount_text(const char *metric, const struct frs_estimate *estimate) {
    struct frs_style style = frs_style_of(metric, estimate, 1);
    char *mean = frs_present_value(&style, estimate->mean),
         *low = frs_present_value(&style, low_end(metric, estimate)),
         *high = frs_present_value(&style, estimate->mean + estimate->half_width);
    bool is_wide = estimate->half_width > SUMS_ROUND_BY * fabs(estimate->mean);
    const char *space = *style.unit ? " " : "";
    char *text = is_wide ? frs_format("%s%s%s (%s–%s)", mean, space, style.unit, low, high)
                         : frs_format("%s%s%s", mean, space, style.unit);
    free(high);
    free(low);
    free(mean);
    return text;
}

char *frs_value_text(const char *metric, double value) {
    const struct frs_estimate estimate = {.n = 1, .mean = value, .sd = NAN, .df = NAN, .half_width = NAN};
    return frs_amount_text(metric, &estimate);
}

double frs_amount_unit(const char *metric, const struct frs_estimate *most, const char **unit) {
    struct frs_style style = frs_style_of(metric, most, 1);
    *unit = style.unit;
    return style.factor;
}

char *frs_metric_text(const char *metric) {
    char *text = frs_strdup(metric);
    static const char *const capitals[] = {"hr@", "ndcg@", "mrr@", "map@", "auc", "rmse", "mae"};
    for (size_t i = 0; i < sizeof capitals / sizeof *capitals; i++)
        for (size_t k = 0; strncmp(metric, capitals[i], strlen(capitals[i])) == 0 && text[k]; k++)
            if (text[k] >= 'a' && text[k] <= 'z')
                text[k] = (char)(text[k] - 'a' + 'A');
    return text;
}

char *frs_target_spec_phrase(const struct frs_target_spec *target_spec) {
    char *metric = frs_metric_text(frs_target_spec_quality(target_spec)), *text;
    if (!target_spec->non_federated)
        text = frs_format("%s %.4g", metric, target_spec->bar);
    else if (target_spec->bar == 0)
        text = frs_format("the %s of %s", metric, target_spec->non_federated);
    else
        text = frs_format("the %s of %s %s %.4g", metric, target_spec->non_federated,
            target_spec->bar < 0 ? "−" : "+", fabs(target_spec->bar));
    free(metric);
    return text;
}

/* So many that the figure's distance from 1 has two digits. */
static int decimals_of_times(double times) {
    double distance = fabs(times - 1);
    return times >= 9.95 ? 0 : distance >= 0.995 ? 1 : distance >= 0.0995 ? 2 : 3;
}

static char *with_interval(double mean, double low, double high, int decimals, const char *unit) {
    if (!(high - low > SUMS_ROUND_BY * fabs(mean)) || !isfinite(high))
        return frs_format("%.*f%s", decimals, mean, unit);
    return frs_format("%.*f%s (%.*f–%.*f)", decimals, mean, unit, decimals, low, decimals, high);
}

char *frs_times_text(double mean, double low, double high) {
    return with_interval(mean, low, high, decimals_of_times(mean), " times");
}

char *frs_difference_text(double mean, double low, double high) {
    double size = isfinite(high - low) && high > low ? (high - low) / 2 : fabs(mean);
    int decimals = size > 0 ? (int)fmin(fmax(1 - floor(log10(size)), 0), 6) : 0;
    return with_interval(mean, low, high, decimals, "");
}

char *frs_listed(const char *const *names, size_t n, size_t most) {
    char *text = NULL;
    size_t length = 0, shown = n > most ? most - 1 : n;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        frs_memory_exhausted();
    for (size_t i = 0; i < shown; i++)
        fprintf(out, "%s%s", i == 0 ? "" : i + 1 == n ? " and " : ", ", names[i]);
    if (shown < n)
        fprintf(out, " and %zu more", n - shown);
    fclose(out);
    return text;
}

static bool sets_only(char *const *keys, size_t n_keys, const char *axis, const char *key) {
    return n_keys == 1 ? strcmp(keys[0], key) == 0 : n_keys == 0 && strcmp(axis, key) == 0;
}

static bool ends_in(char *const *keys, size_t n_keys, const char *axis, const char *end) {
    const char *key = n_keys == 1 ? keys[0] : n_keys == 0 ? axis : "";
    size_t length = strlen(key), tail = strlen(end);
    return length > tail && strcmp(key + length - tail, end) == 0;
}

char *frs_design_phrase(const char *axis, char *const *keys, size_t n_keys, const char *label) {
    if (sets_only(keys, n_keys, axis, "method.name") || strcmp(axis, "method") == 0)
        return frs_strdup(label);
    if (ends_in(keys, n_keys, axis, ".rank"))
        return frs_format("of rank %s", label);
    return frs_format("with %s = %s", axis, label);
}

/* "0.3" as "30 %", "0" as "none"; other labels as they are. */
static char *share_text(const char *label) {
    double share;
    if (!frs_decimal_is(label, &share) || !(share >= 0 && share <= 1))
        return frs_strdup(label);
    return share == 0 ? frs_strdup("none") : frs_format("%.4g %%", 100 * share);
}

char *frs_environment_phrase(const char *axis, char *const *keys, size_t n_keys, const char *label) {
    static const struct {
        const char *key, *before, *after;
    } known[] = {{"network.preset", "on ", ""}, {"failures.up", "with ", " of uploads lost"},
        {"failures.down", "with ", " of downloads lost"},
        {"failures.compute", "with ", " lost while computing"},
        {"network.model", "under network model ", ""}};
    if (strcmp(axis, FRS_ASSUMPTION_AXIS) == 0) /* the first level, or "bandwidth 1/2 times" */
        return frs_format(strcmp(label, FRS_ASSUMPTION_NONE) == 0 ? "%s" : "with %s", label);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (sets_only(keys, n_keys, axis, known[i].key)) {
            bool is_share = strncmp(known[i].key, "failures.", 9) == 0;
            char *own = is_share ? share_text(label) : frs_strdup(label);
            char *text = frs_format("%s%s%s", known[i].before, own, known[i].after);
            free(own);
            return text;
        }
    return frs_format("with %s = %s", axis, label);
}
