#include "platforms/imports/seconds_and_rates.h"

#include <math.h>

bool frs_import_seconds_and_rates(struct frs_import *import) {
    double begin_s = NAN, last_s = NAN, first = NAN;
    for (char *line; (line = frs_import_next(import));) {
        double values[2];
        if (!frs_import_numbers(import, line, values, 2, "a time in seconds and a rate in Mbit/s"))
            return false;
        if (values[1] < 0 || values[0] <= last_s)
            return frs_import_error(import, values[1] < 0 ? "the rate is below 0" : "the time does not rise");
        if (isnan(begin_s)) {
            begin_s = last_s = values[0];
            continue;
        }
        double rate = values[1] * 1e6 / 8;
        first = isnan(first) ? rate : first;
        if (!frs_import_rate(import, round((last_s - begin_s) * 1e6) / 1e6, rate))
            return false;
        last_s = values[0];
    }
    if (import->failed || isnan(first))
        return !import->failed;
    return frs_import_rate(import, round((last_s - begin_s) * 1e6) / 1e6, first);
}
