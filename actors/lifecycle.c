#include "actors/lifecycle.h"
#include "actors/crossed.h"
#include "actors/metered.h"
#include "actors/speeds.h"
#include "actors/post_upload.h"
#include "actors/retry_state.h"
#include "sim/base/errors.h"

#include <stdlib.h>

static enum frs_outcome dropped_in(const struct frs_participation *p) {
    if (p->result.phase == FRS_PHASE_QUEUE || p->result.phase == FRS_PHASE_COMPUTE ||
        (p->result.phase == FRS_PHASE_EXCHANGE && p->plan.peers.layers))
        return FRS_DROPPED_COMPUTE;
    return frs_participation_has_computed(p) ? FRS_DROPPED_UP : FRS_DROPPED_DOWN;
}

static void end(struct frs_participation *p, double now_s, enum frs_outcome outcome, enum frs_cause cause) {
    p->times.ended_s = now_s;
    p->result.outcome = outcome;
    p->result.cause = cause;
    if (p->ended)
        frs_queue_put(p->ended, p);
}

/* A device that drops out also ends its work after an upload. */
static void vanish(struct frs_participation *p, double now_s, enum frs_cause cause) {
    if (cause == FRS_CAUSE_CONNECTION || cause == FRS_CAUSE_EDGE_FAILURE)
        return;
    frs_post_upload_break(p, now_s, FRS_POST_DROPPED, cause);
    if (p->before)
        frs_post_upload_break(p->before, now_s, FRS_POST_DROPPED, cause);
}

void frs_lifecycle_stop(struct frs_participation *p, double now_s, double received_bytes,
    enum frs_outcome outcome, enum frs_cause cause) {
    FRS_INVARIANT(p->result.outcome == FRS_PENDING, "client %u is stopped after its end", p->client);
    frs_crossed_note(p, frs_crossed_bytes(p, now_s, received_bytes));
    if (p->result.phase == FRS_PHASE_COMPUTE && p->plan.compute_s > 0)
        p->result.computed_share = frs_speeds_share_after(p, now_s - p->times.compute_start_s);
    if (p->result.phase == FRS_PHASE_MIX && p->plan.peers.mix_s > 0)
        p->result.peers.mix_flop =
            p->plan.peers.mix_flop * (now_s - p->times.exchanged_s) / p->plan.peers.mix_s;
    if (outcome == FRS_PENDING)
        vanish(p, now_s, cause);
    end(p, now_s, outcome == FRS_PENDING ? dropped_in(p) : outcome, cause);
}

static bool is_sending(const struct frs_participation *p) {
    return p->result.phase == FRS_PHASE_DOWN || p->result.phase == FRS_PHASE_UP;
}

bool frs_lifecycle_retries(const struct frs_participation *p, enum frs_cause cause) {
    return cause == FRS_CAUSE_CONNECTION && is_sending(p) &&
           frs_retry_state_are_left(p, p->result.phase == FRS_PHASE_UP);
}

static void break_off(struct frs_participation *p, double now_s, uint64_t bytes) {
    frs_crossed_note(p, bytes);
    frs_retry_state_break(p, p->result.phase == FRS_PHASE_UP, now_s);
    p->result.phase = FRS_PHASE_BROKEN;
}

void frs_lifecycle_break(struct frs_participation *p, double now_s, double received_bytes) {
    FRS_INVARIANT(p->result.outcome == FRS_PENDING, "client %u breaks off after its end", p->client);
    break_off(p, now_s, frs_crossed_bytes(p, now_s, received_bytes));
}

/* The failure that was planned strikes at its time, unless the phase is over by then. */
void frs_lifecycle_shorten(struct frs_participation *p, double compute_s) {
    FRS_INVARIANT(p->result.phase == FRS_PHASE_COMPUTE && compute_s >= 0,
        "client %u is to compute %g s instead of %g", p->client, compute_s, p->plan.compute_s);
    double fails_s =
               p->plan.compute_loss.planned ? frs_speeds_until_share_s(p, p->plan.compute_loss.at_share) : 0,
           start_s = p->times.compute_start_s;
    p->plan.compute_s = compute_s;
    if (p->speeds.n > 0)
        p->plan.work_s = frs_speeds_work_s(&p->speeds, start_s, start_s + compute_s);
    if (!p->plan.compute_loss.planned)
        return;
    p->plan.compute_loss.planned = p->ends_lost = fails_s < compute_s;
    if (p->ends_lost)
        p->plan.compute_loss.at_share = frs_speeds_share_after(p, fails_s);
}

static struct frs_step finish(
    struct frs_participation *p, double now_s, enum frs_outcome outcome, enum frs_cause cause) {
    end(p, now_s, outcome, cause);
    p->result.phase = FRS_PHASE_END;
    return (struct frs_step){.kind = FRS_STEP_END};
}

void frs_lifecycle_crosses_on(
    struct frs_participation *p, double now_s, double received_bytes, bool metered) {
    frs_metered_note(p, frs_crossed_bytes(p, now_s, received_bytes));
    p->on_metered = metered;
}

/* A planned failure has come: the phase got as far as its share. */
static struct frs_step lose(struct frs_participation *p, double now_s, const struct frs_loss *loss) {
    struct frs_step none = {.kind = FRS_STEP_END};
    if (frs_lifecycle_retries(p, loss->cause)) {
        break_off(p, now_s, p->sending.whole_bytes);
        return none;
    }
    frs_crossed_note(p, p->sending.whole_bytes);
    if (p->result.phase == FRS_PHASE_COMPUTE)
        p->result.computed_share = loss->at_share;
    vanish(p, now_s, loss->cause);
    end(p, now_s, dropped_in(p), loss->cause);
    return none;
}

/* start_s: of the phase. */
static struct frs_step with_death(
    const struct frs_participation *p, double start_s, const struct frs_loss *loss, struct frs_step step) {
    step.dies_s = p->plan.leaves_s;
    step.dies_cause = p->plan.leaves_cause;
    if (loss && start_s + loss->after_s < step.dies_s) {
        step.dies_s = start_s + loss->after_s;
        step.dies_cause = loss->after_cause;
    }
    return step;
}

static struct frs_step wait_for(const struct frs_participation *p, double now_s, double duration_s) {
    return with_death(p, now_s, NULL, (struct frs_step){.kind = FRS_STEP_WAIT, .duration_s = duration_s});
}

/* A step of the message under way, whose failures count from its first byte. */
static struct frs_step in_message(const struct frs_participation *p, struct frs_step step) {
    bool up = p->result.phase == FRS_PHASE_UP;
    const struct frs_changing_link *link = &p->plan.link;
    step = with_death(p, up ? p->times.up_start_s : p->times.down_start_s,
        up ? &p->plan.up_loss : &p->plan.down_loss, step);
    if (link->follows && link->breaks && link->until_s < step.dies_s) {
        step.dies_s = link->until_s;
        step.dies_cause = FRS_CAUSE_CONNECTION;
    }
    return step;
}

/* The next part of the message, or all that is left of it. */
static struct frs_step send_part(struct frs_participation *p, double now_s) {
    struct frs_sending *sending = &p->sending;
    double wait_s = 0;
    sending->part_bytes = sending->whole_bytes - sending->sent_bytes;
    if (sending->in_slow_start)
        sending->part_bytes = frs_slow_start_next(&sending->slow_start, sending->part_bytes, &wait_s);
    sending->part_start_s = now_s;
    sending->next_s = now_s + wait_s;
    if (sending->part_bytes == 0) /* what is under way has to be acknowledged first */
        return in_message(p, (struct frs_step){.kind = FRS_STEP_WAIT, .duration_s = wait_s});
    return in_message(
        p, (struct frs_step){.kind = p->result.phase == FRS_PHASE_UP ? FRS_STEP_UP : FRS_STEP_DOWN,
               .bytes = (double)sending->part_bytes});
}

/* A part has crossed, or the next one is due. False: that was the message. */
static bool goes_on_sending(struct frs_participation *p, double now_s, struct frs_step *step) {
    struct frs_sending *sending = &p->sending;
    sending->sent_bytes += sending->part_bytes;
    sending->part_bytes = 0;
    if (sending->sent_bytes == sending->whole_bytes)
        return false;
    *step =
        now_s < sending->next_s
            ? in_message(p, (struct frs_step){.kind = FRS_STEP_WAIT, .duration_s = sending->next_s - now_s})
            : send_part(p, now_s);
    return true;
}

/* Bytes that the current try moves of a message: those that earlier tries left, up to a planned failure. */
static uint64_t bytes_ahead(const struct frs_participation *p, bool up) {
    const struct frs_loss *loss = up ? &p->plan.up_loss : &p->plan.down_loss;
    uint64_t bytes = up ? p->usage.up_bytes - p->result.up_crossed_bytes
                        : p->usage.down_bytes - p->result.down_crossed_bytes;
    return loss->planned ? frs_crossed_share(loss->at_share, bytes) : bytes;
}

/* Returns what a sender knows of its connection, whether it was opened for this participation or before. A
 * connection that was opened anew remembers nothing else. */
static struct frs_path_memory memory_at(const struct frs_participation *p, bool up, double sent_s) {
    const struct frs_path_memory none = {0}, *memory = p->greeted[up].window > 0 ? &p->greeted[up]
                                                       : p->n_breaks > 0         ? &none
                                                                                 : &p->plan.memory[up];
    return p->plan.keeps_windows || p->follows ? *memory : frs_path_memory_at(memory, sent_s);
}

static void prepare_sending(
    struct frs_participation *p, double now_s, bool up, enum frs_slow_start_kind kind) {
    const struct frs_link_terms terms = frs_participation_terms(p, up);
    p->begun[up] = memory_at(p, up, now_s - (p->plan.by_packets ? 0 : terms.latency_s[up]));
    free(p->windows[up].of);
    p->windows[up] = (struct frs_windows){0};
    if (p->sending.in_slow_start)
        p->sending.slow_start = frs_participation_slow_start(
            p, up, kind, &p->begun[up], &terms, p->sending.whole_bytes, &p->windows[up]);
}

/* The first whole byte never arrives where less than one would. */
static struct frs_step transfer(struct frs_participation *p, double now_s, const struct frs_loss *loss) {
    bool up = p->result.phase == FRS_PHASE_UP;
    uint64_t kept_bytes = up ? p->result.up_crossed_bytes : p->result.down_crossed_bytes;
    uint64_t bytes = bytes_ahead(p, up);
    p->ends_lost = loss->planned;
    enum frs_slow_start_kind kind = up ? p->plan.up_slow_start : p->plan.down_slow_start;
    p->sending = (struct frs_sending){.in_slow_start = !p->plan.by_packets && kind != FRS_SLOW_START_NONE,
        .kept_bytes = kept_bytes,
        .whole_bytes = bytes};
    if (bytes < 1)
        return lose(p, now_s, loss);
    prepare_sending(p, now_s, up, kind);
    return send_part(p, now_s);
}

/* A round without upload ends here: what the client has to do is done. */
static struct frs_step finish_up(struct frs_participation *p, double now_s) {
    p->result.phase = FRS_PHASE_UP;
    p->times.up_end_s = now_s;
    if (!p->plan.no_upload)
        frs_metered_note(p, p->sending.whole_bytes);
    p->result.up_crossed_bytes = p->usage.up_bytes;
    return finish(p, now_s, p->closed ? FRS_LATE : FRS_DELIVERED, FRS_CAUSE_NONE);
}

/* Under by_packets every packet has the latency, so the message does not wait for it. */
static bool is_far(const struct frs_participation *p, double latency_s) {
    return latency_s > 0 && !p->plan.by_packets;
}

static struct frs_step connect(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations);

static bool opens_connections(const struct frs_participation *p) {
    const struct frs_handshake *handshake = &p->plan.retrying.handshake;
    return handshake->wait_s > 0 || handshake->up_bytes > 0 || handshake->down_bytes > 0;
}

/* Called when a message is about to begin on the present link. False: its connection was opened on another
 * link, and is gone. */
static bool keeps_connection(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    if (!p->plan.link.follows || !operations)
        return true;
    operations->follow_link(operations->context, p, now_s);
    return !p->plan.link.breaks || now_s < p->connected_until_s || !opens_connections(p);
}

static struct frs_step reopen(
    struct frs_participation *p, double now_s, bool up, const struct frs_lifecycle_operations *operations) {
    frs_retry_state_reopen(p, up, now_s);
    p->connected_until_s = p->plan.link.until_s;
    p->sending = (struct frs_sending){0};
    p->result.phase = FRS_PHASE_RETRY;
    return connect(p, now_s, operations);
}

/* Those of the link on which the message begins, with its latency. */
static void note_terms(struct frs_participation *p, bool up) {
    if (p->plan.link.follows)
        p->terms[up] = p->plan.link.on[p->plan.link.wifi];
}

static struct frs_step start_down(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    if (!keeps_connection(p, now_s, operations))
        return reopen(p, now_s, false, operations);
    p->result.phase = FRS_PHASE_DOWN;
    p->times.down_start_s = now_s;
    return transfer(p, now_s, &p->plan.down_loss);
}

static struct frs_step start_up(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    if (!keeps_connection(p, now_s, operations))
        return reopen(p, now_s, true, operations);
    p->result.phase = FRS_PHASE_UP;
    p->times.up_start_s = now_s;
    return transfer(p, now_s, &p->plan.up_loss);
}

static struct frs_step start_up_latency(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    p->result.phase = FRS_PHASE_UP_LATENCY;
    if (p->plan.no_upload) {
        p->times.up_start_s = now_s;
        return finish_up(p, now_s);
    }
    if (!keeps_connection(p, now_s, operations))
        return reopen(p, now_s, true, operations);
    note_terms(p, true);
    return is_far(p, p->plan.up_latency_s) ? wait_for(p, now_s, p->plan.up_latency_s)
                                           : start_up(p, now_s, operations);
}

/* ---- with other clients ---- */

static struct frs_step start_compute(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations);

static struct frs_step finish_mixing(struct frs_participation *p, double now_s) {
    p->result.peers.mix_flop = p->plan.peers.mix_flop;
    p->times.up_start_s = p->times.up_end_s = now_s;
    return finish(p, now_s, FRS_DELIVERED, FRS_CAUSE_NONE);
}

/* All that it sends or waits for has ended, or its device has. */
static struct frs_step finish_exchange(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    const struct frs_peer_plan *peers = &p->plan.peers;
    if (peers->lost) {
        vanish(p, now_s, peers->cause);
        end(p, now_s, dropped_in(p), peers->cause);
        return (struct frs_step){.kind = FRS_STEP_END};
    }
    p->times.exchanged_s = now_s;
    if (peers->layers) {
        p->result.peers.mix_flop = peers->mix_flop;
        return start_compute(p, now_s, operations);
    }
    p->result.phase = FRS_PHASE_MIX;
    return peers->mix_s > 0 ? wait_for(p, now_s, peers->mix_s) : finish_mixing(p, now_s);
}

/* How the exchange goes on is known from its beginning. */
static struct frs_step start_exchange(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    double left_s = p->plan.peers.until_s - now_s;
    p->result.phase = FRS_PHASE_EXCHANGE;
    return left_s > 0
               ? (struct frs_step){.kind = FRS_STEP_WAIT, .duration_s = left_s, .dies_s = __builtin_inf()}
               : finish_exchange(p, now_s, operations);
}

static struct frs_step finish_compute(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    p->result.computed_share = 1;
    p->times.compute_end_s = now_s;
    frs_post_upload_begin(p, now_s);
    operations->computed(operations->context, p);
    return p->plan.peers.exchanges ? start_exchange(p, now_s, operations)
                                   : start_up_latency(p, now_s, operations);
}

static struct frs_step start_compute(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    p->times.compute_start_s = now_s;
    p->result.phase = FRS_PHASE_COMPUTE;
    operations->compute(operations->context, p);
    FRS_INVARIANT(p->plan.compute_s >= 0, "client %u computes for %g s", p->client, p->plan.compute_s);
    const struct frs_loss *loss = &p->plan.compute_loss;
    p->ends_lost = loss->planned;
    double duration_s = loss->planned ? frs_speeds_until_share_s(p, loss->at_share) : p->plan.compute_s;
    if (duration_s == 0)
        return loss->planned ? lose(p, now_s, loss) : finish_compute(p, now_s, operations);
    return with_death(p, now_s, loss, (struct frs_step){.kind = FRS_STEP_COMPUTE, .duration_s = duration_s});
}

/* The message waits for a device that is still at work, unless it is one of an exchange. */
static struct frs_step finish_down(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    double free_s = p->aside ? now_s : frs_post_upload_free_s(p, now_s);
    if (!p->plan.no_download)
        frs_metered_note(p, p->sending.whole_bytes);
    p->result.down_crossed_bytes = p->usage.down_bytes;
    p->times.down_end_s = now_s;
    operations->received(operations->context, p);
    if (p->plan.peers.layers)
        return start_exchange(p, now_s, operations);
    if (free_s <= now_s)
        return start_compute(p, now_s, operations);
    p->result.phase = FRS_PHASE_QUEUE;
    return wait_for(p, now_s, free_s - now_s);
}

/* A device whose work did not end but broke off is gone. */
static struct frs_step finish_queue(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    bool is_gone = p->plan.leaves_s <= now_s || (p->before && p->before->post.outcome != FRS_POST_ENDED);
    if (!is_gone)
        return start_compute(p, now_s, operations);
    end(p, now_s, FRS_DROPPED_COMPUTE, p->plan.leaves_cause);
    return (struct frs_step){.kind = FRS_STEP_END};
}

/* A device that will fail at its work after the last upload ends this participation, too. */
static void share_outcome(struct frs_participation *p, double now_s) {
    double free_s = frs_post_upload_free_s(p, now_s);
    if (free_s <= now_s || p->before->post.outcome == FRS_POST_ENDED || free_s > p->plan.leaves_s)
        return;
    p->plan.leaves_s = free_s;
    p->plan.leaves_cause = p->before->post.cause;
}

static struct frs_step start_down_latency(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    p->result.phase = FRS_PHASE_DOWN_LATENCY;
    if (!keeps_connection(p, now_s, operations))
        return reopen(p, now_s, false, operations);
    note_terms(p, false);
    return is_far(p, p->plan.down_latency_s) ? wait_for(p, now_s, p->plan.down_latency_s)
                                             : start_down(p, now_s, operations);
}

static struct frs_step start_messages(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    if (!p->plan.no_download)
        return start_down_latency(p, now_s, operations);
    p->result.phase = FRS_PHASE_DOWN;
    p->times.down_start_s = now_s;
    return finish_down(p, now_s, operations);
}

/* What one side has to say so that there is a connection. */
static struct frs_step greet(
    struct frs_participation *p, double now_s, enum frs_phase phase, uint64_t bytes) {
    p->result.phase = phase;
    p->sending = (struct frs_sending){.whole_bytes = bytes, .part_bytes = bytes, .part_start_s = now_s};
    return with_death(p, now_s, NULL,
        (struct frs_step){
            .kind = phase == FRS_PHASE_SETUP_DOWN ? FRS_STEP_DOWN : FRS_STEP_UP, .bytes = (double)bytes});
}

/* The first message, or the one whose connection broke. */
static struct frs_step connected(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    struct frs_break *broken = frs_last_break(p);
    *(broken ? &broken->connected_s : &p->times.connected_s) = now_s;
    p->sending = (struct frs_sending){0};
    if (!broken)
        return start_messages(p, now_s, operations);
    frs_retry_state_resume(p, broken->up);
    return broken->up ? start_up_latency(p, now_s, operations) : start_down_latency(p, now_s, operations);
}

/* The next step of connecting: latencies, what the client sends, what the server sends, and what the
 * client sends then, each as far as it exists. */
static struct frs_step connect(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    const struct frs_handshake *handshake = frs_participation_handshake(p);
    double wait_s = handshake->open_s > 0 ? handshake->open_s : handshake->wait_s;
    enum frs_phase done = p->result.phase;
    if (done < FRS_PHASE_SETUP && frs_last_break(p))
        frs_last_break(p)->setup_latency_s = handshake->wait_s;
    frs_crossed_note(p, p->sending.whole_bytes);
    if (done < FRS_PHASE_SETUP && wait_s > 0) {
        p->result.phase = FRS_PHASE_SETUP;
        return wait_for(p, now_s, wait_s);
    }
    if (done < FRS_PHASE_SETUP_UP && handshake->up_bytes > handshake->last_up_bytes)
        return greet(p, now_s, FRS_PHASE_SETUP_UP, handshake->up_bytes - handshake->last_up_bytes);
    if (done < FRS_PHASE_SETUP_DOWN && handshake->down_bytes > 0)
        return greet(p, now_s, FRS_PHASE_SETUP_DOWN, handshake->down_bytes);
    if (done < FRS_PHASE_SETUP_LAST && handshake->last_up_bytes > 0)
        return greet(p, now_s, FRS_PHASE_SETUP_LAST, handshake->last_up_bytes);
    return connected(p, now_s, operations);
}

/* A connection is opened, if any is, on the link of now. */
static void begin_connecting(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    if (!p->plan.link.follows)
        return;
    operations->follow_link(operations->context, p, now_s);
    p->connected_until_s = p->plan.link.until_s;
}

static struct frs_step retry(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    frs_last_break(p)->again_s = now_s;
    p->result.retries++;
    operations->retried(operations->context, p);
    begin_connecting(p, now_s, operations);
    return connect(p, now_s, operations);
}

static struct frs_step wait_to_retry(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    double wait_s = frs_retry_state_wait_s(p);
    p->result.phase = FRS_PHASE_RETRY;
    p->sending = (struct frs_sending){0};
    return wait_s > 0 ? wait_for(p, now_s, wait_s) : retry(p, now_s, operations);
}

static struct frs_step start(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    p->times.started_s = now_s;
    share_outcome(p, now_s);
    if (p->plan.refused)
        return finish(p, now_s, FRS_REFUSED, FRS_CAUSE_NONE);
    if (p->plan.unreachable) {
        p->result.phase = FRS_PHASE_CONTACT;
        return p->plan.contact_s > 0 ? (struct frs_step){.kind = FRS_STEP_WAIT,
                                           .duration_s = p->plan.contact_s,
                                           .dies_s = __builtin_inf()}
                                     : finish(p, now_s, FRS_UNAVAILABLE, p->plan.leaves_cause);
    }
    begin_connecting(p, now_s, operations);
    return frs_participation_connects(p) ? connect(p, now_s, operations)
                                         : start_messages(p, now_s, operations);
}

bool frs_lifecycle_sends_on(struct frs_participation *p, double now_s, struct frs_step *step) {
    switch (p->result.phase) {
    case FRS_PHASE_DOWN_LATENCY:
    case FRS_PHASE_UP_LATENCY:
        if (bytes_ahead(p, p->result.phase == FRS_PHASE_UP_LATENCY) == 0)
            return false;
        *step =
            p->result.phase == FRS_PHASE_UP_LATENCY ? start_up(p, now_s, NULL) : start_down(p, now_s, NULL);
        return true;
    case FRS_PHASE_DOWN:
    case FRS_PHASE_UP:
        return goes_on_sending(p, now_s, step);
    default:
        return false;
    }
}

struct frs_progress frs_lifecycle_progress(const struct frs_participation *p) {
    bool up = p->result.phase == FRS_PHASE_UP_LATENCY || p->result.phase == FRS_PHASE_UP;
    return (struct frs_progress){.phase = p->result.phase,
        .up = up,
        .start_s = up ? p->times.up_start_s : p->times.down_start_s,
        .sending = p->sending,
        .ends_lost = p->ends_lost};
}

void frs_lifecycle_return(struct frs_participation *p, const struct frs_progress *progress) {
    p->result.phase = progress->phase;
    *(progress->up ? &p->times.up_start_s : &p->times.down_start_s) = progress->start_s;
    p->sending = progress->sending;
    p->ends_lost = progress->ends_lost;
}

static struct frs_step go_on(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    struct frs_step step;
    switch (p->result.phase) {
    case FRS_PHASE_NEW:
        return start(p, now_s, operations);
    case FRS_PHASE_CONTACT:
        return finish(p, now_s, FRS_UNAVAILABLE, p->plan.leaves_cause);
    case FRS_PHASE_BROKEN:
        return wait_to_retry(p, now_s, operations);
    case FRS_PHASE_RETRY:
        return retry(p, now_s, operations);
    case FRS_PHASE_SETUP:
    case FRS_PHASE_SETUP_UP:
    case FRS_PHASE_SETUP_DOWN:
    case FRS_PHASE_SETUP_LAST:
        return connect(p, now_s, operations);
    case FRS_PHASE_DOWN_LATENCY:
        return start_down(p, now_s, operations);
    case FRS_PHASE_DOWN:
        if (goes_on_sending(p, now_s, &step))
            return step;
        return p->ends_lost ? lose(p, now_s, &p->plan.down_loss) : finish_down(p, now_s, operations);
    case FRS_PHASE_QUEUE:
        return finish_queue(p, now_s, operations);
    case FRS_PHASE_COMPUTE:
        return p->ends_lost ? lose(p, now_s, &p->plan.compute_loss) : finish_compute(p, now_s, operations);
    case FRS_PHASE_UP_LATENCY:
        return start_up(p, now_s, operations);
    case FRS_PHASE_UP:
        if (goes_on_sending(p, now_s, &step))
            return step;
        if (p->ends_lost)
            return lose(p, now_s, &p->plan.up_loss);
        return finish_up(p, now_s);
    case FRS_PHASE_EXCHANGE:
        return finish_exchange(p, now_s, operations);
    case FRS_PHASE_MIX:
        return finish_mixing(p, now_s);
    case FRS_PHASE_END:
        break;
    }
    frs_panic(__FILE__, __LINE__, "client %u goes on after its end", p->client);
}

/* A connection may break with the step that opened it. */
struct frs_step frs_lifecycle_next(
    struct frs_participation *p, double now_s, const struct frs_lifecycle_operations *operations) {
    struct frs_step step;
    do
        step = go_on(p, now_s, operations);
    while (p->result.phase == FRS_PHASE_BROKEN);
    return step;
}
