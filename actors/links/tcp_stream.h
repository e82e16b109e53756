/* TCP stream: one direction of a connection while something is under way on it: what sender and receiver
 * know, and which packets have left the last link but are not acknowledged yet.
 *
 * A message that follows another one before all of that is acknowledged is further bytes of the same stream:
 * the sender goes on as acknowledgements return (RFC 5681), and no window leaves at once. The state between
 * two messages is that of the time at which the last byte of the first one leaves the last link. Packets of
 * the second one that the sender would have sent before wait behind it in the queue, where they are if they
 * are all sent at that time.
 *
 * Pure: all times of a stream are on one clock, the caller's. */
#ifndef FRS_ACTORS_LINKS_TCP_STREAM_H
#define FRS_ACTORS_LINKS_TCP_STREAM_H

#include "actors/links/packet_queue.h"
#include "actors/links/tcp_receiver.h"

/* Zeroed: nothing is under way. */
struct frs_tcp_stream {
    struct frs_tcp_sender sender;
    struct frs_tcp_receiver receiver;
    struct frs_packet_ring left; /* packets beyond the last link that have not been acknowledged yet */
};

/* Frees what it has; it is zeroed then. */
void frs_tcp_stream_fini(struct frs_tcp_stream *stream);

/* A copy whose packets add nothing to what arrives any more. */
struct frs_tcp_stream frs_tcp_stream_copy(const struct frs_tcp_stream *stream);

/* All its times become later by so much. */
void frs_tcp_stream_shift(struct frs_tcp_stream *stream, double by_s);

static inline bool frs_tcp_stream_is_under_way(const struct frs_tcp_stream *stream) {
    return stream->left.n > 0;
}

/* A message is sent after_s (at least 0) after time 0: sees what has been acknowledged by then. If something
 * is still under way, returns true, and time 0 is then the message's start. Otherwise nothing is left of the
 * stream. */
bool frs_tcp_stream_goes_on(struct frs_tcp_stream *stream, double after_s);

/* The packet has left the last link at packet->left_s; fills in when it is acknowledged. The one before it
 * may have waited to be acknowledged with it. */
void frs_tcp_stream_leaves(
    struct frs_tcp_stream *stream, struct frs_packet *packet, double round_trip_s, bool is_new);

/* The sender hears of all packets that are acknowledged by now_s, in the order of time. */
void frs_tcp_stream_hears(struct frs_tcp_stream *stream, double now_s);

#endif
