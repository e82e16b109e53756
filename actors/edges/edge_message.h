/* Edge message: what crossed the backhaul of an edge in a round, once for all clients that it is from or
 * for. */
#ifndef FRS_ACTORS_EDGES_EDGE_MESSAGE_H
#define FRS_ACTORS_EDGES_EDGE_MESSAGE_H

#include "actors/participation.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_edge_message {
    uint32_t edge, n_clients;
    bool up;
    uint64_t bytes, crossed_bytes; /* of the message; that crossed by its end */
    double queued_s;               /* the sender had it, */
    double began_s;       /* and could begin: nothing was ahead of it any more; NaN: it never could */
    double start_s;       /* latency paid, first byte */
    double end_s;         /* arrived, or stopped */
    double latency_s;     /* that was left of it at began_s */
    double bytes_per_s;   /* of the backhaul; INFINITY: without limit */
    enum frs_cause cause; /* why it did not arrive; FRS_CAUSE_NONE: it did */
    /* On a connection that has slow start: with which window it began, or the windows in which it crossed
     * because a queue overflowed, which are the relays'; 0 and none otherwise, and where it never started. */
    uint64_t window_bytes;
    struct frs_windows windows;
};

#endif
