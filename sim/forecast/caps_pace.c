#include "sim/forecast/caps_pace.h"
#include "sim/forecast/extent.h"

#include <math.h>

/* Clients that are drawn at random do not take part equally often. The client with the most participations
 * is taken to have this many standard deviations of a Poisson distribution, and one participation, above
 * the mean. */
#define DEVIATIONS 3

struct frs_caps_each frs_caps_each(const struct frs_pilot_round *last) {
    double n = last->participations > 0 ? last->participations : NAN;
    double bytes = (last->down_bytes + last->up_bytes + last->setup_bytes) / n;
    return (struct frs_caps_each){
        .bytes = bytes, .energy_j = last->energy_j / n, .metered_bytes = last->metered_bytes > 0 ? bytes : 0};
}

/* A participation that is smaller than the mean may fit once more. */
double frs_caps_fit(const struct frs_caps *caps, const struct frs_caps_each *each) {
    double fit = INFINITY;
    if (isfinite(caps->bytes) && each->bytes > 0)
        fit = fmin(fit, floor(caps->bytes / each->bytes));
    if (isfinite(caps->energy_j) && each->energy_j > 0)
        fit = fmin(fit, floor(caps->energy_j / each->energy_j));
    if (isfinite(caps->metered_bytes) && each->metered_bytes > 0)
        fit = fmin(fit, floor(caps->metered_bytes / each->metered_bytes));
    return fmax(fit, 1);
}

/* How often the client that is selected most takes part in a period. A selection with preferences may
 * select the same client in every round. */
static double most_in_period(const struct frs_setup *setup, const struct frs_pilot_round *last,
    const struct frs_extrapolation *extrapolation) {
    double round_s = extrapolation->middle_s / extrapolation->n_rounds,
           rounds = fmin(setup->caps.period_s / round_s, extrapolation->n_rounds),
           mean = rounds * last->participations / fmax(last->n_entered, 1) /
                  setup->training.data->population.n_clients;
    bool prefers = setup->selection->observes || setup->selection->uses_samples;
    return prefers ? rounds : fmin(mean + DEVIATIONS * sqrt(mean) + 1, rounds);
}

bool frs_caps_may_bind(const struct frs_setup *setup, const struct frs_pilot_round *last,
    const struct frs_extrapolation *extrapolation) {
    const struct frs_caps_each each = frs_caps_each(last);
    return frs_caps_limit(&setup->caps) && last->participations > 0 && extrapolation->middle_s > 0 &&
           most_in_period(setup, last, extrapolation) > frs_caps_fit(&setup->caps, &each);
}

void frs_caps_widen(
    const struct frs_setup *setup, const struct frs_pilot *played, struct frs_extrapolation *extrapolation) {
    const struct frs_pilot_round *last = &played->rounds[played->n - 1];
    const struct frs_caps_each each = frs_caps_each(last);
    double left = extrapolation->n_rounds - (double)played->n;
    if (left <= 0 || !frs_caps_may_bind(setup, last, extrapolation))
        return;
    double in_period = frs_caps_fit(&setup->caps, &each) * setup->training.data->population.n_clients /
                       fmax(frs_extent_per_round(setup), 1),
           periods = ceil(left / fmax(floor(in_period), 1));
    extrapolation->high_s =
        fmax(extrapolation->high_s, last->simulated_s + periods * setup->caps.period_s +
                                        left * extrapolation->middle_s / extrapolation->n_rounds);
}
