#include "sim/closed_form/message_times.h"
#include "sim/base/errors.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#define TRIED 8u /* places for a flow, one after the other */

enum { FREE, BEING_FILLED, FILLED };

/* All that the duration depends on, but for the kind of message. */
struct key {
    double bytes, bytes_per_s, round_trip_s, queue_s;
};

struct place {
    struct key key;
    uint32_t kind;
    _Atomic uint32_t state;
    double duration_s;
};

static struct {
    struct place *places; /* [n]; NULL: closed */
    size_t n;
} kept;

void frs_message_times_open(size_t most) {
    FRS_INVARIANT(!kept.places && most > 0 && (most & (most - 1)) == 0, "cannot keep %zu times", most);
    void *memory = mmap(NULL, most * sizeof *kept.places, PROT_READ | PROT_WRITE,
        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return;
    kept.places = memory;
    kept.n = most;
}

void frs_message_times_close(void) {
    if (kept.places)
        munmap(kept.places, kept.n * sizeof *kept.places);
    kept.places = NULL;
}

static struct key key_of(const struct frs_uncontended_flow *flow) {
    return (struct key){.bytes = flow->bytes,
        .bytes_per_s = flow->bytes_per_s,
        .round_trip_s = flow->round_trip_s,
        .queue_s = flow->queue_s};
}

static uint32_t kind_of(const struct frs_uncontended_flow *flow) {
    return (uint32_t)flow->up << 1 | (uint32_t)flow->interactive;
}

static uint64_t mix(uint64_t hash, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 0x9e3779b97f4a7c15u; /* 2^64 by the golden ratio: Knuth */
    return hash ^ hash >> 32;
}

static struct place *place_of(const struct key *key, uint32_t kind, unsigned i) {
    uint64_t hash = mix(mix(mix(kind, key->bytes), key->bytes_per_s), key->round_trip_s);
    return &kept.places[(hash + i) & (kept.n - 1)];
}

bool frs_message_times_find(const struct frs_uncontended_flow *flow, double *duration_s) {
    const struct key key = key_of(flow);
    const uint32_t kind = kind_of(flow);
    for (unsigned i = 0; kept.places && i < TRIED; i++) {
        struct place *place = place_of(&key, kind, i);
        uint32_t state = atomic_load_explicit(&place->state, memory_order_acquire);
        if (state == FREE)
            return false;
        bool is_it = state == FILLED && place->kind == kind && memcmp(&place->key, &key, sizeof key) == 0;
        if (is_it) { /* equal to the last bit */
            *duration_s = place->duration_s;
            return true;
        }
    }
    return false;
}

void frs_message_times_keep(const struct frs_uncontended_flow *flow, double duration_s) {
    const struct key key = key_of(flow);
    const uint32_t kind = kind_of(flow);
    for (unsigned i = 0; kept.places && i < TRIED; i++) {
        struct place *place = place_of(&key, kind, i);
        uint32_t state = FREE;
        if (!atomic_compare_exchange_strong(&place->state, &state, BEING_FILLED))
            continue;
        place->key = key;
        place->kind = kind;
        place->duration_s = duration_s;
        atomic_store_explicit(&place->state, FILLED, memory_order_release);
        return;
    }
}
