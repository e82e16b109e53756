#include "actors/peers/arrival.h"
#include "actors/extremes.h"
#include "actors/lifecycle.h"

#include <stdlib.h>

static void received(void *context, struct frs_participation *p) {
    (void)context;
    (void)p;
}

static double ends_s(const struct frs_participation *p, double now_s, const struct frs_step *step) {
    switch (step->kind) {
    case FRS_STEP_DOWN:
        return now_s + step->bytes / p->plan.down_bytes_per_s;
    case FRS_STEP_UP:
        return now_s + step->bytes / p->plan.up_bytes_per_s;
    default:
        return now_s + step->duration_s;
    }
}

struct frs_arrival frs_arrival_of(const struct frs_participation *participation, double started_s) {
    const struct frs_lifecycle_operations operations = {.received = received};
    struct frs_participation p = *participation;
    struct frs_arrival arrival;
    double now_s = started_s;
    p.ended = NULL;
    p.plan.peers = (struct frs_peer_plan){.layers = true, .until_s = __builtin_inf()};
    for (;;) {
        struct frs_step step = frs_lifecycle_next(&p, now_s, &operations);
        if (step.kind == FRS_STEP_END || p.result.phase == FRS_PHASE_EXCHANGE) {
            bool lost = p.result.phase != FRS_PHASE_EXCHANGE;
            arrival = (struct frs_arrival){now_s, lost, lost ? p.result.cause : FRS_CAUSE_NONE};
            break;
        }
        double end_s = ends_s(&p, now_s, &step);
        if (step.dies_s < end_s) {
            arrival = (struct frs_arrival){frs_larger(step.dies_s, now_s), true, step.dies_cause};
            break;
        }
        now_s = end_s;
    }
    for (int up = 0; up < 2; up++)
        free(p.windows[up].of);
    return arrival;
}
