#include "actors/crossed.h"
#include "actors/metered.h"

#include <float.h>

#define ULPS 8 /* of the operations between a message's length, or a time, and what had crossed */

/* A fraction of a byte at the end of an aborted transfer has not crossed; a byte that is incomplete only
 * by rounding has. */
static uint64_t whole_bytes(double bytes, double rounding, uint64_t at_most) {
    uint64_t whole = bytes > 0 ? (uint64_t)(bytes + (rounding < 0.5 ? rounding : 0.5)) : 0;
    return whole < at_most ? whole : at_most;
}

uint64_t frs_crossed_share(double share, uint64_t bytes) {
    double moved = share * (double)bytes;
    return whole_bytes(moved, ULPS * DBL_EPSILON * moved, bytes);
}

/* Returns the whole bytes of `received` since start_s. A time is exact to its last digits: the uncertainty
 * is the number of bytes that cross in that interval. */
static uint64_t whole_bytes_since(double start_s, double now_s, double received, uint64_t at_most) {
    double bytes_per_s = now_s > start_s ? received / (now_s - start_s) : 0;
    return whole_bytes(received, ULPS * DBL_EPSILON * now_s * bytes_per_s, at_most);
}

void frs_crossed_note(struct frs_participation *p, uint64_t bytes) {
    struct frs_break *broken = frs_last_break(p);
    if (p->result.phase >= FRS_PHASE_SETUP_UP && p->result.phase <= FRS_PHASE_UP)
        frs_metered_note(p, bytes);
    if (p->result.phase == FRS_PHASE_SETUP_UP || p->result.phase == FRS_PHASE_SETUP_LAST) {
        p->result.setup_up_bytes += bytes;
        if (broken)
            broken->setup_up_bytes += bytes;
    }
    if (p->result.phase == FRS_PHASE_SETUP_DOWN) {
        p->result.setup_down_bytes += bytes;
        if (broken)
            broken->setup_down_bytes = bytes;
    }
    if (p->result.phase == FRS_PHASE_DOWN)
        p->result.down_crossed_bytes = p->sending.kept_bytes + bytes;
    if (p->result.phase == FRS_PHASE_UP)
        p->result.up_crossed_bytes = p->sending.kept_bytes + bytes;
}

uint64_t frs_crossed_bytes(const struct frs_participation *p, double now_s, double received_bytes) {
    const struct frs_sending *sending = &p->sending;
    return sending->sent_bytes +
           whole_bytes_since(sending->part_start_s, now_s, received_bytes, sending->part_bytes);
}
