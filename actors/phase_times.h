/* Phase times: how long each phase of a participation lasted, all tries at its messages together. */
#ifndef FRS_ACTORS_PHASE_TIMES_H
#define FRS_ACTORS_PHASE_TIMES_H

#include "actors/participation.h"

/* How long each phase of an ended participation lasted, including the unfinished last one. encode_s:
 * before its message left the server. retry_s: from breaks to connecting anew. up_latency_s: part of
 * latency_s. */
struct frs_phase_times {
    double encode_s, contact_s, setup_s, retry_s, latency_s, down_s, queue_s, compute_s, up_s, post_s;
    double
        exchange_s; /* with other clients, where there is no server; compute_s has the averaging after it */
    double up_latency_s;
    double edge_down_s, edge_up_s; /* until its edge had its download, and from then on until the server had
                                      what the edge held */
};

struct frs_phase_times frs_participation_times(const struct frs_participation *participation);

/* The same as far as it lies between two times. */
struct frs_phase_times frs_participation_times_within(
    const struct frs_participation *participation, double from_s, double to_s);

#endif
