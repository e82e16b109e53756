/* Participation: one client's part in one round, as the network and the ledger see it (docs/simulation.md,
 * "One client's part in a round").
 *
 *   selected → [encode] → [set-up] → [down: latency, then bytes] → [compute]
 *            → [up: latency, then bytes] → delivered → [post]
 *
 * A connection that breaks in the middle of a message may be opened anew (actors/retry_state.h).
 *
 * A participation ends in exactly one outcome (actors/outcome.h). Work after the upload (`post`) has an
 * outcome of its own and may outlive it (actors/post_upload.h). Times are simulated seconds since the
 * start of the run. */
#ifndef FRS_ACTORS_PARTICIPATION_H
#define FRS_ACTORS_PARTICIPATION_H

#include "sim/base/energy.h"
#include "sim/base/usage.h"
#include "actors/outcome.h"
#include "actors/phase.h"
#include "actors/slow_start.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_in_flight;
struct frs_participation;

/* Participations in the order in which they were put in; one is in at most one queue. Zeroed: empty. */
struct frs_queue {
    struct frs_participation *first, *last;
    size_t n;
};

/* Work after the upload, which begins when the compute phase ends. */
struct frs_post_upload {
    double work_s;        /* how long it takes; known when the compute phase starts, NaN: there is none */
    double fails_after_s; /* the device fails so long after its start; INFINITY: never */
    double end_s;         /* known from its start on: nothing else shares the device. NaN: not begun */
    enum frs_post_upload_outcome outcome; /* at end_s */
    enum frs_cause cause;
    double share; /* of the work that is done by then */
};

/* How fast a device computes from a time on, 1 being its own speed. */
struct frs_speed_step {
    double from_s, speed;
};

/* The speeds while it computes for one participation; zeroed: its own at all times (actors/speeds.h). */
struct frs_speeds {
    struct frs_speed_step *steps; /* [n], the first at or before the start of the compute phase */
    size_t n, capacity;
};

/* A failure planned for a phase. */
struct frs_loss {
    bool planned;
    double at_share;      /* with `planned`: share of the phase's work, in [0, 1), at which it happens */
    enum frs_cause cause; /* with `planned`: FRS_CAUSE_DEVICE or FRS_CAUSE_CONNECTION */
    double after_s;       /* besides: seconds after the phase's start, INFINITY: never */
    enum frs_cause after_cause;
};

/* What opening a connection takes; zeroed: there is one. */
struct frs_handshake {
    double wait_s; /* all its latencies together */
    uint64_t up_bytes, down_bytes;
    /* Where packets are sent one by one: the latencies before the first of these bytes is sent; and what
     * the client sends last, and in how many packets. Each message of the handshake has a latency of its
     * own. All zero: first all latencies, then all bytes. */
    double open_s;
    uint64_t last_up_bytes;
    uint32_t last_up_packets;
};

/* What a client does whose connection breaks (actors/retry_state.h); zeroed: it is lost. */
struct frs_retrying {
    uint32_t times;   /* at most, for each message */
    double after_s;   /* from the first break to connecting anew, */
    double backoff;   /* and so many times as long after every further one of the message, */
    double longest_s; /* but no longer than this; 0: without a limit */
    bool resumes;     /* where it broke off; false: from the beginning */
    enum frs_slow_start_kind slow_start_kind; /* of the first message on a connection that is new */
    struct frs_handshake handshake;
};

/* The budget that the server assigns to a client for a participation, and its predictions
 * (actors/adaptation.h). */
struct frs_assigned_budget {
    uint32_t budget;        /* of its upload; 0: the method knows none, and nothing is predicted */
    double predicted_s;     /* duration of the participation, by observations */
    double predicted_bytes; /* of its upload under the budget, */
    double largest_bytes;   /* and under the largest one */
    double work;            /* 1: under the largest budget */
};

/* What a client's links can do: down, up. */
struct frs_link_terms {
    double bytes_per_s[2], latency_s[2];
};

/* How links follow the state of the client's device, which is on Wi-Fi or on a metered network. Zeroed:
 * they do not. */
struct frs_changing_link {
    bool follows;
    struct frs_link_terms on[2]; /* metered, Wi-Fi */
    bool breaks;                 /* a connection breaks when the link changes */
    bool wifi;                   /* when the link was looked up last; */
    double until_s;              /* until then it stays so */
};

/* What a client exchanges with others: models after computing, in a round without a server
 * (actors/peers/exchange.h), or layers between download and computing (actors/peers/group_layers.h). Zeroed:
 * nothing. */
struct frs_peer_plan {
    bool exchanges; /* models, */
    bool layers;    /* or layers */
    bool lost;      /* at until_s, with this cause */
    enum frs_cause cause;
    double until_s;         /* all that it sends or waits for has ended */
    double mix_flop, mix_s; /* of averaging then; 0: nothing has come. Layers are added up before until_s */
};

/* What a client moves between it and others, connecting included. */
struct frs_peer_usage {
    uint64_t up_bytes, down_bytes;               /* that crossed, */
    uint64_t wasted_up_bytes, wasted_down_bytes; /* and of these those of messages that were of no use */
    uint32_t sent, received;                     /* messages that arrived */
    double mix_flop;                             /* that was run */
    double radio_s;                              /* from its first message to the end of its last */
};

/* What is known when the round opens, and of computing when that starts. */
struct frs_participation_plan {
    /* Where links change, these four are those of the link that was looked up last. */
    double down_bytes_per_s, up_bytes_per_s;
    double down_latency_s, up_latency_s; /* waited for before the download and before the upload, */
    bool by_packets;       /* unless every packet has them: messages are sent packet by packet */
    double link_latency_s; /* left to SimGrid's model instead (lv08) */
    struct frs_changing_link link;
    double leaves_s;                /* time at which the device drops out, INFINITY: not in sight; */
    enum frs_cause leaves_cause;    /* goes offline, or fails */
    bool unreachable;               /* already offline: the server waits contact_s in vain */
    bool refused;                   /* does not fit the client's memory; known at once */
    bool no_download, no_upload;    /* the round has no message that way: the phase takes no time */
    struct frs_handshake handshake; /* before the first message */
    struct frs_retrying retrying;   /* if a connection breaks */
    enum frs_slow_start_kind down_slow_start, up_slow_start; /* how the message is sent, or its packets are */
    const struct frs_sender_rules *sender; /* NULL: no queue overflows. Stays the caller's */
    bool keeps_windows;                    /* while its connection is idle */
    /* There and back on its connection, where part of the latency had passed before the message could begin
     * (actors/edges/relays.h); 0: the sum of both latencies. */
    double round_trip_s;
    struct frs_path_memory memory[2]; /* of a connection that was there before: down, up */
    double contact_s;
    struct frs_loss down_loss, compute_loss, up_loss;
    struct frs_peer_plan peers;
    struct frs_assigned_budget grant;
    double worth;     /* by which it was selected; 0: by none */
    uint32_t group;   /* of the selection, counted from 1; 0: it knows none */
    bool reports;     /* the upload carries its training loss, for the selection */
    double work_s;    /* of the compute phase at the device's own speed; read where its speed changes */
    double compute_s; /* filled by the `compute` operation of the server, as is the rest of the usage */
};

/* Times; those of phases that were not reached stay NaN. The start of a message that was tried several
 * times is that of the last try. */
struct frs_participation_times {
    double selected_s;
    double started_s;    /* first latency begins; later than selected_s by what the server needs to encode */
    double connected_s;  /* with a handshake: it is over */
    double down_start_s; /* latency paid, first byte */
    double down_end_s;
    double compute_start_s; /* later than down_end_s by what the device was still busy */
    double compute_end_s;
    double up_start_s;
    double up_end_s;    /* with an edge: it holds the upload */
    double sent_s;      /* with an edge: its message left the server; started_s is when the edge had it */
    double exchanged_s; /* models, or layers, have been exchanged with other clients */
    double ended_s;     /* delivered, or lost */
    double known_s;     /* the server learned of that, or stopped waiting for it */
};

/* One exchange of a client with the server in a protocol around the upload (actors/server/server.h), as a
 * whole. */
struct frs_aside {
    const char *name;
    double from_s, to_s;
    uint64_t down_bytes, up_bytes; /* of messages, that crossed; again, where they were sent again */
    uint64_t setup_down_bytes, setup_up_bytes;     /* of connecting */
    uint64_t metered_down_bytes, metered_up_bytes; /* of all these, on a metered link */
    double flop;                                   /* that was run */
    /* Of a download after the aggregation: how often it was tried again; of its bytes those that had to be
     * sent again, and with these all if it was lost, and why it was; its size in the papers' way, once it has
     * arrived; and that of the message, in any case. */
    uint32_t retries;
    uint64_t message_down_bytes;
    uint64_t resent_down_bytes, wasted_down_bytes, nominal_down_bytes;
    enum frs_cause lost;
};

#define FRS_MAX_ASIDES 3u

/* What became of it. */
struct frs_participation_result {
    enum frs_outcome outcome;
    enum frs_cause cause;
    enum frs_phase phase; /* the last one reached, once it has ended */
    uint64_t down_crossed_bytes, up_crossed_bytes;
    uint64_t setup_down_bytes, setup_up_bytes; /* of handshakes; crossed, and in no message */
    /* Crossed before, and had to be sent again; not among those above. */
    uint64_t resent_down_bytes, resent_up_bytes;
    uint64_t metered_down_bytes, metered_up_bytes;             /* of all that crossed, on a metered link, */
    uint64_t metered_setup_down_bytes, metered_setup_up_bytes; /* and of these the bytes of handshakes */
    uint32_t retries;                                          /* connections opened anew after a break */
    double computed_share;                                     /* of the compute phase */
    struct frs_aside asides[FRS_MAX_ASIDES]; /* in the order of time; beside the figures above */
    size_t n_asides;
    uint32_t staleness; /* versions of the tables since its download, when it was aggregated */
    struct frs_peer_usage peers;
    double energy_j;          /* modelled, */
    struct frs_energy energy; /* and what it was for */
};

/* The message on its way, part by part. */
struct frs_sending {
    bool in_slow_start;
    struct frs_slow_start slow_start;
    uint64_t kept_bytes;              /* of the message, moved by tries before */
    uint64_t whole_bytes, sent_bytes; /* to be moved; moved by the parts before */
    uint64_t part_bytes;              /* of the part under way; 0: the next one has to wait */
    double part_start_s, next_s;      /* of the part under way, and of the next one at the earliest */
    uint64_t noted_bytes;             /* of those that have crossed, metered or not (actors/metered.h) */
};

/* A connection that broke while a message was under way, and how the client came by the next one. */
struct frs_break {
    /* No message was under way: the connection was lost with the link on which it was opened, and the next
     * one was opened at once. Such a break does not count as a try of failures.retry. */
    bool idle;
    bool up;                                   /* the message was the upload */
    enum frs_slow_start_kind slow_start_kind;  /* how it was sent */
    double from_s, start_s, broke_s;           /* connected; latency paid, first byte; broken */
    double again_s, connected_s;               /* connecting anew, and connected; NaN: not reached */
    struct frs_path_memory begun;              /* what the sender knew then */
    struct frs_link_terms terms;               /* what the link could do at start_s */
    double setup_latency_s;                    /* of the handshake from again_s on */
    uint64_t bytes;                            /* of the message, that crossed since start_s, */
    uint64_t whole_bytes;                      /* and that were to cross */
    uint64_t setup_down_bytes, setup_up_bytes; /* of the handshake from again_s on */
};

struct frs_participation {
    uint32_t client, round, attempt; /* no two of a run have all three in common: its random streams' name */
    struct frs_participation_plan plan;
    struct frs_usage usage;
    struct frs_participation_times times;
    struct frs_participation_result result;
    struct frs_post_upload post;
    struct frs_speeds speeds;
    struct frs_break *breaks; /* [n_breaks] after which the client tried again, in the order of time */
    size_t n_breaks, breaks_capacity;
    struct frs_participation *receive; /* its download after the aggregation, owned; NULL: there was none */
    /* The participation of the same client whose `post` still occupies the device; NULL: none. */
    struct frs_participation *before;
    /* The server's. */
    /* Where there are edges (actors/edges/relays.h). */
    bool carries;                      /* it is no client's, but a message between an edge and the server, */
    struct frs_participation *carried; /* the first client's that it is from or for */
    bool at_edge;                      /* its edge holds its upload */
    /* With edge rounds: the number of its edge round, counted from 0; the client's participation in the first
     * one, NULL: it is that itself; and whether later uploads are based on a model of the edge that has this
     * upload in it, so that the server aggregates those. */
    uint32_t edge_round;
    const struct frs_participation *first_at_edge;
    bool in_edge_model;
    uint32_t shares; /* the link that its messages share: 0: the server's, 1 + i: the access side of edge i */
    uint32_t edge_messages[2]; /* places of what its edge forwarded for it, down and up, counted from 1 */
    bool aside;                /* it is an exchange of a protocol (actors/server/server.h), and of no round */
    bool busy;                 /* under way, as far as the server knows */
    bool closed;               /* its round is over: it can only be late */
    uint32_t closed_round;     /* with `closed`: rounds that had been closed by then, its own included */
    enum frs_cause late_cause; /* with `closed`: why a late upload is not used */
    /* The engine backend's. */
    struct frs_in_flight *in_flight;
    uint32_t place;          /* among those under way; small, given again after the end */
    struct frs_queue *ended; /* where it goes when it ends; may be NULL */
    struct frs_participation *next;
    struct frs_sending sending;
    struct frs_path_memory begun[2];   /* what the senders knew when the last messages began: down, up, */
    struct frs_windows windows[2];     /* in which they went, */
    struct frs_path_memory greeted[2]; /* and, under by_packets, when their connection had been opened, */
    struct frs_path_memory learnt[2];  /* and, under by_packets, what they knew when those had ended */
    /* Of a message that carries: what is under way on its connection (actors/links/tcp_stream.h), as it
     * begins and, under by_packets, when it has ended. Borrowed; NULL: messages do not follow one another. */
    struct frs_tcp_stream *stream;
    bool follows;                   /* something was under way as it began */
    struct frs_link_terms terms[2]; /* of the links on which they began, where links change */
    double connected_until_s;       /* when the link changes that the connection was opened on */
    bool on_metered;                /* the link that bytes cross on now */
    uint32_t n_packets;             /* that have passed all its links so far, under by_packets, */
    uint32_t n_starts;              /* and transfers that have begun and share a finite link */
    bool ends_lost;                 /* the message or phase under way ends in a planned failure */
    void *actor;
};

/* Whether it opens a connection before its first message. */
static inline bool frs_participation_connects(const struct frs_participation *participation) {
    const struct frs_handshake *handshake = &participation->plan.handshake;
    return !participation->plan.unreachable &&
           (handshake->wait_s > 0 || handshake->up_bytes > 0 || handshake->down_bytes > 0);
}

/* The handshake of the connection that is being opened, or was last. */
static inline const struct frs_handshake *frs_participation_handshake(
    const struct frs_participation *participation) {
    return participation->n_breaks > 0 ? &participation->plan.retrying.handshake
                                       : &participation->plan.handshake;
}

/* When the client's own part in it was over: its edge may hold its upload after that. */
static inline double frs_participation_left_s(const struct frs_participation *participation) {
    const struct frs_participation_times *times = &participation->times;
    bool held = times->sent_s == times->sent_s && times->up_end_s == times->up_end_s;
    return held ? times->up_end_s : times->ended_s;
}

/* Whether its compute phase has ended: the upload is what is left of it. */
static inline bool frs_participation_has_computed(const struct frs_participation *participation) {
    return participation->times.compute_end_s == participation->times.compute_end_s;
}

void frs_queue_put(struct frs_queue *queue, struct frs_participation *participation);

/* The first one, or NULL. */
struct frs_participation *frs_queue_take(struct frs_queue *queue);

/* What the client's link could do when the last download or upload began. */
struct frs_link_terms frs_participation_terms(const struct frs_participation *participation, bool up);

/* Latency there and back on such a link. */
double frs_participation_round_trip_s(
    const struct frs_participation *participation, const struct frs_link_terms *terms);

/* Slow start of a download or upload of this many bytes through the client's own link; `begun` is what the
 * sender knew when it began. The caller frees the windows, which are empty before the call. Slow start
 * then follows them. */
struct frs_slow_start frs_participation_slow_start(const struct frs_participation *participation, bool up,
    enum frs_slow_start_kind kind, const struct frs_path_memory *begun, const struct frs_link_terms *terms,
    uint64_t bytes, struct frs_windows *windows);

/* A participation that has not begun: times NaN, nothing planned, never offline. */
struct frs_participation frs_participation_new(uint32_t client);
void frs_participation_fini(struct frs_participation *participation);

#endif
