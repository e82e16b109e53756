#include "actors/links/window_cache.h"
#include "actors/links/uncontended_flow.h"
#include "sim/base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Flows that have the same place replace each other. */
struct place {
    struct frs_uncontended_flow flow; /* bytes 0: none */
    struct frs_windows windows;
};

struct frs_window_cache {
    pthread_mutex_t lock; /* the ledger writes a round's windows while the next round is simulated */
    struct place places[FRS_WINDOW_CACHE_MOST];
};

struct frs_window_cache *frs_window_cache_create(void) {
    struct frs_window_cache *cache = frs_alloc(1, sizeof *cache);
    pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

void frs_window_cache_destroy(struct frs_window_cache *cache) {
    for (size_t i = 0; cache && i < FRS_WINDOW_CACHE_MOST; i++)
        free(cache->places[i].windows.of);
    if (cache)
        pthread_mutex_destroy(&cache->lock);
    free(cache);
}

/* The time at which a path was used last decides only what is left of its memory by now, which the flow has
 * already. */
static struct frs_path_memory without_time(const struct frs_uncontended_flow *flow) {
    struct frs_path_memory from = flow->from;
    from.sent_s = 0;
    return from;
}

static uint64_t mix(uint64_t hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u; /* 2^64 by the golden ratio: Knuth */
    return hash ^ hash >> 32;
}

static struct place *place_of(struct frs_window_cache *cache, const struct frs_uncontended_flow *flow) {
    uint64_t hash = mix(mix(mix(flow->up, flow->bytes), flow->bytes_per_s), flow->round_trip_s);
    hash = mix(mix(hash, flow->from.window), flow->from.rtt_s);
    return &cache->places[hash % FRS_WINDOW_CACHE_MOST];
}

/* Bit by bit, so that equal flows have equal windows to the last bit. */
static bool are_alike(const struct frs_uncontended_flow *a, const struct frs_uncontended_flow *b) {
    const struct frs_path_memory from_a = without_time(a), from_b = without_time(b);
    return memcmp(&a->bytes, &b->bytes, sizeof a->bytes) == 0 &&
           memcmp(&a->bytes_per_s, &b->bytes_per_s, sizeof a->bytes_per_s) == 0 &&
           memcmp(&a->round_trip_s, &b->round_trip_s, sizeof a->round_trip_s) == 0 &&
           memcmp(&a->queue_s, &b->queue_s, sizeof a->queue_s) == 0 && a->up == b->up &&
           a->interactive == b->interactive && memcmp(&from_a, &from_b, sizeof from_a) == 0;
}

static struct frs_windows copy_of(const struct frs_windows *windows) {
    struct frs_windows copy = {.n = windows->n};
    if (windows->n) {
        copy.of = frs_alloc(windows->n, sizeof *copy.of);
        memcpy(copy.of, windows->of, windows->n * sizeof *copy.of);
    }
    return copy;
}

void frs_window_cache_windows(
    void *context, const struct frs_uncontended_flow *flow, struct frs_windows *windows) {
    struct frs_window_cache *cache = context;
    *windows = (struct frs_windows){0};
    if (frs_uncontended_flow_has_form(flow))
        return;
    if (!cache || flow->stream) { /* no two connections have the same packets under way */
        frs_uncontended_flow_windows(flow, windows);
        return;
    }
    pthread_mutex_lock(&cache->lock);
    struct place *place = place_of(cache, flow);
    if (!are_alike(&place->flow, flow)) {
        free(place->windows.of);
        place->flow = *flow;
        frs_uncontended_flow_windows(flow, &place->windows);
    }
    *windows = copy_of(&place->windows);
    pthread_mutex_unlock(&cache->lock);
}
