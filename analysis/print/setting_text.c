#include "analysis/print/setting_text.h"
#include "sim/base/decimal.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct unit {
    const char *name;
    double size; /* in the unit that settings are kept in */
};

/* The largest one first. */
static const struct unit rates[] = {
    {"Gbit/s", 1.25e8}, {"Mbit/s", 1.25e5}, {"kbit/s", 125}, {"bit/s", 0.125}, {NULL, 0}};
static const struct unit times[] = {
    {"d", 86400}, {"h", 3600}, {"min", 60}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {NULL, 0}};
static const struct unit amounts[] = {{"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1}, {NULL, 0}};
static const struct unit speeds[] = {
    {"Tflop/s", 1e12}, {"Gflop/s", 1e9}, {"Mflop/s", 1e6}, {"flop/s", 1}, {NULL, 0}};

/* The largest unit of which `value` is at least one, written with no more digits than it has. */
static char *in_unit(double value, const struct unit *units) {
    while (units[1].name && !(fabs(value) >= units->size * (1 - 1e-12)))
        units++;
    double scaled = value / units->size;
    char *text = frs_format("%.4g %s", scaled, units->name);
    if (fabs(strtod(text, NULL) - scaled) <= 1e-12 * fabs(scaled))
        return text;
    free(text);
    return frs_format("%.10g %s", scaled, units->name);
}

char *frs_setting_text(const char *text) {
    static const struct {
        const char *unit;
        const struct unit *units;
    } kept[] = {{" B/s", rates}, {" s", times}, {" B", amounts}, {" flop/s", speeds}};
    const char *space = strchr(text, ' ');
    for (size_t i = 0; space && i < sizeof kept / sizeof *kept; i++) {
        double value;
        char *number = frs_format("%.*s", (int)(space - text), text);
        bool is = strcmp(space, kept[i].unit) == 0 && frs_decimal_is(number, &value) && value != 0;
        free(number);
        if (is)
            return in_unit(value, kept[i].units);
    }
    return frs_strdup(text);
}
