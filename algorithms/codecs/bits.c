#include "algorithms/codecs/bits.h"
#include "sim/base/numbers/levels.h"

unsigned frs_bits_for(size_t n) {
    unsigned bits = 0;
    while (bits < 32 && (size_t)1 << bits < n)
        bits++;
    return bits;
}

/* Whole bytes and their halves are what most messages have. */
FRS_CLONES static void put_bytes(const uint32_t *values, size_t n, uint8_t *bytes) {
    for (size_t i = 0; i < n; i++)
        bytes[i] = (uint8_t)values[i];
}

FRS_CLONES static void put_halves(const uint32_t *values, size_t n, uint8_t *bytes) {
    for (size_t i = 0; i < n / 2; i++)
        bytes[i] = (uint8_t)(values[2 * i] | values[2 * i + 1] << 4);
    if (n % 2)
        bytes[n / 2] = (uint8_t)values[n - 1];
}

FRS_CLONES static void take_bytes(const uint8_t *bytes, size_t n, uint32_t *values) {
    for (size_t i = 0; i < n; i++)
        values[i] = bytes[i];
}

FRS_CLONES static void take_halves(const uint8_t *bytes, size_t n, uint32_t *values) {
    for (size_t i = 0; i < n / 2; i++) {
        values[2 * i] = bytes[i] & 0xfu;
        values[2 * i + 1] = bytes[i] >> 4;
    }
    if (n % 2)
        values[n - 1] = bytes[n / 2] & 0xfu;
}

void frs_bits_put(struct frs_buffer *out, const uint32_t *values, size_t n, unsigned bits) {
    uint8_t *bytes = frs_buffer_extend(out, (n * bits + 7) / 8);
    uint64_t pending = 0;
    unsigned n_pending = 0;
    if (bits == 8) {
        put_bytes(values, n, bytes);
        return;
    }
    if (bits == 4) {
        put_halves(values, n, bytes);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        pending |= (uint64_t)values[i] << n_pending;
        for (n_pending += bits; n_pending >= 8; n_pending -= 8, pending >>= 8)
            *bytes++ = (uint8_t)pending;
    }
    if (n_pending > 0)
        *bytes = (uint8_t)pending;
}

bool frs_bits_take(struct frs_reader *in, uint32_t *values, size_t n, unsigned bits) {
    const uint8_t *bytes = frs_reader_take(in, (n * bits + 7) / 8);
    uint64_t pending = 0, mask = ((uint64_t)1 << bits) - 1;
    unsigned n_pending = 0;
    if (bytes && bits == 8) {
        take_bytes(bytes, n, values);
        return true;
    }
    if (bytes && bits == 4) {
        take_halves(bytes, n, values);
        return n % 2 == 0 || bytes[n / 2] >> 4 == 0;
    }
    for (size_t i = 0; bytes && i < n; i++) {
        for (; n_pending < bits; n_pending += 8)
            pending |= (uint64_t)*bytes++ << n_pending;
        values[i] = (uint32_t)(pending & mask);
        pending >>= bits;
        n_pending -= bits;
    }
    return bytes && pending == 0;
}
