#include "sim/rounds/reachable_clients.h"
#include "actors/heap.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

#define NOWHERE UINT32_MAX

struct frs_askable {
    const struct frs_reachability *reachability;
    struct frs_heap_places places; /* of both heaps, which share no client */
    struct frs_heap comes, goes;   /* by the date at which an offline client comes, and an online one goes */
    uint32_t *online, *place;      /* the online ones, and where each stands among them */
    size_t n_online;
};

struct frs_askable *frs_askable_create(const struct frs_reachability *reachability) {
    struct frs_askable *askable = frs_alloc(1, sizeof *askable);
    uint32_t n = reachability->n_clients;
    *askable = (struct frs_askable){.reachability = reachability,
        .online = frs_alloc(n, sizeof *askable->online),
        .place = frs_alloc(n, sizeof *askable->place)};
    askable->comes.places = askable->goes.places = &askable->places;
    for (uint32_t client = 0; client < n; client++)
        askable->place[client] = NOWHERE;
    return askable;
}

void frs_askable_destroy(struct frs_askable *askable) {
    if (!askable)
        return;
    frs_heap_fini(&askable->comes);
    frs_heap_fini(&askable->goes);
    frs_heap_places_fini(&askable->places);
    free(askable->online);
    free(askable->place);
    free(askable);
}

bool frs_askable_has(const struct frs_askable *askable, uint32_t client) {
    return askable->place[client] != NOWHERE;
}

static void set_online(struct frs_askable *askable, uint32_t client, bool online) {
    uint32_t place = askable->place[client];
    if (online == (place != NOWHERE))
        return;
    if (online) {
        askable->place[client] = (uint32_t)askable->n_online;
        askable->online[askable->n_online++] = client;
        return;
    }
    uint32_t last = askable->online[--askable->n_online];
    askable->online[place] = last;
    askable->place[last] = place;
    askable->place[client] = NOWHERE;
}

void frs_askable_take(struct frs_askable *askable, uint32_t client) {
    frs_heap_remove(frs_askable_has(askable, client) ? &askable->goes : &askable->comes, client);
    set_online(askable, client, false);
}

/* Looked at when the index is next brought up to a date. */
void frs_askable_give(struct frs_askable *askable, uint32_t client) {
    if (!frs_askable_has(askable, client))
        frs_heap_put(&askable->comes, client, -INFINITY, client);
}

static void look(struct frs_askable *askable, struct frs_heap *from, double now_s) {
    uint32_t client = frs_heap_top(from)->item;
    double until_s;
    frs_heap_remove(from, client);
    bool online = frs_reachable(askable->reachability, client, 0, 0, now_s, &until_s);
    set_online(askable, client, online);
    frs_heap_put(online ? &askable->goes : &askable->comes, client, until_s, client);
}

static bool is_due(const struct frs_heap *heap, double now_s) {
    const struct frs_heap_entry *next = frs_heap_top(heap);
    return next && next->key <= now_s;
}

/* Every change lies after the date it is asked for, so none is due twice. */
void frs_askable_until(struct frs_askable *askable, double now_s) {
    while (is_due(&askable->goes, now_s))
        look(askable, &askable->goes, now_s);
    while (is_due(&askable->comes, now_s))
        look(askable, &askable->comes, now_s);
}

const uint32_t *frs_askable_list(const struct frs_askable *askable, size_t *n) {
    *n = askable->n_online;
    return askable->online;
}

double frs_askable_next_s(const struct frs_askable *askable) {
    const struct frs_heap_entry *next = frs_heap_top(&askable->comes);
    return next ? next->key : INFINITY;
}
