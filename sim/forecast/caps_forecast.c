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

/* A run that is shorter than a period has one. */
static double share_of_run(const struct frs_setup *setup, double run_s) {
    return run_s > setup->caps.period_s ? setup->caps.period_s / run_s : 1;
}

/* What connecting adds to messages: the same share in the run as in the rounds played, the last of which
 * may not have been entered yet. If all rounds of the run were played, it is their total. */
static double with_connecting(const struct frs_setup *setup, const struct frs_forecast *forecast) {
    const struct frs_load_forecast *load = &forecast->load;
    if (!frs_network_connects(&setup->network))
        return 1;
    if (forecast->is_whole)
        return (load->down_bytes.middle + load->up_bytes.middle) / fmax(forecast->traffic.middle_bytes, 1);
    return 1 + forecast->setup_bytes / fmax(forecast->down_bytes + forecast->up_bytes, 1);
}

struct frs_spent_range frs_spent_range(const struct frs_setup *setup, const struct frs_forecast *forecast) {
    const struct frs_traffic *traffic = &forecast->traffic;
    const struct frs_extrapolation *run = &forecast->simulated;
    double n_clients = setup->training.data->population.n_clients,
           connecting = with_connecting(setup, forecast);
    if (!forecast->known || !(forecast->n_entered > 0))
        return (struct frs_spent_range){NAN, NAN, NAN};
    return (struct frs_spent_range){
        .low = traffic->low_bytes * connecting / n_clients * share_of_run(setup, run->high_s),
        .middle = traffic->middle_bytes * connecting / n_clients * share_of_run(setup, run->middle_s),
        .high = traffic->high_bytes * connecting / n_clients * share_of_run(setup, run->low_s)};
}

static char *format(double value, enum frs_dimension dimension, char text[64]) {
    frs_units_format(value, dimension, text, 64);
    return text;
}

/* What else is known of clients where the whole run was simulated, and where it was not. */
static char *which_clients(const struct frs_setup *setup, const struct frs_forecast *forecast) {
    const struct frs_pilot_spending *spending = &forecast->spending;
    char p95[64];
    if (!forecast->is_whole)
        return forecast->may_bind ? frs_strdup("; clients are likely to be held back in rounds that were not "
                                               "simulated, for which the ranges have room")
                                  : frs_strdup("");
    if (!frs_caps_limit(&setup->caps))
        return frs_format("; 95 %% of clients take %s at most", format(spending->bytes.p95, FRS_BYTES, p95));
    return frs_format("; 95 %% of clients take %s at most, and %u of %u are held back",
        format(spending->bytes.p95, FRS_BYTES, p95), spending->held_back,
        setup->training.data->population.n_clients);
}

char *frs_caps_forecast(const struct frs_setup *setup, const struct frs_forecast *forecast) {
    const struct frs_spent_range spent = frs_spent_range(setup, forecast);
    const struct frs_caps *caps = &setup->caps;
    char text[5][64];
    if (!is_asked_for(setup) || isnan(spent.middle))
        return NULL;
    char *cap = isfinite(caps->bytes)
                    ? frs_format(", of %s that it may", format(caps->bytes, FRS_BYTES, text[0]))
                    : frs_strdup(""),
         *clients = which_clients(setup, forecast);
    char *line = frs_format("takes %s in %s on average, between %s and %s%s%s",
        format(spent.middle, FRS_BYTES, text[1]), format(caps->period_s, FRS_TIME, text[2]),
        format(spent.low, FRS_BYTES, text[3]), format(spent.high, FRS_BYTES, text[4]), cap, clients);
    free(clients);
    free(cap);
    return line;
}
