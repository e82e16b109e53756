/* Time scale: what numbers in a column of times mean. Most of them decide; what does not fit is told.
 *
 * A number from 10^8 to 10^10 is in seconds since 1970 (1973 to 2286), one from 10^11 to 10^13 in
 * milliseconds, and so on. If more than half of the times are in one of these units, numbers in another unit
 * are brought to seconds by their own, and all others (a 0, a negative number) are taken in the unit of most
 * and told. If more than half are dates of digits alone (20110324), they become seconds and the others stay
 * as they are. Otherwise numbers mean nothing but their order. */
#ifndef FRS_ALGORITHMS_DATA_READING_TIME_SCALE_H
#define FRS_ALGORITHMS_DATA_READING_TIME_SCALE_H

#include <stdbool.h>
#include <stddef.h>

enum frs_time_class { FRS_TIME_S, FRS_TIME_MS, FRS_TIME_US, FRS_TIME_NS, FRS_TIME_DIGITS, FRS_TIME_OTHER };
enum { FRS_TIME_CLASSES = FRS_TIME_OTHER + 1 };

/* Where a row is. */
struct frs_row_place {
    const char *path; /* borrowed */
    size_t line;
};

struct frs_time_scale {
    size_t n[FRS_TIME_CLASSES];
    struct frs_row_place first[FRS_TIME_CLASSES];
};

enum frs_time_class frs_time_class_of(double time);

void frs_time_scale_add(struct frs_time_scale *scale, double time, struct frs_row_place place);

/* Brings the n times that were added to seconds, if they have a unit. Returns what has to be told, "; …" or
 * "", which the caller frees. `path` is the file whose name is not repeated. */
char *frs_time_scale_apply(const struct frs_time_scale *scale, double *times, size_t n, const char *path);

#endif
