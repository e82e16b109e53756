/* Bandwidth on the way to work in Oslo, over HSDPA (Riiser et al. 2013): epoch s, ms, latitude, longitude,
 * bytes since the line before, ms since then. */
#include "platforms/imports/import.h"

#include <math.h>

static bool read(struct frs_import *import) {
    double begin_ms = NAN, end_ms = NAN, first = NAN;
    for (char *line; (line = frs_import_next(import));) {
        double values[6];
        if (!frs_import_numbers(import, line, values, 6, "epoch, ms, latitude, longitude, bytes, ms"))
            return false;
        double from_ms = values[1] - values[5], rate = values[4] * 1e3 / values[5];
        if (values[5] < 10 || values[4] < 0)
            return frs_import_error(import,
                "has %.15g bytes in %.15g ms; allowed: 0 or more in 10 ms or more", values[4], values[5]);
        begin_ms = isnan(begin_ms) ? from_ms : begin_ms;
        if (from_ms < end_ms - 10)
            return frs_import_error(
                import, "begins %.15g ms before the line before it ends", end_ms - from_ms);
        /* Clocks differ by some ms; in what is left out nothing was measured, and the last rate holds. */
        bool is_gap = isnan(end_ms) || from_ms > end_ms + 10;
        if (!frs_import_rate(import, ((is_gap ? from_ms : end_ms) - begin_ms) / 1e3, rate))
            return false;
        first = isnan(first) ? rate : first;
        end_ms = values[1];
    }
    if (import->failed || isnan(first))
        return !import->failed;
    return frs_import_rate(import, (end_ms - begin_ms) / 1e3, first);
}

const struct frs_import_kind frs_import_hsdpa = {
    .name = "hsdpa",
    .summary = "bandwidth over HSDPA in Oslo: epoch, ms, latitude, longitude, bytes, ms",
    .layout = "HSDPA, Riiser et al. 2013: epoch s, ms, latitude, longitude, bytes and ms since the line "
              "before; where lines leave time out, the last rate holds",
    .n_numbers = 6,
    .target = FRS_IMPORT_TRACE,
    .read = read,
};
