/* Windows: a message that crosses its link in several parts, because its sender has to wait in between;
 * and what a connection remembers of one message when the next begins.
 *
 * Slow start alone has a closed form (actors/slow_start.h). Where the queue before the link overflows, the
 * sender has to be simulated (actors/links/uncontended_flow.h): the caller that plans a participation
 * gives the function for that. Pure. */
#ifndef FRS_ACTORS_WINDOWS_H
#define FRS_ACTORS_WINDOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRS_INITIAL_WINDOW 10 /* packets, RFC 6928 */

/* What crosses without a pause, and how long after its start the next window begins at the earliest. */
struct frs_window {
    uint64_t bytes;
    double wait_s;
};

/* Zeroed: the closed form holds. */
struct frs_windows {
    struct frs_window *of; /* [n] */
    size_t n;
};

/* What a sender knows of its path, in packets. Zeroed: nothing, and it begins with the initial window. */
struct frs_path_memory {
    double window, last_maximum;
    double threshold;          /* 0: slow start has not ended yet */
    double rtt_s, deviation_s; /* smoothed, and four times its mean deviation, */
    double timeout_s;          /* of a retransmission, */
    double sent_s;             /* and when it last sent */
    double delay_s;            /* the shortest round trip that data has shown; 0: none has yet */
    uint64_t probe_repaired;   /* 1: a probe took the place of its last packet, which was lost; 0: not */
};

/* Returns what is left of the memory when a message begins at now_s. The kernel halves the window once for
 * every retransmission time-out in which nothing was sent, down to the initial one (RFC 2861;
 * tcp_cwnd_restart). If slow start had ended before, its new threshold is three quarters of the old
 * window. A window smaller than the initial one stays. */
struct frs_path_memory frs_path_memory_at(const struct frs_path_memory *memory, double now_s);

struct frs_tcp_stream; /* actors/links/tcp_stream.h */

/* A message that is alone on its own link, whose rate does not change. */
struct frs_uncontended_flow {
    double bytes, bytes_per_s, round_trip_s; /* bytes > 0 */
    double queue_s;   /* that the queue before the link holds, at its rate, but at least 20 packets */
    bool up;          /* a client sends it, which has sent its request before */
    bool interactive; /* the receiver has answered on the connection before */
    struct frs_path_memory from; /* as the message begins */
    /* What is under way on its connection as it begins, on a clock that begins then: it follows another
     * message, and `from` is not read. NULL: nothing is. */
    const struct frs_tcp_stream *stream;
};

/* How senders meet queues; zeroed: there are none. */
struct frs_sender_rules {
    double queue_s;
    /* The windows of such a message; empty where the closed form holds. The caller frees windows->of. */
    void (*windows)(void *context, const struct frs_uncontended_flow *flow, struct frs_windows *windows);
    void *context; /* of the function */
};

#endif
