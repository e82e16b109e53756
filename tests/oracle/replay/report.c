/* Comparing numbers within a tolerance, and printing what differs. */
#include "report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { LINES_OF_A_RUN = 12 };
static const double TOLERANCE = 1e-9;

static bool next_line(struct report *report, const struct part *part) {
    report->disagreements++;
    if (report->lines_of_run++ >= LINES_OF_A_RUN)
        return false;
    printf("%s: ", report->name);
    if (part)
        printf("row %zu, client %zu: ", part->row + 1, part->client);
    return true;
}

static double scale_of(double a, double b) {
    return fmax(1, fmax(fabs(a), fabs(b)));
}

bool close_times(double a_s, double b_s) {
    return fabs(a_s - b_s) <= TOLERANCE * scale_of(a_s, b_s);
}

void same_time(
    struct report *report, const struct part *part, const char *what, double expected_s, double got_s) {
    double deviation = fabs(expected_s - got_s) / scale_of(expected_s, got_s);
    report->times++;
    if (deviation <= TOLERANCE)
        report->greatest = fmax(report->greatest, deviation);
    else if (next_line(report, part))
        printf("%s: expected %.15g, got %.15g (%+.3g)\n", what, expected_s, got_s, got_s - expected_s);
}

void same_amount(struct report *report, const char *what, double expected, double got) {
    report->amounts++;
    if (!(fabs(expected - got) <= TOLERANCE * scale_of(expected, got)) && next_line(report, NULL))
        printf("%s: expected %.15g, got %.15g\n", what, expected, got);
}

void same_path_time(struct report *report, const char *what, double expected_s, double got_s) {
    report->amounts++;
    if (!(fabs(expected_s - got_s) <= 2 * TOLERANCE * scale_of(expected_s, got_s)) && next_line(report, NULL))
        printf("%s: expected %.15g, got %.15g\n", what, expected_s, got_s);
}

void must(struct report *report, const struct part *part, bool holds, const char *format, ...) {
    if (holds || !next_line(report, part))
        return;
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
}
