/* Router: the process that is the links of an emulation. It takes packets from the TUN devices of server
 * and clients and puts them out at their time. A download passes the server's downlink and then the
 * client's, an upload the other way. Each link has a queue that drops what does not fit
 * (actors/links/packet_queue.h). Then comes the latency, or a random loss.
 *
 * Times are computed, not measured: a packet that is forwarded late delays none behind it. Packets have
 * the same weight as in actors/links/packets.h, so that rates are those of messages in full packets. */
#ifndef FRS_ACTORS_EMULATION_ROUTER_H
#define FRS_ACTORS_EMULATION_ROUTER_H

#include "actors/emulation/wire.h"

#include <stddef.h>

struct frs_router_settings {
    int orders; /* socket pair: struct frs_router_order; its end is the router's */
    int server_tun;
    const int *line_tuns; /* [n_lines] */
    size_t n_lines;
    double server_bytes_per_s[2];     /* down, up; INFINITY: neither queues nor drops */
    double queue_s;                   /* that every queue holds, at its link's rate */
    bool fair;                        /* the server's links serve line by line */
    struct frs_router_record *record; /* shared with the server */
};

void frs_router_run(const struct frs_router_settings *settings);

#endif
