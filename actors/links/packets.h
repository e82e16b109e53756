/* Packets: transfers over TCP, packet by packet, through the clients' own links and the server's link.
 *
 * A download passes the server's link first and then its client's own link, an upload the other way. Each
 * link has a queue that drops what does not fit (drop-tail; the server's may be served fairly, flow by
 * flow). After the last link a packet needs the latency to arrive, or is lost at random. Acknowledgements
 * take the rest of the round trip, and are not queued. Senders and receivers are described in
 * actors/links/tcp_sender.h and actors/links/tcp_receiver.h.
 *
 * With edges there are several shared links, as in actors/links/link_stars.h: star 0 is the server's link,
 * with the backhauls as its flows' own links, and star 1 + i is the access side of edge i, with its clients'
 * links. No packet crosses two of them. A star in which nothing is under way has no events.
 *
 * Packets carry 1448 bytes and 78 more (IPv4, TCP with time stamps, framing). As everywhere, rates are
 * those of messages in full packets: a packet of x bytes weighs (x + 78) 1448/1526.
 *
 * Pure C: knows no clock but the times it is given, which must not decrease. The order of events at one
 * instant is fixed: departures of the shared links by star, then the flows by number. Memory grows with the
 * packets in flight. */
#ifndef FRS_ACTORS_LINKS_PACKETS_H
#define FRS_ACTORS_LINKS_PACKETS_H

#include "actors/links/tcp_stream.h"
#include "actors/windows.h"

#define FRS_PACKET_PAYLOAD_BYTES 1448.
#define FRS_PACKET_FRAME_BYTES 78.
#define FRS_PACKET_HEADER_BYTES 66. /* of which a connection's set-up uses these */
#define FRS_PACKETS_LEAST_QUEUE 20  /* packets that every queue holds */
#define FRS_REQUEST_BYTES 34.       /* of payload in what a client says before it sends anything else */

struct frs_packets;

struct frs_packets_settings {
    double server_bytes_per_s[2]; /* of the server's link: down, up; INFINITY: it neither queues nor drops */
    /* The same of other shared links [n_access], read when the instance is created; NULL without any. */
    const double (*access_bytes_per_s)[2];
    uint32_t n_access;
    double queue_s; /* how much every queue holds, at its link's rate */
    bool fair;      /* shared links serve their flows in turns */
    /* Is the packet of this flow that has just passed its last link lost? NULL: none is. */
    bool (*lost)(void *context, uint32_t flow);
    /* Called as a flow ends, when all of it has been acknowledged, with what its sender has learnt; may be
     * NULL. */
    void (*learnt)(void *context, uint32_t flow, const struct frs_path_memory *memory);
    void *context;
};

struct frs_packets_flow {
    bool up;
    bool warm;                   /* the connection keeps its window from before */
    bool interactive;            /* the receiver has answered on the connection before */
    bool answered;               /* at once, when all has arrived: that acknowledges it */
    double bytes;                /* > 0 */
    double header_bytes;         /* of each packet that are among its bytes */
    double delay_s;              /* how long after it was added it starts to send */
    double packet_bytes;         /* of each packet but the last one; 0: as many as fit */
    uint32_t star;               /* which shared link it crosses */
    double bytes_per_s;          /* of its own link, > 0; what its queue is made for; INFINITY: as above */
    double latency_s;            /* this way, */
    double round_trip_s;         /* and there and back */
    struct frs_path_memory from; /* what the sender knows as it begins */
    /* What is under way on its connection as it begins, on a clock that begins now; then the flow goes on at
     * once, without its delay, and `from` is not read. As the flow ends, what was under way when all of it
     * had been sent, on a clock that begins when all of it had left the last link. Nothing in between, and
     * where it is removed. NULL: messages do not follow one another. Borrowed until its end. */
    struct frs_tcp_stream *stream;
};

struct frs_packets *frs_packets_create(const struct frs_packets_settings *settings);
void frs_packets_destroy(struct frs_packets *packets);

/* The flow `id` starts to send at now_s, or later by its delay if it has one. The caller chooses `id`, a
 * small number that can be used again when the flow has ended. */
void frs_packets_add(
    struct frs_packets *packets, uint32_t id, double now_s, const struct frs_packets_flow *flow);

/* The client's own link changes, for the packet that is on it, too; 0: it stands still. */
void frs_packets_set_rate(struct frs_packets *packets, uint32_t id, double now_s, double bytes_per_s);

/* The server's link changes in the same way; its queue is what it was made for. */
void frs_packets_set_server_rate(struct frs_packets *packets, bool up, double now_s, double bytes_per_s);

/* Flows under way in one direction of the server's link. */
size_t frs_packets_n(const struct frs_packets *packets, bool up);

/* Takes a flow out before its end; its packets in a shared link's queue stay there. Returns the bytes that
 * have arrived by now_s, each counted once. */
double frs_packets_remove(struct frs_packets *packets, uint32_t id, double now_s);

/* What such a flow has received by now_s. */
double frs_packets_arrived(const struct frs_packets *packets, uint32_t id, double now_s);

/* Lets packets move until the last one of a flow arrives, but not beyond until_s. Returns the time of that
 * arrival; INFINITY: there is none by then. */
double frs_packets_next_s(struct frs_packets *packets, double until_s);

/* Ends one flow whose last packet has arrived by now_s and returns 1 with its id, or 0 when there is none. */
int frs_packets_pop(struct frs_packets *packets, double now_s, uint32_t *id);

/* Bytes that have arrived, each once, of flows of the server's link, or of all others together. */
double frs_packets_carried(const struct frs_packets *packets, bool server, bool up);

/* Packets sent so far, those that were sent again included. */
uint64_t frs_packets_sent(const struct frs_packets *packets);

#endif
