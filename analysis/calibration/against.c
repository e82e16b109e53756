#include "analysis/calibration/against.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"
#include "sim/base/settings/units.h"

#include <math.h>
#include <stdlib.h>

static const double shares[3] = {0.1, 0.5, 0.9};

/* Sorted values have it on the line between two of them. */
static double quantile(const double *values, size_t n, double share) {
    double place = share * (double)(n - 1);
    size_t i = (size_t)place;
    return i + 1 < n ? values[i] + (place - (double)i) * (values[i + 1] - values[i]) : values[n - 1];
}

/* What each round of the log waited for; sorted. */
static double *slowest_of(const struct frs_log *log, size_t *n) {
    struct frs_log_groups rounds = frs_log_by_round(log);
    double *slowest = frs_alloc(rounds.n, sizeof *slowest);
    for (size_t i = 0; i < rounds.n; i++)
        for (size_t k = rounds.starts[i]; k < rounds.starts[i + 1]; k++)
            slowest[i] = fmax(slowest[i], log->rows[rounds.rows[k]].duration_s);
    *n = rounds.n;
    qsort(slowest, *n, sizeof *slowest, frs_compare_doubles);
    frs_log_groups_fini(&rounds);
    return slowest;
}

struct frs_rounds_beside frs_rounds_beside(const struct frs_log *log, double *run_s, size_t n) {
    struct frs_rounds_beside beside = {.n_run = n};
    double *logged = slowest_of(log, &beside.n_logged);
    qsort(run_s, n, sizeof *run_s, frs_compare_doubles);
    for (size_t i = 0; i < 3; i++) {
        beside.logged_s[i] = quantile(logged, beside.n_logged, shares[i]);
        beside.run_s[i] = quantile(run_s, n, shares[i]);
    }
    double each = 1 / (double)beside.n_logged, inner = shares[2] - shares[0],
           off = 1.96 * sqrt(inner * (1 - inner) * (each + 1 / (double)n));
    for (size_t i = 0; i < beside.n_logged; i++) {
        beside.below += logged[i] < beside.run_s[0] ? each : 0;
        beside.above += logged[i] > beside.run_s[2] ? each : 0;
    }
    beside.within = 1 - beside.below - beside.above;
    beside.low = fmax(inner - off, 0);
    beside.high = fmin(inner + off, 1);
    free(logged);
    return beside;
}

static void print_rounds(FILE *out, const char *what, size_t n, const double *quantiles) {
    char text[3][32];
    for (size_t i = 0; i < 3; i++)
        frs_units_format(quantiles[i], FRS_TIME, text[i], sizeof text[i]);
    fprintf(out, "  %-22s %zu; 10 %% up to %s, half up to %s, 90 %% up to %s\n", what, n, text[0], text[1],
        text[2]);
}

void frs_rounds_beside_print(const struct frs_rounds_beside *beside, FILE *out) {
    bool fits = beside->within >= beside->low && beside->within <= beside->high;
    print_rounds(out, "rounds of the log", beside->n_logged, beside->logged_s);
    print_rounds(out, "rounds of the run", beside->n_run, beside->run_s);
    fprintf(out,
        "  %-22s %.1f %% of the logged rounds lie where 80 %% of the run's do; %.1f %% are shorter, %.1f %% "
        "longer\n",
        "coverage", 100 * beside->within, 100 * beside->below, 100 * beside->above);
    fprintf(out, "  %-22s %.1f %% to %.1f %% is what chance allows: %s\n", "", 100 * beside->low,
        100 * beside->high,
        fits ? "the run's rounds are as long as the log's"
             : "the run's rounds are not those of the log (docs/calibration.md says what a log cannot tell)");
}
