/* Times: when an interaction took place, as data files write it. */
#ifndef FRS_ALGORITHMS_DATA_READING_TIMES_H
#define FRS_ALGORITHMS_DATA_READING_TIMES_H

#include "algorithms/data/reading/fields.h"
#include "sim/base/date.h"

enum frs_time_kind {
    FRS_TIME_NONE,    /* no time was read yet */
    FRS_TIME_NUMBER,  /* seconds, milliseconds or microseconds; larger is newer */
    FRS_TIME_DATE,    /* a calendar date, with or without a time of the day */
    FRS_TIME_SLASHED, /* one such as 1/2/2023 8:00 AM, whose order of day and month the column says */
};

/* Reads a number, or a date (frs_date_read), which becomes seconds since 1970-01-01 UTC; a date with slashes
 * is read with the month first where it can be. Returns FRS_TIME_NONE if it is neither. */
enum frs_time_kind frs_time_read(struct frs_field field, double *time);

#define FRS_TIME_EXPECTED                                                                                    \
    "a number of seconds (ms, µs), or a date such as 2001-01-31T22:30:45Z, 31.01.2001 22:30 or 1/31/2001"

#endif
