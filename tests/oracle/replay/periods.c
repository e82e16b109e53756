/* What clients took in periods of time: per_client of summary.json. */
#include "checks.h"
#include "states.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES, ENERGY, BUSY, PARTS, METERED_BYTES, N_FIGURES };
static const char *const names[N_FIGURES] = {
    "bytes", "energy_j", "busy_s", "participations", "metered_bytes"};

/* From its first message on until all it does has ended. */
static double busy_s(const struct part *part) {
    double from_s = NAN, to_s = part_end_s(part);
    for (size_t i = part->n_phases; i-- > 0;)
        if (part->phases[i].kind != ENCODE && part->phases[i].kind != CONTACT)
            from_s = part->phases[i].t0_s;
    if (part->works_on)
        to_s = fmax(to_s, part->post.t1_s);
    if (part->delivery)
        to_s = fmax(to_s, part_end_s(part->delivery));
    return to_s > from_s ? to_s - from_s : 0;
}

double bytes_of(const struct part *part) {
    double bytes = 0;
    for (size_t i = 0; i < part->n_phases; i++)
        bytes += part->phases[i].bytes;
    return bytes + (part->delivery ? bytes_of(part->delivery) : 0);
}

/* NaN: how much of it crossed before the link changed is not known. */
double metered_bytes_of(const struct run *run, const struct part *part) {
    double sum = 0;
    for (int up = 0; up < 2; up++) {
        double least, most;
        metered_of(run, part, up, &least, &most);
        sum += least == most ? least : NAN;
    }
    return sum;
}

static void add(double *figures, const struct run *run, const struct part *part) {
    bool idle = last_phase(part)->kind == ENCODE || part_phase(part, CONTACT) || part->outcome == REFUSED;
    figures[BYTES] += bytes_of(part);
    figures[ENERGY] += energy_of(run, part);
    figures[BUSY] += idle ? 0 : busy_s(part);
    figures[PARTS] += !idle;
    figures[METERED_BYTES] += metered_bytes_of(run, part);
}

double period_at(double time_s, double period_s) {
    return floor(time_s / period_s * (1 + 1e-14));
}

/* Its first phase begins when it is selected. */
static size_t period_of(const struct part *part, double period_s) {
    return (size_t)period_at(part->phases[0].t0_s, period_s);
}

static void check_figure(
    struct report *report, const struct run *run, size_t figure, const double *most, size_t n) {
    const json_t *told = json_object_get(run->summary, "per_client");
    double *sorted = calloc(n, sizeof *sorted), sum = 0;
    char key[64];
    if (!sorted)
        abort();
    for (size_t i = 0; i < n; i++)
        sum += sorted[i] = most[i * N_FIGURES + figure];
    if (isnan(sum)) {
        free(sorted);
        return;
    }
    qsort(sorted, n, sizeof *sorted, ascending);
    const double expected[] = {sum / (double)n, sorted[(95 * n + 99) / 100 - 1], sorted[n - 1]};
    static const char *const kinds[] = {"mean", "p95", "max"};
    for (int i = 0; i < 3; i++) {
        snprintf(key, sizeof key, "%s_%s", kinds[i], names[figure]);
        same_amount(report, key, expected[i], json_number_value(json_object_get(told, key)));
    }
    free(sorted);
}

void check_periods(struct report *report, const struct run *run) {
    double period_s = scenario_number(&run->scenario, "caps.period"), end_s = 0;
    size_t n = run->clients.n_rows;
    for (size_t i = 0; i < run->n_parts; i++)
        end_s = fmax(end_s, run->parts[i].phases[0].t0_s);
    size_t n_periods = (size_t)period_at(end_s, period_s) + 1;
    double *sums = calloc(n * n_periods * N_FIGURES, sizeof *sums),
           *most = calloc(n * N_FIGURES, sizeof *most);
    if (!sums || !most)
        abort();
    for (size_t i = 0; i < run->n_parts; i++) {
        const struct part *part = run->parts + i;
        add(sums + (part->client * n_periods + period_of(part, period_s)) * N_FIGURES, run, part);
    }
    for (size_t i = 0; i < n * n_periods * N_FIGURES; i++) {
        size_t at = i / (n_periods * N_FIGURES) * N_FIGURES + i % N_FIGURES;
        most[at] = isnan(sums[i]) ? NAN : isnan(most[at]) ? NAN : fmax(most[at], sums[i]);
    }
    for (size_t figure = 0; figure < N_FIGURES; figure++)
        check_figure(report, run, figure, most, n);
    free(sums);
    free(most);
}
