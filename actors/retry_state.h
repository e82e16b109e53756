/* Retry state: how often a message is sent, and from where.
 *
 * A connection that breaks while a message is under way ends the try, not the participation. The client
 * waits, connects anew, and continues where the message broke off, or from its beginning, as often as its
 * plan allows. The receiver holds whole bytes and reports how many, so a message that is resumed sends
 * nothing twice. When a message is sent again from its beginning, the bytes that had crossed before are
 * wasted. Devices that fail are not tried again. Pure. */
#ifndef FRS_ACTORS_RETRY_STATE_H
#define FRS_ACTORS_RETRY_STATE_H

#include "actors/participation.h"

/* One try at a message. */
struct frs_try {
    double from_s, start_s,
        end_s;  /* connected; latency paid, first byte; last byte, or broken. NaN: not reached */
    bool whole; /* the message was complete with it */
    enum frs_slow_start_kind slow_start_kind;
    struct frs_path_memory begun; /* what the sender knew at start_s, */
    struct frs_link_terms terms;  /* and what the client's link could do */
    uint64_t bytes, whole_bytes;  /* that crossed, and that were to cross */
};

/* Try i of a message, counted from 0; false: there was none. */
bool frs_try(const struct frs_participation *participation, bool up, size_t i, struct frs_try *try);

/* How many tries of a message broke and were followed by another, or by the wait for it. */
uint32_t frs_retry_state_broken(const struct frs_participation *participation, bool up);

/* The number of the last try at a message, counted from 0. It includes tries that broke, and connections
 * that were lost before a try began. */
uint32_t frs_retry_state_last_try(const struct frs_participation *participation, bool up);

/* The connection was lost with the link on which it was opened, before any byte of the message had been
 * sent on it; the next one is opened now. */
void frs_retry_state_reopen(struct frs_participation *participation, bool up, double now_s);

/* Whether the client would try again if the connection broke now. */
bool frs_retry_state_are_left(const struct frs_participation *participation, bool up);

/* The connection has broken, with so many bytes crossed as the result says. */
void frs_retry_state_break(struct frs_participation *participation, bool up, double now_s);

/* How long the client waits after the last break. */
double frs_retry_state_wait_s(const struct frs_participation *participation);

/* Connected anew: the receiver keeps what has crossed, or that will be sent again. */
void frs_retry_state_resume(struct frs_participation *participation, bool up);

#endif
