/* Counts of what was compared, and every disagreement in a line. */
#ifndef REPLAY_REPORT_H
#define REPLAY_REPORT_H

#include "run.h"

struct report {
    const char *name; /* of the run under comparison */
    size_t runs, rows, parts, phases, times, amounts, disagreements, disagreeing_runs;
    size_t capped, above; /* caps that runs had, and those that a client was above */
    double greatest;      /* deviation of a time, relative above a second */
    size_t lines_of_run;
    double last_s; /* of the run: times are written with 15 digits, so that late ones have fewer decimals */
};

/* Times agree to 1e-9 s, or to 1e-9 of themselves. */
void same_time(
    struct report *report, const struct part *part, const char *what, double expected_s, double got_s);

/* Sums of values in the files agree to 1e-9; durations late in a run agree to the written digits of their
 * times; whole numbers agree exactly. */
void same_amount(struct report *report, const char *what, double expected, double got);

/* Times of a path agree to two nanoseconds: SimGrid's clock may pass a deadline by one. */
void same_path_time(struct report *report, const char *what, double expected_s, double got_s);

/* Something that has to hold. */
__attribute__((format(printf, 4, 5))) void must(
    struct report *report, const struct part *part, bool holds, const char *format, ...);

bool close_times(double a_s, double b_s);

#endif
