/* TCP sender: what one connection may send when, packet by packet, from the acknowledgements it has seen.
 *
 * Congestion control is CUBIC (RFC 9438) with its Reno-friendly region and HyStart as Linux has it (trains of
 * acknowledgements, and delay); losses are found by the order of transmission (as RFC 8985 does without
 * reordering), repaired by proportional rate reduction (RFC 6937), at the tail by a probe (RFC 8985, 7) and in
 * the last resort by a retransmission time-out (RFC 6298, at least 0.2 s as in Linux). Which packet
 * is acknowledged when, the receiver says (actors/links/tcp_receiver.h); acknowledgements are neither lost nor reordered.
 *
 * Pure: knows no clock but the dates it is told, which must not decrease. Packets are numbered from 0;
 * transmissions (a packet may need several) too. Memory follows the packets in flight. */
#ifndef FRS_ACTORS_LINKS_TCP_SENDER_H
#define FRS_ACTORS_LINKS_TCP_SENDER_H

#include "actors/windows.h"

#define FRS_TCP_INITIAL_WINDOW FRS_INITIAL_WINDOW /* packets */
#define FRS_TCP_REDUCES_TO .7                     /* of a window in which something was lost; CUBIC's beta */

#define FRS_HYSTART_WINDOW 16 /* packets, below which slow start goes on */

struct frs_tcp_transmission {
    uint32_t packet;
    uint32_t number; /* of the transmission */
    double sent_s;
};

struct frs_tcp_sender {
    uint32_t n_packets;                /* of the message */
    uint32_t unacknowledged;           /* all packets before this one have arrived */
    uint32_t next;                     /* the first one that was never sent */
    uint32_t n_transmissions;          /* so far */
    uint32_t in_flight;                /* packets sent, neither acknowledged nor taken for lost */
    uint32_t n_lost;                   /* packets taken for lost and not sent again yet */
    uint32_t lost_from;                /* no lost packet before this one */
    uint8_t *packets;                  /* ring of what is known of [unacknowledged, next) */
    uint32_t packets_size;             /* of the ring, a power of two */
    struct frs_tcp_transmission *sent; /* ring of transmissions whose fate is open, in order */
    uint32_t sent_first, n_sent, sent_size;
    uint32_t n_ahead;                   /* packets that have arrived although one before them has not */
    struct frs_tcp_transmission newest; /* the latest transmission that has arrived */
    double newest_rtt_s;
    double overtaken_s; /* date at which an overtaken packet is taken for lost; INFINITY: none is */
    /* congestion control */
    double window, threshold; /* packets */
    bool limited;             /* by the window, in the round trip that began when it last was, */
    uint32_t most_out;        /* and if not, the most packets that were sent and not acknowledged in it; */
    uint32_t usage_end;       /* it ends when this packet is acknowledged */
    bool has_sent;            /* since that was looked at */
    enum { FRS_TCP_OPEN, FRS_TCP_RECOVERY, FRS_TCP_LOSS } state;
    uint32_t recover; /* the repair ends when all before this packet have arrived */
    uint32_t reduced_delivered, reduced_sent;
    double window_before;                                   /* the repair */
    double epoch_s, origin, last_maximum, reno_window, k_s; /* CUBIC; epoch_s < 0: none has begun */
    uint32_t round_end; /* HyStart: a round ends when this packet is acknowledged */
    double round_s, last_acknowledgement_s, round_rtt_s;
    uint32_t n_round_samples;
    /* timers */
    double rtt_s, deviation_s;          /* smoothed, and four times its mean deviation, */
    double most_deviation_s, allowed_s; /* the largest of a round trip, and what time-outs allow for it, */
    uint32_t deviation_end;             /* which is looked at when this packet is acknowledged */
    double measured_s;                  /* when it was last measured */
    double least_rtt_s, delay_s;        /* of all, and of acknowledgements of data alone */
    double timeout_from_s, timeout_factor;
    double probe_s; /* date of the tail-loss probe; INFINITY: none */
    bool probed;    /* since the last acknowledgement */
    double sent_s;  /* last of all */
};

/* `rtt_s` is what opening the connection has shown; `window` (packets) is what the connection keeps from before,
 * where it is more than the initial one: then there is no slow start. */
void frs_tcp_sender_init(
    struct frs_tcp_sender *sender, uint32_t n_packets, double rtt_s, double now_s, double window);
void frs_tcp_sender_fini(struct frs_tcp_sender *sender);

/* How much longer than the shortest round trip all of a round are where a queue has built up. */
double frs_hystart_patience_s(double delay_s);

/* Before anything is sent: the sender knows its path from a message before, as its memory stands now. */
void frs_tcp_sender_remember(struct frs_tcp_sender *sender, const struct frs_path_memory *memory);

/* Before anything is sent: the shortest round trip that data has shown, if none was shorter. */
void frs_tcp_sender_know_delay(struct frs_tcp_sender *sender, double delay_s);

/* What there is to remember for the next message. */
struct frs_path_memory frs_tcp_sender_memory(const struct frs_tcp_sender *sender);

/* The next packet to send at now_s; false: none may be sent before something happens. */
bool frs_tcp_sender_next(
    struct frs_tcp_sender *sender, double now_s, struct frs_tcp_transmission *transmission);

/* What the receiver knows: a packet that was sent reaches it. False: it had this one before. */
bool frs_tcp_sender_reaches(struct frs_tcp_sender *sender, uint32_t packet);

/* The acknowledgement of a transmission has arrived. */
void frs_tcp_sender_acknowledged(
    struct frs_tcp_sender *sender, double now_s, const struct frs_tcp_transmission *transmission);

/* Date at which frs_tcp_sender_timer must be called if nothing happens before; INFINITY: never. */
double frs_tcp_sender_timer_s(const struct frs_tcp_sender *sender);
void frs_tcp_sender_timer(struct frs_tcp_sender *sender, double now_s);

#endif
