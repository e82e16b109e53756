#include "platforms/chains/curve.h"
#include "platforms/chains/share_chain.h"
#include "platforms/data/fedscale_availability.h"
#include "sim/base/decimal.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------- */

static void fedscale(double share[FRS_DAY_HOURS]) {
    for (size_t hour = 0; hour < FRS_FEDSCALE_HOURS; hour++)
        share[hour % FRS_DAY_HOURS] +=
            frs_fedscale_available_percent[hour] / 100 * FRS_DAY_HOURS / FRS_FEDSCALE_HOURS;
}

/* A number from 0 to 1, or a percentage, and nothing else but blanks. */
static bool read_share(char *text, double *share) {
    text += strspn(text, " \t");
    for (size_t length = strlen(text); length > 0 && strchr(" \t", text[length - 1]); length--)
        text[length - 1] = '\0';
    char *end;
    if (!frs_percentage_read(text, share)) {
        *share = frs_decimal_read(text, 1, 0, &end);
        if (end == text || *end)
            return false;
    }
    return *share >= 0 && *share <= 1;
}

bool frs_curve_read(const struct frs_values *values, const char *key, const char *name,
    const double named[FRS_DAY_HOURS], double share[FRS_DAY_HOURS], struct frs_errors *errors) {
    const char *text = frs_values_text(values, key);
    memset(share, 0, FRS_DAY_HOURS * sizeof *share);
    if (strcmp(text, name) == 0) {
        if (named)
            memcpy(share, named, FRS_DAY_HOURS * sizeof *share);
        else
            fedscale(share);
        return true;
    }
    char *copy = frs_strdup(text), *rest = copy, *field, shown[48];
    size_t n = 0;
    bool good = true;
    while (good && (field = strsep(&rest, ","))) {
        double value;
        good = read_share(field, &value);
        if (!good)
            frs_values_error(values, key, errors,
                "\"%s\" at position %zu is not a share; allowed: \"%s\", or 24 numbers from 0 to 1 "
                "(or percentages) separated by commas",
                frs_text_line(field, shown, sizeof shown), n + 1, name);
        else if (n < FRS_DAY_HOURS)
            share[n] = fmin(fmax(value, FRS_SHARE_EDGE), 1 - FRS_SHARE_EDGE);
        n++;
    }
    free(copy);
    if (good && n != FRS_DAY_HOURS) {
        frs_values_error(values, key, errors,
            "has %zu number%s; allowed: \"%s\", or 24 numbers from 0 to 1 (or percentages) separated "
            "by commas",
            n, n == 1 ? "" : "s", name);
        good = false;
    }
    return good;
}

/* ---- spreading over clients ------------------------------------------------------------------ */

/* The groups' shares of the whole time, each the mean over an equal part of FedScale's devices, ascending. */
static void propensities(double share[FRS_PROPENSITIES]) {
    double total = 0, below = 0;
    for (size_t i = 0; i < FRS_FEDSCALE_TOTALS; i++)
        total += frs_fedscale_total_hours_density[i];
    for (size_t g = 0; g < FRS_PROPENSITIES; g++)
        share[g] = 0;
    /* Bin i holds the devices from `below` to `above` in the order of availability. */
    for (size_t i = 0; i < FRS_FEDSCALE_TOTALS; i++) {
        double above = below + frs_fedscale_total_hours_density[i] / total;
        double hours = fmin((double)i + 0.5, FRS_FEDSCALE_HOURS);
        for (size_t g = 0; g < FRS_PROPENSITIES; g++) {
            double low = fmax(below, (double)g / FRS_PROPENSITIES);
            double high = fmin(above, (double)(g + 1) / FRS_PROPENSITIES);
            share[g] += fmax(high - low, 0) * FRS_PROPENSITIES * hours / FRS_FEDSCALE_HOURS;
        }
        below = above;
    }
}

static double with_odds(double share, double log_factor) {
    return 1 / (1 + (1 - share) / share * exp(-log_factor));
}

static double mean_with_odds(const double share[FRS_PROPENSITIES], double log_factor) {
    double sum = 0;
    for (size_t g = 0; g < FRS_PROPENSITIES; g++)
        sum += with_odds(share[g], log_factor);
    return sum / FRS_PROPENSITIES;
}

void frs_curve_split(const double share[FRS_DAY_HOURS], double split[FRS_PROPENSITIES][FRS_DAY_HOURS]) {
    double propensity[FRS_PROPENSITIES];
    propensities(propensity);
    for (size_t hour = 0; hour < FRS_DAY_HOURS; hour++) {
        double low = -60, high = 60; /* the mean grows with the factor */
        for (int step = 0; step < 100; step++) {
            double middle = (low + high) / 2;
            if (mean_with_odds(propensity, middle) < share[hour])
                low = middle;
            else
                high = middle;
        }
        for (size_t g = 0; g < FRS_PROPENSITIES; g++)
            split[g][hour] = with_odds(propensity[g], low);
    }
}
