#include "actors/participation.h"

#include <math.h>
#include <stdlib.h>

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
        .times = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
        .post = {.work_s = NAN, .fails_after_s = INFINITY, .end_s = NAN},
    };
}

void frs_participation_fini(struct frs_participation *p) {
    free(p->speeds.steps);
    p->speeds = (struct frs_speeds){0};
    if (p->receive)
        frs_participation_fini(p->receive);
    free(p->receive);
    p->receive = NULL;
    free(p->breaks);
    p->breaks = NULL;
    p->n_breaks = p->breaks_capacity = 0;
    for (int up = 0; up < 2; up++) {
        free(p->windows[up].of);
        p->windows[up] = (struct frs_windows){0};
    }
}

struct frs_link_terms frs_participation_terms(const struct frs_participation *p, bool up) {
    const struct frs_participation_plan *plan = &p->plan;
    return plan->link.follows ? p->terms[up]
                              : (struct frs_link_terms){{plan->down_bytes_per_s, plan->up_bytes_per_s},
                                    {plan->down_latency_s, plan->up_latency_s}};
}

double frs_participation_round_trip_s(const struct frs_participation *p, const struct frs_link_terms *terms) {
    return p->plan.round_trip_s > 0 ? p->plan.round_trip_s : terms->latency_s[0] + terms->latency_s[1];
}

struct frs_slow_start frs_participation_slow_start(const struct frs_participation *p, bool up,
    enum frs_slow_start_kind kind, const struct frs_path_memory *begun, const struct frs_link_terms *terms,
    uint64_t bytes, struct frs_windows *windows) {
    const struct frs_sender_rules *sender = p->plan.sender;
    struct frs_slow_start slow_start =
        frs_slow_start_begin(terms->bytes_per_s[up], frs_participation_round_trip_s(p, terms), kind);
    frs_slow_start_remember(&slow_start, begun);
    if (!sender || kind == FRS_SLOW_START_NONE || bytes == 0)
        return slow_start;
    sender->windows(sender->context,
        &(struct frs_uncontended_flow){.bytes = (double)bytes,
            .bytes_per_s = slow_start.bytes_per_s,
            .round_trip_s = slow_start.round_trip_s,
            .queue_s = sender->queue_s,
            .up = up,
            .interactive = kind == FRS_SLOW_START_PAIRED,
            .from = *begun,
            .stream = p->follows ? p->stream : NULL},
        windows);
    frs_slow_start_follow(&slow_start, windows);
    return slow_start;
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
