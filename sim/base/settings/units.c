#include "sim/base/settings/units.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct prefix {
    const char *text;
    double factor;
} prefixes[] = {
    {"Ki", 0x1p10},
    {"Mi", 0x1p20},
    {"Gi", 0x1p30},
    {"Ti", 0x1p40}, /* before k, M, G, T */
    {"k", 1e3},
    {"M", 1e6},
    {"G", 1e9},
    {"T", 1e12},
    {"", 1},
};

static const struct unit {
    enum frs_dimension dimension;
    const char *text;
    double factor;
    int takes_prefix;
} units[] = {
    {FRS_TIME, "ns", 1e-9, 0},
    {FRS_TIME, "us", 1e-6, 0},
    {FRS_TIME, "ms", 1e-3, 0},
    {FRS_TIME, "s", 1, 0},
    {FRS_TIME, "min", 60, 0},
    {FRS_TIME, "h", 3600, 0},
    {FRS_TIME, "d", 86400, 0},
    {FRS_BYTES, "bit", 0.125, 1},
    {FRS_BYTES, "B", 1, 1},
    {FRS_RATE, "bit/s", 0.125, 1},
    {FRS_RATE, "B/s", 1, 1},
    {FRS_SPEED, "flop/s", 1, 1},
    {FRS_POWER, "mW", 1e-3, 0},
    {FRS_POWER, "W", 1, 0},
    {FRS_POWER, "kW", 1e3, 0},
    {FRS_ENERGY_PER_BYTE, "nJ/B", 1e-9, 0},
    {FRS_ENERGY_PER_BYTE, "uJ/B", 1e-6, 0},
    {FRS_ENERGY_PER_BYTE, "mJ/B", 1e-3, 0},
    {FRS_ENERGY_PER_BYTE, "J/B", 1, 0},
    {FRS_ENERGY_PER_BYTE, "nJ/bit", 8e-9, 0},
    {FRS_ENERGY_PER_BYTE, "uJ/bit", 8e-6, 0},
};

static int unit_factor(const char *text, enum frs_dimension dimension, double *factor) {
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        if (units[u].dimension != dimension)
            continue;
        for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
            size_t length = strlen(prefixes[p].text);
            if (length > 0 && !units[u].takes_prefix)
                continue;
            if (strncmp(text, prefixes[p].text, length) == 0 && strcmp(text + length, units[u].text) == 0) {
                *factor = prefixes[p].factor * units[u].factor;
                return 1;
            }
        }
    }
    return 0;
}

/* Far beyond anything that exists, and small enough for sums and products of a whole run to stay exact enough:
 * a date of 1e9 s (30 years) is still told from the next one a microsecond later. */
double frs_units_most(enum frs_dimension dimension) {
    static const double most[] = {[FRS_TIME] = 1e9,
        [FRS_BYTES] = 1e18,           /* an exabyte */
        [FRS_RATE] = 1e15,            /* all undersea cables together */
        [FRS_SPEED] = 1e21,           /* a thousand of the fastest computers */
        [FRS_POWER] = 1e9,            /* a power station */
        [FRS_ENERGY_PER_BYTE] = 1e3}; /* a thousand times the worst satellite link */
    return most[dimension];
}

static enum frs_status read_quantity(const char *text, enum frs_dimension dimension, double *value) {
    char *end;
    if (!*text || !strchr("0123456789.+-", *text)) /* strtod would take "inf", "nan" and leading space */
        return FRS_ERR_INPUT;
    double number = strtod(text, &end);
    if (end == text || strpbrk(text, "xX") || !isfinite(number))
        return FRS_ERR_INPUT;
    while (*end == ' ')
        end++;
    double factor;
    if (!unit_factor(end, dimension, &factor) || !isfinite(number * factor))
        return FRS_ERR_INPUT;
    *value = number * factor;
    return FRS_OK;
}

bool frs_units_fit(const char *text, enum frs_dimension dimension) {
    double value;
    return read_quantity(text, dimension, &value) == FRS_OK;
}

enum frs_status frs_units_parse(const char *text, enum frs_dimension dimension, double *value) {
    double read;
    if (read_quantity(text, dimension, &read) != FRS_OK || fabs(read) > frs_units_most(dimension))
        return FRS_ERR_INPUT;
    *value = read;
    return FRS_OK;
}

const char *frs_units_allowed(enum frs_dimension dimension) {
    switch (dimension) {
    case FRS_TIME:
        return "ns, us, ms, s, min, h, d";
    case FRS_BYTES:
        return "B, kB, MB, GB, KiB, MiB, GiB, bit, kbit, Mbit";
    case FRS_RATE:
        return "bit/s, kbit/s, Mbit/s, Gbit/s, B/s, kB/s, MB/s, KiB/s, MiB/s";
    case FRS_SPEED:
        return "flop/s, Mflop/s, Gflop/s, Tflop/s";
    case FRS_POWER:
        return "mW, W, kW";
    case FRS_ENERGY_PER_BYTE:
        return "nJ/B, uJ/B, mJ/B, J/B, nJ/bit, uJ/bit";
    }
    return "";
}

const char *frs_units_si(enum frs_dimension dimension) {
    static const char *const names[] = {[FRS_TIME] = "s",
        [FRS_BYTES] = "bytes",
        [FRS_RATE] = "bytes/s",
        [FRS_SPEED] = "flop/s",
        [FRS_POWER] = "W",
        [FRS_ENERGY_PER_BYTE] = "J/B"};
    return names[dimension];
}

static char *format_time(double value_s, char *text, size_t size) {
    double magnitude = fabs(value_s);
    if (magnitude >= 172800)
        snprintf(text, size, "%.1f d", value_s / 86400);
    else if (magnitude >= 7200)
        snprintf(text, size, "%.2f h", value_s / 3600);
    else if (magnitude >= 120)
        snprintf(text, size, "%.2f min", value_s / 60);
    else if (magnitude >= 1 || magnitude == 0)
        snprintf(text, size, "%.2f s", value_s);
    else if (magnitude >= 1e-3)
        snprintf(text, size, "%.2f ms", value_s * 1e3);
    else
        snprintf(text, size, "%.2f us", value_s * 1e6);
    return text;
}

char *frs_units_format(double value, enum frs_dimension dimension, char *text, size_t size) {
    if (dimension == FRS_TIME)
        return format_time(value, text, size);
    if (dimension == FRS_POWER || dimension == FRS_ENERGY_PER_BYTE) {
        snprintf(text, size, "%.4g %s", value, frs_units_si(dimension));
        return text;
    }
    static const char *const powers[] = {"", "k", "M", "G", "T"};
    const char *unit = dimension == FRS_BYTES ? "B" : dimension == FRS_RATE ? "bit/s" : "flop/s";
    if (dimension == FRS_RATE)
        value *= 8;
    int power = 0;
    while (fabs(value) >= 1000 && power < 4) {
        value /= 1000;
        power++;
    }
    snprintf(text, size, power ? "%.2f %s%s" : "%.4g %s%s", value, powers[power], unit);
    return text;
}
