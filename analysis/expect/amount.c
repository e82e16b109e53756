#include "analysis/expect/amount.h"
#include "analysis/statistics/metric_names.h"
#include "analysis/statistics/metrics.h"
#include "sim/base/decimal.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/settings/units.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From here on a value is also given in the larger units that people read. */
#define LARGE 1000.0

static bool read_joules(const char *text, double *value) {
    static const struct {
        const char *unit;
        double size;
    } units[] = {{"J", 1}, {"kJ", 1e3}, {"MJ", 1e6}};
    char *end;
    double number = frs_decimal_read(text, 1, 0, &end);
    for (size_t i = 0; end != text && i < sizeof units / sizeof *units; i++)
        if (strcmp(end + strspn(end, " "), units[i].unit) == 0 && isfinite(number * units[i].size)) {
            *value = number * units[i].size;
            return true;
        }
    return false;
}

static bool has_unit(const char *metric, const char *unit) {
    const struct frs_metric_entry *entry = frs_metric_find(metric);
    return entry && strcmp(entry->unit, unit) == 0;
}

char *frs_amount_metric(const char *metric, const char *text) {
    double share;
    char *of_share = frs_format("%s_share", metric);
    if (has_unit(metric, "count") && frs_percentage_read(text, &share) && !frs_decimal_is(text, &share) &&
        has_unit(of_share, "share"))
        return of_share;
    free(of_share);
    return frs_strdup(metric);
}

bool frs_amount_read(const char *metric, const char *text, double *value) {
    double quantity;
    if (frs_decimal_is(text, value))
        return true;
    switch (frs_metric_unit(metric)) {
    case FRS_UNIT_TIME:
        if (frs_units_parse(text, FRS_TIME, &quantity) != FRS_OK)
            return false;
        break;
    case FRS_UNIT_BYTES:
        if (frs_units_parse(text, FRS_BYTES, &quantity) != FRS_OK)
            return false;
        break;
    case FRS_UNIT_ENERGY:
        if (!read_joules(text, &quantity))
            return false;
        break;
    case FRS_UNIT_FLOP:
        return false;
    default:
        if (has_unit(metric, "count") || !frs_percentage_read(text, &quantity) || !isfinite(quantity))
            return false;
        quantity *= has_unit(metric, "%") ? 100 : 1;
    }
    *value = quantity;
    return true;
}

const char *frs_amount_units(const char *metric) {
    switch (frs_metric_unit(metric)) {
    case FRS_UNIT_TIME:
        return frs_units_allowed(FRS_TIME);
    case FRS_UNIT_BYTES:
        return frs_units_allowed(FRS_BYTES);
    case FRS_UNIT_ENERGY:
        return "J, kJ, MJ";
    case FRS_UNIT_FLOP:
        return "plain numbers";
    default:
        return has_unit(metric, "count") ? "plain numbers" : "plain numbers or %";
    }
}

char *frs_amount_describe(const char *metric, double value) {
    enum frs_metric_unit unit = frs_metric_unit(metric);
    char people[64];
    if (isinf(value))
        return frs_strdup("not reached");
    bool has_dimension = unit == FRS_UNIT_TIME || unit == FRS_UNIT_BYTES;
    if (has_dimension && fabs(value) >= LARGE)
        return frs_format("%.6g %s (%s)", value, unit == FRS_UNIT_TIME ? "s" : "B",
            frs_units_format(value, unit == FRS_UNIT_TIME ? FRS_TIME : FRS_BYTES, people, sizeof people));
    const char *const names[] = {[FRS_UNIT_NONE] = "",
        [FRS_UNIT_TIME] = " s",
        [FRS_UNIT_BYTES] = " B",
        [FRS_UNIT_FLOP] = " flop",
        [FRS_UNIT_ENERGY] = " J"};
    return frs_format("%.6g%s", value, names[unit]);
}
