#include "actors/emulation/packet_buffers.h"
#include "actors/emulation/wire.h"
#include "actors/links/packets.h"
#include "sim/base/memory.h"

#include <stdlib.h>

#define HEADER_BYTES 52 /* IPv4, and TCP with time stamps */
#define TCP 6

uint32_t frs_parcels_take(struct frs_parcels *parcels) {
    if (parcels->n_free > 0)
        return parcels->free[--parcels->n_free];
    parcels->all = frs_grow(parcels->all, parcels->n + 1, &parcels->capacity, sizeof(void *));
    parcels->all[parcels->n] = frs_alloc(1, sizeof **parcels->all);
    return (uint32_t)parcels->n++;
}

void frs_parcels_return(struct frs_parcels *parcels, uint32_t number) {
    parcels->free =
        frs_grow(parcels->free, parcels->n_free + 1, &parcels->free_capacity, sizeof *parcels->free);
    parcels->free[parcels->n_free++] = number;
}

void frs_parcels_fini(struct frs_parcels *parcels) {
    for (size_t i = 0; i < parcels->n; i++)
        free(parcels->all[i]);
    free(parcels->all);
    free(parcels->free);
    *parcels = (struct frs_parcels){0};
}

static uint32_t address_at(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

bool frs_parcel_read(struct frs_parcel *parcel, size_t n, bool up) {
    const uint8_t *ip = parcel->bytes;
    size_t ip_bytes = n >= 20 ? 4u * (ip[0] & 15u) : 0;
    if (n < 40 || ip[0] >> 4 != 4 || ip[9] != TCP || n < ip_bytes + 20)
        return false;
    uint32_t client = address_at(ip + (up ? 12 : 16)), server = address_at(ip + (up ? 16 : 12));
    parcel->n = n;
    parcel->line = client - FRS_LINE_ADDRESS(0);
    parcel->carries = n > ip_bytes + 4u * (ip[ip_bytes + 12] >> 4);
    return server == FRS_SERVER_ADDRESS && client >= FRS_LINE_ADDRESS(0);
}

double frs_parcel_weight(const struct frs_parcel *parcel) {
    return ((double)parcel->n + FRS_PACKET_FRAME_BYTES - HEADER_BYTES) * FRS_PACKET_PAYLOAD_BYTES /
           (FRS_PACKET_PAYLOAD_BYTES + FRS_PACKET_FRAME_BYTES);
}
