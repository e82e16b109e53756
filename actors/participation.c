#include "actors/participation.h"

#include <math.h>

const char *const frs_outcome_names[FRS_N_OUTCOMES] = {
    [FRS_PENDING] = "pending",
    [FRS_DELIVERED] = "delivered",
    [FRS_LATE] = "late",
    [FRS_CUT] = "cut",
    [FRS_UNAVAILABLE] = "unavailable",
    [FRS_DROPPED_DOWN] = "dropped_down",
    [FRS_DROPPED_COMPUTE] = "dropped_compute",
    [FRS_DROPPED_UP] = "dropped_up",
    [FRS_REFUSED] = "refused",
};

const char *const frs_cause_names[FRS_N_CAUSES] = {
    [FRS_CAUSE_NONE] = "none",
    [FRS_CAUSE_OFFLINE] = "offline",
    [FRS_CAUSE_DEVICE] = "device",
    [FRS_CAUSE_CONNECTION] = "connection",
    [FRS_CAUSE_SERVER_RESTART] = "server_restart",
    [FRS_CAUSE_ROUND_CLOSED] = "round_closed",
    [FRS_CAUSE_VOID_ROUND] = "void_round",
    [FRS_CAUSE_END_OF_RUN] = "end_of_run",
};

const char *const frs_post_outcome_names[FRS_N_POST_OUTCOMES] = {
    [FRS_POST_NONE] = "none",
    [FRS_POST_ENDED] = "ended",
    [FRS_POST_DROPPED] = "dropped_post",
    [FRS_POST_CUT] = "cut",
};

struct frs_participation frs_participation_new(uint32_t client) {
    const struct frs_loss none = {.at_share = NAN, .after_s = INFINITY};
    return (struct frs_participation){
        .client = client,
        .plan = {.leaves_s = INFINITY,
            .leaves_cause = FRS_CAUSE_OFFLINE,
            .down_loss = none,
            .compute_loss = none,
            .up_loss = none,
            .compute_s = NAN},
        .dates = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
        .post = {.work_s = NAN, .fails_after_s = INFINITY, .end_s = NAN},
    };
}

struct frs_ramp frs_participation_ramp(const struct frs_participation *p, bool up) {
    return frs_ramp_begin(up ? p->plan.up_bytes_per_s : p->plan.down_bytes_per_s,
        p->plan.down_latency_s + p->plan.up_latency_s);
}

/* What a phase is measured in. */
struct window {
    double from_s, to_s;
};

/* From `from`, if that was reached, to `to`, or to the end. */
static double span_s(
    const struct frs_participation *p, const struct window *window, double from_s, double to_s) {
    if (from_s != from_s)
        return 0;
    to_s = to_s != to_s ? p->dates.ended_s : to_s;
    from_s = from_s < window->from_s ? window->from_s : from_s;
    to_s = to_s > window->to_s ? window->to_s : to_s;
    return to_s > from_s ? to_s - from_s : 0;
}

struct frs_phase_times frs_participation_times_within(
    const struct frs_participation *p, double from_s, double to_s) {
    const struct window window = {from_s, to_s};
    struct frs_phase_times spent = {.encode_s = span_s(p, &window, p->dates.selected_s, p->dates.started_s),
        .down_s = span_s(p, &window, p->dates.down_start_s, p->dates.down_end_s),
        .queue_s = span_s(p, &window, p->dates.down_end_s, p->dates.compute_start_s),
        .compute_s = span_s(p, &window, p->dates.compute_start_s, p->dates.compute_end_s),
        .up_s = span_s(p, &window, p->dates.up_start_s, p->dates.up_end_s)};
    if (p->post.outcome != FRS_POST_NONE)
        spent.post_s = span_s(p, &window, p->dates.compute_end_s, p->post.end_s);
    bool connects = frs_participation_connects(p) && !p->plan.unreachable;
    if (connects)
        spent.setup_s = span_s(p, &window, p->dates.started_s, p->dates.connected_s);
    double before_down_s =
        span_s(p, &window, connects ? p->dates.connected_s : p->dates.started_s, p->dates.down_start_s);
    if (p->plan.unreachable)
        spent.contact_s = before_down_s;
    else
        spent.latency_s = before_down_s + span_s(p, &window, p->dates.compute_end_s, p->dates.up_start_s);
    return spent;
}

struct frs_phase_times frs_participation_times(const struct frs_participation *p) {
    return frs_participation_times_within(p, -__builtin_inf(), __builtin_inf());
}

void frs_queue_put(struct frs_queue *queue, struct frs_participation *p) {
    p->next = NULL;
    if (queue->last)
        queue->last->next = p;
    else
        queue->first = p;
    queue->last = p;
    queue->n++;
}

struct frs_participation *frs_queue_take(struct frs_queue *queue) {
    struct frs_participation *p = queue->first;
    if (!p)
        return NULL;
    queue->first = p->next;
    if (!queue->first)
        queue->last = NULL;
    queue->n--;
    p->next = NULL;
    return p;
}
