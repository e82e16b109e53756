/* Caps, as the documentation has them. A client can be selected if what it has spent in the period and what
 * is expected of one more participation fit; expected is the mean of its own participations that ran to their
 * end. Of clients that have had none the mean of all is, and before that what the method's messages take:
 * whether these could be selected is not judged here. */
#include "checks.h"

#include <math.h>
#include <stdlib.h>

struct kind {
    const char *key, *cap, *excess, *error;
    double (*of)(const struct run *run, const struct part *part);
};

static double bytes(const struct run *run, const struct part *part) {
    (void)run;
    return bytes_of(part);
}

static const struct kind kinds[] = {
    {"caps.bytes", "bytes", "most_excess_bytes", "most_error_bytes", bytes},
    {"caps.energy", "energy_j", "most_excess_j", "most_error_j", energy_of},
};

struct account {
    double period, spent, sum; /* sum over n participations that ran to their end */
    size_t n;
};

/* Participations of one client are in the order in which they were selected, except that under buffered_async
 * rows go by ends; the ends of one client are in order as well. */
static void check_kind(struct report *report, const struct run *run, const struct kind *kind) {
    double cap = scenario_number(&run->scenario, kind->key), excess = 0, error = 0,
           period_s = scenario_number(&run->scenario, "caps.period");
    const json_t *told = json_object_get(run->summary, "caps");
    struct account *accounts = calloc(run->clients.n_rows, sizeof *accounts);
    if (!accounts)
        abort();
    for (size_t i = 0; i < run->n_parts; i++) {
        const struct part *part = run->parts + i;
        struct account *account = accounts + part->client;
        double selected_s = part->phases[0].t0_s, period = floor(selected_s / period_s),
               took = kind->of(run, part);
        account->spent = account->period == period ? account->spent : 0;
        account->period = period;
        if (account->n > 0) {
            double expected = account->sum / (double)account->n;
            error = fmax(error, took - expected);
            must(report, part, account->spent + expected <= cap * (1 + 1e-9),
                "selected with %.9g spent, %.9g expected, and %s of %.9g", account->spent, expected,
                kind->key, cap);
        }
        account->spent += took;
        excess = fmax(excess, account->spent - cap);
        if (arrived(part)) {
            account->sum += took;
            account->n++;
        }
    }
    double told_error = json_number_value(json_object_get(told, kind->error));
    same_amount(report, kind->key, cap, json_number_value(json_object_get(told, kind->cap)));
    same_amount(
        report, kind->excess, fmax(excess, 0), json_number_value(json_object_get(told, kind->excess)));
    must(report, NULL, excess <= told_error * (1 + 1e-9) + 1e-9, "%s: %.9g above, and an error of %.9g told",
        kind->key, excess, told_error);
    must(report, NULL, error <= told_error * (1 + 1e-9) + 1e-9, "%s: an error of %.9g, and %.9g told",
        kind->key, error, told_error);
    free(accounts);
}

bool has_caps(const struct run *run) {
    bool has = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        has |= isfinite(scenario_number(&run->scenario, kinds[i].key));
    return has;
}

void check_caps(struct report *report, const struct run *run) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (isfinite(scenario_number(&run->scenario, kinds[i].key)))
            check_kind(report, run, &kinds[i]);
}
