/* Slow start: a sender that does not know its path sends a window of bytes and waits one round trip for
 * the first acknowledgement. Each round sends twice as much, until a window takes so long to leave that
 * acknowledgements arrive before it is out. From then on the link never idles, and the rest crosses at
 * once.
 *
 * A receiver acknowledges its first packets one by one and then every second one (RFC 1122), but delays no
 * acknowledgement for long. Linux takes a connection on which the receiver has answered before for an
 * interactive one, on which every second packet is acknowledged from the first on.
 *
 * Nothing is fitted: the initial window is that of RFC 6928, it doubles as in RFC 5681, and receivers are
 * Linux's. Losses are not included: a queue that overflows in slow start costs one to three more round
 * trips, and then the message crosses in windows that were planned (actors/windows.h). Pure. */
#ifndef FRS_ACTORS_SLOW_START_H
#define FRS_ACTORS_SLOW_START_H

#include "actors/windows.h"

#define FRS_SEGMENT_BYTES 1448          /* of payload in a packet of 1500 bytes, with time stamps */
#define FRS_QUICK_ACKNOWLEDGEMENTS 16   /* packets that are acknowledged one by one, */
#define FRS_ACKNOWLEDGEMENT_DELAY_S .04 /* and how long the next ones wait at most */

/* How a message is sent. */
enum frs_slow_start_kind {
    FRS_SLOW_START_NONE,   /* at once: the connection keeps its window */
    FRS_SLOW_START_QUICK,  /* in slow start, and first packets are acknowledged one by one */
    FRS_SLOW_START_PAIRED, /* in slow start, and every second packet is acknowledged from the first on */
};

struct frs_slow_start {
    uint64_t window_bytes; /* that the next round sends at most */
    double bytes_per_s;    /* of the path */
    double round_trip_s;   /* latencies alone */
    int64_t n_quick;       /* packets that will be acknowledged one by one; none where it is not positive */
    const struct frs_window
        *windows; /* [n_windows] that are still to come, where the closed form does not hold */
    size_t n_windows;
};

/* round_trip_s ≥ 0: latency there and back, without the time that bytes take. */
struct frs_slow_start frs_slow_start_begin(
    double bytes_per_s, double round_trip_s, enum frs_slow_start_kind kind);

/* The connection remembers its path: another window than the initial one. */
void frs_slow_start_remember(struct frs_slow_start *slow_start, const struct frs_path_memory *memory);

/* Instead of the closed form; where there are windows. They stay the caller's. */
void frs_slow_start_follow(struct frs_slow_start *slow_start, const struct frs_windows *windows);

/* Returns how much of left_bytes > 0 is sent next. *wait_s: the rest may start no earlier than this long
 * after this start; 0 where there is no rest. */
uint64_t frs_slow_start_next(struct frs_slow_start *slow_start, uint64_t left_bytes, double *wait_s);

/* From the first byte sent to the last, alone on a path that does not change. */
double frs_slow_start_takes_s(struct frs_slow_start slow_start, double bytes);
double frs_slow_start_duration_s(
    double bytes, double bytes_per_s, double round_trip_s, enum frs_slow_start_kind kind);

/* The inverse: the seconds that a byte takes on a path on which so many bytes, alone on it, took
 * duration_s. Returns 0 where round trips alone take longer than that, and without bytes. */
double frs_slow_start_s_per_byte(
    double bytes, double duration_s, double round_trip_s, enum frs_slow_start_kind kind);

#endif
