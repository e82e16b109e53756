/* Mahimahi's traces of links: a line is a millisecond at which one packet of 1500 bytes can pass; at the last
 * one the trace begins again (Netravali et al. 2015, mm-link). */
#include "platforms/imports/import.h"

#include <math.h>

#define PACKET_BYTES 1500.0

/* More steps than a log of a day has at 100 ms. */
#define MOST_STEPS 1e6

/* The finest step of a trace (platforms/networks/network_trace.h). */
#define LEAST_STEP_MS 10.0

/* The packets of (from, to], and the capacity that they are. */
static bool read(struct frs_import *import) {
    double step_ms = import->step_s * 1e3, from_ms = 0, last_ms = 0, packets = 0, first = -1;
    for (char *line; (line = frs_import_next(import));) {
        double t_ms;
        if (!frs_import_numbers(import, line, &t_ms, 1, "a number of milliseconds"))
            return false;
        if (t_ms < last_ms || t_ms != floor(t_ms))
            return frs_import_error(import,
                "%.15g is no millisecond from %.15g on; allowed: whole ones that do not fall", t_ms, last_ms);
        if (t_ms > MOST_STEPS * step_ms)
            return frs_import_error(
                import, "%.15g ms are more than %g steps; allowed: a longer --step", t_ms, MOST_STEPS);
        for (; t_ms > from_ms + step_ms; from_ms += step_ms, packets = 0) {
            double rate = packets * PACKET_BYTES * 1e3 / step_ms;
            first = first < 0 ? rate : first;
            if (!frs_import_rate(import, from_ms / 1e3, rate))
                return false;
        }
        packets++;
        last_ms = t_ms;
    }
    if (import->failed || last_ms == 0)
        return !import->failed;
    /* The last part may be shorter than others. */
    if (last_ms - from_ms < LEAST_STEP_MS)
        return frs_import_error(import,
            "the last packet passes %.15g ms after the last whole step; allowed: another --step, so that 10 "
            "ms or more are left",
            last_ms - from_ms);
    double rate = packets * PACKET_BYTES * 1e3 / (last_ms - from_ms);
    return frs_import_rate(import, from_ms / 1e3, rate) &&
           frs_import_rate(import, last_ms / 1e3, first < 0 ? rate : first);
}

const struct frs_import_kind frs_import_mahimahi = {
    .name = "mahimahi",
    .summary = "links of mm-link, one direction a file (--step: the width of the parts in which packets are "
               "counted)",
    .layout = "Mahimahi: a line is a millisecond at which a packet of 1500 bytes passes; at the last one it "
              "begins again",
    .n_numbers = 1,
    .target = FRS_IMPORT_TRACE,
    .read = read,
};
