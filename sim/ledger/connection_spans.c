#include "sim/ledger/connection_spans.h"
#include "actors/extremes.h"

#include <math.h>

void frs_connection_spans(const struct frs_participation *p,
    void (*tell)(void *context, double from_s, double to_s), void *context) {
    bool began = isfinite(p->times.started_s) && !p->plan.unreachable && !p->plan.refused;
    double from_s = began ? p->times.started_s : INFINITY, to_s = began ? p->times.ended_s : -INFINITY;
    for (size_t i = 0; i < p->result.n_asides; i++) {
        from_s = frs_smaller(from_s, p->result.asides[i].from_s);
        to_s = frs_larger(to_s, p->result.asides[i].to_s);
    }
    for (size_t i = 0; i < p->n_breaks; i++) {
        if (p->breaks[i].broke_s > from_s)
            tell(context, from_s, p->breaks[i].broke_s);
        from_s = isnan(p->breaks[i].again_s) ? INFINITY : p->breaks[i].again_s;
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
