#include "sim/rounds/deliveries.h"
#include "actors/phase_times.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

struct part {
    struct frs_participation p; /* first */
    struct frs_open_entry *of;
    size_t index;
};

struct frs_deliveries {
    const struct frs_setup *setup;
    struct frs_participation **list; /* [n]; NULL: it has ended, and is its client's */
    size_t n, capacity;
    double began_s; /* encoding; NaN: the open round has none */
    uint64_t nominal_bytes;
    const struct frs_participation *last; /* to end; NULL: none has begun */
};

struct frs_deliveries *frs_deliveries_create(const struct frs_setup *setup) {
    if (!frs_training_own_models(&setup->training))
        return NULL;
    struct frs_deliveries *deliveries = frs_alloc(1, sizeof *deliveries);
    *deliveries = (struct frs_deliveries){.setup = setup, .began_s = NAN};
    deliveries->capacity = setup->policy_settings.n_selected;
    deliveries->list = frs_alloc(deliveries->capacity, sizeof(void *));
    return deliveries;
}

/* Those that never began: the server was not through with encoding when it restarted. */
static void end_parts(struct frs_deliveries *deliveries) {
    for (size_t i = 0; i < deliveries->n; i++) {
        if (deliveries->list[i])
            frs_participation_fini(deliveries->list[i]);
        free(deliveries->list[i]);
    }
    deliveries->n = 0;
    deliveries->last = NULL;
}

void frs_deliveries_destroy(struct frs_deliveries *deliveries) {
    if (!deliveries)
        return;
    end_parts(deliveries);
    free(deliveries->list);
    free(deliveries);
}

void frs_deliveries_begin(struct frs_deliveries *deliveries, const struct frs_closing *closing,
    struct frs_message_size size, struct frs_opening *downloads) {
    FRS_INVARIANT(closing->n <= deliveries->capacity, "%zu clients receive what %zu were selected for",
        closing->n, deliveries->capacity);
    end_parts(deliveries);
    deliveries->began_s = closing->now_s;
    deliveries->nominal_bytes = size.nominal_bytes;
    for (size_t i = 0; i < closing->n; i++) {
        const struct frs_participation *of = closing->arrivals[i];
        struct part *part = frs_alloc(1, sizeof *part);
        *part = (struct part){.p = frs_participation_new(of->client),
            .of = (struct frs_open_entry *)closing->arrivals[i],
            .index = i};
        part->p.round = of->round;
        part->p.attempt = of->attempt;
        part->p.plan.no_upload = true;
        part->p.usage.down_bytes = size.bytes;
        deliveries->list[i] = &part->p;
    }
    deliveries->n = closing->n;
    *downloads = (struct frs_opening){
        .kind = FRS_OPEN_ROUND, .until_s = INFINITY, .participants = deliveries->list, .n = deliveries->n};
}

struct frs_open_entry *frs_delivery_of(const struct frs_participation *p) {
    return ((const struct part *)p)->of;
}

void frs_deliveries_ended(struct frs_deliveries *deliveries, struct frs_participation *p) {
    struct frs_aside *aside = frs_open_entry_add_aside(frs_delivery_of(p), deliveries->setup, p, "receive");
    bool arrived = p->result.outcome == FRS_DELIVERED;
    aside->message_down_bytes = p->usage.down_bytes;
    aside->retries = p->result.retries;
    aside->resent_down_bytes = p->result.resent_down_bytes;
    aside->wasted_down_bytes = arrived ? aside->resent_down_bytes : aside->down_bytes;
    aside->nominal_down_bytes = arrived ? deliveries->nominal_bytes : 0;
    aside->lost = arrived ? FRS_CAUSE_NONE : p->result.cause;
    frs_delivery_of(p)->p.receive = p;
    deliveries->list[((struct part *)p)->index] = NULL;
    if (!deliveries->last || p->times.known_s > deliveries->last->times.known_s)
        deliveries->last = p;
}

void frs_deliveries_close(struct frs_deliveries *deliveries, double now_s, struct frs_closed_round *closed) {
    if (!deliveries || isnan(deliveries->began_s))
        return;
    const struct frs_participation *last = deliveries->last;
    closed->after_s = closed->deliver_s = now_s - deliveries->began_s;
    closed->last_delivery = last;
    if (last)
        closed->delivery = frs_participation_times_within(last, last->times.selected_s, now_s);
    closed->delivery.encode_s = (last ? last->times.selected_s : now_s) - deliveries->began_s;
    deliveries->began_s = NAN;
}
