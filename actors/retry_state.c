#include "actors/retry_state.h"
#include "sim/base/memory.h"

#include <math.h>

/* The break that ended try i; NULL: none did. */
static const struct frs_break *break_of(const struct frs_participation *p, bool up, size_t i) {
    for (size_t k = 0; k < p->n_breaks; k++)
        if (p->breaks[k].up == up && i-- == 0)
            return &p->breaks[k];
    return NULL;
}

uint32_t frs_retry_state_broken(const struct frs_participation *p, bool up) {
    uint32_t n = 0;
    for (size_t k = 0; k < p->n_breaks; k++)
        n += p->breaks[k].up == up && !p->breaks[k].idle;
    return n;
}

uint32_t frs_retry_state_last_try(const struct frs_participation *p, bool up) {
    uint32_t n = 0;
    for (size_t k = 0; k < p->n_breaks; k++)
        n += p->breaks[k].up == up;
    return n;
}

/* Since when the client has the connection for try i. */
static double from_s(const struct frs_participation *p, bool up, size_t i) {
    if (i > 0)
        return break_of(p, up, i - 1)->connected_s;
    if (up) /* behind an exchange with other clients there is none */
        return p->plan.peers.exchanges ? p->times.up_start_s : p->times.compute_end_s;
    return frs_participation_connects(p) ? p->times.connected_s : p->times.started_s;
}

/* What tries before this one have moved of the message. */
static uint64_t kept_bytes(const struct frs_participation *p, bool up) {
    uint64_t bytes = 0;
    for (size_t k = 0; k < p->n_breaks && p->plan.retrying.resumes; k++)
        bytes += p->breaks[k].up == up ? p->breaks[k].bytes : 0;
    return bytes;
}

bool frs_try(const struct frs_participation *p, bool up, size_t i, struct frs_try *try) {
    const struct frs_break *broken = break_of(p, up, i);
    if (broken) {
        *try = (struct frs_try){.from_s = broken->from_s,
            .start_s = broken->start_s,
            .end_s = broken->broke_s,
            .slow_start_kind = broken->slow_start_kind,
            .begun = broken->begun,
            .terms = p->plan.link.follows ? broken->terms : frs_participation_terms(p, up),
            .bytes = broken->bytes,
            .whole_bytes = broken->whole_bytes};
        return true;
    }
    if (i > frs_retry_state_last_try(p, up) || isnan(from_s(p, up, i)))
        return false;
    *try = (struct frs_try){.from_s = from_s(p, up, i),
        .start_s = up ? p->times.up_start_s : p->times.down_start_s,
        .end_s = up ? p->times.up_end_s : p->times.down_end_s,
        .slow_start_kind = up ? p->plan.up_slow_start : p->plan.down_slow_start,
        .begun = p->begun[up],
        .terms = frs_participation_terms(p, up)};
    try->whole = isfinite(try->end_s);
    if (isfinite(try->start_s))
        try->bytes = (up ? p->result.up_crossed_bytes : p->result.down_crossed_bytes) - kept_bytes(p, up);
    try->whole_bytes = try->whole ? try->bytes : p->sending.whole_bytes;
    return true;
}

bool frs_retry_state_are_left(const struct frs_participation *p, bool up) {
    return frs_retry_state_broken(p, up) < p->plan.retrying.times;
}

static void add_break(struct frs_participation *p, const struct frs_break *broken) {
    bool up = broken->up;
    p->breaks = frs_grow(p->breaks, p->n_breaks + 1, &p->breaks_capacity, sizeof *p->breaks);
    p->breaks[p->n_breaks++] = *broken;
    if (p->plan.retrying.slow_start_kind == FRS_SLOW_START_NONE)
        return;
    *(up ? &p->plan.up_slow_start : &p->plan.down_slow_start) = p->plan.retrying.slow_start_kind;
    if (!up) /* by the upload the server has answered, with the download */
        p->plan.up_slow_start = FRS_SLOW_START_PAIRED;
}

/* The last byte of a message that broke cannot have come. */
void frs_retry_state_break(struct frs_participation *p, bool up, double now_s) {
    uint64_t *crossed = up ? &p->result.up_crossed_bytes : &p->result.down_crossed_bytes,
             message = up ? p->usage.up_bytes : p->usage.down_bytes;
    double *start_s = up ? &p->times.up_start_s : &p->times.down_start_s;
    *crossed = *crossed < message ? *crossed : message - 1;
    const struct frs_break broken = {.up = up,
        .slow_start_kind = up ? p->plan.up_slow_start : p->plan.down_slow_start,
        .from_s = from_s(p, up, frs_retry_state_last_try(p, up)),
        .start_s = *start_s,
        .broke_s = now_s,
        .again_s = NAN,
        .connected_s = NAN,
        .begun = p->begun[up],
        .terms = frs_participation_terms(p, up),
        .bytes = *crossed - kept_bytes(p, up),
        .whole_bytes = p->sending.whole_bytes};
    *start_s = NAN;
    add_break(p, &broken);
}

void frs_retry_state_reopen(struct frs_participation *p, bool up, double now_s) {
    const struct frs_break gone = {.idle = true,
        .up = up,
        .slow_start_kind = up ? p->plan.up_slow_start : p->plan.down_slow_start,
        .from_s = from_s(p, up, frs_retry_state_last_try(p, up)),
        .start_s = now_s,
        .broke_s = now_s,
        .again_s = now_s,
        .connected_s = NAN,
        .begun = p->begun[up],
        .terms = frs_participation_terms(p, up)};
    add_break(p, &gone);
}

/* The largest time that a scenario can say; a factor for every break soon goes beyond. */
#define LONGEST_WAIT_S 1e9

double frs_retry_state_wait_s(const struct frs_participation *p) {
    double wait_s = p->plan.retrying.after_s,
           longest_s = p->plan.retrying.longest_s > 0 ? p->plan.retrying.longest_s : LONGEST_WAIT_S;
    for (uint32_t i = frs_retry_state_broken(p, p->breaks[p->n_breaks - 1].up); i > 1; i--)
        wait_s *= p->plan.retrying.backoff;
    return wait_s < longest_s ? wait_s : longest_s;
}

void frs_retry_state_resume(struct frs_participation *p, bool up) {
    uint64_t *crossed = up ? &p->result.up_crossed_bytes : &p->result.down_crossed_bytes;
    if (p->plan.retrying.resumes)
        return;
    *(up ? &p->result.resent_up_bytes : &p->result.resent_down_bytes) += *crossed;
    *crossed = 0;
}
