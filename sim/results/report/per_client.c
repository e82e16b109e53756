#include "sim/results/report/per_client.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/settings/units.h"
#include "sim/ledger/client_periods.h"
#include "sim/results/json_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void set_figure(json_t *object, const char *kind, enum frs_client_figure figure, double value) {
    char *key = frs_format("%s_%s", kind, frs_client_figure_names[figure]);
    frs_json_set_real(object, key, value);
    free(key);
}

void frs_per_client_set(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_client_periods *periods = frs_ledger_periods(outputs->ledger);
    double period_s = outputs->setup->caps.period_s, end_s = frs_ledger_end_s(outputs->ledger);
    json_t *object = frs_json_add_object(root, "per_client");
    frs_json_set_real(object, "period_s", period_s);
    frs_json_set_real(object, "periods", end_s / period_s);
    for (enum frs_client_figure i = 0; i < FRS_N_CLIENT_FIGURES; i++) {
        struct frs_client_spread spread = frs_client_periods_spread(periods, i);
        set_figure(object, "mean", i, spread.mean);
        set_figure(object, "p95", i, spread.p95);
        set_figure(object, "max", i, spread.max);
    }
}

char *frs_per_client_line(const struct frs_outputs *outputs) {
    const struct frs_values *caps = frs_scenario_section(outputs->setup->scenario, "caps");
    bool asked = false;
    for (size_t i = 0; i < caps->n; i++)
        asked |= caps->values[i].given;
    if (!asked)
        return NULL;
    struct frs_client_spread spread =
        frs_client_periods_spread(frs_ledger_periods(outputs->ledger), FRS_CLIENT_BYTES);
    char mean[32], p95[32], max[32], period[32], run[32];
    double period_s = outputs->setup->caps.period_s, end_s = frs_ledger_end_s(outputs->ledger);
    bool is_part = end_s < period_s;
    return frs_format("in %s%s%s: %s on average, 95 %% of clients at most %s, one %s",
        frs_units_format(is_part ? end_s : period_s, FRS_TIME, run, sizeof run),
        is_part ? ", all of this run, out of " : "",
        is_part ? frs_units_format(period_s, FRS_TIME, period, sizeof period) : "",
        frs_units_format(spread.mean, FRS_BYTES, mean, sizeof mean),
        frs_units_format(spread.p95, FRS_BYTES, p95, sizeof p95),
        frs_units_format(spread.max, FRS_BYTES, max, sizeof max));
}
