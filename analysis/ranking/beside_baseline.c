#include "analysis/ranking/beside_baseline.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* A difference of means that is less than this part of them comes from the order of additions. */
static const double SUMS_ROUND_BY = 1e-9;

struct frs_beside_baseline frs_beside_baseline(const struct frs_ranking *ranking, size_t entry) {
    struct frs_beside_baseline beside = {.value = 0, .bar = 0};
    const struct frs_replicates *runs = ranking->list[entry].runs;
    if (!ranking->quality)
        return beside;
    const char *baseline = ranking->lower ? "item_mean" : "popularity";
    char *metric = frs_format("non_federated.%s.%s", baseline, ranking->quality);
    size_t n = 0;
    for (size_t i = 0; i < runs->n; i++) {
        double value = frs_metrics_get(runs->list[i].metrics, ranking->quality),
               bar = frs_metrics_get(runs->list[i].metrics, metric);
        if (!isfinite(value) || !isfinite(bar))
            continue;
        beside.value += value;
        beside.bar += bar;
        n++;
    }
    free(metric);
    if (n == 0)
        return beside;
    beside.baseline = baseline;
    beside.value /= (double)n;
    beside.bar /= (double)n;
    double ahead = ranking->lower ? beside.bar - beside.value : beside.value - beside.bar;
    beside.better = ahead > SUMS_ROUND_BY * fabs(beside.bar);
    return beside;
}

bool frs_is_no_better(const struct frs_beside_baseline *beside) {
    return beside->baseline && !beside->better;
}
