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
    return frs_charge_figures[figure].kind != FRS_CHARGE_MEASURED;
}

void frs_record_put_charge(struct frs_buffer *out, const struct frs_charge *given) {
    struct frs_charge charge = *given;
    size_t at = out->n, n_reals = 0;
    frs_buffer_put_u8(out, 0);
    for (size_t i = 0; i < FRS_N_CHARGE_FIGURES; i++) {
        if (!is_recorded(i))
            continue;
        if (frs_charge_is_count(i)) {
            put_whole(out, *frs_charge_count(&charge, i));
            continue;
        }
        double value = *frs_charge_real(&charge, i);
        if (is_whole(value))
            put_whole(out, (uint64_t)value);
        else
            frs_record_put_real(out, value);
        out->bytes[at] |= (uint8_t)(is_whole(value) << n_reals++);
    }
    FRS_INVARIANT(n_reals <= CHAR_BIT, "a byte cannot tell which of %zu figures are whole", n_reals);
}

struct frs_charge frs_record_charge(struct frs_reader *in) {
    struct frs_charge charge = {0};
    uint8_t whole = frs_reader_u8(in);
    for (size_t i = 0; i < FRS_N_CHARGE_FIGURES; i++) {
        if (!is_recorded(i))
            continue;
        if (frs_charge_is_count(i)) {
            *frs_charge_count(&charge, i) = get_whole(in);
            continue;
        }
        *frs_charge_real(&charge, i) = whole & 1 ? (double)get_whole(in) : frs_record_real(in);
        whole >>= 1;
    }
    return charge;
}

struct frs_charge frs_record_sound_charge(struct frs_reader *in) {
    static const uint64_t most = (uint64_t)MOST_WHOLE;
    struct frs_charge charge = frs_record_charge(in);
    for (size_t i = 0; i < FRS_N_CHARGE_FIGURES; i++) {
        if (frs_charge_is_count(i))
            in->failed |= *frs_charge_count(&charge, i) > most;
        else if (frs_charge_figures[i].kind == FRS_CHARGE_AMOUNT)
            in->failed |= !(isfinite(*frs_charge_real(&charge, i)) && *frs_charge_real(&charge, i) >= 0);
    }
    return charge;
}
