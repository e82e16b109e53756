/* TCP stream: one direction of a connection while something is under way on it: what sender and receiver
 * know, and which packets have left the last link but are not acknowledged yet.
 *
 * A message that follows another one before all of that is acknowledged is further bytes of the same stream:
 * the sender goes on as acknowledgements return (RFC 5681), and no window leaves at once. Between two
 * messages the state is that after the first one's last packet was sent, with all acknowledgements of what
 * has left the last link. The second message crosses once the first one has. What the sender has sent of it
 * by then, since it had it, waits in the queue behind the first one, or did not fit.
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
    double since_s;              /* between messages: when the next one can be sent at the earliest */
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

/* The sender has the next message after_s after time 0, when the last byte left the last link; before it, if
 * that is negative. Sees what has been acknowledged by then. If something is still under way, returns true,
 * and time 0 is then the message's start: that time, or the later one at which the sender has it. Otherwise
 * nothing is left of the stream. */
bool frs_tcp_stream_goes_on(struct frs_tcp_stream *stream, double after_s);

/* Then: the message has so many packets, the last one of this weight, others of FRS_SEGMENT_BYTES. Sends what
 * may be sent by time 0 to a queue that holds `capacity`, behind what was in it. Adds to `accepted` what was
 * not dropped. Returns whether anything was. */
bool frs_tcp_stream_catches_up(struct frs_tcp_stream *stream, uint32_t n_packets, double last_weight,
    double capacity, struct frs_packet_ring *accepted);

/* The packet has left the last link at packet->left_s; fills in when it is acknowledged. The one before it
 * may have waited to be acknowledged with it. */
void frs_tcp_stream_leaves(
    struct frs_tcp_stream *stream, struct frs_packet *packet, double round_trip_s, bool is_new);

/* The sender hears of all packets that are acknowledged by now_s, in the order of time. */
void frs_tcp_stream_hears(struct frs_tcp_stream *stream, double now_s);

#endif
