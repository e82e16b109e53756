#include "sim/base/settings/units.h"
#include "sim/base/decimal.h"

#include <math.h>
#include <string.h>

/* A factor is kept as its components, times * 10^ten * 2^two, so that a number with its unit is rounded
 * only once: "50000 us" and "50 ms" are then the same double. */
static const struct prefix {
    const char *text;
    int ten, two;
} prefixes[] = {
    {"Ki", 0, 10},
    {"Mi", 0, 20},
    {"Gi", 0, 30},
    {"Ti", 0, 40}, /* before k, M, G, T */
    {"k", 3, 0},
    {"M", 6, 0},
    {"G", 9, 0},
    {"T", 12, 0},
    {"", 0, 0},
};

static const struct unit {
    enum frs_dimension dimension;
    const char *text;
    unsigned times;
    int ten, two;
    bool takes_prefix;
} units[] = {
    {FRS_TIME, "ns", 1, -9, 0, false},
    {FRS_TIME, "us", 1, -6, 0, false},
    {FRS_TIME, "ms", 1, -3, 0, false},
    {FRS_TIME, "s", 1, 0, 0, false},
    {FRS_TIME, "min", 60, 0, 0, false},
    {FRS_TIME, "h", 3600, 0, 0, false},
    {FRS_TIME, "d", 86400, 0, 0, false},
    {FRS_BYTES, "bit", 1, 0, -3, true},
    {FRS_BYTES, "B", 1, 0, 0, true},
    {FRS_RATE, "bit/s", 1, 0, -3, true},
    {FRS_RATE, "B/s", 1, 0, 0, true},
    {FRS_RATE, "bps", 1, 0, -3, true}, /* as operators, logs and SimGrid write them */
    {FRS_RATE, "Bps", 1, 0, 0, true},
    {FRS_SPEED, "flop/s", 1, 0, 0, true},
    {FRS_POWER, "mW", 1, -3, 0, false},
    {FRS_POWER, "W", 1, 0, 0, false},
    {FRS_POWER, "kW", 1, 3, 0, false},
    {FRS_ENERGY_PER_BYTE, "nJ/B", 1, -9, 0, false},
    {FRS_ENERGY_PER_BYTE, "uJ/B", 1, -6, 0, false},
    {FRS_ENERGY_PER_BYTE, "mJ/B", 1, -3, 0, false},
    {FRS_ENERGY_PER_BYTE, "J/B", 1, 0, 0, false},
    {FRS_ENERGY_PER_BYTE, "nJ/bit", 1, -9, 3, false},
    {FRS_ENERGY_PER_BYTE, "uJ/bit", 1, -6, 3, false},
    {FRS_ENERGY, "mJ", 1, -3, 0, false},
    {FRS_ENERGY, "J", 1, 0, 0, false},
    {FRS_ENERGY, "kJ", 1, 3, 0, false},
    {FRS_ENERGY, "MJ", 1, 6, 0, false},
    {FRS_ENERGY, "Wh", 3600, 0, 0, false},
    {FRS_FLOP, "flop", 1, 0, 0, true},
};

/* Whether this is a unit of the dimension; *unit receives it with its prefix. */
static bool find_unit(const char *text, enum frs_dimension dimension, struct unit *unit) {
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        if (units[u].dimension != dimension)
            continue;
        for (size_t p = 0; p < sizeof prefixes / sizeof *prefixes; p++) {
            size_t length = strlen(prefixes[p].text);
            if (length > 0 && !units[u].takes_prefix)
                continue;
            if (strncmp(text, prefixes[p].text, length) == 0 && strcmp(text + length, units[u].text) == 0) {
                *unit = units[u];
                unit->ten += prefixes[p].ten;
                unit->two += prefixes[p].two;
                return true;
            }
        }
    }
    return false;
}

/* These bounds are far beyond anything that exists, yet small enough for sums and products over a whole
 * run to stay exact enough: a time of 1e9 s (30 years) still differs from one a microsecond later. */
double frs_units_most(enum frs_dimension dimension) {
    static const double most[] = {[FRS_TIME] = 1e9,
        [FRS_BYTES] = 1e18,          /* an exabyte */
        [FRS_RATE] = 1e15,           /* all undersea cables together */
        [FRS_SPEED] = 1e21,          /* a thousand of the fastest computers */
        [FRS_POWER] = 1e9,           /* a power station */
        [FRS_ENERGY_PER_BYTE] = 1e3, /* a thousand times the worst satellite link */
        [FRS_ENERGY] = 1e18,         /* what a large power station makes in thirty years */
        [FRS_FLOP] = 1e27};          /* ten times what training the largest models took */
    return most[dimension];
}

static enum frs_status read_quantity(const char *text, enum frs_dimension dimension, double *value) {
    char *end;
    struct unit unit;
    (void)frs_decimal_read(text, 1, 0, &end);
    if (end == text || !find_unit(end + strspn(end, " "), dimension, &unit))
        return FRS_ERR_INPUT;
    double number = ldexp(frs_decimal_read(text, unit.times, unit.ten, &end), unit.two);
    if (!isfinite(number))
        return FRS_ERR_INPUT;
    *value = number;
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
    case FRS_FLOP:
        return "flop, Mflop, Gflop, Tflop";
    case FRS_ENERGY:
        return "mJ, J, kJ, MJ, Wh";
    }
    return "";
}

const char *frs_units_si(enum frs_dimension dimension) {
    static const char *const names[] = {[FRS_TIME] = "s",
        [FRS_BYTES] = "bytes",
        [FRS_RATE] = "bytes/s",
        [FRS_SPEED] = "flop/s",
        [FRS_POWER] = "W",
        [FRS_ENERGY_PER_BYTE] = "J/B",
        [FRS_ENERGY] = "J",
        [FRS_FLOP] = "flop"};
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
    if (dimension == FRS_POWER || dimension == FRS_ENERGY_PER_BYTE || dimension == FRS_ENERGY) {
        snprintf(text, size, "%.4g %s", value, frs_units_si(dimension));
        return text;
    }
    static const char *const powers[] = {"", "k", "M", "G", "T"};
    const char *unit = dimension == FRS_BYTES  ? "B"
                       : dimension == FRS_RATE ? "bit/s"
                       : dimension == FRS_FLOP ? "flop"
                                               : "flop/s";
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
