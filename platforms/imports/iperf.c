/* The text that iperf and iperf3 print, a line an interval: "[  5]  0.00-1.00  sec  112 MBytes  941
 * Mbits/sec". */
#include "platforms/imports/import.h"
#include "sim/base/decimal.h"

#include <math.h>
#include <string.h>

struct interval {
    double begin_s, end_s, bytes_per_s;
    bool is_sum; /* of several streams */
};

static char *skip_blanks(char *at) {
    return at + strspn(at, " \t");
}

/* "941 Mbits/sec" in bits by thousands, "1.2 MBytes/sec" in bytes by 1024. */
static bool read_rate(char *at, double *bytes_per_s) {
    static const char prefixes[] = "KMG";
    char *end;
    double value = frs_decimal_read(at, 1, 0, &end);
    if (end == at)
        return false;
    end = skip_blanks(end);
    const char *prefix = *end ? strchr(prefixes, *end) : NULL;
    int power = prefix ? (int)(prefix - prefixes) + 1 : 0;
    end += power > 0;
    if (strncmp(end, "bits/sec", 8) == 0)
        *bytes_per_s = value * pow(1e3, power) / 8;
    else if (strncmp(end, "Bytes/sec", 9) == 0)
        *bytes_per_s = value * pow(1024, power);
    else
        return false;
    return true;
}

static bool read_interval(char *line, struct interval *interval) {
    char *at = *line == '[' ? strchr(line, ']') : NULL, *end;
    if (!at)
        return false;
    interval->is_sum = strncmp(line, "[SUM]", 5) == 0;
    at = skip_blanks(at + 1);
    interval->begin_s = frs_decimal_read(at, 1, 0, &end);
    if (end == at || *end != '-')
        return false;
    at = skip_blanks(end + 1);
    interval->end_s = frs_decimal_read(at, 1, 0, &end);
    char *sec = skip_blanks(end);
    if (end == at || strncmp(sec, "sec", 3) != 0)
        return false;
    at = skip_blanks(sec + 3);
    (void)frs_decimal_read(at, 1, 0, &end); /* what was sent, with its unit */
    end = skip_blanks(end);
    at = skip_blanks(end + strcspn(end, " \t"));
    return read_rate(at, &interval->bytes_per_s);
}

/* Intervals that begin where the one before ends; those of the whole, at the end, begin at 0 again. */
static bool read(struct frs_import *import) {
    double end_s = NAN, first = NAN;
    for (char *line; (line = frs_import_next(import));) {
        struct interval interval;
        if (!read_interval(line, &interval) ||
            (!isnan(end_s) && interval.begin_s < end_s - 1e-3 && !interval.is_sum && interval.begin_s == 0))
            continue;
        if (interval.is_sum || (!isnan(end_s) && interval.begin_s < end_s - 1e-3))
            return frs_import_error(import, "has several streams; allowed: a log of one (iperf -P 1)");
        if (!isnan(end_s) && interval.begin_s > end_s + 1e-3)
            return frs_import_error(
                import, "begins at %g s, and the interval before ends at %g s", interval.begin_s, end_s);
        if (isnan(end_s) && interval.begin_s != 0)
            return frs_import_error(
                import, "begins at %g s; expected 0 in the first interval", interval.begin_s);
        first = isnan(first) ? interval.bytes_per_s : first;
        if (!frs_import_rate(import, interval.begin_s, interval.bytes_per_s))
            return false;
        end_s = interval.end_s;
    }
    if (import->failed || isnan(first))
        return !import->failed;
    return frs_import_rate(import, end_s, first);
}

const struct frs_import_kind frs_import_iperf = {
    .name = "iperf",
    .summary = "what iperf and iperf3 print: intervals and Mbits/sec",
    .layout = "iperf: lines of an interval in s and its mean rate, of one stream",
    .target = FRS_IMPORT_TRACE,
    .read = read,
};
