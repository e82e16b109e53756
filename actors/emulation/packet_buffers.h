/* Packet buffers: the packets that are in the router's hands, known by small numbers. */
#ifndef FRS_ACTORS_EMULATION_PACKET_BUFFERS_H
#define FRS_ACTORS_EMULATION_PACKET_BUFFERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRS_PACKET_BUFFER_BYTES 1500

struct frs_packet_buffer {
    uint32_t from, to; /* addresses, in host byte order */
    bool carries;      /* payload: it is no mere acknowledgement */
    size_t n;
    uint8_t bytes[FRS_PACKET_BUFFER_BYTES]; /* an IPv4 packet */
};

/* Zeroed: none. */
struct frs_packet_buffers {
    struct frs_packet_buffer **all;
    uint32_t *free;
    size_t n, capacity, n_free, free_capacity;
};

uint32_t frs_packet_buffers_take(struct frs_packet_buffers *packet_buffers);
void frs_packet_buffers_return(struct frs_packet_buffers *packet_buffers, uint32_t number);
void frs_packet_buffers_fini(struct frs_packet_buffers *packet_buffers);

static inline struct frs_packet_buffer *frs_packet_buffer(
    const struct frs_packet_buffers *packet_buffers, uint32_t number) {
    return packet_buffers->all[number];
}

/* Reads the headers of `n` bytes that came from a device; false: they are not TCP over IPv4. */
bool frs_packet_buffer_read(struct frs_packet_buffer *packet_buffer, size_t n);

/* Returns the packet's share of a link's payload bytes: a full packet counts what it carries. */
double frs_packet_buffer_weight(const struct frs_packet_buffer *packet_buffer);

#endif
