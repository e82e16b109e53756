#include "sim/forecast/caps_forecast.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/settings/units.h"

#include <math.h>
#include <stdlib.h>

static bool is_asked_for(const struct frs_setup *setup) {
    const struct frs_values *caps = frs_scenario_section(setup->scenario, "caps");
    for (size_t i = 0; i < caps->n; i++)
        if (caps->values[i].given)
            return true;
    return false;
}

static double connecting_bytes(const struct frs_setup *setup) {
    if (!frs_network_connects(&setup->network))
        return 0;
    const struct frs_connecting connecting = frs_connecting(setup->network.connection);
    return (double)(connecting.down_bytes + connecting.up_bytes);
}

/* Clients that are held back have to wait for the next period: with so many participations of each in a
 * period, the run takes so long at least. */
static double least_s(const struct frs_setup *setup, double participations, double each_bytes) {
    double fit = floor(setup->caps.bytes / each_bytes),
           periods = participations / setup->training.data->population.n_clients / fmax(fit, 1);
    return floor(periods) * setup->caps.period_s;
}

char *frs_caps_forecast(const struct frs_setup *setup, const struct frs_forecast *forecast) {
    if (!is_asked_for(setup) || !forecast->known || !(forecast->n_entered > 0))
        return NULL;
    const struct frs_traffic *traffic = &forecast->traffic;
    const struct frs_caps *caps = &setup->caps;
    double n_clients = setup->training.data->population.n_clients, run_s = forecast->simulated.middle_s,
           in_period = fmin(1, caps->period_s / run_s),
           n = forecast->participations / forecast->n_entered * forecast->simulated.n_rounds,
           more = n * connecting_bytes(setup), each = (traffic->middle_bytes + more) / fmax(n, 1),
           mean = (traffic->middle_bytes + more) / n_clients * in_period;
    char text[6][64];
    frs_units_format(caps->period_s, FRS_TIME, text[0], sizeof text[0]);
    frs_units_format(caps->bytes, FRS_BYTES, text[1], sizeof text[1]);
    frs_units_format(each, FRS_BYTES, text[2], sizeof text[2]);
    if (mean > caps->bytes) {
        frs_units_format(fmax(least_s(setup, n, each), run_s), FRS_TIME, text[3], sizeof text[3]);
        return frs_format("spends its cap of %s in %s, on %.0f participations of about %s: clients are held "
                          "back, and the run takes %s at least",
            text[1], text[0], floor(caps->bytes / each), text[2], text[3]);
    }
    char *cap = isfinite(caps->bytes) ? frs_format(", of %s that it may", text[1]) : frs_strdup("");
    char *line = frs_format("takes %s in %s on average, between %s and %s%s",
        frs_units_format(mean, FRS_BYTES, text[3], sizeof text[3]), text[0],
        frs_units_format(
            (traffic->low_bytes + more) / n_clients * in_period, FRS_BYTES, text[4], sizeof text[4]),
        frs_units_format(
            (traffic->high_bytes + more) / n_clients * in_period, FRS_BYTES, text[5], sizeof text[5]),
        cap);
    free(cap);
    return line;
}
