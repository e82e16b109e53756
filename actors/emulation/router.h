/* Router: the process that is the links of an emulation. It takes packets from the TUN devices of server,
 * edges and clients and puts them out at their time. A download passes the link of the hub, the server or an
 * edge, that all of its lines share, and then the line's own, an upload the other way. The own link of an
 * edge is its backhaul, and its hub the server; its shared link is its access side. Each link has a queue
 * that drops what does not fit (actors/links/packet_queue.h). Then comes the latency, or a random loss.
 *
 * Times are computed, not measured: a packet that is forwarded late delays none behind it. Packets have
 * the same weight as in actors/links/packets.h, so that rates are those of messages in full packets. */
#ifndef FRS_ACTORS_EMULATION_ROUTER_H
#define FRS_ACTORS_EMULATION_ROUTER_H

#include "actors/emulation/emulated_edge.h"
#include "actors/emulation/wire.h"

#include <stddef.h>

/* Those that stay as they are; all on the clock. */
struct frs_router_links {
    double server_bytes_per_s[2]; /* down, up; INFINITY: neither queues nor drops */
    struct frs_emulated_edge edges[FRS_EMULATED_EDGES];
    double queue_s; /* that every queue holds, at its link's rate */
    bool fair;      /* links of hubs serve line by line */
};

struct frs_router_settings {
    int orders;      /* socket pair: struct frs_router_order; its end is the router's */
    const int *tuns; /* [1 + n_lines + n_edges]: of the server, of lines, of edges */
    size_t n_lines, n_edges;
    const struct frs_router_links *links;
    struct frs_router_record *record; /* shared with the server */
};

void frs_router_run(const struct frs_router_settings *settings);

#endif
