/* Average day: how many clients a model of availability has online at each time of a day, averaged over
 * the days. Times count from the start of the run; churn and outages are left out. */
#ifndef FRS_PLATFORMS_AVAILABILITY_AVERAGE_DAY_H
#define FRS_PLATFORMS_AVAILABILITY_AVERAGE_DAY_H

#include <stddef.h>

/* Zeroed: no client is online at any time. */
struct frs_average_day {
    struct frs_average_change *changes; /* [n] */
    size_t n, capacity;
};

void frs_average_day_fini(struct frs_average_day *day);

/* So many more clients are online from from_s up to to_s; 0 ≤ from_s ≤ to_s. */
void frs_average_day_add(struct frs_average_day *day, double from_s, double to_s, double clients);

/* The most that are online at once. Sorts the changes. */
double frs_average_day_most(struct frs_average_day *day);

#endif
