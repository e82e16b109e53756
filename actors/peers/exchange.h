/* Peer exchange: what happens between the clients of a gossip round from the end of their computing until
 * each has sent its model to its neighbours and has theirs (docs/gossip.md).
 *
 *   ready → [set-up] → latency → bytes → delivered      each message, to each neighbour at once
 *
 * A message uses the sender's uplink and the receiver's downlink, whose latencies add up; messages that share
 * a link share it max-min (actors/peers/max_min.h). Under slow start a message is sent in windows by the
 * smaller of its two links. A member is done when every message that it sends or waits for has ended:
 * delivered, or lost and noticed.
 *
 * A device that drops out ends all of its messages. A connection that breaks ends one. Whoever waits for what
 * is lost notices after detect_s; a sender whose connection breaks sees that at once. A member that is lost
 * before it is ready sends nothing, and its neighbours notice detect_s after its end; a message to a member
 * that is no longer there is not sent. What ends at the time of a death has ended.
 *
 * Pure: knows no clock but the times it is given. */
#ifndef FRS_ACTORS_PEERS_EXCHANGE_H
#define FRS_ACTORS_PEERS_EXCHANGE_H

#include "actors/participation.h"

struct frs_peer_member {
    double ready_s; /* it has computed; not read where it is lost before */
    double dies_s;  /* its device drops out; INFINITY: not in sight. Before ready_s: it never is ready */
    enum frs_cause dies_cause;
    struct frs_link_terms links;
    /* What becomes of it. */
    double done_s; /* everything that it sends or waits for has ended; NAN: it is lost before */
    double lost_s; /* NAN: it is done */
    enum frs_cause cause;
    double first_s, last_s; /* its radio: when its first message begins (connecting), and its last one ends;
                               NAN: none has */
};

enum frs_peer_fate {
    FRS_PEER_DELIVERED,
    FRS_PEER_NOT_SENT, /* its sender was never ready, or its receiver no longer there */
    FRS_PEER_SENDER_LOST,
    FRS_PEER_RECEIVER_LOST,
    FRS_PEER_BROKEN, /* its connection */
};
extern const char *const frs_peer_fate_names[]; /* enum frs_peer_fate */

struct frs_peer_message {
    uint32_t from, to; /* members */
    uint64_t bytes;    /* > 0 */
    struct frs_loss
        loss[2]; /* planned: of the receiver's, and of the sender's; after_s from its first byte on */
    /* What becomes of it. */
    enum frs_peer_fate fate;
    double begun_s;             /* connecting begins; NAN: it is not sent */
    double start_s;             /* its first byte; NAN: not reached */
    double end_s;               /* delivered or lost */
    uint64_t crossed_bytes;     /* whole ones, of the message */
    uint64_t setup_bytes[2];    /* of connecting, that crossed: from the receiver, from the sender */
    struct frs_windows windows; /* that an overflowing queue leaves; frs_peer_messages_fini frees them */
};

/* How messages are sent; zeroed: latency, then bytes. */
struct frs_peer_sending {
    uint32_t latencies_there, latencies_back; /* of connecting, one after the other; from the sender, to it */
    uint64_t bytes_there, bytes_back;         /* of connecting, after these latencies */
    enum frs_slow_start_kind slow_start;
    const struct frs_sender_rules *sender; /* NULL: no queue overflows */
};

/* Simulates it; the members' and messages' second halves are filled. Returns the bytes that the links
 * carried, as the integral of all rates, which is independent of what messages count. Each ordered pair of
 * members has at most one message. */
double frs_peer_exchange(struct frs_peer_member *members, uint32_t n, struct frs_peer_message *messages,
    uint32_t n_messages, const struct frs_peer_sending *sending, double detect_s);

/* Frees what an exchange has left in the messages. */
void frs_peer_messages_fini(struct frs_peer_message *messages, size_t n);

#endif
