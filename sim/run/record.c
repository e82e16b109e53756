#include "sim/run/record.h"

#include <math.h>
#include <string.h>

void frs_record_put_real(struct frs_buffer *out, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    frs_buffer_put_u64(out, bits);
}

double frs_record_real(struct frs_reader *in) {
    uint64_t bits = frs_reader_u64(in);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Seven bits a byte, the lowest first; all but the last have the eighth bit set. */
static void put_whole(struct frs_buffer *out, uint64_t value) {
    for (; value > 0x7f; value >>= 7)
        frs_buffer_put_u8(out, (uint8_t)(value | 0x80));
    frs_buffer_put_u8(out, (uint8_t)value);
}

static uint64_t get_whole(struct frs_reader *in) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = frs_reader_u8(in);
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            break;
    }
    return value;
}

#define N_WHOLES 6u
#define N_REALS 5u
#define MOST_WHOLE 9007199254740992.0 /* 2^53 */

static bool is_whole(double value) {
    return value >= 0 && value < MOST_WHOLE && value == floor(value) && !signbit(value);
}

void frs_record_put_learnt(struct frs_buffer *out, const struct frs_learnt *learnt) {
    const uint64_t wholes[N_WHOLES] = {learnt->down_bytes, learnt->nominal_down_bytes, learnt->up_bytes,
        learnt->nominal_up_bytes, learnt->up_values, learnt->epochs};
    const double reals[N_REALS] = {
        learnt->flop, learnt->samples, learnt->post_flop, learnt->post_samples, learnt->loss};
    uint8_t whole = 0;
    for (size_t i = 0; i < N_REALS; i++)
        whole |= (uint8_t)(is_whole(reals[i]) << i);
    frs_buffer_put_u8(out, whole);
    for (size_t i = 0; i < N_WHOLES; i++)
        put_whole(out, wholes[i]);
    for (size_t i = 0; i < N_REALS; i++)
        if (whole >> i & 1)
            put_whole(out, (uint64_t)reals[i]);
        else
            frs_record_put_real(out, reals[i]);
}

struct frs_learnt frs_record_learnt(struct frs_reader *in) {
    uint64_t wholes[N_WHOLES];
    double reals[N_REALS];
    uint8_t whole = frs_reader_u8(in);
    for (size_t i = 0; i < N_WHOLES; i++)
        wholes[i] = get_whole(in);
    for (size_t i = 0; i < N_REALS; i++)
        reals[i] = whole >> i & 1 ? (double)get_whole(in) : frs_record_real(in);
    return (struct frs_learnt){.down_bytes = wholes[0],
        .nominal_down_bytes = wholes[1],
        .up_bytes = wholes[2],
        .nominal_up_bytes = wholes[3],
        .up_values = wholes[4],
        .epochs = (uint32_t)wholes[5],
        .flop = reals[0],
        .samples = reals[1],
        .post_flop = reals[2],
        .post_samples = reals[3],
        .loss = reals[4]};
}
