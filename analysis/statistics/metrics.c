#include "analysis/statistics/metrics.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool starts_with(const char *text, const char *start) {
    return strncmp(text, start, strlen(start)) == 0;
}

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* Names begin alike and seldom are of one length. */
static struct frs_metric *find(const struct frs_metrics *metrics, const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < metrics->n; i++)
        if (metrics->list[i].length == length && memcmp(metrics->list[i].name, name, length) == 0)
            return &metrics->list[i];
    return NULL;
}

void frs_metrics_set(struct frs_metrics *metrics, const char *name, double value) {
    struct frs_metric *metric = find(metrics, name);
    if (!metric) {
        metrics->list = frs_grow(metrics->list, metrics->n + 1, &metrics->capacity, sizeof *metrics->list);
        metric = &metrics->list[metrics->n++];
        metric->name = frs_strdup(name);
        metric->length = strlen(name);
    }
    metric->value = value;
    metric->step = 0;
}

void frs_metrics_set_step(struct frs_metrics *metrics, const char *name, double step) {
    struct frs_metric *metric = find(metrics, name);
    if (metric && isfinite(step) && step > 0)
        metric->step = step;
}

double frs_metrics_step(const struct frs_metrics *metrics, const char *name) {
    const struct frs_metric *metric = find(metrics, name);
    return metric ? metric->step : 0;
}

double frs_metrics_get(const struct frs_metrics *metrics, const char *name) {
    const struct frs_metric *metric = find(metrics, name);
    if (metric)
        return metric->value;
    return starts_with(name, "waste_by_cause.") || strcmp(name, "retry.retries") == 0 ? 0 : NAN;
}

bool frs_metrics_has(const struct frs_metrics *metrics, const char *name) {
    return find(metrics, name) != NULL;
}

void frs_metrics_fini(struct frs_metrics *metrics) {
    for (size_t i = 0; i < metrics->n; i++)
        free(metrics->list[i].name);
    free(metrics->list);
    *metrics = (struct frs_metrics){0};
}

bool frs_metric_is_quality(const char *name, bool *lower) {
    static const char *const populations[] = {"validation_", "participants_"};
    if (lower)
        *lower = false;
    if (strcmp(name, "participants_share") == 0)
        return true;
    for (size_t i = 0; i < 2; i++)
        if (starts_with(name, populations[i])) {
            name += strlen(populations[i]);
            break;
        }
    static const char *const at_k[] = {"hr@", "ndcg@", "recall@", "precision@", "mrr@", "map@"};
    bool is_error = strcmp(name, "mae") == 0 || strcmp(name, "rmse") == 0;
    const char *k = "";
    if (lower)
        *lower = is_error;
    for (size_t i = 0; i < sizeof at_k / sizeof *at_k; i++)
        if (starts_with(name, at_k[i]))
            k = name + strlen(at_k[i]);
    return is_error || strcmp(name, "auc") == 0 || (*k && strspn(k, "0123456789") == strlen(k));
}

bool frs_metric_is_group_quality(const char *name, bool *lower) {
    const char *last = strrchr(name, '.');
    return starts_with(name, "groups.") && frs_metric_is_quality(last + 1, lower);
}

bool frs_metric_is_hit_rate(const char *name) {
    const char *last = strrchr(name, '.');
    const char *own = last ? last + 1 : name;
    return frs_metric_is_quality(own, NULL) && strstr(own, "hr@") != NULL;
}

enum frs_metric_unit frs_metric_unit(const char *name) {
    const struct {
        const char *end;
        enum frs_metric_unit unit;
    } ends[] = {{"_share", FRS_UNIT_NONE}, {"_per_s", FRS_UNIT_NONE}, {"_s", FRS_UNIT_TIME},
        {"bytes", FRS_UNIT_BYTES}, {"bytes_to_target", FRS_UNIT_BYTES}, {"flop", FRS_UNIT_FLOP},
        {"_j", FRS_UNIT_ENERGY}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends_with(name, ends[i].end))
            return ends[i].unit;
    bool is_bytes = starts_with(name, "bytes.") || starts_with(name, "nominal_bytes.");
    return is_bytes ? FRS_UNIT_BYTES : FRS_UNIT_NONE;
}
