#include "sim/rounds/reachable_clients.h"
#include "sim/base/heap.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

#define NOWHERE UINT32_MAX

struct frs_reachable_clients {
    frs_reachable_at *at;
    const void *context;
    struct frs_heap_places places; /* of both heaps, which share no client */
    struct frs_heap comes, goes;   /* by the time at which an offline client comes, and an online one goes */
    uint32_t *online, *place;      /* the online ones, and where each stands among them */
    size_t n_online;
};

struct frs_reachable_clients *frs_reachable_clients_create(
    uint32_t n, frs_reachable_at *at, const void *context) {
    struct frs_reachable_clients *reachable = frs_alloc(1, sizeof *reachable);
    *reachable = (struct frs_reachable_clients){.at = at,
        .context = context,
        .online = frs_alloc(n, sizeof *reachable->online),
        .place = frs_alloc(n, sizeof *reachable->place)};
    reachable->comes.places = reachable->goes.places = &reachable->places;
    for (uint32_t client = 0; client < n; client++)
        reachable->place[client] = NOWHERE;
    return reachable;
}

void frs_reachable_clients_destroy(struct frs_reachable_clients *reachable) {
    if (!reachable)
        return;
    frs_heap_fini(&reachable->comes);
    frs_heap_fini(&reachable->goes);
    frs_heap_places_fini(&reachable->places);
    free(reachable->online);
    free(reachable->place);
    free(reachable);
}

bool frs_reachable_clients_has(const struct frs_reachable_clients *reachable, uint32_t client) {
    return reachable->place[client] != NOWHERE;
}

static void set_online(struct frs_reachable_clients *reachable, uint32_t client, bool online) {
    uint32_t place = reachable->place[client];
    if (online == (place != NOWHERE))
        return;
    if (online) {
        reachable->place[client] = (uint32_t)reachable->n_online;
        reachable->online[reachable->n_online++] = client;
        return;
    }
    uint32_t last = reachable->online[--reachable->n_online];
    reachable->online[place] = last;
    reachable->place[last] = place;
    reachable->place[client] = NOWHERE;
}

void frs_reachable_clients_take(struct frs_reachable_clients *reachable, uint32_t client) {
    frs_heap_remove(
        frs_reachable_clients_has(reachable, client) ? &reachable->goes : &reachable->comes, client);
    set_online(reachable, client, false);
}

/* Takes effect when the index is next brought up to a time. */
void frs_reachable_clients_give(struct frs_reachable_clients *reachable, uint32_t client) {
    if (!frs_reachable_clients_has(reachable, client))
        frs_heap_put(&reachable->comes, client, -INFINITY, client);
}

static void look(struct frs_reachable_clients *reachable, struct frs_heap *from, double now_s) {
    uint32_t client = frs_heap_top(from)->item;
    double until_s;
    frs_heap_remove(from, client);
    bool online = reachable->at(reachable->context, client, now_s, &until_s);
    set_online(reachable, client, online);
    frs_heap_put(online ? &reachable->goes : &reachable->comes, client, until_s, client);
}

static bool is_due(const struct frs_heap *heap, double now_s) {
    const struct frs_heap_entry *next = frs_heap_top(heap);
    return next && next->key <= now_s;
}

/* Every change lies after the time for which it is computed, so none is due twice. */
void frs_reachable_clients_until(struct frs_reachable_clients *reachable, double now_s) {
    while (is_due(&reachable->goes, now_s))
        look(reachable, &reachable->goes, now_s);
    while (is_due(&reachable->comes, now_s))
        look(reachable, &reachable->comes, now_s);
}

const uint32_t *frs_reachable_clients_list(const struct frs_reachable_clients *reachable, size_t *n) {
    *n = reachable->n_online;
    return reachable->online;
}

double frs_reachable_clients_next_s(const struct frs_reachable_clients *reachable) {
    const struct frs_heap_entry *next = frs_heap_top(&reachable->comes);
    return next ? next->key : INFINITY;
}
