/* TCP state: what a sender (actors/links/tcp_sender.h) knows of its packets, its path and itself. */
#ifndef FRS_ACTORS_LINKS_TCP_STATE_H
#define FRS_ACTORS_LINKS_TCP_STATE_H

#include "actors/windows.h"

#define FRS_TCP_INITIAL_WINDOW FRS_INITIAL_WINDOW /* packets */
#define FRS_TCP_REDUCES_TO (717. / 1024)          /* of a window in which something was lost; CUBIC's beta */

struct frs_tcp_transmission {
    uint32_t packet;
    uint32_t number; /* of the transmission */
    double sent_s;
};

/* What is known of a packet. */
struct frs_tcp_packet {
    uint8_t state;   /* what the sender takes it for */
    bool received;   /* the receiver has it */
    bool again;      /* it was sent more than once */
    uint32_t number; /* of its last transmission */
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
    struct frs_tcp_packet *packets;    /* ring of what is known of [unacknowledged, next) */
    uint32_t packets_size;             /* of the ring, a power of two */
    struct frs_tcp_transmission *sent; /* ring of transmissions whose outcome is open, in order */
    uint32_t sent_first, n_sent, sent_size;
    uint32_t n_ahead;                   /* packets that have arrived although one before them has not */
    struct frs_tcp_transmission newest; /* the latest transmission that has arrived */
    double newest_rtt_s;
    double overtaken_s; /* time at which an overtaken packet is taken for lost; INFINITY: none is */
    /* congestion control */
    double window, threshold; /* packets */
    bool limited;             /* by the window, in the round trip that began when it last was, */
    uint32_t most_out;        /* and if not, the most packets that were sent and not acknowledged in it; */
    uint32_t usage_end;       /* it ends when this packet is acknowledged */
    bool has_sent;            /* since the last update of `limited` */
    enum { FRS_TCP_OPEN, FRS_TCP_RECOVERY, FRS_TCP_LOSS } state;
    bool loses_again;      /* a packet that was sent again is lost */
    bool tests, new_first; /* after a time-out: whether it was one is found out; new packets go first */
    bool probing;          /* one packet more than the window may be sent */
    double undo_threshold, again_from_s; /* before the time-out; when the first packet was sent again */
    bool advanced;    /* with the first of all unacknowledged packets, since the last time-out */
    uint32_t recover; /* the repair ends when all before this packet have arrived */
    uint32_t reduced_delivered, reduced_sent;
    double window_before; /* the repair */
    double epoch_s, origin, last_maximum, reno_window,
        k_s; /* CUBIC; epoch_s is -INFINITY where none has begun */
    double n_acknowledged, count, counted_window,
        counted_s;      /* packets; the window grows by one for `count` of them, as was found last, */
    double window_part; /* and so many have been acknowledged since it last did */
    uint32_t round_end; /* HyStart: a round ends when this packet is acknowledged */
    double round_s, last_acknowledgement_s, round_rtt_s;
    uint32_t n_round_samples;
    /* timers */
    double rtt_s, deviation_s;          /* smoothed, and four times its mean deviation, */
    double most_deviation_s, allowed_s; /* the largest of a round trip, and what time-outs allow for it, */
    uint32_t deviation_end;             /* which is updated when this packet is acknowledged */
    double measured_s;                  /* when it was last measured */
    double least_rtt_s, delay_s;        /* of all, and of acknowledgements of data alone */
    double timeout_from_s, timeout_factor;
    double probe_s;     /* time of the tail-loss probe; INFINITY: none */
    bool probed;        /* since the last acknowledgement */
    bool probe_repairs; /* a packet was sent again as a probe: it was lost, unless it comes a second time */
    uint32_t probe_end; /* which shows when a packet from here on is acknowledged */
    double sent_s;      /* last of all */
};

#endif
