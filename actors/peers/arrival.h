/* Arrival: when a client will have its download, if nothing but its own link limits that. Its participation
 * is played beforehand, so times are those that it will have, to the rounding of sums. Pure. */
#ifndef FRS_ACTORS_PEERS_ARRIVAL_H
#define FRS_ACTORS_PEERS_ARRIVAL_H

#include "actors/participation.h"

struct frs_arrival {
    double at_s; /* it has the download, or is lost */
    bool lost;
    enum frs_cause cause; /* then */
};

/* A participation that has not begun, and begins at started_s, is played; it stays as it is. Its link does
 * not change, and its connection is not opened anew. */
struct frs_arrival frs_arrival_of(const struct frs_participation *participation, double started_s);

#endif
