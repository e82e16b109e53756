/* Packets: transfers over TCP, packet by packet, through the clients' own links and the server's link.
 *
 * A download passes the server's link first and its client's own link then, an upload the other way; each has
 * a queue that drops what does not fit (drop-tail; the server's may be served fairly, flow by flow). After the
 * last link a packet needs the latency to arrive; acknowledgements need it again and are not queued. What the
 * senders do: actors/links/tcp_sender.h.
 *
 * Packets carry 1,448 bytes and weigh 78 bytes more (IPv4, TCP with time stamps, framing). Rates are those of
 * the line: what carries payload is 1448 / 1526 of them.
 *
 * Pure C: knows no clock but the dates it is given, which must not decrease. Of what happens at one instant the
 * order is fixed: departures of the server's link, then the flows by number. */
#ifndef FRS_ACTORS_LINKS_PACKETS_H
#define FRS_ACTORS_LINKS_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

#define FRS_PACKET_PAYLOAD_BYTES 1448.
#define FRS_PACKET_FRAME_BYTES 78.
#define FRS_PACKET_PAYLOAD_SHARE (FRS_PACKET_PAYLOAD_BYTES / (FRS_PACKET_PAYLOAD_BYTES + FRS_PACKET_FRAME_BYTES))

struct frs_packets;

struct frs_packets_settings {
    double server_bytes_per_s[2]; /* of the server's link: down, up; INFINITY: it neither queues nor drops */
    double queue_s;               /* how much every queue holds, at least 20 packets */
    bool fair;                    /* the server's link serves its flows in turns */
    /* Is this transmission lost on its way? NULL: none is. */
    bool (*lost)(void *context, uint32_t flow, uint32_t transmission);
    void *context;
};

struct frs_packets_flow {
    bool up;
    bool warm; /* the connection keeps its window from before */
    double bytes; /* > 0 */
    double capacity_bytes_per_s; /* of the client's own link, > 0 */
    double latency_s;
};

struct frs_packets *frs_packets_create(const struct frs_packets_settings *settings);
void frs_packets_destroy(struct frs_packets *packets);

/* A flow `id` (chosen by the caller, small and reusable after its end) starts to send at now_s. */
void frs_packets_add(struct frs_packets *packets, uint32_t id, double now_s, const struct frs_packets_flow *flow);

/* The client's own link changes. The packet that is on it leaves as it would have. */
void frs_packets_set_capacity(struct frs_packets *packets, uint32_t id, double capacity_bytes_per_s);

/* Takes a flow out before its end: what it has in the server's queue stays there. Returns the bytes that have
 * arrived by now_s, each once. */
double frs_packets_remove(struct frs_packets *packets, uint32_t id, double now_s);

/* Date of the next event, INFINITY when nothing is under way. */
double frs_packets_next_s(const struct frs_packets *packets);

/* Carries out what is due at now_s; returns 1 with the id of a flow whose last packet has arrived, 0 when
 * nothing is left to be done at this instant. */
int frs_packets_pop(struct frs_packets *packets, double now_s, uint32_t *id);

/* Packets sent so far, those that were sent again included. */
uint64_t frs_packets_sent(const struct frs_packets *packets);

#endif
