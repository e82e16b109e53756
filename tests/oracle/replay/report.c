/* Comparing numbers within a tolerance, and printing what differs. */
#include "report.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { LINES_OF_A_RUN = 12 };
static const double TOLERANCE = 1e-9;

/* A time at 1,036,834 s has eight decimals in the files; a sum of durations has several such times. */
static const double OF_LATE_TIMES = 1e-13;

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

static double tolerance(const struct report *report, double a, double b) {
    return fmax(TOLERANCE * scale_of(a, b), OF_LATE_TIMES * report->last_s);
}

void same_amount(struct report *report, const char *what, double expected, double got) {
    report->amounts++;
    if (!(fabs(expected - got) <= tolerance(report, expected, got)) && next_line(report, NULL))
        printf("%s: expected %.15g, got %.15g\n", what, expected, got);
}

void same_path_time(struct report *report, const char *what, double expected_s, double got_s) {
    report->amounts++;
    if (!(fabs(expected_s - got_s) <= 2 * tolerance(report, expected_s, got_s)) && next_line(report, NULL))
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
