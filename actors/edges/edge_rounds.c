/* Edge rounds: edges aggregate several times for one aggregation at the server, each with a model of its own
 * (hierarchical federated averaging; Liu, Zhang, Song and Letaief 2020). */
#include "sim/base/memory.h"
#include "actors/edges/relays_internal.h"

#include <stdlib.h>

static void move_all(struct frs_queue *to, struct frs_queue *from) {
    for (struct frs_participation *p; (p = frs_queue_take(from));)
        frs_queue_put(to, p);
}

bool frs_relays_aggregates(const struct frs_relays *relays, const struct edge *edge) {
    return relays->settings.adds && edge->n_open == 0 && edge->held.n > 0 &&
           edge->n_rounds + 1 < relays->settings.edge_rounds;
}

void frs_relays_take_latest(struct edge *edge) {
    if (edge->held.n == 0)
        return;
    move_all(&edge->past, &edge->latest);
    move_all(&edge->latest, &edge->held);
}

void frs_relays_forget(struct edge *edge) {
    edge->next = edge->end;
    edge->held = edge->latest = edge->past = (struct frs_queue){0};
}

/* Edges in the order of their numbers, whatever the order in which their last uploads were noted. */
static bool next_edge(const struct frs_relays *relays, uint32_t *edge) {
    bool found = false;
    for (size_t i = 0; i < relays->n_busy; i++) {
        uint32_t at = relays->busy[i];
        if ((!found || at < *edge) && frs_relays_aggregates(relays, &relays->edges[at])) {
            *edge = at;
            found = true;
        }
    }
    return found;
}

struct frs_participation *const *frs_relays_aggregated(struct frs_relays *relays, size_t *n) {
    uint32_t edge = 0;
    *n = 0;
    if (!next_edge(relays, &edge))
        return NULL;
    struct edge *of = &relays->edges[edge];
    frs_relays_take_latest(of);
    of->n_rounds++;
    relays->list = frs_grow(relays->list, of->latest.n, &relays->list_capacity, sizeof *relays->list);
    for (struct frs_participation *p = of->latest.first; p; p = p->next)
        relays->list[(*n)++] = p;
    qsort(relays->list, *n, sizeof *relays->list, frs_relays_by_client);
    return relays->list;
}

void frs_relays_resume(struct frs_relays *relays, struct frs_in_flight *in_flight,
    struct frs_participation *const *list, size_t n) {
    for (size_t i = 0; i < n; i++) {
        struct frs_participation *p = list[i];
        uint32_t edge = frs_relays_edge_of(relays, p->client);
        p->shares = 1 + edge;
        p->times.sent_s = in_flight->now_s;
        relays->edges[edge].n_open += !p->plan.no_upload;
        frs_relays_make_ready(relays, p);
        frs_relays_touch(relays, edge);
    }
}
