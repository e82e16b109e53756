#include "actors/emulation/packet_buffers.h"
#include "actors/links/packets.h"
#include "sim/base/memory.h"

#include <stdlib.h>

#define HEADER_BYTES 52 /* IPv4, and TCP with time stamps */
#define TCP 6

uint32_t frs_packet_buffers_take(struct frs_packet_buffers *packet_buffers) {
    if (packet_buffers->n_free > 0)
        return packet_buffers->free[--packet_buffers->n_free];
    packet_buffers->all =
        frs_grow(packet_buffers->all, packet_buffers->n + 1, &packet_buffers->capacity, sizeof(void *));
    packet_buffers->all[packet_buffers->n] = frs_alloc(1, sizeof **packet_buffers->all);
    return (uint32_t)packet_buffers->n++;
}

void frs_packet_buffers_return(struct frs_packet_buffers *packet_buffers, uint32_t number) {
    packet_buffers->free = frs_grow(packet_buffers->free, packet_buffers->n_free + 1,
        &packet_buffers->free_capacity, sizeof *packet_buffers->free);
    packet_buffers->free[packet_buffers->n_free++] = number;
}

void frs_packet_buffers_fini(struct frs_packet_buffers *packet_buffers) {
    for (size_t i = 0; i < packet_buffers->n; i++)
        free(packet_buffers->all[i]);
    free(packet_buffers->all);
    free(packet_buffers->free);
    *packet_buffers = (struct frs_packet_buffers){0};
}

static uint32_t address_at(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

bool frs_packet_buffer_read(struct frs_packet_buffer *packet_buffer, size_t n) {
    const uint8_t *ip = packet_buffer->bytes;
    size_t ip_bytes = n >= 20 ? 4u * (ip[0] & 15u) : 0;
    if (n < 40 || ip[0] >> 4 != 4 || ip[9] != TCP || n < ip_bytes + 20)
        return false;
    packet_buffer->n = n;
    packet_buffer->from = address_at(ip + 12);
    packet_buffer->to = address_at(ip + 16);
    packet_buffer->carries = n > ip_bytes + 4u * (ip[ip_bytes + 12] >> 4);
    return true;
}

double frs_packet_buffer_weight(const struct frs_packet_buffer *packet_buffer) {
    return ((double)packet_buffer->n + FRS_PACKET_FRAME_BYTES - HEADER_BYTES) * FRS_PACKET_PAYLOAD_BYTES /
           (FRS_PACKET_PAYLOAD_BYTES + FRS_PACKET_FRAME_BYTES);
}
