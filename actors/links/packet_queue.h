/* Packet queue: the packets that wait before a link, drop-tail. They are served in the order of arrival,
 * or flow by flow in turns. Memory follows what waits: with edges there are many queues, and the numbers of
 * their flows are those of all. */
#ifndef FRS_ACTORS_LINKS_PACKET_QUEUE_H
#define FRS_ACTORS_LINKS_PACKET_QUEUE_H

#include "actors/links/tcp_sender.h"

#include <stdbool.h>
#include <stdint.h>

struct frs_packet {
    struct frs_tcp_transmission transmission;
    uint32_t flow, generation; /* which of the flows that had this number */
    double weight;             /* of a link's bytes */
    double left_s, new_bytes;  /* once it has left its last link: when, and what it adds to what arrives, */
    double acknowledged_s;     /* and when the sender hears of it */
};

/* A ring of packets. A zeroed struct is empty. */
struct frs_packet_ring {
    struct frs_packet *packets;
    uint32_t first, n, size;
};

void frs_packet_ring_fini(struct frs_packet_ring *ring);
void frs_packet_ring_push(struct frs_packet_ring *ring, const struct frs_packet *packet);
struct frs_packet frs_packet_ring_pop(struct frs_packet_ring *ring);
const struct frs_packet *frs_packet_ring_first(const struct frs_packet_ring *ring); /* there is one */
const struct frs_packet *frs_packet_ring_at(
    const struct frs_packet_ring *ring, uint32_t i);                         /* there is one */
struct frs_packet *frs_packet_ring_last(const struct frs_packet_ring *ring); /* there is one */

struct frs_packet_queue {
    double capacity, weight; /* that it holds; of what is in it */
    bool fair;
    struct frs_packet_ring packets; /* fair: unused */
    /* Fair only: flows that have packets here, each in a share of its own. */
    struct frs_packet_share {
        struct frs_packet_ring packets;
        double weight;
        uint32_t flow, next_free; /* next_free: of the shares without a flow, counted from 1 */
    } * shares;                   /* [n_shares] */
    uint32_t n_shares, first_free;
    uint32_t *found; /* [found_size] shares by a hash of their flow, counted from 1; 0: none */
    uint32_t found_size;
    uint32_t *turns; /* ring of these shares, in the order of their turns */
    uint32_t first_turn, n_turns, turns_size;
};

void frs_packet_queue_fini(struct frs_packet_queue *queue);

/* Returns false if the packet does not fit and is dropped. Under fair service a flow with less than its
 * share of a full queue is accepted nevertheless. */
bool frs_packet_queue_push(struct frs_packet_queue *queue, const struct frs_packet *packet);

/* false: nothing waits. */
bool frs_packet_queue_pop(struct frs_packet_queue *queue, struct frs_packet *packet);

#endif
