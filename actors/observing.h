/* Observing: what the server has seen of a participation by the time at which it learned of its end, and
 * never more. A client whose failure the server has not detected yet looks like one that was aborted at
 * work. Pure. */
#ifndef FRS_ACTORS_OBSERVING_H
#define FRS_ACTORS_OBSERVING_H

#include "actors/observations.h"
#include "actors/participation.h"

/* detect_s: the time from a client's failure until the server detects it. Fills in everything but samples
 * and loss. False: there was nothing to see, because the message never left the server, or the server lost
 * what it knew. */
bool frs_observing(
    const struct frs_participation *participation, double detect_s, struct frs_observation *seen);

#endif
