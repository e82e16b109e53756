#include "analysis/statistics/detection.h"
#include "sim/base/settings/units.h"

#include <math.h>

void frs_detection_add(struct frs_detection *detection, const struct frs_metrics *run) {
    double detect_s = frs_metrics_get(run, "detection.detect_s"),
           retries = frs_metrics_get(run, "retry.retries");
    if (retries > 0) {
        detection->n_retried++;
        detection->retries += retries;
    }
    if (isnan(detect_s))
        return;
    detection->shortest_s = detection->n ? fmin(detection->shortest_s, detect_s) : detect_s;
    detection->longest_s = detection->n ? fmax(detection->longest_s, detect_s) : detect_s;
    detection->n++;
}

static void print_retries(const struct frs_detection *detection, FILE *out) {
    if (detection->n_retried > 0)
        fprintf(out, "Connections that broke were opened anew: %.0f times in %zu run%s (failures.retry).\n",
            detection->retries, detection->n_retried, detection->n_retried == 1 ? "" : "s");
}

void frs_detection_print(const struct frs_detection *detection, FILE *out) {
    char shortest[64], longest[64];
    print_retries(detection, out);
    if (detection->n == 0)
        return;
    frs_units_format(detection->shortest_s, FRS_TIME, shortest, sizeof shortest);
    frs_units_format(detection->longest_s, FRS_TIME, longest, sizeof longest);
    if (detection->shortest_s == detection->longest_s)
        fprintf(out, "Clients were lost; the server is assumed to notice after %s (failures.detect).\n",
            shortest);
    else
        fprintf(out, "Clients were lost; the server is assumed to notice after %s to %s (failures.detect).\n",
            shortest, longest);
}
