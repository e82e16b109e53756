#include "actors/observing.h"
#include "actors/extremes.h"
#include "actors/phase_times.h"
#include "actors/retry_state.h"

#include <math.h>

static bool has_arrived(const struct frs_participation *p) {
    return p->result.outcome == FRS_DELIVERED || p->result.outcome == FRS_LATE;
}

/* Whether the server knows that no upload will arrive. It detects a broken connection after a while; a
 * client that has too little memory reports it. */
static bool is_known_lost(const struct frs_participation *p, double detect_s) {
    bool vanished = p->result.outcome >= FRS_DROPPED_DOWN && p->result.outcome <= FRS_DROPPED_UP;
    return p->result.outcome == FRS_UNAVAILABLE || p->result.outcome == FRS_REFUSED ||
           (vanished && p->times.known_s >= p->times.ended_s + detect_s);
}

static uint64_t arrived_bytes(const struct frs_participation *p) {
    return p->result.up_crossed_bytes + p->result.resent_up_bytes;
}

/* Those of the arrived bytes that need not be sent again. */
static uint64_t kept_bytes(const struct frs_participation *p) {
    struct frs_try now;
    if (p->plan.retrying.resumes)
        return p->result.up_crossed_bytes;
    return frs_try(p, true, frs_retry_state_last_try(p, true), &now) ? now.bytes : 0;
}

/* An acknowledgement takes as long as any message to the server. */
static enum frs_evidence sight_of(const struct frs_participation *p) {
    if (has_arrived(p))
        return FRS_SAW_UPLOAD;
    if (arrived_bytes(p) > 0)
        return FRS_SAW_PART;
    return p->times.down_end_s + p->plan.up_latency_s <= p->times.known_s ? FRS_SAW_RECEIPT : FRS_SAW_NOTHING;
}

/* The share of the bytes that crossed for a message and were not wasted. */
static double share_of(uint64_t bytes, uint64_t resent_bytes) {
    return resent_bytes > 0 ? (double)bytes / (double)(bytes + resent_bytes) : 1;
}

static double overhead_s(const struct frs_phase_times *spent) {
    return spent->setup_s + spent->retry_s + spent->latency_s;
}

/* Under by_packets every packet has the latency, and the phase of a message that of its last one. */
static double inner_latency_s(const struct frs_participation *p, bool up) {
    return p->plan.by_packets ? (up ? p->plan.up_latency_s : p->plan.down_latency_s) : 0;
}

/* Times of connecting, waiting to connect anew, latencies, and of what had to be sent again: `latency_s`. */
static void see_download(const struct frs_participation *p, struct frs_observation *seen) {
    struct frs_phase_times spent = frs_participation_times_within(p, -INFINITY, p->times.down_end_s);
    double inner_s = inner_latency_s(p, false),
           share = share_of(p->usage.down_bytes, p->result.resent_down_bytes);
    seen->down_bytes = (double)p->usage.down_bytes;
    seen->down_s = (spent.down_s - inner_s) * share;
    seen->latency_s = overhead_s(&spent) + inner_s + (spent.down_s - inner_s) * (1 - share);
}

/* The server cannot distinguish waiting for the device from computing. The rate of an incomplete upload is
 * that of the part that arrived. */
static void see_upload(const struct frs_participation *p, struct frs_observation *seen) {
    struct frs_phase_times spent = frs_participation_times_within(p, p->times.down_end_s, INFINITY);
    bool whole = seen->sight == FRS_SAW_UPLOAD;
    double inner_s = inner_latency_s(p, true),
           share = whole ? share_of(p->usage.up_bytes, p->result.resent_up_bytes) : 1,
           up_s = frs_larger(spent.up_s - inner_s, 0);
    seen->compute_s = spent.queue_s + spent.compute_s;
    seen->up_bytes = (double)(whole ? p->usage.up_bytes : arrived_bytes(p));
    seen->kept_up_bytes = (double)(whole ? p->usage.up_bytes : kept_bytes(p));
    seen->up_s = up_s * share;
    seen->latency_s += overhead_s(&spent) + inner_s + up_s * (1 - share);
}

/* The server also waited for an upload that could not arrive: as far as it knows, the client was at work,
 * and the latency of its try had passed. */
static void go_on(struct frs_participation *p) {
    struct frs_try try;
    p->times.ended_s = p->times.known_s;
    if (!frs_try(p, true, frs_retry_state_last_try(p, true), &try) || !isnan(try.start_s))
        return;
    double start_s = try.from_s + p->plan.up_latency_s;
    if (start_s < p->times.known_s)
        p->times.up_start_s = start_s;
}

bool frs_observing(
    const struct frs_participation *participation, double detect_s, struct frs_observation *seen) {
    struct frs_participation p = *participation;
    bool forgotten = p.result.cause == FRS_CAUSE_SERVER_RESTART || p.result.cause == FRS_CAUSE_END_OF_RUN;
    if (isnan(p.times.started_s) || forgotten)
        return false;
    *seen = (struct frs_observation){.client = p.client,
        .sight = sight_of(&p),
        .loss = NAN,
        .lost = is_known_lost(&p, detect_s),
        .round_trip_s = p.plan.down_latency_s + p.plan.up_latency_s,
        .predicted_up_bytes = p.plan.grant.predicted_bytes,
        .work = p.plan.grant.work,
        .slow_start = {p.plan.down_slow_start, p.plan.up_slow_start}};
    if (!has_arrived(&p) && !seen->lost)
        go_on(&p);
    seen->waited_s = seen->lost ? 0 : p.times.ended_s - p.times.started_s;
    if (seen->sight >= FRS_SAW_RECEIPT)
        see_download(&p, seen);
    if (seen->sight == FRS_SAW_RECEIPT)
        seen->latency_s += p.plan.up_latency_s;
    else if (seen->sight > FRS_SAW_RECEIPT)
        see_upload(&p, seen);
    return true;
}
