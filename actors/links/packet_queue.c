#include "actors/links/packet_queue.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

void frs_packet_ring_fini(struct frs_packet_ring *ring) {
    free(ring->packets);
    *ring = (struct frs_packet_ring){0};
}

void frs_packet_ring_push(struct frs_packet_ring *ring, const struct frs_packet *packet) {
    if (ring->n == ring->size) {
        uint32_t size = ring->size ? 2 * ring->size : 16;
        struct frs_packet *grown = frs_alloc(size, sizeof *grown);
        for (uint32_t i = 0; i < ring->n; i++)
            grown[i] = ring->packets[(ring->first + i) & (ring->size - 1)];
        free(ring->packets);
        ring->packets = grown;
        ring->first = 0;
        ring->size = size;
    }
    ring->packets[(ring->first + ring->n++) & (ring->size - 1)] = *packet;
}

const struct frs_packet *frs_packet_ring_first(const struct frs_packet_ring *ring) {
    return &ring->packets[ring->first & (ring->size - 1)];
}

const struct frs_packet *frs_packet_ring_at(const struct frs_packet_ring *ring, uint32_t i) {
    return &ring->packets[(ring->first + i) & (ring->size - 1)];
}

struct frs_packet *frs_packet_ring_last(const struct frs_packet_ring *ring) {
    return &ring->packets[(ring->first + ring->n - 1) & (ring->size - 1)];
}

struct frs_packet frs_packet_ring_pop(struct frs_packet_ring *ring) {
    struct frs_packet packet = ring->packets[ring->first & (ring->size - 1)];
    ring->first = (ring->first + 1) & (ring->size - 1);
    ring->n--;
    return packet;
}

void frs_packet_queue_fini(struct frs_packet_queue *queue) {
    frs_packet_ring_fini(&queue->packets);
    for (uint32_t i = 0; i < queue->n_shares; i++)
        frs_packet_ring_fini(&queue->shares[i].packets);
    free(queue->shares);
    free(queue->found);
    free(queue->turns);
}

/* ---- shares: a table with linear probing, at most half full -------------------------------------- */

static uint32_t home_of(const struct frs_packet_queue *queue, uint32_t flow) {
    uint32_t hash = flow * 2654435769u; /* 2^32 by the golden ratio: Knuth */
    return (hash ^ hash >> 16) & (queue->found_size - 1);
}

/* Where the flow's share is in the table, or the free place where it would be. */
static uint32_t place_of(const struct frs_packet_queue *queue, uint32_t flow) {
    uint32_t at = home_of(queue, flow);
    while (queue->found[at] && queue->shares[queue->found[at] - 1].flow != flow)
        at = (at + 1) & (queue->found_size - 1);
    return at;
}

/* NULL: none of the flow's packets waits. */
static struct frs_packet_share *share_of(const struct frs_packet_queue *queue, uint32_t flow) {
    uint32_t share = queue->found_size ? queue->found[place_of(queue, flow)] : 0;
    return share ? &queue->shares[share - 1] : NULL;
}

/* Shares with a flow are those that have a turn. */
static void make_room(struct frs_packet_queue *queue) {
    if (2 * (queue->n_turns + 1) <= queue->found_size)
        return;
    queue->found_size = queue->found_size ? 2 * queue->found_size : 16;
    free(queue->found);
    queue->found = frs_alloc(queue->found_size, sizeof *queue->found);
    for (uint32_t i = 0; i < queue->n_turns; i++) {
        uint32_t share = queue->turns[(queue->first_turn + i) & (queue->turns_size - 1)];
        queue->found[place_of(queue, queue->shares[share].flow)] = share + 1;
    }
}

static uint32_t take_share(struct frs_packet_queue *queue, uint32_t flow) {
    make_room(queue);
    if (!queue->first_free) {
        size_t n = queue->n_shares;
        queue->shares = frs_grow(queue->shares, n + 1, &n, sizeof *queue->shares);
        memset(queue->shares + queue->n_shares, 0, (n - queue->n_shares) * sizeof *queue->shares);
        for (uint32_t i = (uint32_t)n; i-- > queue->n_shares; queue->first_free = i + 1)
            queue->shares[i].next_free = queue->first_free;
        queue->n_shares = (uint32_t)n;
    }
    uint32_t share = queue->first_free - 1;
    queue->first_free = queue->shares[share].next_free;
    queue->shares[share].flow = flow;
    queue->found[place_of(queue, flow)] = share + 1;
    return share;
}

/* Those behind it in the table move up, where they may. */
static void give_share_back(struct frs_packet_queue *queue, uint32_t share) {
    uint32_t mask = queue->found_size - 1, hole = place_of(queue, queue->shares[share].flow);
    for (uint32_t at = (hole + 1) & mask; queue->found[at]; at = (at + 1) & mask) {
        uint32_t home = home_of(queue, queue->shares[queue->found[at] - 1].flow);
        if (((at - home) & mask) < ((at - hole) & mask))
            continue;
        queue->found[hole] = queue->found[at];
        hole = at;
    }
    queue->found[hole] = 0;
    frs_packet_ring_fini(&queue->shares[share].packets);
    queue->shares[share].weight = 0;
    queue->shares[share].next_free = queue->first_free;
    queue->first_free = share + 1;
}

/* ---- turns ----------------------------------------------------------------------------------- */

static void queue_up(struct frs_packet_queue *queue, uint32_t share) {
    if (queue->n_turns == queue->turns_size) {
        uint32_t size = queue->turns_size ? 2 * queue->turns_size : 16;
        uint32_t *grown = frs_alloc(size, sizeof *grown);
        for (uint32_t i = 0; i < queue->n_turns; i++)
            grown[i] = queue->turns[(queue->first_turn + i) & (queue->turns_size - 1)];
        free(queue->turns);
        queue->turns = grown;
        queue->first_turn = 0;
        queue->turns_size = size;
    }
    queue->turns[(queue->first_turn + queue->n_turns++) & (queue->turns_size - 1)] = share;
}

static bool has_room(const struct frs_packet_queue *queue, const struct frs_packet *packet) {
    if (queue->weight + packet->weight <= queue->capacity)
        return true;
    if (!queue->fair)
        return false;
    const struct frs_packet_share *share = share_of(queue, packet->flow);
    double own = share ? share->weight : 0;
    uint32_t n = queue->n_turns + (own == 0);
    return (own + packet->weight) * n <= queue->capacity;
}

bool frs_packet_queue_push(struct frs_packet_queue *queue, const struct frs_packet *packet) {
    if (!has_room(queue, packet))
        return false;
    queue->weight += packet->weight;
    if (!queue->fair) {
        frs_packet_ring_push(&queue->packets, packet);
        return true;
    }
    struct frs_packet_share *share = share_of(queue, packet->flow);
    if (!share) {
        uint32_t taken = take_share(queue, packet->flow);
        queue_up(queue, taken);
        share = &queue->shares[taken];
    }
    frs_packet_ring_push(&share->packets, packet);
    share->weight += packet->weight;
    return true;
}

bool frs_packet_queue_pop(struct frs_packet_queue *queue, struct frs_packet *packet) {
    if (!queue->fair) {
        if (!queue->packets.n)
            return false;
        *packet = frs_packet_ring_pop(&queue->packets);
    } else {
        if (!queue->n_turns)
            return false;
        uint32_t next = queue->turns[queue->first_turn];
        queue->first_turn = (queue->first_turn + 1) & (queue->turns_size - 1);
        queue->n_turns--;
        struct frs_packet_share *share = &queue->shares[next];
        *packet = frs_packet_ring_pop(&share->packets);
        share->weight -= packet->weight;
        if (share->packets.n)
            queue_up(queue, next);
        else
            give_share_back(queue, next);
    }
    queue->weight = queue->packets.n || queue->n_turns ? queue->weight - packet->weight : 0;
    return true;
}
