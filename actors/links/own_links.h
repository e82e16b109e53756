/* Own links: what a client's link could carry during a participation, whatever others shared with it. */
#ifndef FRS_ACTORS_LINKS_OWN_LINKS_H
#define FRS_ACTORS_LINKS_OWN_LINKS_H

#include "actors/participation.h"

/* Zeroed: nothing is known (a platform of the user's own). */
struct frs_own_links {
    bool known;
    bool alone[2]; /* [down, up]: nothing else limits a transfer */
    /* Bytes per second at a time, and the time until which the rate stays so; a rate of 0 is allowed if it
     * ends. NULL: always participation->plan.down_bytes_per_s and up_bytes_per_s. */
    double (*capacity)(
        void *context, const struct frs_participation *participation, bool up, double now_s, double *until_s);
    void *context;
};

static inline double frs_own_links_capacity(const struct frs_own_links *links,
    const struct frs_participation *participation, bool up, double now_s, double *until_s) {
    *until_s = __builtin_inf();
    if (links->capacity)
        return links->capacity(links->context, participation, up, now_s, until_s);
    return up ? participation->plan.up_bytes_per_s : participation->plan.down_bytes_per_s;
}

#endif
