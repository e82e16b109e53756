/* Relays open a round: downloads become messages, each once for all clients of an edge that it is for. */
#include "sim/base/memory.h"
#include "actors/edges/relays_internal.h"

#include <math.h>
#include <stdlib.h>

static void expect_failure(struct frs_relays *relays, uint32_t edge, double now_s) {
    double fails_s =
        relays->settings.fails_s ? relays->settings.fails_s(relays->settings.context, edge, now_s) : INFINITY;
    if (fails_s < INFINITY)
        frs_heap_put(&relays->failures, edge, fails_s, edge);
}

static bool has_download(const struct frs_participation *p) {
    return !p->plan.no_download && !p->plan.refused;
}

/* A client of the round, with what orders it. */
struct place {
    struct frs_participation *p;
    uint32_t edge, leader; /* the first client of its edge that is sent the same message */
};

static int by_edge(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    if (x->edge != y->edge)
        return (x->edge > y->edge) - (x->edge < y->edge);
    if (x->leader != y->leader)
        return (x->leader > y->leader) - (x->leader < y->leader);
    return (x->p->client > y->p->client) - (x->p->client < y->p->client);
}

static int by_size(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    if (x->edge != y->edge)
        return (x->edge > y->edge) - (x->edge < y->edge);
    if (x->p->usage.down_bytes != y->p->usage.down_bytes)
        return (x->p->usage.down_bytes > y->p->usage.down_bytes) -
               (x->p->usage.down_bytes < y->p->usage.down_bytes);
    return (x->p->client > y->p->client) - (x->p->client < y->p->client);
}

/* Puts the places into the order of messages. */
static void order(const struct frs_relays *relays, struct place *places, size_t n) {
    if (relays->settings.shares_downloads) {
        qsort(places, n, sizeof *places, by_size);
        for (size_t i = 1; i < n; i++)
            if (places[i].edge == places[i - 1].edge &&
                places[i].p->usage.down_bytes == places[i - 1].p->usage.down_bytes)
                places[i].leader = places[i - 1].leader;
    }
    qsort(places, n, sizeof *places, by_edge);
}

static void queue_downloads(struct frs_relays *relays, const struct place *places, size_t n, double now_s) {
    size_t message = NO_MESSAGE;
    for (size_t i = 0; i < n; i++) {
        bool is_first = i == 0 || places[i].edge != places[i - 1].edge,
             is_new = is_first || places[i].leader != places[i - 1].leader;
        struct edge *edge = &relays->edges[places[i].edge];
        if (is_new) {
            message = frs_relays_add_message(relays, places[i].edge, false, now_s);
            relays->messages[message].bytes = places[i].p->usage.down_bytes;
            relays->first[message] = i;
            edge->next = is_first ? message : edge->next;
            edge->end = message + 1;
            frs_relays_touch(relays, places[i].edge);
        }
        relays->messages[message].n_clients++;
        places[i].p->edge_messages[0] = (uint32_t)message + 1;
        relays->clients[i] = places[i].p;
    }
    relays->n = n;
}

void frs_relays_open(struct frs_relays *relays, struct frs_in_flight *in_flight,
    const struct frs_backend *backend, struct frs_participation *const *list, size_t n) {
    struct place *places = frs_alloc(n + 1, sizeof *places);
    size_t n_sent = 0;
    frs_relays_forget_messages(relays);
    for (uint32_t i = 0; i < relays->settings.n_edges; i++) {
        struct edge *edge = &relays->edges[i];
        edge->n_open = edge->n_rounds = 0;
        edge->has_added = false;
        edge->down.n_packets = edge->down.n_starts = edge->up.n_packets = edge->up.n_starts = 0;
    }
    relays->round = n > 0 ? list[0]->round : 0;
    relays->attempt = n > 0 ? list[0]->attempt : 0;
    relays->clients = frs_grow(relays->clients, n + 1, &relays->clients_capacity, sizeof *relays->clients);
    for (size_t i = 0; i < n; i++) {
        struct frs_participation *p = list[i];
        uint32_t edge = frs_relays_edge_of(relays, p->client);
        p->shares = 1 + edge;
        relays->edges[edge].n_open += !p->plan.no_upload;
        expect_failure(relays, edge, in_flight->now_s);
        p->times.sent_s = in_flight->now_s;
        if (has_download(p))
            places[n_sent++] = (struct place){p, edge, p->client};
        else
            frs_relays_make_ready(relays, p);
    }
    if (n_sent > 0)
        order(relays, places, n_sent);
    queue_downloads(relays, places, n_sent, in_flight->now_s);
    for (size_t i = 0; i < relays->n_messages && backend->queue; i++)
        backend->queue(in_flight, relays->clients[relays->first[i]], false);
    free(places);
}
