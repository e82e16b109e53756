#include "sim/ledger/connection_spans.h"
#include "actors/extremes.h"

#include <math.h>

/* Tells of the connections that broke; returns since when there is the last one. */
static double tell_broken(const struct frs_participation *p, double from_s,
    void (*tell)(void *context, double from_s, double to_s), void *context) {
    for (size_t i = 0; i < p->n_breaks; i++) {
        if (p->breaks[i].broke_s > from_s)
            tell(context, from_s, p->breaks[i].broke_s);
        from_s = isnan(p->breaks[i].again_s) ? INFINITY : p->breaks[i].again_s;
    }
    return from_s;
}

void frs_connection_spans(const struct frs_participation *p,
    void (*tell)(void *context, double from_s, double to_s), void *context) {
    const struct frs_participation *receive = p->receive;
    bool began =
        isfinite(p->times.started_s) && !p->plan.unreachable && !p->plan.refused && !p->plan.peers.exchanges;
    double from_s = began ? p->times.started_s : INFINITY,
           to_s = began ? frs_participation_left_s(p) : -INFINITY;
    for (size_t i = 0; i < p->result.n_asides && !receive; i++) {
        from_s = frs_smaller(from_s, p->result.asides[i].from_s);
        to_s = frs_larger(to_s, p->result.asides[i].to_s);
    }
    from_s = tell_broken(p, from_s, tell, context);
    if (receive && !receive->plan.unreachable) {
        if (frs_participation_connects(receive)) { /* that of the upload has gone meanwhile */
            tell(context, from_s, to_s);
            from_s = receive->times.started_s;
        }
        from_s = tell_broken(receive, from_s, tell, context);
        to_s = receive->times.ended_s;
    }
    if (to_s > from_s)
        tell(context, from_s, to_s);
}

static void add(void *context, double from_s, double to_s) {
    *(double *)context += to_s - from_s;
}

double frs_connected_s(const struct frs_participation *p) {
    double sum_s = 0;
    frs_connection_spans(p, add, &sum_s);
    return sum_s;
}
