/* Speeds: how much work a device does where its speed changes while it computes. Amounts of work are in
 * seconds at its own speed. */
#ifndef FRS_ACTORS_SPEEDS_H
#define FRS_ACTORS_SPEEDS_H

#include "actors/participation.h"

/* Another speed from a time on, which is later than that of the step before; the last one stays. */
void frs_speeds_add(struct frs_speeds *speeds, double from_s, double speed);

/* Work that is done between two times, and how long work takes from a time on. */
double frs_speeds_work_s(const struct frs_speeds *speeds, double from_s, double to_s);
double frs_speeds_takes_s(const struct frs_speeds *speeds, double from_s, double work_s);

/* For a compute phase that has begun: after how long a share of its work is done, and the share that is
 * done after a given time. */
double frs_speeds_until_share_s(const struct frs_participation *participation, double share);
double frs_speeds_share_after(const struct frs_participation *participation, double elapsed_s);

#endif
