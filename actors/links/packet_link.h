/* Packet link: a queue and the packet that is on the link behind it. The caller schedules when that leaves.
 */
#ifndef FRS_ACTORS_LINKS_PACKET_LINK_H
#define FRS_ACTORS_LINKS_PACKET_LINK_H

#include "actors/links/packet_queue.h"

struct frs_packet_link {
    double bytes_per_s; /* INFINITY: it neither queues nor drops */
    struct frs_packet_queue queue;
    bool busy;
    struct frs_packet on_it;
    double left, since_s; /* of the weight of that packet, at this time */
};

/* The queue holds packets of capacity_bytes, may be INFINITY. */
void frs_packet_link_init(struct frs_packet_link *link, double bytes_per_s, double capacity_bytes, bool fair);
void frs_packet_link_fini(struct frs_packet_link *link);

/* The next packet of the queue, if there is one, is on the link from now_s on, and `busy` says so. */
void frs_packet_link_serve(struct frs_packet_link *link, double now_s);

/* The link changes, for the packet that is on it, too; 0: it stands still. */
void frs_packet_link_set_rate(struct frs_packet_link *link, double now_s, double bytes_per_s);

/* When the packet on it leaves, as things are; INFINITY while the link stands still. */
double frs_packet_link_departs_s(const struct frs_packet_link *link);

#endif
