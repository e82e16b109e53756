#include "sim/journal/record.h"

#include "sim/base/errors.h"

#include <limits.h>
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

#define MOST_WHOLE 9007199254740992.0 /* 2^53, up to which a double counts */

static bool is_whole(double value) {
    return value >= 0 && value < MOST_WHOLE && value == floor(value) && !signbit(value);
}

static bool is_recorded(size_t figure) {
    return frs_usage_figures[figure].kind != FRS_USAGE_MEASURED;
}

void frs_record_put_usage(struct frs_buffer *out, const struct frs_usage *given) {
    struct frs_usage usage = *given;
    size_t at = out->n, n_reals = 0;
    frs_buffer_put_u8(out, 0);
    for (size_t i = 0; i < FRS_N_USAGE_FIGURES; i++) {
        if (!is_recorded(i))
            continue;
        if (frs_usage_is_count(i)) {
            put_whole(out, *frs_usage_count(&usage, i));
            continue;
        }
        double value = *frs_usage_real(&usage, i);
        if (is_whole(value))
            put_whole(out, (uint64_t)value);
        else
            frs_record_put_real(out, value);
        out->bytes[at] |= (uint8_t)(is_whole(value) << n_reals++);
    }
    FRS_INVARIANT(n_reals <= CHAR_BIT, "a byte cannot tell which of %zu figures are whole", n_reals);
}

struct frs_usage frs_record_usage(struct frs_reader *in) {
    struct frs_usage usage = {0};
    uint8_t whole = frs_reader_u8(in);
    for (size_t i = 0; i < FRS_N_USAGE_FIGURES; i++) {
        if (!is_recorded(i))
            continue;
        if (frs_usage_is_count(i)) {
            *frs_usage_count(&usage, i) = get_whole(in);
            continue;
        }
        *frs_usage_real(&usage, i) = whole & 1 ? (double)get_whole(in) : frs_record_real(in);
        whole >>= 1;
    }
    return usage;
}

struct frs_usage frs_record_sound_usage(struct frs_reader *in) {
    static const uint64_t most = (uint64_t)MOST_WHOLE;
    struct frs_usage usage = frs_record_usage(in);
    for (size_t i = 0; i < FRS_N_USAGE_FIGURES; i++) {
        if (frs_usage_is_count(i))
            in->failed |= *frs_usage_count(&usage, i) > most;
        else if (frs_usage_figures[i].kind == FRS_USAGE_AMOUNT)
            in->failed |= !(isfinite(*frs_usage_real(&usage, i)) && *frs_usage_real(&usage, i) >= 0);
    }
    return usage;
}
