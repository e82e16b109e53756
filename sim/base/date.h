/* Date: a point in time as files of others write it, in seconds since 1970-01-01 UTC. */
#ifndef FRS_BASE_DATE_H
#define FRS_BASE_DATE_H

#include <stdbool.h>
#include <stddef.h>

/* Reads a calendar date with or without a time of the day: ISO 8601 (2001-01-31, 2001-01-31T22:30:45.5Z,
 * 2001-01-31 22:30:45 +0200, 2001/01/31, 2001-01-31+02:00), or what C's ctime writes (Tue Apr  3 18:00:09
 * 2012, also with a zone before the year), or day, month and year with dots (29.06.2022 17:06). Without a
 * zone it is UTC. The n bytes of `text` have to be the
 * date and nothing else. Returns false where they are not; *seconds is then unchanged. */
bool frs_date_read(const char *text, size_t n, double *seconds);

/* Dates with slashes, 1/2/2023 8:00 AM, say the day first or the month. */
enum frs_slashed { FRS_SLASHED_NONE, FRS_SLASHED_EITHER, FRS_SLASHED_DAY_FIRST, FRS_SLASHED_MONTH_FIRST };

/* What such a date says by itself: EITHER where both readings are dates, NONE where neither is. */
enum frs_slashed frs_date_slashed(const char *text, size_t n);

/* Reads it, with the day or the month first; false where it is none. */
bool frs_date_read_slashed(const char *text, size_t n, enum frs_slashed order, double *seconds);

/* The same point in time with day and month swapped, for a date that may be either. */
double frs_date_swapped(double seconds);

/* Reads a time of the day, 08:00 or 08:00:30, in seconds since midnight; false where it is none. */
bool frs_date_clock(const char *text, size_t n, double *seconds);

/* The same of digits alone: 20010131, or 20010131223045; of the years 1900 to 2099. They may also be a
 * number, which the caller decides. */
bool frs_date_of_digits(const char *text, size_t n, double *seconds);

#define FRS_DATE_EXPECTED "a date such as 2001-01-31T22:30:45Z"

#endif
