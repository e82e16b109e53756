/* What edges aggregate: how long it takes; and edge rounds, in which they do so several times for one
 * aggregation at the server, each with a model of its own (hierarchical federated averaging; Liu, Zhang, Song
 * and Letaief 2020). */
#include "sim/base/memory.h"
#include "actors/edges/relays_internal.h"

#include <math.h>
#include <stdlib.h>

static void move_all(struct frs_queue *to, struct frs_queue *from) {
    for (struct frs_participation *p; (p = frs_queue_take(from));)
        frs_queue_put(to, p);
}

bool frs_relays_aggregates(const struct frs_relays *relays, const struct edge *edge) {
    return edge->has_added && edge->n_rounds + 1 < relays->settings.edge_rounds;
}

void frs_relays_take_latest(struct edge *edge) {
    if (edge->held.n == 0)
        return;
    move_all(&edge->past, &edge->latest);
    move_all(&edge->latest, &edge->held);
    edge->has_added = false;
}

void frs_relays_forget(struct frs_relays *relays, uint32_t edge) {
    struct edge *of = &relays->edges[edge];
    of->next = of->end;
    of->held = of->latest = of->past = (struct frs_queue){0};
    of->has_added = false;
    frs_heap_remove(&relays->adding, edge);
}

/* ---- adding ---------------------------------------------------------------------------------- */

void frs_relays_add(struct frs_relays *relays, uint32_t edge, double now_s) {
    struct edge *of = &relays->edges[edge];
    uint64_t values = 0;
    if (!relays->settings.adds || of->n_open > 0 || of->held.n == 0)
        return;
    for (const struct frs_participation *p = of->held.first; p; p = p->next)
        values += p->usage.up_values;
    double add_s = relays->settings.add_s
                       ? relays->settings.add_s(relays->settings.context, edge, of->held.n, values)
                       : 0;
    of->has_added = !(add_s > 0);
    if (add_s > 0)
        frs_heap_put(&relays->adding, edge, now_s + add_s, edge);
}

double frs_relays_added_s(const struct frs_relays *relays) {
    const struct frs_heap_entry *next = frs_heap_top(&relays->adding);
    return next ? next->key : INFINITY;
}

void frs_relays_added(struct frs_relays *relays, double now_s) {
    const struct frs_heap_entry *next;
    while ((next = frs_heap_top(&relays->adding)) && next->key <= now_s) {
        uint32_t edge = next->item;
        frs_heap_remove(&relays->adding, edge);
        relays->edges[edge].has_added = true;
        frs_relays_touch(relays, edge);
    }
}

/* ---- edge rounds ----------------------------------------------------------------------------- */

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
