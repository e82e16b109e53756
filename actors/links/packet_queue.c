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
    for (uint32_t f = 0; f < queue->n_flows; f++)
        frs_packet_ring_fini(&queue->flows[f].packets);
    free(queue->flows);
    free(queue->turns);
}

/* ---- turns ----------------------------------------------------------------------------------- */

static void know_flow(struct frs_packet_queue *queue, uint32_t flow) {
    if (flow < queue->n_flows)
        return;
    size_t n = queue->n_flows;
    queue->flows = frs_grow(queue->flows, (size_t)flow + 1, &n, sizeof *queue->flows);
    memset(queue->flows + queue->n_flows, 0, (n - queue->n_flows) * sizeof *queue->flows);
    queue->n_flows = (uint32_t)n;
}

static void queue_up(struct frs_packet_queue *queue, uint32_t flow) {
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
    queue->turns[(queue->first_turn + queue->n_turns++) & (queue->turns_size - 1)] = flow;
}

static bool has_room(struct frs_packet_queue *queue, const struct frs_packet *packet) {
    if (queue->weight + packet->weight <= queue->capacity)
        return true;
    if (!queue->fair)
        return false;
    double own = queue->flows[packet->flow].weight;
    uint32_t n = queue->n_turns + (own == 0);
    return (own + packet->weight) * n <= queue->capacity;
}

bool frs_packet_queue_push(struct frs_packet_queue *queue, const struct frs_packet *packet) {
    if (queue->fair)
        know_flow(queue, packet->flow);
    if (!has_room(queue, packet))
        return false;
    queue->weight += packet->weight;
    if (!queue->fair) {
        frs_packet_ring_push(&queue->packets, packet);
        return true;
    }
    if (!queue->flows[packet->flow].packets.n)
        queue_up(queue, packet->flow);
    frs_packet_ring_push(&queue->flows[packet->flow].packets, packet);
    queue->flows[packet->flow].weight += packet->weight;
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
        uint32_t flow = queue->turns[queue->first_turn];
        queue->first_turn = (queue->first_turn + 1) & (queue->turns_size - 1);
        queue->n_turns--;
        struct frs_packet_share *share = &queue->flows[flow];
        *packet = frs_packet_ring_pop(&share->packets);
        share->weight -= packet->weight;
        if (share->packets.n) {
            queue_up(queue, flow);
        } else {
            frs_packet_ring_fini(&share->packets);
            share->weight = 0;
        }
    }
    queue->weight = queue->packets.n || queue->n_turns ? queue->weight - packet->weight : 0;
    return true;
}
